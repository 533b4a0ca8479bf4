/* Archives of rar: the checksums of headers follow what was changed in them, because decoders judge
 * little after a header whose checksum is wrong. */
#include "mutate/mutate_format.h"
#include "reference/reference_utoc.h"

enum {
	RAR4_START = 7,
	RAR4_HEADER = 7, /* checksum, type, flags, length */
	RAR5_START = 8,
	RAR5_CRC = 4,
	VERSION_AT = 6, /* in the signature: 0 rar 4, 1 rar 5 */
	HAS_DATA = 0x8000,
	ARCHIVE = 0x73,
	ARCHIVE_SUMMED = 13 /* bytes of the header of an archive with a comment */
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

static void repair_rar4(uint8_t *data, uint64_t size)
{
	uint64_t at = RAR4_START;

	while (size - at >= RAR4_HEADER) {
		uint8_t *p = data + at;
		const uint64_t type = p[2], flags = reference_read(p + 3, 2),
			       len = reference_read(p + 5, 2), left = size - at;
		const bool is_short = type == ARCHIVE && flags & 2;
		const uint64_t summed = is_short && len > ARCHIVE_SUMMED ? ARCHIVE_SUMMED : len;
		uint64_t next = len;

		if (len < RAR4_HEADER || len > left)
			return;
		reference_write(p, 2, crc32_of(p + 2, summed - 2) & 0xFFFF);
		if (flags & HAS_DATA && len >= RAR4_HEADER + 4)
			next += reference_read(p + RAR4_HEADER, 4);
		if (next > left)
			return;
		at += next;
	}
}

/* A vint of at most ten bytes; false: it does not end. */
static bool take_vint(const uint8_t *data, uint64_t end, uint64_t *at, uint64_t *out)
{
	*out = 0;
	for (unsigned shift = 0; shift < 63 && *at < end; shift += 7) {
		const uint64_t byte = data[(*at)++];

		*out |= (byte & 0x7F) << shift;
		if (byte < 0x80)
			return true;
	}
	return false;
}

static void repair_rar5(uint8_t *data, uint64_t size)
{
	uint64_t at = RAR5_START;

	while (size - at > RAR5_CRC) {
		uint64_t c = at + RAR5_CRC, len, type, flags, extra = 0, packed = 0, end;

		if (!take_vint(data, size, &c, &len) || len > size - c)
			return;
		end = c + len;
		reference_write(data + at, 4, crc32_of(data + at + RAR5_CRC, end - at - RAR5_CRC));
		if (!take_vint(data, end, &c, &type) || !take_vint(data, end, &c, &flags) ||
		    (flags & 1 && !take_vint(data, end, &c, &extra)) ||
		    (flags & 2 && !take_vint(data, end, &c, &packed)) || packed > size - end)
			return;
		at = end + packed;
	}
}

static void repair(uint8_t *data, size_t size, struct dice *dice)
{
	if (size <= RAR5_START || dice_one_in(dice, 8))
		return;
	if (data[VERSION_AT] == 0)
		repair_rar4(data, size);
	else
		repair_rar5(data, size);
}

const struct mutate_format mutate_rar = { .repair = repair };
