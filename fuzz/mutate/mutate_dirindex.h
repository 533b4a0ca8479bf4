/* Changes to directory indexes. */
#ifndef UVET_FUZZ_MUTATE_MUTATE_DIRINDEX_H
#define UVET_FUZZ_MUTATE_MUTATE_DIRINDEX_H

#include "mutate/mutate_blind.h"

/* mutate_directory changes an input of fuzz_dirindex by its links and rows, one time in two. */
size_t mutate_directory(uint8_t *data, size_t size, size_t max, uint64_t seed, mutate_blind *blind);

#endif
