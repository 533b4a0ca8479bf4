/* CityHash64, version 1.1, by which the engine names packages, exports and containers.
 * Source: Geoff Pike and Jyrki Alakuijala, "CityHash", Google, 2011 (MIT licence). */
#ifndef UVET_CODEC_CITYHASH_H
#define UVET_CODEC_CITYHASH_H

#include <stdint.h>

/* cityhash64 hashes n bytes: of UTF-16LE, two for each unit. */
uint64_t cityhash64(const uint8_t *bytes, uint64_t n);

/* cityhash64_wide is cityhash64 of the 2 * n bytes that n characters of Latin-1 take in UTF-16LE;
 * nothing is copied. */
uint64_t cityhash64_wide(const uint8_t *latin, uint64_t n);

/* These lower the letters of ASCII on the way, eight bytes at a time: cityhash64_lower hashes n
 * bytes, cityhash64_lower_units n units of UTF-16LE, cityhash64_lower_wide n characters of Latin-1
 * as cityhash64_wide does. */
uint64_t cityhash64_lower(const uint8_t *bytes, uint64_t n);
uint64_t cityhash64_lower_units(const uint8_t *units, uint64_t n);
uint64_t cityhash64_lower_wide(const uint8_t *latin, uint64_t n);

#endif
