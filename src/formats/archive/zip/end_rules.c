/* The rules for the file, its end record and where its directory lies. */
#include "core/checked.h"
#include "formats/archive/zip/zip.h"
#include "rule/finding.h"

#define MEMBERS_ID(id) id
#define ARC_FILE_OF(c) (&((const struct zip *)(c)->facts)->file)
#define ARC_FILE_GROUP ZIP_FILE
#define ARC_FILE_EXPLAINS BIT(ZIP_END)
#include "formats/archive/members/file_rules.h"

#define ARC_SECOND_OF(c) (&((const struct zip *)(c)->facts)->second)
#define ARC_SECOND_KIND "zip"
#define ARC_SECOND_GROUP ZIP_END
#include "formats/archive/members/second_rules.h"

#define ARC_PROGRAM_ID(id) id
#define ARC_PROGRAM_OF(c) (&((const struct zip *)(c)->facts)->program)
#define ARC_PROGRAM_KIND(c) "zip"
#define ARC_PROGRAM_GROUP ZIP_LOCALS
#include "formats/archive/members/program_rules.h"

/* ---- The file -------------------------------------------------------------------------------- */

static bool lacks_end(const struct zip *z)
{
	return z->groups[ZIP_END].why == STOP_MALFORMED;
}

RULE(ARC060, end_record_missing, ERROR, ZIP_FILE,
     .class   = CLASS_CORRUPTION, .explains = BIT(ZIP_END),
     .title   = "A zip shall have an end record among its last 65557 bytes.",
     .message = "no end record is among the last {0} of the file", .data = "length",
     .why     = "Programs find the members by it, and do not open the file. Most often the "
                "end of the file is missing.",
     .fix     = "Players: get the archive again. Authors: pack it again, and compare the sizes "
                "after you uploaded it.",
     .spec    = "zip.md#1.1")
{
	const struct zip *z = c->facts;
	const uint64_t len = z->size < ZIP_TAIL ? z->size : ZIP_TAIL;

	if (lacks_end(z) && z->signature != ARC_NO_ARCHIVE && !z->is_volume)
		report(c, AT_SPAN(z->size - len, len), SIZE(len));
}

RULE(ARC186, archive_is_volume, UNDETERMINED, ZIP_FILE,
     .class   = CLASS_COMPATIBILITY, .explains = BIT(ZIP_END),
     .title   = "An archive should be one file, and not the first volume of several.",
     .message = "the file is called as the first volume of an archive is, and no end record is "
                "among its last {0}",
     .data    = "length",
     .why     = "What is in the other volumes was not checked, and sites take one file.",
     .fix     = "Players: get all volumes, and join them with the program that made them. "
                "Authors: pack the mod as one archive.",
     .spec    = "archive.md#1.7")
{
	const struct zip *z = c->facts;
	const uint64_t len = z->size < ZIP_TAIL ? z->size : ZIP_TAIL;

	if (lacks_end(z) && z->signature != ARC_NO_ARCHIVE && z->is_volume)
		report(c, AT_SPAN(z->size - len, len), SIZE(len));
}

RULE(ARC009, archive_split, UNDETERMINED, ZIP_END,
     .class   = CLASS_COMPATIBILITY, .explains = BIT(ZIP_PLACE),
     .title   = "An archive should be one file.",
     .message = "this is volume {0} of an archive of several, whose directory is on volume "
                "{1}; {2} of {3} {3:member|members} {2:is|are} listed here",
     .data    = "disk directory_disk here members",
     .why     = "What is in the other volumes was not checked, and sites take one file.",
     .fix     = "Players: get all volumes, and join them with the program that made them. "
                "Authors: pack the mod as one archive.",
     .spec    = "archive.md#1.7")
{
	const struct zip *z = c->facts;
	const struct zip_volume *v = &z->volume;

	if (z->is_split)
		report(c, AT(c, zip_end, &z->find.end, disk), DEC(v->disk), DEC(v->start_disk),
		       DEC(v->n_here), DEC(v->n_entries));
}

RULE(ARC005, bytes_before_archive, WARNING, ZIP_DIRECTORY,
     .class   = CLASS_SECURITY, .lesser = SEVERITY_NOTE,
     .lesser_when = "they are a program or a script, which unpacks the archive",
     .title   = "An archive should begin with the file.",
     .message = "{0} {0:stands|stand} before the archive{1}", .data = "length what",
     .why     = "Some programs and sites do not find the archive after them, and a scanner may "
                "take the file for something else.",
     .fix     = "Players: nothing, if the mod comes from its author. Authors: upload the "
                "archive without what stands before it.",
     .spec    = "archive.md#1.13")
{
	const struct zip *z = c->facts;
	const bool is_stub = z->stub != NULL;

	if (z->first_at == 0 || z->signature == ARC_IS_ZIP)
		return;
	report_as(c, is_stub, AT_SPAN(0, z->first_at), SIZE(z->first_at),
		  WORD(is_stub ? z->stub : ""));
}

RULE(ARC006, bytes_after_archive, WARNING, ZIP_END,
     .class   = CLASS_HYGIENE, .sign = SIGN_TAIL, .lesser = SEVERITY_NOTE,
     .lesser_when = "they are zeros, as some programs pad archives",
     .title   = "Nothing should follow an archive.",
     .message = "{0} {0:follows|follow} the end of the archive{1}", .data = "length what",
     .why     = "Some programs refuse the file, and none looks at what follows.",
     .fix     = "Players: nothing needs to be done. Authors: pack the archive again.",
     .spec    = "archive.md#1.14")
{
	const struct zip *z = c->facts;
	const struct zip_find *f = &z->find;

	if (f->tail_at < z->size && !(z->gap_traits & ZIP_GAP_COVERS))
		report_as(c, f->tail_is_zero, AT_SPAN(f->tail_at, z->size - f->tail_at),
			  SIZE(z->size - f->tail_at), either(f->tail_is_zero, ", all zeros", ""));
}

/* ---- The end record -------------------------------------------------------------------------- */

RULE(ARC061, end_record_ambiguous, ERROR, ZIP_END,
     .class   = CLASS_SECURITY, .sign = SIGN_INTENT,
     .title   = "A zip shall have one end record that can be meant.",
     .message = "another end record, at {0}, has a directory, too", .data = "at",
     .why     = "Programs take the one or the other, and then there are different files in the "
                "archive: a scanner can see others than are installed.",
     .fix     = "Players: do not use the archive. Authors: pack it again, as one archive without "
                "another in its comment or after it.",
     .spec    = "zip.md#1.2")
{
	const struct zip *z = c->facts;

	if (!z->find.has_other)
		return;
	report(c, AT_SPAN(z->find.end.at, zip_end_fixed_len), HEX(z->find.other_at));
	relate(c, AT_SPAN(z->find.other_at, zip_end_fixed_len), "the other one");
}

RULE(ARC062, archive_comment_long, WARNING, ZIP_END,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The comment of an archive should have at most 16362 bytes.",
     .message = "the comment has {0}, at most 16362 are found by all programs",
     .data    = "length",
     .why     = "Programs that use libarchive do not find the end record before it, and "
                "list the archive in another way.",
     .fix     = "Players: nothing, if it unpacks. Authors: shorten the comment.",
     .spec    = "zip.md#1.3")
{
	const struct zip_end *e = &((const struct zip *)c->facts)->find.end;
	enum { FOUND_MAX = 16362 };

	if (e->comment_len > FOUND_MAX)
		report(c, AT(c, zip_end, e, comment_len), SIZE(e->comment_len));
}

RULE(ARC063, signature_hidden, WARNING, ZIP_END,
     .class   = CLASS_SECURITY, .sign = SIGN_INTENT,
     .title   = "No comment or extra field should have a signature of zip in it.",
     .message = "{0} has a signature of zip in it", .data = "what",
     .why     = "Programs that read an archive from its beginning, or look for its end, take it "
                "for a header and see other files.",
     .fix     = "Players: do not use the archive. Authors: pack it again without the "
                "comment.",
     .spec    = "zip.md#1.4")
{
	const struct zip *z = c->facts;

	if (z->find.comment_hides)
		report(c, AT_SPAN(z->find.end.at + zip_end_fixed_len, z->find.end.comment_len),
		       WORD("the comment of the archive"));
}

RULE(ARC075, zip64_record_missing, ERROR, ZIP_END,
     .class   = CLASS_SECURITY,
     .title   = "The zip64 record shall be where its locator says, and end before it.",
     .message = "the zip64 locator says that the record is at {0}, where {1}",
     .data    = "record_at what",
     .why     = "Some programs show an empty archive and no error, others one without zip64 "
                "(CVE-2025-8291).",
     .fix     = "Players: get the archive again. Authors: pack it again.",
     .spec    = "zip.md#1.5")
{
	const struct zip *z = c->facts;
	const struct zip_find *f = &z->find;
	const bool is_long = f->has_record &&
			     f->record.rest_len != f->locator.at - f->record.at - 12;

	if (f->has_locator && (!f->has_record || is_long || z->is_record_moved))
		report(c, AT(c, zip64_locator, &f->locator, record_at), HEX(f->locator.record_at),
		       is_long ? WORD("it does not end before the locator")
			       : either(z->is_record_moved,
					"there is none: it is directly before the locator",
					"there is none"));
}

/* What says that the archive has other volumes, though the end record says that it has one. A count
 * of none is one that some programs take. */
RULE(ARC165, zip64_locator_volume, ERROR, ZIP_PLACE,
     .class   = CLASS_COMPATIBILITY, .lesser = SEVERITY_WARNING,
     .lesser_when = "it counts no volume",
     .title   = "The zip64 locator of an archive of one file shall say that the record is in "
                "volume 0 of 1.",
     .message = "the zip64 locator says that the record is in volume {0} of {1}, and the archive "
                "is one file",
     .data    = "volume volumes",
     .why     = "Info-ZIP and Python refuse the archive, others do not look.",
     .fix     = "Players: get the archive again. Authors: pack it again.",
     .spec    = "zip.md#1.12")
{
	const struct zip_find *f = &((const struct zip *)c->facts)->find;
	const struct zip64_locator *l = &f->locator;

	if (f->has_locator && (l->disk != 0 || l->n_disks != 1))
		report_as(c, l->disk == 0 && l->n_disks == 0, AT(c, zip64_locator, l, disk),
			  DEC(l->disk), DEC(l->n_disks));
}

/* A field of the end record that is no escape, and the zip64 record's. */
struct told_twice {
	uint64_t field, end, record;
	const char *name;
};

RULE(ARC076, zip64_record_contradicts, ERROR, ZIP_END,
     .class   = CLASS_SECURITY, .sign = SIGN_INTENT,
     .title   = "The zip64 record shall say what the end record says, where that is no escape.",
     .message = "the end record has {0} {1}, the zip64 record {2}", .data = "field end record",
     .why     = "Some programs go by the one and some by the other: two directories, with "
                "different files.",
     .fix     = "Players: do not use the archive. Authors: pack it again.",
     .spec    = "zip.md#1.6")
{
	const struct zip_find *f = &((const struct zip *)c->facts)->find;
	const struct zip_end *e = &f->end;
	/* a record that says that the directory is encrypted may count none in this volume */
	const uint64_t n_here = f->has_lock && f->record.n_here == 0 ? e->n_here : f->record.n_here;
	const struct told_twice fields[] = {
		{ zip_end_field_disk, e->disk, f->record.disk, "a number of this volume of" },
		{ zip_end_field_start_disk, e->start_disk, f->record.start_disk,
		  "a volume of the directory of" },
		{ zip_end_field_n_here, e->n_here, n_here, "a count of members in this volume of" },
		{ zip_end_field_n_entries, e->n_entries, f->record.n_entries, "a count of" },
		{ zip_end_field_directory_len, e->directory_len, f->record.directory_len,
		  "a size of the directory of" },
		{ zip_end_field_directory_at, e->directory_at, f->record.directory_at,
		  "an offset of the directory of" },
	};
	const size_t n_short = 4; /* those of 16 bits in the end record */

	for (size_t i = 0; f->has_record && i < sizeof fields / sizeof *fields; i++) {
		const uint64_t escape = i < n_short ? ZIP_ESCAPE16 : ZIP_ESCAPE32;

		if (fields[i].end == escape || fields[i].end == fields[i].record)
			continue;
		report(c, check_place(c, &zip_end_layout, e, e->at, (size_t)fields[i].field),
		       WORD(fields[i].name), DEC(fields[i].end), DEC(fields[i].record));
		return;
	}
}

RULE(ARC077, zip64_locator_missing, ERROR, ZIP_END,
     .class   = CLASS_CORRUPTION,
     .title   = "Where the end record says that a number is in the zip64 record, there shall be "
                "one.",
     .message = "the end record leaves {0} to the zip64 record, and there is no locator of "
                "one",
     .data    = "what",
     .why     = "No program finds the directory.",
     .fix     = "Players: get the archive again. Authors: pack it again.",
     .spec    = "zip.md#1.7")
{
	const struct zip_find *f = &((const struct zip *)c->facts)->find;
	const struct zip_end *e = &f->end;

	if (f->has_locator)
		return;
	if (e->directory_at == ZIP_ESCAPE32)
		report(c, AT(c, zip_end, e, directory_at), WORD("the place of the directory"));
	else if (e->directory_len == ZIP_ESCAPE32)
		report(c, AT(c, zip_end, e, directory_len), WORD("the size of the directory"));
}

/* ---- Where the directory is ------------------------------------------------------------------ */

RULE(ARC064, directory_missing, ERROR, ZIP_END,
     .class   = CLASS_CORRUPTION, .sign = SIGN_FRAME, .explains = BIT(ZIP_PLACE),
     .title   = "The central directory shall be where the end record says, or directly before "
                "that.",
     .message = "no central directory is at {0}, where it should be by its offset, {2} {1} "
                "before the end record, where it should be by its size",
     .data    = "at length what",
     .why     = "Programs cannot read the archive. Most often it was changed or truncated.",
     .fix     = "Players: get the archive again. Authors: pack it again.",
     .spec    = "zip.md#1.8")
{
	const struct zip *z = c->facts;

	if (!z->is_split && z->groups[ZIP_PLACE].why == STOP_MALFORMED)
		report(c, AT(c, zip_end, &z->find.end, directory_at), HEX(z->stated_at),
		       SIZE(z->stated_len),
		       either(z->n_lost > 0, "and one is, earlier than that,", "nor"));
}

RULE(ARC065, bytes_before_end_record, ERROR, ZIP_DIRECTORY,
     .class   = CLASS_CORRUPTION,
     .title   = "The central directory shall end where the end record, or the zip64 record, "
                "begins.",
     .message = "{0} {0:is|are} between the central directory and the end record",
     .data    = "length",
     .why     = "Some programs refuse the archive, others read it as nothing.",
     .fix     = "Players: get the archive again. Authors: pack it again.",
     .spec    = "zip.md#1.9")
{
	const struct zip *z = c->facts;

	const uint64_t end = z->walk_end + z->signed_by.len;

	if (z->is_elsewhere && end < z->directory_end)
		report(c, AT_SPAN(end, z->directory_end - end), SIZE(z->directory_end - end));
}

RULE(ARC066, directory_ambiguous, ERROR, ZIP_DIRECTORY,
     .class   = CLASS_SECURITY, .sign = SIGN_INTENT,
     .title   = "There shall be one central directory that can be meant.",
     .message = "central headers are at {0}, as the offset says, and at {1}, as the size "
                "says",
     .data    = "stated computed",
     .why     = "Programs take the one or the other: two directories, with different "
                "files.",
     .fix     = "Players: do not use the archive. Authors: pack it again.",
     .spec    = "zip.md#1.10")
{
	const struct zip *z = c->facts;

	if (!z->is_twofold)
		return;
	report(c, AT_SPAN(z->stated_at, 4), HEX(z->stated_at), HEX(z->computed_at));
	relate(c, AT_SPAN(z->computed_at, 4), "the other one");
}

RULE(ARC067, central_header_malformed, ERROR, ZIP_DIRECTORY,
     .class   = CLASS_CORRUPTION,
     .title   = "The central directory shall have as many whole headers as the end record "
                "says.",
     .message = "header {0} of {1} is no central header, or is truncated",
     .data    = "header members",
     .why     = "What follows it cannot be read.",
     .fix     = "Players: get the archive again. Authors: pack it again.",
     .spec    = "zip.md#2.1")
{
	const struct zip *z = c->facts;

	if (z->ends_broken)
		report(c, AT_SPAN(z->walk_end, z->directory_end - z->walk_end), DEC(z->n_entries),
		       DEC(z->n_stated));
}

RULE(ARC068, member_count_mismatch, ERROR, ZIP_DIRECTORY,
     .class   = CLASS_SECURITY, .lesser = SEVERITY_WARNING,
     .lesser_when = "the number is right but for its upper bits, as programs without zip64 "
                    "write it",
     .title   = "The end record shall say how many members there are.",
     .message = "the end record says {0} {0:member|members}, and {1} {1:is|are} listed",
     .data    = "stated members",
     .why     = "Some programs go by that number and do not show the members after it, "
                "others show all.",
     .fix     = "Players: get the archive again. Authors: pack it again.",
     .spec    = "zip.md#2.2")
{
	const struct zip *z = c->facts;

	const uint64_t here = z->volume.n_here;

	if (z->ends_broken)
		return;
	if (z->n_stated == z->n_entries && here > z->n_stated)
		report(c, AT(c, zip_end, &z->find.end, n_here), DEC(here), DEC(z->n_entries));
	if (z->n_stated != z->n_entries)
		report_as(c, !z->find.has_record && z->n_stated == (z->n_entries & ZIP_ESCAPE16),
			  AT(c, zip_end, &z->find.end, n_entries), DEC(z->n_stated),
			  DEC(z->n_entries));
}

/* Where the directory ends by its place and its size. */
static uint64_t stated_end(const struct zip *z)
{
	return capped_add(z->directory_at, z->stated_len);
}

/* A size that is left to a zip64 record which is not there says nothing. */
static bool has_stated_end(const struct zip *z)
{
	return !z->is_twofold && !z->ends_broken &&
	       (z->find.has_record || z->stated_len != ZIP_ESCAPE32);
}

RULE(ARC069, central_directory_end_mismatch, ERROR, ZIP_DIRECTORY,
     .class   = CLASS_CORRUPTION,
     .title   = "The central directory shall end where its size says.",
     .message = "the last central header ends at {0}, and the directory by its size at {1}",
     .data    = "end stated",
     .why     = "Some programs refuse the archive, others do not see what is there.",
     .fix     = "Players: get the archive again. Authors: pack it again.",
     .spec    = "zip.md#2.3")
{
	const struct zip *z = c->facts;
	const uint64_t end = z->walk_end + z->signed_by.len;

	if (has_stated_end(z) && end != stated_end(z) &&
	    !(z->is_elsewhere && z->walk_end == stated_end(z)))
		report(c, AT(c, zip_end, &z->find.end, directory_len), HEX(end),
		       HEX(stated_end(z)));
}

RULE(ARC092, archive_signed, WARNING, ZIP_DIRECTORY,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A zip should have no digital signature after its directory.",
     .message = "a digital signature of {0} follows the directory; it is not verified",
     .data    = "length",
     .why     = "Almost no program verifies it. CPython and Info-ZIP refuse the archive; if the "
                "size of the directory does not count it, libarchive and 7-Zip do, too.",
     .fix     = "Players: nothing, if it unpacks. Authors: pack it again without a signature.",
     .spec    = "zip.md#2.12")
{
	const struct zip *z = c->facts;

	if (z->signed_by.len > 0)
		report(c, AT_SPAN(z->signed_by.at, z->signed_by.len), SIZE(z->signed_by.len));
}
