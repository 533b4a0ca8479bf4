/* The records of a zip, each read by itself. */
#include "reference/reference_zip.h"

#include "reference/reference_utoc.h"

uint32_t reference_crc32(const uint8_t *p, uint64_t n)
{
	uint32_t crc = 0xFFFFFFFF;

	for (uint64_t i = 0; i < n; i++) {
		crc ^= p[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
	}
	return ~crc;
}

bool reference_central(const uint8_t *data, uint64_t at, uint64_t end, struct reference_header *out)
{
	enum { FIXED = 46 };
	const uint8_t *p = data + at;

	if (end - at < FIXED || reference_read(p, 4) != REFERENCE_ZIP_CENTRAL)
		return false;
	*out = (struct reference_header){ .at = at,
					  .flags = reference_read(p + 8, 2),
					  .method = reference_read(p + 10, 2),
					  .crc = reference_read(p + 16, 4),
					  .packed = reference_read(p + 20, 4),
					  .size = reference_read(p + 24, 4),
					  .local = reference_read(p + 42, 4),
					  .name = p + FIXED,
					  .name_len = reference_read(p + 28, 2) };
	out->len = FIXED + out->name_len + reference_read(p + 30, 2) + reference_read(p + 32, 2);
	return out->len <= end - at;
}
