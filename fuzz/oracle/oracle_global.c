/* A reference reading of the global container: what the rules must say of its script objects, and
 * the facts. */
#include "oracle/oracle_global.h"

#include <string.h>
#include <strings.h>

#include "formats/iostore/utoc.h"
#include "oracle/oracle_blocks.h"
#include "oracle/oracle_results.h"
#include "reference/reference_global.h"
#include "support/must.h"

enum { PARTS_MAX = 3 };

/* The chunks of an engine, by their types; `at` is none where there is none. */
struct parts {
	unsigned n, n_missing;
	uint64_t at[PARTS_MAX];
};

static bool is_called_global(const char *name)
{
	const char *last = strrchr(name, '/');

	return strcasecmp(last ? last + 1 : name, "global.utoc") == 0;
}

/* The first chunk with the id 0 but for its type. */
static uint64_t find_part(const struct reference_toc *t, uint8_t type)
{
	for (uint64_t i = 0; i < t->n_chunks; i++) {
		const uint8_t *id = reference_row(t, REFERENCE_IDS, i);

		if (id[11] == type && reference_read(id, 8) == 0 && reference_read(id + 8, 3) == 0)
			return i;
	}
	return t->n_chunks;
}

static struct parts find_parts(const struct reference_toc *t)
{
	static const uint8_t ue4[] = { 7, 8, 9 }, ue5[] = { 5 };
	struct parts p = { .n = t->version < 5 ? 3 : 1 };

	for (unsigned i = 0; i < p.n; i++) {
		p.at[i] = find_part(t, (t->version < 5 ? ue4 : ue5)[i]);
		p.n_missing += p.at[i] == t->n_chunks;
	}
	return p;
}

/* A chunk; *n is its length. false: it cannot be decoded. */
static bool gather(const struct reading *u, const struct subject *s, uint64_t chunk, uint8_t *out,
		   uint64_t *n)
{
	*n = 0;
	if (u->chunks[chunk].length == 0)
		return true;
	if (u->t.flags & 2 || u->t.partition_len == 0)
		return false;
	*n = oracle_gather(u, s, &u->chunks[chunk], out, REFERENCE_GLOBAL_MAX);
	return *n > 0;
}

static bool read_global(const struct reading *u, const struct subject *s, const struct parts *p,
			struct reference_global *g)
{
	static uint8_t objects[REFERENCE_GLOBAL_MAX], names[2 * REFERENCE_GLOBAL_MAX];
	uint64_t n_objects, n_names, n_hashes;

	if (p->n_missing > 0 || !gather(u, s, p->at[0], objects, &n_objects))
		return false;
	if (p->n == 1) {
		reference_global_read(g, (struct reference_chunk){ objects, n_objects });
		return true;
	}
	if (!gather(u, s, p->at[1], names, &n_names) ||
	    !gather(u, s, p->at[2], names + n_names, &n_hashes))
		return false;
	reference_global_read_old(g, (struct reference_chunk){ objects, n_objects }, names, n_names,
				  n_hashes);
	return true;
}

static void check_objects(const struct reference_global *g, const struct report *r)
{
	uint64_t names = 0, ids = 0, others = 0;

	for (uint64_t i = 0; i < g->n; i++) {
		names += g->objects[i].name_out;
		ids += g->objects[i].wrong_id;
		others += g->objects[i].no_outer + g->objects[i].no_class;
	}
	oracle_expect(r, "GLB004", names);
	oracle_expect(r, "GLB005", ids);
	oracle_expect(r, "GLB006", others);
}

void oracle_global(const struct reading *u, const struct trial *t, const struct report *r)
{
	static struct reference_global g;
	const struct parts p = find_parts(&u->t);

	if (!is_called_global(t->name)) {
		oracle_expect(r, "GLB001", 0);
		oracle_expect(r, "GLB003", 0);
		return;
	}
	oracle_expect(r, "GLB001", p.n == 1 && p.n_missing > 0);
	if (p.n_missing > 0 && p.n > 1)
		oracle_expect(r, "GLB003", p.n_missing);
	if (!t->default_limits || oracle_found(r, "RUN001") > 0 ||
	    !read_global(u, t->subject, &p, &g))
		return;
	oracle_expect(r, p.n == 1 ? "GLB002" : "GLB003", g.misfits);
	if (g.is_read)
		check_objects(&g, r);
}

/* Their ids rise, and each is one of them. */
static void check_ids(const struct reference_global *g, const struct script_objects *s)
{
	MUST(s->n == g->n, "each script object has an id");
	for (uint64_t i = 0; i < s->n; i++) {
		const uint8_t *row = g->rows.p + g->rows_at + 32 * i;

		MUST(i == 0 || s->ids[i - 1] <= s->ids[i], "ids rise");
		MUST(script_objects_have(s, reference_read(row + 8, 8)), "an id is found");
	}
}

void oracle_global_facts(const struct reading *u, const struct trial *t, const struct utoc *facts)
{
	static struct reference_global g;
	const struct parts p = find_parts(&u->t);

	if (!is_called_global(t->name) || facts->groups[GLOBAL_OBJECTS].why != STOP_NOT ||
	    !read_global(u, t->subject, &p, &g))
		return;
	MUST(g.is_read && facts->global.n == g.n, "there are as many script objects");
	check_ids(&g, &facts->global.sorted);
	MUST(facts->global.rows_at == g.rows_at, "they lie where they lie");
}
