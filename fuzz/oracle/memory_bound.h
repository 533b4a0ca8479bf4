/* Bounds: how much memory a check may hold at a time, from the bytes of metadata that are there. */
#ifndef UVET_FUZZ_ORACLE_MEMORY_BOUND_H
#define UVET_FUZZ_ORACLE_MEMORY_BOUND_H

#include <stdint.h>

#include "engine/engine.h"

/* memory_bound_of bounds the peak of a check by its report: 1 MiB, four times the bytes of
 * metadata that lie open at a time, and what is named in memory_bound.c, each by a formula of
 * its own: what reports hold, what waits for its check, and what payload passes through.
 *
 * data are the input's bytes, or NULL: then what they say of the sizes of blocks and chunks is
 * taken for the worst. */
uint64_t memory_bound_of(const struct engine *e, const struct report *r, const uint8_t *data);

#endif
