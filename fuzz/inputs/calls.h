/* Programs of calls, which the inputs of fuzz_api begin with: a byte for each call, and those of
 * its arguments. */
#ifndef UVET_FUZZ_INPUTS_CALLS_H
#define UVET_FUZZ_INPUTS_CALLS_H

#include <stddef.h>
#include <stdint.h>

/* How many calls a program can name, by its bytes modulo that, and how many names its input can
 * have, by its first byte. */
enum { N_CALLS = 22, N_INPUT_NAMES = 9 };

/* Where a program is read; after its end there are zeros. */
struct calls {
	const uint8_t *at, *end;
};

/* calls_next takes a byte of the program, calls_number a number: small, near the largest, or
 * anything. calls_word takes one of n words. */
uint8_t calls_next(struct calls *c);
uint64_t calls_number(struct calls *c);
const char *calls_word(struct calls *c, const char *const *words, size_t n);

#endif
