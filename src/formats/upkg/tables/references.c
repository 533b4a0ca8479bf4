/* References: what they lead to, and of which class that is. */
#include "formats/upkg/tables/references.h"

#include "formats/upkg/tables/names.h"
#include "formats/upkg/tables/objects.h"

const struct upkg_import *upkg_import_home(const struct upkg *u, const struct upkg_import *i)
{
	const struct upkg_import *home;

	if (i->outer >= 0 || !upkg_refers(u, i->outer))
		return NULL;
	home = &u->imports[-(int64_t)i->outer - 1];
	return home->outer == 0 ? home : NULL;
}

enum upkg_word upkg_import_class(const struct upkg *u, const struct upkg_import *i)
{
	return upkg_word_of(u, (int32_t)upkg_import_entry_of(u, i).class_name.value);
}

/* Whether a class is a mod's that has the name of one of the engine. That is known only of a class
 * that lies in a package. */
static bool is_of_mod(const struct upkg *u, const struct upkg_import *class)
{
	const struct upkg_import *home = upkg_import_home(u, class);
	enum upkg_word name;

	if (!home || !(u->imports_traits[home - u->imports] & IMPORT_IS_PACKAGE))
		return false;
	name = upkg_word_of(u, home->name);
	return name != WORD_Core && name != WORD_Engine && name != WORD_Fire;
}

enum upkg_word upkg_engine_word(const struct upkg *u, const struct upkg_import *class)
{
	return is_of_mod(u, class) ? WORD_OTHER : upkg_word_of(u, class->name);
}

enum upkg_word upkg_class_word(const struct upkg *u, const struct upkg_export *e)
{
	if (e->class == 0)
		return WORD_Class;
	return e->class > 0 || !upkg_refers(u, e->class)
		       ? WORD_OTHER
		       : upkg_engine_word(u, &u->imports[-(int64_t)e->class - 1]);
}

enum upkg_word upkg_class_of(const struct upkg *u, int32_t reference)
{
	if (NEVER(!upkg_refers(u, reference)) || reference == 0)
		return WORD_None;
	if (reference > 0)
		return upkg_class_word(u, &u->exports[reference - 1]);
	return upkg_import_class(u, &u->imports[-(int64_t)reference - 1]);
}
