/* Thoroughness: whether every oracle runs on every input, as a replay wants it, or the costly ones
 * by turns. */
#ifndef UVET_FUZZ_SUPPORT_THOROUGH_H
#define UVET_FUZZ_SUPPORT_THOROUGH_H

#include <stdbool.h>
#include <stdint.h>

/* thorough_is_on tells whether every oracle runs on every input. The variable UVET_FUZZ_THOROUGH=1
 * asks for it. */
bool thorough_is_on(void);

/* thorough_is_turn tells whether it is the turn of oracle `which` of n on an input with that
 * hash. It is the turn of each when thoroughness is on. */
bool thorough_is_turn(uint64_t hash, uint64_t which, uint64_t n);

#endif
