/* Growing buffers. */
#ifndef UVET_CLI_GROW_H
#define UVET_CLI_GROW_H

#include <stddef.h>

/* grow returns a buffer of at least `need` elements of `each` bytes in place of p, which has *max of them and may be NULL; it
 * keeps what p holds. It returns NULL, and leaves p as it is, when memory ends. free frees it. */
void *grow(void *p, size_t *max, size_t need, size_t each);

#endif
