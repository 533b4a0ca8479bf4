/* Changes to bytes of which nothing is known. */
#ifndef UVET_FUZZ_MUTATE_MUTATE_BLIND_H
#define UVET_FUZZ_MUTATE_MUTATE_BLIND_H

#include <stddef.h>
#include <stdint.h>

#include "support/random.h"

/* A mutate_blind changes size bytes without knowing what they are, to at most max; libFuzzer's own,
 * or mutate_havoc. */
typedef size_t mutate_blind(uint8_t *data, size_t size, size_t max);

/* mutate_havoc is a blind mutator of our own, for fuzzers that have none. */
size_t mutate_havoc(uint8_t *data, size_t size, size_t max, struct dice *dice);

/* mutate_blindly changes data by blind, or by mutate_havoc if that is NULL. Where max is 0 it does
 * nothing, because libFuzzer's own mutator would write a byte even then. */
size_t mutate_blindly(uint8_t *data, size_t size, size_t max, struct dice *dice,
		      mutate_blind *blind);

/* mutate_splice replaces n bytes at `at` by m others, as many of them as there is room for, and
 * returns the new size. */
size_t mutate_splice(uint8_t *data, size_t size, size_t max, size_t at, size_t n, const void *bytes,
		     size_t m);

#endif
