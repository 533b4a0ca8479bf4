/* The files of the directories that the path-hash index keeps, against the paths of the full
 * directory index: a game that loads the one lists other files than whoever reads the other. */
#include "formats/pak/parts.h"

#include "core/mutant.h"
#include "core/order.h"

/* What they are looked up in: paths by their hashes, or, where there are none, the rows of the
 * path-hash index. */
struct listed {
	const struct pak *p;
	const uint64_t *hashes; /* of paths; NULL: rows are looked up */
	uint64_t *keys;         /* second hashes of paths */
	struct order by_hash;
};

/* A file that is kept. Of rows three hashes are looked for, one of each spelling. */
struct wanted {
	uint64_t hashes[PAK_SPELLINGS];
	uint64_t key;
	int64_t location;
};

static uint64_t hash_of(const void *listed, uint32_t i)
{
	const struct listed *l = listed;

	return l->hashes ? l->hashes[i] : pak_row_hash(l->p, i);
}

static uint64_t key_of(const struct listed *l, uint32_t i)
{
	return l->hashes ? l->keys[i] : 0;
}

static uint64_t place_of(const struct listed *l, uint32_t i)
{
	return (uint32_t)(l->hashes ? pak_file_location(l->p, &l->p->files[i])
				    : pak_hash_location(l->p, i));
}

static int compare(const void *listed, uint32_t a, uint32_t b)
{
	const struct listed *l = listed;

	if (key_of(l, a) != key_of(l, b))
		return order_numbers(key_of(l, a), key_of(l, b));
	return order_numbers(place_of(l, a), place_of(l, b));
}

static int match_path(const void *listed, uint32_t i, const void *what)
{
	const struct wanted *w = what;

	return order_numbers(key_of(listed, i), w->key);
}

static int match_place(const void *listed, uint32_t i, const void *what)
{
	const struct wanted *w = what;
	const int by_path = match_path(listed, i, what);

	return by_path != 0 ? by_path : order_numbers(place_of(listed, i), (uint32_t)w->location);
}

static bool is_there(const struct listed *l, const struct wanted *w, order_match *match)
{
	for (unsigned i = 0; i < PAK_SPELLINGS; i++) {
		if (order_find(&l->by_hash, l, hash_of, w->hashes[i], match, w) != ORDER_NONE)
			return true;
		if (l->hashes)
			return false; /* paths have the hash of one spelling */
	}
	return false;
}

static void judge(struct pak *p, const struct listed *l, const struct wanted *w,
		  struct pak_kept kept)
{
	const bool is_elsewhere = is_there(l, w, match_path);
	const enum pak_sort sort = is_elsewhere ? PAK_KEPT_ELSEWHERE : PAK_KEPT_UNLISTED;

	if (is_elsewhere && is_there(l, w, match_place))
		return;
	if (p->some[sort].n == 0)
		*(is_elsewhere ? &p->kept_elsewhere : &p->kept_unlisted) = kept;
	pak_note(p, sort, kept.name);
}

/* Goes on with one more part of a path. */
static void add_part(const struct listed *l, struct wanted *w, bool of_file,
		     const struct text *part)
{
	struct pak_spelled s;

	if (l->hashes) {
		w->hashes[0] = pak_path_hash(l->p, w->hashes[0], part);
		w->key = pak_path_key(w->key, part);
		return;
	}
	memcpy(s.hashes, w->hashes, sizeof s.hashes);
	pak_spell_part(l->p, &s, pak_has_utf8(l->p, of_file), part);
	memcpy(w->hashes, s.hashes, sizeof s.hashes);
}

/* The name of a directory, without the separator at its front, and the count of its files. */
static bool take_directory(const struct listed *l, struct cursor *c, struct wanted *out,
			   uint64_t *n_files)
{
	struct text name = { NULL, { .at = 0 } };
	int64_t length;
	const bool has_name = pak_take_name(l->p, false, c, &name, &length);
	uint64_t n = 0;
	const bool has_count = cursor_u32(c, &n);

	if (NEVER(!has_name || !has_count))
		return false;
	*n_files = n;
	name = pak_below_mount(name);
	*out = (struct wanted){ .key = 0 };
	for (unsigned i = 0; i < PAK_SPELLINGS; i++)
		out->hashes[i] = pak_hash_start(l->p);
	add_part(l, out, false, &name);
	return true;
}

static bool take_file(const struct listed *l, struct cursor *c, struct wanted *w)
{
	struct text name = { NULL, { .at = 0 } };
	int64_t length;
	const bool has_name = pak_take_name(l->p, true, c, &name, &length);
	const bool has_location = pak_take_number(c, &w->location);

	if (NEVER(!has_name || !has_location))
		return false;
	add_part(l, w, true, &name);
	return true;
}

/* Goes over one of the directories, of which all rows were counted before. */
static bool judge_directory(struct decode *d, struct pak *p, const struct listed *l,
			    struct cursor *c)
{
	struct pak_kept kept = { .directory = (uint32_t)c->pos };
	struct wanted folder, w;
	uint64_t n = 0;
	bool is_whole = take_directory(l, c, &folder, &n);

	for (uint64_t i = 0; i < n; i++) {
		if (!decode_goes_on(d, PAK_NAMES, i))
			return false;
		/* mutant: the name of a file that is kept begins at the end of what there is */
		kept.name = (uint32_t)(MUTANT(359) ? c->len : c->pos);
		w = folder;
		is_whole = take_file(l, c, &w);
		kept.location = (int32_t)w.location;
		if (ALWAYS(is_whole))
			judge(p, l, &w, kept);
	}
	return ALWAYS(is_whole);
}

static bool judge_all(struct decode *d, struct pak *p, const struct listed *l)
{
	const struct pak_part *part = &p->path_hashes;
	struct cursor c = cursor_init(part->held.bytes, part->held.len, part->at.at);
	uint64_t n = 0;
	const bool has_place = cursor_seek(&c, part->at.at + p->kept_at);
	const bool has_rows = cursor_u32(&c, &n) & has_place;

	for (uint64_t i = 0; i < n; i++)
		if (!decode_goes_on(d, PAK_NAMES, i) || !judge_directory(d, p, l, &c))
			return false;
	return ALWAYS(has_rows);
}

/* The name of a directory was hashed before. */
static bool make_keys(struct decode *d, struct listed *l)
{
	const struct pak *p = l->p;

	/* mutant: of several paths the last has no second hash */
	l->keys = decode_alloc(d, PAK_NAMES, p->n_files - (uint64_t)(MUTANT(356) && p->n_files > 1),
			       sizeof *l->keys);
	for (uint64_t i = 0; l->keys && i < p->n_files; i++)
		l->keys[i] = pak_path_key_of(p, &p->files[i]);
	return l->keys != NULL;
}

bool pak_compare_kept(struct decode *d, struct pak *p, const uint64_t *hashes)
{
	const struct arena_mark mark = arena_mark(d->arena);
	const uint64_t n = hashes ? p->n_files : p->n_hashes;
	struct listed l = { .p = p, .hashes = hashes };
	bool done;

	if (p->n_kept == 0)
		return true;
	done = decode_spend(d, PAK_NAMES, n + 4 * p->n_kept) && (!hashes || make_keys(d, &l)) &&
	       order_by_hash(d->arena, &l, (uint32_t)n, hash_of, compare, &l.by_hash) &&
	       judge_all(d, p, &l);
	arena_rewind(d->arena, mark);
	return done;
}
