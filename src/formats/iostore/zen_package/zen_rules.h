/* What the rules for zen packages share: places, the names of exports, and what to do. */
#ifndef UVET_FORMATS_IOSTORE_ZEN_PACKAGE_ZEN_RULES_H
#define UVET_FORMATS_IOSTORE_ZEN_PACKAGE_ZEN_RULES_H

#include "formats/iostore/zen_package/export_text.h"
#include "formats/iostore/zen_package/zen.h"
#include "rule/finding.h"

#define SPEC(n) "zen.md#" #n

/* What there is to do about a package that engines do not read, and about one that they do. */
#define FIX_GET \
	"Players: get the mod again. Authors: cook the asset and pack it again if it still " \
	"fails; " \
	"a tool that edits packages may have left this."
#define FIX_IF_NEEDED \
	"Players: get the mod again, if it does not work. Authors: cook the asset and pack it " \
	"again; a tool that edits packages may have left this."
#define FIX_NOTHING \
	"Players: nothing, if the mod works. Authors: nothing, if you know the tool; else cook " \
	"the asset and pack it again."

static inline const struct zen *zen_of(const struct check *c)
{
	return c->facts;
}

/* ZEN_FIELD is a field that the summaries of all layouts have, zen_field its place. */
#define ZEN_FIELD(z, field) \
	((z)->version < ZEN_5_0   ? (size_t)zen_summary_initial_field_##field \
	 : (z)->version < ZEN_5_3 ? (size_t)zen_summary_counted_field_##field \
				  : (size_t)zen_summary_named_field_##field)

/* ZEN_5_FIELD is one that they have since Unreal Engine 5. */
#define ZEN_5_FIELD(z, field) \
	((z)->version < ZEN_5_3 ? (size_t)zen_summary_counted_field_##field \
				: (size_t)zen_summary_named_field_##field)

static inline struct place zen_field(struct check *c, const struct zen *z, size_t field)
{
	return check_place(c, zen_summary_layout(z), z, 0, field);
}

/* zen_offset is the place of what says where a section begins, or, for ZEN_AT_SUMMARY, where the
 * header ends. */
static inline struct place zen_offset(struct check *c, const struct zen *z, enum zen_section s)
{
	const uint64_t cells = z->sections[ZEN_AT_CELLS].at;
	size_t field;

	if (s == ZEN_AT_CELL_IMPORTS)
		return check_place(c, &zen_cells_layout, z, cells, zen_cells_field_imports_at);
	if (s == ZEN_AT_CELL_EXPORTS)
		return check_place(c, &zen_cells_layout, z, cells, zen_cells_field_exports_at);
	if (zen_offset_field(z, s, &field))
		return zen_field(c, z, field);
	return AT_SPAN(z->sections[s].at, 0);
}

/* export_name is the path of an export for a message; the text holds it until it is reported. */
static inline struct arg export_name(const struct check *c, uint64_t export,
				     struct export_text *text)
{
	if (export >= zen_of(c)->n_exports || !export_text_write(zen_of(c), export, text))
		return WORD("whose name is not known");
	return UTF8(text->text + text->start, EXPORT_TEXT_MAX - text->start);
}

#endif
