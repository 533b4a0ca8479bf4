/* Containers: rows are inserted and removed, and seven times in eight what depends on them is
 * updated. */
#include <string.h>

#include "mutate/mutate_format.h"
#include "mutate/mutate_utoc_hash.h"
#include "support/tokens.h"

enum { GROWN_MAX = 128 };

/* ---- The header ------------------------------------------------------------------------------ */

static uint64_t interesting(struct toc_work *w, uint64_t old)
{
	static const uint64_t numbers[] = { 0,        1,          2,          3,
					    15,       16,         17,         255,
					    256,      0x7FFF,     0xFFFF,     65536,
					    0xFFFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF };

	switch (dice_below(w->dice, 5)) {
	case 0:
		return numbers[dice_below(w->dice, sizeof numbers / sizeof *numbers)];
	case 1:
		return old + 1 + dice_below(w->dice, 16);
	case 2:
		return old - 1 - dice_below(w->dice, 16);
	case 3:
		return old ^ (uint64_t)1 << dice_below(w->dice, 32);
	default:
		return dice_below(w->dice, w->t.n_chunks + w->t.n_blocks + 4);
	}
}

/* Changes a count, and mostly the number of rows with it. */
static void change_count(struct toc_work *w)
{
	enum counted_rows c = (enum counted_rows)dice_below(w->dice, N_COUNTED);
	uint64_t n = interesting(w, toc_n_rows(w, c)) & 0xFFFFFFFF;

	if (dice_mostly(w->dice))
		toc_resize_rows(w, c, n);
	else
		toc_put_count(w, c, n);
}

/* Metas have another length from version 8 on, and old versions have no seeds. */
static void change_version(struct toc_work *w)
{
	uint64_t version = dice_one_in(w->dice, 16) ? dice_below(w->dice, 256)
						    : 1 + dice_below(w->dice, 10);
	uint64_t n = w->t.n_chunks;
	bool was_short = w->t.version >= 8, is_short = version >= 8;

	if (version < 5 && dice_mostly(w->dice))
		toc_resize_rows(w, OVERFLOW_ROWS, 0);
	if (version < 4 && dice_mostly(w->dice) && toc_reread(w))
		toc_resize_rows(w, SEED_ROWS, 0);
	if (toc_reread(w) && was_short != is_short && dice_mostly(w->dice)) {
		const uint64_t at = w->t.part[REFERENCE_METAS].at;

		for (uint64_t i = n; i > 0; i--) {
			uint64_t row = at + (i - 1) * (was_short ? 24 : 33);
			uint8_t meta[33] = { 0 };

			memcpy(meta, w->data + row, 20);
			meta[is_short ? 20 : 32] = w->data[row + (was_short ? 20 : 32)];
			(void)toc_splice(w, row, was_short ? 24 : 33, meta, is_short ? 24 : 33);
		}
	}
	w->data[AT_VERSION] = (uint8_t)version;
}

/* Makes a signed container unsigned, or the reverse: its signatures are removed or inserted. */
static void toggle_signed(struct toc_work *w)
{
	uint64_t at = w->t.part[REFERENCE_SIGNATURES].at, len = dice_one_in(w->dice, 2) ? 8 : 256;

	if (w->t.flags & 4) {
		(void)toc_splice(w, at, w->t.part[REFERENCE_SIGNATURES].row, NULL, 0);
	} else if (toc_splice(w, at, 0, NULL, 4 + 2 * len + 20 * w->t.n_blocks)) {
		toc_put_u32(w, (unsigned)at, len);
	}
	w->data[AT_FLAGS] ^= 4;
}

static void change_header(struct toc_work *w)
{
	static const unsigned fields[] = {
		AT_BLOCK_SIZE, AT_N_PARTITIONS, AT_DIRECTORY_LEN, AT_NAME_LEN, 20, 32, 100, 104, 64
	};
	unsigned at = fields[dice_below(w->dice, sizeof fields / sizeof *fields)];

	switch (dice_below(w->dice, 8)) {
	case 0:
	case 1:
		change_count(w);
		break;
	case 2:
		change_version(w);
		break;
	case 3:
		toggle_signed(w);
		break;
	case 4:
		w->data[AT_FLAGS] ^= (uint8_t)(1u << dice_below(w->dice, 8));
		break;
	case 5:
		reference_write(w->data + AT_PARTITION_LEN, 8,
				dice_one_in(w->dice, 2) ? UINT64_MAX
							: 16 * dice_below(w->dice, 256));
		break;
	case 6:
		toc_put_u32(w, AT_BLOCK_SIZE, (uint64_t)1 << dice_below(w->dice, 25));
		break;
	default:
		toc_put_u32(w, at, interesting(w, reference_read(w->data + at, 4)));
		break;
	}
}

/* ---- Chunks and blocks ----------------------------------------------------------------------- */

/* Places each block after the one before it, from block i on. */
static void chain_blocks(struct toc_work *w, uint64_t i)
{
	for (i = i > 0 ? i : 1; i < w->t.n_blocks; i++) {
		struct reference_block before = reference_block(&w->t, i - 1),
				       b = reference_block(&w->t, i);

		b.offset = before.offset + (before.compressed + 15) / 16 * 16;
		reference_put_block(w->data + b.at, &b);
	}
}

static void change_block(struct toc_work *w)
{
	uint64_t i = dice_below(w->dice, w->t.n_blocks);
	struct reference_block b = reference_block(&w->t, i);
	bool raw = b.method == 0 && b.compressed == b.uncompressed;

	switch (dice_below(w->dice, 6)) {
	case 0:
		b.offset = dice_one_in(w->dice, 2) ? b.offset + 16 * dice_below(w->dice, 4)
						   : interesting(w, b.offset);
		break;
	case 1:
		b.compressed = interesting(w, b.compressed);
		break;
	case 2:
		b.uncompressed = interesting(w, b.uncompressed);
		break;
	case 3:
		b.method = dice_below(w->dice, w->t.n_methods + 2);
		break;
	case 4:
		b.method = interesting(w, b.method);
		break;
	default:
		b.uncompressed = w->t.block_size;
		break;
	}
	if (raw && b.method == 0 && dice_mostly(w->dice))
		b.compressed = b.uncompressed;
	reference_put_block(w->data + b.at, &b);
	if (dice_mostly(w->dice))
		chain_blocks(w, i + 1);
}

/* One chunk gets many blocks of its own, as a large file has; all are full, and stored as they
 * are. */
static void grow_chunk(struct toc_work *w)
{
	const uint64_t n = w->t.n_blocks, more = 1 + dice_below(w->dice, GROWN_MAX),
		       at = w->t.part[REFERENCE_BLOCKS].at;
	uint8_t *row;

	if (dice_mostly(w->dice))
		toc_sign_blocks(w, (int64_t)more);
	if (!toc_splice(w, at + 12 * n, 0, NULL, 12 * more))
		return;
	toc_put_u32(w, AT_N_BLOCKS, n + more);
	if (!toc_reread(w) || w->t.block_size > UINT32_MAX >> 8)
		return;
	for (uint64_t i = n; i < n + more; i++) {
		struct reference_block b = reference_block(&w->t, i);

		b.compressed = b.uncompressed = w->t.block_size;
		reference_put_block(w->data + b.at, &b);
	}
	chain_blocks(w, n);
	row = w->data + w->t.part[REFERENCE_RANGES].at + 10 * dice_below(w->dice, w->t.n_chunks);
	reference_write_be(row, 5, w->t.block_size * n);
	reference_write_be(row + 5, 5, w->t.block_size * more - (dice_mostly(w->dice) ? 0 : 1));
}

static void change_range(struct toc_work *w)
{
	uint64_t i = dice_below(w->dice, w->t.n_chunks), j = dice_below(w->dice, w->t.n_chunks);
	uint8_t *row = w->data + w->t.part[REFERENCE_RANGES].at + 10 * i;

	switch (dice_below(w->dice, 5)) {
	case 0:
		reference_write_be(row, 5,
				   w->t.block_size * dice_below(w->dice, w->t.n_blocks + 2));
		break;
	case 1:
		reference_write_be(row, 5, interesting(w, reference_offset(&w->t, i)));
		break;
	case 2:
		reference_write_be(row + 5, 5, interesting(w, reference_length(&w->t, i)));
		break;
	case 3:
		reference_write_be(row + 5, 5, w->t.block_size * dice_below(w->dice, 4));
		break;
	default:
		reference_write_be(row, 5, reference_offset(&w->t, j) + reference_length(&w->t, j));
		break;
	}
}

static void change_id(struct toc_work *w)
{
	uint64_t i = dice_below(w->dice, w->t.n_chunks), j = dice_below(w->dice, w->t.n_chunks);
	uint8_t *row = w->data + w->t.part[REFERENCE_IDS].at + 12 * i;

	switch (dice_below(w->dice, 5)) {
	case 0:
		row[11] = (uint8_t)dice_below(w->dice, 16);
		break;
	case 1:
		memcpy(row, w->data + AT_CONTAINER, 8);
		break;
	case 2:
		row[8 + dice_below(w->dice, 3)] = (uint8_t)dice_below(w->dice, 3);
		break;
	case 3:
		memmove(row, w->data + w->t.part[REFERENCE_IDS].at + 12 * j,
			dice_one_in(w->dice, 2) ? 12 : 8);
		break;
	default:
		memset(row, dice_one_in(w->dice, 2) ? 0 : 0xFF,
		       1 + (size_t)dice_below(w->dice, 12));
		break;
	}
}

static void change_meta(struct toc_work *w)
{
	uint8_t *row = w->data + w->t.part[REFERENCE_METAS].at +
		       w->t.part[REFERENCE_METAS].row * dice_below(w->dice, w->t.n_chunks);

	if (dice_one_in(w->dice, 2))
		row[w->t.version >= 8 ? 20 : 32] ^=
			(uint8_t)(1u << dice_below(w->dice, dice_one_in(w->dice, 4) ? 8 : 2));
	else
		row[dice_below(w->dice, w->t.part[REFERENCE_METAS].row)] ^=
			(uint8_t)(1u << dice_below(w->dice, 8));
}

static void change_method(struct toc_work *w)
{
	static const char *const names[] = { "Zlib", "Gzip", "LZ4", "Oodle", "Zstd",
					     "zLIB", "None", "",    "Bogus", "LZMA" };
	const char *name = names[dice_below(w->dice, sizeof names / sizeof *names)];
	uint64_t len = w->t.name_len;
	uint8_t *row = w->data + w->t.part[REFERENCE_METHODS].at +
		       len * dice_below(w->dice, w->t.n_methods);

	if (len <= strlen(name))
		return;
	memset(row, dice_mostly(w->dice) ? 0 : 'a', len);
	memcpy(row, name, strlen(name) + dice_mostly(w->dice));
}

/* ---- The directory --------------------------------------------------------------------------- */

/* Changes its bytes, which are numbers of four bytes and texts. Its length follows mostly. */
static void change_directory(struct toc_work *w)
{
	static const uint64_t numbers[] = { 0,          1,          2,          0xFFFFFFFF,
					    0xFFFFFFFE, 0x80000000, 0x7FFFFFFF, 256 };
	uint64_t at = w->t.part[REFERENCE_DIRECTORY].at, len = w->t.part[REFERENCE_DIRECTORY].row,
		 i = dice_below(w->dice, len);
	const struct token *k = &path_tokens[dice_below(w->dice, TOKENS(path_tokens))];
	uint64_t mount = len >= 4 ? reference_read(w->data + at, 4) : 0, n = 0, m = 0;

	/* numbers stand at multiples of four after the mount point */
	if (mount < len && i > mount)
		i = mount + (i - mount) / 4 * 4;
	switch (dice_below(w->dice, 6)) {
	case 0:
	case 1:
		if (i + 4 <= len)
			reference_write(
				w->data + at + i, 4,
				numbers[dice_below(w->dice, sizeof numbers / sizeof *numbers)]);
		return;
	case 2:
		if (i + 4 <= len)
			reference_write(w->data + at + i, 4,
					reference_read(w->data + at + i, 4) +
						dice_below(w->dice, 5) - 2);
		return;
	case 3:
		n = len - i < 16 ? len - i : 4 * (1 + dice_below(w->dice, 4));
		break;
	case 4:
		m = 4 * (1 + dice_below(w->dice, 4));
		break;
	default:
		m = k->n;
		break;
	}
	if (toc_splice(w, at + i, n, m == k->n ? (const uint8_t *)k->bytes : NULL, m) &&
	    dice_mostly(w->dice))
		toc_put_u32(w, AT_DIRECTORY_LEN, len - n + m);
}

/* ---- All of it ------------------------------------------------------------------------------- */

static void change_once(struct toc_work *w)
{
	uint64_t kind = dice_below(w->dice, 16);

	if (kind < 3 && dice_one_in(w->dice, 8) && w->t.n_chunks > 0 && w->t.block_size > 0)
		grow_chunk(w);
	else if (kind < 3)
		toc_change_rows(w);
	else if (kind < 6)
		change_header(w);
	else if (kind < 8 && w->t.n_blocks > 0)
		change_block(w);
	else if (kind < 10 && w->t.n_chunks > 0 && w->t.block_size > 0)
		change_range(w);
	else if (kind < 11 && w->t.n_chunks > 0)
		change_id(w);
	else if (kind < 12 && w->t.n_chunks > 0)
		change_meta(w);
	else if (kind < 14 && w->t.part[REFERENCE_DIRECTORY].row > 0)
		change_directory(w);
	else if (kind < 15 && w->t.n_methods > 0)
		change_method(w);
	else
		toc_change_hash(w);
}

static size_t change_toc(uint8_t *data, size_t size, size_t max, struct dice *dice,
			 mutate_blind *blind)
{
	struct toc_work w = { .data = data, .size = size, .max = max, .dice = dice };
	uint64_t times = 1 + dice_below(dice, 3), n_seeds;

	if (!toc_reread(&w))
		return mutate_blindly(data, size, max, dice, blind);
	n_seeds = w.t.n_seeds;
	while (times-- > 0 && toc_reread(&w))
		change_once(&w);
	if (n_seeds > 0 && dice_mostly(w.dice) && toc_reread(&w))
		toc_build_hash(&w, false);
	return w.size;
}

const struct mutate_format mutate_utoc = { .has_companions = true, .rows = change_toc };
