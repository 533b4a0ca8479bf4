/* Files since version 10: the paths of the full directory index, or, where that is missing, the
 * rows of the path-hash index; and the records that their locations mean. */
#include "core/mutant.h"
#include "formats/pak/parts.h"

#include "core/path.h"
#include "formats/blocks/index_string.h"

/* What is kept while files are made. */
struct build {
	struct decode *d;
	struct pak *p;
	struct pak_owners owners;
	uint64_t *hashes; /* of paths; NULL: there are only hashes */
	uint64_t n_unlisted;
	bool has_unknown_layout; /* a record is one that cannot be read */
	bool is_alike;           /* two paths may have the same hash */
};

/* ---- Locations ------------------------------------------------------------------------------- */

uint32_t pak_record_at(const struct pak *p, int64_t location, uint64_t *defect)
{
	const uint64_t number = (uint64_t)(-(location + 1));

	*defect = 0;
	if (location == PAK_NO_LOCATION)
		return PAK_NONE;
	if (location < 0) {
		if (number < p->n_plain + (uint64_t)MUTANT(301)) /* mutant: one record more */
			return p->plain[number];
		*defect = PAK_NO_RECORD;
		return PAK_NONE;
	}
	/* mutant: a record may begin where they all end */
	if ((uint64_t)location < p->encoded.len + PAK_SLOT * (uint64_t)MUTANT(300) &&
	    location % PAK_SLOT == 0)
		return (uint32_t)(p->encoded_at + (uint64_t)location);
	*defect = PAK_LOCATION_OUTSIDE;
	return PAK_NONE;
}

/* Where the owner of a location that has a record is noted. */
static uint32_t *owner_at(const struct pak_owners *owners, int64_t location)
{
	return location < 0 ? &owners->of_plain[-(location + 1)]
			    : &owners->of_slot[location / PAK_SLOT];
}

uint32_t pak_owner(const struct pak *p, const struct pak_owners *owners, int64_t location)
{
	uint64_t defect;
	const bool has_record = pak_record_at(p, location, &defect) != PAK_NONE;

	return has_record ? *owner_at(owners, location) : PAK_NONE;
}

bool pak_is_unlisted(const struct pak *p, const struct pak_owners *owners, int64_t location)
{
	uint64_t defect;

	return pak_record_at(p, location, &defect) != PAK_NONE &&
	       *owner_at(owners, location) >= p->n_paths; /* or PAK_NONE */
}

/* Notes which file has the record of a location first. */
static void place_file(struct build *b, struct pak_file *row, int64_t location)
{
	struct pak *p = b->p;
	uint64_t defect;
	uint32_t *owner;

	row->record = pak_record_at(p, location, &defect);
	if (row->record == PAK_NONE) {
		pak_mark(p, row, defect != 0 ? defect : PAK_DELETED);
		p->n_deleted += defect == 0;
		return;
	}
	b->has_unknown_layout |= location >= 0 && pak_has_unknown_layout(p, row->record);
	owner = owner_at(&b->owners, location);
	if (*owner != PAK_NONE)
		pak_mark(p, row, PAK_RECORD_SHARED);
	else
		*owner = (uint32_t)(row - p->files);
}

static void note_unused(struct pak *p, uint64_t from, uint64_t to)
{
	if (from >= to)
		return;
	if (p->n_unused == 0)
		p->unused_at = from;
	p->n_unused += to - from;
}

static uint64_t end_of_plain(const struct pak *p, uint64_t i)
{
	return i + 1 < p->n_plain ? p->plain[i + 1] : p->index.held.len - p->index.n_left;
}

/* Judges the records in their order, each once: one that begins in another would be judged with
 * that one's bytes. */
static void judge_records(struct build *b)
{
	struct pak *p = b->p;
	uint64_t end = p->encoded_at;

	for (uint64_t i = 0; i < b->owners.n_slots; i++) {
		const uint32_t owner = b->owners.of_slot[i];

		if (owner == PAK_NONE)
			continue;
		if (p->files[owner].record < end) {
			pak_mark(p, &p->files[owner], PAK_RECORD_INSIDE);
			continue;
		}
		note_unused(p, end, p->files[owner].record);
		pak_judge_record(p, &p->files[owner], &end);
	}
	note_unused(p, end, p->encoded_at + p->encoded.len);
	for (uint64_t i = 0; i < p->n_plain; i++) {
		if (b->owners.of_plain[i] != PAK_NONE)
			pak_judge_record(p, &p->files[b->owners.of_plain[i]], &end);
		else
			note_unused(p, p->plain[i], end_of_plain(p, i));
	}
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* What a directory says of its files. */
struct folder {
	uint32_t number, traits;
	uint64_t hash;
};

static struct folder folder_of(const struct pak *p, uint32_t number)
{
	const struct text name = pak_directory_name(p, number);
	struct folder f = { .number = number };
	bool is_plain;

	if (name.ref.n_units > 0)
		pak_quick_hash(&name, &f.traits, &is_plain);
	f.hash = pak_path_hash(p, pak_hash_start(p), &name);
	return f;
}

static struct folder enter(struct pak *p, struct cursor *c, uint32_t number)
{
	const uint64_t at = c->pos;
	struct text name;
	int64_t length;
	const bool is_there = pak_take_name(p, false, c, &name, &length);

	p->directories[number] = (struct pak_directory){ .name = (uint32_t)at };
	return ALWAYS(is_there) ? folder_of(p, number) : (struct folder){ .number = number };
}

static void add_file(struct build *b, const struct folder *f, uint64_t at, const struct text *name,
		     int64_t location)
{
	struct pak *p = b->p;
	struct pak_file *row = &p->files[p->n_files];
	bool is_plain;

	*row = (struct pak_file){ .name = (uint32_t)at, .directory = f->number };
	row->traits = f->traits;
	pak_quick_hash(name, &row->traits, &is_plain);
	if (!is_plain)
		pak_note(p, PAK_NAME_UNUSUAL, p->n_files);
	b->hashes[p->n_files] = pak_path_hash(p, f->hash, name);
	place_file(b, row, location);
	if (text_find(*name, '/', 0) < name->ref.n_units)
		pak_note(p, PAK_FILE_SPLIT,
			 p->n_files + MUTANT(361)); /* mutant: the file behind it is told */
	p->file_traits |= row->traits;
	p->n_files++;
}

static void take_file(struct build *b, struct cursor *c, const struct folder *f)
{
	const uint64_t at = c->pos;
	struct text name = { NULL, { .at = 0 } };
	int64_t length, location = 0;
	const bool has_name = pak_take_name(b->p, true, c, &name, &length);
	const bool is_whole = pak_take_number(c, &location) & has_name;

	if (ALWAYS(is_whole))
		add_file(b, f, at, &name, location);
}

static uint64_t take_count(struct cursor *c)
{
	uint64_t n = 0;
	const bool is_there = cursor_u32(c, &n);

	return ALWAYS(is_there) ? n : 0;
}

/* The rows were counted before, and all of them are there. */
static bool fill_from_rows(struct build *b)
{
	struct pak *p = b->p;
	struct cursor c = cursor_init(p->directory.held.bytes, p->directory.held.len,
				      p->directory.at.at);

	take_count(&c); /* of directories */
	for (uint32_t i = 0; i < p->n_directories; i++) {
		const struct folder f = enter(p, &c, i);

		const uint64_t n = take_count(&c);

		if (!decode_goes_on(b->d, PAK_ENTRIES, i))
			return false;
		p->directories[i].first = (uint32_t)p->n_files;
		p->directories[i].count = (uint32_t)n;
		for (uint64_t k = 0; k < n; k++) {
			if (!decode_goes_on(b->d, PAK_ENTRIES, p->n_files))
				return false;
			take_file(b, &c, &f);
		}
	}
	return true;
}

/* Since version 15 names and locations are columns of tables. */
static bool fill_from_tables(struct build *b)
{
	struct pak *p = b->p;

	for (uint32_t i = 0; i < p->n_directories; i++) {
		const struct folder f = folder_of(p, i);

		if (!decode_goes_on(b->d, PAK_ENTRIES, i))
			return false;
		for (uint32_t k = 0; k < p->directories[i].count; k++) {
			const uint64_t number = p->n_files;
			const uint64_t at = p->flat.starts_at + PAK_NUMBER_LEN * number;
			struct pak_file row = { .name = (uint32_t)at, .directory = i };
			const struct text name = pak_file_name(p, &row);

			if (!decode_goes_on(b->d, PAK_ENTRIES, number))
				return false;
			add_file(b, &f, row.name, &name, pak_flat_location(p, number));
		}
	}
	return true;
}

static bool fill_from_directory(struct build *b)
{
	struct pak *p = b->p;

	p->names = p->directory.held;
	p->names_at = p->directory.at.at;
	return pak_is_flat(p) ? fill_from_tables(b) : fill_from_rows(b);
}

/* The file of row i of the path-hash index. */
static void add_nameless(struct build *b, uint64_t i, uint64_t traits)
{
	struct pak *p = b->p;
	struct pak_file *row = &p->files[p->n_files++];

	*row = (struct pak_file){
		.name = (uint32_t)(pak_number_fixed_len + i * pak_path_hash_fixed_len),
		.directory = PAK_NONE,
	};
	pak_mark(p, row, traits);
	place_file(b, row, pak_hash_location(p, i));
}

static bool fill_from_hashes(struct build *b)
{
	struct pak *p = b->p;

	for (uint64_t i = 0; i < p->n_hashes; i++) {
		if (!decode_goes_on(b->d, PAK_ENTRIES, i))
			return false;
		add_nameless(b, i, 0);
	}
	return true;
}

/* ---- All together ---------------------------------------------------------------------------- */

static bool make_rows(struct build *b, uint64_t n)
{
	struct pak *p = b->p;

	p->files = decode_alloc(b->d, PAK_ENTRIES, n, sizeof *p->files);
	p->by_offset = decode_alloc(b->d, PAK_ENTRIES, n, sizeof *p->by_offset);
	p->directories = decode_alloc(b->d, PAK_ENTRIES, p->n_directories, sizeof *p->directories);
	return p->files && p->by_offset && p->directories &&
	       decode_spend(b->d, PAK_ENTRIES, 2 * n) &&
	       (!p->has_paths || !pak_is_flat(p) || pak_decode_directories(b->d, p));
}

static bool make_owners(struct build *b)
{
	const struct pak *p = b->p;
	struct pak_owners *o = &b->owners;

	o->n_slots = (p->encoded.len + PAK_SLOT - 1) / PAK_SLOT;
	o->of_slot = decode_alloc(b->d, PAK_ENTRIES, o->n_slots, sizeof *o->of_slot);
	o->of_plain = decode_alloc(b->d, PAK_ENTRIES, p->n_plain, sizeof *o->of_plain);
	if (!o->of_slot || !o->of_plain)
		return false;
	memset(o->of_slot, 0xFF, (size_t)o->n_slots * sizeof *o->of_slot);
	memset(o->of_plain, 0xFF, (size_t)p->n_plain * sizeof *o->of_plain);
	return decode_spend(b->d, PAK_ENTRIES, o->n_slots / 4 + p->n_plain);
}

static bool has_hashes(const struct build *b)
{
	return b->p->path_hashes.is_there && decode_has(b->d, PAK_PATH_HASHES);
}

static bool find_same(struct build *b)
{
	const struct arena_mark mark = arena_mark(b->d->arena);
	struct pak *p = b->p;
	uint32_t *short_hashes = decode_alloc(b->d, PAK_NAMES, p->n_files, sizeof *short_hashes);
	struct pak_hashes hashes = { .suspects = short_hashes, .whole = b->hashes };
	bool done;

	for (uint64_t i = 0; short_hashes && i < p->n_files; i++)
		short_hashes[i] = (uint32_t)(b->hashes[i] ^ b->hashes[i] >> 32);
	done = short_hashes && pak_find_same(b->d, p, &hashes);
	b->is_alike = hashes.is_alike;
	arena_rewind(b->d->arena, mark);
	return done;
}

/* Paths that are the same have the same hash only until those that are not known are set. */
static bool compare_paths(struct build *b)
{
	if (!find_same(b) || (has_hashes(b) && !pak_compare_kept(b->d, b->p, b->hashes)))
		return false;
	if (pak_is_flat(b->p))
		pak_match_own(b->p, b->hashes, &b->owners);
	return !has_hashes(b) || pak_match(b->d, b->p, b->hashes, b->is_alike, &b->owners);
}

/* ---- Files without a path -------------------------------------------------------------------- */

static bool is_unlisted(const struct build *b, uint64_t i)
{
	return pak_is_unlisted(b->p, &b->owners, pak_hash_location(b->p, i));
}

/* Rows for n files more, after those that there are. */
static bool make_more_rows(struct build *b, uint64_t n)
{
	struct pak *p = b->p;
	const uint64_t all = p->n_files + n;
	struct pak_file *files;
	uint32_t *by_offset;

	if (all > b->d->limits->of[LIMIT_entries])
		return decode_stop_limit(b->d, PAK_ENTRIES, LIMIT_entries, p->path_hashes.at);
	/* mutant: of several files without a path one has no row */
	files = decode_alloc(b->d, PAK_ENTRIES, all - (uint64_t)(MUTANT(338) && n > 1),
			     sizeof *files);
	by_offset = decode_alloc(b->d, PAK_ENTRIES, all, sizeof *by_offset);
	if (!files || !by_offset)
		return false;
	memcpy(files, p->files, (size_t)(p->n_files * sizeof *files));
	p->files = files;
	p->by_offset = by_offset;
	return true;
}

/* A game finds these files, and whoever goes by paths does not see them. */
static bool add_unlisted(struct build *b)
{
	struct pak *p = b->p;

	for (uint64_t i = 0; i < p->n_hashes; i++)
		b->n_unlisted += is_unlisted(b, i);
	if (b->n_unlisted == 0)
		return true;
	if (!make_more_rows(b, b->n_unlisted))
		return false;
	for (uint64_t i = 0; i < p->n_hashes; i++)
		if (is_unlisted(b, i))
			add_nameless(b, i, PAK_UNLISTED);
	return true;
}

static bool build_files(struct build *b, bool has_paths)
{
	bool done = make_owners(b);

	if (done && has_paths) {
		b->hashes = decode_alloc(b->d, PAK_ENTRIES, b->p->n_paths, sizeof *b->hashes);
		done = b->hashes != NULL && fill_from_directory(b);
	} else if (done) {
		done = fill_from_hashes(b);
	}
	if (!done)
		return false;
	done = has_paths ? compare_paths(b)
			 : pak_find_repeated(b->d, b->p) && pak_compare_kept(b->d, b->p, NULL);
	if (!done && decode_has(b->d, PAK_NAMES))
		decode_stop(b->d, PAK_NAMES, STOP_MEMORY, (struct span){ 0, 0 });
	if (has_paths && has_hashes(b) && !add_unlisted(b))
		return false;
	if (b->has_unknown_layout)
		return decode_stop_key(b->d, PAK_ENTRIES, PAK_LAYOUT_UNKNOWN, b->p->index.at);
	judge_records(b);
	return true;
}

bool pak_read_files(struct decode *d, struct pak *p)
{
	const bool has_paths = p->directory.is_there && decode_has(d, PAK_DIRECTORY);
	struct build b = { .d = d, .p = p };
	struct arena_mark mark;
	bool done;

	p->has_paths = has_paths;
	if (!has_paths && !has_hashes(&b))
		return decode_stop_needs(d, PAK_ENTRIES,
					 p->directory.is_there ? PAK_DIRECTORY : PAK_PATH_HASHES);
	if (!make_rows(&b, has_paths ? p->n_paths : p->n_hashes) ||
	    (has_hashes(&b) && !pak_make_strays(d, p)))
		return false;
	mark = arena_mark(d->arena);
	done = build_files(&b, has_paths);
	if (b.n_unlisted == 0) /* else what is kept lies after what is not */
		arena_rewind(d->arena, mark);
	return done;
}
