/* The rules of rar for members: those of all archives, and what rar has besides. */
#include "formats/archive/rar/facts_rules.h"

#define MEMBERS_ID(id) RAR_ID(id)
#define MEMBERS_ROWS RAR_MEMBER_ROWS
#define MEMBERS_PACKED RAR_PACKED
#define MEMBERS_PAYLOADS RAR_PAYLOADS
#define MEMBERS_OF(c) (rar_of(c)->members)
#define MEMBERS_PLACE(c, m) member_place(rar_of(c), m)
#define MEMBERS_GROUP RAR_BLOCKS
#define MEMBERS_PAYLOAD_GROUP RAR_PAYLOAD
#include "formats/archive/members/member_rules.h"

#define SPEC(n) "rar.md#" #n

#define FIX_OTHER \
	"Players: nothing, if your program unpacks it. Authors: pack it as a zip, or without " \
	"these settings."

static struct place entry_place(const struct check *c, const struct rar_member *e)
{
	return member_place(rar_of(c), entry_member(rar_of(c), e));
}

static struct arg entry_name(const struct check *c, const struct rar_member *e)
{
	return TEXT_OF(entry_member(rar_of(c), e)->name);
}

DEFECT_RULE(ARC123, rar_version_unknown, UNDETERMINED, RAR_ENTRIES, e, RAR_VERSION_UNKNOWN,
	    .class = CLASS_COMPATIBILITY,
	    .title = "A member should be compressed in a version that is decoded: 2.9 to 3.6, or "
		     "that of RAR 5.",
	    .message = "{0} is compressed in version {1}, which is not decoded",
	    .data = "name version",
	    .why = "What is in it was not checked; its name, size and checksum were listed.",
	    .fix = FIX_OTHER, .spec = SPEC(4.2))
{
	report(c, entry_place(c, e), entry_name(c, e), DEC(e->version));
}

static const struct defect_words need_words[] = {
	{ RAR_LOST, "needs a member before it that is damaged or not decoded" },
	{ RAR_NEEDS_OTHERS, "is compressed together with others in rar 4, which is not decoded" },
	{ RAR_HAS_FILTERS, "has a filter or another form of rar 4 that is not decoded" },
};

DEFECT_RULE(ARC124, rar_member_undecodable, UNDETERMINED, RAR_ENTRIES, e,
	    RAR_NEEDS_OTHERS | RAR_HAS_FILTERS | RAR_LOST, .class = CLASS_COMPATIBILITY,
	    .explains = BIT(RAR_CONTENT),
	    .title = "A member should be decodable without others in rar 4, and need none that is "
		     "damaged.",
	    .message = "{0} {1}", .data = "name what",
	    .why = "What is in it was not checked; its name, size and checksum were listed. One "
		   "damaged byte of a solid archive loses all members after it.",
	    .fix = FIX_OTHER, .spec = SPEC(4.3))
{
	report(c, entry_place(c, e), entry_name(c, e), WORD(WORDS_FOR(e->traits, need_words)));
}

DEFECT_RULE(ARC125, rar_dictionary_too_large, UNDETERMINED, RAR_ENTRIES, e, RAR_DICTIONARY_LARGE,
	    .class = CLASS_RESOURCE,
	    .title = "A member of a rar 5 should have a dictionary of at most 64 MiB, and say its "
		     "size.",
	    .message = "{0} {1} {2}, which is not decoded", .data = "name what dictionary",
	    .why = "What is in it was not checked: its decoder would need more memory than one "
		   "archive should.",
	    .fix = FIX_OTHER, .spec = SPEC(4.4))
{
	report(c, entry_place(c, e), entry_name(c, e),
	       either(e->traits & RAR_SIZE_UNKNOWN,
		      "does not say its size, and has a dictionary of", "has a dictionary of"),
	       SIZE((uint64_t)131072 << e->dictionary));
}

static const struct defect_words kind_words[] = {
	{ RAR_FOLDER_BY_FLAG, "a folder by its flags" },
	{ RAR_UNLIKE, "a folder, a device, a pipe or a label by its attributes" },
	{ RAR_LINK_WITH_BYTES, "a link for some programs only" },
	{ RAR_SLASHED, "a folder by its name" },
};

DEFECT_RULE(ARC180_rar, member_kind_differs, ERROR, RAR_ENTRIES, e,
	    RAR_FOLDER_BY_FLAG | RAR_UNLIKE | RAR_LINK_WITH_BYTES | RAR_SLASHED, ARC180_TEXTS)
{
	const struct arc_member *m = entry_member(rar_of(c), e);
	const uint64_t size = m->size > m->packed ? m->size : m->packed;

	report_as(c, size == 0, entry_place(c, e), TEXT_OF(m->name), SIZE(size),
		  WORD(WORDS_FOR(e->traits, kind_words)));
}

DEFECT_RULE(ARC183, rar_host_unknown, WARNING, RAR_ENTRIES, e, RAR_HOST_UNKNOWN,
	    .class = CLASS_COMPATIBILITY,
	    .title = "A member should be made on a system that is known.",
	    .message = "the system that {0} was made on is not known", .data = "name",
	    .why = "What is built on libarchive unpacks neither the member nor what comes after "
		   "it.",
	    .fix = "Players: nothing, if all files are there. Authors: pack it again with a "
		   "common program.",
	    .spec = SPEC(4.8))
{
	report(c, entry_place(c, e), entry_name(c, e));
}

DEFECT_RULE(ARC184, rar_header_end_differs, WARNING, RAR_ENTRIES, e, RAR_NAME_FOLLOWED,
	    .class = CLASS_COMPATIBILITY,
	    .title = "The header of a member of rar 4 should end with what its flags say.",
	    .message = "in the header of {0}, of {1}, more or less follows the name than its flags "
		       "say",
	    .data = "name length",
	    .why = "7-Zip or libarchive stops there, and the members that follow are missing.",
	    .fix = "Players: nothing, if all files are there. Authors: pack it again with a "
		   "common program.",
	    .spec = SPEC(2.5))
{
	report(c, entry_place(c, e), entry_name(c, e), SIZE(entry_member(rar_of(c), e)->head_len));
}

DEFECT_RULE(ARC126_names, rar_stream_hidden, ERROR, RAR_ENTRIES, e, RAR_STREAM_NAME,
	    .class = CLASS_SECURITY, .sign = SIGN_INTENT,
	    .title = "An archive shall have no streams of files.",
	    .message = "the name {0} is that of a stream of a file", .data = "name",
	    .why = "On Windows it is written beside the contents of a file, where Explorer does "
		   "not show it, or to where its name leads.",
	    .fix = "Players: do not unpack the archive. Authors: pack it without streams.",
	    .spec = SPEC(4.5))
{
	report(c, entry_place(c, e), entry_name(c, e));
}

DEFECT_RULE(ARC129, rar_name_lost, NOTE, RAR_ENTRIES, e, RAR_NAME_LOST,
	    .class = CLASS_COMPATIBILITY,
	    .title = "The name of a member should be known.",
	    .message = "the name {0} is question marks in place of letters", .data = "name",
	    .why = "The program that packed it could not write the name: the file is unpacked "
		   "under another.",
	    .fix = "Players: rename the file, if you know its name. Authors: pack it again with a "
		   "newer program.",
	    .spec = SPEC(2.3))
{
	report(c, entry_place(c, e), entry_name(c, e));
}

DEFECT_RULE(ARC154, rar_names_differ, ERROR, RAR_ENTRIES, e, RAR_NAMES_DIFFER,
	    .class = CLASS_SECURITY, .sign = SIGN_INTENT,
	    .title = "The two forms of a name shall be one name, as far as both are ASCII.",
	    .message = "the name {0} is another in its form for old programs", .data = "name",
	    .why = "Programs that take the form in a code page unpack another file than those that "
		   "take the Unicode one: a scanner sees another file than is installed.",
	    .fix = "Players: do not use the archive. Authors: pack it again with a common "
		   "program.",
	    .spec = SPEC(2.3))
{
	report(c, entry_place(c, e), entry_name(c, e));
}
