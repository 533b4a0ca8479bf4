/* A reference reading of configurations, a line at a time, from what their form is said to be. */
#ifndef UVET_FUZZ_REFERENCE_REFERENCE_CONFIG_H
#define UVET_FUZZ_REFERENCE_REFERENCE_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

/* A reference_words is n bytes of the text. */
struct reference_words {
	const char *at;
	size_t n;
};

/* A reference_setting is a line NAME = VALUE below [SECTION "GLOB"]; without a pattern, glob is
 * empty. */
struct reference_setting {
	struct reference_words section, glob, name, value;
	unsigned line;
};

/* reference_config reads a text of n bytes. It returns how many settings it has, of which the first
 * max are in out, or SIZE_MAX if it is no configuration. */
size_t reference_config(const char *text, size_t n, struct reference_setting *out, size_t max);

/* reference_words_are tells whether these are the bytes of a string. */
bool reference_words_are(struct reference_words words, const char *string);

#endif
