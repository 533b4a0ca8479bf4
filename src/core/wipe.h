/* Memory that held a secret, overwritten. */
#ifndef UVET_CORE_WIPE_H
#define UVET_CORE_WIPE_H

#include <stddef.h>

/* memory_wipe overwrites n bytes at p, in a way that compilers do not leave out where nobody reads
 * them any more. */
static inline void memory_wipe(void *p, size_t n)
{
	volatile unsigned char *bytes = p;

	for (size_t i = 0; i < n; i++)
		bytes[i] = 0;
}

#endif
