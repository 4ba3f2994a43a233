#ifndef GREET_H
#define GREET_H

enum greet_part {
	GREET_MORNING,
	GREET_AFTERNOON,
	GREET_EVENING,
	GREET_NIGHT,
};

/* greet_part_of_day says which part an hour belongs to. Hours outside of 0 to 23
 * wrap around, so -1 is 23. */
enum greet_part greet_part_of_day(int hour);

/* greet_text returns a constant text; it never is NULL. */
const char *greet_text(enum greet_part part);

#endif
