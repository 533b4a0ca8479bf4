/* The mutators: how the inputs of each harness are changed. */
#ifndef UVET_FUZZ_MUTATE_MUTATORS_H
#define UVET_FUZZ_MUTATE_MUTATORS_H

#include "mutate/mutate_blind.h"

/* mutators_change changes an input of a harness in place and returns its new size, at most max.
 * blind may be NULL. The same seed makes the same change when blind does. */
size_t mutators_change(const char *harness, uint8_t *data, size_t size, size_t max, uint64_t seed,
		       mutate_blind *blind);

/* mutators_cross changes input a, now and then by a part of input b; the result, of at most max
 * bytes, is in out. */
size_t mutators_cross(const char *harness, const uint8_t *a, size_t a_size, const uint8_t *b,
		      size_t b_size, uint8_t *out, size_t max, uint64_t seed, mutate_blind *blind);

#endif
