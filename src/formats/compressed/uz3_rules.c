/* The rules for .uz3. */
#include "formats/compressed/uz.h"
#include "formats/compressed/uz3.h"
#include "rule/finding.h"

FILE_DEFECT_RULE(UZH002, header_malformed, ERROR, UZ3_FILE, uz3, u, UZ3_CUT | UZ3_UNSIGNED,
		 .class = CLASS_CORRUPTION, .sign = SIGN_OTHER_FILE, .explains = BIT(UZ3_STREAM),
		 .title = "A .uz3 shall begin with the signature 5678 and a size.",
		 .message = "signature {0}{1}", .data = "signature reason",
		 .why = "The game refuses the download. Most often the server sent a web page, or "
			"a package that was only renamed.",
		 .fix = "Players: get the file again, from another server if it fails again. "
			"Authors: compress the package with the game's own tool.",
		 .spec = "uz.md#7.1")
{
	const uint64_t signature = u->header.signature;
	const struct place place = AT_SPAN(0, u->size < uz3_header_fixed_len ? u->size
									     : uz_header_fixed_len);

	if (u->defects & UZ3_CUT)
		report(c, place, HEX(signature),
		       WORD(", the file ends before the eight bytes of its header do"));
	else if (unpacked_is_tag(signature))
		report(c, place, HEX(signature),
		       WORD(", which is a package's: it was not compressed"));
	else if (signature == UZ_SIGNATURE_OLD)
		report(c, place, HEX(signature), WORD(", which is a .uz's"));
	else
		report(c, place, HEX(signature), WORD(", it shall be 5678 (0x162E)"));
}

enum {
	UZ3_BAD_STREAM = UZ3_NEGATIVE | UZ3_IMPOSSIBLE | UZ3_BROKEN | UZ3_LONG | UZ3_SHORT |
			 UZ3_LEFT_OVER
};

static const struct defect_words stream_words[] = {
	{ UZ3_NEGATIVE, "the size is negative" },
	{ UZ3_IMPOSSIBLE, "no stream of its length decompresses to so much" },
	{ UZ3_BROKEN, "the stream is not whole" },
	{ UZ3_LONG, "the stream decompresses to more" },
	{ UZ3_SHORT, "the stream decompresses to less" },
	{ UZ3_LEFT_OVER, "the stream ends before the file does" },
};

FILE_DEFECT_RULE(UZH001, stream_mismatch, ERROR, UZ3_STREAM, uz3, u, UZ3_BAD_STREAM,
		 .class = CLASS_CORRUPTION, .sign = SIGN_DATA, .explains = BIT(UZ3_CONTENT),
		 .title = "A .uz3 shall be one whole zlib stream to the end of the file that "
			  "decompresses to the size in its header.",
		 .message = "the header declares {0}, but {1}", .data = "size defect",
		 .why = "The game makes room for the declared size, and refuses the download when "
			"another number of bytes comes out.",
		 .fix = "Players: get the file again. Authors: compress the package again.",
		 .spec = "uz.md#7.2")
{
	struct place place = AT_SPAN(uz3_header_fixed_len, u->size - uz3_header_fixed_len);

	if (u->defects & UZ3_LEFT_OVER)
		place = AT_SPAN(uz3_header_fixed_len + u->stream.n_used,
				u->size - uz3_header_fixed_len - u->stream.n_used);
	else if (!(u->defects & UZ3_BROKEN))
		place = AT(c, uz3_header, &u->header, size);
	report(c, place, SIZE(u->header.size), WORD(WORDS_FOR(u->defects, stream_words)));
}
