/* What the bytes of an input of fuzz_bytecode mean: four bytes of choices, then code. Harness and
 * mutator share it. */
#ifndef UVET_FUZZ_INPUTS_SCRIPT_INPUT_H
#define UVET_FUZZ_INPUTS_SCRIPT_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inputs/package.h"
#include "reference/reference_script.h"

/* SCRIPT_HEAD: the version, the class with SCRIPT_CUT, how the size is made, and a number for
 * that. */
enum { SCRIPT_HEAD = 4, SCRIPT_CUT = 0x80 };

struct script_input {
	unsigned version;
	enum package_class class;
	bool cut; /* nothing follows the code */
	uint8_t how, number;
	const uint8_t *code;
	size_t n;
};

/* script_input_read reads one; false if it is too short. */
bool script_input_read(struct script_input *t, const uint8_t *data, size_t size);

/* script_input_walk has the second walker walk all of the code. */
void script_input_walk(const struct script_input *t, struct reference_code *c);

/* script_input_size is the size that the code shall be said to have: mostly the one that the second
 * walker finds. */
int64_t script_input_size(const struct script_input *t, struct reference_code *c);

#endif
