/* Which files of a set conflict: by their names, their GUIDs, and what the game has. */
#include "core/hash.h"
#include "core/path.h"
#include "formats/set/set.h"

static bool add(struct decode *d, struct set *u, const struct set_flaw *flaw)
{
	return set_add_flaw(d, &u->file_flaws, SET_FILES, flaw);
}

/* ---- Names ----------------------------------------------------------------------------------- */

static bool is_packed(const struct set *u, uint32_t file)
{
	return u->in->files[file]->is_download;
}

static bool is_of_game(const struct set *u, uint32_t file)
{
	return u->in->files[file]->role == SET_GAME;
}

static bool has_same_stem(const struct set *u, uint32_t a, uint32_t b)
{
	return package_text_compare(set_stem_text(u->in->files[a]),
				    set_stem_text(u->in->files[b])) == 0;
}

/* Whether two files have one stem and are looked for in one root. */
static bool is_same_place(const struct set *u, uint32_t a, uint32_t b)
{
	return u->in->files[a]->root == u->in->files[b]->root && has_same_stem(u, a, b);
}

/* Names that differ in case alone are one file where systems do not tell cases apart. */
static bool is_same_path(const struct set_file *a, const struct set_file *b)
{
	return path_compare(text_from(a->name), text_from(b->name)) == 0;
}

static bool tell_twice(struct decode *d, struct set *u, uint32_t first, uint32_t file)
{
	const struct set_file *a = u->in->files[first], *b = u->in->files[file];
	const struct set_flaw flaw = { .traits = SET_STEM_TWICE,
				       .file = file,
				       .other = first,
				       .row = SET_NONE,
				       .lesser = a->in_contents != b->in_contents ||
						 is_same_path(a, b) };

	return add(d, u, &flaw);
}

/* Packages of one stem and root follow one another. */
static bool find_twice(struct decode *d, struct set *u)
{
	uint32_t first = SET_NONE;

	for (uint32_t i = 0; i < u->packages.n; i++) {
		const uint32_t file = u->packages.rows[i].file;

		if (is_of_game(u, file) || is_packed(u, file))
			continue;
		if (first == SET_NONE || !is_same_place(u, first, file))
			first = file;
		else if (!tell_twice(d, u, first, file))
			return false;
	}
	return true;
}

static const char *ending_of(const struct set_file *f)
{
	const char *last = f->name + f->last_at, *dot = strrchr(last, '.');

	return dot ? dot : "";
}

static bool has_same_ending(const struct set_file *a, const struct set_file *b)
{
	return text_is(text_from(ending_of(a)), ending_of(b));
}

/* ---- Contents -------------------------------------------------------------------------------- */

/* Different sums are of different bytes; the same ones prove nothing. */
static bool is_other(const struct set_file *a, const struct set_file *b)
{
	const struct summary_package *p = a->package, *q = b->package;

	return a->size != b->size || p->rows_hash != q->rows_hash ||
	       (a->has_crc && b->has_crc && a->crc != b->crc);
}

static bool is_same_guid(const struct set_file *a, const struct set_file *b)
{
	return memcmp(a->guid, b->guid, sizeof a->guid) == 0;
}

/* The one with fewer generations was saved before the other, which goes on from there. */
static bool differs_in_history(const struct summary_package *a, const struct summary_package *b,
			       uint64_t *generation)
{
	const uint32_t n = a->n_generations < b->n_generations ? a->n_generations
							       : b->n_generations;

	for (uint32_t i = 0; i < n; i++) {
		*generation = i;
		if (a->generations[i].exports != b->generations[i].exports ||
		    a->generations[i].names != b->generations[i].names)
			return true;
	}
	return false;
}

/* A file with one that it is held against: of one GUID. */
static bool compare_guids(struct decode *d, struct set *u, uint32_t first, uint32_t file)
{
	const struct set_file *a = u->in->files[first], *b = u->in->files[file];
	struct set_flaw flaw = {
		.traits = SET_SAME_GUID, .file = file, .other = first, .row = SET_NONE
	};

	if (a->is_download != b->is_download || !is_other(a, b))
		return true;
	if (!add(d, u, &flaw))
		return false;
	flaw.traits = SET_HISTORY_DIFFERS;
	return !has_same_stem(u, first, file) ||
	       !differs_in_history(a->package, b->package, &flaw.number) || add(d, u, &flaw);
}

static bool has_guid(const struct set *u, uint32_t file)
{
	const struct set_file *f = u->in->files[file];

	return u->members[file].is_whole && f->package && f->identity == SUMMARY_GUID &&
	       (f->guid[0] | f->guid[1] | f->guid[2] | f->guid[3]) != 0;
}

static uint64_t guid_key(const void *table, uint32_t i)
{
	const struct set *u = table;
	const uint32_t *g = u->in->files[i]->guid;

	return has_guid(u, i) ? hash_mix((uint64_t)g[0] << 32 | g[1], (uint64_t)g[2] << 32 | g[3])
			      : UINT64_MAX;
}

static int compare_guid_rows(const void *table, uint32_t a, uint32_t b)
{
	const struct set *u = table;

	if (has_guid(u, a) != has_guid(u, b))
		return has_guid(u, a) ? -1 : 1;
	return memcmp(u->in->files[a]->guid, u->in->files[b]->guid, sizeof u->in->files[a]->guid);
}

/* The game's packages come after those that were given, so that those are what is blamed: each is
 * held against the first of its GUID, or that one against the game's. */
static bool compare_run(struct decode *d, struct set *u, const struct order *o, uint32_t from,
			uint32_t to)
{
	const uint32_t first = order_row(o, from);

	if (is_of_game(u, first))
		return true;
	for (uint32_t i = from + 1; i < to; i++) {
		const uint32_t file = order_row(o, i);
		const bool is_game = is_of_game(u, file);

		if (!compare_guids(d, u, is_game ? file : first, is_game ? first : file))
			return false;
	}
	return true;
}

static bool find_same_guids(struct decode *d, struct set *u)
{
	const uint32_t n = u->in->n;
	struct order o;
	uint32_t from = 0;

	if (!order_by_hash(d->arena, u, n, guid_key, compare_guid_rows, &o))
		return decode_stop(d, SET_FILES, STOP_MEMORY, (struct span){ 0, 0 });
	for (uint32_t i = 1; i <= n; i++) {
		const uint32_t first = order_row(&o, from);

		if (i < n && has_guid(u, first) && has_guid(u, order_row(&o, i)) &&
		    is_same_guid(u->in->files[first], u->in->files[order_row(&o, i)]))
			continue;
		if (has_guid(u, first) && !compare_run(d, u, &o, from, i))
			return false;
		from = i;
	}
	return true;
}

/* ---- Downloads ------------------------------------------------------------------------------- */

/* The packages of the stem of a file in one place; what it costs to go over them is charged. */
static bool find_named(struct decode *d, const struct set *u, uint32_t file, uint32_t where,
		       struct set_range *out)
{
	const struct package_name stem = set_stem(u->in->files[file]);

	*out = set_range_in(&u->packages, set_range_of(u, &u->packages, stem), where);
	return decode_spend(d, SET_FILES, (uint64_t)out->to - out->from);
}

static bool compare_download(struct decode *d, struct set *u, uint32_t download)
{
	uint32_t file = SET_NONE;
	struct set_range of;

	if (!find_named(d, u, download, set_where(u, download) - SET_PACKED, &of))
		return false;
	for (uint32_t i = of.from; i < of.to && file == SET_NONE; i++)
		if (has_same_ending(u->in->files[u->packages.rows[i].file], u->in->files[download]))
			file = u->packages.rows[i].file;
	if (file == SET_NONE || !u->members[file].is_whole || !u->members[download].is_whole ||
	    !is_other(u->in->files[file], u->in->files[download]))
		return true;
	return add(d, u,
		   &(struct set_flaw){ .traits = SET_DOWNLOAD_DIFFERS,
				       .file = download,
				       .other = file,
				       .row = SET_NONE });
}

/* ---- The game -------------------------------------------------------------------------------- */

static bool compare_with_game(struct decode *d, struct set *u, uint32_t file)
{
	const struct set_file *f = u->in->files[file];
	struct set_flaw flaw = { .file = file, .row = SET_NONE };
	struct set_range of;

	if (!find_named(d, u, file, SET_GAME_ROOT * SET_WHERES, &of))
		return false;
	for (uint32_t i = of.from; i < of.to; i++) {
		flaw.other = u->packages.rows[i].file;
		flaw.traits = SET_STEM_TWICE;
		if (!has_same_ending(f, u->in->files[flaw.other]) && !add(d, u, &flaw))
			return false;
		flaw.traits = SET_OTHER_BUILD;
		if (has_same_ending(f, u->in->files[flaw.other]) && has_guid(u, file) &&
		    has_guid(u, flaw.other) && !is_same_guid(f, u->in->files[flaw.other]) &&
		    !add(d, u, &flaw))
			return false;
	}
	flaw = (struct set_flaw){ .traits = SET_NEWER,
				  .file = file,
				  .other = SET_NONE,
				  .row = SET_NONE,
				  .number = f->version,
				  .expected = u->game_version };
	return u->game_version == 0 || f->version <= u->game_version ||
	       !u->members[file].is_whole || add(d, u, &flaw);
}

bool set_compare_files(struct decode *d, struct set *u)
{
	if (!decode_spend(d, SET_FILES, 3 * (uint64_t)u->in->n) || !find_twice(d, u) ||
	    !find_same_guids(d, u))
		return false;
	for (uint32_t i = 0; i < u->in->n_given; i++) {
		if (!set_is_package(u->members[i].kind))
			continue;
		if (is_packed(u, i) && !compare_download(d, u, i))
			return false;
		if (u->in->has_game && !is_packed(u, i) && !compare_with_game(d, u, i))
			return false;
	}
	return true;
}
