/* The perfect hash of containers. */
#ifndef UVET_FUZZ_MUTATE_MUTATE_UTOC_HASH_H
#define UVET_FUZZ_MUTATE_MUTATE_UTOC_HASH_H

#include "mutate/mutate_utoc_rows.h"

/* toc_build_hash computes the seeds anew; with resize their number too. */
void toc_build_hash(struct toc_work *w, bool resize);

/* toc_change_hash changes a seed or an overflowed slot, or builds the hash anew. */
void toc_change_hash(struct toc_work *w);

#endif
