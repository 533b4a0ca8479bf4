/* Classes and what they consist of: structs, functions, states, enums, constants, properties. */
#include "formats/upkg/classes/fields.h"

#include "core/mutant.h"
#include "formats/upkg/body/parts.h"
#include "formats/upkg/body/properties.h"
#include "formats/upkg/classes/conditions.h"
#include "formats/upkg/classes/kinds.h"
#include "formats/upkg/classes/native.h"
#include "formats/upkg/classes/scratch.h"
#include "formats/upkg/classes/script.h"
#include "formats/upkg/classes/structs.h"
#include "formats/upkg/tables/names.h"
#include "formats/upkg/tables/objects.h"
#include "formats/upkg/tables/references.h"

#define FUNCTION_NATIVE 0x00000400u /* FUNC_Native */
#define FUNCTION_NET 0x00000040u    /* FUNC_Net */
#define PROPERTY_NET 0x00000020u    /* CPF_Net */
#define PROPERTY_OUT 0x00000100u    /* CPF_OutParm */
#define PROPERTY_RETURN 0x00000400u /* CPF_ReturnParm: the value that a function returns */
#define OUTS_MAX 16                 /* MAX_FUNC_PARMS */
#define SIZES_MAX \
	0x7FFFFFFFu /* bytes of a class or struct: the engine's numbers are signed, of 32 bits */
#define LOCALS_MAX 0x100000u /* bytes of a function: as large as a Windows program's stack */
#define NATIVE_MAX 4095      /* the last of the engine's table of native functions */
#define NO_LABELS 0xFFFFu
#define ELEMENTS_MAX \
	1048576 /* of an array: no mod has nearly as many, and their size fits in 32 bits */

/* ---- Lists of fields ------------------------------------------------------------------------- */

static bool is_field(const struct upkg *u, int32_t reference);

/* Notes that a list has a field. *seen: a list had it before. It returns false if memory ended. */
static bool list_field(struct body *b, int32_t field, bool *seen)
{
	const uint64_t len = b->u->tables[TABLE_EXPORTS].n / 8 + 1;
	const uint32_t bit = (uint32_t)field - 1;
	uint8_t *listed = scratch_of(b)->listed;

	if (!listed) {
		listed = decode_alloc(b->d, UPKG_SCRIPTS, len, 1);
		if (!listed)
			return false;
		memset(listed, 0, (size_t)len);
		scratch_of(b)->listed = listed;
	}
	*seen = listed[bit / 8] >> bit % 8 & 1;
	listed[bit / 8] |= (uint8_t)(1u << bit % 8);
	return true;
}

/* Reads the first or the next field of a list, all of which lie in one outer. */
static bool read_listed(struct body *b, int32_t outer, bool after_class)
{
	const uint64_t at = body_at(b);
	int32_t field;
	bool seen;

	if (!body_object(b, FLAW_SCRIPT_REFERENCE, &field))
		return body_cut(b);
	if (field == 0 || !upkg_refers(b->u, field))
		return true;
	if (!is_field(b->u, field)) {
		body_note(b, FLAW_FIELD_NONE, 0, at, body_at(b) - at, field, 0);
		return true;
	}
	if (!list_field(b, field, &seen))
		return false;
	if (seen || (uint32_t)field - 1 == b->export)
		body_note(b, FLAW_FIELD_TWICE, 0, at, body_at(b) - at, field, 0);
	else if (b->u->exports[field - 1].outer != outer)
		body_note(b, FLAW_FIELD_ELSEWHERE, 0, at, body_at(b) - at, field, 0);
	else if (after_class)
		body_note(b, FLAW_FIELD_AFTER_CLASS, 0, at, body_at(b) - at, field, 0);
	return true;
}

/* Whether things of a class have a super; it is to be such a thing too. */
static bool has_super(enum upkg_word class, enum upkg_thing *thing)
{
	switch (class) {
	case WORD_Class:
		*thing = THING_CLASS;
		return true;
	case WORD_Function:
		*thing = THING_FUNCTION;
		return true;
	case WORD_State:
		*thing = THING_STATE;
		return true;
	case WORD_Struct:
		*thing = THING_STRUCT;
		return true;
	default:
		return false;
	}
}

/* Core, or one of the copies of it that packages are conformed to, whose names end in a version. */
static bool is_core(struct text stem)
{
	uint64_t i = 4;

	if (!text_starts(stem, "Core"))
		return false;
	while (i < stem.ref.n_units &&
	       (text_between(text_unit(stem, i), '0', '9') || text_unit(stem, i) == '_'))
		i++;
	return i == stem.ref.n_units;
}

/* The one class that has no super. */
static bool is_root(const struct body *b)
{
	return upkg_word_of(b->u, b->u->exports[b->export].name) == WORD_Object &&
	       is_core(b->u->file.stem);
}

static void examine_super(struct body *b, uint64_t at, int32_t super)
{
	enum upkg_thing thing;

	if (!has_super(b->class, &thing) || !upkg_refers(b->u, super))
		return;
	if (super == 0 ? thing == THING_CLASS && !is_root(b) : !body_is_thing(b->u, super, thing))
		body_note(b, FLAW_SUPER_KIND, (uint8_t)thing, at, body_at(b) - at, super, 0);
}

/* Reads super and next of a field. The export table has the super too. */
static bool read_field(struct body *b)
{
	const struct upkg_export *e = &b->u->exports[b->export];
	const int32_t listed = upkg_super_of(b->u, e);
	const uint64_t at = body_at(b);
	int32_t super;

	if (!body_object(b, FLAW_SCRIPT_REFERENCE, &super))
		return body_cut(b);
	examine_super(b, at, super);
	if (!structs_hold(b, (int32_t)b->export + 1, super, at))
		return false;
	if (super != listed && upkg_refers(b->u, super) && upkg_refers(b->u, listed))
		body_note(b, FLAW_SUPER, 0, at, body_at(b) - at, super, listed);
	return read_listed(b, e->outer, e->class == 0);
}

/* Reads the source of a struct. */
static bool read_source(struct body *b)
{
	const uint64_t at = body_at(b);
	int32_t text;

	if (!body_object(b, FLAW_SCRIPT_REFERENCE, &text))
		return body_cut(b);
	if (text != 0 && upkg_refers(b->u, text) && upkg_class_of(b->u, text) != WORD_TextBuffer)
		body_note(b, FLAW_SOURCE, 0, at, body_at(b) - at, text, 0);
	return true;
}

/* ---- Parts that several have ----------------------------------------------------------------- */

static bool read_name(struct body *b)
{
	int32_t v;

	return body_whole(b, body_name(b, FLAW_SCRIPT_REFERENCE, &v));
}

/* Reads a count and that many names. */
static bool read_names(struct body *b)
{
	int64_t n;

	if (!body_count(b, 1, &n))
		return false;
	for (; n > 0; n--)
		if (!decode_spend(b->d, UPKG_SCRIPTS, 1) || !read_name(b))
			return false;
	return true;
}

/* Reads the name by which editors show a struct. */
static bool read_friendly(struct body *b)
{
	const uint64_t at = body_at(b);
	int32_t v;

	if (!body_name(b, FLAW_SCRIPT_REFERENCE, &v))
		return body_cut(b);
	if (upkg_word_of(b->u, v) == WORD_None)
		body_flaw_plain(b, FLAW_FRIENDLY, at, body_at(b) - at);
	return true;
}

/* Reads a struct: a field, its source, its first child, its name, where in the source it is, and
 * its code, which takes *size bytes in memory. */
static bool read_struct(struct body *b, int64_t *size)
{
	if (!read_field(b) || !read_source(b) || !read_listed(b, (int32_t)b->export + 1, false) ||
	    !read_friendly(b) || !body_step(b, 8))
		return false;
	if (!body_i32(b, size))
		return body_cut(b);
	return body_script(b, *size);
}

/* Reads where the condition is under which something is replicated; that of another thing is
 * skipped. */
static bool read_condition(struct body *b, bool is_own)
{
	uint64_t to;

	if (!body_u16(b, &to))
		return body_cut(b);
	return !is_own || script_condition(b, to);
}

static bool read_function(struct body *b)
{
	const bool old = b->u->tag.version <= 63;
	uint64_t native, flags, at;
	int64_t size;

	if (!read_struct(b, &size) || !body_step(b, old ? 2 : 0))
		return false;
	at = body_at(b);
	if (!body_u16(b, &native) || !body_skip(b, old ? 4u : 1u) || !body_u32(b, &flags))
		return body_cut(b);
	if (native > NATIVE_MAX)
		body_flaw(b, FLAW_NATIVE_INDEX, at, 2, (int64_t)native, 0);
	if (native != 0 && !(flags & FUNCTION_NATIVE))
		body_flaw(b, FLAW_NATIVE_FLAG, at, 2, (int64_t)native, (int64_t)flags);
	if (!(flags & FUNCTION_NATIVE))
		body_code_end(b, false);
	return !(flags & FUNCTION_NET) ||
	       read_condition(b, upkg_super_of(b->u, &b->u->exports[b->export]) == 0);
}

/* Examines where the labels of a state are, or of a class, whose code ends as a state does if it
 * has labels. */
static void examine_labels(struct body *b, uint64_t at, int64_t labels)
{
	const struct script_end *e = &scratch_of(b)->end;

	if (labels != NO_LABELS && labels != e->table)
		body_note(b, e->size == 0 ? FLAW_STATE_LABEL_NO_CODE : FLAW_STATE_LABEL, 0, at, 2,
			  labels, e->table);
	if (b->class == WORD_State || (labels != NO_LABELS && e->size > 0))
		body_code_end(b, true);
}

static bool read_state(struct body *b)
{
	uint64_t labels, at;
	int64_t size;

	if (!read_struct(b, &size) || !body_step(b, 16))
		return false;
	at = body_at(b);
	if (!body_u16(b, &labels) || !body_skip(b, 4))
		return body_cut(b);
	examine_labels(b, at, (int64_t)labels);
	return true;
}

/* Reads a class that a class names. What exists and is no class is a flaw of this kind. */
static bool read_class_reference(struct body *b, enum upkg_flaw_kind kind)
{
	uint64_t at = body_at(b);
	int32_t v;

	if (!body_object(b, FLAW_SCRIPT_REFERENCE, &v))
		return body_cut(b);
	if (upkg_refers(b->u, v) && upkg_class_of(b->u, v) != WORD_Class)
		body_flaw(b, v == 0 && kind == FLAW_WITHIN ? FLAW_WITHIN_NONE : kind, at,
			  body_at(b) - at, v, 0);
	return true;
}

/* Reads the classes that this one was compiled with, and the packages that it imports. */
static bool read_dependencies(struct body *b)
{
	int64_t n;

	if (!body_count(b, 9, &n))
		return false;
	for (; n > 0; n--)
		if (!decode_spend(b->d, UPKG_SCRIPTS, 1) ||
		    !read_class_reference(b, FLAW_DEPENDENCY) || !body_step(b, 8))
			return false;
	return read_names(b);
}

/* Reads the name of the file that a class's settings are in. A dot in it could begin an
 * extension. */
static bool read_configuration(struct body *b)
{
	const uint64_t at = body_at(b);
	int32_t v;

	if (!body_name(b, FLAW_SCRIPT_REFERENCE, &v))
		return body_cut(b);
	if (upkg_name_of(b->u, v) &&
	    (b->u->names[v].traits & NAME_HAS_DOT || upkg_path_traits(b->u, v)))
		body_flaw(b, FLAW_CONFIGURATION, at, body_at(b) - at, v, 0);
	return true;
}

static bool read_class(struct body *b)
{
	const bool old = b->u->tag.version <= 61;

	if (!read_state(b) || !script_keep(b) || !body_step(b, (old ? 4 : 0) + 4 + 16) ||
	    !read_dependencies(b))
		return false;
	return old || (read_class_reference(b, FLAW_WITHIN) && read_configuration(b));
}

/* ---- Properties, enums, constants ------------------------------------------------------------ */

/* What is known of the place of a variable in memory. */
struct variable {
	uint64_t at, flags_at; /* where its number of elements is, and its flags */
	int64_t n;             /* elements; 0: the number is impossible */
	uint64_t each;         /* the fewest bytes that an element takes */
	uint64_t flags;
};

/* Reads how many elements a variable has. Bools are never arrays. */
static bool read_elements(struct body *b, struct variable *v)
{
	const int64_t most = b->class == WORD_BoolProperty ? 1 : ELEMENTS_MAX;

	v->at = body_at(b);
	if (!body_i32(b, &v->n))
		return body_cut(b);
	if (v->n < 1 || v->n > most) {
		body_flaw(b, FLAW_ELEMENTS, v->at, 4, v->n, most);
		v->n = 0;
	}
	return true;
}

static uint64_t least_size(enum upkg_word class)
{
	switch (class) {
	case WORD_IntProperty:
	case WORD_BoolProperty:
	case WORD_FloatProperty:
	case WORD_NameProperty:
	case WORD_ObjectProperty:
	case WORD_ClassProperty:
		return 4;
	case WORD_StrProperty:
	case WORD_ArrayProperty: /* a pointer and two numbers */
		return 12;
	default:
		return 1;
	}
}

/* The variables of an export; NULL: memory ended. */
static struct variables *variables_of(struct body *b, uint32_t export)
{
	const uint64_t n = b->u->tables[TABLE_EXPORTS].n;

	if (!scratch_of(b)->variables) {
		scratch_of(b)->variables = decode_alloc(b->d, UPKG_SCRIPTS, n,
							sizeof *scratch_of(b)->variables);
		if (!scratch_of(b)->variables)
			return NULL;
		memset(scratch_of(b)->variables, 0, (size_t)n * sizeof *scratch_of(b)->variables);
	}
	return &scratch_of(b)->variables[export];
}

/* Counts a variable among the out parameters, for which the engine has an array. The value that
 * a function returns ends its parameters, and there is one; further variables with its flag are
 * parameters like others, since the engine does not ask for the flag. */
static void count_parameter(struct body *b, struct variables *all, const struct variable *v)
{
	if (v->flags & PROPERTY_RETURN && !all->returns)
		all->returns = true;
	else if (v->flags & PROPERTY_OUT && ++all->n_outs == OUTS_MAX + 1)
		body_flaw(b, FLAW_OUTS, v->flags_at, 4, b->u->exports[b->export].outer - 1,
			  OUTS_MAX);
}

/* Counts a variable among those of what it lies in, and notes where they become too large. */
static bool add_variable(struct body *b, const struct variable *v)
{
	const int32_t outer = b->u->exports[b->export].outer;
	struct variables *all;
	uint64_t size;

	if (outer <= 0 || !upkg_refers(b->u, outer))
		return true;
	all = variables_of(b, (uint32_t)outer - 1);
	if (!all)
		return false;
	size = all->size + (uint64_t)v->n * v->each;
	if (size > SIZES_MAX && all->size <= SIZES_MAX)
		body_flaw(b, FLAW_SIZES, v->at, 4, outer - 1, (int64_t)size);
	else if (size > LOCALS_MAX && all->size <= LOCALS_MAX &&
		 upkg_class_of(b->u, outer) == WORD_Function)
		body_flaw(b, FLAW_LOCALS, v->at, 4, outer - 1, (int64_t)size);
	all->size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
	count_parameter(b, all, v);
	return true;
}

/* Whether a variable may refer to something, which exists. */
static bool fits(const struct body *b, int32_t reference, enum upkg_thing thing)
{
	if (thing == THING_ELEMENT)
		return reference > 0 && body_is_thing(b->u, reference, THING_VARIABLE) &&
		       b->u->exports[reference - 1].outer == (int32_t)b->export + 1;
	return (reference == 0 && thing == THING_ENUM) || body_is_thing(b->u, reference, thing);
}

/* Reads n references of a variable to things. */
static bool read_referred(struct body *b, unsigned n, enum upkg_thing thing)
{
	for (; n > 0; n--) {
		const uint64_t at = body_at(b);
		int32_t v;

		if (!body_object(b, FLAW_SCRIPT_REFERENCE, &v))
			return body_cut(b);
		if (upkg_refers(b->u, v) && !fits(b, v, thing))
			body_note(b, FLAW_VARIABLE, (uint8_t)thing, at, body_at(b) - at, v, 0);
		if (thing == THING_STRUCT &&
		    !structs_hold(b, b->u->exports[b->export].outer, v, at))
			return false;
	}
	return true;
}

/* Reads the length that a String has up to version 61. */
static bool read_length(struct body *b, struct variable *v)
{
	if (b->u->tag.version > 61)
		return true;
	return body_whole(b, body_u32(b, &v->each));
}

/* Reads what variables of some classes have more than others. */
static bool read_kind(struct body *b, struct variable *v)
{
	switch (b->class) {
	case WORD_ByteProperty:
		return read_referred(b, 1, THING_ENUM);
	case WORD_ObjectProperty:
		return read_referred(b, 1, THING_CLASS);
	case WORD_StructProperty:
		return read_referred(b, 1, THING_STRUCT);
	case WORD_ArrayProperty:
		return read_referred(b, 1, THING_ELEMENT);
	case WORD_ClassProperty:
		return read_referred(b, 2, THING_CLASS);
	case WORD_MapProperty:
		return read_referred(b, 2, THING_ELEMENT);
	case WORD_FixedArrayProperty:
		return read_referred(b, 1, THING_ELEMENT) && body_step(b, 4);
	case WORD_StringProperty:
		return read_length(b, v);
	default:
		return true;
	}
}

static bool read_property(struct body *b)
{
	struct variable v = { .each = least_size(b->class) };

	if (!read_field(b) || !read_elements(b, &v))
		return false;
	v.flags_at = body_at(b);
	if (!body_u32(b, &v.flags))
		return body_cut(b);
	if (!read_name(b) || (v.flags & PROPERTY_NET && !read_condition(b, true)))
		return false;
	return read_kind(b, &v) && add_variable(b, &v);
}

static bool read_enum(struct body *b)
{
	return read_field(b) && read_names(b);
}

static bool read_const(struct body *b)
{
	uint64_t width, len;

	return read_field(b) && body_text(b, &width, &len);
}

/* ---- Whole bodies ---------------------------------------------------------------------------- */

static bool read_plain_struct(struct body *b)
{
	int64_t size;

	return read_struct(b, &size);
}

static bool (*const fields[N_WORDS])(struct body *b) = {
#define CORE_CLASS(class, outer)
#define CORE_FIELD(class, outer, reader) [WORD_##class] = read_##reader,
#define CORE_UE2(class, outer)
#include "formats/upkg/tables/core.def"
#undef CORE_CLASS
#undef CORE_FIELD
#undef CORE_UE2
};

static bool is_field(const struct upkg *u, int32_t reference)
{
	if (reference <= 0)
		return false;
	return u->exports[reference - 1].class == 0 || fields[upkg_class_of(u, reference)] ||
	       body_is_thing(u, reference, THING_VARIABLE);
}

bool body_class(struct body *b)
{
	if (!decode_has(b->d, UPKG_SCRIPTS))
		return body_leave_some(b, UPKG_SCRIPTS);
	return body_closed(b, read_class(b) && body_properties(b));
}

/* UE2 has one more class of variables, whose form was not measured. */
bool body_field(struct body *b)
{
	if (b->class == WORD_DelegateProperty && b->u->era == UPKG_UE2)
		return body_leave_some(b, UPKG_SCRIPTS);
	if (!fields[b->class])
		return body_native(b);
	if (!decode_has(b->d, UPKG_SCRIPTS))
		return body_leave_some(b, UPKG_SCRIPTS);
	return body_closed(b, fields[b->class](b));
}
