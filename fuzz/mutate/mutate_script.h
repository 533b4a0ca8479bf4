/* Changes to code of UnrealScript. */
#ifndef UVET_FUZZ_MUTATE_MUTATE_SCRIPT_H
#define UVET_FUZZ_MUTATE_MUTATE_SCRIPT_H

#include <stddef.h>
#include <stdint.h>

#include "support/random.h"

/* mutate_expression makes an expression of a version and returns its length. */
size_t mutate_expression(uint8_t *out, size_t max, uint64_t version, struct dice *dice);

/* mutate_script_input changes an input of fuzz_bytecode: expressions, targets and lengths. */
size_t mutate_script_input(uint8_t *data, size_t size, size_t max, struct dice *dice);

#endif
