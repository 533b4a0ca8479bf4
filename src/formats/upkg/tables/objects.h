/* Objects: the import and export tables, entry by entry. */
#ifndef UVET_FORMATS_UPKG_TABLES_OBJECTS_H
#define UVET_FORMATS_UPKG_TABLES_OBJECTS_H

#include "formats/upkg/facts.h"
#include "formats/upkg/tables/words.h"

/* upkg_decode_imports and upkg_decode_exports read a table, the names before both; false: it
 * stopped, which was noted for UPKG_IMPORTS or UPKG_EXPORTS. */
bool upkg_decode_imports(struct decode *d, struct upkg *u);
bool upkg_decode_exports(struct decode *d, struct upkg *u);

/* upkg_import_entry_of reads an import's entry again, from the window that was held for it. */
struct upkg_import_entry upkg_import_entry_of(const struct upkg *u, const struct upkg_import *i);

/* upkg_export_entry_of reads an export's entry again, from the window that was held for it;
 * upkg_super_of its super alone.
 * upkg_place_of returns where the entry ends: there the offset stands, if the size is not 0. */
struct upkg_export_entry upkg_export_entry_of(const struct upkg *u, const struct upkg_export *e);
int32_t upkg_super_of(const struct upkg *u, const struct upkg_export *e);
uint64_t upkg_place_of(const struct upkg *u, const struct upkg_export *e);

/* upkg_saved_flags returns the flags that exports of the package's era are saved with. */
uint32_t upkg_saved_flags(const struct upkg *u);

/* upkg_is_for_editor tells whether no game makes an export's object: a client makes those with
 * LoadForClient, a server those with LoadForServer. */
static inline bool upkg_is_for_editor(const struct upkg *u, uint32_t export)
{
	return (u->exports[export].traits & EXPORT_FOR_EDITOR) != 0;
}

#endif
