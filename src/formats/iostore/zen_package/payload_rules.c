/* The rules for the payload of a zen package: where the bytes of its exports are. */
#include "formats/iostore/zen_package/zen_rules.h"

/* ---- Sizes ----------------------------------------------------------------------------------- */

/* A sum of sizes; one that is too large to be known exactly is UINT64_MAX. */
static struct arg sum_of_sizes(uint64_t sum)
{
	return sum == UINT64_MAX ? WORD("at least 18446744073709551615 bytes") : SIZE(sum);
}

#define ZEN023_TEXTS \
	.class = CLASS_SECURITY, \
	.title = "No export shall be longer than the payload, nor all of them together.", \
	.message = "{0} {1}: a serial size of {2}, but the payload has {3}", \
	.data = "what number size payload", \
	.why = "The engine reads past the end of the package: the game stops with \"Serial size " \
	       "mismatch\", or crashes.", \
	.fix = FIX_GET, .spec = SPEC(9.1)

FILE_DEFECT_RULE(ZEN023, serial_size_out_of_range, ERROR, ZEN_PAYLOAD, zen, z, ZEN_SIZES_LONG,
		 ZEN023_TEXTS)
{
	report(c, AT_SPAN(z->sections[ZEN_AT_EXPORTS].at, z->sections[ZEN_AT_EXPORTS].len),
	       WORD("all exports,"), DEC(z->n_exports + z->n_cells), sum_of_sizes(z->serial_sum),
	       SIZE(z->payload));
}

DEFECT_RULE(ZEN023_exports, serial_size_out_of_range, ERROR, ZEN_EXPORT_ROWS, e,
	    ZEN_EXPORT_SIZE_OUT, .also = BIT(ZEN_PAYLOAD), ZEN023_TEXTS)
{
	report(c, AT(c, zen_export, &e->fields, size), WORD("export"), DEC(e->index),
	       SIZE(e->fields.size), SIZE(zen_of(c)->payload));
}

DEFECT_RULE(ZEN023_cells, serial_size_out_of_range, ERROR, ZEN_CELL_ROWS, e, ZEN_CELL_SIZE_OUT,
	    .also = BIT(ZEN_PAYLOAD), ZEN023_TEXTS)
{
	report(c, AT(c, zen_cell, &e->fields, size), WORD("cell export"), DEC(e->index),
	       SIZE(e->fields.size), SIZE(zen_of(c)->payload));
}

DEFECT_RULE(ZEN024, serial_size_zero, WARNING, ZEN_EXPORT_ROWS, e, ZEN_EXPORT_EMPTY,
     .class   = CLASS_CORRUPTION,
     .title   = "An export should have bytes.",
     .message = "export {0}, {1}, has {2}",
     .data    = "export path size",
     .why     = "Even an object without properties ends its list of them: the game reads the "
		"bytes of another one, or stops.",
     .fix     = FIX_IF_NEEDED,
     .spec    = SPEC(9.2))
{
	struct export_text text;

	report(c, AT(c, zen_export, &e->fields, size), DEC(e->index),
	       export_name(c, e->index, &text), SIZE(e->fields.size));
}

/* ---- Places ---------------------------------------------------------------------------------- */

#define ZEN025_TEXTS \
	.class = CLASS_CORRUPTION, \
	.title = "The bytes of an export should begin where those of the one before it end.", \
	.message = "export {0}, {1}, begins at byte {2}, {3} the one before it ends at {4}", \
	.data = "export path at relation end", \
	.why = "Engines write the exports without gap or overlap. A tool may have changed the " \
	       "length of one and not the places of the others: the object that is read is " \
	       "another one.", \
	.fix = FIX_IF_NEEDED, .spec = SPEC(9.3)

DEFECT_RULE(ZEN025, serial_ranges_overlap, WARNING, ZEN_EXPORT_ROWS, e,
	    ZEN_EXPORT_OVERLAP | ZEN_EXPORT_GAP, ZEN025_TEXTS)
{
	struct export_text text;

	report(c, AT(c, zen_export, &e->fields, offset), DEC(e->index),
	       export_name(c, e->index, &text), DEC(e->fields.offset),
	       either(e->traits & ZEN_EXPORT_OVERLAP, "in an overlap:", "after a gap:"),
	       DEC(e->previous_end));
}

DEFECT_RULE(ZEN025_cells, serial_ranges_overlap, WARNING, ZEN_CELL_ROWS, e,
	    ZEN_CELL_OVERLAP | ZEN_CELL_GAP, ZEN025_TEXTS)
{
	report(c, AT(c, zen_cell, &e->fields, offset), DEC(e->index), WORD("a cell"),
	       DEC(e->fields.offset),
	       either(e->traits & ZEN_CELL_OVERLAP, "in an overlap:", "after a gap:"),
	       DEC(e->previous_end));
}

FILE_DEFECT_RULE(
	ZEA007, first_serial_offset_mismatch, WARNING, ZEN_PAYLOAD, zen, z, ZEN_FIRST_COOKED,
	.class = CLASS_HYGIENE,
	.title = "The first export of a package of Unreal Engine 4 should begin at "
		 "CookedHeaderSize.",
	.message =
		"the first export begins at byte {0} of the cooked package, whose header has {1}",
	.data = "offset cooked_header",
	.why = "Engines count from the cooked package. Tools that turn the package back find the "
	       "exports at other places.",
	.fix = FIX_NOTHING, .spec = SPEC(9.4))
{
	report(c, zen_field(c, z, zen_summary_initial_field_cooked_header_size),
	       DEC(z->first_offset), SIZE(z->summary.cooked_header_size));
}

FILE_DEFECT_RULE(
	ZEA008, payload_size_mismatch, ERROR, ZEN_PAYLOAD, zen, z, ZEN_OLD_PAYLOAD,
	.class = CLASS_CORRUPTION,
	.title = "The exports of a package of Unreal Engine 4 shall have all bytes of the payload.",
	.message = "the exports together have {0}, the payload {1}", .data = "size payload",
	.why = "The engine reads one export after the other, and where a size is not that of the "
	       "object the game stops with \"Serial size mismatch\".",
	.fix = FIX_GET, .spec = SPEC(9.5))
{
	report(c, AT_SPAN(z->header_end, z->payload), SIZE(z->serial_sum), SIZE(z->payload));
}

DEFECT_RULE(ZEB005, bundle_payload_out_of_range, ERROR, ZEN_BUNDLE_ROWS, b, ZEN_BUNDLE_PAST_END,
     .class   = CLASS_SECURITY,
     .title   = "The exports of a bundle of 5.0 to 5.2 shall end within the payload.",
     .message = "bundle {0} has {1} of exports from byte {2} of the payload on, which has {3}",
     .data    = "bundle size offset payload",
     .why     = "The engine reads past the end of the package, and may crash.",
     .fix     = FIX_GET,
     .spec    = SPEC(9.6))
{
	report(c, AT(c, zen_bundle, &b->fields, serial_offset), DEC(b->index),
	       sum_of_sizes(b->serial_sum), DEC(b->fields.serial_offset), SIZE(zen_of(c)->payload));
}

DEFECT_RULE(ZEB008, bundle_payload_misplaced, WARNING, ZEN_BUNDLE_ROWS, b, ZEN_BUNDLE_MISPLACED,
     .class   = CLASS_CORRUPTION,
     .title   = "The payload of a bundle of 5.0 to 5.2 should begin where that of the bundle "
		"before it ends, that of the first one at 0.",
     .message = "the payload of bundle {0} begins at byte {1}, expected at {2}",
     .data    = "bundle offset expected",
     .why     = "The engine reads the exports of a bundle from there on: from bytes of other "
		"objects, if the place is of another state of the package.",
     .fix     = FIX_IF_NEEDED,
     .spec    = SPEC(9.12))
{
	report(c, AT(c, zen_bundle, &b->fields, serial_offset), DEC(b->index),
	       DEC(b->fields.serial_offset), DEC(b->serial_next));
}

FILE_DEFECT_RULE(
	ZEB009, payload_size_differs, WARNING, ZEN_PAYLOAD, zen, z, ZEN_PAYLOAD_EXTRA,
	.class = CLASS_CORRUPTION,
	.title = "The exports of a package of 5.0 to 5.2 should have all bytes of the payload.",
	.message = "the exports together have {0}, the payload {1}", .data = "size payload",
	.why = "Nothing reads the rest. Something was added to the package, or the size of an "
	       "export is not that of its bytes, and then the game stops with \"Serial size "
	       "mismatch\".",
	.fix = FIX_IF_NEEDED, .spec = SPEC(9.13))
{
	report(c, AT_SPAN(z->header_end, z->payload), SIZE(z->serial_sum), SIZE(z->payload));
}

FILE_DEFECT_RULE(
	ZEC006, payload_tag_missing, WARNING, ZEN_PAYLOAD, zen, z,
	ZEN_TRAILER_ABSENT | ZEN_TRAILER | ZEN_PAYLOAD_SIZE, .class = CLASS_CORRUPTION,
	.sign = SIGN_TAIL, .lesser = SEVERITY_NOTE,
	.lesser_when = "the payload ends with the last export, and has no tag at all",
	.title = "The payload of a package since 5.3 should be its exports and the tag 0x9E2A83C1.",
	.message = "the payload has {0} and ends in {1}, expected {2}, of which the last four are "
		   "0x9E2A83C1",
	.data = "payload tag expected",
	.why = "The size of an export may not be that of its bytes, and then the game stops with "
	       "\"Serial size mismatch\". Nothing is known to read the tag.",
	.fix = FIX_NOTHING, .spec = SPEC(9.7))
{
	const uint64_t tag = zen_trailer_fixed_len, len = z->payload < tag ? z->payload : tag;

	report_as(c, z->defects & ZEN_TRAILER_ABSENT, AT_SPAN(z->size - len, len), SIZE(z->payload),
		  len < tag ? WORD("no tag") : HEX(z->trailer), SIZE(z->serial_sum + tag));
}

/* The place of the first export that begins at the least offset, or else of such a cell. */
static struct place first_place(const struct zen *z)
{
	uint64_t i = 0, k = 0;

	while (i < z->n_exports &&
	       zen_export_get_offset(zen_export_at(z->exports, i)) != z->first_offset)
		i++;
	if (i < z->n_exports)
		return AT_SPAN(z->sections[ZEN_AT_EXPORTS].at + i * zen_export_fixed_len, 8);
	while (k + 1 < z->n_cells &&
	       zen_cell_get_offset(zen_cell_at(z->cells, k)) != z->first_offset)
		k++;
	return AT_SPAN(z->sections[ZEN_AT_CELL_EXPORTS].at + k * zen_cell_fixed_len, 8);
}

FILE_DEFECT_RULE(
	ZEC007, serial_offset_out_of_range, WARNING, ZEN_PAYLOAD, zen, z, ZEN_FIRST_NOT_ZERO,
	.class = CLASS_CORRUPTION,
	.title = "The first export of a package since 5.3 should begin where the payload does.",
	.message = "the first export begins at byte {0} of the payload, expected 0",
	.data = "offset",
	.why = "Engines write the exports from the payload's first byte on. What comes before is "
	       "of "
	       "another state of the package, or a tool has moved the exports and not their bytes.",
	.fix = FIX_IF_NEEDED, .spec = SPEC(9.8))
{
	report(c, first_place(z), DEC(z->first_offset));
}

DEFECT_RULE(ZEC011, serial_range_outside, ERROR, ZEN_EXPORT_ROWS, e, ZEN_EXPORT_PAST_END,
     .class   = CLASS_SECURITY, .also = BIT(ZEN_PAYLOAD),
     .title   = "An export of a package since 5.3 shall end within the payload.",
     .message = "export {0} begins at byte {1} of the payload and has {2}; the payload has {3}",
     .data    = "export offset size payload",
     .why     = "The engine reads the object from this place without a check: foreign memory is "
		"taken for it, or the game crashes.",
     .fix     = FIX_GET,
     .spec    = SPEC(9.9))
{
	if (zen_of(c)->defects & ZEN_SIZES_LONG)
		return; /* ZEN023 tells it */
	report(c, AT(c, zen_export, &e->fields, offset), DEC(e->index), DEC(e->fields.offset),
	       SIZE(e->fields.size), SIZE(zen_of(c)->payload));
}

/* ---- Cells ----------------------------------------------------------------------------------- */

DEFECT_RULE(ZED002, cell_range_outside, ERROR, ZEN_CELL_ROWS, e, ZEN_CELL_PAST_END,
     .class   = CLASS_SECURITY, .also = BIT(ZEN_PAYLOAD),
     .title   = "A cell export shall end within the payload.",
     .message = "cell export {0} begins at byte {1} of the payload and has {2}; the payload has "
		"{3}",
     .data    = "cell offset size payload",
     .why     = "The engine reads the cell from this place without a check: foreign memory is "
		"taken for it, or the game crashes.",
     .fix     = FIX_GET,
     .spec    = SPEC(9.10))
{
	if (zen_of(c)->defects & ZEN_SIZES_LONG)
		return; /* ZEN023 tells it */
	report(c, AT(c, zen_cell, &e->fields, offset), DEC(e->index), DEC(e->fields.offset),
	       SIZE(e->fields.size), SIZE(zen_of(c)->payload));
}

DEFECT_RULE(ZED003, cell_layout_out_of_range, WARNING, ZEN_CELL_ROWS, e, ZEN_CELL_LAYOUT,
     .class   = CLASS_CORRUPTION, .also = BIT(ZEN_PAYLOAD),
     .title   = "The layout of a cell export should not be longer than the cell.",
     .message = "cell export {0} has a layout of {1}, and {2} in all",
     .data    = "cell layout size",
     .why     = "The layout is the first part of the cell's bytes. What the engine does with a "
		"longer one is not known; it may read the bytes of another object.",
     .fix     = FIX_IF_NEEDED,
     .spec    = SPEC(9.11))
{
	report(c, AT(c, zen_cell, &e->fields, layout_size), DEC(e->index),
	       SIZE(e->fields.layout_size), SIZE(e->fields.size));
}
