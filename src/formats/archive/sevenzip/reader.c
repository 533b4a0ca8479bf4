/* Reading the header of a 7z. */
#include "formats/archive/sevenzip/reader.h"

bool reader_fails_by(struct sevenzip_reader *r, uint32_t defect, uint64_t found, uint64_t wanted)
{
	r->z->defects |= defect;
	r->z->bad_at = cursor_at(&r->c);
	r->z->found = found;
	r->z->wanted = wanted;
	return decode_stop(r->d, r->group, STOP_MALFORMED, r->z->header);
}

bool reader_fails(struct sevenzip_reader *r, uint32_t defect)
{
	return reader_fails_by(r, defect, 0, 0);
}

bool reader_byte(struct sevenzip_reader *r, uint64_t *out)
{
	return cursor_u8(&r->c, out) || reader_fails(r, SEVENZIP_ENDS_EARLY);
}

bool reader_u32(struct sevenzip_reader *r, uint32_t *out)
{
	uint64_t n;

	if (!cursor_u32(&r->c, &n))
		return reader_fails(r, SEVENZIP_ENDS_EARLY);
	*out = (uint32_t)n;
	return true;
}

bool reader_part(struct sevenzip_reader *r, uint64_t n, struct held *out)
{
	return held_take(&r->c, n, out) || reader_fails(r, SEVENZIP_ENDS_EARLY);
}

/* The ones at the top of the first byte say how many bytes follow it, lowest first; what the
 * byte has below them is the highest part of the number. */
bool reader_number(struct sevenzip_reader *r, uint64_t *out)
{
	uint64_t first, n = 0;
	unsigned len = 0;
	struct held rest = { rows_zeros, 0 };

	if (!reader_byte(r, &first))
		return false;
	while (len < 8 && first & 0x80u >> len)
		len++;
	if (!reader_part(r, len, &rest))
		return false;
	for (unsigned i = 0; i < len; i++)
		n |= held_u8(rest, i) << 8 * i;
	if (len < 7)
		n |= (first & (0x7Fu >> len)) << 8 * len;
	*out = n;
	return true;
}

bool reader_count(struct sevenzip_reader *r, uint64_t each, uint64_t *out)
{
	uint64_t most;

	if (!reader_number(r, out))
		return false;
	most = cursor_left(&r->c) / each;
	if (*out > most)
		return reader_fails_by(r, SEVENZIP_COUNT, *out, most);
	if (*out > r->d->limits->of[LIMIT_entries] || *out >= UINT32_MAX)
		return decode_stop_limit(r->d, r->group, LIMIT_entries, r->z->header);
	return decode_spend(r->d, r->group, *out);
}

bool reader_bits(struct sevenzip_reader *r, uint64_t n, struct held *out)
{
	return reader_part(r, n / 8 + (n % 8 != 0), out);
}

bool reader_all_or_bits(struct sevenzip_reader *r, uint64_t n, struct sevenzip_bits *out)
{
	uint64_t all;

	*out = (struct sevenzip_bits){ .bits = { rows_zeros, 0 } };
	if (!reader_byte(r, &all))
		return false;
	out->all = all != 0;
	return out->all || reader_bits(r, n, &out->bits);
}

bool reader_skip(struct sevenzip_reader *r)
{
	struct held passed;
	uint64_t len;

	if (!reader_number(r, &len))
		return false;
	if (len > cursor_left(&r->c))
		return reader_fails(r, SEVENZIP_UNKNOWN_ID);
	return reader_part(r, len, &passed);
}
