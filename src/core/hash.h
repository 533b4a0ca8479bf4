/* Hashing of 64-bit words: fast, but a file can be made so that its hashes collide. Users
 * therefore sort, or compare, what has the same hash. */
#ifndef UVET_CORE_HASH_H
#define UVET_CORE_HASH_H

#include <stdint.h>

#include "core/compiler.h"

/* hash_mix returns the hash `sum` with one more word mixed in. */
UVET_WRAPS static inline uint64_t hash_mix(uint64_t sum, uint64_t word)
{
	sum = (sum ^ word) * 0x9E3779B97F4A7C15u;
	return sum ^ sum >> 32;
}

#endif
