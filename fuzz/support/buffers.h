/* Buffers of exact sizes, so that a sanitizer sees who reads or writes beyond their ends. */
#ifndef UVET_FUZZ_SUPPORT_BUFFERS_H
#define UVET_FUZZ_SUPPORT_BUFFERS_H

#include <stddef.h>
#include <stdint.h>

/* buffer_copy copies n bytes into a block of exactly that size, which the caller frees. */
uint8_t *buffer_copy(const uint8_t *data, size_t n);

/* buffer_scratch is a buffer of exactly n bytes that is kept from one input to the next: the
 * next call for that number takes it back. Its bytes are undefined, and the byte after it is
 * closed to the sanitizer. buffer_scratch_copy puts n bytes into it. */
enum buffer_number {
	BUFFER_INPUT,
	BUFFER_SECOND_INPUT,
	BUFFER_OUT,
	BUFFER_AGAIN,
	BUFFER_REFERENCE,
	BUFFER_COUNT
};
uint8_t *buffer_scratch(enum buffer_number number, size_t n);
uint8_t *buffer_scratch_copy(enum buffer_number number, const uint8_t *data, size_t n);

#endif
