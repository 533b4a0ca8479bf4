/* The rules for what central headers say of members. */
#include "formats/archive/zip/facts_rules.h"

static struct arg packed_of(const struct check *c, const struct zip_entry *e)
{
	return SIZE(member_of(c, e)->packed);
}

static struct arg size_of(const struct check *c, const struct zip_entry *e)
{
	return SIZE(member_of(c, e)->size);
}

DEFECT_RULE(ARC063_entry, signature_hidden, WARNING, ZIP_LOCAL_ROWS, e, ZIP_HIDES_SIGNATURE,
     .class   = CLASS_SECURITY, .sign = SIGN_INTENT,
     .title   = "No comment or extra field should have a signature of zip in it.",
     .message = "{0} has a signature of zip in it", .data = "what",
     .why     = "Programs that read an archive from its beginning, or look for its end, take it "
                "for a header and see other files.",
     .fix     = "Players: do not use the archive. Authors: pack it again without the "
                "comment.",
     .spec    = "zip.md#1.4")
{
	report(c, field(c, e, zip_central_field_comment_len),
	       WORD("the comment or an extra field of a member"));
}

DEFECT_RULE(ARC078, extra_field_malformed, ERROR, ZIP_LOCAL_ROWS, e,
	    ZIP_EXTRA_BROKEN | ZIP_EXTRA_LEFT,
     .class   = CLASS_COMPATIBILITY, .lesser = SEVERITY_WARNING,
     .lesser_when = "at most three bytes are left, as programs leave that align members",
     .title   = "The extra fields of a header shall end where it says.",
     .message = "bytes are left after the extra fields of {0}, or a field is longer than there "
                "is room",
     .data    = "name",
     .why     = "Python, Java and libarchive refuse the whole archive; Info-ZIP and Go do not "
                "notice.",
     .fix     = "Players: get the archive again, if it does not unpack. Authors: pack it again "
                "with a common program.",
     .spec    = "zip.md#2.4")
{
	report_as(c, !(e->traits & ZIP_EXTRA_BROKEN), field(c, e, zip_central_field_extra_len),
		  name_of(c, e));
}

DEFECT_RULE(ARC079, extra_field_repeated, ERROR, ZIP_LOCAL_ROWS, e, ZIP_EXTRA_TWICE,
     .class   = CLASS_SECURITY, .sign = SIGN_INTENT,
     .title   = "A zip64 field, a Unicode path and an AES field shall be in a header once.",
     .message = "a header of {0} has a repeated extra field", .data = "name",
     .why     = "Programs take the first or the last: another size, offset or name.",
     .fix     = "Players: do not use the archive. Authors: pack it again with a common "
                "program.",
     .spec    = "zip.md#2.4")
{
	report(c, field(c, e, zip_central_field_extra_len), name_of(c, e));
}

DEFECT_RULE(ARC080, zip64_field_missing, ERROR, ZIP_LOCAL_ROWS, e, ZIP_ZIP64_MISSING,
     .class   = CLASS_CORRUPTION,
     .explains = BIT(ZIP_CONTENT),
     .title   = "Where a header leaves a size or offset to the zip64 field, that shall have it.",
     .message = "a header leaves a size or an offset of {0} to a zip64 field that lacks "
                "it",
     .data    = "name",
     .why     = "The member cannot be found or read; some programs read 4 GiB instead.",
     .fix     = "Players: get the archive again. Authors: pack it again.",
     .spec    = "zip.md#2.5")
{
	report(c, field(c, e, zip_central_field_packed), name_of(c, e));
}

DEFECT_RULE(ARC081, zip64_field_long, NOTE, ZIP_ENTRIES, e, ZIP_ZIP64_LONG,
     .class   = CLASS_HYGIENE, .sign = SIGN_PACKER,
     .title   = "A zip64 field should have the numbers that the header leaves to it, and no "
                "others.",
     .message = "the zip64 field of {0} has numbers that its header has, too", .data = "name",
     .why     = "It does no harm; 7-Zip warns. Some packers write all of them always.",
     .fix     = "Players: nothing needs to be done. Authors: nothing, if you know the "
                "packer.",
     .spec    = "zip.md#2.5")
{
	report(c, field(c, e, zip_central_field_extra_len), name_of(c, e));
}

DEFECT_RULE(ARC082, unicode_path_stale, NOTE, ZIP_ENTRIES, e, ZIP_PATH_STALE | ZIP_PATH_VERSION,
     .class   = CLASS_HYGIENE,
     .title   = "A Unicode path should have the checksum of the member's name, and version 1.",
     .message = "the Unicode path of {0} is {1}", .data = "name what",
     .why     = "Programs ignore it, but for a few that do not look. Most often the member was "
                "renamed in the archive.",
     .fix     = "Players: nothing needs to be done. Authors: pack it again, if a name is "
                "not right.",
     .spec    = "zip.md#2.6")
{
	report(c, field(c, e, zip_central_field_extra_len), name_of(c, e),
	       either(e->traits & ZIP_PATH_STALE, "for another name", "of an unknown version"));
}

DEFECT_RULE(ARC083, unicode_path_differs, ERROR, ZIP_ENTRIES, e, ZIP_PATH_DIFFERS,
     .class   = CLASS_SECURITY, .sign = SIGN_INTENT,
     .title   = "A Unicode path shall be the member's name, as far as that can hold it.",
     .message = "the Unicode path of {0} is another name, or no UTF-8", .data = "name",
     .why     = "Info-ZIP, 7-Zip and others write the file under that name, Python, Go and Java "
                "under its own: a scanner sees another file than is installed.",
     .fix     = "Players: do not use the archive. Authors: pack it again with a common "
                "program.",
     .spec    = "zip.md#2.6")
{
	report(c, field(c, e, zip_central_field_extra_len), name_of(c, e));
}

DEFECT_RULE(ARC084, member_kind_unclear, ERROR, ZIP_ENTRIES, e, ZIP_KIND_UNCLEAR | ZIP_KIND_SPLIT,
     .class   = CLASS_COMPATIBILITY, .sign = SIGN_PACKER, .lesser = SEVERITY_WARNING,
     .lesser_when = "it has no bytes, or no program that is known takes it for a folder",
     .title   = "A folder should be one by its name, its attributes and its mode alike.",
     .message = "{0} is a folder or another kind by its attributes {1}, and a file by its name "
                "or its system",
     .data    = "name attributes",
     .why     = "Some programs make a folder of it, others a file: what a scanner looks at need "
                "not be what is installed.",
     .fix     = "Players: do not use the archive, if the member has bytes and is none of a mod's "
                "folders. Authors: pack it again with a common program.",
     .spec    = "zip.md#2.7")
{
	report_as(c, !(e->traits & ZIP_KIND_SPLIT), field(c, e, zip_central_field_attributes),
		  name_of(c, e), HEX(e->attributes));
}

DEFECT_RULE(ARC089, stored_size_mismatch, ERROR, ZIP_ENTRIES, e, ZIP_STORED_SIZE,
     .class   = CLASS_CORRUPTION,
     .explains = BIT(ZIP_CONTENT),
     .title   = "The two sizes of a member that is not compressed shall be the same.",
     .message = "{0} is stored, with {1} compressed and {2} of its own", .data = "name packed size",
     .why     = "Info-ZIP takes the one, 7-Zip the other, Go refuses the archive.",
     .fix     = "Players: get the archive again. Authors: pack it again.",
     .spec    = "zip.md#2.8")
{
	report(c, field(c, e, zip_central_field_packed), name_of(c, e), packed_of(c, e),
	       size_of(c, e));
}

DEFECT_RULE(ARC090, size_impossible, ERROR, ZIP_ENTRIES, e, ZIP_IMPOSSIBLE,
     .class   = CLASS_RESOURCE, .sign = SIGN_INTENT,
     .explains = BIT(ZIP_CONTENT),
     .title   = "A deflated member shall have a size that its bytes can decompress to.",
     .message = "{0} is to decompress from {1} to {2}; a byte decompresses to at most 1032",
     .data    = "name packed size",
     .why     = "Programs reserve memory or disk by it. No stream of that length "
                "decompresses to that size.",
     .fix     = "Players: do not use the archive. Authors: pack it again.",
     .spec    = "zip.md#2.9")
{
	report(c, field(c, e, zip_central_field_size), name_of(c, e), packed_of(c, e),
	       size_of(c, e));
}

/* How many headers are masked, and which is the first. */
static uint64_t count_masked(const struct zip *z, const struct zip_entry **first)
{
	uint64_t n = 0;

	for (uint64_t i = z->n_entries; i > 0 && z->traits & ZIP_MASKED; i--) {
		if (!(z->entries[i - 1].traits & ZIP_MASKED))
			continue;
		*first = &z->entries[i - 1];
		n++;
	}
	return n;
}

#define NAMES_ENCRYPTED(SYMBOL, GROUP, EXPLAINS) \
	RULE(SYMBOL, archive_names_encrypted, UNDETERMINED, GROUP, .class = CLASS_SECURITY, \
	     .explains = EXPLAINS, \
	     .title = "The names of an archive's members should not be encrypted.", \
	     .message = "of {1} {1:member|members}, {0} {0:has|have} an encrypted name, as {2}", \
	     .data = "hidden members what", \
	     .why = "What is in it cannot be checked, and sites refuse it.", \
	     .fix = "Players: get the mod from where it needs no password. Authors: pack it " \
		    "without one.", \
	     .spec = "archive.md#1.12")

NAMES_ENCRYPTED(ARC008, ZIP_END, BIT(ZIP_PLACE))
{
	const struct zip *z = c->facts;
	const uint64_t n = z->find.record.n_entries;

	if (z->find.has_lock)
		report(c, AT(c, zip64_lock, &z->find.lock, algorithm), DEC(n), DEC(n),
		       WORD("the zip64 record says"));
}

NAMES_ENCRYPTED(ARC008_masked, ZIP_DIRECTORY, 0)
{
	const struct zip *z = c->facts;
	const struct zip_entry *first = NULL;
	const uint64_t n = count_masked(z, &first);

	if (n > 0)
		report(c, field(c, first, zip_central_field_flags), DEC(n), DEC(z->n_entries),
		       WORD("bit 13 of the flags says"));
}

DEFECT_RULE(ARC093, member_flag_reserved, WARNING, ZIP_ENTRIES, e, ZIP_FLAG_RESERVED,
     .class   = CLASS_COMPATIBILITY,
     .title   = "No member should be a patch, or have a flag that is reserved.",
     .message = "{0} has the flags {1}, of which some are reserved or stand for a patch",
     .data    = "name flags",
     .why     = "Programs refuse it, or do not know what it means.",
     .fix     = "Players: get the archive again, if it does not unpack. Authors: pack it again "
                "with a common program.",
     .spec    = "zip.md#2.10")
{
	report(c, field(c, e, zip_central_field_flags), name_of(c, e), HEX(e->flags));
}

DEFECT_RULE(ARC094, member_date_impossible, NOTE, ZIP_ENTRIES, e, ZIP_DATE,
     .class   = CLASS_HYGIENE,
     .title   = "The date of a member should exist.",
     .message = "the date of {0} has a month or a day that does not exist", .data = "name",
     .why     = "Some programs stop there with an error.",
     .fix     = "Players: nothing, if it unpacks. Authors: pack it again.",
     .spec    = "zip.md#2.11")
{
	report(c, field(c, e, zip_central_field_date), name_of(c, e));
}

DEFECT_RULE(ARC166, member_in_other_volume, WARNING, ZIP_ENTRIES, e, ZIP_OTHER_VOLUME,
     .class   = CLASS_COMPATIBILITY,
     .title   = "In an archive of one file every member should begin in volume 0.",
     .message = "{0} begins in volume {1}, and the archive is one file", .data = "name volume",
     .why     = "7-Zip says that the headers are damaged, others do not look.",
     .fix     = "Players: nothing, if it unpacks. Authors: pack it again.",
     .spec    = "zip.md#2.15")
{
	report(c, field(c, e, zip_central_field_disk), name_of(c, e), DEC(e->volume));
}

DEFECT_RULE(ARC095, folder_with_content, ERROR, ZIP_ENTRIES, e, ZIP_FOLDER_DATA | ZIP_FOLDER_STREAM,
     .class   = CLASS_SECURITY, .sign = SIGN_INTENT, .lesser = SEVERITY_NOTE,
     .lesser_when = "it is a compressed stream of nothing, as Java writes it",
     .title   = "A folder shall have no bytes of its own.",
     .message = "{0} is a folder by its name, and has {1} compressed, {2} in all",
     .data    = "name packed size",
     .why     = "Python and Java give these bytes, other programs drop them: a place to hide "
                "something.",
     .fix     = "Players: do not use the archive, if it has bytes in folders. Authors: pack it "
                "again.",
     .spec    = "zip.md#2.13")
{
	report_as(c, !(e->traits & ZIP_FOLDER_DATA), field(c, e, zip_central_field_size),
		  name_of(c, e), packed_of(c, e), size_of(c, e));
}

DEFECT_RULE(ARC213, folder_checksum, WARNING, ZIP_ENTRIES, e, ZIP_FOLDER_CRC,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The checksum of a folder should be 0, which is that of no bytes.",
     .message = "{0} is a folder without bytes, and has the checksum {1}, not 0",
     .data    = "name crc",
     .why     = "Info-ZIP says that the archive is damaged.",
     .fix     = "Players: nothing, if it unpacks. Authors: pack it again with a common program.",
     .spec    = "zip.md#2.18")
{
	report(c, field(c, e, zip_central_field_crc), name_of(c, e), HEX(member_of(c, e)->crc));
}

DEFECT_RULE(ARC096, version_needed_unknown, WARNING, ZIP_ENTRIES, e,
	    ZIP_NEEDS_NEWER | ZIP_NEEDS_MORE | ZIP_NEEDS_VMS,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A member should need a version of the format that exists, 6.3 at most, and 4.6 at "
                "most if it is stored or deflated, and none of VMS.",
     .message = "{0} needs version {1} in tenths, {2}", .data = "name version what",
     .why     = "Info-ZIP leaves it out, or asks first whether a member of VMS is to be unpacked; "
                "Python refuses what does not exist.",
     .fix     = "Players: nothing, if it unpacks. Authors: pack it again with a common "
                "program.",
     .spec    = "zip.md#2.14")
{
	const char *what = "its upper byte says VMS";

	if (e->traits & ZIP_NEEDS_NEWER)
		what = "at most 63 exists";
	else if (e->traits & ZIP_NEEDS_MORE)
		what = "stored or deflated bytes need at most 46";
	report(c, field(c, e, zip_central_field_needed), name_of(c, e), DEC(e->needed), WORD(what));
}

DEFECT_RULE(ARC177, member_name_version, ERROR, ZIP_LOCAL_ROWS, e,
	    ZIP_VERSION | ZIP_VERSION_CLASHES,
     .class   = CLASS_SECURITY, .sign = SIGN_NAME, .lesser = SEVERITY_WARNING,
     .lesser_when = "no other member has the name without it",
     .title   = "The name of a member should not end in a semicolon and digits.",
     .message = "the name {0} ends in a semicolon and digits{1}", .data = "name what",
     .why     = "Info-ZIP takes that for a version of VMS and drops it, other programs do not: it "
                "writes a file of another kind than they see, or over another member.",
     .fix     = "Players: do not unpack the archive, if two of its files would have one name. "
                "Authors: rename the file.",
     .spec    = "zip.md#2.17")
{
	const bool clashes = e->traits & ZIP_VERSION_CLASHES;

	report_as(c, !clashes,
		  AT_SPAN(member_of(c, e)->head_at + zip_central_fixed_len, e->name_len),
		  name_of(c, e), either(clashes, ", without which it is another member's", ""));
}
