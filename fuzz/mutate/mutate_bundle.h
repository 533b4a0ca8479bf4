/* Changes to inputs that are several files. */
#ifndef UVET_FUZZ_MUTATE_MUTATE_BUNDLE_H
#define UVET_FUZZ_MUTATE_MUTATE_BUNDLE_H

#include "formats/format.h"
#include "mutate/mutate_blind.h"

/* mutate_bundle changes one file of an input (inputs/bundle.h), of which the first has that format,
 * and three times in four updates the hashes of its stored chunks. */
size_t mutate_bundle(const struct format *f, uint8_t *data, size_t size, size_t max, uint64_t seed,
		     mutate_blind *blind);

#endif
