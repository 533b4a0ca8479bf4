/* Changes to programs of calls. */
#ifndef UVET_FUZZ_MUTATE_MUTATE_CALLS_H
#define UVET_FUZZ_MUTATE_MUTATE_CALLS_H

#include "mutate/mutate_blind.h"

/* mutate_calls changes an input of fuzz_api: its program of calls, or its files. */
size_t mutate_calls(uint8_t *data, size_t size, size_t max, uint64_t seed, mutate_blind *blind);

#endif
