/* Paths against the path-hash index: each path has its hash there, with the same location; and
 * paths that are repeated. */
#include "core/mutant.h"
#include "formats/pak/parts.h"

#include "core/order.h"
#include "formats/keep.h"

/* Sorts of strays: a hash of no path, and a repeated one. */
enum { STRAY_SORTS = 2 };

/* ---- Paths that are the same ----------------------------------------------------------------- */

static int compare_directories(const void *pak, uint32_t a, uint32_t b)
{
	return text_compare(pak_directory_name(pak, a), pak_directory_name(pak, b));
}

static uint64_t key_of_directory(const void *pak, uint32_t i)
{
	const struct text name = pak_directory_name(pak, i);
	uint32_t traits = 0;

	return pak_quick_hash(&name, &traits);
}

/* Directories of the same name count as the first of them. So a name, which may be long, is
 * compared for each directory, and not for each file. */
static bool number_directories(struct decode *d, struct pak *p)
{
	struct order o;
	uint32_t first = 0;

	if (p->n_directories == 0)
		return true;
	if (!order_by_hash(d->arena, p, (uint32_t)p->n_directories, key_of_directory,
			   compare_directories, &o))
		return false;
	for (uint32_t i = 0; i < o.n; i++) {
		const uint32_t row = order_row(&o, i);

		if (i == 0 || compare_directories(p, order_row(&o, i - 1), row) != 0)
			first = row;
		p->directories[row].same_as = first;
	}
	return true;
}

static uint32_t directory_of(const struct pak *p, const struct pak_file *row)
{
	return row->directory == PAK_NONE ? PAK_NONE : p->directories[row->directory].same_as;
}

static int compare_rows(const void *pak, uint32_t a, uint32_t b)
{
	const struct pak *p = pak;
	const struct pak_file *left = &p->files[a], *right = &p->files[b];
	const uint32_t in_left = directory_of(p, left), in_right = directory_of(p, right);

	if (in_left != in_right)
		return in_left < in_right ? -1 : 1;
	return text_compare(pak_file_name(p, left), pak_file_name(p, right));
}

bool pak_find_same(struct decode *d, struct pak *p, const uint32_t *hashes)
{
	struct order o;

	if (!number_directories(d, p) ||
	    !order_suspects(d->arena, hashes, (uint32_t)p->n_files, p, compare_rows, &o))
		return false;
	for (uint32_t i = 1; i < o.n; i++) {
		const uint32_t before = order_row(&o, i - 1), row = order_row(&o, i);

		if (hashes[before] == hashes[row] && compare_rows(p, before, row) == 0)
			pak_mark(p, &p->files[row], PAK_PATH_REPEATED);
	}
	return true;
}

/* ---- Hashes ---------------------------------------------------------------------------------- */

/* What is compared: hashes of paths by the row of the file, and the rows of the index. */
struct match {
	struct decode *d;
	struct pak *p;
	uint64_t *of_files;
	const struct pak_owners *owners;
	struct keep keeps[STRAY_SORTS];
	/* a path whose hash is not known has no record, so that its row has no location, either */
	bool has_lost_path;
};

bool pak_make_strays(struct decode *d, struct pak *p)
{
	const uint64_t most = keep_most(d, p->n_hashes, STRAY_SORTS);

	/* mutant: room for one row less */
	p->strays = decode_alloc(d, PAK_ENTRIES, most - (MUTANT(302) && most > 0 ? 1u : 0u),
				 sizeof *p->strays);
	return p->strays != NULL;
}

static uint64_t index_hash(const struct pak *p, uint64_t i)
{
	return pak_path_hash_get_hash(pak_path_hash_at(p->hashes, i));
}

/* The file whose record is that of row i. */
static uint32_t owner_of(const struct match *m, uint64_t i)
{
	return pak_owner(m->p, m->owners, pak_hash_location(m->p, i));
}

/* A path whose hash is not known has that of the row with its location, whichever that is. */
static bool is_hash_of(const struct match *m, uint32_t file, uint64_t hash)
{
	return m->of_files[file] == hash || m->p->files[file].traits & PAK_NAME_HIGH;
}

/* In a sound index each row is that of the file at its location. */
static bool match_by_location(struct match *m)
{
	struct pak *p = m->p;

	if (p->n_hashes != p->n_files || p->file_traits & (PAK_RECORD_SHARED | PAK_DELETED |
							   PAK_LOCATION_OUTSIDE | PAK_NO_RECORD))
		return false;
	for (uint64_t i = 0; i < p->n_hashes; i++) {
		const uint32_t file = owner_of(m, i);

		if (file == PAK_NONE || p->files[file].traits & PAK_HASH_SEEN ||
		    !is_hash_of(m, file, index_hash(p, i)))
			return false;
		p->files[file].traits |= PAK_HASH_SEEN;
	}
	return true;
}

static void take_unknown_hashes(struct match *m)
{
	struct pak *p = m->p;

	for (uint64_t i = 0; i < p->n_files; i++) {
		struct pak_file *f = &p->files[i];

		f->traits &= ~(uint32_t)PAK_HASH_SEEN;
		m->has_lost_path |= f->traits & PAK_NAME_HIGH && f->record == PAK_NONE;
	}
	for (uint64_t i = 0; i < p->n_hashes; i++) {
		const uint32_t file = owner_of(m, i);

		if (file == PAK_NONE || !(p->files[file].traits & PAK_NAME_HIGH) ||
		    p->files[file].traits & PAK_HASH_SEEN)
			continue;
		m->of_files[file] = index_hash(p, i);
		p->files[file].traits |= PAK_HASH_SEEN;
	}
}

static uint64_t key_of_file(const void *match, uint32_t i)
{
	const struct match *m = match;

	return m->of_files[i];
}

static uint64_t key_of_row(const void *match, uint32_t i)
{
	const struct match *m = match;

	return index_hash(m->p, i);
}

static void add_stray(struct match *m, uint32_t row, bool is_repeated)
{
	struct pak *p = m->p;
	struct keep *keep = &m->keeps[is_repeated ? 1 : 0];

	if (m->has_lost_path && !is_repeated && pak_hash_location(p, row) == PAK_NO_LOCATION)
		return;
	if (pak_is_unlisted(p, m->owners, pak_hash_location(p, row)))
		return; /* it is a file, which says so */
	if (keep_row(m->d, keep, p->n_strays))
		p->strays[p->n_strays++] = (struct pak_stray){ .row = row,
							       .is_repeated = is_repeated };
	else
		p->strays[keep->last].n_more++;
}

/* A location without a record is another than that of a path without bytes, or, of a path that has
 * none either, the same. */
static bool is_located(const struct pak *p, const struct pak_file *file, uint32_t row)
{
	uint64_t defect;
	const uint32_t record = pak_record_at(p, pak_hash_location(p, row), &defect);

	if (record != PAK_NONE || file->record != PAK_NONE)
		return record == file->record;
	return (defect == 0) == ((file->traits & PAK_DELETED) != 0);
}

/* A file that has no row, or one with another location. */
static void judge_file(struct match *m, uint32_t file, bool has_row, uint32_t row)
{
	struct pak_file *f = &m->p->files[file];

	if (f->traits & PAK_NAME_HIGH && f->record == PAK_NONE)
		return;
	if (!has_row)
		pak_mark(m->p, f, PAK_HASH_ABSENT);
	else if (!is_located(m->p, f, row))
		pak_mark(m->p, f, PAK_HASH_ELSEWHERE);
}

/* Goes through both in the order of hashes. Where several files have the same hash each is held
 * against one row, in turn. */
static void merge(struct match *m, const struct order *files, const struct order *rows)
{
	uint32_t i = 0, k = 0;

	while (i < files->n || k < rows->n) {
		const uint64_t of_file = i < files->n ? m->of_files[order_row(files, i)]
						      : UINT64_MAX;
		const uint64_t of_row = k < rows->n ? index_hash(m->p, order_row(rows, k))
						    : UINT64_MAX;
		const bool has_file = i < files->n && of_file <= of_row;
		const bool has_row = k < rows->n && of_row <= of_file;

		if (has_file)
			judge_file(m, order_row(files, i++), has_row,
				   has_row ? order_row(rows, k) : 0);
		else
			add_stray(m, order_row(rows, k),
				  k > 0 && index_hash(m->p, order_row(rows, k - 1)) == of_row);
		k += has_row;
	}
}

/* What a game does at a location is the same whether its path is listed or not. */
static void judge_locations(struct pak *p)
{
	for (uint64_t i = 0; i < p->n_hashes; i++) {
		uint64_t defect;

		pak_record_at(p, pak_hash_location(p, i), &defect);
		if (defect != 0)
			pak_note(p, defect == PAK_NO_RECORD ? PAK_ROW_NO_RECORD : PAK_ROW_OUTSIDE,
				 i);
	}
}

bool pak_match(struct decode *d, struct pak *p, uint64_t *hashes, const struct pak_owners *owners)
{
	struct match m = { .d = d, .p = p, .of_files = hashes, .owners = owners };
	struct order files, rows;

	if (match_by_location(&m))
		return true;
	judge_locations(p);
	if (p->file_traits & PAK_NAME_HIGH)
		take_unknown_hashes(&m);
	if (!order_by_key(d->arena, &m, (uint32_t)p->n_files, key_of_file, &files) ||
	    !order_by_key(d->arena, &m, (uint32_t)p->n_hashes, key_of_row, &rows))
		return false;
	merge(&m, &files, &rows);
	return true;
}
