/* The rules for .lzma. */
#include "formats/compressed/lzma.h"
#include "rule/finding.h"

static const struct defect_words lzma_words[] = {
	{ LZMA_CUT, "the file ends inside the 13 bytes of its header" },
	{ LZMA_PROPERTIES, "the properties are above 224" },
	{ LZMA_IMPOSSIBLE, "no stream of this length decompresses to the size" },
	{ LZMA_BROKEN, "the stream is not whole, or decompresses to another size" },
	{ LZMA_LEFT_OVER, "the stream ends before the file does" },
	{ LZMA_DICTIONARY, "the dictionary is larger than 64 MiB" },
};

static struct place lzma_place(struct check *c, const struct lzma *u)
{
	const uint64_t n_used = lzma_header_fixed_len + u->stream.n_used;

	switch (u->defects) {
	case LZMA_CUT:
		return AT_SPAN(0, u->size);
	case LZMA_PROPERTIES:
		return AT(c, lzma_header, &u->header, properties);
	case LZMA_IMPOSSIBLE:
		return AT(c, lzma_header, &u->header, size);
	case LZMA_DICTIONARY:
		return AT(c, lzma_header, &u->header, dictionary);
	case LZMA_LEFT_OVER:
		return AT_SPAN(n_used, u->size - n_used);
	default:
		return AT_SPAN(lzma_header_fixed_len, u->size - lzma_header_fixed_len);
	}
}

FILE_DEFECT_RULE(LZM001, lzma_stream_malformed, ERROR, LZMA_STREAM, lzma, u, lzma_file_defects,
		 .class = CLASS_CORRUPTION, .sign = SIGN_DATA, .explains = BIT(LZMA_CONTENT),
		 .lesser = SEVERITY_WARNING,
		 .lesser_when =
			 "the stream is whole, and bytes follow it, or it asks for a dictionary "
			 "larger than 64 MiB",
		 .title = "A .lzma shall have properties below 225, and one stream that "
			  "decompresses to the declared size.",
		 .message = "{0}; properties {1}, dictionary {2}, size {3}",
		 .data = "defect properties dictionary size",
		 .why = "The game refuses the download, or takes as much memory as the header "
			"asks for.",
		 .fix = "Players: get the file again. Authors: compress the package again.",
		 .spec = "uz.md#8.2")
{
	const struct lzma_header *h = &u->header;

	report_as(c, u->defects & (LZMA_LEFT_OVER | LZMA_DICTIONARY), lzma_place(c, u),
		  WORD(WORDS_FOR(u->defects, lzma_words)), DEC(h->properties), SIZE(h->dictionary),
		  HEX(h->size));
}

RULE(LZM002, lzma_size_unknown, WARNING, LZMA_FILE,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The header of a .lzma should say how many bytes the stream decompresses "
                "to.",
     .message = "the header does not say how many bytes the stream decompresses to: its "
                "size field is the value for unknown",
     .data    = "",
     .why     = "XC_Engine cannot unpack the download, because it makes room for as many "
                "bytes as the header says.",
     .fix     = "Players: report it to the server's owner. Authors: compress the package "
                "again with a tool that writes the size into the header.",
     .spec    = "uz.md#8.3")
{
	const struct lzma *u = c->facts;

	if (!(u->defects & LZMA_CUT) && u->header.size == LZMA_SIZE_UNKNOWN)
		report_plain(c, AT(c, lzma_header, &u->header, size));
}
