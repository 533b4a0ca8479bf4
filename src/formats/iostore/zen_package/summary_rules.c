/* The rules for the summary of a zen package, its versions and its sections. */
#include "formats/iostore/zen_package/zen_rules.h"

/* ---- The summary ----------------------------------------------------------------------------- */

FILE_DEFECT_RULE(ZEN001, summary_truncated, ERROR, ZEN_FILE, zen, z, ZEN_SUMMARY_SHORT,
		 .class = CLASS_SECURITY, .sign = SIGN_OTHER_FILE, .explains = BIT(ZEN_SUMMARY),
		 .title = "A package shall have all bytes of its summary.",
		 .message = "the package has {0}, its summary at least {1}",
		 .data = "length wanted",
		 .why = "The engine reads the summary without a check, and past the end.",
		 .fix = FIX_GET, .spec = SPEC(2.1))
{
	const uint64_t least = z->size < zen_summary_counted_fixed_len
				       ? zen_summary_counted_fixed_len
			       : z->size < zen_summary_named_fixed_len
				       ? zen_summary_named_fixed_len
				       : zen_summary_initial_fixed_len;

	report(c, AT_SPAN(0, z->size), SIZE(z->size), SIZE(least));
}

FILE_DEFECT_RULE(
	ZEN027, package_form_unknown, UNDETERMINED, ZEN_FILE, zen, z, ZEN_FORM_UNKNOWN,
	.class = CLASS_COMPATIBILITY, .sign = SIGN_OTHER_FILE, .explains = BIT(ZEN_SUMMARY),
	.title = "A package shall have one of the forms of Unreal Engine 4.26 and later.",
	.message = "the {0} of the file fit no known form of a zen package", .data = "length",
	.why = "The file may be a package of the older form, of an engine before 4.26, or "
	       "damaged in its first bytes; no rule was asked.",
	.fix = "Players: get the mod again, if it does not work. Authors: look at which tool "
	       "extracted the file; packages of the older form are called .uasset and .umap.",
	.spec = SPEC(1.1))
{
	report(c, AT_SPAN(0, z->size < ZEN_SUMMARY_MOST ? z->size : ZEN_SUMMARY_MOST),
	       SIZE(z->size));
}

FILE_DEFECT_RULE(
	ZEN006, cooked_header_size_missing, WARNING, ZEN_SUMMARY, zen, z, ZEN_COOKED_SIZE_ZERO,
	.class = CLASS_HYGIENE, .title = "CookedHeaderSize should not be 0.",
	.message = "CookedHeaderSize is {0}, expected the size of the cooked header",
	.data = "size",
	.why = "Engines write what the header had before it was packed. Tools that turn the "
	       "package back count the places of exports from it.",
	.fix = FIX_NOTHING, .spec = SPEC(2.5))
{
	report(c, zen_field(c, z, ZEN_FIELD(z, cooked_header_size)),
	       DEC(z->summary.cooked_header_size));
}

FILE_DEFECT_RULE(
	ZEN007, cooked_flags_missing, WARNING, ZEN_SUMMARY, zen, z,
	ZEN_HAS_EDITOR_DATA | ZEN_NOT_COOKED, .class = CLASS_COMPATIBILITY,
	.title = "A package should have the flags of a cooked one.",
	.message = "the package flags {0} lack {1}", .data = "flags missing",
	.why = "The engine expects data of the editor in the objects, and may read them at other "
	       "places than where they are.",
	.fix = "Players: get the mod again, if it does not work. Authors: cook the asset for the "
	       "game's platform, and pack what was cooked.",
	.spec = SPEC(2.6))
{
	static const struct defect_words words[] = {
		{ ZEN_HAS_EDITOR_DATA, "FilterEditorOnly (0x80000000)" },
		{ ZEN_NOT_COOKED, "Cooked (0x200)" },
	};
	const uint64_t both = ZEN_HAS_EDITOR_DATA | ZEN_NOT_COOKED;

	report(c, zen_field(c, z, ZEN_FIELD(z, flags)), HEX(z->summary.flags),
	       WORD((z->defects & both) == both ? "FilterEditorOnly (0x80000000) and Cooked (0x200)"
						: WORDS_FOR(z->defects, words)));
}

FILE_DEFECT_RULE(
	ZEN008, versions_unexpected, NOTE, ZEN_SUMMARY, zen, z, ZEN_VERSIONS_EXTRA,
	.class = CLASS_HYGIENE,
	.title = "A package whose properties have no tags should have no versions.",
	.message = "the package flags {0} say that properties have no tags, yet the package has "
		   "versions",
	.data = "flags",
	.why = "Engines write versions only where properties have tags: properties without tags "
	       "are read only by the build that wrote them. A tool may have changed the flag, and "
	       "then properties are misread.",
	.fix = FIX_NOTHING, .spec = SPEC(2.7))
{
	report(c, zen_field(c, z, ZEN_FIELD(z, flags)), HEX(z->summary.flags));
}

FILE_DEFECT_RULE(ZEA001, summary_padding_nonzero, WARNING, ZEN_SUMMARY, zen, z, ZEN_PAD,
		 .class = CLASS_HYGIENE,
		 .title = "The padding of a summary of Unreal Engine 4 should be 0.",
		 .message = "the padding of the summary is {0}, expected 0", .data = "pad",
		 .why = "It does no harm. Engines write 0, so another tool made this package.",
		 .fix = FIX_NOTHING, .spec = SPEC(2.8))
{
	report(c, zen_field(c, z, zen_summary_initial_field_pad), HEX(z->summary.pad));
}

FILE_DEFECT_RULE(
	ZEN005, package_id_mismatch, WARNING, ZEN_NAMES, zen, z, ZEN_ID_DIFFERS,
	.class = CLASS_COMPATIBILITY,
	.title = "The id of a package's chunk should be CityHash64 of the package's name.",
	.message = "the chunk has the id {0}, expected {1} by the package's name",
	.data = "id expected",
	.why = "The engine finds the package by the one and its exports by the other: the asset "
	       "replaces nothing, or what uses it does not find it.",
	.fix = "Players: get the mod again, if it does not work. Authors: pack the asset under "
	       "the path that it was cooked with; a renamed file keeps its old name inside.",
	.spec = SPEC(10.1))
{
	report(c, zen_field(c, z, ZEN_FIELD(z, name)), HEX(z->claims ? z->claims->id : 0),
	       HEX(z->package_id));
}

/* ---- Versions -------------------------------------------------------------------------------- */

/* Only the first defect stops: what follows the versions cannot be found. */
FILE_DEFECT_RULE(
	ZEB002, versions_out_of_range, ERROR, ZEN_SUMMARY, zen, z,
	ZEN_VERSIONS_LONG | ZEN_VERSIONING_FLAG | ZEN_VERSION_UNKNOWN, .class = CLASS_CORRUPTION,
	.explains = BIT(ZEN_SECTIONS), .lesser = SEVERITY_WARNING,
	.lesser_when = "what says whether there are versions is not 0 or 1, or the summary's own "
		       "version is above 3",
	.title = "The versions of a package shall be known ones, and end within its header.",
	.message = "{0} {1}, expected at most {2}", .data = "what value most",
	.why = "Engines and tools look for the names after the versions, and read other bytes as "
	       "names, or a form that they do not know.",
	.fix = FIX_IF_NEEDED, .spec = SPEC(2.11))
{
	const uint64_t at = z->sections[ZEN_AT_VERSIONS].at, hashes = z->sections[ZEN_AT_HASHES].at,
		       end = hashes < z->header_end ? hashes : z->header_end,
		       first = at + zen_versions_fixed_len;

	if (z->defects & ZEN_VERSIONS_LONG)
		report(c, AT(c, zen_versions, &z->versions, n_custom),
		       WORD("the count of custom versions is"), DEC(z->versions.n_custom),
		       DEC(end > first ? (end - first) / zen_custom_version_fixed_len : 0));
	if (z->defects & ZEN_VERSIONING_FLAG)
		report_lesser(c, zen_field(c, z, ZEN_5_FIELD(z, has_versions)),
			      WORD("bHasVersioningInfo is"), DEC(z->summary.has_versions), DEC(1));
	if (z->defects & ZEN_VERSION_UNKNOWN)
		report_lesser(c, AT(c, zen_versions, &z->versions, zen),
			      WORD("the version of the summary is"), DEC(z->versions.zen),
			      DEC(ZEN_VERSION_MAX));
}

/* A package that a container since 5.6 has is read by its version; of a loose one, and of one from
 * an older container, nobody knows by which engine. */
FILE_DEFECT_RULE(
	ZEN030, cells_version_mismatch, ERROR, ZEN_SUMMARY, zen, z,
	ZEN_CELLS_EARLY | ZEN_CELLS_ABSENT, .class = CLASS_COMPATIBILITY,
	.lesser = SEVERITY_WARNING,
	.lesser_when = "offsets of cells are missing, and no container since 5.6 says that the "
		       "package should have them",
	.title = "A package shall have offsets of cells if its FileVersionUE5 is 1015 or more, and "
		 "none if it is less.",
	.message = "FileVersionUE5 is {0}, expected {1}, as the package has {2}",
	.data = "version expected cells",
	.why = "Engines since 5.6 look for the names after these offsets or in their place, as the "
	       "version says, and take other bytes for names.",
	.fix = FIX_GET, .spec = SPEC(2.13))
{
	const struct place place = AT(c, zen_versions, &z->versions, ue5);
	const struct arg version = SIGNED(layout_signed(z->versions.ue5));

	if (z->defects & ZEN_CELLS_EARLY)
		report(c, place, version, WORD("1015 or more"), WORD("offsets of cells"));
	else if (z->claims && z->claims->version >= CLAIMS_CELLS)
		report(c, place, version, WORD("less than 1015"), WORD("no offsets of cells"));
	else
		report_lesser(c, place, version, WORD("less than 1015"),
			      WORD("no offsets of cells"));
}

/* ---- Sections -------------------------------------------------------------------------------- */

FILE_DEFECT_RULE(
	ZEN002, sections_out_of_order, ERROR, ZEN_SUMMARY, zen, z, ZEN_ORDER,
	.class = CLASS_SECURITY, .explains = BIT(ZEN_SECTIONS),
	.title = "No section of a header shall begin before the one before it, or after the header "
		 "ends.",
	.message = "section {0} begins at byte {1}, expected {2} to {3}",
	.data = "section at least most",
	.why = "Engines take the difference of two offsets for a size without a check, read "
	       "foreign memory, and crash.",
	.fix = FIX_GET, .spec = SPEC(2.2))
{
	report(c, zen_offset(c, z, z->fault.section), WORD(zen_section_name(z->fault.section)),
	       DEC(z->fault.at), DEC(z->fault.least), DEC(z->fault.most));
}

FILE_DEFECT_RULE(
	ZEN003, section_size_mismatch, ERROR, ZEN_SUMMARY, zen, z, ZEN_PART_OF_A_ROW,
	.class = CLASS_SECURITY, .explains = BIT(ZEN_SECTIONS),
	.title = "A section of a header shall have whole rows.",
	.message = "section {0} has {1}, expected a multiple of {2}", .data = "section length row",
	.why = "Engines count the rows by the size, and read the rest as a part of a row or not "
	       "at all: the objects that follow are other ones.",
	.fix = FIX_GET, .spec = SPEC(2.3))
{
	report(c, zen_offset(c, z, z->fault.section), WORD(zen_section_name(z->fault.section)),
	       SIZE(z->fault.len), SIZE(z->fault.each));
}

FILE_DEFECT_RULE(
	ZEN004, header_outside_package, ERROR, ZEN_SUMMARY, zen, z, ZEN_HEADER_LONG,
	.class = CLASS_CORRUPTION, .explains = BIT(ZEN_SECTIONS),
	.title = "The header of a package shall end within the package.",
	.message = "the header has {0}, the package {1}", .data = "header length",
	.why = "Unreal Engine 5.8 stops with an error; older engines read past the end and may "
	       "crash. Most often the file is truncated.",
	.fix = FIX_GET, .spec = SPEC(2.4))
{
	report(c, zen_offset(c, z, ZEN_AT_SUMMARY), SIZE(z->summary.header_size), SIZE(z->size));
}

FILE_DEFECT_RULE(
	ZEA002, name_sections_misplaced, ERROR, ZEN_SECTIONS, zen, z,
	ZEN_NAMES_PLACE | ZEN_HASHES_PLACE | ZEN_IMPORTS_PLACE, .class = CLASS_CORRUPTION,
	.title = "In Unreal Engine 4 names shall follow the summary, hashes the names, and imports "
		 "the hashes.",
	.message = "section {0} begins at byte {1}, expected {2}", .data = "section at expected",
	.why = "Engines and tools that count on the order read other bytes as names or imports.",
	.fix = FIX_GET, .spec = SPEC(2.9))
{
	static const struct {
		uint64_t defect;
		enum zen_section section, before;
	} list[] = {
		{ ZEN_NAMES_PLACE, ZEN_AT_NAMES, ZEN_AT_SUMMARY },
		{ ZEN_HASHES_PLACE, ZEN_AT_NAME_HASHES, ZEN_AT_NAMES },
		{ ZEN_IMPORTS_PLACE, ZEN_AT_IMPORTS, ZEN_AT_NAME_HASHES },
	};

	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		const struct zen_place *before = &z->sections[list[i].before];
		const uint64_t end = i == 0 ? zen_summary_initial_fixed_len
					    : before->at + before->len;

		if (z->defects & list[i].defect)
			report(c, zen_offset(c, z, list[i].section),
			       WORD(zen_section_name(list[i].section)),
			       DEC(z->sections[list[i].section].at), DEC((end + 7) / 8 * 8));
	}
}

FILE_DEFECT_RULE(
	ZEB001, header_size_out_of_range, ERROR, ZEN_SUMMARY, zen, z, ZEN_HEADER_SHORT,
	.class = CLASS_CORRUPTION, .explains = BIT(ZEN_SECTIONS),
	.title = "The header of a package of 5.0 to 5.2 shall not end before its graph begins.",
	.message = "the header ends at byte {0}, before its graph begins at {1}",
	.data = "end graph",
	.why = "The engine reads bundles and arcs out of the payload, and the payload from "
	       "another place than where it is.",
	.fix = FIX_GET, .spec = SPEC(2.10))
{
	report(c, zen_offset(c, z, ZEN_AT_SUMMARY), DEC(z->summary.header_size),
	       DEC(z->sections[ZEN_AT_GRAPH].at));
}

FILE_DEFECT_RULE(
	ZED001, cell_sections_mismatch, ERROR, ZEN_SUMMARY, zen, z, ZEN_CELLS_ORDER,
	.class = CLASS_SECURITY, .explains = BIT(ZEN_SECTIONS),
	.title = "Cell imports and cell exports shall follow the exports, in whole rows.",
	.message = "section {0} at byte {1} {2} {3}", .data = "section at problem value",
	.why = "Engines take the difference of two offsets for a size without a check, read "
	       "foreign memory, and crash.",
	.fix = FIX_GET, .spec = SPEC(2.12))
{
	const struct zen_fault *fault = &z->fault;
	const char *const problem = fault->len > 0             ? "has no whole rows of"
				    : fault->at < fault->least ? "may not begin before"
							       : "may not begin after";

	report(c, zen_offset(c, z, fault->section), WORD(zen_section_name(fault->section)),
	       DEC(fault->at), WORD(problem),
	       fault->len > 0             ? SIZE(fault->each)
	       : fault->at < fault->least ? DEC(fault->least)
					  : DEC(fault->most));
}
