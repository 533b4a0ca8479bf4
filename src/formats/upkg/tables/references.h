/* References: what they lead to, and of which class that is. */
#ifndef UVET_FORMATS_UPKG_TABLES_REFERENCES_H
#define UVET_FORMATS_UPKG_TABLES_REFERENCES_H

#include "formats/upkg/facts.h"
#include "formats/upkg/tables/words.h"

/* How many outers of an import, or of what a class holds, are followed: far more than packages
 * have. */
#define UPKG_OUTERS_MAX 64u

/* upkg_refers tells whether an object reference is one: 0, an export or an import of the
 * package. */
static inline bool upkg_refers(const struct upkg *u, int64_t object)
{
	return object <= (int64_t)u->tables[TABLE_EXPORTS].n &&
	       -object <= (int64_t)u->tables[TABLE_IMPORTS].n;
}

/* upkg_import_home returns the import that an import lies in, where that lies in nothing itself, as
 * the packages of classes do; or NULL. */
const struct upkg_import *upkg_import_home(const struct upkg *u, const struct upkg_import *i);

/* upkg_import_class returns what class an import says it is of. */
enum upkg_word upkg_import_class(const struct upkg *u, const struct upkg_import *i);

/* upkg_engine_word returns which class of the engine an import is: WORD_OTHER if it is known to lie
 * elsewhere. */
enum upkg_word upkg_engine_word(const struct upkg *u, const struct upkg_import *class);

/* upkg_class_word returns which class of the engine an export is of: WORD_Class for a class. */
enum upkg_word upkg_class_word(const struct upkg *u, const struct upkg_export *e);

/* upkg_class_of returns the class of what a reference leads to, which exists: WORD_None where that
 * is nothing. */
enum upkg_word upkg_class_of(const struct upkg *u, int32_t reference);

#endif
