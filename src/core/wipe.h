/* Memory that held a secret, overwritten. */
#ifndef UVET_CORE_WIPE_H
#define UVET_CORE_WIPE_H

#include <stddef.h>

/* memory_wipe overwrites n bytes at p with zeros. Compilers cannot leave that out, even where
 * the memory is not read again. */
static inline void memory_wipe(void *p, size_t n)
{
	volatile unsigned char *bytes = p;

	for (size_t i = 0; i < n; i++)
		bytes[i] = 0;
}

#endif
