/* Suggestions: the edit distance in which two neighbours that changed places count once. */
#include "cli/nearest.h"

#include <string.h>

#include "cli/message.h"
#include "cli/settings.h"
#include "core/ascii.h"

/* Longer names are near nothing. */
enum { NEAREST_MAX = 48 };

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* The distance of two names of at most NEAREST_MAX characters: three rows of the table of all
 * distances between their beginnings. */
static unsigned distance(const char *a, const char *b)
{
	unsigned rows[3][NEAREST_MAX + 1];
	const size_t n_a = strlen(a), n_b = strlen(b);

	for (unsigned j = 0; j <= n_b; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= n_a; i++) {
		unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= n_b; j++) {
			const char x = ascii_lower(a[i - 1]), y = ascii_lower(b[j - 1]);

			row[j] = least(above[j - 1] + (x != y), 1 + least(above[j], row[j - 1]));
			if (i > 1 && j > 1 && x == ascii_lower(b[j - 2]) &&
			    y == ascii_lower(a[i - 2]))
				row[j] = least(row[j], 1 + rows[(i + 1) % 3][j - 2]);
		}
	}
	return rows[n_a % 3][n_b];
}

struct nearest nearest_to(const char *typed)
{
	const size_t len = strlen(typed);

	return (struct nearest){ typed, NULL, len <= NEAREST_MAX ? (unsigned)len / 3 + 1 : 0 };
}

void nearest_try(struct nearest *n, const char *name)
{
	unsigned found;

	if (n->distance == 0 || strlen(name) > NEAREST_MAX)
		return;
	found = distance(n->typed, name);
	if (found >= n->distance)
		return;
	n->name = name;
	n->distance = found;
}

int nearest_refuse(const char *kind, const char *word, name_at *at, const char *see)
{
	struct nearest near = nearest_to(word);
	const char *name;

	for (size_t i = 0; (name = at(i)) != NULL; i++)
		nearest_try(&near, name);
	if (near.name)
		message("%t: '%s' is not a %t; did you mean %t?", kind, word, kind, near.name);
	else
		message("%t: '%s' is not a %t; see: %t", kind, word, kind, see);
	return STATUS_USAGE;
}
