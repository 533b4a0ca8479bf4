/* The keys of names: what is compared where Windows would compare names. */
#include "formats/archive/members/keys.h"

#include <string.h>

#include "core/order.h"
#include "core/path.h"

struct text member_path(const struct name_index *k, uint64_t row)
{
	return k->names ? k->names[row] : k->m->rows[row].name;
}

/* Names whose key is not the name itself. */
enum { HAS_OTHER_KEY = ARC_SELF | ARC_TRAILING | ARC_ROOTED | ARC_RESERVED };

struct text member_key(const struct name_index *k, uint64_t row)
{
	const struct arc_member *m = &k->m->rows[row];

	return k->plain || m->traits & HAS_OTHER_KEY ? k->other[row] : members_name_of(m);
}

/* ---- Other keys ------------------------------------------------------------------------------ */

static bool is_dropped(uint32_t c)
{
	return c == '.' || c == ' ';
}

/* A part without what says that its bytes, or its list of files, are meant, as they are without. */
static uint64_t without_stream(struct text name, uint64_t from, uint64_t to)
{
	static const char *const streams[] = { "::$DATA", "::$INDEX_ALLOCATION" };
	const struct text part = text_sub(name, from, to - from);

	for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
		if (part.ref.n_units > strlen(streams[i]) && text_ends(part, streams[i]))
			return to - strlen(streams[i]);
	return to;
}

/* A part without what Windows drops. `..` stays what it is. */
static uint64_t part_end(struct text name, uint64_t from, uint64_t to)
{
	uint64_t end = without_stream(name, from, to);

	if (to - from == 2 && text_unit(name, from) == '.' && text_unit(name, from + 1) == '.')
		return to;
	while (end > from && is_dropped(text_unit(name, end - 1)))
		end--;
	return end;
}

/* Appends the units from <= i < to of a name to a key of n units, after a separator. */
static uint32_t add_part(const struct text *name, uint64_t from, uint64_t to, uint8_t *out,
			 uint32_t n)
{
	const uint64_t width = text_width(name->ref.encoding);
	const struct text part = text_sub(*name, from, to - from);

	if (n > 0) {
		memset(out + n * width, 0, (size_t)width);
		out[n++ * width] = '/';
	}
	memcpy(out + n * width, part.data, (size_t)text_span(part.ref).len);
	return n + (uint32_t)(to - from);
}

static struct text write_key(struct text name, uint8_t *out)
{
	const uint32_t n = name.ref.n_units;
	struct text key = { out, { .encoding = name.ref.encoding } };

	for (uint64_t from = 0, to; from < n; from = to + 1) {
		for (to = from; to < n && !path_is_separator(text_unit(name, to)); to++)
			;
		if (part_end(name, from, to) > from)
			key.ref.n_units = add_part(&name, from, part_end(name, from, to), out,
						   key.ref.n_units);
	}
	return key;
}

/* A name of which nothing is left is none; only the folder that the archive is unpacked to may be
 * called so. */
static void note_empty(struct arc_member *m, const struct text *key)
{
	if (key->ref.n_units == 0 && (m->kind != ARC_DIRECTORY || m->name.ref.n_units == 0))
		m->traits |= ARC_EMPTY_NAME;
}

/* Without HAS_OTHER_KEY a name of no parts has no units. */
static bool make_other_key(struct decode *d, uint32_t group, struct name_index *k, uint32_t row,
			   uint32_t *hash)
{
	struct arc_member *m = &k->m->rows[row];
	const struct text name = members_name_of(m);
	uint8_t *out;

	if (!k->other)
		k->other = decode_alloc(d, group, k->m->n, sizeof *k->other);
	out = decode_alloc(d, group, (uint64_t)name.ref.n_units, 2);
	if (!k->other || !out)
		return false;
	k->other[row] = write_key(name, out);
	*hash = path_examine(k->other[row]).hash;
	return true;
}

bool member_keys_make(struct decode *d, uint32_t group, struct name_index *k)
{
	for (uint32_t i = 0; i < k->m->n; i++) {
		struct text key;

		if (k->m->rows[i].traits & HAS_OTHER_KEY &&
		    !make_other_key(d, group, k, i, &k->hashes[i]))
			return false;
		key = member_key(k, i);
		note_empty(&k->m->rows[i], &key);
	}
	return true;
}

/* ---- Comparing --------------------------------------------------------------------- */

/* Keys that are the same have as many units. */
int member_keys_compare(struct text a, struct text b)
{
	const int by_length = order_numbers(a.ref.n_units, b.ref.n_units);

	return by_length != 0 ? by_length : path_compare(a, b);
}

int member_spelling_compare(struct text a, struct text b)
{
	const uint64_t n = text_span(a.ref).len, m = text_span(b.ref).len;
	const int by_length = order_numbers(n, m);

	return by_length != 0 || n == 0 ? by_length : memcmp(a.data, b.data, (size_t)n);
}

bool member_next_part(struct text name, uint32_t *at, struct text *part)
{
	const uint32_t n = name.ref.n_units;

	while (*at < n) {
		const uint32_t from = *at;
		uint32_t to = from;

		while (to < n && !path_is_separator(text_unit(name, to)))
			to++;
		*at = to < n ? to + 1 : n;
		*part = text_sub(name, from, to - from);
		if (to > from && (to - from > 1 || text_unit(name, from) != '.'))
			return true;
	}
	return false;
}

int member_paths_compare(struct text a, struct text b)
{
	const int by_encoding = order_numbers(a.ref.encoding, b.ref.encoding);
	uint32_t in_a = 0, in_b = 0;
	struct text x, y;

	if (by_encoding != 0 || member_spelling_compare(a, b) == 0)
		return by_encoding;
	for (;;) {
		const bool has_x = member_next_part(a, &in_a, &x),
			   has_y = member_next_part(b, &in_b, &y);
		const int order = has_x && has_y ? member_spelling_compare(x, y)
						 : order_numbers(has_x, has_y);

		if (order != 0 || !has_x)
			return order;
	}
}

/* Those of one path stand together. */
int member_names_compare(const void *keys, uint32_t a, uint32_t b)
{
	const struct name_index *k = keys;
	const int by_key = member_keys_compare(member_key(k, a), member_key(k, b));

	return by_key != 0 ? by_key : member_paths_compare(member_path(k, a), member_path(k, b));
}

static uint64_t hash_of(const void *index, uint32_t i)
{
	return ((const struct name_index *)index)->hashes[i];
}

bool member_keys_order(struct decode *d, uint32_t group, struct name_index *k)
{
	if (!k->is_ordered && !order_by_hash(d->arena, k, (uint32_t)k->m->n, hash_of,
					     member_names_compare, &k->by_hash))
		return decode_stop(d, group, STOP_MEMORY, (struct span){ 0, 0 });
	k->is_ordered = true;
	return true;
}

/* What is looked for in the order: the rows of a key, or those of a path before another row. */
struct wanted {
	uint32_t hash;
	struct text key;
	const struct text *path; /* NULL: of any */
	uint64_t before;
};

/* The first place in the order that does not come before what is wanted; of a path, the first from
 * that row on. */
static uint32_t first_place(const struct name_index *k, const struct wanted *w)
{
	uint32_t low = 0, high = k->by_hash.n;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2,
			       row = order_row(&k->by_hash, middle);
		int order = order_numbers(k->hashes[row], w->hash);

		if (order == 0)
			order = member_keys_compare(member_key(k, row), w->key);
		if (order == 0 && w->path)
			order = member_paths_compare(k->m->rows[row].name, *w->path);
		if (order == 0 && w->path) /* rows of one path are in the order of the list */
			order = order_numbers(row, w->before);
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The row at a place of the order, if it has the key and the path that are wanted. */
static uint64_t row_at(const struct name_index *k, uint32_t place, const struct wanted *w)
{
	uint32_t row;

	if (place >= k->by_hash.n)
		return MEMBER_NONE;
	row = order_row(&k->by_hash, place);
	return k->hashes[row] == w->hash && member_keys_compare(member_key(k, row), w->key) == 0 &&
			       (!w->path ||
				member_paths_compare(k->m->rows[row].name, *w->path) == 0)
		       ? row
		       : MEMBER_NONE;
}

static uint64_t last_of_path(const struct name_index *k, const struct wanted *w)
{
	const uint32_t place = first_place(k, w);

	return place > 0 ? row_at(k, place - 1, w) : MEMBER_NONE;
}

uint64_t member_keys_find(const struct name_index *k, uint32_t hash, struct text key,
			  const struct text *path)
{
	const struct wanted w = { hash, key, path, UINT64_MAX };

	return path ? last_of_path(k, &w) : row_at(k, first_place(k, &w), &w);
}

bool member_key_of(struct decode *d, uint32_t group, struct text name, struct text *out)
{
	uint8_t *bytes = decode_alloc(d, group, (uint64_t)name.ref.n_units, 2);

	if (!bytes)
		return false;
	*out = write_key(name, bytes);
	return true;
}

uint64_t member_keys_find_before(const struct name_index *k, uint32_t hash, struct text key,
				 struct text path, uint64_t before)
{
	enum { PATHS_MAX = 16 }; /* of more that differ in the case of letters nobody is asked */
	const struct wanted any = { hash, key, NULL, before };
	struct wanted one = { hash, key, &path, before };
	uint64_t found = last_of_path(k, &one);
	uint32_t place = first_place(k, &any);

	for (unsigned i = 0; found == MEMBER_NONE && i < PATHS_MAX; i++) {
		const uint64_t row = row_at(k, place, &any);

		if (row == MEMBER_NONE)
			break;
		path = k->m->rows[row].name;
		found = last_of_path(k, &one);
		one.before = UINT64_MAX;
		place = first_place(k, &one);
		one.before = before;
	}
	return found;
}

bool member_keys_have_link(const struct name_index *k, uint32_t hash, struct text key)
{
	enum { ROWS_MAX = 64 };
	const struct wanted w = { hash, key, NULL, UINT64_MAX };
	const uint32_t first = first_place(k, &w);

	for (uint32_t i = 0; i < ROWS_MAX; i++) {
		const uint64_t row = row_at(k, first + i, &w);

		if (row == MEMBER_NONE)
			return false;
		if (k->m->rows[row].traits & ARC_LINK)
			return true;
	}
	return true;
}
