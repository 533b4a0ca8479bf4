/* Group= and Requires= lines: which sections name which, in circles or not, and what the mod requires. */
#include "formats/umod/install.h"

/* Last patches: Unreal 227 and UnrealTournament 469 (OldUnreal), UT2003 2225, UT2004 3369 (Epic). */
#define PRODUCT(name, last_version, is_game) { name, sizeof(name) - 1, last_version, is_game }
static const struct manifest_product manifest_products[] = {
	PRODUCT("Unreal", 227, true),
	PRODUCT("UnrealTournament", 469, true),
	PRODUCT("UT2003", 2225, true),
	PRODUCT("UT2004", 3369, true),
	PRODUCT("DeusEx", 0, true),
	PRODUCT("Rune", 0, true),
	PRODUCT("Unreal Tournament", 469, true),
	PRODUCT("KlingonHonorGuard", 0, true),
	PRODUCT("WheelOfTime", 0, true),
	PRODUCT("Nerf", 0, true),
	PRODUCT("X-COM Enforcer", 0, true),
	PRODUCT("UTBonusPack", 0, false),
	PRODUCT("UTBonusPack2", 0, false),
	PRODUCT("UTBonusPack3", 0, false),
	PRODUCT("UTBonusPack4", 0, false),
};
#undef PRODUCT

const struct manifest_product *install_product(struct text name)
{
	for (size_t i = 0; i < sizeof manifest_products / sizeof manifest_products[0]; i++)
		if (name.ref.n_units == manifest_products[i].len && text_starts(name, manifest_products[i].name))
			return &manifest_products[i];
	return NULL;
}

/* ---- References between sections ------------------------------------------------------------------------------------- */

static int match_section(const void *manifest, uint32_t i, const void *name)
{
	const struct manifest *m = manifest;

	return text_compare(manifest_text(m, m->sections[i].file, m->sections[i].name), *(const struct text *)name);
}

static uint32_t find_section(const struct manifest *m, struct text name)
{
	return order_find(&m->by_name, m, manifest_key_of, manifest_section_key(MANIFEST_INI, &name), match_section, &name);
}

void install_read_reference(struct manifest *m, const struct manifest_line *l)
{
	struct manifest_reference *r = &m->references[m->n_references++];

	*r = (struct manifest_reference){
		.line = l,
		.from = m->sections[l->section].same_as,
		.to = find_section(m, install_value(m, l)),
		.requires = l->key_id == KEY_REQUIRES,
	};
	if (r->to != MANIFEST_NONE)
		m->sections[r->to].referenced = true;
	if (!r->requires && m->sections[l->section].is_setup)
		m->has_group = true;
}

static uint64_t from_key(const void *manifest, uint32_t i)
{
	return ((const struct manifest *)manifest)->references[i].from;
}

/* The state of the search for cycles: for each section the next place in the order of references to follow. */
struct walk {
	struct manifest *m;
	struct order by_from;
	uint32_t *next;                 /* by section: place in by_from */
	uint8_t *colour;                /* by section */
	uint32_t *stack;
	uint32_t depth;
};

enum { UNSEEN, OPEN, DONE };

static void walk_enter(struct walk *w, uint32_t section)
{
	w->colour[section] = OPEN;
	w->stack[w->depth++] = section;
}

/* Follows one reference of the section on top, or leaves it when there is none left. */
static void walk_step(struct walk *w)
{
	uint32_t top = w->stack[w->depth - 1], place = w->next[top];
	struct manifest_reference *r;

	if (place >= w->by_from.n || from_key(w->m, order_row(&w->by_from, place)) != top) {
		w->colour[top] = DONE;
		w->depth--;
		return;
	}
	w->next[top]++;
	r = &w->m->references[order_row(&w->by_from, place)];
	if (r->requires || r->to == MANIFEST_NONE)
		return;
	if (w->colour[r->to] == OPEN)
		r->closes_cycle = true;
	else if (w->colour[r->to] == UNSEEN)
		walk_enter(w, r->to);
}

bool install_find_cycles(struct decode *d, struct manifest *m)
{
	struct walk w = { .m = m };

	w.next = decode_alloc(d, UMOD_MANIFEST, m->n_sections, sizeof *w.next);
	w.colour = decode_alloc(d, UMOD_MANIFEST, m->n_sections, sizeof *w.colour);
	w.stack = decode_alloc(d, UMOD_MANIFEST, m->n_sections, sizeof *w.stack);
	if (!w.next || !w.colour || !w.stack)
		return false;
	if (!order_by_key(d->arena, m, m->n_references, from_key, &w.by_from))
		return decode_stop(d, UMOD_MANIFEST, STOP_MEMORY, (struct span){ 0, 0 });
	for (uint32_t i = 0; i < m->n_sections; i++) {
		w.next[i] = w.by_from.n;
		w.colour[i] = UNSEEN;
	}
	for (uint32_t i = w.by_from.n; i > 0; i--)
		w.next[from_key(m, order_row(&w.by_from, i - 1))] = i - 1;
	for (uint32_t i = 0; i < m->n_sections; i++) {
		if (w.colour[i] == UNSEEN)
			walk_enter(&w, i);
		while (w.depth > 0)
			walk_step(&w);
	}
	return true;
}

/* ---- Requirements ------------------------------------------------------------------------------------------------------ */

static void take_requirement_line(struct manifest *m, struct manifest_requirement *r, const struct manifest_line *l)
{
	if (l->key_id == KEY_PRODUCT && !r->product) {
		r->product = l;
		r->known = install_product(install_value(m, l));
	} else if (l->key_id == KEY_VERSION && !r->version) {
		r->version = l;
		r->version_is_number = text_number(install_value(m, l), &r->version_number);
	}
}

bool install_find_requirements(struct decode *d, struct manifest *m)
{
	uint32_t *of = decode_alloc(d, UMOD_MANIFEST, m->n_sections, sizeof *of);

	m->requirements = decode_alloc(d, UMOD_MANIFEST, m->n_references, sizeof *m->requirements);
	if (!of || !m->requirements)
		return false;
	for (uint32_t i = 0; i < m->n_sections; i++)
		of[i] = MANIFEST_NONE;
	for (uint32_t i = 0; i < m->n_references; i++) {
		const struct manifest_reference *r = &m->references[i];

		if (!r->requires || r->to == MANIFEST_NONE || of[r->to] != MANIFEST_NONE)
			continue;
		of[r->to] = m->n_requirements;
		m->requirements[m->n_requirements++] = (struct manifest_requirement){ .section = &m->sections[r->to] };
	}
	for (uint32_t i = 0; i < m->n_lines; i++) {
		const struct manifest_line *l = &m->lines[i];
		uint32_t section = install_is_pair(l, MANIFEST_INI) ? m->sections[l->section].same_as : MANIFEST_NONE;

		if (section != MANIFEST_NONE && of[section] != MANIFEST_NONE)
			take_requirement_line(m, &m->requirements[of[section]], l);
	}
	return true;
}
