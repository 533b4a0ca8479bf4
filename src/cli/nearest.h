/* Suggestions: which known name somebody who mistyped one may have meant. */
#ifndef UVET_CLI_NEAREST_H
#define UVET_CLI_NEAREST_H

#include <stddef.h>

/* A search for the known name that is nearest to what was typed, letters of both cases alike. */
struct nearest {
	const char *typed;
	const char *name; /* the nearest so far; NULL: none is near */
	unsigned distance;
};

/* nearest_to begins a search. nearest_try takes a known name into it, which outlives it; of names
 * that are equally near the first stays. One is near if at most every third character of what
 * was typed is missing, another, too many, or has changed places with the next. */
struct nearest nearest_to(const char *typed);
void nearest_try(struct nearest *n, const char *name);

/* A name_at gives one known name after the other; NULL past the end.
 * nearest_refuse says that a word is no name of a kind of things, which the command is called
 * after, and which was meant, or where they can be seen. It returns STATUS_USAGE. */
typedef const char *name_at(size_t index);
int nearest_refuse(const char *kind, const char *word, name_at *at, const char *see);

#endif
