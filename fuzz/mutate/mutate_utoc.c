/* Containers: rows come and go, and what depends on them is made right again seven times in
 * eight. */
#include <string.h>

#include "mutate/mutate_format.h"
#include "reference/reference_utoc.h"
#include "support/tokens.h"

/* A toc in the making. */
struct toc_work {
	uint8_t *data;
	size_t size, max;
	struct dice *dice;
	struct reference_toc t;
};

enum { ROWS_MAX = 64, ROW_MAX = 64, GROWN_MAX = 128 };

static bool mostly(struct toc_work *w)
{
	return !dice_one_in(w->dice, 8);
}

/* Replaces n bytes at `at` by m others, or by zeros; false: there is no room, and nothing
 * changed. */
static bool splice(struct toc_work *w, uint64_t at, uint64_t n, const void *bytes, uint64_t m)
{
	if (at > w->size || n > w->size - at || m > w->max - (w->size - n))
		return false;
	memmove(w->data + at + m, w->data + at + n, w->size - at - n);
	if (bytes)
		memcpy(w->data + at, bytes, m);
	else
		memset(w->data + at, 0, m);
	w->size = w->size - n + m;
	return true;
}

static bool reread(struct toc_work *w)
{
	return reference_toc_read(&w->t, w->data, w->size) && w->t.whole;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Which parts have a row for each of what a number of the header counts, the last of them first. */
static const struct counted {
	unsigned at;
	enum reference_part parts[3];
	unsigned n_parts;
} counted[] = {
	{ AT_N_CHUNKS, { REFERENCE_METAS, REFERENCE_RANGES, REFERENCE_IDS }, 3 },
	{ AT_N_BLOCKS, { REFERENCE_BLOCKS }, 1 },
	{ AT_N_SEEDS, { REFERENCE_SEEDS }, 1 },
	{ AT_N_OVERFLOW, { REFERENCE_OVERFLOW }, 1 },
	{ AT_N_METHODS, { REFERENCE_METHODS }, 1 },
};

enum counted_rows { CHUNK_ROWS, BLOCK_ROWS, SEED_ROWS, OVERFLOW_ROWS, METHOD_ROWS, N_COUNTED };

static uint64_t n_rows(const struct toc_work *w, enum counted_rows c)
{
	return w->t.part[counted[c].parts[0]].n;
}

static void set_u32(struct toc_work *w, unsigned at, uint64_t v)
{
	reference_write(w->data + at, 4, v);
}

/* A signed container has a hash for each block. */
static void follow_signatures(struct toc_work *w, int64_t blocks)
{
	uint64_t end = w->t.part[REFERENCE_DIRECTORY].at;

	if (!(w->t.flags & 4) || blocks == 0)
		return;
	if (blocks > 0)
		(void)splice(w, end, 0, NULL, 20 * (uint64_t)blocks);
	else if (20 * (uint64_t)-blocks <= w->t.part[REFERENCE_SIGNATURES].row)
		(void)splice(w, end - 20 * (uint64_t)-blocks, 20 * (uint64_t)-blocks, NULL, 0);
}

/* Puts a row like row `from`, or of zeros, before row i into each part, and counts it. */
static void add_row(struct toc_work *w, enum counted_rows c, uint64_t i, const uint64_t *from)
{
	uint8_t row[ROW_MAX];

	if (c == BLOCK_ROWS && mostly(w))
		follow_signatures(w, 1);
	for (unsigned k = 0; k < counted[c].n_parts; k++) {
		enum reference_part part = counted[c].parts[k];
		uint64_t len = w->t.part[part].row;

		if (len > sizeof row)
			return;
		if (from)
			memcpy(row, reference_row(&w->t, part, *from), len);
		if (!splice(w, w->t.part[part].at + i * len, 0, from ? row : NULL, len))
			return;
	}
	if (mostly(w))
		set_u32(w, counted[c].at, n_rows(w, c) + 1);
}

static void drop_row(struct toc_work *w, enum counted_rows c, uint64_t i)
{
	if (c == BLOCK_ROWS && mostly(w))
		follow_signatures(w, -1);
	for (unsigned k = 0; k < counted[c].n_parts; k++) {
		enum reference_part part = counted[c].parts[k];

		(void)splice(w, w->t.part[part].at + i * w->t.part[part].row, w->t.part[part].row,
			     NULL, 0);
	}
	if (mostly(w))
		set_u32(w, counted[c].at, n_rows(w, c) - 1);
}

/* Two rows change places: in all parts, or now and then in one. */
static void swap_rows(struct toc_work *w, enum counted_rows c, uint64_t i, uint64_t j)
{
	uint8_t row[ROW_MAX];
	unsigned n = mostly(w) ? counted[c].n_parts : 1;

	for (unsigned k = 0; k < n; k++) {
		enum reference_part part = counted[c].parts[k];
		uint64_t len = w->t.part[part].row;
		uint8_t *a = w->data + w->t.part[part].at + i * len,
			*b = w->data + w->t.part[part].at + j * len;

		if (len > sizeof row)
			return;
		memcpy(row, a, len);
		memmove(a, b, len);
		memcpy(b, row, len);
	}
}

/* So many rows, by taking or adding some at the end; the header says so. */
static void resize_rows(struct toc_work *w, enum counted_rows c, uint64_t n)
{
	uint64_t old = n_rows(w, c);

	if (n > old + ROWS_MAX || old > n + ROWS_MAX)
		return;
	for (unsigned k = 0; k < counted[c].n_parts; k++) {
		enum reference_part part = counted[c].parts[k];
		uint64_t at = w->t.part[part].at, len = w->t.part[part].row;

		if (n > old ? !splice(w, at + old * len, 0, NULL, (n - old) * len)
			    : !splice(w, at + n * len, (old - n) * len, NULL, 0))
			return;
	}
	set_u32(w, counted[c].at, n);
}

static void change_rows(struct toc_work *w)
{
	enum counted_rows c = dice_one_in(w->dice, 2)
				      ? (enum counted_rows)dice_below(w->dice, 2)
				      : (enum counted_rows)dice_below(w->dice, N_COUNTED);
	uint64_t n = n_rows(w, c), i, j;

	if (n == 0) {
		resize_rows(w, c, 1 + dice_below(w->dice, 3));
		return;
	}
	i = dice_below(w->dice, n);
	j = dice_below(w->dice, n);
	switch (dice_below(w->dice, 4)) {
	case 0:
		drop_row(w, c, i);
		break;
	case 1:
		swap_rows(w, c, i, j);
		break;
	default:
		add_row(w, c, i, dice_one_in(w->dice, 8) ? NULL : &j);
		break;
	}
}

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

/* A count is changed, and most times so many rows are there then. */
static void change_count(struct toc_work *w)
{
	enum counted_rows c = (enum counted_rows)dice_below(w->dice, N_COUNTED);
	uint64_t n = interesting(w, n_rows(w, c)) & 0xFFFFFFFF;

	if (mostly(w))
		resize_rows(w, c, n);
	else
		set_u32(w, counted[c].at, n);
}

/* Metas have another length from version 8 on, and there is no room for seeds in the old ones. */
static void change_version(struct toc_work *w)
{
	uint64_t version = dice_one_in(w->dice, 16) ? dice_below(w->dice, 256)
						    : 1 + dice_below(w->dice, 10);
	uint64_t n = w->t.n_chunks;
	bool was_short = w->t.version >= 8, is_short = version >= 8;

	if (version < 5 && mostly(w))
		resize_rows(w, OVERFLOW_ROWS, 0);
	if (version < 4 && mostly(w) && reread(w))
		resize_rows(w, SEED_ROWS, 0);
	if (reread(w) && was_short != is_short && mostly(w)) {
		const uint64_t at = w->t.part[REFERENCE_METAS].at;

		for (uint64_t i = n; i > 0; i--) {
			uint64_t row = at + (i - 1) * (was_short ? 24 : 33);
			uint8_t meta[33] = { 0 };

			memcpy(meta, w->data + row, 20);
			meta[is_short ? 20 : 32] = w->data[row + (was_short ? 20 : 32)];
			(void)splice(w, row, was_short ? 24 : 33, meta, is_short ? 24 : 33);
		}
	}
	w->data[AT_VERSION] = (uint8_t)version;
}

/* Signed or not: the signatures come or go. */
static void toggle_signed(struct toc_work *w)
{
	uint64_t at = w->t.part[REFERENCE_SIGNATURES].at, len = dice_one_in(w->dice, 2) ? 8 : 256;

	if (w->t.flags & 4) {
		(void)splice(w, at, w->t.part[REFERENCE_SIGNATURES].row, NULL, 0);
	} else if (splice(w, at, 0, NULL, 4 + 2 * len + 20 * w->t.n_blocks)) {
		set_u32(w, (unsigned)at, len);
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
		set_u32(w, AT_BLOCK_SIZE, (uint64_t)1 << dice_below(w->dice, 25));
		break;
	default:
		set_u32(w, at, interesting(w, reference_read(w->data + at, 4)));
		break;
	}
}

/* ---- Chunks and blocks ----------------------------------------------------------------------- */

/* Each block stands behind the one before, from block i on. */
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
	if (raw && b.method == 0 && mostly(w))
		b.compressed = b.uncompressed;
	reference_put_block(w->data + b.at, &b);
	if (mostly(w))
		chain_blocks(w, i + 1);
}

/* One chunk gets many blocks of its own, as a large file has; all are full, and stored as they
 * are. */
static void grow_chunk(struct toc_work *w)
{
	const uint64_t n = w->t.n_blocks, more = 1 + dice_below(w->dice, GROWN_MAX),
		       at = w->t.part[REFERENCE_BLOCKS].at;
	uint8_t *row;

	if (mostly(w))
		follow_signatures(w, (int64_t)more);
	if (!splice(w, at + 12 * n, 0, NULL, 12 * more))
		return;
	set_u32(w, AT_N_BLOCKS, n + more);
	if (!reread(w) || w->t.block_size > UINT32_MAX >> 8)
		return;
	for (uint64_t i = n; i < n + more; i++) {
		struct reference_block b = reference_block(&w->t, i);

		b.compressed = b.uncompressed = w->t.block_size;
		reference_put_block(w->data + b.at, &b);
	}
	chain_blocks(w, n);
	row = w->data + w->t.part[REFERENCE_RANGES].at + 10 * dice_below(w->dice, w->t.n_chunks);
	reference_write_be(row, 5, w->t.block_size * n);
	reference_write_be(row + 5, 5, w->t.block_size * more - (mostly(w) ? 0 : 1));
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
	memset(row, mostly(w) ? 0 : 'a', len);
	memcpy(row, name, strlen(name) + mostly(w));
}

/* ---- The directory --------------------------------------------------------------------------- */

/* Its bytes are numbers of four bytes and texts; what is put in or taken out is counted. */
static void change_directory(struct toc_work *w)
{
	static const uint64_t numbers[] = { 0,          1,          2,          0xFFFFFFFF,
					    0xFFFFFFFE, 0x80000000, 0x7FFFFFFF, 256 };
	uint64_t at = w->t.part[REFERENCE_DIRECTORY].at, len = w->t.part[REFERENCE_DIRECTORY].row,
		 i = dice_below(w->dice, len);
	const struct token *k = &path_tokens[dice_below(w->dice, TOKENS(path_tokens))];
	uint64_t mount = len >= 4 ? reference_read(w->data + at, 4) : 0, n = 0, m = 0;

	/* numbers stand on a multiple of four behind the mount point */
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
	if (splice(w, at + i, n, m == k->n ? (const uint8_t *)k->bytes : NULL, m) && mostly(w))
		set_u32(w, AT_DIRECTORY_LEN, len - n + m);
}

/* ---- The perfect hash ------------------------------------------------------------------------ */

/* A seed that leads an id to its slot: a small one if there is one, else the slot itself. */
static uint64_t seed_for(const struct reference_toc *t, uint64_t chunk)
{
	for (int64_t seed = 1; seed <= 32; seed++)
		if (reference_hash(seed, reference_row(t, REFERENCE_IDS, chunk)) % t->n_chunks ==
		    chunk)
			return (uint64_t)seed;
	return ~chunk;
}

static uint64_t bucket_of(const struct reference_toc *t, uint64_t chunk)
{
	return reference_hash(0, reference_row(t, REFERENCE_IDS, chunk)) % t->n_seeds;
}

/* How many chunks share a bucket with others; the slots of the first `room` of them are put to the
 * overflow. */
static uint64_t fill_buckets(struct toc_work *w, uint64_t room)
{
	const struct reference_toc *t = &w->t;
	uint64_t n = 0;

	for (uint64_t b = 0; b < t->n_seeds; b++) {
		uint64_t mine = 0, last = 0, seed;

		for (uint64_t i = 0; i < t->n_chunks; i++)
			if (bucket_of(t, i) == b) {
				mine++;
				last = i;
			}
		seed = mine == 0 ? 0 : mine == 1 ? seed_for(t, last) : ~t->n_chunks;
		reference_write(w->data + t->part[REFERENCE_SEEDS].at + 4 * b, 4, seed);
		for (uint64_t i = 0; i < t->n_chunks && mine > 1; i++) {
			if (bucket_of(t, i) == b && n < room)
				reference_write(w->data + t->part[REFERENCE_OVERFLOW].at + 4 * n, 4,
						i);
			n += bucket_of(t, i) == b;
		}
	}
	return n;
}

/* Version 4 has no overflow: there are as many seeds as it takes, if that is not too many. */
static void build_hash(struct toc_work *w, bool resize)
{
	if (w->t.version < 4 || w->t.n_chunks == 0 || w->t.n_chunks > 128 || w->t.n_seeds > 512)
		return;
	if (resize)
		resize_rows(w, SEED_ROWS,
			    w->t.version >= 5 ? (w->t.n_chunks + 1) / 2 : 4 * w->t.n_chunks);
	if (!reread(w) || w->t.n_seeds == 0)
		return;
	if (w->t.version >= 5)
		resize_rows(w, OVERFLOW_ROWS, fill_buckets(w, 0));
	if (reread(w))
		(void)fill_buckets(w, w->t.n_overflow);
}

static void change_hash(struct toc_work *w)
{
	static const uint64_t numbers[] = {
		0, 1, 2, 0xFFFFFFFF, 0xFFFFFFFE, 0x80000000, 0x7FFFFFFF
	};
	enum reference_part part = w->t.n_overflow > 0 && dice_one_in(w->dice, 3)
					   ? REFERENCE_OVERFLOW
					   : REFERENCE_SEEDS;
	uint64_t n = w->t.part[part].n,
		 v = numbers[dice_below(w->dice, sizeof numbers / sizeof *numbers)];

	if (n == 0 || dice_one_in(w->dice, 3)) {
		build_hash(w, true);
		return;
	}
	if (dice_one_in(w->dice, 2))
		v = dice_one_in(w->dice, 2) ? ~dice_below(w->dice, w->t.n_chunks + 2)
					    : dice_below(w->dice, w->t.n_chunks + 2);
	reference_write(w->data + w->t.part[part].at + 4 * dice_below(w->dice, n), 4, v);
}

/* ---- All of it ------------------------------------------------------------------------------- */

static void change_once(struct toc_work *w)
{
	uint64_t kind = dice_below(w->dice, 16);

	if (kind < 3 && dice_one_in(w->dice, 8) && w->t.n_chunks > 0 && w->t.block_size > 0)
		grow_chunk(w);
	else if (kind < 3)
		change_rows(w);
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
		change_hash(w);
}

static size_t change_toc(uint8_t *data, size_t size, size_t max, struct dice *dice,
			 mutate_blind *blind)
{
	struct toc_work w = { .data = data, .size = size, .max = max, .dice = dice };
	uint64_t times = 1 + dice_below(dice, 3), n_seeds;

	if (!reread(&w))
		return mutate_blindly(data, size, max, dice, blind);
	n_seeds = w.t.n_seeds;
	while (times-- > 0 && reread(&w))
		change_once(&w);
	if (n_seeds > 0 && mostly(&w) && reread(&w))
		build_hash(&w, false);
	return w.size;
}

const struct mutate_format mutate_utoc = { .has_companions = true, .rows = change_toc };
