/* The bodies of exports: frame, properties, and then what the class has of its own. */
#include "formats/upkg/classes/bodies.h"

#include "core/path.h"
#include "formats/upkg/body/frame.h"
#include "formats/upkg/body/parts.h"
#include "formats/upkg/body/properties.h"
#include "formats/upkg/classes/conditions.h"
#include "formats/upkg/classes/fields.h"
#include "formats/upkg/classes/font.h"
#include "formats/upkg/classes/scratch.h"
#include "formats/upkg/classes/script.h"
#include "formats/upkg/classes/structs.h"
#include "formats/upkg/tables/names.h"
#include "formats/upkg/tables/objects.h"
#include "formats/upkg/tables/references.h"

static bool has_body(const struct upkg_export *e)
{
	return e->size > 0 && !(e->traits & (EXPORT_OUTSIDE | EXPORT_BAD_CLASS | EXPORT_OVERLAPS));
}

uint64_t upkg_body_bytes(const struct upkg *u)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < u->tables[TABLE_EXPORTS].n; i++)
		n += has_body(&u->exports[i]) ? (uint64_t)u->exports[i].size : 0;
	return n;
}

/* Examines the name of what the object lies in, which most often is what the object before it lies
 * in. */
static void use_outer(struct body *b, int32_t outer)
{
	struct scratch *s = b->scratch;

	if (outer <= 0 || !upkg_refers(b->u, outer))
		return;
	if (s->outer != outer)
		s->outer_path = upkg_path_traits(b->u, b->u->exports[outer - 1].name);
	s->outer = outer;
	if (s->outer_path & (PATH_SEPARATOR | PATH_DRIVE | PATH_COLON))
		body_flaw(b, FLAW_OUTER_PATH, body_at(b), 0, outer - 1, 0);
}

/* Notes that the object needs an export of the package. */
static void use_export(struct body *b, int32_t export)
{
	const struct upkg_export *e;

	if (export <= 0 || !upkg_refers(b->u, export))
		return;
	e = &b->u->exports[export - 1];
	if (upkg_name_of(b->u, e->name))
		body_use_name(b, e->name, body_at(b));
	if (!body_game_loads(b, !(e->traits & EXPORT_NOT_ON_SERVER),
			     !(e->traits & EXPORT_FOR_EDITOR)))
		body_flaw(b, FLAW_EXPORT_NOT_IN_GAME, body_at(b), 0, export - 1, 0);
}

/* Notes what the object needs by its entry: its name, and those of its class and of what it lies
 * in. */
static void use_own(struct body *b, const struct upkg_export *e)
{
	use_outer(b, e->outer);
	if (!b->asks_who_loads)
		return;
	if (upkg_name_of(b->u, e->name))
		body_use_name(b, e->name, body_at(b));
	body_use_object(b, e->class, body_at(b));
	body_use_object(b, e->outer, body_at(b));
	use_export(b, e->class);
	use_export(b, e->outer);
	if (e->traits & EXPORT_OWN_SUPER)
		use_export(b, upkg_super_of(b->u, e));
}

/* Reads the body of an object that is no class. *in_properties: reading ended in its properties. */
static bool read_object(struct body *b, bool *in_properties)
{
	if (!body_frame(b))
		return false;
	*in_properties = !body_properties(b);
	return !*in_properties && body_field(b);
}

/* A body that cannot be read to its end makes the file invalid where a game makes the object.
 * Where that is only a warning, in what only the editor makes and in properties of UE2, the rest
 * is left out. */
static bool decode_body(struct body *b)
{
	const struct upkg_export *e = &b->u->exports[b->export];
	bool in_properties = false, is_read;

	use_own(b, e);
	if (b->class == WORD_Class && e->class != 0)
		body_flaw(b, FLAW_CLASS_BY_IMPORT, body_at(b), 0, e->class, 0);
	is_read = b->class == WORD_Class ? body_class(b) : read_object(b, &in_properties);
	if (!is_read && !b->unreadable && decode_has(b->d, UPKG_BODIES) &&
	    (upkg_is_for_editor(b->u, b->export) || (in_properties && b->u->era == UPKG_UE2)))
		body_leave_other(b);
	return is_read;
}

void upkg_decode_bodies(struct decode *d, struct upkg *u)
{
	struct class_scratch of_classes = { .starts = NULL };
	struct scratch scratch = { .buffer = decode_alloc(d, UPKG_BODIES, BODY_WINDOW, 1),
				   .of_classes = &of_classes };

	of_classes.starts = decode_alloc(d, UPKG_BODIES, SCRIPT_STARTS / 8, 1);
	if (!scratch.buffer || !of_classes.starts)
		return;
	memset(of_classes.starts, 0, SCRIPT_STARTS / 8);
	u->uses_are_known = true;
	for (uint32_t i = 0; i < u->tables[TABLE_EXPORTS].n; i++) {
		UVET_FILLED_LATER struct body b;

		if (!has_body(&u->exports[i])) {
			u->uses_are_known = u->uses_are_known && u->exports[i].size == 0;
			continue;
		}
		if (!decode_spend(d, UPKG_BODIES, 1 + work_of_bytes((uint64_t)u->exports[i].size)))
			return;
		body_open(&b, d, u, i, &scratch);
		if (!decode_body(&b) || body_left(&b) > 0)
			u->uses_are_known = false;
		if (b.unreadable)
			decode_stop(d, UPKG_BODIES, STOP_INPUT, b.all);
		if (!decode_has(d, UPKG_BODIES))
			return;
	}
	font_examine_pages(d, u, &scratch);
	script_examine_conditions(d, u, &scratch);
	structs_examine(d, u, &scratch);
}
