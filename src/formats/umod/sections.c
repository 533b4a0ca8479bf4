/* Group= and Requires= lines: which sections name which, groups that contain themselves, and what
 * the mod requires. */
#include "formats/umod/install.h"

/* ---- References between sections ------------------------------------------------------------- */

static struct manifest_reference *reference_row(const struct manifest *m, uint32_t i)
{
	return MANIFEST_ROW(m, references, manifest_reference, i);
}

static bool is_requires(const struct manifest_reference *r)
{
	return r->from_requires & 1;
}

/* The section that a reference names; REFERENCE_NONE: there is none. */
static uint32_t target(const struct manifest_reference *r)
{
	return r->to_cycle >> 1;
}

static bool has_mark(const struct manifest_section *s, enum section_mark mark)
{
	return s->link[1] >> SECTION_LINK_BITS & mark;
}

static void set_mark(struct manifest_section *s, enum section_mark mark)
{
	s->link[1] |= (uint32_t)mark << SECTION_LINK_BITS;
}

/* Units of the longest name that the engine can have. */
enum { LONGEST_NAME = 63 };

bool install_read_reference(struct decode *d, struct manifest *m, const struct manifest_line *l,
			    uint32_t section)
{
	struct manifest_reference *r = manifest_add(d, &m->references, sizeof *r);

	if (!r)
		return false;
	*r = (struct manifest_reference){
		.from_requires = section * 2 + (l->key_id == KEY_REQUIRES),
		.from = manifest_unit(m, MANIFEST_INI, l->value),
		.n_units = l->value.n_units,
		.to_cycle = REFERENCE_NONE * 2,
	};
	if (!is_requires(r) && section == m->setup[MANIFEST_INI])
		m->has_group = true;
	return l->value.n_units <= LONGEST_NAME ||
	       install_note(d, m, DEFECT_NAME_LONG, l, l->value);
}

static bool note_reference(struct decode *d, struct manifest *m, enum manifest_defect defect,
			   const struct manifest_reference *r)
{
	struct manifest_line line;

	if (manifest_only_counts(d, m, defect, 0))
		return true;
	line = manifest_line_around(m, MANIFEST_INI, r->from);
	return install_note(d, m, defect, &line, line.value);
}

static bool find_targets(struct decode *d, struct manifest *m)
{
	for (uint32_t i = 0; i < m->references.n; i++) {
		struct manifest_reference *r = reference_row(m, i);
		const struct text name = manifest_part(m, MANIFEST_INI, r->from, r->n_units);
		const uint32_t to = manifest_find_section(m, MANIFEST_INI, &name);

		if (to == MANIFEST_NONE) {
			if (!note_reference(d, m, DEFECT_SECTION_MISSING, r))
				return false;
			continue;
		}
		r->to_cycle = to * 2;
		if (install_differ_beyond_ascii(name, manifest_section_name(m, to)) &&
		    !install_note_case(d, m, r->from))
			return false;
		set_mark(manifest_section_row(m, to),
			 is_requires(r) ? SECTION_REQUIRED : SECTION_NAMED);
	}
	return true;
}

static void find_shortcuts(struct manifest *m)
{
	for (uint32_t i = 0; i < m->shortcuts.n; i++) {
		const struct manifest_value *s = MANIFEST_ROW(m, shortcuts, manifest_value, i);
		const struct text name = manifest_part(m, MANIFEST_INI, s->from, s->n_units);
		const uint32_t to = manifest_find_section(m, MANIFEST_INI, &name);

		if (to != MANIFEST_NONE)
			set_mark(manifest_section_row(m, to), SECTION_NAMED);
	}
}

static bool note_orphan(struct decode *d, struct manifest *m, uint32_t section, uint32_t kind)
{
	struct manifest_note note;

	if (manifest_only_counts(d, m, DEFECT_ORPHAN, kind))
		return true;
	note = (struct manifest_note){ .line = manifest_header(m, section), .kind = kind };
	note.at = note.line.whole;
	note.text = manifest_section_name(m, section).ref;
	return manifest_note_line(d, m, DEFECT_ORPHAN, &note);
}

static bool find_orphans(struct decode *d, struct manifest *m)
{
	for (uint32_t i = 0; i < m->n_ini_sections; i++) {
		const struct manifest_section *s = manifest_section_row(m, i);
		const bool is_setup = i == m->setup[MANIFEST_INI];
		bool noted = true;

		if (is_setup && !m->has_group)
			noted = note_orphan(d, m, i, UMOD_SETUP_NO_GROUP);
		else if (!is_setup && !has_mark(s, SECTION_NAMED) && !has_mark(s, SECTION_REQUIRED))
			noted = note_orphan(d, m, i, UMOD_SECTION_UNNAMED);
		if (!noted)
			return false;
	}
	return true;
}

bool install_find_sections(struct decode *d, struct manifest *m)
{
	if (!find_targets(d, m))
		return false;
	find_shortcuts(m);
	return find_orphans(d, m);
}

/* ---- Cycles ---------------------------------------------------------------------------------- */

static uint64_t from_key(const void *manifest, uint32_t i)
{
	return reference_row(manifest, i)->from_requires >> 1;
}

/* The state of the search for cycles. Names are no longer looked up, so part of it lies in the
 * links of the sections: link[0] is the row of by_from that is followed next. link[1] of section i
 * is entry i of the stack, and above SECTION_LINK_BITS the colour of section i. */
struct walk {
	struct manifest *m;
	struct order by_from;
	uint32_t depth;
};

enum { UNSEEN, OPEN, DONE };

static unsigned colour_of(const struct walk *w, uint32_t section)
{
	return manifest_section_row(w->m, section)->link[1] >> SECTION_LINK_BITS;
}

static void set_colour(const struct walk *w, uint32_t section, unsigned colour)
{
	uint32_t *link = &manifest_section_row(w->m, section)->link[1];

	*link = (*link & SECTION_NIL) | (uint32_t)colour << SECTION_LINK_BITS;
}

static void walk_enter(struct walk *w, uint32_t section)
{
	uint32_t *slot = &manifest_section_row(w->m, w->depth++)->link[1];

	*slot = (*slot & ~SECTION_NIL) | section;
	set_colour(w, section, OPEN);
}

/* Follows a reference of the section on top of the stack, or leaves it if none is left. */
static void walk_step(struct walk *w)
{
	const uint32_t top = manifest_section_row(w->m, w->depth - 1)->link[1] & SECTION_NIL,
		       place = manifest_section_row(w->m, top)->link[0];
	struct manifest_reference *r;

	if (place >= w->by_from.n || from_key(w->m, order_row(&w->by_from, place)) != top) {
		set_colour(w, top, DONE);
		w->depth--;
		return;
	}
	manifest_section_row(w->m, top)->link[0]++;
	r = reference_row(w->m, order_row(&w->by_from, place));
	if (is_requires(r) || target(r) == REFERENCE_NONE)
		return;
	if (colour_of(w, target(r)) == OPEN)
		r->to_cycle |= 1;
	else if (colour_of(w, target(r)) == UNSEEN)
		walk_enter(w, target(r));
}

static void walk_all(struct walk *w)
{
	struct manifest *m = w->m;

	for (uint32_t i = 0; i < m->n_ini_sections; i++) {
		manifest_section_row(m, i)->link[0] = w->by_from.n;
		set_colour(w, i, UNSEEN);
	}
	for (uint32_t i = w->by_from.n; i > 0; i--)
		manifest_section_row(m, (uint32_t)from_key(m, order_row(&w->by_from, i - 1)))
			->link[0] = i - 1;
	for (uint32_t i = 0; i < m->n_ini_sections; i++) {
		if (colour_of(w, i) == UNSEEN)
			walk_enter(w, i);
		while (w->depth > 0)
			walk_step(w);
	}
}

bool install_find_cycles(struct decode *d, struct manifest *m)
{
	struct walk w = { .m = m };

	if (!order_by_key(d->arena, m, m->references.n, from_key, &w.by_from))
		return decode_stop(d, UMOD_MANIFEST, STOP_MEMORY, (struct span){ 0, 0 });
	walk_all(&w);
	for (uint32_t i = 0; i < m->references.n; i++)
		if (reference_row(m, i)->to_cycle & 1 &&
		    !note_reference(d, m, DEFECT_GROUP_CYCLE, reference_row(m, i)))
			return false;
	return true;
}

/* ---- Requirements ---------------------------------------------------------------------------- */

bool install_read_term(struct decode *d, struct manifest *m, const struct manifest_line *l,
		       uint32_t section)
{
	struct manifest_term *t = manifest_add(d, &m->terms, sizeof *t);

	if (!t)
		return false;
	*t = (struct manifest_term){
		.section_version = section * 2 + (l->key_id == KEY_VERSION),
		.from = manifest_unit(m, MANIFEST_INI, l->value),
		.n_units = l->value.n_units,
	};
	return true;
}

/* Lists the sections that Requires= lines name, each once, and sets link[0] of each to its number
 * in the list. */
static void list_requirements(struct manifest *m)
{
	for (uint32_t i = 0; i < m->n_ini_sections; i++)
		manifest_section_row(m, i)->link[0] = MANIFEST_NONE;
	for (uint32_t i = 0; i < m->references.n; i++) {
		const struct manifest_reference *r = reference_row(m, i);
		const uint32_t section = target(r);

		if (!is_requires(r) || section == REFERENCE_NONE ||
		    manifest_section_row(m, section)->link[0] != MANIFEST_NONE)
			continue;
		manifest_section_row(m, section)->link[0] = m->n_requirements;
		m->requirements[m->n_requirements++] = (struct manifest_requirement){
			.section = section
		};
	}
}

/* A second value in [Setup] was noted when its line was read. */
static bool take_term(struct decode *d, struct manifest *m, const struct manifest_term *t)
{
	const uint32_t section = t->section_version >> 1,
		       number = manifest_section_row(m, section)->link[0];
	const bool is_version = t->section_version & 1;
	const struct manifest_term **first, **last;
	struct manifest_requirement *r;

	if (number == MANIFEST_NONE)
		return true;
	r = &m->requirements[number];
	first = is_version ? &r->version : &r->product;
	last = is_version ? &r->last_version : &r->last_product;
	if (!*first) {
		*first = t;
		return true;
	}
	*last = text_compare(manifest_term_value(m, *first), manifest_term_value(m, t)) == 0 ? NULL
											     : t;
	return !*last || section == m->setup[MANIFEST_INI] ||
	       install_note_repeated(d, m, manifest_term_value(m, *first).ref,
				     manifest_term_value(m, t).ref);
}

bool install_find_requirements(struct decode *d, struct manifest *m)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < m->n_ini_sections; i++)
		n += has_mark(manifest_section_row(m, i), SECTION_REQUIRED);
	m->requirements = decode_alloc(d, UMOD_MANIFEST, n, sizeof *m->requirements);
	if (!m->requirements)
		return false;
	if (n > 0)
		list_requirements(m);
	for (uint32_t i = 0; n > 0 && i < m->terms.n; i++)
		if (!take_term(d, m, MANIFEST_ROW(m, terms, manifest_term, i)))
			return false;
	return true;
}

struct text manifest_term_value(const struct manifest *m, const struct manifest_term *t)
{
	return manifest_part(m, MANIFEST_INI, t->from, t->n_units);
}

const struct policy_product *manifest_product_of(const struct manifest *m,
						 const struct manifest_term *t)
{
	return t ? policy_product(manifest_term_value(m, t)) : NULL;
}
