/* A second walk over the properties of each object of a package, and what the first one must have
 * noted of it. */
#include "oracle/oracle_properties.h"

#include <string.h>

#include "formats/upkg/facts.h"
#include "formats/upkg/tables/names.h"
#include "formats/upkg/tables/objects.h"
#include "formats/upkg/tables/references.h"
#include "reference/reference_properties.h"
#include "support/must.h"

enum { NAMES_MAX = 256, TEXTS_MAX = 8192 };

/* The names of a package, in upper case. */
struct names {
	struct reference_name of[NAMES_MAX];
	char texts[TEXTS_MAX];
	bool complete; /* all of them are here, and none has letters that are not ASCII */
};

static void read_names(const struct upkg *u, struct names *out)
{
	size_t used = 0;

	out->complete = false;
	if (u->tables[TABLE_NAMES].n > NAMES_MAX)
		return;
	for (uint32_t i = 0; i < u->tables[TABLE_NAMES].n; i++) {
		const struct text t = upkg_text_of(u, (int32_t)i);

		out->of[i] = (struct reference_name){ out->texts + used, t.ref.n_units };
		for (uint32_t k = 0; k < t.ref.n_units; k++) {
			uint32_t c = text_unit(t, k);

			if (c >= 0x80 || used == TEXTS_MAX)
				return;
			out->texts[used++] = (char)(c >= 'a' && c <= 'z' ? c - 32 : c);
		}
	}
	out->complete = true;
}

static const enum upkg_flaw_kind kinds[] = {
	[FAULT_FRAME_CUT] = FLAW_FRAME_CUT,
	[FAULT_FRAME_REFERENCE] = FLAW_FRAME_REFERENCE,
	[FAULT_FRAME_NODE] = FLAW_FRAME_NODE,
	[FAULT_FRAME_STATE] = FLAW_FRAME_STATE,
	[FAULT_FRAME_PLACE] = FLAW_FRAME_PLACE,
	[FAULT_NAME] = FLAW_TAG_NAME,
	[FAULT_CUT] = FLAW_TAG_CUT,
	[FAULT_OPEN] = FLAW_LIST_OPEN,
	[FAULT_TYPE] = FLAW_TAG_TYPE,
	[FAULT_FORM] = FLAW_SIZE_CODE,
	[FAULT_INDEX_0] = FLAW_ARRAY_ZERO,
	[FAULT_WIDTH] = FLAW_VALUE_SIZE,
	[FAULT_REFERENCE] = FLAW_VALUE_REFERENCE,
	[FAULT_LENGTH] = FLAW_VALUE_LENGTH,
	[FAULT_TEXT] = FLAW_TEXT_COUNT,
	[FAULT_STRUCT_SIZE] = FLAW_STRUCT_SIZE,
	[FAULT_STRUCT_NAME] = FLAW_STRUCT_NAME,
	[FAULT_STRUCT_END] = FLAW_STRUCT_OPEN,
	[FAULT_ARRAY] = FLAW_ARRAY_COUNT,
	[FAULT_DELEGATE] = FLAW_DELEGATE,
	[FAULT_TEXT_LONG] = FLAW_TEXT_LONG,
	[FAULT_TEXT_ELEMENT] = FLAW_TEXT_INDEX,
};

static void show(const struct reference_object *o, uint64_t body_at, const struct upkg_flaws *flaws,
		 uint32_t export)
{
	for (size_t i = 0; i < o->n_found; i++)
		fprintf(stderr, "reference: %d at %llu\n", (int)kinds[o->found[i].fault],
			(unsigned long long)(body_at + o->found[i].at));
	for (uint64_t i = 0; i < flaws->n; i++)
		if (flaws->rows[i].export == export)
			fprintf(stderr, "uvet: %d at %llu\n", flaws->rows[i].kind,
				(unsigned long long)flaws->rows[i].at);
}

/* What follows the properties is another walk's; what a game loads, and what the tables or a
 * frame's code say, the reference reader in Python judges. */
static bool is_walked(unsigned kind)
{
	switch (kind) {
	case FLAW_OWN_DATA:
	case FLAW_NAME_NOT_IN_GAME:
	case FLAW_IMPORT_NOT_IN_GAME:
	case FLAW_EXPORT_NOT_IN_GAME:
	case FLAW_OUTER_PATH:
	case FLAW_FRAME_CLASS:
	case FLAW_CLASS_BY_IMPORT:
		return false;
	default:
		return true;
	}
}

/* The kind that this walk takes a flaw for, which does not tell all of them apart. */
static enum upkg_flaw_kind walked_kind(const struct upkg_flaw *f)
{
	switch (f->kind) {
	case FLAW_FRAME_OUTSIDE:
		return FLAW_FRAME_PLACE;
	case FLAW_LIST_INDEX:
		return FLAW_LIST_OPEN;
	case FLAW_TAG_TYPE_ZERO:
		return FLAW_TAG_TYPE;
	case FLAW_VALUE_INDEX:
		return FLAW_VALUE_LENGTH;
	case FLAW_TEXT_LENGTH:
	case FLAW_TEXT_NUL:
		return FLAW_TEXT_COUNT;
	case FLAW_STRUCT_SHORT:
		return FLAW_STRUCT_OPEN;
	case FLAW_ARRAY_INDEX:
		return FLAW_ARRAY_COUNT;
	default:
		return (enum upkg_flaw_kind)f->kind;
	}
}

/* Repeated properties are noted when the list has ended, in an order of their own: they are
 * counted. */
static void compare(const struct reference_object *o, const struct upkg *u, uint32_t export)
{
	const struct upkg_flaws *flaws = &u->flaws[FLAWS_OBJECTS];
	const uint64_t body_at = (uint64_t)u->exports[export].offset;
	size_t n = 0, n_repeated = 0;
	bool same = true;

	for (uint64_t i = 0; i < flaws->n; i++) {
		const struct upkg_flaw *f = &flaws->rows[i];

		if (f->export != export || !is_walked(f->kind))
			continue;
		if (f->kind == FLAW_TAG_TWICE) {
			n_repeated++;
			continue;
		}
		same = same && n < o->n_found && walked_kind(f) == kinds[o->found[n].fault] &&
		       f->at == body_at + o->found[n].at;
		n++;
	}
	same = same && n == o->n_found && n_repeated == reference_repeated(o);
	if (!same)
		show(o, body_at, flaws, export);
	MUST(same, "a second walk finds the same of an object's properties");
}

void oracle_properties(const void *facts, const uint8_t *data)
{
	static struct names names;
	static struct reference_object o;
	const struct upkg *u = facts;

	if (u->groups[UPKG_BODIES].why != STOP_NOT)
		return;
	read_names(u, &names);
	for (uint32_t i = 0; names.complete && i < u->tables[TABLE_EXPORTS].n; i++) {
		const struct upkg_export *e = &u->exports[i];

		if (upkg_class_word(u, e) == WORD_Class || e->size <= 0 ||
		    e->traits & (EXPORT_OUTSIDE | EXPORT_BAD_CLASS | EXPORT_OVERLAPS))
			continue;
		o.data = data + e->offset;
		o.n = (uint64_t)e->size;
		o.has_frame = upkg_export_entry_of(u, e).flags & 0x02000000u;
		o.ue2 = u->tag.version >= 99;
		o.version = u->tag.version;
		o.names = names.of;
		o.n_names = u->tables[TABLE_NAMES].n;
		o.n_exports = u->tables[TABLE_EXPORTS].n;
		o.n_imports = u->tables[TABLE_IMPORTS].n;
		reference_properties(&o);
		if (!o.too_deep && o.n_found < REFERENCE_FOUND && o.n_tags < REFERENCE_TAGS)
			compare(&o, u, i);
	}
}
