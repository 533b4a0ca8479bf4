/* Hashing by words: quick, and not against who wants hashes to collide; who uses it sorts what
 * collides. */
#ifndef UVET_CORE_HASH_H
#define UVET_CORE_HASH_H

#include <stdint.h>

#include "core/compiler.h"

/* hash_mix takes up one more word. */
UVET_WRAPS static inline uint64_t hash_mix(uint64_t sum, uint64_t word)
{
	sum = (sum ^ word) * 0x9E3779B97F4A7C15u;
	return sum ^ sum >> 32;
}

#endif
