/* libFuzzer's way to the mutators. UVET_HARNESS is the harness's name. */
#include "mutate/mutators.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
				 uint8_t *out, size_t max, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	return mutators_change(UVET_HARNESS, data, size, max, seed, LLVMFuzzerMutate);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
				 uint8_t *out, size_t max, unsigned seed)
{
	return mutators_cross(UVET_HARNESS, a, a_size, b, b_size, out, max, seed, LLVMFuzzerMutate);
}
