/* The rules for .uz2, .uz3 and .lzma. */
#include "formats/compressed/uz.h"
#include "rule/finding.h"

/* ---- .uz2 ------------------------------------------------------------------------------------------------------------------ */

/* A chunk's fields lie side by side, whether its header is at hand or not. */
static struct place chunk_place(struct check *c, const struct uz2_part *p, enum uz2_chunk_fields field)
{
	struct place place = check_place(c, &uz2_chunk_layout, &p->chunk, p->chunk.at, field);

	place.span = (struct span){ p->chunk.at + (field == uz2_chunk_field_packed ? 0 : 4), 4 };
	return place;
}

static uint64_t number_of(const struct uz2 *u, const struct uz2_part *p)
{
	return (uint64_t)(p - u->parts);
}

DEFECT_RULE(UZT001, chunk_bad, ERROR, UZ2_HEADERS, p, UZ2_BAD_HEADER,
     .class   = CLASS_CORRUPTION, .explains = BIT(UZ2_CHUNKS),
     .title   = "A chunk shall have 1 to 33096 compressed bytes, all in the file, that can give the 1 to 32768 that it declares.",
     .message = "chunk {0} has {1} of {2}, {3} {4}",
     .data    = "chunk field size reason bound",
     .why     = "The engine reads chunks into buffers of these sizes, and what a cut download lacks is missing from the package.",
     .fix     = "Download it again; if it still fails, compress the package again.",
     .spec    = "uz.md#6.1")
{
	const struct uz2 *u = c->facts;
	const struct uz2_chunk *chunk = &p->chunk;

	if (p->traits & UZ2_PACKED_ODD)
		fail(c, chunk_place(c, p, uz2_chunk_field_packed), DEC(number_of(u, p)), WORD("a compressed size"), SIZE(chunk->packed),
		     WORD("allowed:"), WORD("1 to 33096"));
	else if (p->traits & UZ2_PAST_END)
		fail(c, chunk_place(c, p, uz2_chunk_field_packed), DEC(number_of(u, p)), WORD("a compressed size"), SIZE(chunk->packed),
		     WORD("left in the file:"), SIZE(u->size - p->chunk.at - uz2_chunk_fixed_len));
	if (p->traits & UZ2_UNPACKED_ODD)
		fail(c, chunk_place(c, p, uz2_chunk_field_unpacked), DEC(number_of(u, p)), WORD("an unpacked size"),
		     SIZE(chunk->unpacked), WORD("allowed:"), WORD("1 to 32768"));
	else if (p->traits & UZ2_IMPOSSIBLE)
		fail(c, chunk_place(c, p, uz2_chunk_field_unpacked), DEC(number_of(u, p)), WORD("an unpacked size"),
		     SIZE(chunk->unpacked), WORD("a compressed byte decompresses to at most"), SIZE(INFLATE_GAIN_MAX));
}

RULE(UZT004, chunk_header_cut, ERROR, UZ2_FILE,
     .class   = CLASS_CORRUPTION, .explains = BIT(UZ2_CHUNKS),
     .title   = "A .uz2 shall be whole chunks, one at least.",
     .message = "{0} {0:is|are} left after {1} {1:chunk|chunks}, a chunk's header alone has 8",
     .data    = "length chunks",
     .why     = "The engine reads a header there and meets the end of the file; most often the download was cut.",
     .fix     = "Get the file again; if it still fails, compress the package again.",
     .spec    = "uz.md#6.4")
{
	const struct uz2 *u = c->facts;

	if ((u->tail.len > 0 && !(u->traits & UZ2_BAD_HEADER)) || u->size == 0)
		fail(c, AT_SPAN(u->tail.at, u->tail.len), SIZE(u->tail.len), DEC(u->n_parts));
}

RULE(UZT003, chunk_not_full, WARNING, UZ2_CHUNKS,
     .class   = CLASS_HYGIENE,
     .title   = "Every chunk but the last should give 32768 bytes.",
     .message = "chunk {0} of {1} decompresses to {2}, only the last may have fewer than 32768",
     .data    = "chunk chunks size",
     .why     = "The engine fills each chunk before it begins another; this file was made by something else.",
     .fix     = "Nothing, if the tool is known.",
     .spec    = "uz.md#6.3")
{
	const struct uz2 *u = c->facts;
	const struct uz2_part *p = &u->parts[u->first_short];

	if (u->first_short < u->n_parts)
		fail(c, chunk_place(c, p, uz2_chunk_field_unpacked), DEC(u->first_short), DEC(u->n_parts), SIZE(p->chunk.unpacked));
}

static const char *stream_defect(uint32_t traits)
{
	if (traits & UZ2_BROKEN)
		return "is not a whole zlib stream";
	if (traits & UZ2_LONG)
		return "decompresses to more bytes than its header says";
	return traits & UZ2_SHORT ? "decompresses to fewer bytes than its header says" : "ends before its bytes do";
}

DEFECT_RULE(UZT002, stream_bad, ERROR, UZ2_BODIES, p, UZ2_BAD_STREAM,
     .class   = CLASS_CORRUPTION, .explains = BIT(UZ2_CONTENT),
     .title   = "A chunk shall be one whole zlib stream that ends in the chunk's last byte and gives as many bytes as declared.",
     .message = "chunk {0} {1}: {2} compressed, {3} declared",
     .data    = "chunk defect packed unpacked",
     .why     = "The engine stops with an error, or writes a damaged package.",
     .fix     = "Get the file again; if it still fails, compress the package again.",
     .spec    = "uz.md#6.2")
{
	const struct uz2 *u = c->facts;

	fail(c, AT_SPAN(p->chunk.at + uz2_chunk_fixed_len, p->chunk.packed), DEC(number_of(u, p)), WORD(stream_defect(p->traits)),
	     SIZE(p->chunk.packed), SIZE(p->chunk.unpacked));
}

RULE(UZT005, chunks_no_package, WARNING, UZ2_CONTENT,
     .class   = CLASS_COMPATIBILITY,
     .lesser  = SEVERITY_NOTE,
     .lesser_when = "the file's name does not have the extension of a package before .uz2",
     .title   = "What a .uz2 gives should be a package.",
     .message = "what it decompresses to, {0}, does not begin like a package",
     .data    = "length",
     .why     = "The game refuses anything else under a package's name; a program there may be an attack.",
     .fix     = "Compress the package itself.",
     .spec    = "uz.md#1.4")
{
	const struct uz2 *u = c->facts;

	if (u->content.is_package || u->content.promised)
		return;
	if (u->content.named_package)
		fail(c, AT_SPAN(0, u->size), SIZE(u->content.len));
	else
		fail_lesser(c, AT_SPAN(0, u->size), SIZE(u->content.len));
}

/* ---- .uz3 ------------------------------------------------------------------------------------------------------------------ */

static const char *uz3_defect(enum uz3_form form)
{
	static const char *const words[] = {
		[UZ3_NEGATIVE] = "the size is negative",
		[UZ3_IMPOSSIBLE] = "no stream of its length decompresses to so much",
		[UZ3_BROKEN] = "the stream is not whole",
		[UZ3_LONG] = "the stream decompresses to more",
		[UZ3_SHORT] = "the stream decompresses to less",
		[UZ3_LEFT_OVER] = "the stream ends before the file does",
	};

	return words[form];
}

RULE(UZH002, header_bad, ERROR, UZ3_FILE,
     .class   = CLASS_CORRUPTION, .explains = BIT(UZ3_STREAM),
     .title   = "A .uz3 shall begin with the signature 5678 and a size.",
     .message = "signature {0}{1}",
     .data    = "signature reason",
     .why     = "The game refuses the download; most often the server sent a web page, or a package that was only renamed.",
     .fix     = "Get the file again, or compress the package with the game's own tool.",
     .spec    = "uz.md#7.1")
{
	const struct uz3 *u = c->facts;
	const uint64_t signature = u->header.signature;
	const struct place place = AT_SPAN(0, u->size < uz3_header_fixed_len ? u->size : uz_header_fixed_len);

	if (u->form == UZ3_CUT)
		fail(c, place, HEX(signature), WORD(", the file ends before the eight bytes of its header do"));
	else if (u->form == UZ3_UNSIGNED && unpacked_is_tag(signature))
		fail(c, place, HEX(signature), WORD(", which is a package's: it was not compressed"));
	else if (u->form == UZ3_UNSIGNED && signature == UZ_SIGNATURE_OLD)
		fail(c, place, HEX(signature), WORD(", which is a .uz's"));
	else if (u->form == UZ3_UNSIGNED)
		fail(c, place, HEX(signature), WORD(", it shall be 5678 (0x162E)"));
}

RULE(UZH001, stream_mismatch, ERROR, UZ3_STREAM,
     .class   = CLASS_CORRUPTION, .explains = BIT(UZ3_CONTENT),
     .title   = "A .uz3 shall be one whole zlib stream to the end of the file that gives as many bytes as its header says.",
     .message = "the header declares {0}, but {1}",
     .data    = "size defect",
     .why     = "The game makes room for as many bytes as declared, and refuses the download when others come out.",
     .fix     = "Get the file again; if it still fails, compress the package again.",
     .spec    = "uz.md#7.2")
{
	const struct uz3 *u = c->facts;
	struct place place = AT_SPAN(uz3_header_fixed_len, u->size - uz3_header_fixed_len);

	if (u->form == UZ3_SOUND)
		return;
	if (u->form == UZ3_LEFT_OVER)
		place = AT_SPAN(uz3_header_fixed_len + u->stream.n_used, u->size - uz3_header_fixed_len - u->stream.n_used);
	else if (u->form != UZ3_BROKEN)
		place = AT(c, uz3_header, &u->header, size);
	fail(c, place, SIZE(u->header.size), WORD(uz3_defect(u->form)));
}

/* ---- .lzma ----------------------------------------------------------------------------------------------------------------- */

static const char *lzma_defect(enum lzma_form form)
{
	static const char *const words[] = {
		[LZMA_CUT] = "the file ends inside the 13 bytes of its header", [LZMA_PROPERTIES] = "the properties are above 224",
		[LZMA_IMPOSSIBLE] = "no stream of this length decompresses to the size",
		[LZMA_BROKEN] = "the stream is not whole, or decompresses to another size",
		[LZMA_LEFT_OVER] = "the stream ends before the file does", [LZMA_DICTIONARY] = "the dictionary is larger than 64 MiB",
	};

	return words[form];
}

static struct place lzma_place(struct check *c, const struct lzma *u)
{
	switch (u->form) {
	case LZMA_CUT: return AT_SPAN(0, u->size);
	case LZMA_PROPERTIES: return AT(c, lzma_header, &u->header, properties);
	case LZMA_IMPOSSIBLE: return AT(c, lzma_header, &u->header, size);
	case LZMA_DICTIONARY: return AT(c, lzma_header, &u->header, dictionary);
	case LZMA_LEFT_OVER:
		return AT_SPAN(lzma_header_fixed_len + u->stream.n_used, u->size - lzma_header_fixed_len - u->stream.n_used);
	default: return AT_SPAN(lzma_header_fixed_len, u->size - lzma_header_fixed_len);
	}
}

RULE(LZM001, lzma_stream_bad, ERROR, LZMA_STREAM,
     .class   = CLASS_CORRUPTION, .explains = BIT(LZMA_CONTENT),
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "the stream is whole, and bytes stand behind it, or it asks for a dictionary larger than 64 MiB",
     .title   = "A .lzma shall have properties below 225, and one stream that gives the declared size.",
     .message = "{0}; properties {1}, dictionary {2}, size {3}",
     .data    = "defect properties dictionary size",
     .why     = "The decoder refuses the download, or takes as much memory as the header asks for.",
     .fix     = "Get the file again; if it still fails, compress the package again.",
     .spec    = "uz.md#8.2")
{
	const struct lzma *u = c->facts;
	const struct lzma_header *h = &u->header;

	if (u->form == LZMA_LEFT_OVER || u->form == LZMA_DICTIONARY)
		fail_lesser(c, lzma_place(c, u), WORD(lzma_defect(u->form)), DEC(h->properties), SIZE(h->dictionary), HEX(h->size));
	else if (u->form != LZMA_SOUND)
		fail(c, lzma_place(c, u), WORD(lzma_defect(u->form)), DEC(h->properties), SIZE(h->dictionary), HEX(h->size));
}

RULE(LZM002, lzma_size_unknown, WARNING, LZMA_FILE,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The header of a .lzma should say how many bytes the stream gives.",
     .message = "the header does not say how many bytes the stream gives",
     .data    = "",
     .why     = "XC_Engine cannot unpack it: it makes room for as many bytes as the header says.",
     .fix     = "Compress the package again, with a tool that writes the size into the header.",
     .spec    = "uz.md#8.3")
{
	const struct lzma *u = c->facts;

	if (u->form != LZMA_CUT && u->header.size == LZMA_SIZE_UNKNOWN)
		fail_plain(c, AT(c, lzma_header, &u->header, size));
}
