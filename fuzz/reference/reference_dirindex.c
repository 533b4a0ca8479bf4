/* A reference reading of a directory index, by marking until nothing changes. */
#include "reference/reference_dirindex.h"

#include <string.h>

#include "reference/reference.h"

#define NONE 0xFFFFFFFFu

uint32_t reference_directory(const struct reference_index *x, uint64_t i, unsigned field)
{
	return (uint32_t)reference_u32(x->data + x->directories + 16 * i + 4 * field);
}

uint32_t reference_file(const struct reference_index *x, uint64_t i, unsigned field)
{
	return (uint32_t)reference_u32(x->data + x->files + 12 * i + 4 * field);
}

/* ---- Tables ---------------------------------------------------------------------------------- */

uint32_t reference_unit(const struct reference_string *s, uint64_t i)
{
	return s->wide ? s->units[2 * i] | (uint32_t)s->units[2 * i + 1] << 8 : s->units[i];
}

static bool take_string(struct reference_index *x, uint64_t *at, struct reference_string *s)
{
	uint64_t raw, width, n;

	if (x->size - *at < 4)
		return false;
	raw = reference_u32(x->data + *at);
	s->wide = raw >= 0x80000000u;
	width = s->wide ? 2 : 1;
	n = s->wide ? 0x100000000u - raw : raw;
	if (n == 0x80000000u || n * width > x->size - *at - 4)
		return false;
	s->at = *at;
	s->units = x->data + *at + 4;
	s->n = n;
	*at += 4 + n * width;
	s->ended = n == 0 || (s->units[(n - 1) * width] == 0 &&
			      (!s->wide || s->units[(n - 1) * width + 1] == 0));
	if (n > 0 && s->ended)
		s->n--;
	s->plain = true;
	for (uint64_t i = 0; i < s->n && s->plain; i++)
		s->plain = reference_unit(s, i) > 0 && reference_unit(s, i) < 0x80;
	return true;
}

/* The rows after a count; false: it is negative, or they are more than the bytes that are left. */
static bool take_rows(struct reference_index *x, uint64_t *at, uint64_t row, uint64_t *n,
		      uint64_t *rows)
{
	if (x->size - *at < 4)
		return false;
	*n = reference_u32(x->data + *at);
	*rows = *at + 4;
	if (*n >= 0x80000000u || *n * row > x->size - *at - 4)
		return false;
	*at += 4 + *n * row;
	return true;
}

static bool read_tables(struct reference_index *x)
{
	uint64_t at = 0, strings;
	struct reference_string extra;

	if (!take_string(x, &at, &x->mount) ||
	    !take_rows(x, &at, 16, &x->n_directories, &x->directories) ||
	    !take_rows(x, &at, 12, &x->n_files, &x->files) ||
	    !take_rows(x, &at, 4, &x->n_strings, &strings))
		return false;
	x->begun = true;
	at = strings;
	x->large = x->n_directories > REFERENCE_ROWS || x->n_files > REFERENCE_ROWS ||
		   x->n_strings > REFERENCE_ROWS;
	x->plain = x->mount.plain;
	for (uint64_t i = 0; i < x->n_strings; i++) {
		struct reference_string *s = i < REFERENCE_ROWS ? &x->strings[i] : &extra;

		if (!take_string(x, &at, s))
			return false;
		x->plain = x->plain && s->plain;
	}
	x->left = x->size - at;
	return true;
}

/* ---- The tree -------------------------------------------------------------------------------- */

static bool is_link(uint32_t link, uint64_t n)
{
	return link == NONE || link < n;
}

static bool has_links(const struct reference_index *x)
{
	for (uint64_t i = 0; i < x->n_directories; i++)
		if (!is_link(reference_directory(x, i, 0), x->n_strings) ||
		    !is_link(reference_directory(x, i, 1), x->n_directories) ||
		    !is_link(reference_directory(x, i, 2), x->n_directories) ||
		    !is_link(reference_directory(x, i, 3), x->n_files))
			return false;
	for (uint64_t i = 0; i < x->n_files; i++)
		if (reference_file(x, i, 0) >= x->n_strings ||
		    !is_link(reference_file(x, i, 1), x->n_files))
			return false;
	return x->n_directories > 0 || x->n_files == 0;
}

/* Marks what is one link away; false: nothing new. */
static bool mark_directories(struct reference_index *x)
{
	bool any = false;

	for (uint64_t i = 0; i < x->n_directories; i++)
		for (unsigned field = 1; x->reached_directory[i] && field <= (i == 0 ? 1u : 2u);
		     field++) {
			uint32_t to = reference_directory(x, i, field);

			any = any || (to != NONE && !x->reached_directory[to]);
			if (to != NONE)
				x->reached_directory[to] = true;
		}
	return any;
}

static bool mark_files(struct reference_index *x)
{
	bool any = false;

	for (uint64_t i = 0; i < x->n_directories + x->n_files; i++) {
		bool is_file = i >= x->n_directories,
		     from = is_file ? x->reached_file[i - x->n_directories]
				    : x->reached_directory[i];
		uint32_t to = !from     ? NONE
			      : is_file ? reference_file(x, i - x->n_directories, 1)
					: reference_directory(x, i, 3);

		any = any || (to != NONE && !x->reached_file[to]);
		if (to != NONE)
			x->reached_file[to] = true;
	}
	return any;
}

/* How many links lead to a directory from what is reached. The root has one. */
static unsigned ways_to(const struct reference_index *x, uint64_t i)
{
	unsigned n = i == 0 ? 1 : 0;

	for (uint64_t k = 0; k < x->n_directories; k++)
		if (x->reached_directory[k])
			n += (reference_directory(x, k, 1) == i) +
			     (k > 0 && reference_directory(x, k, 2) == i);
	return n;
}

static unsigned ways_to_file(const struct reference_index *x, uint64_t i)
{
	unsigned n = 0;

	for (uint64_t k = 0; k < x->n_directories; k++)
		n += x->reached_directory[k] && reference_directory(x, k, 3) == i;
	for (uint64_t k = 0; k < x->n_files; k++)
		n += x->reached_file[k] && reference_file(x, k, 1) == i;
	return n;
}

static bool is_reached_once(const struct reference_index *x)
{
	for (uint64_t i = 0; i < x->n_directories; i++)
		if (x->reached_directory[i] && ways_to(x, i) != 1)
			return false;
	for (uint64_t i = 0; i < x->n_files; i++)
		if (x->reached_file[i] && ways_to_file(x, i) != 1)
			return false;
	return true;
}

static void set_parents(struct reference_index *x)
{
	for (uint64_t i = 0; i < x->n_directories; i++) {
		if (!x->reached_directory[i])
			continue;
		for (uint32_t to = reference_directory(x, i, 1); to != NONE;
		     to = reference_directory(x, to, 2))
			x->parent[to] = (uint32_t)i;
		for (uint32_t to = reference_directory(x, i, 3); to != NONE;
		     to = reference_file(x, to, 1))
			x->directory_of[to] = (uint32_t)i;
	}
}

static uint64_t depth_of(const struct reference_index *x, uint32_t i)
{
	uint64_t depth = 0;

	for (; i != 0; i = x->parent[i])
		depth++;
	return depth;
}

static bool read_tree(struct reference_index *x)
{
	if (!has_links(x))
		return false;
	x->reached_directory[0] = x->n_directories > 0;
	while (mark_directories(x))
		;
	while (mark_files(x))
		;
	if (!is_reached_once(x))
		return false;
	set_parents(x);
	for (uint32_t i = 0; i < x->n_directories; i++)
		if (x->reached_directory[i] && depth_of(x, i) > 256)
			return false;
	return true;
}

void reference_index_read(struct reference_index *x, const uint8_t *data, uint64_t size)
{
	memset(x, 0, sizeof *x);
	x->data = data;
	x->size = size;
	x->whole = read_tables(x);
	x->sound = x->whole && !x->large && read_tree(x);
}

/* ---- Paths ----------------------------------------------------------------------------------- */

/* A path is written backwards from its end, at out[at - 1] and before. */
static bool put_before(char *out, uint64_t *at, char c)
{
	if (*at == 0)
		return false;
	out[--*at] = c;
	return true;
}

static bool put_text(char *out, uint64_t *at, const struct reference_string *s)
{
	for (uint64_t i = s->n; i > 0; i--)
		if (!put_before(out, at, (char)reference_unit(s, i - 1)))
			return false;
	return true;
}

static bool put_name(const struct reference_index *x, char *out, uint64_t *at, uint32_t name)
{
	return name == NONE || put_text(out, at, &x->strings[name]);
}

uint64_t reference_index_path(const struct reference_index *x, uint64_t file,
			      char out[REFERENCE_PATH])
{
	uint64_t at = REFERENCE_PATH - 1;
	bool fits = put_name(x, out, &at, reference_file(x, file, 0));

	for (uint32_t i = x->directory_of[file]; fits && i != 0; i = x->parent[i])
		fits = put_before(out, &at, '/') &&
		       put_name(x, out, &at, reference_directory(x, i, 0));
	if (fits && (x->mount.n == 0 || reference_unit(&x->mount, x->mount.n - 1) != '/'))
		fits = put_before(out, &at, '/');
	if (!fits || !put_text(out, &at, &x->mount))
		return 0;
	memmove(out, out + at, (size_t)(REFERENCE_PATH - 1 - at));
	out[REFERENCE_PATH - 1 - at] = 0;
	return REFERENCE_PATH - 1 - at;
}
