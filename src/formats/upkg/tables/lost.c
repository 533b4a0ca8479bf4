/* Lost parts: bytes of a package that are zeros where something else was. */
#include "formats/upkg/tables/lost.h"

#include "formats/upkg/header/file.h"
#include "formats/upkg/header/header.h"
#include "formats/upkg/tables/names.h"
#include "formats/upkg/tables/objects.h"

static bool reaches_tail(const struct upkg *u, enum upkg_table_number number)
{
	return u->tables[number].end > u->size - UPKG_TAIL;
}

/* Whether exports of zeros may be what conforming left of those that it removed. */
static bool is_conformed(const struct upkg *u)
{
	return u->n_generations > 1;
}

/* A body may end in zeros; names and imports are never zero. */
static uint32_t examine_tail(const struct upkg *u)
{
	if (reaches_tail(u, TABLE_NAMES) || reaches_tail(u, TABLE_IMPORTS) ||
	    (reaches_tail(u, TABLE_EXPORTS) && !is_conformed(u)))
		return FILE_TAIL_TABLE;
	if (reaches_tail(u, TABLE_EXPORTS))
		return FILE_TAIL_BODIES;
	for (uint32_t i = 0; i < u->tables[TABLE_EXPORTS].n; i++)
		if (u->exports[i].size > 0 && (int64_t)u->exports[i].offset + u->exports[i].size >
						      (int64_t)(u->size - UPKG_TAIL))
			return FILE_TAIL_BODIES;
	return 0;
}

static bool has_class(const struct upkg *u, const struct upkg_import *r)
{
	const struct upkg_import_entry e = upkg_import_entry_of(u, r);

	return e.class_package.value != 0 || e.class_name.value != 0;
}

/* An import of zeros is none: without outer it is a package, which needs the name of its class. */
static struct span find_lost_import(const struct upkg *u)
{
	for (uint32_t i = 0;
	     u->import_traits & IMPORT_TOP_NO_PACKAGE && i < u->tables[TABLE_IMPORTS].n; i++) {
		const struct upkg_import *r = &u->imports[i];

		if (r->name != 0 || r->outer != 0 || has_class(u, r))
			continue;
		return (struct span){ r->at, upkg_least_row(u, TABLE_IMPORTS) };
	}
	return (struct span){ 0, 0 };
}

/* Whether bytes between the parts of the file belong to nothing. */
static bool has_bytes_between(const struct upkg *u)
{
	for (uint32_t i = 0; i < u->n_gaps; i++)
		if (u->gaps[i].traits & GAP_BETWEEN)
			return true;
	return false;
}

static bool has_more(const struct upkg *u, const struct upkg_export *r)
{
	const struct upkg_export_entry e = upkg_export_entry_of(u, r);

	return e.super.value != 0 || e.flags != 0;
}

/* An export of zeros is lost where its body is left, in bytes that belong to nothing, and where
 * it is not called None and nothing was conformed. */
static struct span find_lost_export(const struct upkg *u)
{
	const uint32_t seen = u->export_traits & (EXPORT_EMPTY | EXPORT_PLACEHOLDER);
	const bool is_left = has_bytes_between(u);

	if (seen == 0 || (!is_left && (is_conformed(u) || !(seen & EXPORT_EMPTY) ||
				       upkg_word_of(u, 0) == WORD_None)))
		return (struct span){ 0, 0 };
	for (uint32_t i = 0; i < u->tables[TABLE_EXPORTS].n; i++) {
		const struct upkg_export *r = &u->exports[i];

		if (r->class != 0 || r->outer != 0 || r->name != 0 || r->size != 0 ||
		    has_more(u, r))
			continue;
		return (struct span){ r->at, upkg_least_row(u, TABLE_EXPORTS) };
	}
	return (struct span){ 0, 0 };
}

static void find_lost_row(struct upkg *u)
{
	u->lost_row = find_lost_import(u);
	if (u->lost_row.len > 0) {
		u->traits |= FILE_IMPORT_LOST;
		return;
	}
	u->lost_row = find_lost_export(u);
	if (u->lost_row.len > 0)
		u->traits |= FILE_EXPORT_LOST;
}

void upkg_examine_zeros(const struct decode *d, struct upkg *u)
{
	if (u->file.zero_tail)
		u->traits |= examine_tail(u);
	if (decode_has(d, UPKG_LINKS))
		find_lost_row(u);
}
