/* 7z archives: the checksums of the start header and of the header follow what was changed in them,
 * and the header ends with the file, because nothing of a header is read otherwise. */
#include "mutate/mutate_format.h"
#include "reference/reference_utoc.h"

enum {
	START = 32,
	AT_CRC = 8,
	AT_OFFSET = 12,
	AT_SIZE = 20,
	AT_HEADER_CRC = 28,
	SUMMED = START - AT_OFFSET,
};

static uint32_t crc32_of(const uint8_t *p, uint64_t n)
{
	uint32_t crc = UINT32_MAX;

	for (uint64_t i = 0; i < n; i++) {
		crc ^= p[i];
		for (unsigned bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
	}
	return ~crc;
}

/* The bytes between keep their place; the header is what follows them. */
static void repair(uint8_t *data, size_t size, struct dice *dice)
{
	uint64_t offset, len;

	if (size < START || dice_one_in(dice, 8))
		return;
	offset = reference_read(data + AT_OFFSET, 8);
	len = reference_read(data + AT_SIZE, 8);
	if (offset > size - START || len > size - START - offset || dice_one_in(dice, 4)) {
		if (offset > size - START)
			offset = (size - START) / 2;
		len = size - START - offset;
		reference_write(data + AT_OFFSET, 8, offset);
		reference_write(data + AT_SIZE, 8, len);
	}
	reference_write(data + AT_HEADER_CRC, 4, crc32_of(data + START + offset, len));
	reference_write(data + AT_CRC, 4, crc32_of(data + AT_OFFSET, SUMMED));
}

const struct mutate_format mutate_sevenzip = { .repair = repair };
