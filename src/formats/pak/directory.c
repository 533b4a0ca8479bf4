/* The two further parts of an index since version 10: hashes of paths, and directories with the
 * names of files, which since version 15 are tables (flat.c). */
#include "formats/pak/parts.h"

#include "formats/blocks/index_string.h"

/* The fewest bytes of a directory, and of a file in it: an empty name, and a number. */
enum { LEAST = INDEX_STRING_HEAD + pak_number_fixed_len };

bool pak_stop_rows(struct pak_rows *w, const char *what, uint64_t at, int64_t count, uint64_t row)
{
	const struct pak_broken broken = {
		.how = PAK_BROKEN_COUNT, .what = what, .at = at, .count = count, .row = row
	};

	return pak_stop_broken(w->d, w->group, w->part, &w->c, broken);
}

static bool take_count(struct pak_rows *w, const char *what, uint64_t row, uint64_t *out)
{
	const uint64_t at = cursor_at(&w->c);
	int64_t count = 0;

	if (!pak_take_number(&w->c, &count) || count < 0 ||
	    !cursor_fits(&w->c, (uint64_t)count, LEAST))
		return pak_stop_rows(w, what, at, count, row);
	*out = (uint64_t)count;
	return true;
}

/* A name that the path-hash index keeps is none of `files`, and is judged here. */
static void judge_kept_name(struct pak_rows *w, const struct text *name, bool of_file, uint64_t at)
{
	const bool is_rooted = !of_file && name->ref.n_units > 0 && text_unit(*name, 0) == '/';
	const struct text below = text_sub(*name, is_rooted, name->ref.n_units);
	uint32_t traits = below.ref.n_units > 0 ? pak_name_traits(&below) : 0;

	if (traits & PAK_NAME_INVALID)
		pak_note(w->p, PAK_KEPT_INVALID, at - w->part->at.at);
	if (traits & PAK_NAME_ESCAPES)
		pak_note(w->p, PAK_KEPT_ESCAPES, at - w->part->at.at);
}

static void judge_kept_location(struct pak_rows *w, int64_t location)
{
	uint64_t defect;

	pak_record_at(w->p, location, &defect);
	if (defect != 0)
		pak_note(w->p, defect == PAK_NO_RECORD ? PAK_KEPT_NO_RECORD : PAK_KEPT_OUTSIDE,
			 w->c.pos - pak_number_fixed_len);
}

static bool pass_name(struct pak_rows *w, bool of_file, uint64_t row)
{
	const uint64_t at = cursor_at(&w->c);
	struct text name;
	int64_t length;

	if (!pak_take_name(w->p, of_file, &w->c, &name, &length))
		return pak_stop_rows(w,
				     of_file ? "the length of a file's name"
					     : "the length of a directory's name",
				     at, length, row);
	if (w->group == PAK_PATH_HASHES)
		judge_kept_name(w, &name, of_file, at);
	return true;
}

static bool pass_files(struct pak_rows *w, uint64_t n)
{
	int64_t location;

	for (uint64_t i = 0; i < n; i++, w->n_files++) {
		const uint64_t at = cursor_at(&w->c);

		if (!decode_goes_on(w->d, w->group, w->n_files) || !pass_name(w, true, w->n_files))
			return false;
		if (!pak_take_number(&w->c, &location))
			return pak_stop_rows(w, "a file", at, 0, w->n_files);
		if (w->group == PAK_PATH_HASHES)
			judge_kept_location(w, location);
	}
	return true;
}

/* Counts directories and files, and finds out whether all of them are there. */
static bool pass_directories(struct pak_rows *w)
{
	uint64_t n = 0;

	if (!take_count(w, "the count of directories", UINT64_MAX, &w->n_directories))
		return false;
	for (uint64_t i = 0; i < w->n_directories; i++) {
		if (!decode_goes_on(w->d, w->group, i) || !pass_name(w, false, i) ||
		    !take_count(w, "the count of a directory's files", i, &n) || !pass_files(w, n))
			return false;
	}
	w->part->n_left = cursor_left(&w->c);
	return true;
}

static struct pak_rows walk_part(struct decode *d, struct pak *p, struct pak_part *part,
				 uint32_t group)
{
	return (struct pak_rows){
		.d = d,
		.p = p,
		.part = part,
		.group = group,
		.c = cursor_init(part->held.bytes, part->held.len, part->at.at),
	};
}

static bool within_limits(struct decode *d, uint32_t group, const struct pak_part *part, uint64_t n)
{
	if (n > d->limits->of[LIMIT_entries])
		return decode_stop_limit(d, group, LIMIT_entries, part->at);
	return decode_spend(d, group, 2 * n);
}

/* After the rows there are some directories: those whose names a game without the other part is to
 * know. What they look like since version 15 is not known, if there are any. */
static bool pass_kept(struct pak_rows *w)
{
	struct cursor c = w->c;
	int64_t count = 0;

	if (!pak_is_flat(w->p) || !pak_take_number(&c, &count) || count <= 0)
		return pass_directories(w);
	decode_stop(w->d, PAK_KEPT, STOP_UNSUPPORTED,
		    (struct span){ cursor_at(&w->c), PAK_NUMBER_LEN });
	return true;
}

bool pak_read_hashes(struct decode *d, struct pak *p)
{
	struct pak_part *part = &p->path_hashes;
	struct pak_rows w;
	struct held rows;
	uint64_t at;
	int64_t count = 0;

	if (!part->is_there)
		return true;
	if (!pak_read_part(d, PAK_PATH_HASHES, p, part))
		return false;
	w = walk_part(d, p, part, PAK_PATH_HASHES);
	at = cursor_at(&w.c);
	if (!pak_take_number(&w.c, &count) || count < 0 ||
	    !held_take(&w.c, (uint64_t)count * pak_path_hash_fixed_len, &rows))
		return pak_stop_rows(&w, "the count of path hashes", at, count, UINT64_MAX);
	p->hashes_at = at + pak_number_fixed_len;
	p->kept_at = w.c.pos;
	if (!pass_kept(&w) || !within_limits(d, PAK_PATH_HASHES, part, (uint64_t)count + w.n_files))
		return false;
	p->hashes = pak_path_hash_in(rows);
	p->n_hashes = (uint64_t)count;
	p->n_kept = w.n_files;
	return true;
}

bool pak_read_directory(struct decode *d, struct pak *p)
{
	struct pak_part *part = &p->directory;
	struct pak_rows w;

	if (!part->is_there)
		return true;
	if (!pak_read_part(d, PAK_DIRECTORY, p, part))
		return false;
	w = walk_part(d, p, part, PAK_DIRECTORY);
	if (!(pak_is_flat(p) ? pak_read_flat(&w) : pass_directories(&w)) ||
	    !within_limits(d, PAK_DIRECTORY, part, w.n_directories + w.n_files))
		return false;
	p->n_directories = w.n_directories;
	p->n_paths = w.n_files;
	return true;
}
