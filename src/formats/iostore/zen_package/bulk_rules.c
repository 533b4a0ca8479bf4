/* The rules for the map of bulk data. */
#include "formats/iostore/zen_package/zen_rules.h"

static const char *file_name_of(enum claims_bulk file)
{
	static const char *const names[CLAIMS_N_BULK] = {
		[CLAIMS_BULK] = "BulkData",
		[CLAIMS_OPTIONAL_BULK] = "OptionalBulkData",
		[CLAIMS_MAPPED_BULK] = "MemoryMappedBulkData",
	};

	return names[file];
}

FILE_DEFECT_RULE(
	ZEC008, bulk_map_malformed, ERROR, ZEN_NAMES, zen, z,
	ZEN_BULK_PAD | ZEN_BULK_SIZE | ZEN_BULK_MISALIGNED, .class = CLASS_SECURITY,
	.explains = BIT(ZEN_BULK),
	.title = "The map of bulk data shall have whole rows within the header, and since 5.4 "
		 "begin at a multiple of 8 after at most 7 bytes of padding.",
	.message = "the map of bulk data has {0}: {1}, expected {2}", .data = "what value expected",
	.why = "The engine reads as many rows as the size says without a check, in place, and "
	       "past the end of the header.",
	.fix = FIX_GET, .spec = SPEC(8.1))
{
	const uint64_t at = z->sections[ZEN_AT_BULK].at;

	if (z->defects & ZEN_BULK_PAD)
		report(c, AT_SPAN(at, zen_bulk_pad_fixed_len), WORD("a padding"), SIZE(z->bulk_pad),
		       WORD("7 bytes or less"));
	if (z->defects & ZEN_BULK_SIZE)
		report(c,
		       z->bulk_at == 0 ? AT_SPAN(at, 0)
				       : AT_SPAN(z->bulk_at - zen_bulk_size_fixed_len,
						 zen_bulk_size_fixed_len),
		       WORD("a size"), SIZE(z->bulk_len),
		       WORD("a multiple of 32 that ends before the imported hashes"));
	if (z->defects & ZEN_BULK_MISALIGNED)
		report(c, AT_SPAN(at, zen_bulk_pad_fixed_len), WORD("an offset"), DEC(z->bulk_at),
		       WORD("a multiple of 8"));
}

FILE_DEFECT_RULE(
	ZEC009, bulk_map_end_mismatch, WARNING, ZEN_BULK, zen, z, ZEN_BULK_END,
	.class = CLASS_HYGIENE,
	.title = "The map of bulk data should end where the imported hashes begin.",
	.message = "the map of bulk data ends at byte {0}, the imported hashes begin at {1}",
	.data = "end hashes",
	.why = "Engines leave no gap, so another tool made this package. Tools that tell its "
	       "form by the map take it for another form.",
	.fix = FIX_NOTHING, .spec = SPEC(8.2))
{
	report(c, zen_offset(c, z, ZEN_AT_HASHES), DEC(z->bulk_end),
	       DEC(z->sections[ZEN_AT_HASHES].at));
}

/* Engines of 5.0 and 5.1 have no map whatever the version says, and of one without rows nothing is
 * missed. */
FILE_DEFECT_RULE(
	ZEN031, bulk_version_mismatch, ERROR, ZEN_BULK, zen, z, ZEN_BULK_EARLY | ZEN_BULK_ABSENT,
	.class = CLASS_COMPATIBILITY, .lesser = SEVERITY_WARNING,
	.lesser_when = "the map has no rows, or is missing",
	.title = "A package shall have a map of bulk data if its FileVersionUE5 is 1009 or more, "
		 "and none if it is less.",
	.message = "FileVersionUE5 is {0}, expected {1}, as the package has {2}",
	.data = "version expected map",
	.why = "Engines look for the map if the version says that there is one. One that they do "
	       "not look for is lost to the objects; for one that is missing they take other "
	       "bytes.",
	.fix = FIX_IF_NEEDED, .spec = SPEC(8.6))
{
	const struct place place = AT(c, zen_versions, &z->versions, ue5);
	const struct arg version = SIGNED(layout_signed(z->versions.ue5));

	if (z->defects & ZEN_BULK_ABSENT)
		report_lesser(c, place, version, WORD("less than 1009"),
			      WORD("no map of bulk data"));
	else if (z->n_bulk == 0)
		report_lesser(c, place, version, WORD("1009 or more"),
			      WORD("a map of bulk data, without rows"));
	else
		report(c, place, version, WORD("1009 or more"), WORD("bulk data in a map"));
}

DEFECT_RULE(BMP001, bulk_range_overflow, ERROR, ZEN_BULK_ROWS, b,
	    ZEN_BULK_NEGATIVE | ZEN_BULK_DUPLICATE_NEGATIVE,
     .class   = CLASS_SECURITY,
     .title   = "Offset and size of bulk data shall not be negative, nor their sum too large.",
     .message = "bulk data {0} has {1} of {2} and a size of {3}",
     .data    = "bulk what offset size",
     .why     = "Engines make room for the size and read from the offset without a check: the "
		"game stops or crashes.",
     .fix     = FIX_GET,
     .spec    = SPEC(8.3))
{
	if (b->traits & ZEN_BULK_NEGATIVE)
		report(c, AT(c, zen_bulk, &b->fields, offset), DEC(b->index), WORD("an offset"),
		       SIGNED(b->fields.offset), SIGNED(b->fields.size));
	if (b->traits & ZEN_BULK_DUPLICATE_NEGATIVE)
		report(c, AT(c, zen_bulk, &b->fields, duplicate), DEC(b->index),
		       WORD("a duplicate offset"), SIGNED(b->fields.duplicate),
		       SIGNED(b->fields.size));
}

DEFECT_RULE(BMP002, bulk_chunk_truncated, ERROR, ZEN_BULK_ROWS, b,
	    ZEN_BULK_NO_FILE | ZEN_BULK_PAST_FILE,
     .class   = CLASS_CORRUPTION,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "the container has no such chunk, which a patch may leave out",
     .title   = "Bulk data in a chunk of its own shall end within that chunk.",
     .message = "bulk data {0} ends at byte {1} of the {2} chunk, {3} {4}",
     .data    = "bulk end chunk relation length",
     .why     = "The game reads past the end of the chunk, or finds none: textures, meshes or "
		"sounds are missing, or the game stops.",
     .fix     = "Players: get the mod again. Authors: pack the asset with its .ubulk, .uptnl and "
		".m.ubulk, as they were cooked together.",
     .spec    = SPEC(10.4))
{
	const bool is_missing = b->traits & ZEN_BULK_NO_FILE;

	report_as(c, is_missing, AT(c, zen_bulk, &b->fields, offset), DEC(b->index),
		  DEC(b->fields.offset + b->fields.size), WORD(file_name_of(b->file)),
		  either(is_missing, "which the container", "which has"),
		  is_missing ? WORD("lacks") : SIZE(b->limit));
}

DEFECT_RULE(BMP003, bulk_payload_out_of_range, ERROR, ZEN_BULK_ROWS, b, ZEN_BULK_PAST_PAYLOAD,
     .class   = CLASS_CORRUPTION,
     .title   = "Bulk data in the package shall end within its payload.",
     .message = "bulk data {0} ends at byte {1} of the payload, which has {2}",
     .data    = "bulk end payload",
     .why     = "The game reads past the end of the package: textures, meshes or sounds are "
		"missing, or the game stops.",
     .fix     = FIX_GET,
     .spec    = SPEC(8.4))
{
	report(c, AT(c, zen_bulk, &b->fields, offset), DEC(b->index),
	       DEC(b->fields.offset + b->fields.size), SIZE(zen_of(c)->payload));
}

DEFECT_RULE(BMP004, bulk_duplicate_unexpected, WARNING, ZEN_BULK_ROWS, b,
	    ZEN_BULK_DUPLICATE | ZEN_BULK_DUPLICATE_NONE | ZEN_BULK_ROW_PAD,
     .class   = CLASS_HYGIENE,
     .title   = "Bulk data should have the offset of a duplicate with the flag for it and not "
		"without, and a padding of 0.",
     .message = "bulk data {0} has the {1} {2}, expected {3}",
     .data    = "bulk field value expected",
     .why     = "Engines write no other value, so another tool made this row, or it is damaged.",
     .fix     = FIX_NOTHING,
     .spec    = SPEC(8.5))
{
	if (b->traits & ZEN_BULK_DUPLICATE)
		report(c, AT(c, zen_bulk, &b->fields, duplicate), DEC(b->index),
		       WORD("duplicate offset"), SIGNED(b->fields.duplicate),
		       WORD("-1 without the flag 0x4000"));
	if (b->traits & ZEN_BULK_DUPLICATE_NONE)
		report(c, AT(c, zen_bulk, &b->fields, duplicate), DEC(b->index),
		       WORD("duplicate offset"), SIGNED(b->fields.duplicate),
		       WORD("a place with the flag 0x4000"));
	if (b->traits & ZEN_BULK_ROW_PAD)
		report(c, AT(c, zen_bulk, &b->fields, pad), DEC(b->index), WORD("padding"),
		       HEX(b->fields.pad), WORD("0"));
}

DEFECT_RULE(BMP006, bulk_duplicate_out_of_range, ERROR, ZEN_BULK_ROWS, b,
	    ZEN_BULK_DUPLICATE_OUT,
     .class   = CLASS_CORRUPTION,
     .title   = "The duplicate of bulk data shall end within the OptionalBulkData chunk.",
     .message = "the duplicate of bulk data {0} begins at byte {1} of the OptionalBulkData chunk "
		"and has {2}; the chunk has {3}",
     .data    = "bulk offset size length",
     .why     = "Where there is such a chunk the game reads the duplicate instead of the bulk "
		"data: textures, meshes or sounds are missing, or the game stops.",
     .fix     = "Players: get the mod again. Authors: pack the asset with its .ubulk and .uptnl, "
		"as they were cooked together.",
     .spec    = SPEC(10.6))
{
	const struct package_claims *claims = zen_of(c)->claims;

	report(c, AT(c, zen_bulk, &b->fields, duplicate), DEC(b->index),
	       SIGNED(b->fields.duplicate), SIZE(b->fields.size),
	       SIZE(claims->bulk[CLAIMS_OPTIONAL_BULK]));
}

FILE_DEFECT_RULE(
	BMP005, bulk_chunk_extra, NOTE, ZEN_BULK, zen, z, ZEN_BULK_UNUSED, .class = CLASS_HYGIENE,
	.title = "A chunk of bulk data should end where the last bulk data in it does.",
	.message = "the {0} chunk has {1}, but the bulk data in it ends at byte {2}",
	.data = "chunk length end",
	.why = "Nothing reads the rest. The chunk may be of another state of the asset.",
	.fix = "Players: nothing, if the mod works. Authors: pack the asset with the .ubulk that "
	       "was cooked with it.",
	.spec = SPEC(10.5))
{
	const uint64_t at = z->bulk_at - zen_bulk_size_fixed_len;
	const struct place place = AT_SPAN(at, z->bulk_end - at);

	for (unsigned i = 0; i < CLAIMS_N_BULK; i++)
		if (zen_bulk_has_rest(z, (enum claims_bulk)i))
			report(c, place, WORD(file_name_of((enum claims_bulk)i)),
			       SIZE(z->claims->bulk[i]), DEC(z->bulk_ends[i]));
}
