/* A reference reading of the records of a zip, from conformance/spec/zip.md. */
#ifndef UVET_FUZZ_REFERENCE_REFERENCE_ZIP_H
#define UVET_FUZZ_REFERENCE_REFERENCE_ZIP_H

#include <stdbool.h>
#include <stdint.h>

#define REFERENCE_ZIP_LOCAL 0x04034B50u
#define REFERENCE_ZIP_CENTRAL 0x02014B50u
#define REFERENCE_ZIP_END 0x06054B50u

/* reference_crc32 is CRC-32 of n bytes, a bit at a time. */
uint32_t reference_crc32(const uint8_t *p, uint64_t n);

/* A reference_header is a central header as it stands, and how long it is with all that follows. */
struct reference_header {
	uint64_t at, len, flags, method, crc, packed, size, local;
	const uint8_t *name;
	uint64_t name_len;
};

/* reference_central reads the central header at a place, which has to end before `end`. */
bool reference_central(const uint8_t *data, uint64_t at, uint64_t end,
		       struct reference_header *out);

#endif
