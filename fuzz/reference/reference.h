/* Small readers of our own, so that a harness does not rely on what it tests. */
#ifndef UVET_FUZZ_REFERENCE_REFERENCE_H
#define UVET_FUZZ_REFERENCE_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* reference_u32 reads four bytes, little-endian; reference_put_u32 writes them. */
uint64_t reference_u32(const uint8_t *p);
void reference_put_u32(uint8_t *p, uint64_t v);

/* reference_crc is CRC-32/BZIP2, a byte at a time. */
uint32_t reference_crc(const uint8_t *p, uint64_t n);

/* reference_same tells whether n bytes are the same; memcmp would tell a fuzzer of each pair that
 * it might make alike. */
bool reference_same(const void *a, const void *b, size_t n);

/* reference_is_zero tells whether n bytes are all 0. */
bool reference_is_zero(const uint8_t *p, uint64_t n);

/* reference_index reads a compact index and returns its length, 0 if it is cut short or illegal. */
uint64_t reference_index(const uint8_t *p, uint64_t left, int64_t *value);

/* reference_put_index writes one in its shortest form and returns its length. */
unsigned reference_put_index(uint8_t out[5], int64_t value);

#endif
