/* The rules for local headers, and for how the members of a zip lie. */
#include "formats/archive/zip/facts_rules.h"

/* Its local header, which differs from its central header. */
static const struct zip_local_header *local_of(const struct check *c, const struct zip_entry *e)
{
	const struct zip *z = c->facts;

	return &z->locals[e->local];
}

static struct place local(const struct zip_entry *e, uint64_t at, uint64_t len)
{
	return AT_SPAN(e->local_at + at, len);
}

/* Where the fields of a local header lie in it. */
enum { LOCAL_FLAGS = 6, LOCAL_METHOD = 8, LOCAL_CRC = 14, LOCAL_PACKED = 18, LOCAL_SIZE = 22 };

DEFECT_RULE(ARC070, local_header_missing, ERROR, ZIP_LOCAL_ROWS, e, ZIP_LOCAL_MISSING,
     .class   = CLASS_CORRUPTION,
     .explains = BIT(ZIP_CONTENT),
     .title   = "Each central header shall have a local header where it says.",
     .message = "{0} should have its local header at {1}, where none is", .data = "name at",
     .why     = "The member cannot be unpacked; some programs give up the whole archive.",
     .fix     = "Players: get the archive again. Authors: pack it again.",
     .spec    = "zip.md#3.1")
{
	report(c, field(c, e, zip_central_field_local_at), name_of(c, e), HEX(e->local_at));
}

DEFECT_RULE(ARC071, local_name_differs, ERROR, ZIP_LOCAL_ROWS, e,
	    ZIP_NAME_DIFFERS | ZIP_SEPARATOR_DIFFERS,
     .class   = CLASS_SECURITY, .sign = SIGN_INTENT, .lesser = SEVERITY_NOTE,
     .lesser_when = "only / and \\ differ",
     .title   = "The two headers of a member shall have the same name.",
     .message = "{0} has another name in its local header{1}", .data = "name what",
     .why     = "Those as libarchive, 7-Zip and all that read from the beginning unpack the "
                "one, Info-ZIP and others the other: a scanner sees another file than is "
                "installed.",
     .fix     = "Players: do not use the archive. Authors: pack it again with a common "
                "program.",
     .spec    = "zip.md#3.2")
{
	const bool differs = e->traits & ZIP_NAME_DIFFERS;

	report_as(c, !differs, local(e, zip_local_fixed_len, local_of(c, e)->name_len),
		  name_of(c, e), either(differs, "", ", with other separators"));
}

DEFECT_RULE(ARC175, local_unicode_path_differs, ERROR, ZIP_LOCAL_ROWS, e,
	    ZIP_PATH_OTHER | ZIP_PATH_LOCAL,
     .class   = CLASS_SECURITY, .sign = SIGN_INTENT, .lesser = SEVERITY_WARNING,
     .lesser_when = "the local header alone has one, and it can be the member's name",
     .title   = "A local header shall not have another Unicode path than the central header.",
     .message = "{0} has the Unicode path {1} in its local header{2}", .data = "name path what",
     .why     = "Programs with libarchive, or that read from the beginning, write the file under "
                "that name, others under its own: over another file, or with another ending than a "
                "scanner sees.",
     .fix     = "Players: do not use the archive. Authors: pack it again with a common "
                "program.",
     .spec    = "zip.md#3.11")
{
	const bool differs = e->traits & ZIP_PATH_OTHER;

	report_as(c, !differs, local(e, zip_local_fixed_len + local_of(c, e)->name_len, 0),
		  name_of(c, e), TEXT_OF(local_of(c, e)->path),
		  either(differs, "", ", and none in its central header"));
}

static const char *kind_word(enum arc_kind kind)
{
	switch (kind) {
	case ARC_FILE:
		return "file";
	case ARC_DIRECTORY:
		return "folder";
	case ARC_SYMLINK:
	case ARC_HARD_LINK:
		return "link";
	case ARC_FIFO:
	case ARC_SOCKET:
		return "pipe or socket";
	default:
		return "device";
	}
}

/* A link comes first among what extra fields say. */
static enum arc_kind kind_by_extra(const struct zip_entry *e)
{
	unsigned kind = ARC_SYMLINK;

	for (unsigned i = 0; !(e->kinds >> kind & 1) && i <= ARC_SOCKET; i++)
		kind = i;
	return (enum arc_kind)kind;
}

DEFECT_RULE(ARC176, member_kind_by_extra_field, ERROR, ZIP_LOCAL_ROWS, e, ZIP_KIND_OTHER,
     .class   = CLASS_SECURITY, .sign = SIGN_INTENT,
     .title   = "No extra field shall say that a member is of another kind than its header says.",
     .message = "{0} is a {1} by its header, and a {2} by an extra field",
     .data    = "name kind other",
     .why     = "Programs with libarchive, or Info-ZIP, go by the field, others by the header: the "
                "one makes a link or a folder, the others a file.",
     .fix     = "Players: do not unpack the archive. Authors: pack it again with a common "
                "program.",
     .spec    = "zip.md#2.16")
{
	report(c, field(c, e, zip_central_field_attributes), name_of(c, e),
	       WORD(kind_word((enum arc_kind)member_of(c, e)->kind)),
	       WORD(kind_word(kind_by_extra(e))));
}

DEFECT_RULE(ARC072, local_method_differs, ERROR, ZIP_LOCAL_ROWS, e,
	    ZIP_METHOD_DIFFERS | ZIP_FLAGS_DIFFER,
     .class   = CLASS_SECURITY, .sign = SIGN_INTENT, .lesser = SEVERITY_WARNING,
     .lesser_when = "they differ in whether sizes follow, in the encoding of the name, or in a "
                    "flag that 7-Zip alone compares",
     .explains = BIT(ZIP_CONTENT),
     .title   = "The two headers of a member shall have the same method and flags.",
     .message = "{0} has the method {1} and the flags {2}, in its local header {3} and {4}",
     .data    = "name method flags local_method local_flags",
     .why     = "Programs decode it by the one or the other, and get different files.",
     .fix     = "Players: do not use the archive. Authors: pack it again with a common "
                "program.",
     .spec    = "zip.md#3.3")
{
	const bool differs = e->traits & ZIP_METHOD_DIFFERS;
	const struct zip_local_header *l = local_of(c, e);
	const uint64_t method = member_of(c, e)->method,
		       at = method != l->method ? LOCAL_METHOD : LOCAL_FLAGS;

	report_as(c, !differs, local(e, at, 2), name_of(c, e), DEC(method), HEX(e->flags),
		  DEC(l->method), HEX(l->flags));
}

DEFECT_RULE(ARC073, local_size_differs, ERROR, ZIP_LOCAL_ROWS, e,
	    ZIP_CRC_DIFFERS | ZIP_PACKED_DIFFERS | ZIP_SIZE_DIFFERS,
     .class   = CLASS_SECURITY, .sign = SIGN_INTENT,
     .title   = "The two headers of a member shall have the same checksum and sizes, unless the "
                "local one leaves them to a data descriptor.",
     .message = "{0} has {1} {2}, in its local header {3}", .data = "name field central local",
     .why     = "Info-ZIP and libarchive go by the local header, others by the central one: "
                "they unpack different bytes.",
     .fix     = "Players: do not use the archive. Authors: pack it again with a common "
                "program.",
     .spec    = "zip.md#3.4")
{
	const struct arc_member *m = member_of(c, e);
	const struct zip_local_header *l = local_of(c, e);

	if (e->traits & ZIP_CRC_DIFFERS)
		report(c, local(e, LOCAL_CRC, 4), name_of(c, e), WORD("the checksum"), HEX(m->crc),
		       HEX(l->crc));
	else if (e->traits & ZIP_PACKED_DIFFERS)
		report(c, local(e, LOCAL_PACKED, 4), name_of(c, e), WORD("the compressed size"),
		       DEC(m->packed), DEC(l->packed));
	else
		report(c, local(e, LOCAL_SIZE, 4), name_of(c, e), WORD("the size"), DEC(m->size),
		       DEC(l->size));
}

DEFECT_RULE(ARC074, data_descriptor_mismatch, ERROR, ZIP_LOCAL_ROWS, e,
	    ZIP_NO_DESCRIPTOR | ZIP_DESCRIPTOR_WIDTH | ZIP_DESCRIPTOR_LEFT_OUT,
     .class   = CLASS_CORRUPTION, .lesser = SEVERITY_WARNING,
     .lesser_when = "it is right but for the width of its sizes, or was left out and the local "
                    "header is right",
     .title   = "A member whose flags say so shall have a data descriptor after its bytes, with "
                "the checksum and sizes of the central header.",
     .message = "{0} {1}", .data = "name what",
     .why     = "Programs that read the archive from its beginning lose their place, and see "
                "other files; Info-ZIP takes the next member for one that overlaps.",
     .fix     = "Players: get the archive again. Authors: pack it again with a common "
                "program.",
     .spec    = "zip.md#3.5")
{
	const bool lacks = e->traits & ZIP_NO_DESCRIPTOR;

	const char *what =
		"has a data descriptor with sizes of another width than its local header "
		"says";

	if (lacks)
		what = "has no data descriptor after its bytes that is right";
	else if (e->traits & ZIP_DESCRIPTOR_LEFT_OUT)
		what = "has no data descriptor after its bytes, as its flags say, and a local "
		       "header that is right";
	report_as(c, !lacks, AT_SPAN(e->end, 0), name_of(c, e), WORD(what));
}

DEFECT_RULE(ARC085, member_reaches_directory, ERROR, ZIP_LOCAL_ROWS, e, ZIP_REACHES_INTO_DIRECTORY,
     .class   = CLASS_CORRUPTION,
     .explains = BIT(ZIP_CONTENT),
     .title   = "The bytes of a member shall end before the central directory.",
     .message = "{0} ends at {1}, after the begin of the central directory at {2}",
     .data    = "name end directory",
     .why     = "It is damaged, or one of many that share their bytes.",
     .fix     = "Players: get the archive again. Authors: pack it again.",
     .spec    = "zip.md#3.6")
{
	const struct zip *z = c->facts;

	report(c, field(c, e, zip_central_field_packed), name_of(c, e), HEX(e->end),
	       HEX(z->directory_at));
}

DEFECT_RULE(ARC086, zip_members_overlap, ERROR, ZIP_LOCAL_ROWS, e, ZIP_OVERLAPS | ZIP_LISTED_TWICE,
     .class   = CLASS_SECURITY, .sign = SIGN_SHARED, .lesser = SEVERITY_WARNING,
     .lesser_when = "two central headers are the same",
     .explains = BIT(ZIP_CONTENT),
     .title   = "No two members shall share their bytes.",
     .message = "{0} begins at {1}, in the bytes of {2}", .data = "name at other",
     .why     = "So a small file unpacks to very much, and programs unpack different members "
                "of it. It is damaged, too, if its volumes were not joined well.",
     .fix     = "Players: do not unpack the archive; get it again, if it was joined from volumes. "
                "Authors: pack it again.",
     .spec    = "zip.md#3.7")
{
	const struct zip *z = c->facts;

	report_as(c, !(e->traits & ZIP_OVERLAPS), field(c, e, zip_central_field_local_at),
		  name_of(c, e), HEX(e->local_at), name_of(c, &z->entries[e->other]));
	relate(c, AT_SPAN(z->members->rows[e->other].head_at, zip_central_fixed_len),
	       "the other one");
}

DEFECT_RULE(ARC087, member_not_listed, WARNING, ZIP_GAPS, g, ZIP_GAP_MEMBER,
     .class   = CLASS_SECURITY, .sign = SIGN_INTENT,
     .title   = "The central directory should list every member.",
     .message = "a local header at {0}, with a name of {1}, has no central header",
     .data    = "at length",
     .why     = "Programs that read the archive from its beginning unpack it, others do not "
                "show it. Signed Android packages and some indexes have such members.",
     .fix     = "Players: do not use the archive, unless you know its author. Authors: pack it "
                "again instead of deleting from it.",
     .spec    = "zip.md#3.8")
{
	report(c, AT_SPAN(g->found_at, zip_local_fixed_len), HEX(g->found_at), SIZE(g->name.len));
}

DEFECT_RULE(ARC164, archive_in_its_member, ERROR, ZIP_GAPS, g, ZIP_GAP_COVERS,
     .class   = CLASS_CORRUPTION, .sign = SIGN_DATA,
     .title   = "What a zip lists shall not be in the bytes of a member before it.",
     .message = "all that is listed is in a member whose local header is at {0}, with a name of "
                "{1}, and which is not listed",
     .data    = "at length",
     .why     = "The file is the beginning of another zip, whose end is missing, up to a zip in "
                "it: programs that look for the end see the members of that one, others those "
                "before it.",
     .fix     = "Players: get the archive again. Authors: upload it again, and compare the sizes.",
     .spec    = "zip.md#3.10")
{
	report(c, AT_SPAN(g->found_at, zip_local_fixed_len), HEX(g->found_at), SIZE(g->name.len));
}

DEFECT_RULE(ARC088, bytes_between_members, WARNING, ZIP_GAPS, g, ZIP_GAP_BYTES,
     .class   = CLASS_HYGIENE,
     .title   = "Nothing should be between the members of a zip.",
     .message = "{0} at {1} {0:belongs|belong} to no member", .data = "length at",
     .why     = "No program looks at it: a place to hide something.",
     .fix     = "Players: nothing, if the mod comes from its author. Authors: pack it "
                "again.",
     .spec    = "zip.md#3.9")
{
	report(c, AT_SPAN(g->span.at, g->span.len), SIZE(g->span.len), HEX(g->span.at));
}
