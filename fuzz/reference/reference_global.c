/* Script objects, one at a time: each is looked for among all others, each path is made anew. */
#include "reference/reference_global.h"

#include <stdio.h>
#include <string.h>

#include "reference/reference.h"
#include "reference/reference_utoc.h"

enum {
	ROW = 32,
	PADDING_MAX = 15,
	PATH_LONGEST = 1024,
	PATH_NAMES_MAX = 64,
	NONE = REFERENCE_OBJECTS_MAX
};

enum field { FIELD_NAME = 0, FIELD_NUMBER = 4, FIELD_ID = 8, FIELD_OUTER = 16, FIELD_CLASS = 24 };

static uint64_t field(const struct reference_global *g, uint64_t i, enum field at)
{
	const uint8_t *row = g->rows.p + g->rows_at + ROW * i;

	return reference_read(row + at, at < FIELD_ID ? 4 : 8);
}

/* ---- What refers to what --------------------------------------------------------------------- */

/* The first script object with an id. */
static uint64_t find(const struct reference_global *g, uint64_t id)
{
	for (uint64_t i = 0; i < g->n; i++)
		if (field(g, i, FIELD_ID) == id)
			return i;
	return NONE;
}

static void resolve(struct reference_global *g, uint64_t i)
{
	const uint64_t name = field(g, i, FIELD_NAME), outer = field(g, i, FIELD_OUTER),
		       class = field(g, i, FIELD_CLASS);
	struct reference_object *o = &g->objects[i];

	*o = (struct reference_object){ .outer = NONE, .class = NONE };
	if (outer != UINT64_MAX)
		o->outer = find(g, outer);
	if (class != UINT64_MAX)
		o->class = find(g, class);
	o->no_outer = outer != UINT64_MAX && o->outer == NONE;
	o->no_class = class != UINT64_MAX && o->class == NONE;
	o->name_out = name >> 30 != 2 || name % (1u << 30) >= g->names.n;
}

/* Whether outers lead back to a script object; they do so within as many steps as there are. */
static bool leads_back(const struct reference_global *g, uint64_t i)
{
	uint64_t at = g->objects[i].outer;

	for (uint64_t steps = 0; at != NONE && at != i && steps < g->n; steps++)
		at = g->objects[at].outer;
	return at == i;
}

/* ---- Paths ----------------------------------------------------------------------------------- */

static size_t put_name(const struct reference_global *g, uint64_t i, char *out, size_t room)
{
	const struct reference_text *t = &g->names.names[field(g, i, FIELD_NAME) % (1u << 30)];
	const uint64_t number = field(g, i, FIELD_NUMBER);
	size_t n = 0;

	for (uint64_t k = 0; k < t->n && n < room; k++) {
		const char c = (char)reference_text_unit(g->names.p, t, k);

		out[n++] = c == '.' || c == ':' ? '/' : c;
	}
	if (number > 0 && n < room) {
		const int more = snprintf(out + n, room - n, "_%llu",
					  (unsigned long long)number - 1);

		n += (size_t)more;
	}
	return n;
}

/* Whether a name can be part of a path that is compared. */
static bool is_known(const struct reference_global *g, uint64_t i)
{
	const struct reference_object *o = &g->objects[i];

	return !o->name_out && !o->no_outer &&
	       reference_text_is_ascii(g->names.p,
				       &g->names.names[field(g, i, FIELD_NAME) % (1u << 30)]);
}

/* The rows from the outermost to the script object itself; 0: there are too many, or one has no
 * name. */
static uint64_t list_outers(const struct reference_global *g, uint64_t i,
			    uint64_t rows[PATH_NAMES_MAX])
{
	uint64_t n = 0;

	for (uint64_t at = i; at != NONE; at = g->objects[at].outer) {
		if (n == PATH_NAMES_MAX || !is_known(g, at))
			return 0;
		memmove(rows + 1, rows, n * sizeof *rows);
		rows[0] = at;
		n++;
	}
	return n;
}

static void make_path(struct reference_global *g, uint64_t i)
{
	char path[PATH_LONGEST + 16];
	uint64_t rows[PATH_NAMES_MAX + 1];
	const uint64_t n_rows = list_outers(g, i, rows);
	size_t n = 0;

	for (uint64_t k = 0; k < n_rows && n <= PATH_LONGEST; k++) {
		if (k > 0)
			path[n++] = '/';
		n += put_name(g, rows[k], path + n, sizeof path - n);
	}
	g->objects[i].has_path = n_rows > 0 && n <= PATH_LONGEST;
	if (g->objects[i].has_path)
		g->objects[i].hash = reference_path_hash(path, n) << 2 >> 2;
}

static bool has_wrong_id(const struct reference_global *g, uint64_t i)
{
	const uint64_t id = field(g, i, FIELD_ID);

	return id >> 62 != 1 || find(g, id) < i ||
	       (g->objects[i].has_path && id << 2 >> 2 != g->objects[i].hash);
}

/* ---- All of them ----------------------------------------------------------------------------- */

static void read_objects(struct reference_global *g, struct reference_chunk chunk, uint64_t at)
{
	g->rows = chunk;
	g->rows_at = at + 4;
	g->n = 0;
	g->is_read = false;
	g->misfits = true;
	if (chunk.n - at < 4 || reference_read(chunk.p + at, 4) > (chunk.n - at - 4) / ROW)
		return;
	g->is_read = true;
	g->n = reference_read(chunk.p + at, 4);
	at += 4 + ROW * g->n;
	g->misfits = chunk.n - at > PADDING_MAX || !reference_is_zero(chunk.p + at, chunk.n - at);
	for (uint64_t i = 0; i < g->n; i++)
		resolve(g, i);
	for (uint64_t i = 0; i < g->n; i++)
		if (leads_back(g, i))
			g->objects[i].no_outer = true;
	for (uint64_t i = 0; i < g->n; i++)
		make_path(g, i);
	for (uint64_t i = 0; i < g->n; i++)
		g->objects[i].wrong_id = has_wrong_id(g, i);
}

static void read_rest(struct reference_global *g, struct reference_chunk objects, uint64_t at)
{
	g->has_names = g->names.fits && g->names.adds_up;
	g->is_read = g->misfits = false;
	g->n = 0;
	if (g->has_names)
		read_objects(g, objects, at);
}

void reference_global_read(struct reference_global *g, struct reference_chunk objects)
{
	reference_batch_read(&g->names, objects.p, objects.n, 0);
	read_rest(g, objects, g->names.end);
}

void reference_global_read_old(struct reference_global *g, struct reference_chunk objects,
			       const uint8_t *names, uint64_t n_names, uint64_t n_hashes)
{
	reference_batch_read_old(&g->names, names, n_names, n_hashes);
	read_rest(g, objects, 0);
}

static void put_reference(const struct reference_global *g, uint8_t *out, uint64_t row)
{
	const struct reference_object *of = &g->objects[row < NONE ? row : 0];

	if (row < NONE && of->has_path)
		reference_write(out, 8, (uint64_t)1 << 62 | of->hash);
}

void reference_global_repair(const struct reference_global *g, uint8_t *p)
{
	for (uint64_t i = 0; i < g->n; i++) {
		uint8_t *row = p + g->rows_at + ROW * i;

		put_reference(g, row + FIELD_ID, i);
		put_reference(g, row + FIELD_OUTER, g->objects[i].outer);
		put_reference(g, row + FIELD_CLASS, g->objects[i].class);
	}
}
