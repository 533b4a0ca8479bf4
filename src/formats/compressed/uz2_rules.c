/* The rules for .uz2. */
#include "formats/compressed/uz2.h"
#include "rule/finding.h"

/* The place of a field is known even where the header's bytes are not at hand. */
static struct place chunk_place(struct check *c, const struct uz2_part *p,
				enum uz2_chunk_fields field)
{
	struct place place = check_place(c, &uz2_chunk_layout, &p->chunk, p->chunk.at, field);

	place.span = (struct span){ p->chunk.at + (field == uz2_chunk_field_packed ? 0 : 4), 4 };
	return place;
}

static uint64_t number_of(const struct uz2 *u, const struct uz2_part *p)
{
	return (uint64_t)(p - u->parts);
}

DEFECT_RULE(UZT001, chunk_malformed, ERROR, UZ2_HEADERS, p, UZ2_BAD_HEADER,
     .class   = CLASS_CORRUPTION, .sign = SIGN_OTHER_FILE, .explains = BIT(UZ2_CHUNKS),
     .title   = "A chunk shall have 1 to 33096 compressed bytes, all in the file, that "
                "can decompress to the 1 to 32768 bytes that it declares.",
     .message = "chunk {0} has {1} of {2}, {3} {4}",
     .data    = "chunk field size reason bound",
     .why     = "The engine reads chunks into buffers of these sizes and fails, or the "
                "package lacks the bytes that a truncated download lacks.",
     .fix     = "Players: get the file again. Authors: compress the package again.",
     .spec    = "uz.md#6.1")
{
	const struct uz2 *u = c->facts;
	const struct uz2_chunk *chunk = &p->chunk;

	if (p->traits & UZ2_PACKED_ODD)
		report(c, chunk_place(c, p, uz2_chunk_field_packed), DEC(number_of(u, p)),
		       WORD("a compressed size"), SIZE(chunk->packed), WORD("allowed:"),
		       WORD("1 to 33096"));
	else if (p->traits & UZ2_PAST_END)
		report(c, chunk_place(c, p, uz2_chunk_field_packed), DEC(number_of(u, p)),
		       WORD("a compressed size"), SIZE(chunk->packed), WORD("left in the file:"),
		       SIZE(u->size - p->chunk.at - uz2_chunk_fixed_len));
	if (p->traits & UZ2_UNPACKED_ODD)
		report(c, chunk_place(c, p, uz2_chunk_field_unpacked), DEC(number_of(u, p)),
		       WORD("an unpacked size"), SIZE(chunk->unpacked), WORD("allowed:"),
		       WORD("1 to 32768"));
	else if (p->traits & UZ2_IMPOSSIBLE)
		report(c, chunk_place(c, p, uz2_chunk_field_unpacked), DEC(number_of(u, p)),
		       WORD("an unpacked size"), SIZE(chunk->unpacked),
		       WORD("a compressed byte decompresses to at most"), SIZE(INFLATE_GAIN_MAX));
}

RULE(UZT004, chunk_header_truncated, ERROR, UZ2_FILE,
     .class   = CLASS_CORRUPTION, .sign = SIGN_OTHER_FILE, .explains = BIT(UZ2_CHUNKS),
     .title   = "A .uz2 shall consist of whole chunks, and of at least one.",
     .message = "{0} {0:is|are} left after {1} {1:chunk|chunks}, a chunk's header alone has 8",
     .data    = "length chunks",
     .why     = "The engine reads a chunk's header there and meets the end of the file. "
                "Most often the download was truncated.",
     .fix     = "Players: get the file again. Authors: compress the package again.",
     .spec    = "uz.md#6.4")
{
	const struct uz2 *u = c->facts;

	if ((u->tail.len > 0 && !(u->traits & UZ2_BAD_HEADER)) || u->size == 0)
		report(c, AT_SPAN(u->tail.at, u->tail.len), SIZE(u->tail.len), DEC(u->n_parts));
}

RULE(UZT003, chunk_not_full, WARNING, UZ2_CHUNKS,
     .class   = CLASS_HYGIENE,
     .title   = "Every chunk but the last should decompress to 32768 bytes.",
     .message = "chunk {0} of {1} decompresses to {2}, only the last may have fewer than 32768",
     .data    = "chunk chunks size",
     .why     = "The game reads it all the same. The engine's own compressor fills each "
                "chunk before it begins another, so another tool made this file.",
     .fix     = "Players: nothing, the game reads it. Authors: nothing, if you know the "
                "tool; else compress the package with the game's own ucc compress.",
     .spec    = "uz.md#6.3")
{
	const struct uz2 *u = c->facts;
	const struct uz2_part *p = &u->parts[u->first_short];

	if (u->first_short < u->n_parts)
		report(c, chunk_place(c, p, uz2_chunk_field_unpacked), DEC(u->first_short),
		       DEC(u->n_parts), SIZE(p->chunk.unpacked));
}

static const char *stream_defect(uint32_t traits)
{
	if (traits & UZ2_BROKEN)
		return "is not a whole zlib stream";
	if (traits & UZ2_LONG)
		return "decompresses to more bytes than its header says";
	return traits & UZ2_SHORT ? "decompresses to fewer bytes than its header says"
				  : "ends before its bytes do";
}

DEFECT_RULE(UZT002, chunk_stream_malformed, ERROR, UZ2_BODIES, p, UZ2_BAD_STREAM,
     .class   = CLASS_CORRUPTION, .sign = SIGN_DATA, .explains = BIT(UZ2_CONTENT),
     .title   = "A chunk shall be one whole zlib stream that ends in the chunk's last "
                "byte and decompresses to the declared number of bytes.",
     .message = "chunk {0} {1}: {2} compressed, {3} declared",
     .data    = "chunk defect packed unpacked",
     .why     = "The game stops with an error, or writes a damaged package.",
     .fix     = "Players: get the file again. Authors: compress the package again.",
     .spec    = "uz.md#6.2")
{
	const struct uz2 *u = c->facts;

	report(c, AT_SPAN(p->chunk.at + uz2_chunk_fixed_len, p->chunk.packed), DEC(number_of(u, p)),
	       WORD(stream_defect(p->traits)), SIZE(p->chunk.packed), SIZE(p->chunk.unpacked));
}

RULE(UZT005, chunks_no_package, WARNING, UZ2_CONTENT,
     .class   = CLASS_COMPATIBILITY,
     .lesser  = SEVERITY_NOTE,
     .lesser_when = "the file's name does not have the extension of a package before .uz2",
     .title   = "A .uz2 should decompress to a package.",
     .message = "what it decompresses to, {0}, does not begin like a package",
     .data    = "length",
     .why     = "The game downloads packages only, and refuses anything else under a "
                "package's name.",
     .fix     = "Players: get the package from another server. Authors: compress the "
                "package itself.",
     .spec    = "uz.md#1.4")
{
	const struct uz2 *u = c->facts;

	if (u->content.is_package || u->content.promised)
		return;
	if (u->content.named_package)
		report(c, AT_SPAN(0, u->size), SIZE(u->content.len));
	else
		report_lesser(c, AT_SPAN(0, u->size), SIZE(u->content.len));
}
