/* Archives: the hashes of an index, of its parts, of paths and of files follow what was changed. */
#include <string.h>

#include "mutate/mutate_format.h"
#include "reference/reference_digest.h"
#include "reference/reference_utoc.h"

#define MAGIC 0x5A6F12E1u

enum {
	SHA1 = 20,
	FOOTER = 44,       /* from the magic on, before version 8 */
	FOOTER_MAX = 256,  /* with what comes behind it */
	PARTS_SINCE = 10,  /* versions with further parts of the index */
	TABLES_SINCE = 15, /* versions whose directories are tables: paths stay as they are */
	RECORD = 48,       /* of versions 3 to 9, up to the blocks; the hash is its last */
	HASH_AT = 28,
	ROW = 12 /* of the path-hash index */
};

/* What lies where. */
struct pak_file_map {
	uint8_t *data;
	uint64_t size, footer, version, index, index_len;
};

/* A cursor that stays at the end once it led out. */
struct walk {
	uint8_t *p;
	uint64_t at, end;
	bool is_out;
};

static uint64_t take(struct walk *w, unsigned n)
{
	w->is_out = w->is_out || n > w->end - w->at;
	if (w->is_out)
		return 0;
	w->at += n;
	return reference_read(w->p + w->at - n, n < 8 ? n : 8);
}

static void pass(struct walk *w, uint64_t n)
{
	w->is_out = w->is_out || n > w->end - w->at;
	w->at += w->is_out ? 0 : n;
}

/* The characters of a string, without the NUL; *width is how many bytes each has. */
static uint64_t take_text(struct walk *w, uint64_t *at, unsigned *width)
{
	const int64_t n = (int32_t)(uint32_t)take(w, 4);
	const uint64_t units = n < 0 ? (uint64_t)-n : (uint64_t)n;

	*width = n < 0 ? 2 : 1;
	*at = w->at;
	pass(w, units * *width);
	return units > 0 && !w->is_out ? units - 1 : 0;
}

static bool find_footer(struct pak_file_map *m)
{
	for (uint64_t back = FOOTER; back <= FOOTER_MAX && back <= m->size; back++) {
		const uint8_t *p = m->data + m->size - back;

		if (reference_read(p, 4) != MAGIC)
			continue;
		m->footer = m->size - back;
		m->version = reference_read(p + 4, 4);
		m->index = reference_read(p + 8, 8);
		m->index_len = reference_read(p + 16, 8);
		return m->index <= m->footer && m->index_len <= m->footer - m->index;
	}
	return false;
}

/* ---- Paths ----------------------------------------------------------------------------------- */

#define BASIS UINT64_C(0xCBF29CE484222325)
#define PRIME UINT64_C(0x100000001B3)

static uint64_t hash_more(const struct pak_file_map *m, uint64_t hash, const uint8_t *p, uint64_t n,
			  unsigned width)
{
	const uint64_t prime = m->version < 11 ? BASIS : PRIME;

	for (uint64_t i = 0; i < n; i++) {
		const uint64_t c = reference_read(p + i * width, width);

		hash = (hash ^ ((c >= 'A' && c <= 'Z' ? c + 32 : c) & 0xFF)) * prime;
		hash = (hash ^ c >> 8) * prime;
	}
	return hash;
}

/* Rows of a path-hash index. */
struct hashes {
	uint8_t *rows;
	uint64_t n;
};

static void put_hash(const struct hashes *h, uint64_t location, uint64_t hash)
{
	for (uint64_t i = 0; i < h->n; i++)
		if (reference_read(h->rows + ROW * i + 8, 4) == location) {
			reference_write(h->rows + ROW * i, 8, hash);
			return;
		}
}

static void repair_paths(const struct pak_file_map *m, struct walk directory, uint64_t seed,
			 const struct hashes *h)
{
	struct walk *w = &directory;
	uint64_t at, n;
	unsigned width;

	for (uint64_t n_directories = take(w, 4); n_directories > 0 && !w->is_out;
	     n_directories--) {
		uint64_t hash = (m->version < 11 ? PRIME : BASIS) + seed;

		n = take_text(w, &at, &width);
		if (n > 0 && w->p[at] == '/') {
			at += width;
			n--;
		}
		hash = hash_more(m, hash, w->p + at, n, width);
		for (uint64_t files = take(w, 4); files > 0 && !w->is_out; files--) {
			uint64_t whole, location;

			n = take_text(w, &at, &width);
			whole = w->is_out ? 0 : hash_more(m, hash, w->p + at, n, width);
			location = take(w, 4);
			if (!w->is_out)
				put_hash(h, location, whole);
		}
	}
}

/* ---- Hashes of parts ------------------------------------------------------------------------- */

/* A part by its place in the index; false: there is none, or it lies elsewhere. */
static bool take_place(const struct pak_file_map *m, struct walk *w, struct walk *part,
		       uint8_t **hash)
{
	uint64_t at, len;

	*hash = NULL;
	if (take(w, 4) == 0 || w->is_out)
		return false;
	at = take(w, 8);
	len = take(w, 8);
	*hash = w->p + w->at;
	pass(w, SHA1);
	if (w->is_out || at > m->footer || len > m->footer - at)
		return false;
	*part = (struct walk){ m->data + at, 0, len, false };
	return true;
}

static void repair_parts(const struct pak_file_map *m)
{
	struct walk w = { m->data + m->index, 0, m->index_len, false }, hashes, directory;
	uint8_t *hash_of_hashes, *hash_of_directory;
	uint64_t at, seed;
	unsigned width;
	bool has_hashes, has_directory;

	take_text(&w, &at, &width);
	take(&w, 4);
	seed = take(&w, 8);
	has_hashes = take_place(m, &w, &hashes, &hash_of_hashes);
	has_directory = take_place(m, &w, &directory, &hash_of_directory);
	if (has_hashes && has_directory && hashes.end >= 4 && m->version < TABLES_SINCE) {
		struct hashes h = { hashes.p + 4, reference_read(hashes.p, 4) };

		if (h.n <= (hashes.end - 4) / ROW)
			repair_paths(m, directory, seed, &h);
	}
	if (has_hashes)
		reference_sha1(hashes.p, hashes.end, hash_of_hashes);
	if (has_directory)
		reference_sha1(directory.p, directory.end, hash_of_directory);
}

/* ---- Files before version 10 ----------------------------------------------------------------- */

/* A record in the index: its hash, and the same record before the bytes of the file. */
static void repair_file(const struct pak_file_map *m, uint8_t *record, uint64_t len)
{
	const uint64_t offset = reference_read(record, 8), size = reference_read(record + 8, 8);

	if (offset > m->index || len > m->index - offset || size > m->index - offset - len)
		return;
	reference_sha1(m->data + offset + len, size, record + HASH_AT);
	memcpy(m->data + offset, record, len);
	reference_write(m->data + offset, 8, 0);
}

static void repair_files(const struct pak_file_map *m)
{
	struct walk w = { m->data + m->index, 0, m->index_len, false };
	uint64_t at, n;
	unsigned width;

	take_text(&w, &at, &width);
	for (n = take(&w, 4); n > 0 && !w.is_out; n--) {
		uint64_t start, blocks = 0;

		take_text(&w, &at, &width);
		start = w.at;
		pass(&w, RECORD);
		if (!w.is_out && reference_read(w.p + start + 24, 4) != 0)
			blocks = take(&w, 4);
		pass(&w, 16 * blocks + 5);
		if (!w.is_out)
			repair_file(m, w.p + start, w.at - start);
	}
}

/* ---- All of it ------------------------------------------------------------------------------- */

static void repair(uint8_t *data, size_t size, struct dice *dice)
{
	struct pak_file_map m = { .data = data, .size = size };

	if (!find_footer(&m))
		return;
	if (m.version >= PARTS_SINCE && !dice_one_in(dice, 8))
		repair_parts(&m);
	if (m.version >= 3 && m.version < PARTS_SINCE && !dice_one_in(dice, 4))
		repair_files(&m);
	if (!dice_one_in(dice, 8))
		reference_sha1(data + m.index, m.index_len, data + m.footer + 24);
}

const struct mutate_format mutate_pak = { .repair = repair };
