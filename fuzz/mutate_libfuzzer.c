/* libFuzzer's way to the mutator. A harness that is not of a format is mutated as text, or blindly. */
#include <string.h>

#include "mutate.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);

#if defined(FUZZ_FORMAT)
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out, size_t max,
				 unsigned seed);
extern const struct format FUZZ_FORMAT;

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	return mutate_input(&FUZZ_FORMAT, data, size, max, seed, LLVMFuzzerMutate);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out, size_t max,
				 unsigned seed)
{
	return mutate_cross(&FUZZ_FORMAT, a, a_size, b, b_size, out, max, seed);
}
#elif defined(FUZZ_CONTAINER)
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	return mutate_container(data, size, max, seed, LLVMFuzzerMutate);
}
#else
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	struct dice dice = { seed };

#if defined(FUZZ_TEXT)
	if (!dice_one_in(&dice, 4))
		return mutate_text(data, size, max, &dice);
#elif defined(FUZZ_SCRIPT)
	if (!dice_one_in(&dice, 8))
		return mutate_script_tape(data, size, max, &dice);
#endif
	(void)dice;
	return LLVMFuzzerMutate(data, size, max);
}
#endif
