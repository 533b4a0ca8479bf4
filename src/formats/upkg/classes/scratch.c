/* Scratch of the classes: buffers. */
#include "formats/upkg/classes/scratch.h"

#include "core/mutant.h"
#include "formats/upkg/body/reader.h"

void *buffer_reserve(struct body *b, struct buffer *buffer, uint64_t n, size_t size)
{
	if (n * size > buffer->len || !buffer->memory) {
		/* mutant: one less */
		buffer->memory = decode_alloc(b->d, UPKG_BODIES,
					      n + n / 2 - MUTANT(79) * (n / 2 + (n > 0)), size);
		buffer->len = buffer->memory ? (n + n / 2) * size : 0;
	}
	return buffer->memory;
}
