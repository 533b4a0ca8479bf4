/* The mutator: changes an input by its fields, as the format's own tables and map describe them,
 * and repairs what depends on them. */
#ifndef UVET_FUZZ_MUTATE_MUTATE_H
#define UVET_FUZZ_MUTATE_MUTATE_H

#include "formats/format.h"
#include "mutate/mutate_blind.h"

/* mutate_input changes the input in place, by fields three times in four, and returns its new
 * size. The same seed makes the same change when blind does. */
size_t mutate_input(const struct format *f, uint8_t *data, size_t size, size_t max, uint64_t seed,
		    mutate_blind *blind);

/* mutate_cross puts a part of one input into another, in out of at most max bytes. */
size_t mutate_cross(const struct format *f, const uint8_t *a, size_t a_size, const uint8_t *b,
		    size_t b_size, uint8_t *out, size_t max, uint64_t seed);

#endif
