#include "greet.h"

/* The last hour of each part; what is later is night again. */
static const struct {
	int until;
	enum greet_part part;
} parts[] = {
	{4, GREET_NIGHT},
	{11, GREET_MORNING},
	{17, GREET_AFTERNOON},
	{21, GREET_EVENING},
};

enum greet_part greet_part_of_day(int hour)
{
	hour = (hour % 24 + 24) % 24;
	for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++)
		if (hour <= parts[i].until)
			return parts[i].part;
	return GREET_NIGHT;
}

const char *greet_text(enum greet_part part)
{
	switch (part) {
	case GREET_MORNING:
		return "Good morning";
	case GREET_AFTERNOON:
		return "Good afternoon";
	case GREET_EVENING:
		return "Good evening";
	case GREET_NIGHT:
		break;
	}
	return "Good night";
}
