/* The rules for files that are compressed as a whole. */
#include "formats/archive/stream/stream.h"

#define MEMBERS_ID(id) id##_stream
#define ARC_FILE_OF(c) (&((const struct stream *)(c)->facts)->file)
#define ARC_FILE_GROUP STREAM_FILE
#define ARC_FILE_EXPLAINS BIT(STREAM_STREAM)
#define ARC_CUT_ID ARC004_stream
#define ARC_CUT_EXPLAINS BIT(STREAM_CONTENT)
#include "formats/archive/members/file_rules.h"

#define ARC_SECOND_OF(c) (&((const struct stream *)(c)->facts)->second)
#define ARC_SECOND_KIND arc_signature_name(((const struct stream *)(c)->facts)->file.is)
#define ARC_SECOND_GROUP STREAM_CONTENT
#include "formats/archive/members/second_rules.h"
#include "formats/archive/members/payload_texts.h"

static struct place left_over(const struct stream *u)
{
	return AT_SPAN(u->end.n_used, u->size - u->end.n_used);
}

FILE_DEFECT_RULE(ARC013_stream, member_undecodable, ERROR, STREAM_STREAM, stream, u, STREAM_BROKEN,
		 ARC013_TEXTS, .explains = BIT(STREAM_CONTENT))
{
	report(c, AT_SPAN(0, u->size), TEXT_OF(u->content.name), SIZE(u->size));
}

FILE_DEFECT_RULE(ARC018_stream, member_swells, NOTE, STREAM_CONTENT, stream, u, STREAM_SWELLS,
		 ARC018_TEXTS)
{
	report(c, AT_SPAN(0, u->size), TEXT_OF(u->content.name), SIZE(u->size),
	       SIZE(u->content.len));
}

FILE_DEFECT_RULE(
	ARC149, stream_check_mismatch, ERROR, STREAM_STREAM, stream, u,
	STREAM_WRONG_SUM | STREAM_WRONG_SIZE, .class = CLASS_CORRUPTION, .sign = SIGN_DATA,
	.explains = BIT(STREAM_CONTENT),
	.title = "A compressed stream shall have the checksum and the size that it says.",
	.message = "the {0} that stream {1} says is {2}, and {3} is right",
	.data = "what stream said found",
	.why = "The file is not what was packed. Its program refuses it; libarchive does not "
	       "compare the checksum of gzip.",
	.fix = "Players: get the file again. Authors: pack it again.", .spec = "tar.md#4.3")
{
	const struct unstream *s = &u->end;
	const struct place at = AT_SPAN(0, u->size);

	if (u->file.is != ARC_IS_GZIP)
		report(c, at, WORD("checksum"), DEC(s->n_streams), WORD("wrong"), WORD("another"));
	else if (u->defects & STREAM_WRONG_SUM)
		report(c, at, WORD("checksum"), DEC(s->n_streams), HEX(s->said), HEX(s->found));
	else
		report(c, at, WORD("size"), DEC(s->n_streams), SIZE(s->said), SIZE(s->found));
}

FILE_DEFECT_RULE(
	ARC148, stream_bytes_after, WARNING, STREAM_STREAM, stream, u,
	STREAM_LEFT_OVER | STREAM_SEVERAL, .class = CLASS_HYGIENE, .sign = SIGN_TAIL,
	.lesser = SEVERITY_NOTE,
	.lesser_when = "only zeros follow streams of gzip or bzip2, or there are several streams",
	.title = "A compressed file should be one stream, and nothing should follow it.",
	.message = "{0} {0:stream|streams}, and {1} after {0:it|them}{2}",
	.data = "streams left what",
	.why = "Of what follows gzip warns, and libarchive is silent: it is a place to hide "
	       "something. Zeros after Zstandard are an error for zstd and libarchive, and so are "
	       "those after xz that are not four by four. Some programs unpack the first stream "
	       "only.",
	.fix = "Players: nothing, if no file is missing. Authors: pack it again.",
	.spec = "tar.md#4.4")
{
	const bool follows = u->defects & STREAM_LEFT_OVER;

	const bool passes = u->file.is == ARC_IS_GZIP || u->file.is == ARC_IS_BZIP2;

	report_as(c, !follows || (u->end.tail_is_zero && passes),
		  follows ? left_over(u) : AT_SPAN(0, u->size), DEC(u->end.n_streams),
		  SIZE(u->size - u->end.n_used),
		  either(follows && u->end.tail_is_zero, ", all zeros", ""));
}

FILE_DEFECT_RULE(
	ARC151, stream_window_large, UNDETERMINED, STREAM_STREAM, stream, u, STREAM_WINDOW,
	.class = CLASS_RESOURCE, .explains = BIT(STREAM_CONTENT),
	.title = "A stream of xz or Zstandard should need a window of at most 128 MiB.",
	.message = "stream {0} asks for {1} of memory, more than 134217728 bytes",
	.data = "stream window",
	.why = "What is in it was not checked. Programs refuse it, or take that much memory.",
	.fix = "Players: nothing, if your program unpacks it. Authors: pack it with a smaller "
	       "window: zstd without --long above 27, xz with a dictionary of 64 MiB.",
	.spec = "tar.md#4.5")
{
	report(c, AT_SPAN(0, u->size), DEC(u->end.n_streams), SIZE(u->end.said));
}

RULE(ARC150, stream_no_tar, NOTE, STREAM_CONTENT,
     .class = CLASS_HYGIENE,
     .title = "What is compressed as a whole should be a tar.",
     .message = "the file was compressed by {0}, and what comes out is no tar, but one file, {1}",
     .data = "kind name",
     .why = "A mod of several files is incomplete, if this was to be one.",
     .fix = "Players: nothing, if the mod is one file. Authors: for several files pack a zip.",
     .spec = "tar.md#4.6")
{
	const struct stream *u = c->facts;

	if (!u->is_tar)
		report(c, AT_SPAN(0, u->size), WORD(arc_signature_name(u->file.is)),
		       TEXT_OF(u->content.name));
}

FILE_DEFECT_RULE(
	ARC185, stream_name_differs, WARNING, STREAM_STREAM, stream, u,
	STREAM_RENAMED | STREAM_OTHER_NAME, .class = CLASS_SECURITY, .lesser = SEVERITY_NOTE,
	.lesser_when =
		"the stored name has no folder, and is not that of a program or of a file of "
		"another format",
	.title = "A stream of gzip should store the name that its file has.",
	.message = "the stream stores the name {0}, and by the name of the file it is {1}",
	.data = "stored name",
	.why = "7-Zip and gzip -N unpack it under the stored name, other programs under that of "
	       "the file.",
	.fix = "Players: look what the file is called when it is unpacked. Authors: pack it again "
	       "under the name that it is to have.",
	.spec = "tar.md#4.7")
{
	report_as(c, !(u->defects & STREAM_OTHER_NAME), AT_SPAN(u->name_at.at, u->name_at.len),
		  TEXT_OF(u->stored_name), TEXT_OF(u->content.name));
}
