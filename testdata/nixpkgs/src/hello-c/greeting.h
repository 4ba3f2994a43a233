#ifndef GREETING_H
#define GREETING_H

#include <stddef.h>

/* greeting_for returns the word of greeting of a language such as "de", or NULL
 * for one that is not in the table. */
const char *greeting_for(const char *language);

/* greeting_write puts "WORD, NAME!" into buf and returns the length of the whole
 * text, which was cut if it is size or more. */
size_t greeting_write(char *buf, size_t size, const char *word, const char *name);

#endif
