/* Buffers of exact sizes. */
#include "support/buffers.h"

#include <string.h>

#include "core/compiler.h"
#include "support/must.h"

uint8_t *buffer_copy(const uint8_t *data, size_t n)
{
	uint8_t *copy = malloc(n > 0 ? n : 1);

	MUST(copy, "the machine has memory for a harness");
	if (n > 0)
		memcpy(copy, data, n);
	return copy;
}

uint8_t *buffer_scratch(enum buffer_number number, size_t n)
{
	static struct {
		uint8_t *bytes;
		size_t size;
	} buffers[BUFFER_COUNT];
	uint8_t *p = buffers[number].bytes;

	if (n >= buffers[number].size) {
		buffers[number].size = 2 * n + 64;
		buffers[number].bytes = realloc(p, buffers[number].size);
		p = buffers[number].bytes;
		MUST(p, "the machine has memory for a harness");
	}
	MEMORY_OPEN(p, n);
	MEMORY_CLOSE(p + n, buffers[number].size - n);
	return p;
}

uint8_t *buffer_scratch_copy(enum buffer_number number, const uint8_t *data, size_t n)
{
	uint8_t *p = buffer_scratch(number, n);

	if (n > 0)
		memcpy(p, data, n);
	return p;
}
