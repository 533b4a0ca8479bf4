/* The rules of the family BLK for the tables: blocks, and the names of methods. */
#include "formats/iostore/facts_rules.h"

#define SPEC(n) "iostore.md#4." #n

/* ---- Blocks by themselves -------------------------------------------------------------------- */

DEFECT_RULE(BLK001, method_outside, ERROR, UTOC_BLOCK_ROWS, b, BLOCK_METHOD_OUTSIDE,
     .class   = CLASS_SECURITY, .explains = BIT(UTOC_CONTENT),
     .title   = "A block's method shall be one of those that are named.",
     .message = "block {0} has the method {1}, which is out of range: the count of "
                "methods is {2}",
     .data    = "block method methods",
     .why     = "The engine reads past its list of methods, and may crash.",
     .fix     = "Players: get the file again. Authors: pack it again if it still fails.",
     .spec    = SPEC(1))
{
	report(c, AT(c, utoc_block, &b->block, method), DEC(b->number), DEC(b->block.method),
	       DEC(toc_of(c)->n_methods));
}

DEFECT_RULE(BLK002, block_too_large, ERROR, UTOC_BLOCK_ROWS, b, BLOCK_TOO_LARGE,
     .class   = CLASS_SECURITY, .explains = BIT(UTOC_CONTENT),
     .title   = "A block shall decompress to at most the block size.",
     .message = "block {0} decompresses to {1}, the block size is {2}",
     .data    = "block size block_size",
     .why     = "Readers decompress into a buffer of the block size, and may write past "
                "its end.",
     .fix     = "Players: get the file again. Authors: pack it again if it still fails.",
     .spec    = SPEC(2))
{
	report(c, AT(c, utoc_block, &b->block, uncompressed), DEC(b->number),
	       SIZE(b->block.uncompressed), SIZE(toc_of(c)->block_size));
}

DEFECT_RULE(BLK005, block_stores_nothing, ERROR, UTOC_BLOCK_ROWS, b, BLOCK_NOTHING_STORED,
     .class   = CLASS_CORRUPTION, .explains = BIT(UTOC_CONTENT),
     .title   = "A block that decompresses to some bytes shall store some.",
     .message = "block {0} stores nothing, and should decompress to {1}",
     .data    = "block size",
     .why     = "No method can make bytes out of none, so the game fails where it reads "
                "the block.",
     .fix     = "Players: get the file again. Authors: pack it again if it still fails.",
     .spec    = SPEC(5))
{
	report(c, AT(c, utoc_block, &b->block, compressed), DEC(b->number),
	       SIZE(b->block.uncompressed));
}

DEFECT_RULE(BLK006, raw_size_mismatch, ERROR, UTOC_BLOCK_ROWS, b, BLOCK_RAW_SHORT | BLOCK_RAW_LONG,
     .class   = CLASS_SECURITY, .explains = BIT(UTOC_CONTENT),
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "it stores more than it has",
     .title   = "A block that is not compressed shall store as many bytes as it has.",
     .message = "block {0} is not compressed and stores {1}, expected {2}",
     .data    = "block stored size",
     .why     = "Readers copy more bytes than they read, and the end of the block is "
                "garbage.",
     .fix     = "Players: get the file again. Authors: pack it again if it still fails.",
     .spec    = SPEC(6))
{
	if (b->traits & BLOCK_RAW_SHORT)
		report(c, AT(c, utoc_block, &b->block, compressed), DEC(b->number),
		       SIZE(b->block.compressed), SIZE(b->block.uncompressed));
	else
		report_lesser(c, AT(c, utoc_block, &b->block, compressed), DEC(b->number),
			      SIZE(b->block.compressed), SIZE(b->block.uncompressed));
}

DEFECT_RULE(BLK007, nothing_saved, WARNING, UTOC_BLOCK_ROWS, b, BLOCK_NOTHING_SAVED,
     .class   = CLASS_RESOURCE,
     .title   = "A compressed block should be smaller than what it decompresses to.",
     .message = "block {0} is compressed, stores {1} and decompresses to {2}",
     .data    = "block stored size",
     .why     = "Packers store such blocks uncompressed. Compressed bytes that decompress "
                "to few or none can cost a decoder a lot of time.",
     .fix     = "Players: nothing, if the game loads it. Authors: pack it again with the "
                "packer of the game's engine.",
     .spec    = SPEC(7))
{
	report(c, AT(c, utoc_block, &b->block, compressed), DEC(b->number),
	       SIZE(b->block.compressed), SIZE(b->block.uncompressed));
}

/* There are three severities by case, and a rule has two: a compressed block is a NOTE, as an
 * uncompressed one is. */
DEFECT_RULE(BLK010, block_unaligned, ERROR, UTOC_BLOCK_ROWS, b, BLOCK_UNALIGNED,
     .class   = CLASS_CORRUPTION,
     .lesser  = SEVERITY_NOTE,
     .lesser_when = "the container is not encrypted: some packers do not align, and their files "
                    "load",
     .title   = "A block's offset shall be a multiple of 16 in an encrypted container, and should "
                "be in any.",
     .message = "block {0} is at {1}, not at a multiple of 16",
     .data    = "block offset",
     .why     = "The cipher takes 16 bytes at a time, from the block's start, so an "
                "encrypted block cannot be read.",
     .fix     = "Players: get the file again. Authors: pack it again with a packer that "
                "aligns blocks.",
     .spec    = SPEC(10))
{
	if (toc_of(c)->encrypted)
		report(c, AT(c, utoc_block, &b->block, offset), DEC(b->number),
		       HEX(b->block.offset));
	else
		report_lesser(c, AT(c, utoc_block, &b->block, offset), DEC(b->number),
			      HEX(b->block.offset));
}

DEFECT_RULE(BLK021, small_block_compressed, NOTE, UTOC_BLOCK_ROWS, b, BLOCK_SMALL,
     .class   = CLASS_COMPATIBILITY, .versions = UNTIL(6),
     .title   = "A block of at most 1024 bytes should not be compressed.",
     .message = "block {0} is compressed, and decompresses to {1}; engines compress no "
                "block of at most 1024",
     .data    = "block size",
     .why     = "It loads all the same. Engines of these versions never compress such a "
                "block, so another tool made the file.",
     .fix     = "Players and authors: nothing needs to be done.",
     .spec    = SPEC(21))
{
	report(c, AT(c, utoc_block, &b->block, method), DEC(b->number),
	       SIZE(b->block.uncompressed));
}

/* ---- Blocks of a chunk ----------------------------------------------------------------------- */

static struct place size_of_odd_block(const struct check *c, const struct toc_chunk *k)
{
	return AT_SPAN(toc_of(c)->sections[SECTION_BLOCKS].at.at +
			       k->odd_block * utoc_block_fixed_len + 8,
		       3);
}

DEFECT_RULE(BLK003, block_partial, ERROR, UTOC_CHUNK_ROWS, k, CHUNK_PARTIAL_BLOCK,
     .class   = CLASS_SECURITY, .explains = BIT(UTOC_CONTENT),
     .title   = "Every block of a chunk but its last shall decompress to exactly the "
                "block size.",
     .message = "block {0} of chunk {1} decompresses to {2}, the block size is {3}",
     .data    = "block chunk size block_size",
     .why     = "The engine subtracts the block size from what is left: the number wraps "
                "around, and it reads past its buffers.",
     .fix     = "Players: get the file again. Authors: pack it again if it still fails.",
     .spec    = SPEC(3))
{
	report(c, size_of_odd_block(c, k), DEC(k->odd_block), DEC(k->number), SIZE(k->odd_gives),
	       SIZE(toc_of(c)->block_size));
}

DEFECT_RULE(BLK004, last_block_size_mismatch, ERROR, UTOC_CHUNK_ROWS, k,
     CHUNK_LAST_SHORT | CHUNK_LAST_LONG,
     .class   = CLASS_SECURITY, .explains = BIT(UTOC_CONTENT),
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "it decompresses to more: some packers pad the container header",
     .title   = "The last block of a chunk shall decompress to the bytes that are left of "
                "the chunk.",
     .message = "block {0}, the last of chunk {1}, decompresses to {2}, the rest of the chunk has "
                "{3}",
     .data    = "block chunk size left",
     .why     = "Readers copy the bytes that are left, whatever the block has: the end of "
                "the chunk is garbage.",
     .fix     = "Players: get the file again. Authors: pack it again if it still fails.",
     .spec    = SPEC(4))
{
	uint64_t left;

	left = k->range.length - (k->n_blocks - 1) * toc_of(c)->block_size;
	if (k->traits & CHUNK_LAST_SHORT)
		report(c, size_of_odd_block(c, k), DEC(k->odd_block), DEC(k->number),
		       SIZE(k->odd_gives), SIZE(left));
	else
		report_lesser(c, size_of_odd_block(c, k), DEC(k->odd_block), DEC(k->number),
			      SIZE(k->odd_gives), SIZE(left));
}

DEFECT_RULE(BLK020, code_compressed, WARNING, UTOC_CHUNK_ROWS, k, CHUNK_COMPRESSED_CODE,
     .class   = CLASS_COMPATIBILITY,
     .title   = "Script objects and shaders should not be compressed.",
     .message = "chunk {0}, {1}, has a compressed block, expected none",
     .data    = "chunk type",
     .why     = "No engine compresses them: it reads them in one piece, as they are "
                "stored, and gets garbage.",
     .fix     = "Players: get the mod again. Authors: pack it again with the packer of "
                "the game's engine.",
     .spec    = SPEC(20))
{
	report(c, AT_SPAN(k->id.at, utoc_chunk_id_fixed_len), DEC(k->number),
	       WORD(chunk_type_name(k->type)));
}

/* ---- Methods --------------------------------------------------------------------------------- */

DEFECT_RULE(BLK025, method_unterminated, ERROR, UTOC_METHOD_ROWS, m, METHOD_UNTERMINATED,
     .class   = CLASS_SECURITY,
     .title   = "A method's name shall end in a NUL.",
     .message = "method {0} has no NUL in the {1} of its name",
     .data    = "method size",
     .why     = "The engine reads on until it finds a NUL, and may crash.",
     .fix     = "Players: get the file again. Authors: pack it again with the packer of "
                "the game's engine.",
     .spec    = SPEC(25))
{
	report(c, AT_SPAN(m->at.at, m->at.len), DEC(m->number), SIZE(m->at.len));
}

DEFECT_RULE(BLK026, method_name_invalid, WARNING, UTOC_METHOD_ROWS, m,
     METHOD_EMPTY | METHOD_SAYS_NONE | METHOD_REPEATED,
     .class   = CLASS_HYGIENE,
     .title   = "A method's name should be neither empty, nor None, nor the same as one before.",
     .message = "method {0}, {1}, {2}",
     .data    = "method name defect",
     .why     = "Tools that look up methods by name take another one, or find none, and "
                "cannot unpack the file.",
     .fix     = "Players: nothing, if the game loads it. Authors: pack it again with the "
                "packer of the game's engine.",
     .spec    = SPEC(26))
{
	if (m->traits & (METHOD_EMPTY | METHOD_SAYS_NONE))
		report(c, AT_SPAN(m->at.at, m->at.len), DEC(m->number), TEXT(m->name),
		       WORD("names none"));
	else
		report(c, AT_SPAN(m->at.at, m->at.len), DEC(m->number), TEXT(m->name),
		       WORD("is named before"));
}

DEFECT_RULE(BLK027, method_unknown, ERROR, UTOC_METHOD_ROWS, m, METHOD_NOT_KNOWN,
     .class   = CLASS_COMPATIBILITY, .explains = BIT(UTOC_CONTENT),
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "no block uses it",
     .title   = "A method shall be Zlib, Gzip, LZ4, Oodle or Zstd.",
     .message = "method {0} is {1}, expected Zlib, Gzip, LZ4, Oodle or Zstd",
     .data    = "method name",
     .why     = "The engine has no codec of that name and cannot read the blocks.",
     .fix     = "Players: get the file again. Authors: pack it again with a method that "
                "the game's engine knows.",
     .spec    = SPEC(27))
{
	if (m->traits & METHOD_UNUSED)
		report_lesser(c, AT_SPAN(m->at.at, m->at.len), DEC(m->number), TEXT(m->name));
	else
		report(c, AT_SPAN(m->at.at, m->at.len), DEC(m->number), TEXT(m->name));
}

DEFECT_RULE(BLK028, method_name_malformed, NOTE, UTOC_METHOD_ROWS, m, METHOD_DIRTY,
     .class   = CLASS_HYGIENE,
     .title   = "A method's name should be ASCII, and have only zeros after its NUL.",
     .message = "method {0}, {1}, has stray bytes in its {2}",
     .data    = "method name size",
     .why     = "It does no harm: some packers leave in the name what was in memory "
                "before.",
     .fix     = "Players and authors: nothing needs to be done.",
     .spec    = SPEC(28))
{
	report(c, AT_SPAN(m->at.at, m->at.len), DEC(m->number), TEXT(m->name), SIZE(m->at.len));
}

DEFECT_RULE(BLK029, method_not_portable, NOTE, UTOC_METHOD_ROWS, m, METHOD_NOT_PORTABLE,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A method should be one that every reader has.",
     .message = "method {0} is {1}, for which some readers have no codec",
     .data    = "method name",
     .why     = "Some tools cannot decompress Gzip, LZ4 or Zlib, and the engine itself "
                "needs a plugin for Zstd.",
     .fix     = "Players: nothing, if the game loads it. Authors: nothing, if the game's "
                "own containers use the method; else pack it with Oodle or Zlib.",
     .spec    = SPEC(29))
{
	if (!(m->traits & METHOD_UNUSED))
		report(c, AT_SPAN(m->at.at, m->at.len), DEC(m->number), TEXT(m->name));
}
