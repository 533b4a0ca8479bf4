/* Script objects: whether each has an id of its own, the hash of its path, and an outer and a class
 * that are there. Source: conformance/spec/iostore.md, 11.4 to 11.6.
 *
 * Outers are followed by row numbers, without recursion: a walk goes up until it meets what it
 * knows, and comes down the same way by the numbers that it left behind. So each row is walked
 * once, however long the chains are. */
#include "core/mutant.h"
#include "core/order.h"
#include "formats/iostore/global/global.h"
#include "formats/iostore/names/object_path.h"

#define NO_ROW UINT32_MAX

/* How long the path of a row is, and 1. */
enum { LEN_NOT_YET = 0, LEN_ON_WALK = UINT16_MAX, LEN_UNKNOWN = UINT16_MAX - 1 };
_Static_assert(OBJECT_PATH_MAX + 1 < LEN_UNKNOWN, "a length is told from the marks");

struct work_on {
	struct global *g;
	struct order by_id;
	uint32_t *outer;   /* of each row its outer's row; NO_ROW: none, or it is not known */
	uint32_t *below;   /* of each row on a walk the one before it */
	uint16_t *lengths; /* of each row that of its path */
};

static void mark(struct global *g, uint64_t i, uint32_t trait)
{
	g->traits[i] |= (uint8_t)trait;
	g->seen |= trait;
}

static uint64_t id_of(const void *table, uint32_t i)
{
	return script_object_get_id(script_object_at(((const struct global *)table)->rows, i));
}

/* ---- Ids ------------------------------------------------------------------------------------- */

/* The first row with an id, or NO_ROW. */
static uint32_t find_row(const struct work_on *w, uint64_t id)
{
	/* mutant: another id is looked for */
	const uint64_t place = script_objects_find(&w->g->sorted, id ^ (uint64_t)MUTANT(326));

	return place < w->g->n ? order_row(&w->by_id, (uint32_t)place) : NO_ROW;
}

static bool sort_ids(struct decode *d, struct work_on *w, uint64_t *ids)
{
	struct global *g = w->g;

	if (!order_by_key(d->arena, g, (uint32_t)g->n, id_of, &w->by_id))
		return decode_stop(d, GLOBAL_OBJECTS, STOP_MEMORY,
				   g->parts[GLOBAL_PART_OBJECTS].id_at);
	for (uint32_t i = 0; i < g->n; i++) {
		ids[i] = id_of(g, order_row(&w->by_id, i));
		/* mutant: the two lowest ids may be the same */
		if (i > (MUTANT(330) ? 1u : 0u) && ids[i] == ids[i - 1])
			mark(g, order_row(&w->by_id, i), SCRIPT_ID_REPEATED);
	}
	g->sorted = (struct script_objects){ ids, g->n };
	return true;
}

/* What each row refers to. */
static void resolve(struct work_on *w)
{
	struct global *g = w->g;

	for (uint64_t i = 0; i < g->n; i++) {
		const struct script_object_row row = script_object_at(g->rows, i);
		const uint64_t outer = script_object_get_outer(row),
			       class = script_object_get_class(row);

		w->outer[i] = outer == OBJECT_IS_NULL ? NO_ROW : find_row(w, outer);
		if (outer != OBJECT_IS_NULL && w->outer[i] == NO_ROW)
			mark(g, i, SCRIPT_OUTER_UNKNOWN);
		if (class != OBJECT_IS_NULL && find_row(w, class) == NO_ROW)
			mark(g, i, SCRIPT_CLASS_UNKNOWN);
		if (object_kind(script_object_get_id(row)) != OBJECT_SCRIPT)
			mark(g, i, SCRIPT_ID_KIND);
		/* mutant: an object may have the name of a package */
		if (!names_have(&g->names, MUTANT(331) ? NAME_OF_PACKAGE : NAME_OF_GLOBAL,
				script_object_get_name(row)))
			mark(g, i, SCRIPT_NAME_OUT);
	}
}

/* ---- How long paths are ---------------------------------------------------------------------- */

/* The length of a row's path, where that of its outer is `above`; 1 is no outer. */
static uint16_t lengthen(const struct work_on *w, uint32_t i, uint16_t above)
{
	const struct script_object_row row = script_object_at(w->g->rows, i);
	uint8_t digits[NAME_NUMBER_MAX];
	struct name_row name;
	uint64_t len;

	if (above == LEN_UNKNOWN || w->g->traits[i] & (SCRIPT_NAME_OUT | SCRIPT_OUTER_UNKNOWN))
		return LEN_UNKNOWN;
	names_row(&w->g->names, mapped_index(script_object_get_name(row)), &name);
	len = (uint64_t)above + (w->outer[i] != NO_ROW ? 1 : 0) + name.n_units +
	      name_put_number(script_object_get_number(row), digits);
	if (len > OBJECT_PATH_MAX + 1 || !name_is_ascii(name_bytes(&name), name.wide))
		return LEN_UNKNOWN;
	return (uint16_t)len;
}

/* Rows in a cycle: `top` has an outer, `first`, which the walk has passed. */
static void mark_cycle(struct work_on *w, uint32_t top, uint32_t first)
{
	uint32_t i = top;

	for (; i != first; i = w->below[i])
		mark(w->g, i, SCRIPT_OUTER_CYCLE);
	/* mutant: a cycle of one is none */
	if (!MUTANT(332) || top != first)
		mark(w->g, first, SCRIPT_OUTER_CYCLE);
}

static void measure(struct work_on *w, uint32_t start)
{
	uint32_t i = start;
	uint16_t above = 1;

	w->below[i] = NO_ROW;
	w->lengths[i] = LEN_ON_WALK;
	for (uint32_t up = w->outer[i]; up != NO_ROW; up = w->outer[i]) {
		if (w->lengths[up] == LEN_ON_WALK) {
			mark_cycle(w, i, up);
			above = LEN_UNKNOWN;
			break;
		}
		if (w->lengths[up] != LEN_NOT_YET) {
			above = w->lengths[up];
			break;
		}
		w->below[up] = i;
		w->lengths[up] = LEN_ON_WALK;
		i = up;
	}
	for (; i != NO_ROW; i = w->below[i])
		above = w->lengths[i] = lengthen(w, i, above);
}

/* ---- Hashes ---------------------------------------------------------------------------------- */

/* Paths of more names are not compared: real ones have four, and in a chain of a million every path
 * would cost as much as the longest. */
#define PATH_NAMES_MAX 64u

static bool differs(const struct work_on *w, uint32_t row)
{
	UVET_FILLED_LATER struct object_path p;
	unsigned n = 0;

	object_path_start(&p);
	for (uint32_t i = row; i != NO_ROW; i = w->outer[i]) {
		const struct script_object_row r = script_object_at(w->g->rows, i);
		bool fits;

		if (n++ == PATH_NAMES_MAX)
			return false;
		fits = object_path_add(&p, &w->g->names, mapped_index(script_object_get_name(r)),
				       script_object_get_number(r), true);
		if (NEVER(!fits)) /* its length is known */
			return false;
	}
	return object_value(object_path_hash(&p)) != object_value(id_of(w->g, row));
}

static bool compare_hashes(struct decode *d, struct work_on *w)
{
	for (uint32_t i = 0; i < w->g->n; i++) {
		if (!decode_goes_on(d, GLOBAL_OBJECTS, i))
			return false;
		if (w->lengths[i] != LEN_UNKNOWN && differs(w, i))
			mark(w->g, i, SCRIPT_HASH_DIFFERS);
	}
	return true;
}

/* The characters of all paths cost a unit for each 64. */
static bool charge_paths(struct decode *d, const struct work_on *w)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < w->g->n; i++)
		sum += w->lengths[i] != LEN_UNKNOWN ? w->lengths[i] : 0u;
	return decode_spend(d, GLOBAL_OBJECTS, sum / 64);
}

/* ---- All of it ------------------------------------------------------------------------------- */

static bool judge(struct decode *d, struct work_on *w)
{
	const uint64_t n = w->g->n;

	w->outer = decode_alloc(d, GLOBAL_OBJECTS, n, sizeof *w->outer);
	/* mutant: the last of three script objects is walked outside */
	w->below = decode_alloc(d, GLOBAL_OBJECTS, n - (MUTANT(327) && n == 3), sizeof *w->below);
	/* mutant: of two script objects one has no length */
	w->lengths = decode_alloc(d, GLOBAL_OBJECTS, n - (MUTANT(328) && n > 1),
				  sizeof *w->lengths);
	if (!w->outer || !w->below || !w->lengths)
		return false;
	memset(w->lengths, 0, (size_t)n * sizeof *w->lengths);
	resolve(w);
	for (uint32_t i = 0; i < n; i++)
		if (w->lengths[i] == LEN_NOT_YET)
			measure(w, i);
	return charge_paths(d, w) && compare_hashes(d, w);
}

/* What a row costs: it is sorted, and looked for twice. */
#define OBJECT_WORK 4u

bool global_judge_objects(struct decode *d, struct global *g)
{
	struct work_on w = { .g = g };
	struct arena_mark before;
	uint64_t *ids;
	bool done;

	g->traits = decode_alloc(d, GLOBAL_OBJECTS, g->n, sizeof *g->traits);
	/* mutant: the first id has no place if it is the only one */
	ids = decode_alloc(d, GLOBAL_OBJECTS, g->n - (MUTANT(329) && g->n == 1), sizeof *ids);
	if (!g->traits || !ids || !decode_spend(d, GLOBAL_OBJECTS, g->n * OBJECT_WORK))
		return false;
	memset(g->traits, 0, (size_t)g->n);
	before = arena_mark(d->arena);
	done = sort_ids(d, &w, ids) && judge(d, &w);
	arena_rewind(d->arena, before);
	return done;
}
