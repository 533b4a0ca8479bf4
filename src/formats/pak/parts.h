/* What the files of the decoder share and others do not need. */
#ifndef UVET_FORMATS_PAK_PARTS_H
#define UVET_FORMATS_PAK_PARTS_H

#include "formats/pak/pak.h"

/* ---- Records (records.c) --------------------------------------------------------------------- */

/* What the method numbers of versions before 8 are; they have no names. */
enum { PAK_METHOD_ZLIB = 1, PAK_METHOD_GZIP = 2, PAK_METHOD_CUSTOM = 3, PAK_METHOD_NONE = 255 };

static inline bool pak_is_flat(const struct pak *p)
{
	return p->tail.version >= PAK_FLAT;
}

/* pak_has_unknown_layout tells whether no real file shows how the encoded record at a place of the
 * index is laid out: since version 15 that of an encrypted file, unless it is in CTR mode. */
bool pak_has_unknown_layout(const struct pak *p, uint64_t at);
#define PAK_LAYOUT_UNKNOWN "how the record of an encrypted file is laid out is not known"

/* pak_legacy_method is the number of a method of versions before 8, by the flags. */
uint64_t pak_legacy_method(uint64_t flags);

/* pak_record_len is how many bytes a whole record has in a context, pak_front_len those up to its
 * blocks. */
uint64_t pak_front_len(uint64_t context);
uint64_t pak_record_len(uint64_t context, uint64_t raw_method, uint64_t n_blocks);

/* pak_has_lengths tells whether an encoded record says how long its blocks are: one that is not
 * encrypted has the size of the file. */
static inline bool pak_has_lengths(const struct pak_entry *e)
{
	return e->n_blocks > 1 || (e->n_blocks == 1 && e->flags & PAK_FLAG_ENCRYPTED);
}

/* pak_entry_row is a block of a whole record. */
static inline struct pak_block_row pak_entry_row(const struct pak *p, const struct pak_entry *e,
						 uint64_t i)
{
	const struct held blocks = held_part(p->index.held, e->blocks_at,
					     e->n_blocks * pak_block_fixed_len);
	const struct pak_block_rows rows = { blocks.bytes, e->n_blocks };

	return pak_block_at(rows, i);
}

/* ---- The index (index.c, head.c) ------------------------------------------------------------- */

/* pak_read_part reads the bytes of a part, decrypts them if the index is encrypted, and hashes
 * them; false: the group's stop says why not. */
UVET_MUST_USE bool pak_read_part(struct decode *d, uint32_t group, struct pak *p,
				 struct pak_part *part);

/* pak_read_index does so for the index, and finds the key. */
UVET_MUST_USE bool pak_read_index(struct decode *d, struct pak *p);

/* pak_stop_broken notes why a part cannot be decoded: what stands before c does not fit. It returns
 * false. */
UVET_COLD bool pak_stop_broken(struct decode *d, uint32_t group, struct pak_part *part,
			       const struct cursor *c, struct pak_broken broken);

/* pak_take_number takes a signed number of 32 bits. */
UVET_MUST_USE static inline bool pak_take_number(struct cursor *c, int64_t *out)
{
	uint64_t raw;

	if (!cursor_u32(c, &raw))
		return false;
	*out = (int32_t)(uint32_t)raw;
	return true;
}

/* pak_read_head reads an index up to its records, and, since version 10, those. */
UVET_MUST_USE bool pak_read_head(struct decode *d, struct pak *p);

/* ---- Files (legacy.c, directory.c, files.c, judge.c) ----------------------------------------- */

/* pak_read_legacy reads the records and paths of versions before 10. */
UVET_MUST_USE bool pak_read_legacy(struct decode *d, struct pak *p);

/* A walk over a part of the index, whose rows are as long as their names. */
struct pak_rows {
	struct decode *d;
	struct pak *p;
	struct pak_part *part;
	uint32_t group;
	struct cursor c;
	uint64_t n_directories, n_files;
};

/* pak_stop_rows notes that what stands at `at`, a number, does not fit; it returns false. */
UVET_COLD bool pak_stop_rows(struct pak_rows *w, const char *what, uint64_t at, int64_t count,
			     uint64_t row);

/* pak_read_flat reads the tables of a full directory index since version 15 (flat.c).
 * pak_decode_directories fills `directories` with the names and files of each; pak_flat_location
 * is the location of file i. */
UVET_MUST_USE bool pak_read_flat(struct pak_rows *w);
int64_t pak_flat_location(const struct pak *p, uint64_t i);
UVET_MUST_USE bool pak_decode_directories(struct decode *d, struct pak *p);

/* pak_read_hashes and pak_read_directory read the two parts of later versions; a part that is not
 * there is no failure. pak_read_files makes the files of them. */
UVET_MUST_USE bool pak_read_hashes(struct decode *d, struct pak *p);
UVET_MUST_USE bool pak_read_directory(struct decode *d, struct pak *p);
UVET_MUST_USE bool pak_read_files(struct decode *d, struct pak *p);

/* pak_judge_record reads the record of a file and looks for defects of it; *end is where the record
 * ends, or where it begins if it is truncated. A file whose bytes may be looked at joins
 * `by_offset`. */
void pak_judge_record(struct pak *p, struct pak_file *row, uint64_t *end);

static inline void pak_mark(struct pak *p, struct pak_file *row, uint64_t traits)
{
	row->traits |= (uint32_t)traits;
	p->file_traits |= (uint32_t)traits;
}

/* pak_note counts a row of a sort. */
static inline void pak_note(struct pak *p, enum pak_sort sort, uint64_t row)
{
	if (p->some[sort].n++ == 0)
		p->some[sort].first = (uint32_t)row;
}

/* ---- Names (names.c, match.c) ---------------------------------------------------------------- */

/* pak_take_name reads a name at c and moves c past it: since version 12 the names of files have no
 * NUL and are UTF-8. false: the bytes end before it does. */
UVET_MUST_USE bool pak_take_name(const struct pak *p, bool of_file, struct cursor *c,
				 struct text *out, int64_t *length);

/* pak_below_mount takes away the separator at the front of a directory's name: below the mount
 * point a path has none. pak_directory_name is the name of a directory without it, and
 * pak_whole_directory_name with it. */
struct text pak_below_mount(struct text name);
struct text pak_directory_name(const struct pak *p, uint32_t directory);
struct text pak_whole_directory_name(const struct pak *p, uint32_t directory);

/* pak_name_traits are those of a path or a part of one. */
uint32_t pak_name_traits(const struct text *name);

/* pak_hash_start begins the hash of a path, and pak_path_hash goes on with one more part of it, as
 * the version does. pak_quick_hash is for legacy paths, which have none: equal for those that are
 * equal without case; it adds to *traits those of the path, and *is_plain is whether it is one as
 * most are, with which nothing is the matter. */
uint64_t pak_hash_start(const struct pak *p);
uint64_t pak_path_hash(const struct pak *p, uint64_t hash, const struct text *part);
uint32_t pak_quick_hash(const struct text *path, uint32_t *traits, bool *is_plain);

/* pak_hash_unit goes on with a unit of UTF-16, of which an ASCII letter is made small. pak_path_key
 * goes on as pak_path_hash does, with another number: paths with both the same are the same.
 * pak_path_key_of is that of the path of a file in a directory, whose own is known. */
uint64_t pak_hash_unit(const struct pak *p, uint64_t hash, uint32_t unit);
uint64_t pak_path_key(uint64_t key, const struct text *part);
uint64_t pak_path_key_of(const struct pak *p, const struct pak_file *row);

/* pak_spell finds the hashes of a path beyond ASCII: with its letters of ASCII, of Latin-1, and of
 * all alphabets that are known made small (spelling.c). A speller is zeroed but for `pak`; of files
 * that are asked for in their order each directory is read once. */
enum { PAK_SPELLINGS = 3 };
struct pak_spelled {
	uint64_t hashes[PAK_SPELLINGS];
};
struct pak_speller {
	const struct pak *pak;
	bool has_directory;
	uint32_t directory;
	struct pak_spelled spelled;
};
struct pak_spelled pak_spell(struct pak_speller *s, const struct pak_file *row);

/* pak_spell_part goes on with one more part of a path, in each spelling. */
void pak_spell_part(const struct pak *p, struct pak_spelled *s, bool is_utf8,
		    const struct text *part);

/* pak_find_same looks for files of the same path, by hashes of theirs; `whole`, if it is not NULL,
 * has more of each hash. is_alike: two other paths may have the same whole one. */
struct pak_hashes {
	const uint32_t *suspects;
	const uint64_t *whole;
	bool is_alike;
};
UVET_MUST_USE bool pak_find_same(struct decode *d, struct pak *p, struct pak_hashes *hashes);

/* pak_match compares the paths' hashes with the path-hash index; is_alike: two paths may have the
 * same one. Of paths beyond ASCII they are set to that of the spelling which it has. Owners are the
 * first files of each location. pak_make_strays makes room for what it finds. pak_find_repeated
 * looks for repeated hashes where there are no paths. */
struct pak_owners {
	uint32_t *of_slot;  /* by location / PAK_SLOT */
	uint32_t *of_plain; /* by the number of a record that is not encoded */
	uint64_t n_slots;
};
UVET_MUST_USE bool pak_make_strays(struct decode *d, struct pak *p);
UVET_MUST_USE bool pak_match(struct decode *d, struct pak *p, uint64_t *hashes, bool is_alike,
			     const struct pak_owners *owners);
UVET_MUST_USE bool pak_find_repeated(struct decode *d, struct pak *p);

/* pak_compare_kept compares the files that the path-hash index keeps with the paths, whose hashes
 * are `hashes`, or, where that is NULL, with the rows of the path-hash index (kept.c). */
UVET_MUST_USE bool pak_compare_kept(struct decode *d, struct pak *p, const uint64_t *hashes);

/* pak_match_own compares the paths' hashes with those of the full directory index itself, which are
 * there since version 15 (flat.c). */
void pak_match_own(struct pak *p, const uint64_t *hashes, const struct pak_owners *owners);

/* pak_record_at is the place of the record that a location means; PAK_NONE: none, and *defect is
 * the reason, or 0 if the location says that there is none. */
enum { PAK_NO_LOCATION = INT32_MIN };
uint32_t pak_record_at(const struct pak *p, int64_t location, uint64_t *defect);

/* pak_owner is the first file that has the record of a location; PAK_NONE: none has. */
uint32_t pak_owner(const struct pak *p, const struct pak_owners *owners, int64_t location);

/* pak_is_unlisted tells whether a location is that of a record which no path has. */
bool pak_is_unlisted(const struct pak *p, const struct pak_owners *owners, int64_t location);

/* ---- Ranges (ranges.c) ----------------------------------------------------------------------- */

/* pak_sort_parts sets *out to the parts of the index that were read, the index among them, in the
 * order in which they lie, and returns how many there are. */
enum { PAK_N_PARTS = 3 };
unsigned pak_sort_parts(const struct pak *p, const struct pak_part *out[PAK_N_PARTS]);

UVET_MUST_USE bool pak_check_ranges(struct decode *d, struct pak *p);

/* ---- What the engine needs to know (map.c) --------------------------------------------------- */

bool pak_map(const void *facts, struct decode *d, map_sink *sink, void *ctx);
uint64_t pak_explained(const void *facts);
void pak_info(const void *facts, info_sink *sink, void *ctx);
void pak_extent(const void *facts, const struct decode *d, uint32_t file, struct extent *out);
/* pak_next_changed is next_changed of struct format: the parts of the index, and the bytes
 * of files. */
bool pak_next_changed(const void *facts, const struct decode *d, uint32_t file, uint64_t *at,
		      struct span *out);
/* pak_begins_index tells whether a mount point seems to be there, with which an index begins.
 * pak_reach fills *out for a file without a footer, by what it begins with; pak_marked_end is the
 * function `marked_end` of struct format (reach.c). */
bool pak_begins_index(struct source *s, uint64_t at);
void pak_reach(struct source *s, struct extent *out);
uint64_t pak_marked_end(struct source *s, uint64_t at);

#endif
