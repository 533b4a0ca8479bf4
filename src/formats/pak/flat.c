/* The full directory index since version 15: tables of columns, with a copy of the path hashes in
 * their order, and names of directories, each stored without the beginning that it shares with the
 * one before. */
#include "formats/pak/parts.h"

#include "core/mutant.h"
#include "formats/blocks/index_string.h"

#define FLAT_MAGIC 0x50464451u

/* The numbers before the name of a directory: how much of the name before it has, and how many
 * bytes follow. */
enum { CODED_HEAD = 2 * PAK_NUMBER_LEN };

static int64_t signed_at(struct held column, uint64_t i)
{
	return layout_signed(held_u32(column, i * PAK_NUMBER_LEN));
}

int64_t pak_flat_location(const struct pak *p, uint64_t i)
{
	return signed_at(p->flat.locations, i);
}

/* The number at a place of the file does not fit, or ends after the part. */
static bool stop_at(struct pak_rows *w, const char *what, uint64_t at, int64_t value, uint64_t row)
{
	const uint64_t end = at + PAK_NUMBER_LEN - w->part->at.at;

	w->c.pos = end < w->c.len ? end : w->c.len;
	return pak_stop_rows(w, what, at, value, row);
}

/* ---- The tables ------------------------------------------------------------------------------ */

/* A number of the head, and where it stands. */
struct number {
	const char *what;
	uint64_t at;
	int64_t value;
};

/* The head, by its numbers. */
struct head {
	struct number directories, files, interval, coded_len, name_len, hashes;
};

/* Another magic is that of tables which are not known. */
static bool check_magic(struct pak_rows *w)
{
	const struct span at = { cursor_at(&w->c), PAK_NUMBER_LEN };
	const struct held magic = cursor_part(&w->c, at.at, PAK_NUMBER_LEN);

	if (magic.len < PAK_NUMBER_LEN || held_u32(magic, 0) == FLAT_MAGIC)
		return true;
	return decode_stop(w->d, w->group, STOP_UNSUPPORTED, at);
}

/* The numbers of the head follow one another, after the magic. */
static bool set_number(struct pak_rows *w, const char *what, uint64_t raw, int64_t least,
		       struct number *out)
{
	*out = (struct number){ .what = what,
				.at = cursor_at(&w->c),
				.value = (int32_t)(uint32_t)raw };
	w->c.pos += PAK_NUMBER_LEN;
	if (out->value < least)
		return pak_stop_rows(w, what, out->at, out->value, UINT64_MAX);
	return true;
}

static bool take_head(struct pak_rows *w, struct head *h)
{
	struct cursor c = w->c;
	struct pak_columns head;

	if (!check_magic(w))
		return false;
	if (!pak_columns_read(&c, 0, &head))
		return pak_stop_rows(w, "the head of the tables", cursor_at(&w->c), 0, UINT64_MAX);
	w->c.pos += PAK_NUMBER_LEN;
	if (!set_number(w, "the count of directories", head.directories, 0, &h->directories) ||
	    !set_number(w, "the count of files", head.files, 0, &h->files) ||
	    !set_number(w, "the count of directories for an anchor", head.interval, 1,
			&h->interval) ||
	    !set_number(w, "the length of the names of directories", head.directory_len, 0,
			&h->coded_len) ||
	    !set_number(w, "the length of the names of files", head.name_len, 0, &h->name_len) ||
	    !set_number(w, "the count of hashes", head.hashes, 0, &h->hashes))
		return false;
	w->c = c;
	return true;
}

/* Takes a column of n rows; where they do not fit it is `count` that is too large. */
static bool take_column(struct pak_rows *w, const struct number *count, uint64_t n, uint64_t each,
			struct held *out)
{
	if (!held_take(&w->c, n * each, out))
		return pak_stop_rows(w, count->what, count->at, count->value, UINT64_MAX);
	return true;
}

static bool take_columns(struct pak_rows *w, const struct head *h, struct pak_flat *f)
{
	const uint64_t n_directories = (uint64_t)h->directories.value,
		       n_files = (uint64_t)h->files.value, n_hashes = (uint64_t)h->hashes.value,
		       interval = (uint64_t)h->interval.value,
		       n_anchors = (n_directories + interval - 1) / interval;

	f->n_hashes = n_hashes;
	f->interval = interval;
	f->hashes_at = cursor_at(&w->c);
	if (!take_column(w, &h->hashes, n_hashes, PAK_HASH_LEN, &f->hashes) ||
	    !take_column(w, &h->hashes, n_hashes, PAK_NUMBER_LEN, &f->places))
		return false;
	f->anchors_at = cursor_at(&w->c);
	if (!take_column(w, &h->directories, n_anchors + 1, PAK_NUMBER_LEN, &f->anchors) ||
	    !take_column(w, &h->directories, n_directories + 1, PAK_NUMBER_LEN, &f->firsts))
		return false;
	f->starts_at = w->c.pos;
	if (!take_column(w, &h->files, n_files + 1, PAK_NUMBER_LEN, &f->starts) ||
	    !take_column(w, &h->files, n_files, PAK_NUMBER_LEN, &f->locations) ||
	    !take_column(w, &h->coded_len, (uint64_t)h->coded_len.value, 1, &f->coded))
		return false;
	f->names_at = w->c.pos;
	w->n_directories = n_directories;
	w->n_files = n_files;
	return take_column(w, &h->name_len, (uint64_t)h->name_len.value, 1, &f->names);
}

/* ---- Their numbers --------------------------------------------------------------------------- */

/* A column of n + 1 numbers, of which each is not below the one before it. */
struct bounds {
	const char *what;
	struct held column;
	uint64_t at; /* in the file */
	uint64_t n;
	int64_t first, last; /* the least of the first, the most of the last */
};

static bool check_bounds(struct pak_rows *w, const struct bounds *b)
{
	int64_t before = b->first;

	for (uint64_t i = 0; i <= b->n; i++) {
		const int64_t value = signed_at(b->column, i);

		if (!decode_goes_on(w->d, w->group, i))
			return false;
		if (value < before || value > b->last)
			return stop_at(w, b->what, b->at + i * PAK_NUMBER_LEN, value, i);
		before = value;
	}
	return true;
}

/* Each file is one of a directory. */
static bool check_firsts(struct pak_rows *w, const struct pak_flat *f)
{
	const uint64_t at = w->part->at.at + f->starts_at - f->firsts.len;
	const struct bounds b = { .what = "the first file of directory",
				  .column = f->firsts,
				  .at = at,
				  .n = w->n_directories,
				  .last = (int64_t)w->n_files };

	if (!check_bounds(w, &b))
		return false;
	if (signed_at(f->firsts, 0) != 0)
		return stop_at(w, b.what, at, signed_at(f->firsts, 0), 0);
	if (signed_at(f->firsts, b.n) != b.last)
		return stop_at(w, b.what, at + b.n * PAK_NUMBER_LEN, signed_at(f->firsts, b.n),
			       b.n);
	return true;
}

static bool check_starts(struct pak_rows *w, const struct pak_flat *f)
{
	const struct bounds b = { .what = "where the name begins of file",
				  .column = f->starts,
				  .at = w->part->at.at + f->starts_at,
				  .n = w->n_files,
				  .last = (int64_t)f->names.len };

	return check_bounds(w, &b);
}

/* An anchor is where the name of a directory begins, which then has nothing of the one before. */
static void judge_anchor(struct pak_flat *f, uint64_t i, uint64_t at)
{
	if (held_u32(f->anchors, i * PAK_NUMBER_LEN) == at)
		return;
	if (f->n_loose++ == 0) {
		f->loose = i;
		f->belongs = at;
	}
}

/* at: in the names; it has `same` bytes of the one before it. */
static void judge_restart(struct pak_flat *f, uint64_t directory, uint64_t base, uint64_t at,
			  uint64_t same)
{
	if (directory % f->interval != 0)
		return;
	judge_anchor(f, directory / f->interval, at);
	if (same == 0 || f->n_shared++ > 0)
		return;
	f->shared = directory;
	f->shared_at = base + at;
	f->shared_len = same;
}

/* The names of directories, as far as they can be told apart: *len is what all of them have. */
static bool check_coded(struct pak_rows *w, struct pak_flat *f)
{
	const uint64_t base = w->part->at.at + f->names_at - f->coded.len;
	struct cursor c = cursor_init(f->coded.bytes, f->coded.len, base);
	struct span rest;
	int64_t same = 0, more = 0;
	uint64_t before = 0;

	for (uint64_t i = 0; i < w->n_directories; i++) {
		const uint64_t at = cursor_at(&c);

		if (!decode_goes_on(w->d, w->group, i))
			return false;
		if (!pak_take_number(&c, &same) || same < 0 || (uint64_t)same > before)
			return stop_at(w, "the repeated part of the name of directory", at, same,
				       i);
		if (!pak_take_number(&c, &more) || more < 0 ||
		    !cursor_skip(&c, (uint64_t)more, &rest))
			return stop_at(w, "the length of the name of directory",
				       at + PAK_NUMBER_LEN, more, i);
		judge_restart(f, i, base, at - base, (uint64_t)same);
		before = (uint64_t)same + (uint64_t)more;
		f->decoded_len += before;
	}
	/* mutant: the end has an anchor behind the last one */
	judge_anchor(f, f->anchors.len / PAK_NUMBER_LEN - 1 + MUTANT(358), cursor_at(&c) - base);
	return true;
}

/* Names of directories repeat what those before them have. Those of a game are no more than about
 * ten times as long as what is stored of them. */
enum { REPEATED_MAX = 32, REPEATED_MIN = 1048576 };

static bool check_length(struct pak_rows *w, const struct pak_flat *f)
{
	const struct span coded = { w->part->at.at + f->names_at - f->coded.len, f->coded.len };
	const uint64_t most = REPEATED_MAX * coded.len;

	if (f->decoded_len > INT32_MAX || (f->decoded_len > REPEATED_MIN && f->decoded_len > most))
		return decode_stop_limit(w->d, w->group, LIMIT_ratio, coded);
	return decode_spend(w->d, w->group, f->decoded_len / 16 + f->n_hashes / 4);
}

static void note_order(struct pak_flat *f)
{
	for (uint64_t i = 1; i < f->n_hashes && f->unsorted == 0; i++)
		if (held_u64(f->hashes, i * PAK_HASH_LEN) <=
		    held_u64(f->hashes, (i - 1) * PAK_HASH_LEN))
			f->unsorted = i;
}

bool pak_read_flat(struct pak_rows *w)
{
	struct pak_flat f = { .n_hashes = 0 };
	struct head h = { .interval = { .value = 1 } };

	if (!take_head(w, &h) || !take_columns(w, &h, &f) || !check_firsts(w, &f) ||
	    !check_starts(w, &f) || !check_coded(w, &f) || !check_length(w, &f))
		return false;
	note_order(&f);
	w->p->flat = f;
	w->part->n_left = cursor_left(&w->c);
	return true;
}

/* ---- Directories ----------------------------------------------------------------------------- */

bool pak_decode_directories(struct decode *d, struct pak *p)
{
	struct pak_flat *f = &p->flat;
	uint8_t *out = decode_alloc(d, PAK_ENTRIES, f->decoded_len, 1);
	uint64_t at = 0, done = 0;

	if (!out)
		return false;
	f->decoded = out;
	for (uint32_t i = 0; i < p->n_directories; i++) {
		const uint64_t same = held_u32(f->coded, at),
			       more = held_u32(f->coded, at + PAK_NUMBER_LEN);
		const int64_t first = signed_at(f->firsts, i);

		p->directories[i] = (struct pak_directory){
			.name = (uint32_t)done,
			.first = (uint32_t)first,
			.count = (uint32_t)(signed_at(f->firsts, i + UINT64_C(1)) - first),
		};
		if (same > 0)
			memcpy(out + done, out + p->directories[i - 1].name, (size_t)same);
		memcpy(out + done + same, held_part(f->coded, at + CODED_HEAD, more).bytes,
		       (size_t)more);
		done += same + more;
		at += CODED_HEAD + more;
	}
	return true;
}

/* ---- Its hashes ------------------------------------------------------------------------------ */

/* The row of a hash, as it is found where the rows are in order; n_hashes: there is none. */
static uint64_t find_hash(const struct pak_flat *f, uint64_t hash)
{
	uint64_t from = 0, to = f->n_hashes;

	while (from < to) {
		const uint64_t middle = from + (to - from) / 2;

		if (held_u64(f->hashes, middle * PAK_HASH_LEN) < hash)
			from = middle + 1;
		else
			to = middle;
	}
	return from < f->n_hashes && held_u64(f->hashes, from * PAK_HASH_LEN) == hash ? from
										      : f->n_hashes;
}

/* Which of its own hashes has a location of no path. */
static uint64_t find_unowned(const struct pak *p, const struct pak_owners *owners)
{
	const struct pak_flat *f = &p->flat;
	uint64_t i = 0;

	while (i < f->n_hashes && (signed_at(f->places, i) == PAK_NO_LOCATION ||
				   pak_owner(p, owners, signed_at(f->places, i)) != PAK_NONE))
		i++;
	return i;
}

static bool is_own(const struct pak_flat *f, uint64_t hash, uint64_t file)
{
	const uint64_t at = find_hash(f, hash);

	return at < f->n_hashes && signed_at(f->places, at) == signed_at(f->locations, file);
}

static bool is_own_spelled(const struct pak_flat *f, const struct pak_spelled *s, uint64_t file)
{
	for (unsigned i = 0; i < PAK_SPELLINGS; i++)
		if (is_own(f, s->hashes[i], file))
			return true;
	return false;
}

void pak_match_own(struct pak *p, const uint64_t *hashes, const struct pak_owners *owners)
{
	struct pak_flat *f = &p->flat;

	struct pak_speller s = { .pak = p };

	f->unowned = find_unowned(p, owners);
	for (uint64_t i = 0; i < p->n_files && f->n_hashes > 0 && f->unsorted == 0; i++) {
		struct pak_file *row = &p->files[i];
		bool is_there;

		if (row->traits & PAK_NAME_HIGH) {
			const struct pak_spelled spelled = pak_spell(&s, row);

			is_there = is_own_spelled(f, &spelled, i);
		} else {
			is_there = is_own(f, hashes[i], i);
		}
		if (!is_there)
			pak_mark(p, row, PAK_OWN_HASH_WRONG);
	}
}
