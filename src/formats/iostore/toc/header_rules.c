/* The rules of the family UTH, first half: whether it is a .utoc that can be read, its size, and
 * its reserved fields. */
#include "formats/iostore/facts_rules.h"

#define SPEC(n) "iostore.md#2." #n

enum { TOC_MAGIC_LEN = 16 };

static bool stopped(const struct utoc *u, enum utoc_group group, enum stop_why why)
{
	return u->groups[group].why == why;
}

/* ---- Is it one ------------------------------------------------------------------------------- */

RULE(UTH001, toc_header_truncated, ERROR, UTOC_FILE,
     .class   = CLASS_CORRUPTION, .sign = SIGN_OTHER_FILE, .explains = BIT(UTOC_VERSION),
     .title   = "A .utoc shall have the 144 bytes of its header.",
     .message = "the file has {0}, the header alone has 144",
     .data    = "size",
     .why     = "The game rejects the container. Most often the download was truncated.",
     .fix     = "Players: get the file again. Authors: publish the .utoc as the packer "
                "wrote it.",
     .spec    = SPEC(1))
{
	const struct utoc *u = utoc_of(c);

	if (u->toc.size < utoc_header_fixed_len)
		report(c, AT_SPAN(0, u->toc.size), SIZE(u->toc.size));
}

/* As a text if it is one: of 16 letters, digits and marks, and else as its bytes. */
static struct arg found_magic(const struct utoc_header *h, uint8_t bytes[TOC_MAGIC_LEN])
{
	bool is_text = true;

	for (unsigned i = 0; i < TOC_MAGIC_LEN; i++) {
		bytes[i] = (uint8_t)((i < 8 ? h->magic_first : h->magic_last) >> i % 8 * 8);
		is_text = is_text && bytes[i] >= ' ' && bytes[i] <= '~';
	}
	return is_text ? UTF8(bytes, TOC_MAGIC_LEN) : HEX_BYTES(bytes, TOC_MAGIC_LEN);
}

RULE(UTH002, magic_mismatch, ERROR, UTOC_FILE,
     .class   = CLASS_CORRUPTION, .sign = SIGN_OTHER_FILE, .explains = BIT(UTOC_VERSION),
     .title   = "A .utoc shall begin with the 16 bytes -==--==--==--==-.",
     .message = "the file begins with {0}, expected {1}",
     .data    = "found expected",
     .why     = "The game rejects the container. Most often the file is something else "
                "that was renamed, or a download that failed at its start.",
     .fix     = "Players: get the file again, and check that it is the right one. "
                "Authors: publish the .utoc as the packer wrote it.",
     .spec    = SPEC(2))
{
	const struct toc *t = toc_of(c);
	uint8_t bytes[TOC_MAGIC_LEN];

	if (t->size >= utoc_header_fixed_len && !toc_is_magic(&t->header))
		report(c, AT_SPAN(0, TOC_MAGIC_LEN), found_magic(&t->header, bytes),
		       TEXT_OF(text_from("-==--==--==--==-")));
}

RULE(UTH003, version_of_4_25, UNDETERMINED, UTOC_FILE,
     .class   = CLASS_COMPATIBILITY, .explains = BIT(UTOC_VERSION),
     .title   = "A .utoc should have a version; containers of Unreal Engine 4.25 have "
                "none.",
     .message = "a header of 128 bytes without a version: an experimental container of 4.25",
     .data    = "",
     .why     = "Its tables are in another order than those of later engines; nothing "
                "after the magic was judged.",
     .fix     = "Check it with a tool for that engine, or get the mod in a version for a "
                "later one.",
     .spec    = SPEC(3))
{
	const struct utoc *u = utoc_of(c);

	if (u->toc.is_4_25)
		report_plain(c, AT_SPAN(16, 4));
}

RULE(UTH004, toc_version_outdated, ERROR, UTOC_FILE,
     .class   = CLASS_COMPATIBILITY, .explains = BIT(UTOC_VERSION),
     .title   = "The version shall be 2 or later.",
     .message = "version {0}, the first that an engine loads is 2",
     .data    = "version",
     .why     = "The game rejects the container as outdated.",
     .fix     = "Players: get the mod in a version for this game. Authors: pack it again "
                "with the packer of the game's engine.",
     .spec    = SPEC(4))
{
	const struct utoc *u = utoc_of(c);

	if (stopped(u, UTOC_VERSION, STOP_MALFORMED) && u->toc.size >= utoc_header_fixed_len &&
	    toc_is_magic(&u->toc.header))
		report(c, AT(c, utoc_header, &u->toc.header, version), DEC(u->toc.version));
}

RULE(UTH005, version_unknown, UNDETERMINED, UTOC_FILE,
     .class   = CLASS_COMPATIBILITY, .explains = BIT(UTOC_VERSION),
     .title   = "The version should be one from 2 to 8, or 10.",
     .message = "version {0}: {1}",
     .data    = "version known",
     .why     = "Its tables were not judged, and the engines of today refuse it too.",
     .fix     = "Players: get the file again. If it is the same, use a later uvet. "
                "Authors: pack it with the packer of the game's engine.",
     .spec    = SPEC(5))
{
	const struct utoc *u = utoc_of(c);

	if (stopped(u, UTOC_VERSION, STOP_UNSUPPORTED) && !u->toc.is_4_25)
		report(c, AT(c, utoc_header, &u->toc.header, version), DEC(u->toc.version),
		       either(u->toc.version == TOC_SOURCE_HASHES,
			      "no real file confirms how it is laid out",
			      "known are 2 to 8 and 10"));
}

/* ---- Can it be read -------------------------------------------------------------------------- */

RULE(UTH006, header_size_mismatch, ERROR, UTOC_VERSION,
     .class   = CLASS_CORRUPTION, .explains = BIT(UTOC_HEADER),
     .title   = "The header size shall be 144.",
     .message = "header size {0}, expected 144",
     .data    = "size",
     .why     = "The game rejects the container.",
     .fix     = "Players: get the file again. Authors: pack it again with the packer of "
                "the game's engine.",
     .spec    = SPEC(6))
{
	const struct utoc *u = utoc_of(c);

	if (u->toc.header.header_size != utoc_header_fixed_len)
		report(c, AT(c, utoc_header, &u->toc.header, header_size),
		       SIZE(u->toc.header.header_size));
}

RULE(UTH007, block_entry_size_mismatch, ERROR, UTOC_VERSION,
     .class   = CLASS_CORRUPTION, .explains = BIT(UTOC_HEADER),
     .title   = "The size of a block's entry shall be 12.",
     .message = "block entry size {0}, expected 12",
     .data    = "size",
     .why     = "The game rejects the container.",
     .fix     = "Players: get the file again. Authors: pack it again with the packer of "
                "the game's engine.",
     .spec    = SPEC(7))
{
	const struct utoc *u = utoc_of(c);

	if (u->toc.header.block_entry_size != utoc_block_fixed_len)
		report(c, AT(c, utoc_header, &u->toc.header, block_entry_size),
		       SIZE(u->toc.header.block_entry_size));
}

RULE(UTH012, block_size_zero, ERROR, UTOC_VERSION,
     .class   = CLASS_SECURITY, .explains = BIT(UTOC_HEADER),
     .title   = "The block size shall not be 0.",
     .message = "block size 0, the engine's default is 65536",
     .data    = "",
     .why     = "The game and tools divide by the block size, and crash.",
     .fix     = "Players: get the file again. Authors: pack it again, with a block size "
                "of 65536.",
     .spec    = SPEC(12))
{
	const struct utoc *u = utoc_of(c);

	if (u->toc.header.block_size == 0)
		report_plain(c, AT(c, utoc_header, &u->toc.header, block_size));
}

/* Readers copy a name of this length to a buffer on their stack. */
#define METHOD_NAME_SIZE 32u
#define METHOD_NAME_MAX 64u

RULE(UTH016, method_name_size_mismatch, ERROR, UTOC_VERSION,
     .class   = CLASS_SECURITY, .explains = BIT(UTOC_HEADER),
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "it is from 1 to 64, or there are no methods",
     .title   = "The size of a compression method's name shall be 32.",
     .message = "{0} method {0:name|names} of {1} each, expected 32",
     .data    = "methods size",
     .why     = "With size 0 there are no names. Readers copy each name into a fixed "
                "buffer on the stack, and a larger one overflows it.",
     .fix     = "Players: get the file again. Authors: pack it again with the packer of "
                "the game's engine.",
     .spec    = SPEC(16))
{
	const struct utoc_header *h = &toc_of(c)->header;
	struct place place = AT(c, utoc_header, h, method_name_size);

	if (h->method_name_size == METHOD_NAME_SIZE ||
	    (h->n_methods == 0 && h->method_name_size == 0))
		return;
	if (h->n_methods > 0 && (h->method_name_size > METHOD_NAME_MAX || h->method_name_size == 0))
		report(c, place, DEC(h->n_methods), SIZE(h->method_name_size));
	else
		report_lesser(c, place, DEC(h->n_methods), SIZE(h->method_name_size));
}

RULE(UTH017, methods_too_many, ERROR, UTOC_VERSION,
     .class   = CLASS_CORRUPTION, .explains = BIT(UTOC_HEADER),
     .title   = "There shall be at most 255 compression methods.",
     .message = "{0} compression {0:method|methods}, at most 255 are possible because a "
                "block names its method in one byte",
     .data    = "methods",
     .why     = "No block can use the others, and readers take memory for each of them.",
     .fix     = "Players: get the file again. Authors: pack it again with the packer of "
                "the game's engine.",
     .spec    = SPEC(17))
{
	const struct utoc_header *h = &toc_of(c)->header;

	if (h->n_methods > UINT8_MAX)
		report(c, AT(c, utoc_header, h, n_methods), DEC(h->n_methods));
}

/* ---- Sizes ----------------------------------------------------------------------------------- */

RULE(UTH038, counts_out_of_range, ERROR, UTOC_HEADER,
     .class   = CLASS_SECURITY, .explains = BIT(UTOC_SECTIONS),
     .title   = "The file shall be long enough for the chunks and blocks that its header counts.",
     .message = "the count of {1} is {0}, more than a file of {2} can hold",
     .data    = "count what size",
     .why     = "Readers take memory for that number of rows before they read them: they "
                "run out of it, or read past the end of the file.",
     .fix     = "Players: get the file again. Authors: pack it again if it still fails.",
     .spec    = SPEC(38))
{
	const struct toc *t = toc_of(c);

	if (!toc_chunks_fit(t))
		report(c, AT(c, utoc_header, &t->header, n_chunks), DEC(t->n_chunks),
		       WORD("chunks"), SIZE(t->size));
	if (!toc_blocks_fit(t))
		report(c, AT(c, utoc_header, &t->header, n_blocks), DEC(t->n_blocks),
		       WORD("blocks"), SIZE(t->size));
}

RULE(UTH035, tables_truncated, ERROR, UTOC_HEADER,
     .class   = CLASS_CORRUPTION, .explains = BIT(UTOC_SECTIONS),
     .title   = "A .utoc shall be as long as its header and the tables that it counts.",
     .message = "the file has {0}, its header and tables need {1}: {2} {2:is|are} missing",
     .data    = "size expected missing",
     .why     = "The game reads past the end of the file. Most often the download was "
                "truncated; else a count in the header is damaged.",
     .fix     = "Players: get the file again. Authors: pack it again if it still fails.",
     .spec    = SPEC(35))
{
	const struct toc *t = toc_of(c);

	if (t->size < t->expected && toc_chunks_fit(t) && toc_blocks_fit(t) && !t->signature_broken)
		report(c, AT_SPAN(t->size, 0), SIZE(t->size), SIZE(t->expected),
		       SIZE(t->expected - t->size));
}

RULE(UTH036, trailing_bytes, WARNING, UTOC_SECTIONS,
     .class   = CLASS_HYGIENE, .sign = SIGN_TAIL,
     .title   = "A .utoc should end with its tables.",
     .message = "{0} {0:follows|follow} the tables, which end at {1}",
     .data    = "length end",
     .why     = "Strict tools refuse the file. No known packer writes anything there, so "
                "it is not known what the bytes are.",
     .fix     = "Players: nothing, if the mod works; else get the file again. Authors: pack "
                "it again, and add nothing to the packer's file.",
     .spec    = SPEC(36))
{
	const struct toc *t = toc_of(c);

	if (t->size > t->expected && !t->on_demand_extra)
		report(c, AT_SPAN(t->expected, t->size - t->expected), SIZE(t->size - t->expected),
		       HEX(t->expected));
}

RULE(UTH037, sizes_underflow, ERROR, UTOC_HEADER,
     .class   = CLASS_SECURITY, .versions = UNTIL(7), .explains = BIT(UTOC_SECTIONS),
     .title   = "The directory index and the chunk metadata shall be smaller than the "
                "file.",
     .message = "a file of {2} has no room for the directory index of {0} and the "
                "metadata of {1} {1:chunk|chunks}",
     .data    = "directory chunks size",
     .why     = "Engines up to 5.3 subtract their sizes from the file's and take memory "
                "for the rest: the number wraps around, and the game runs out of memory.",
     .fix     = "Players: get the file again. Authors: pack it again if it still fails.",
     .spec    = SPEC(37))
{
	const struct toc *t = toc_of(c);

	if (utoc_header_fixed_len + t->header.directory_size + t->meta_size * t->n_chunks >
		    t->size &&
	    toc_chunks_fit(t))
		report(c, AT(c, utoc_header, &t->header, directory_size),
		       SIZE(t->header.directory_size), DEC(t->n_chunks), SIZE(t->size));
}

RULE(UTH039, metas_early, WARNING, UTOC_SECTIONS,
     .class   = CLASS_COMPATIBILITY, .versions = BETWEEN(8, 8),
     .title   = "The metadata of a chunk should have 24 bytes in version 8.",
     .message = "chunk metadata of 21 bytes, expected 24, makes the file exactly {0} "
                "long: it is a version 8 from before its release",
     .data    = "size",
     .why     = "Released engines read the last chunks' metadata in other places, or read "
                "past the end of the file.",
     .fix     = "Players: get the mod in a version for this game. Authors: pack it again "
                "with a released engine.",
     .spec    = SPEC(39))
{
	const struct toc *t = toc_of(c);

	if (t->meta_size < utoc_short_meta_fixed_len)
		report(c,
		       AT_SPAN(t->sections[SECTION_METAS].at.at, t->sections[SECTION_METAS].at.len),
		       SIZE(t->size));
}

RULE(UTH041, on_demand_mismatch, WARNING, UTOC_SECTIONS,
     .class   = CLASS_COMPATIBILITY, .versions = BETWEEN(6, 6),
     .title   = "On-demand metadata should be there if and only if the flag OnDemand is "
                "set.",
     .message = "the flag OnDemand is {0}, and the metadata for it is {1}",
     .data    = "flag metas",
     .why     = "Readers that go by the flag read past the end of the file, or leave "
                "bytes unread.",
     .fix     = "Players: nothing, if the game loads it. Authors: pack it again with the "
                "packer of the game's engine.",
     .spec    = SPEC(41))
{
	const struct toc *t = toc_of(c);

	if (t->on_demand_missing)
		report(c, AT(c, utoc_header, &t->header, flags), WORD("set"), WORD("missing"));
	else if (t->on_demand_extra)
		report(c, AT_SPAN(t->expected, t->size - t->expected), WORD("not set"),
		       WORD("there"));
}

/* ---- Reserved fields ------------------------------------------------------------------------- */

RULE(UTH008, reserved_by_version, WARNING, UTOC_VERSION,
     .class   = CLASS_HYGIENE,
     .title   = "The three bytes after the version should be 0.",
     .message = "reserved bytes {0} and {1}, expected 0",
     .data    = "reserved_0 reserved_1",
     .why     = "No writer of the engine sets them, and a later version may give them a "
                "meaning: the mod may fail after the game is updated.",
     .fix     = "Players: get the file again. Authors: pack it again with the packer of "
                "the game's engine.",
     .spec    = SPEC(8))
{
	const struct utoc_header *h = &toc_of(c)->header;

	if ((h->reserved_0 | h->reserved_1) != 0)
		report(c, AT_SPAN(17, 3), HEX(h->reserved_0), HEX(h->reserved_1));
}

RULE(UTH009, reserved_by_flags, WARNING, UTOC_VERSION,
     .class   = CLASS_HYGIENE, .versions = UNTIL(8),
     .title   = "The three bytes after the flags should be 0.",
     .message = "reserved bytes {0} and {1}, expected 0",
     .data    = "reserved_3 reserved_4",
     .why     = "No writer of the engine sets them, and later versions give them a "
                "meaning: the mod may fail after the game is updated.",
     .fix     = "Players: get the file again. Authors: pack it again with the packer of "
                "the game's engine.",
     .spec    = SPEC(9))
{
	const struct utoc_header *h = &toc_of(c)->header;

	if ((h->encryption_method | h->reserved_4) != 0)
		report(c, AT_SPAN(81, 3), HEX(h->encryption_method), HEX(h->reserved_4));
}

RULE(UTH010, reserved_at_end, WARNING, UTOC_VERSION,
     .class   = CLASS_HYGIENE, .versions = UNTIL(8),
     .title   = "The last 44 bytes of the header should be 0.",
     .message = "bytes 100 to 143 of the header are not all 0, as they should be",
     .data    = "",
     .why     = "No writer of the engine sets them, and later versions give them a "
                "meaning: the mod may fail after the game is updated.",
     .fix     = "Players: get the file again. Authors: pack it again with the packer of "
                "the game's engine.",
     .spec    = SPEC(10))
{
	const struct utoc_header *h = &toc_of(c)->header;

	if ((h->reserved_7 | h->reserved_8 | h->reserved_9 | h->reserved_10 | h->reserved_11 |
	     h->reserved_12) != 0)
		report_plain(c, AT_SPAN(100, 44));
}

RULE(UTH011, reserved_before_its_version, WARNING, UTOC_VERSION,
     .class   = CLASS_HYGIENE, .versions = BETWEEN(2, 2),
     .title   = "The fields of partitions should be 0 in version 2, which has none.",
     .message = "a partition count of {0} and a partition size of {1} in version 2, which has no "
                "partitions",
     .data    = "partitions size",
     .why     = "Tools that do not look at the version look for that number of .ucas "
                "files.",
     .fix     = "Players: get the file again. Authors: pack it again with the packer of "
                "the game's engine.",
     .spec    = SPEC(11))
{
	const struct utoc_header *h = &toc_of(c)->header;

	if (h->n_partitions != 0)
		report(c, AT(c, utoc_header, h, n_partitions), DEC(h->n_partitions),
		       SIZE(h->partition_size));
	else if (h->partition_size != 0)
		report(c, AT(c, utoc_header, h, partition_size), DEC(h->n_partitions),
		       SIZE(h->partition_size));
}
