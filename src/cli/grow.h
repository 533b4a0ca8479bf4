/* Growing arrays. */
#ifndef UVET_CLI_GROW_H
#define UVET_CLI_GROW_H

#include <stddef.h>

/* grow returns an array of at least `need` elements of `each` bytes in place of p, which has
 * *max of them and may be NULL, with the elements of p. NULL: memory ended, and p is as it was.
 * free frees it. */
void *grow(void *p, size_t *max, size_t need, size_t each);

#endif
