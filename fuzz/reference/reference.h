/* Small readers of our own, so that a harness does not rely on what it tests. */
#ifndef UVET_FUZZ_SECOND_H
#define UVET_FUZZ_SECOND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* second_u32 reads four bytes, little-endian; second_put_u32 writes them. */
uint64_t second_u32(const uint8_t *p);
void second_put_u32(uint8_t *p, uint64_t v);

/* second_crc is CRC-32/BZIP2, a byte at a time. */
uint32_t second_crc(const uint8_t *p, uint64_t n);

/* second_same tells whether n bytes are the same; memcmp would tell a fuzzer of each pair that it might make alike. */
bool second_same(const void *a, const void *b, size_t n);

/* second_index reads a compact index and returns its length, 0 if it is cut short or illegal. */
uint64_t second_index(const uint8_t *p, uint64_t left, int64_t *value);

/* second_put_index writes one in its shortest form and returns its length. */
unsigned second_put_index(uint8_t out[5], int64_t value);

#endif
