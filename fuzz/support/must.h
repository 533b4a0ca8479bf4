/* MUST: how an oracle says that uvet broke a promise. */
#ifndef UVET_FUZZ_SUPPORT_MUST_H
#define UVET_FUZZ_SUPPORT_MUST_H

#include <stdio.h>
#include <stdlib.h>

/* MUST stops the harness with the broken promise in words, whatever NDEBUG says. */
#define MUST(promise, words) \
	((promise) ? (void)0 \
		   : (fprintf(stderr, "%s:%d: broken promise: %s\n\t%s\n", __FILE__, __LINE__, \
			      words, #promise), \
		      abort()))

#endif
