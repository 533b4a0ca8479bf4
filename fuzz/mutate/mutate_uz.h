/* Changes to .uz downloads. */
#ifndef UVET_FUZZ_MUTATE_MUTATE_UZ_H
#define UVET_FUZZ_MUTATE_MUTATE_UZ_H

#include "mutate/mutate_blind.h"

/* mutate_uz changes a .uz by its sorted blocks, two times in three. */
size_t mutate_uz(uint8_t *data, size_t size, size_t max, uint64_t seed, mutate_blind *blind);

#endif
