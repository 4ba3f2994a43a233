#include "greeting.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *language;
	const char *word;
} words[] = {
	{"de", "Hallo"},
	{"en", "Hello"},
	{"fr", "Bonjour"},
	{"it", "Ciao"},
};

const char *greeting_for(const char *language)
{
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strcmp(words[i].language, language) == 0)
			return words[i].word;
	return NULL;
}

size_t greeting_write(char *buf, size_t size, const char *word, const char *name)
{
	int n = snprintf(buf, size, "%s, %s!", word, name);
	return n < 0 ? 0 : (size_t)n;
}
