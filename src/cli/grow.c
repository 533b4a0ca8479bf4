/* Growing arrays: each time to at least twice the size, so that the copying stays linear. */
#include "cli/grow.h"

#include <stdint.h>
#include <stdlib.h>

enum { SMALLEST = 64 };

void *grow(void *p, size_t *max, size_t need, size_t each)
{
	size_t n = *max > SMALLEST ? *max : SMALLEST;
	void *bigger;

	if (p && need <= *max)
		return p;
	while (n < need) {
		if (n > SIZE_MAX / 4)
			return NULL;
		n *= 2;
	}
	if (n > SIZE_MAX / 2 / each)
		return NULL;
	bigger = realloc(p, n * each);
	if (bigger)
		*max = n;
	return bigger;
}
