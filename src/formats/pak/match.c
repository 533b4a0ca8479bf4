/* Paths against the path-hash index: each path has its hash there, with the same location; and
 * paths that are repeated. */
#include "core/mutant.h"
#include "formats/pak/parts.h"

#include "core/order.h"
#include "formats/keep.h"

/* ---- Paths that are the same ----------------------------------------------------------------- */

/* What is sorted: files, with the whole hashes of their paths if these lie in directories. */
struct same {
	const struct pak *p;
	const uint64_t *whole;
};

/* An engine looks for a file in the directory that ends in the last separator of its path; the
 * root alone begins with one. */
static bool is_misnamed(const struct text *name)
{
	const uint32_t n = name->ref.n_units;

	return n == 0 || text_unit(*name, n - 1) != '/' || (n > 1 && text_unit(*name, 0) == '/');
}

static uint64_t key_of_directory(const void *pak, uint32_t i)
{
	const struct pak *p = pak;

	return p->directories[i].key;
}

/* The name of a directory, which may be long, is read once, and not for each file. */
static bool judge_directories(struct decode *d, struct pak *p)
{
	const uint32_t n = (uint32_t)p->n_directories;
	struct order o;

	for (uint32_t i = 0; i < n; i++) {
		const struct text whole = pak_whole_directory_name(p, i);
		const struct text name = pak_directory_name(p, i);

		p->directories[i].key = pak_path_key(0, &name);
		if (is_misnamed(&whole))
			pak_note(p, PAK_DIRECTORY_SPLIT, i);
	}
	if (!order_by_key(d->arena, p, n, key_of_directory, &o))
		return false;
	for (uint32_t i = 1; i < n; i++)
		if (p->directories[order_row(&o, i - 1)].key ==
		    p->directories[order_row(&o, i)].key)
			/* mutant: the directory behind it is told */
			pak_note(p, PAK_DIRECTORY_REPEATED, order_row(&o, i) + MUTANT(362));
	return true;
}

/* Of paths in directories the whole hashes alone are compared at first. */
static int compare_rows(const void *same, uint32_t a, uint32_t b)
{
	const struct same *s = same;

	if (s->whole)
		return order_numbers(s->whole[a], s->whole[b]);
	return text_compare(pak_file_name(s->p, &s->p->files[a]),
			    pak_file_name(s->p, &s->p->files[b]));
}

/* Files whose paths have a whole hash that another one has, too. Their second hashes are made
 * once, not whenever two of them are compared: a name may be as long as the index. */
struct alike {
	const uint64_t *whole;
	uint32_t *rows;
	uint64_t *keys;
	uint32_t n;
};

static uint64_t whole_of(const void *alike, uint32_t i)
{
	const struct alike *a = alike;

	return a->whole[a->rows[i]];
}

static int compare_keys(const void *alike, uint32_t i, uint32_t k)
{
	const struct alike *a = alike;

	return order_numbers(a->keys[i], a->keys[k]);
}

/* Whether the row at place i of an order has the whole hash of one beside it. */
static bool has_twin(const uint64_t *whole, const struct order *o, uint32_t i)
{
	const uint64_t own = whole[order_row(o, i)];

	return (i > 0 && whole[order_row(o, i - 1)] == own) ||
	       (i + 1 < o->n && whole[order_row(o, i + 1)] == own);
}

static bool make_alike(struct decode *d, const struct pak *p, const struct order *o,
		       struct alike *out)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < o->n; i++)
		n += has_twin(out->whole, o, i);
	out->rows = decode_alloc(d, PAK_NAMES, n, sizeof *out->rows);
	/* mutant: of the paths of one hash the last has no second one */
	out->keys = decode_alloc(d, PAK_NAMES, n - (uint32_t)(MUTANT(357) && n > 0),
				 sizeof *out->keys);
	for (uint32_t i = 0; out->rows && out->keys && i < o->n; i++) {
		const uint32_t row = order_row(o, i);

		if (!has_twin(out->whole, o, i))
			continue;
		out->rows[out->n] = row;
		out->keys[out->n++] = pak_path_key_of(p, &p->files[row]);
	}
	return out->rows && out->keys;
}

/* A path may be split into a directory and a name in more than one way. */
static bool find_same_paths(struct decode *d, struct pak *p, struct pak_hashes *hashes,
			    const struct order *suspects)
{
	struct alike a = { .whole = hashes->whole };
	struct order o;

	if (!make_alike(d, p, suspects, &a) ||
	    !order_by_hash(d->arena, &a, a.n, whole_of, compare_keys, &o))
		return false;
	for (uint32_t i = 1; i < o.n; i++) {
		const uint32_t before = order_row(&o, i - 1), row = order_row(&o, i);

		if (whole_of(&a, before) != whole_of(&a, row))
			continue;
		if (a.keys[before] == a.keys[row])
			pak_mark(p, &p->files[a.rows[row]], PAK_PATH_REPEATED);
		else
			hashes->is_alike = true;
	}
	return true;
}

bool pak_find_same(struct decode *d, struct pak *p, struct pak_hashes *hashes)
{
	struct same s = { p, hashes->whole };
	struct order o;

	if (!judge_directories(d, p) ||
	    !order_suspects(d->arena, hashes->suspects, (uint32_t)p->n_files, &s, compare_rows, &o))
		return false;
	if (hashes->whole)
		return o.n == 0 || find_same_paths(d, p, hashes, &o);
	for (uint32_t i = 1; i < o.n; i++) {
		const uint32_t before = order_row(&o, i - 1), row = order_row(&o, i);

		if (hashes->suspects[before] == hashes->suspects[row] &&
		    compare_rows(&s, before, row) == 0)
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
	struct keep strays;
};

bool pak_make_strays(struct decode *d, struct pak *p)
{
	const uint64_t most = keep_most(d, p->n_hashes, 1);

	/* mutant: room for one row less */
	p->strays = decode_alloc(d, PAK_ENTRIES, most - (MUTANT(302) && most > 0 ? 1u : 0u),
				 sizeof *p->strays);
	return p->strays != NULL;
}

/* The file whose record is that of row i. */
static uint32_t owner_of(const struct match *m, uint64_t i)
{
	return pak_owner(m->p, m->owners, pak_hash_location(m->p, i));
}

/* In a sound index each row is that of the file at its location. */
static bool match_by_location(struct match *m)
{
	struct pak *p = m->p;

	if (p->n_hashes != p->n_files ||
	    p->file_traits & (PAK_RECORD_SHARED | PAK_DELETED | PAK_LOCATION_OUTSIDE |
			      PAK_NO_RECORD | PAK_NAME_HIGH | PAK_PATH_REPEATED))
		return false;
	for (uint64_t i = 0; i < p->n_hashes; i++) {
		const uint32_t file = owner_of(m, i);

		if (file == PAK_NONE || p->files[file].traits & PAK_HASH_SEEN ||
		    m->of_files[file] != pak_row_hash(p, i))
			return false;
		p->files[file].traits |= PAK_HASH_SEEN;
	}
	return true;
}

static uint64_t key_of_file(const void *match, uint32_t i)
{
	const struct match *m = match;

	return m->of_files[i];
}

static uint64_t key_of_row(const void *match, uint32_t i)
{
	const struct match *m = match;

	return pak_row_hash(m->p, i);
}

static int is_any(const void *match, uint32_t row, const void *what)
{
	(void)match, (void)row, (void)what;
	return 0;
}

/* A path beyond ASCII has the first of its hashes that there is. */
static void choose_spelling(struct match *m, const struct order *rows, struct pak_speller *s,
			    uint32_t file)
{
	const struct pak_spelled spelled = pak_spell(s, &m->p->files[file]);

	m->of_files[file] = spelled.hashes[0];
	for (unsigned i = 0; i < PAK_SPELLINGS; i++) {
		const uint64_t hash = spelled.hashes[i];

		if (order_find(rows, m, key_of_row, hash, is_any, NULL) == ORDER_NONE)
			continue;
		m->of_files[file] = hash;
		return;
	}
}

static void choose_spellings(struct match *m, const struct order *rows)
{
	struct pak_speller s = { .pak = m->p };

	for (uint32_t i = 0; i < m->p->n_files; i++)
		if (m->p->files[i].traits & PAK_NAME_HIGH)
			choose_spelling(m, rows, &s, i);
}

/* A row of a hash that no path has any more. */
static void add_stray(struct match *m, uint32_t row)
{
	struct pak *p = m->p;

	if (pak_is_unlisted(p, m->owners, pak_hash_location(p, row)))
		return; /* it is a file, which says so */
	if (keep_row(m->d, &m->strays, p->n_strays))
		p->strays[p->n_strays++] = (struct pak_stray){ .row = row };
	else
		p->strays[m->strays.last].n_more++;
}

/* Whether row k of an order has the hash of the one before it. */
static bool is_repeated(const struct pak *p, const struct order *rows, uint32_t k)
{
	return k > 0 &&
	       pak_row_hash(p, order_row(rows, k - 1)) == pak_row_hash(p, order_row(rows, k));
}

/* Whether neither row leads to a file that is in no list. */
static bool are_listed(const struct match *m, const struct order *rows, uint32_t k)
{
	return !pak_is_unlisted(m->p, m->owners, pak_hash_location(m->p, order_row(rows, k))) &&
	       !pak_is_unlisted(m->p, m->owners, pak_hash_location(m->p, order_row(rows, k - 1)));
}

/* A game finds one of both rows. of_same: they are those of one path, which stands twice. */
static void note_repeated(struct pak *p, const struct order *rows, uint32_t k, bool of_same)
{
	const uint32_t before = order_row(rows, k - 1), row = order_row(rows, k);
	const bool is_one = pak_hash_location(p, before) == pak_hash_location(p, row);

	/* mutant: the row behind it is told */
	pak_note(p, of_same || is_one ? PAK_HASH_AGAIN : PAK_HASH_REPEATED, row + MUTANT(363));
}

bool pak_find_repeated(struct decode *d, struct pak *p)
{
	const struct match m = { .p = p };
	struct order rows;

	if (!order_by_key(d->arena, &m, (uint32_t)p->n_hashes, key_of_row, &rows))
		return false;
	for (uint32_t k = 0; k < rows.n; k++)
		if (is_repeated(p, &rows, k))
			note_repeated(p, &rows, k, false);
	return true;
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

	if (!has_row)
		pak_mark(m->p, f, PAK_HASH_ABSENT);
	else if (!is_located(m->p, f, row))
		pak_mark(m->p, f, PAK_HASH_ELSEWHERE);
}

/* Goes through both in the order of hashes. Where several files have the same hash each is held
 * against one row, in turn. */
static void merge(struct match *m, const struct order *files, const struct order *rows)
{
	struct pak *p = m->p;
	uint32_t i = 0, k = 0;

	while (i < files->n || k < rows->n) {
		const uint32_t file = i < files->n ? order_row(files, i) : PAK_NONE;
		const uint32_t row = k < rows->n ? order_row(rows, k) : PAK_NONE;
		const uint64_t of_file = file != PAK_NONE ? m->of_files[file] : UINT64_MAX;
		const uint64_t of_row = row != PAK_NONE ? pak_row_hash(p, row) : UINT64_MAX;
		const bool has_file = file != PAK_NONE && of_file <= of_row;
		const bool has_row = row != PAK_NONE && of_row <= of_file;

		if (has_row && is_repeated(p, rows, k))
			note_repeated(p, rows, k,
				      has_file && p->files[file].traits & PAK_PATH_REPEATED &&
					      are_listed(m, rows, k));
		else if (!has_file)
			add_stray(m, row);
		if (has_file)
			judge_file(m, file, has_row, row);
		i += has_file;
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

bool pak_match(struct decode *d, struct pak *p, uint64_t *hashes, bool is_alike,
	       const struct pak_owners *owners)
{
	struct match m = { .d = d, .p = p, .of_files = hashes, .owners = owners };
	struct order files, rows;

	if (!is_alike && match_by_location(&m))
		return true;
	judge_locations(p);
	if (!order_by_key(d->arena, &m, (uint32_t)p->n_hashes, key_of_row, &rows))
		return false;
	if (p->file_traits & PAK_NAME_HIGH)
		choose_spellings(&m, &rows);
	if (!order_by_key(d->arena, &m, (uint32_t)p->n_files, key_of_file, &files))
		return false;
	merge(&m, &files, &rows);
	return true;
}
