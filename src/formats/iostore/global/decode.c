/* The global container: its chunks, its names, and where the script objects lie. Source:
 * conformance/spec/iostore.md, 11. */
#include "core/mutant.h"
#include "formats/iostore/global/global.h"

/* ---- The chunks ------------------------------------------------------------------------------ */

static const enum chunk_type new_types[] = { CHUNK_SCRIPT_OBJECTS };
static const enum chunk_type old_types[] = { CHUNK_INITIAL_LOAD_META, CHUNK_GLOBAL_NAMES,
					     CHUNK_GLOBAL_NAME_HASHES };

/* An engine looks for the chunk whose id is 0 but for the type. */
static struct global_part find_part(const struct toc *t, enum chunk_type type)
{
	const struct span ids = t->sections[SECTION_IDS].at;

	for (uint64_t i = 0; t->n_of_type[type] > 0 && i < t->n_chunks; i++)
		/* mutant: a chunk of any id is one of the engine's */
		if (toc_type(t, i) == type && (toc_id(t, i) == 0 || MUTANT(333)) &&
		    toc_is_sought(toc_id_row(t, i)))
			return (struct global_part){
				.chunk = (uint32_t)i,
				.id_at = { ids.at + i * utoc_chunk_id_fixed_len,
					   utoc_chunk_id_fixed_len },
				.held = { rows_zeros, 0 },
			};
	return (struct global_part){ .chunk = TOC_NONE, .id_at = ids };
}

static void find_parts(const struct toc *t, struct global *g)
{
	g->is_ue4 = t->version < TOC_OVERFLOW;
	g->n_parts = g->is_ue4 ? GLOBAL_N_PARTS : 1;
	for (unsigned i = 0; i < GLOBAL_N_PARTS; i++) {
		g->parts[i] = i < g->n_parts ? find_part(t, (g->is_ue4 ? old_types : new_types)[i])
					     : (struct global_part){ .chunk = TOC_NONE };
		g->n_missing += i < g->n_parts && g->parts[i].chunk == TOC_NONE;
	}
}

static void stop_from(struct decode *d, uint32_t first, uint32_t on)
{
	for (uint32_t group = first; group <= GLOBAL_OBJECTS; group++)
		decode_stop_needs(d, group, on);
}

bool global_open(struct decode *d, const struct toc *t, struct global *g, uint64_t *most)
{
	const uint64_t limit = d->limits->of[LIMIT_unpacked];

	*most = limit < UINT32_MAX ? limit : UINT32_MAX;
	g->is_global = t->name.is_global;
	if (!decode_has(d, UTOC_CHUNKS)) {
		stop_from(d, GLOBAL_BYTES, UTOC_CHUNKS);
		return false;
	}
	if (!g->is_global)
		return false;
	find_parts(t, g);
	if (g->n_missing > 0) {
		if (g->n_missing < g->n_parts)
			decode_stop(d, GLOBAL_OBJECTS, STOP_MALFORMED, g->parts[0].id_at);
		return false;
	}
	for (unsigned i = 0; i < g->n_parts; i++)
		if (toc_length(t, g->parts[i].chunk) > *most)
			decode_stop_limit(d, GLOBAL_BYTES, LIMIT_unpacked, g->parts[i].id_at);
	if (!decode_has(d, GLOBAL_BYTES))
		stop_from(d, GLOBAL_NAMES, GLOBAL_BYTES);
	return decode_has(d, GLOBAL_BYTES);
}

/* ---- The names ------------------------------------------------------------------------------- */

static bool find_names(struct global *g)
{
	const struct held names = g->parts[GLOBAL_PART_NAMES].held;

	if (!g->is_ue4)
		return names_find(&g->names, g->parts[GLOBAL_PART_OBJECTS].held, 0);
	return names_find_interleaved(&g->names, names, (struct span){ 0, names.len },
				      g->parts[GLOBAL_PART_HASHES].held, 0);
}

static bool read_names(struct decode *d, struct global *g)
{
	const struct span at = g->parts[g->is_ue4 ? GLOBAL_PART_NAMES : GLOBAL_PART_OBJECTS].id_at;
	struct name_batch *b = &g->names;

	if (!find_names(g))
		return decode_stop(d, GLOBAL_NAMES, STOP_MALFORMED, at);
	if (b->n > d->limits->of[LIMIT_entries])
		return decode_stop_limit(d, GLOBAL_NAMES, LIMIT_entries, at);
	if (!decode_spend(d, GLOBAL_NAMES, b->n + 1))
		return false;
	if (!names_read(b, d->arena, true))
		return decode_stop(d, GLOBAL_NAMES, STOP_MEMORY, at);
	if (!names_are_read(b))
		return decode_stop(d, GLOBAL_NAMES, STOP_MALFORMED, at);
	return true;
}

/* ---- The script objects ---------------------------------------------------------------------- */

/* Whether the chunk has so many bytes from `at` on. */
static bool has(struct global *g, uint64_t at, uint64_t wants)
{
	g->cut_at = at;
	g->cut_wants = wants;
	g->cut_left = g->parts[GLOBAL_PART_OBJECTS].held.len - at;
	/* mutant: a byte of the last script object may be missing */
	g->is_cut = wants > g->cut_left + MUTANT(334);
	return !g->is_cut;
}

static bool find_objects(struct global *g)
{
	const struct held all = g->parts[GLOBAL_PART_OBJECTS].held;
	const uint64_t at = g->is_ue4 ? 0 : g->names.end;
	uint64_t len, end;

	g->is_read = true;
	g->count_at = at;
	g->rows_at = at + script_object_count_fixed_len;
	if (!has(g, at, script_object_count_fixed_len))
		return false;
	g->claimed = held_u32(all, at);
	len = g->claimed * script_object_fixed_len;
	if (!has(g, g->rows_at, len))
		return false;
	g->rows = script_object_in(held_part(all, g->rows_at, len));
	end = g->rows_at + len;
	g->trailing = (struct span){ end, all.len - end };
	g->trailing_zero = held_is_zero(held_part(all, end, all.len - end));
	return true;
}

static bool read_objects(struct decode *d, struct global *g)
{
	const struct span at = g->parts[GLOBAL_PART_OBJECTS].id_at;

	if (!find_objects(g))
		return decode_stop(d, GLOBAL_OBJECTS, STOP_MALFORMED, at);
	if (g->claimed > d->limits->of[LIMIT_entries])
		return decode_stop_limit(d, GLOBAL_OBJECTS, LIMIT_entries, at);
	g->n = g->claimed;
	return global_judge_objects(d, g);
}

void global_decode(struct decode *d, struct global *g)
{
	if (!decode_has(d, GLOBAL_BYTES))
		stop_from(d, GLOBAL_NAMES, GLOBAL_BYTES);
	else if (!read_names(d, g))
		stop_from(d, GLOBAL_OBJECTS, GLOBAL_NAMES);
	else if (!read_objects(d, g))
		g->n = 0;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

void global_object(const struct global *g, uint64_t i, struct script_object_view *out)
{
	const struct script_object_row row = script_object_at(g->rows, i);

	*out = (struct script_object_view){
		.index = i,
		.at = g->rows_at + i * script_object_fixed_len,
		.name = script_object_get_name(row),
		.number = script_object_get_number(row),
		.id = script_object_get_id(row),
		.outer = script_object_get_outer(row),
		.class = script_object_get_class(row),
		.traits = g->traits[i],
	};
}

void global_view_objects(const struct global *g, uint64_t first, uint64_t n, void *rows)
{
	struct script_object_view *out = rows;

	for (uint64_t i = 0; i < n; i++)
		global_object(g, first + i, &out[i]);
}
