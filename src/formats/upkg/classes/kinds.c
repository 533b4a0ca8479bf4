/* Kinds: what a reference leads to, and what is asked of it. */
#include "formats/upkg/classes/kinds.h"

#include "formats/upkg/body/parts.h"
#include "formats/upkg/header/header.h"
#include "formats/upkg/tables/names.h"
#include "formats/upkg/tables/objects.h"
#include "formats/upkg/tables/references.h"

/* ---- Of code and variables ------------------------------------------------------------------- */

/* Whether a name, as an engine reads it, is that of a class of variables. The engine keeps
 * UPKG_NAME_MAX units, and reads up to a NUL. */
static bool is_of_variables(const struct upkg *u, int64_t name)
{
	const struct text kept = upkg_kept_name(u, (int32_t)name);

	return text_ends(kept.ref.n_units < UPKG_NAME_MAX ? kept : upkg_text_of(u, (int32_t)name),
			 "Property");
}

/* Whether something is a variable: the name of its class ends in Property. */
static bool is_variable(const struct upkg *u, int32_t reference)
{
	const int32_t class = reference > 0 ? u->exports[reference - 1].class : 0;

	if (reference < 0)
		return is_of_variables(u,
				       upkg_import_entry_of(u, &u->imports[-(int64_t)reference - 1])
					       .class_name.value);
	return class < 0 && upkg_refers(u, class) &&
	       is_of_variables(u, u->imports[-class - 1].name);
}

bool body_is_thing(const struct upkg *u, int32_t reference, enum upkg_thing thing)
{
	static const enum upkg_word classes[] = {
		[THING_FUNCTION] = WORD_Function, [THING_CLASS] = WORD_Class,
		[THING_STRUCT] = WORD_Struct,     [THING_ENUM] = WORD_Enum,
		[THING_STATE] = WORD_State,       [THING_BOOL] = WORD_BoolProperty,
	};

	return thing == THING_VARIABLE ? is_variable(u, reference)
				       : upkg_class_of(u, reference) == classes[thing];
}

/* ---- Of data --------------------------------------------------------------------------------- */

/* The class of the engine that an object is of, as far as the tables say; classes of mods may have
 * the same names. */
static enum upkg_word engine_class(const struct upkg *u, int32_t reference)
{
	enum upkg_word home;

	if (reference >= 0)
		return upkg_class_of(u, reference);
	home = upkg_word_of(u,
			    (int32_t)upkg_import_entry_of(u, &u->imports[-(int64_t)reference - 1])
				    .class_package.value);
	return home == WORD_Core || home == WORD_Engine ? upkg_class_of(u, reference) : WORD_OTHER;
}

/* The classes of what packages and code are made of. */
static const bool is_of_core[N_WORDS] = {
	[WORD_Package] = true,
#define CORE_CLASS(class, outer) [WORD_##class] = true,
#define CORE_FIELD(class, outer, reader) [WORD_##class] = true,
#define CORE_UE2(class, outer)
#include "formats/upkg/tables/core.def"
#undef CORE_CLASS
#undef CORE_FIELD
#undef CORE_UE2
};

/* The groups of facts of the classes with data of their own; 0: the class has none. */
static const uint8_t native_groups[N_WORDS] = {
#define NATIVE(class, group, reader) [WORD_##class] = group,
#define NATIVE_UE2(class, group, reader)
#include "formats/upkg/classes/classes.def"
#undef NATIVE
#undef NATIVE_UE2
};

bool body_is_wanted(const struct upkg *u, int32_t reference, enum body_wanted wanted)
{
	enum upkg_word class;

	if (reference == 0 || !upkg_refers(u, reference))
		return true;
	if (wanted == WANT_TEXT || wanted == WANT_POLYS)
		return upkg_class_of(u, reference) ==
		       (wanted == WANT_TEXT ? WORD_TextBuffer : WORD_Polys);
	class = engine_class(u, reference);
	if (wanted == WANT_TEXTURE && native_groups[class] == UPKG_TEXTURES)
		return true;
	if (wanted == WANT_TEXTURE && (class == WORD_LevelInfo || class == WORD_Brush))
		return false;
	return !is_of_core[class] && native_groups[class] == 0;
}

bool body_thing(struct body *b, enum upkg_flaw_kind kind, uint8_t part, enum body_wanted wanted)
{
	const uint64_t at = body_at(b);
	int32_t reference;

	if (!body_object(b, FLAW_NATIVE_REFERENCE, &reference))
		return body_cut(b);
	if (!body_is_wanted(b->u, reference, wanted))
		body_flaw_part(b, kind, part, at, body_at(b) - at, reference, 0);
	return true;
}
