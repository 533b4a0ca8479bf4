/* The rules for folders, and for what only members of a 7z can have. */
#include "formats/archive/members/payload_texts.h"
#include "formats/archive/sevenzip/facts_rules.h"
#include "formats/archive/sevenzip/names.h"

/* The id of a coder as its bytes. */
DEFECT_RULE(ARC105, coder_unknown, UNDETERMINED, SEVENZIP_FOLDERS, f, FOLDER_UNKNOWN,
	    .class = CLASS_COMPATIBILITY,
	    .title = "A folder should have coders that all programs know.",
	    .message = "a folder of {0} {0:member|members} has {1}, {2}, which this program does "
		       "not decode",
	    .data = "members coder id",
	    .why = "What is in it was not checked. 7-Zip itself does not know the coders of its "
		   "forks.",
	    .fix = "Players: nothing, if your program unpacks it. Authors: pack it with LZMA or "
		   "LZMA2.",
	    .spec = "sevenzip.md#3.5")
{
	report(c, sevenzip_folder_place(c, f), DEC(f->n_rows),
	       WORD(sevenzip_coder_name(f->strange)), HEX(f->strange));
}

DEFECT_RULE(ARC106, coder_memory_exceeds_limit, UNDETERMINED, SEVENZIP_FOLDERS, f, FOLDER_MEMORY,
	    .class = CLASS_RESOURCE, .explains = BIT(SEVENZIP_CONTENT),
	    .title = "The coders of a folder should not need more memory than a check may use.",
	    .message = "the coders of a folder of {1} {1:member|members} say that they need {0}",
	    .data = "memory members",
	    .why = "Whoever unpacks it needs as much memory. What is in it was not checked.",
	    .fix = "Players: nothing, if your computer has it. Authors: pack it with a smaller "
		   "dictionary.",
	    .spec = "sevenzip.md#3.6")
{
	report(c, sevenzip_folder_place(c, f), SIZE(f->memory), DEC(f->n_rows));
}

DEFECT_RULE(ARC107, folder_graph_malformed, ERROR, SEVENZIP_FOLDERS, f, FOLDER_GRAPH,
	    .class = CLASS_CORRUPTION, .explains = BIT(SEVENZIP_CONTENT),
	    .title = "The coders of a folder shall make a tree, and each of their inputs shall "
		     "come from one place.",
	    .message = "the coders of a folder make no tree: it has {0} {0:coder|coders}, and {1} "
		       "{1:member|members}",
	    .data = "coders members",
	    .why = "Nothing says how to unpack it.",
	    .fix = "Players: get the archive again. Authors: pack it again with 7-Zip.",
	    .spec = "sevenzip.md#3.3")
{
	report(c, sevenzip_folder_place(c, f), DEC(f->n_sizes), DEC(f->n_rows));
}

DEFECT_RULE(ARC109, members_without_checksum, WARNING, SEVENZIP_FOLDERS, f, FOLDER_NO_SUM,
	    .class = CLASS_CORRUPTION,
	    .title = "Every member with bytes should have a checksum, or its folder one.",
	    .message = "a folder of {0} {0:member|members} lacks checksums", .data = "members",
	    .why = "Damage does not show: a changed file is unpacked as if it were good.",
	    .fix = "Players: nothing, if the mod works. Authors: pack it again with 7-Zip.",
	    .spec = "sevenzip.md#3.4")
{
	report(c, sevenzip_folder_place(c, f), DEC(f->n_rows));
}

DEFECT_RULE(ARC110, folder_large, NOTE, SEVENZIP_FOLDERS, f, FOLDER_LARGE,
	    .class = CLASS_RESOURCE,
	    .title = "A folder of several members should have at most 512 MiB.",
	    .message = "a folder of {0} {0:member|members} has {1}, more than 536870912",
	    .data = "members size",
	    .why = "One damaged byte loses all that follows in it, and to get one file all before "
		   "it must be unpacked.",
	    .fix = "Players: nothing needs to be done. Authors: pack it with smaller solid "
		   "blocks.",
	    .spec = "sevenzip.md#3.7")
{
	report(c, sevenzip_folder_place(c, f), DEC(f->n_rows), SIZE(f->size));
}

DEFECT_RULE(ARC111, anti_item, ERROR, SEVENZIP_ENTRIES, e, SEVENZIP_ANTI,
	    .class = CLASS_SECURITY, .sign = SIGN_INTENT, .lesser = SEVERITY_WARNING,
	    .lesser_when = "no other member has its name",
	    .title = "No member should say that a file is to be deleted, and none that another is.",
	    .message = "unpacking the archive deletes {0}{1}", .data = "name what",
	    .why = "7-Zip deletes the file or folder of that name where it unpacks. A mod has no "
		   "need of it.",
	    .fix = "Players: see what it deletes, before you unpack it with 7-Zip. Authors: pack "
		   "the files again, not the difference of two folders.",
	    .spec = "sevenzip.md#4.3")
{
	const struct sevenzip *z = c->facts;
	const struct arc_member *m = &z->members->rows[e - z->entries];
	const bool is_member = e->traits & SEVENZIP_ANTI_MEMBER;

	report_as(c, !is_member, sevenzip_member_place(c, m), TEXT_OF(m->name),
		  either(is_member, ", which is a member of it", ""));
}

static const struct defect_words kind_words[] = {
	{ SEVENZIP_UNLIKE, "a folder or a device by its mode" },
	{ SEVENZIP_SLASHED, "a folder by its name" },
};

DEFECT_RULE(ARC180, member_kind_differs, ERROR, SEVENZIP_ENTRIES, e,
	    SEVENZIP_SLASHED | SEVENZIP_UNLIKE, ARC180_TEXTS)
{
	const struct sevenzip *z = c->facts;
	const struct arc_member *m = &z->members->rows[e - z->entries];

	report_as(c, m->size == 0, sevenzip_member_place(c, m), TEXT_OF(m->name), SIZE(m->size),
		  WORD(WORDS_FOR(e->traits, kind_words)));
}
