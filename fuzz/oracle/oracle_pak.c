/* A reference reading of an archive that is not encrypted: where the record of each file is, and
 * what is wrong with it, from the specification. */
#include <string.h>

#include "formats/pak/pak.h"
#include "oracle/oracle_format.h"
#include "reference/reference_utoc.h"
#include "support/must.h"

enum { FRONT_OF_SHORT = 45, FRONT = 48, END = 5, BLOCK = 16, FLAGS_KNOWN = 3, VECTOR = 12 };

/* Numbers above it are left to the library, so that sums of three stay in 64 bits. */
#define LARGEST ((uint64_t)1 << 61)

/* A reading that stays where it is once it led out. */
struct walk {
	const uint8_t *p;
	uint64_t at, end;
	bool is_out;
};

struct record {
	uint64_t offset, size, whole, method, n_blocks, block_size, flags, header_len;
	bool is_encoded;
	struct walk blocks;
};

static uint64_t take(struct walk *w, unsigned n)
{
	w->is_out = w->is_out || n > w->end - w->at;
	if (w->is_out)
		return 0;
	w->at += n;
	return reference_read(w->p + w->at - n, n);
}

static void pass(struct walk *w, uint64_t n)
{
	w->is_out = w->is_out || n > w->end - w->at;
	w->at += w->is_out ? 0 : n;
}

/* Since version 12 the names of files have no NUL, and the length is that of UTF-8. */
static void pass_name(struct walk *w)
{
	const int64_t n = (int32_t)(uint32_t)take(w, 4);

	pass(w, n < 0 ? 2 * (uint64_t)-n : (uint64_t)n);
}

/* ---- Records --------------------------------------------------------------------------------- */

static bool has_short_methods(const struct pak *p)
{
	return p->tail.version == 8 && p->tail.n_methods == 4;
}

static uint64_t record_len(const struct pak *p, uint64_t method, uint64_t n_blocks)
{
	uint64_t len = has_short_methods(p) ? FRONT_OF_SHORT : FRONT;

	if (p->tail.version < 2)
		len += 8;
	if (p->tail.version < 3)
		return len;
	return len + END + (method != 0 ? 4 + BLOCK * n_blocks : 0);
}

static bool take_whole(const struct pak *p, struct walk *w, struct record *r)
{
	*r = (struct record){ .offset = take(w, 8) };
	r->size = take(w, 8);
	r->whole = take(w, 8);
	r->method = take(w, has_short_methods(p) ? 1 : 4);
	pass(w, p->tail.version < 2 ? 28 : 20);
	if (p->tail.version >= 3) {
		if (r->method != 0)
			r->n_blocks = take(w, 4);
		r->blocks = *w;
		pass(w, BLOCK * r->n_blocks);
		r->flags = take(w, 1);
		r->block_size = take(w, 4);
	}
	r->header_len = record_len(p, r->method, r->n_blocks);
	return !w->is_out;
}

static bool take_encoded(const struct pak *p, struct walk *w, struct record *r)
{
	const uint64_t word = take(w, 4);

	*r = (struct record){ .is_encoded = true };
	r->method = word >> 23 & 63;
	r->flags = word >> 22 & 1;
	r->n_blocks = word >> 6 & 0xFFFF;
	r->block_size = (word & 63) == 63 ? take(w, 4) : (word & 63) * 2048;
	r->offset = take(w, word >> 31 & 1 ? 4 : 8);
	r->whole = take(w, word >> 30 & 1 ? 4 : 8);
	if (p->tail.version >= 15 && r->flags & 1)
		pass(w, VECTOR);
	r->size = r->method == 0 ? r->whole : take(w, word >> 29 & 1 ? 4 : 8);
	r->blocks = *w;
	if (r->n_blocks > 1 || (r->n_blocks == 1 && r->flags & 1))
		pass(w, 4 * r->n_blocks);
	r->header_len = record_len(p, r->method, r->n_blocks);
	return !w->is_out;
}

/* ---- What is wrong with one ------------------------------------------------------------------ */

static uint64_t padded(const struct record *r, uint64_t n)
{
	return r->flags & 1 ? (n + 15) / 16 * 16 : n;
}

/* The next block: where it begins, from the offset on or from 0, as blocks are counted. */
static uint64_t take_block(const struct pak *p, struct record *r, uint64_t next, uint64_t *len)
{
	uint64_t start = next, end;

	if (r->is_encoded) {
		*len = r->n_blocks > 1 || r->flags & 1 ? take(&r->blocks, 4) : r->size;
		return start;
	}
	start = take(&r->blocks, 8);
	end = take(&r->blocks, 8);
	*len = end > start ? end - start : 0;
	return start > LARGEST || p->tail.version < 5 ? start : start + r->offset;
}

static uint32_t block_traits(const struct pak *p, struct record r, bool *is_sure)
{
	const uint64_t first = r.offset + r.header_len, data_end = first + padded(&r, r.size);
	uint64_t next = first;
	uint32_t traits = 0;

	for (uint64_t i = 0; i < r.n_blocks; i++) {
		uint64_t len, at = take_block(p, &r, next, &len);

		if (at > LARGEST || len > LARGEST) {
			*is_sure = false;
			return traits;
		}
		traits |= len == 0 ? PAK_BLOCK_EMPTY : 0u;
		if (at < first || at + len > data_end)
			traits |= PAK_BLOCK_OUTSIDE;
		else if (at != next)
			traits |= PAK_BLOCK_MISPLACED;
		next = at + padded(&r, len);
	}
	if (traits == 0 && r.n_blocks > 0 && next != data_end)
		traits |= PAK_BLOCKS_SHORT;
	return traits;
}

static uint32_t count_traits(const struct record *r)
{
	uint64_t wanted;
	uint32_t traits = 0;

	if (r->n_blocks > 1 && (r->block_size == 0 || r->block_size > r->whole))
		traits |= PAK_BLOCK_SIZE;
	if (r->n_blocks == 1 && !r->is_encoded && r->whole > 0 && r->block_size == 0)
		return PAK_BLOCK_SIZE;
	if (r->n_blocks == 1 && !r->is_encoded && r->block_size > r->whole &&
	    r->block_size > 0x40000000)
		return PAK_BLOCK_SIZE;
	if (r->n_blocks > 1 && r->block_size == 0)
		return traits;
	if (r->block_size == 0) /* that of the file */
		wanted = r->whole > 0 || r->n_blocks == 1;
	else
		wanted = (r->whole + r->block_size - 1) / r->block_size;
	if (r->n_blocks == 1 && (r->is_encoded || r->block_size >= r->whole))
		wanted = 1;
	return traits | (wanted != r->n_blocks ? PAK_BLOCKS_MISCOUNTED : 0u);
}

static uint32_t traits_of(const struct pak *p, const struct record *r, bool *is_sure)
{
	uint32_t traits = r->flags & ~(uint64_t)FLAGS_KNOWN ? PAK_FLAGS_UNKNOWN : 0u;

	if (r->flags & 2 && p->tail.version < 10)
		return traits | (r->size != 0 ? PAK_DELETED_SIZE : 0u);
	traits |= r->flags & 2 ? PAK_DELETED_SIZE : 0u;
	if (r->size >> 63 || r->whole >> 63)
		return traits | PAK_SIZE_NEGATIVE;
	if (r->offset >> 63)
		traits |= PAK_DATA_OUTSIDE;
	*is_sure = r->offset < LARGEST && r->size < LARGEST && r->whole < LARGEST;
	if (!*is_sure)
		return traits;
	if (r->offset + r->header_len + padded(r, r->size) > p->tail.index_offset)
		traits |= PAK_DATA_OUTSIDE;
	if (r->method == 0)
		return traits | (r->size != r->whole ? PAK_SIZES_DIFFER : 0u);
	/* a method that there is not: none of the versions before 8 says so by 0 */
	if (p->tail.version >= 3)
		traits |= count_traits(r) | block_traits(p, *r, is_sure);
	return traits;
}

#define TRAITS \
	(PAK_FLAGS_UNKNOWN | PAK_DELETED_SIZE | PAK_SIZE_NEGATIVE | PAK_DATA_OUTSIDE | \
	 PAK_SIZES_DIFFER | PAK_BLOCKS_MISCOUNTED | PAK_BLOCK_EMPTY | PAK_BLOCK_OUTSIDE | \
	 PAK_BLOCK_MISPLACED | PAK_BLOCKS_SHORT | PAK_BLOCK_SIZE)

static void check_record(const struct pak *p, const struct pak_file *row, const struct record *r)
{
	bool is_sure = true;
	const uint32_t traits = traits_of(p, r, &is_sure);

	MUST(!is_sure || (row->traits & TRAITS) == traits, "a record is what the clauses say");
}

/* ---- Files ----------------------------------------------------------------------------------- */

static void check_legacy(const struct pak *p, struct walk w)
{
	for (uint64_t i = 0; i < p->n_files; i++) {
		const struct pak_file *row = &p->files[i];
		struct record r;

		MUST(row->name == w.at, "a path lies where the one before it ends");
		pass_name(&w);
		MUST(row->record == w.at, "a record follows its path");
		MUST(take_whole(p, &w, &r), "a record is whole");
		check_record(p, row, &r);
	}
	MUST(p->index.n_left == w.end - w.at, "an index ends after its last record");
}

/* What an index has before its records, and where these begin. */
struct head {
	struct walk encoded, index;
	uint64_t encoded_at, plain_at, n_plain;
};

static bool read_head(struct walk w, struct head *h)
{
	uint64_t n;

	pass_name(&w);
	pass(&w, 12);
	for (unsigned i = 0; i < 2; i++)
		if (take(&w, 4) != 0)
			pass(&w, 36);
	n = take(&w, 4);
	h->index = w;
	h->encoded_at = w.at;
	h->encoded = (struct walk){ w.p + w.at, 0, n, false };
	pass(&w, n);
	h->n_plain = take(&w, 4);
	h->plain_at = w.at;
	return !w.is_out;
}

static void check_plain(const struct pak *p, const struct pak_file *row, const struct head *h,
			uint64_t n)
{
	struct walk w = h->index;
	struct record r;

	MUST(((row->traits & PAK_NO_RECORD) != 0) == (n >= h->n_plain),
	     "a location leads to one of the records, or it is told");
	if (n >= h->n_plain)
		return;
	w.at = h->plain_at;
	for (uint64_t i = 0; i < n; i++)
		MUST(take_whole(p, &w, &r), "a record that is not encoded is whole");
	MUST(row->record == w.at, "a record has its place");
	MUST(take_whole(p, &w, &r), "a record that is not encoded is whole");
	if (!(row->traits & PAK_RECORD_SHARED))
		check_record(p, row, &r);
}

static void check_encoded(const struct pak *p, const struct pak_file *row, const struct head *h,
			  uint64_t at)
{
	const bool is_out = at >= h->encoded.end || at % 4 != 0;
	struct walk w = h->encoded;
	struct record r;
	bool whole;

	MUST(((row->traits & PAK_LOCATION_OUTSIDE) != 0) == is_out,
	     "a location lies in the records, or it is told");
	if (is_out)
		return;
	MUST(row->record == h->encoded_at + at, "a record has its place");
	if (row->traits & (PAK_RECORD_SHARED | PAK_RECORD_INSIDE))
		return;
	w.at = at;
	whole = take_encoded(p, &w, &r);
	MUST(whole == !(row->traits & (PAK_RECORD_TRUNCATED | PAK_FIELD_TRUNCATED)),
	     "a record is whole, or it is told");
	if (whole)
		check_record(p, row, &r);
}

static void check_file(const struct pak *p, const struct head *h, uint64_t n, int64_t location)
{
	if (location >= 0)
		check_encoded(p, &p->files[n], h, (uint64_t)location);
	else if (location != INT32_MIN)
		check_plain(p, &p->files[n], h, (uint64_t)-location - 1);
}

/* Tables, of which those with a row for each directory or file are looked at. */
struct tables {
	uint64_t n_directories, n_files;
	struct walk firsts, starts, locations, directories, names;
};

static struct walk table_at(struct walk *w, uint64_t len)
{
	const struct walk out = { w->p + w->at, 0, len, w->is_out || len > w->end - w->at };

	pass(w, len);
	return out;
}

static struct tables read_tables(struct walk w)
{
	struct tables t = { .n_directories = 0 };
	uint64_t interval, len, names, n_hashes;

	MUST(take(&w, 4) == 0x50464451, "tables begin with their magic");
	t.n_directories = take(&w, 4);
	t.n_files = take(&w, 4);
	interval = take(&w, 4);
	len = take(&w, 4);
	names = take(&w, 4);
	n_hashes = take(&w, 4);
	pass(&w, 4 + 12 * n_hashes);
	pass(&w, 4 * ((t.n_directories + interval - 1) / interval + 1));
	t.firsts = table_at(&w, 4 * (t.n_directories + 1));
	t.starts = table_at(&w, 4 * (t.n_files + 1));
	t.locations = table_at(&w, 4 * t.n_files);
	t.directories = table_at(&w, len);
	t.names = table_at(&w, names);
	MUST(!w.is_out, "tables are all there");
	return t;
}

static void check_directories(const struct pak *p, struct tables *t)
{
	struct walk *w = &t->directories;
	uint64_t first = take(&t->firsts, 4);

	MUST(first == 0 && t->n_directories == p->n_directories, "directories are all there");
	for (uint64_t i = 0; i < t->n_directories; i++) {
		const struct pak_directory *d = &p->directories[i];
		const uint64_t same = take(w, 4), more = take(w, 4), next = take(&t->firsts, 4);
		const uint8_t *name = p->flat.decoded + d->name;

		MUST(d->first == first && next - first == d->count, "a directory has its files");
		MUST(!w->is_out && more <= w->end - w->at, "a name is all there");
		MUST(same == 0 || memcmp(name, p->flat.decoded + p->directories[i - 1].name,
					 (size_t)same) == 0,
		     "a name begins as that before it");
		MUST(more == 0 || memcmp(name + same, w->p + w->at, (size_t)more) == 0,
		     "a name ends as it says");
		pass(w, more);
		first = next;
	}
	MUST(first == t->n_files, "each file has a directory");
}

static void check_tables(const struct pak *p, const struct head *h, struct walk w)
{
	struct tables t = read_tables(w);
	uint64_t start = take(&t.starts, 4);

	MUST(t.n_files == p->n_paths, "there are as many paths");
	check_directories(p, &t);
	for (uint64_t n = 0; n < t.n_files; n++) {
		const struct text name = pak_file_name(p, &p->files[n]);
		const uint64_t end = take(&t.starts, 4);

		MUST(end <= t.names.end && end >= start && name.ref.n_units == end - start,
		     "a name is as long as it says");
		MUST(end == start || name.data == t.names.p + start ||
			     memcmp(name.data, t.names.p + start, (size_t)(end - start)) == 0,
		     "a name lies where it says");
		check_file(p, h, n, (int32_t)(uint32_t)take(&t.locations, 4));
		start = end;
	}
}

static void check_files(const struct pak *p, const struct head *h, struct walk w)
{
	uint64_t n = 0;

	for (uint64_t i = take(&w, 4); i > 0; i--) {
		pass_name(&w);
		for (uint64_t k = take(&w, 4); k > 0; k--, n++) {
			const uint64_t at = w.at;
			int64_t location;

			pass_name(&w);
			location = (int32_t)(uint32_t)take(&w, 4);
			MUST(!w.is_out && n < p->n_paths, "paths are all there");
			MUST(p->files[n].name == at, "a name lies where the one before it ends");
			check_file(p, h, n, location);
		}
	}
	MUST(n == p->n_paths, "there are as many paths");
	MUST(p->directory.n_left == w.end - w.at, "a directory index ends after its last file");
}

/* How many files are looked through for each row of the path-hash index. */
enum { SEARCHED = 256 };

static bool has_path(const struct pak *p, uint64_t record)
{
	for (uint64_t i = 0; i < p->n_paths; i++)
		if (p->files[i].record == record)
			return true;
	return false;
}

/* How many rows have a location that is outside of the encoded records, or of a record that there
 * is not. */
static void check_rows(const struct pak *p, const struct head *h, struct walk w)
{
	uint64_t outside = 0, missing = 0;

	for (uint64_t n = take(&w, 4); n > 0; n--) {
		int64_t location;

		pass(&w, 8);
		location = (int32_t)(uint32_t)take(&w, 4);
		if (location >= 0)
			outside += (uint64_t)location >= h->encoded.end || location % 4 != 0;
		else if (location != INT32_MIN)
			missing += (uint64_t)-location - 1 >= h->n_plain;
	}
	MUST(p->some[PAK_ROW_OUTSIDE].n == outside, "each row outside the records is told");
	MUST(p->some[PAK_ROW_NO_RECORD].n == missing, "each row of no record is told");
}

/* Each row that leads to a record which no path has is a file, too, in the order of the rows. */
static void check_unlisted(const struct pak *p, const struct head *h, struct walk w)
{
	uint64_t next = p->n_paths;

	for (uint64_t n = take(&w, 4); n > 0; n--) {
		const uint64_t at = w.at;
		int64_t location;

		pass(&w, 8);
		location = (int32_t)(uint32_t)take(&w, 4);
		if (next < p->n_files && p->files[next].name == at) {
			MUST(p->files[next].traits & PAK_UNLISTED, "a file without a path is told");
			check_file(p, h, next++, location);
		} else if (location >= 0 && (uint64_t)location < h->encoded.end &&
			   location % 4 == 0 && p->n_paths <= SEARCHED) {
			MUST(has_path(p, h->encoded_at + (uint64_t)location),
			     "a record is that of a path, or a file without one");
		}
	}
	MUST(next == p->n_files, "each file without a path has a row");
}

static bool has(const struct pak *p, enum pak_group group)
{
	return p->groups[group].why == STOP_NOT;
}

static void compare_facts(const struct trial *t, const void *facts)
{
	const struct pak *p = facts;
	const struct pak_tail *tail = &p->tail;
	const uint8_t *data = t->subject->data;
	struct walk index, directory;
	struct head h;

	MUST(!has(p, PAK_INDEX) || !p->is_encrypted || p->key,
	     "an encrypted index is read with a key");
	if (!has(p, PAK_ENTRIES) || p->is_encrypted)
		return;
	MUST(reference_read(data + tail->magic_at + 8, 8) == tail->index_offset &&
		     tail->index_offset + tail->index_size <= tail->at,
	     "an index lies before the footer");
	index = (struct walk){ data + tail->index_offset, 0, tail->index_size, false };
	if (tail->version < 10) {
		pass_name(&index);
		MUST(take(&index, 4) == p->n_files, "there are as many files");
		check_legacy(p, index);
		return;
	}
	MUST(read_head(index, &h), "records lie in the index");
	if (!p->has_paths)
		return;
	if (has(p, PAK_PATH_HASHES) && p->path_hashes.is_there) {
		const struct walk rows = { data + p->path_hashes.at.at, 0, p->path_hashes.at.len,
					   false };

		check_unlisted(p, &h, rows);
		if (has(p, PAK_NAMES))
			check_rows(p, &h, rows);
	} else {
		MUST(p->n_files == p->n_paths, "there are as many files");
	}
	directory = (struct walk){ data + p->directory.at.at, 0, p->directory.at.len, false };
	if (tail->version >= 15)
		check_tables(p, &h, directory);
	else
		check_files(p, &h, directory);
}

const struct oracle_format oracle_pak = {
	.names = { "Mod_P.pak", "Mod_P.pak", "Mod.pak", "a/M od%n.pak", "pakchunk0-Windows.pak",
		   "download", "b.txt" },
	.compare_facts = compare_facts,
	.has_key = true,
};
