#include "greeting.h"

#include <stdio.h>
#include <string.h>

#define LINE_SIZE 80

static int greet(const char *word, const char *name)
{
	char line[LINE_SIZE];
	if (greeting_write(line, sizeof line, word, name) >= sizeof line) {
		fprintf(stderr, "hello: name too long: %.20s...\n", name);
		return 1;
	}
	puts(line);
	return 0;
}

int main(int argc, char **argv)
{
	const char *language = "en";
	int i = 1, failed = 0;

	if (argc > 2 && strcmp(argv[1], "-l") == 0) {
		language = argv[2];
		i = 3;
	}
	const char *word = greeting_for(language);
	if (word == NULL) {
		fprintf(stderr, "hello: no such language: %s\n", language);
		return 2;
	}
	if (i == argc)
		return greet(word, "world");
	for (; i < argc; i++)
		failed |= greet(word, argv[i]);
	return failed;
}
