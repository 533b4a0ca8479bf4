/* Inputs that are several files: one of them is changed, and its length in the header and its
 * hashes are updated. */
#include "mutate/mutate_bundle.h"

#include <string.h>

#include "inputs/bundle.h"
#include "mutate/mutate.h"
#include "mutate/mutate_formats.h"
#include "reference/reference_digest.h"
#include "reference/reference_utoc.h"

/* The bytes of a chunk that are stored as they are, if all of them are there; 0: they are not. */
static size_t stored_bytes(const struct reference_toc *t, const struct bundle *s,
			   const uint8_t *data, uint64_t chunk, uint8_t *out, size_t room)
{
	uint64_t n_blocks, first = reference_blocks_of(t, chunk, &n_blocks),
			   length = reference_length(t, chunk), n = 0;

	if (first + n_blocks > t->n_blocks || length > room)
		return 0;
	for (uint64_t i = first; i < first + n_blocks; i++) {
		struct reference_block b = reference_block(t, i);
		uint64_t partition = b.offset / t->partition_len, at = b.offset % t->partition_len,
			 len = b.uncompressed;

		if (b.method != 0 || partition > 2 || at > s->part[BUNDLE_CAS + partition].len)
			return 0;
		if (len > s->part[BUNDLE_CAS + partition].len - at || n + len > room)
			return 0;
		memcpy(out + n, data + s->part[BUNDLE_CAS + partition].at + at, len);
		n += len;
	}
	return n >= length ? (size_t)length : 0;
}

static void repair_hashes(uint8_t *data, size_t size)
{
	static uint8_t bytes[1 << 16];
	struct bundle s = bundle_read(data, size);
	struct reference_toc t;

	if (!reference_toc_read(&t, data + s.part[BUNDLE_TOC].at, s.part[BUNDLE_TOC].len) ||
	    !t.whole || t.flags & 2)
		return;
	if (t.block_size == 0 || t.partition_len == 0)
		return;
	for (uint64_t i = 0; i < t.n_chunks && i < 64; i++) {
		size_t n = stored_bytes(&t, &s, data, i, bytes, sizeof bytes);
		uint8_t *hash = data + s.part[BUNDLE_TOC].at +
				(reference_row(&t, REFERENCE_METAS, i) - t.data);

		if (n > 0 && t.version <= 3)
			reference_sha1(bytes, n, hash);
		else if (n > 0)
			reference_blake3(bytes, n, hash);
	}
}

static size_t change_bytes(uint8_t *data, size_t size, size_t max, struct dice *dice,
			   mutate_blind *blind)
{
	size_t n = (size_t)dice_below(dice, size + 1);

	switch (dice_below(dice, 4)) {
	case 0:
		return size - n < size && size < 64 ? size - n : size - n % 64;
	case 1:
		n = n % 64 < max - size ? n % 64 : max - size;
		memset(data + size, dice_one_in(dice, 2) ? 0 : 0xAA, n);
		return size + n;
	case 2:
		if (size > 0)
			data[dice_below(dice, size)] ^= (uint8_t)(1u << dice_below(dice, 8));
		return size;
	default:
		return mutate_blindly(data, size, max, dice, size > 0 ? blind : NULL);
	}
}

/* Changes one file of the input, and its length in the header. */
static size_t change_part(const struct format *f, uint8_t *data, size_t size, size_t max,
			  enum bundle_part part, struct dice *dice, mutate_blind *blind)
{
	static uint8_t bytes[1 << 16];
	struct bundle s = bundle_read(data, size);
	size_t at = s.part[part].at, len = s.part[part].len, end = at + len,
	       room = max - size + len, n;

	if (len > sizeof bytes)
		return size;
	if (room > sizeof bytes)
		room = sizeof bytes;
	memcpy(bytes, data + at, len);
	if (part == BUNDLE_TOC)
		n = mutate_input(f, bytes, len, room, dice_roll(dice), blind);
	else
		n = change_bytes(bytes, len, room, dice, blind);
	memmove(data + at + n, data + end, size - end);
	memcpy(data + at, bytes, n);
	bundle_set_len(data, part, n);
	return size - len + n;
}

size_t mutate_bundle(const struct format *f, uint8_t *data, size_t size, size_t max, uint64_t seed,
		     mutate_blind *blind)
{
	struct dice dice = { seed };
	uint64_t kind = dice_below(&dice, 16);
	const bool repair = !dice_one_in(&dice, 4),
		   has_companions = mutate_format(f)->has_companions;

	if (size < BUNDLE_HEADER || size > max || kind == 0)
		return mutate_blindly(data, size, max, &dice, blind);
	if (kind == 1 && data[0] & BUNDLE_KEY && size >= BUNDLE_HEADER + BUNDLE_KEY_LEN &&
	    dice_one_in(&dice, 2))
		data[BUNDLE_HEADER + dice_below(&dice, BUNDLE_KEY_LEN)] ^=
			(uint8_t)(1u << dice_below(&dice, 8));
	else if (kind == 1)
		data[dice_below(&dice, 3)] ^= (uint8_t)(1u << dice_below(&dice, 5));
	else if (kind < 5 && has_companions)
		size = change_part(
			f, data, size, max,
			(enum bundle_part)(BUNDLE_CAS +
					   (dice_one_in(&dice, 2) ? 0 : dice_below(&dice, 4))),
			&dice, blind);
	else
		size = change_part(f, data, size, max, BUNDLE_TOC, &dice, blind);
	if (repair && has_companions)
		repair_hashes(data, size);
	return size;
}
