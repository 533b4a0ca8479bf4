/* Memory that held a secret, overwritten. */
#ifndef UVET_CORE_WIPE_H
#define UVET_CORE_WIPE_H

#include <stddef.h>
#include <string.h>

/* memory_wipe overwrites n bytes at p with zeros. Compilers cannot leave that out, even where
 * the memory is not read again. */
static inline void memory_wipe(void *p, size_t n)
{
#ifdef __GNUC__
	memset(p, 0, n);
	__asm__ volatile(""
			 :
			 : "r"(p)
			 : "memory"); /* may read what was written, for all it knows */
#else
	volatile unsigned char *bytes = p;

	for (size_t i = 0; i < n; i++)
		bytes[i] = 0;
#endif
}

#endif
