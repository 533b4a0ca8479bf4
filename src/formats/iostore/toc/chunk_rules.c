/* The rules of the family TOC: chunk ids, and which blocks chunks have. */
#include "formats/iostore/facts_rules.h"

#define SPEC(n) "iostore.md#3." #n

static struct arg type_arg(const struct toc_chunk *k)
{
	return WORD(chunk_type_name(k->type));
}

/* ---- Ids ------------------------------------------------------------------------------------- */

EACH(TOC001, chunk_repeated, ERROR, UTOC_CHUNK_PAIR_ROWS, p,
     .class   = CLASS_CORRUPTION,
     .title   = "No two chunks shall have the same id.",
     .message = "the id {2} is that of both chunk {0} and chunk {1}",
     .data    = "before chunk id",
     .why     = "Readers disagree on which of the two counts, and some refuse the file: "
                "the player may see the one or the other.",
     .fix     = "Players: get the file again. Authors: pack it again with each file once.",
     .spec    = SPEC(1))
{
	const struct toc *t = toc_of(c);
	const uint64_t at = t->sections[SECTION_IDS].at.at;

	report(c,
	       AT_SPAN(at + p->chunk * (uint64_t)utoc_chunk_id_fixed_len, utoc_chunk_id_fixed_len),
	       DEC(p->before), DEC(p->chunk), chunk_id(t, p->chunk));
	relate(c,
	       AT_SPAN(at + p->before * (uint64_t)utoc_chunk_id_fixed_len, utoc_chunk_id_fixed_len),
	       "the other");
}

DEFECT_RULE(TOC002, chunk_id_null, WARNING, UTOC_CHUNK_ROWS, k, CHUNK_NULL_ID,
     .class   = CLASS_CORRUPTION,
     .title   = "A chunk's id should not be 0.",
     .message = "the id of chunk {0} is all zeros",
     .data    = "chunk",
     .why     = "This id stands for no chunk, so the game can never ask for it.",
     .fix     = "Players: nothing, if the game loads it. Authors: pack it again.",
     .spec    = SPEC(2))
{
	report(c, AT_SPAN(k->id.at, utoc_chunk_id_fixed_len), DEC(k->number));
}

DEFECT_RULE(TOC003, chunk_type_unknown, WARNING, UTOC_CHUNK_ROWS, k, CHUNK_TYPE_UNKNOWN,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A chunk's type should be one that the engine of its version has.",
     .message = "chunk {0} has the type {1}, which the engine of its version does not "
                "have",
     .data    = "chunk type",
     .why     = "The game does not ask for it, and some tools refuse the file.",
     .fix     = "Players: get the mod in a version for this game. Authors: pack it again "
                "with the packer of the game's engine.",
     .spec    = SPEC(3))
{
	report(c, AT(c, utoc_chunk_id, &k->id, type), DEC(k->number), DEC(k->id.type));
}

DEFECT_RULE(TOC004, chunk_type_invalid, WARNING, UTOC_CHUNK_ROWS, k, CHUNK_TYPE_INVALID,
     .class   = CLASS_CORRUPTION,
     .title   = "A chunk's type should not be 0.",
     .message = "chunk {0} with the id {1} has the type 0, Invalid",
     .data    = "chunk id",
     .why     = "The game can never ask for the chunk.",
     .fix     = "Players: nothing, if the game loads it. Authors: pack it again.",
     .spec    = SPEC(4))
{
	report(c, AT(c, utoc_chunk_id, &k->id, type), DEC(k->number),
	       chunk_id(toc_of(c), k->number));
}

DEFECT_RULE(TOC005, chunk_id_pad, WARNING, UTOC_CHUNK_ROWS, k, CHUNK_PAD,
     .class   = CLASS_HYGIENE,
     .title   = "Byte 10 of a chunk's id should be 0 unless the id is a hash.",
     .message = "chunk {0} of type {1} has {2} in the byte before its type, expected 0",
     .data    = "chunk type pad",
     .why     = "The engine compares all 12 bytes of an id: it asks for one with 0 there "
                "and does not find the chunk.",
     .fix     = "Players: get the mod again. Authors: pack it again with the packer of "
                "the game's engine.",
     .spec    = SPEC(5))
{
	report(c, AT(c, utoc_chunk_id, &k->id, pad), DEC(k->number), type_arg(k), HEX(k->id.pad));
}

DEFECT_RULE(TOC006, chunk_index_unexpected, NOTE, UTOC_CHUNK_ROWS, k, CHUNK_ODD_INDEX,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A package's chunk should have the index 0, or 1 in an optional segment.",
     .message = "chunk {0}, a package, has the index {1}, expected 0 or in an optional "
                "segment 1",
     .data    = "chunk index",
     .why     = "Only later engines ask for other indexes, so the game may not find the "
                "package.",
     .fix     = "Players: nothing, if the game loads it. Authors: nothing, if the game's "
                "own containers have such chunks.",
     .spec    = SPEC(6))
{
	report(c, AT(c, utoc_chunk_id, &k->id, index), DEC(k->number), DEC(k->id.index));
}

DEFECT_RULE(TOC007, chunk_index_swapped, WARNING, UTOC_CHUNK_ROWS, k, CHUNK_SWAPPED_INDEX,
     .class   = CLASS_CORRUPTION, .versions = SINCE(5),
     .title   = "A chunk's index should be stored with its higher byte first.",
     .message = "chunk {0} has the index {1}, which is small only with its bytes swapped",
     .data    = "chunk index",
     .why     = "The engine asks for another id and does not find the chunk.",
     .fix     = "Players: get the mod again. Authors: pack it again with a packer for "
                "Unreal Engine 5.",
     .spec    = SPEC(7))
{
	report(c, AT(c, utoc_chunk_id, &k->id, index), DEC(k->number), DEC(k->id.index));
}

RULE(TOC008, types_of_other_engine, ERROR, UTOC_CHUNKS,
     .class   = CLASS_COMPATIBILITY, .sign = SIGN_PACKER, .packers = PACKER_REZ | PACKER_UEC,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "the version is below 5: Unreal Engine 5 reads such a file too, and by its own "
                    "types",
     .title   = "The container header shall have the chunk type that is its type in this "
                "version.",
     .message = "version {0} has {1}a chunk with the container's id and the other engine's type of "
                "a container header",
     .data    = "version header",
     .why     = "The chunk types are those of the other engine, 4 or 5: the game does not "
                "find the container header, and registers no package.",
     .fix     = "Players: get the mod in a version for this game. Authors: pack it again "
                "with the packer of the game's engine.",
     .spec    = SPEC(8))
{
	const struct toc *t = toc_of(c);

	const bool has_one = t->n_of_type[CHUNK_CONTAINER_HEADER] > 0;

	if (t->n_wrong_headers > 0 && (!has_one || t->version < TOC_OVERFLOW))
		report_as(c, t->version < TOC_OVERFLOW, AT(c, utoc_header, &t->header, version),
			  DEC(t->version),
			  either(has_one, "a container header, and beside it ",
				 "no container header, but "));
}

RULE(TOC009, container_header_missing, WARNING, UTOC_CHUNKS,
     .class   = CLASS_COMPATIBILITY, .lesser = SEVERITY_NOTE,
     .lesser_when = "the file's name ends in _P: engines write patches without one",
     .title   = "A container should have a container header.",
     .message = "there is no container header among {0} {0:chunk|chunks}",
     .data    = "chunks",
     .why     = "The engine registers none of its packages: the container can only "
                "replace chunks that the game has.",
     .fix     = "Players: nothing, if the mod works. Authors: pack it again with a "
                "container header, if the mod has new packages.",
     .spec    = SPEC(9))
{
	const struct toc *t = toc_of(c);

	if (t->n_of_type[CHUNK_CONTAINER_HEADER] > 0 || t->n_wrong_headers > 0 || t->name.is_global)
		return;
	if (t->name.is_patch)
		report_lesser(c, AT(c, utoc_header, &t->header, n_chunks), DEC(t->n_chunks));
	else
		report(c, AT(c, utoc_header, &t->header, n_chunks), DEC(t->n_chunks));
}

RULE(TOC010, container_headers_several, WARNING, UTOC_CHUNKS,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A container should have one container header.",
     .message = "the container has {0} container {0:header|headers}",
     .data    = "chunks",
     .why     = "The engine takes the one with the container's id, some tools take the "
                "first, and others refuse the file.",
     .fix     = "Players: get the mod again. Authors: pack it again with one container "
                "header.",
     .spec    = SPEC(10))
{
	const struct toc *t = toc_of(c);
	const struct span ids = t->sections[SECTION_IDS].at;

	if (t->n_of_type[CHUNK_CONTAINER_HEADER] > 1)
		report(c, AT_SPAN(ids.at, ids.len), DEC(t->n_of_type[CHUNK_CONTAINER_HEADER]));
}

RULE(TOC013, container_header_of_other, ERROR, UTOC_CHUNKS,
     .class   = CLASS_CORRUPTION,
     .title   = "The container header's id shall be the container's, with the index 0 and a byte "
                "of 0 before the type.",
     .message = "chunk {0}, the container header, has the id {1}, the index {3} and the byte {4}; "
                "an engine looks for {2}, 0 and 0",
     .data    = "chunk id container index byte",
     .why     = "The engine looks up the container header by the container's id and does "
                "not find it, so it registers no package of the mod.",
     .fix     = "Players: get the mod again. Authors: pack it again; an id that was "
                "changed has to be changed in the table and in the chunk.",
     .spec    = SPEC(13))
{
	const struct toc *t = toc_of(c);
	struct toc_chunk k;
	struct place at;

	if (t->header_chunk == TOC_NONE || toc_has_own_id(t, t->header_chunk))
		return;
	toc_chunk_at(t, t->header_chunk, &k);
	if (k.id.id != t->header.container_id)
		at = AT(c, utoc_chunk_id, &k.id, id);
	else
		at = k.id.index != 0 ? AT(c, utoc_chunk_id, &k.id, index)
				     : AT(c, utoc_chunk_id, &k.id, pad);
	report(c, at, DEC(k.number), HEX(k.id.id), HEX(t->header.container_id), DEC(k.id.index),
	       DEC(k.id.pad));
}

DEFECT_RULE(TOC022, bulk_without_package, NOTE, UTOC_CHUNK_ROWS, k, CHUNK_BULK_ALONE,
     .class   = CLASS_HYGIENE,
     .title   = "Bulk data should be in the container of its package.",
     .message = "chunk {0} is {1} of the package {2}, which is not in this container",
     .data    = "chunk type package",
     .why     = "It replaces bulk data of a package in another container; where there is "
                "no such package it is of no use.",
     .fix     = "Players: nothing, if the mod works. Authors: nothing, if that is what "
                "the mod is for; else pack the package too.",
     .spec    = SPEC(22))
{
	report(c, AT_SPAN(k->id.at, utoc_chunk_id_fixed_len), DEC(k->number), type_arg(k),
	       HEX(k->id.id));
}

DEFECT_RULE(TOC023, chunk_of_global, WARNING, UTOC_CHUNK_ROWS, k, CHUNK_TYPE_GLOBAL,
     .class   = CLASS_COMPATIBILITY,
     .title   = "Loader and script data should be in the global container only.",
     .message = "chunk {0} has the type {1}, which belongs in the global container",
     .data    = "chunk type",
     .why     = "The engine reads such chunks from the global container, before any mod, "
                "and never from here.",
     .fix     = "Players: nothing, if the mod works. Authors: leave the chunk out.",
     .spec    = SPEC(23))
{
	report(c, AT(c, utoc_chunk_id, &k->id, type), DEC(k->number), type_arg(k));
}

DEFECT_RULE(TOC024, chunk_of_editor, WARNING, UTOC_CHUNK_ROWS, k, CHUNK_TYPE_EDITOR,
     .class   = CLASS_COMPATIBILITY, .versions = SINCE(5),
     .title   = "A container for a game should hold no editor's data.",
     .message = "chunk {0} has the type {1}, which only editors use",
     .data    = "chunk type",
     .why     = "A game never asks for it: it only makes the download larger.",
     .fix     = "Players: nothing needs to be done. Authors: cook for the game, and leave "
                "the chunk out.",
     .spec    = SPEC(24))
{
	report(c, AT(c, utoc_chunk_id, &k->id, type), DEC(k->number), DEC(k->id.type));
}

/* ---- Ranges ---------------------------------------------------------------------------------- */

DEFECT_RULE(TOC011, chunk_outside_blocks, ERROR, UTOC_CHUNK_ROWS, k, CHUNK_OUTSIDE,
     .class   = CLASS_SECURITY, .explains = BIT(UTOC_CONTENT),
     .title   = "A chunk's range shall be within the blocks that there are.",
     .message = "chunk {0} needs blocks {1} to {2}, which is out of range: the count of "
                "blocks is {3}",
     .data    = "chunk first last blocks",
     .why     = "Unreal Engine 4.26 rejects the container; later engines read past the "
                "table of blocks, and may crash.",
     .fix     = "Players: get the file again. Authors: pack it again if it still fails.",
     .spec    = SPEC(11))
{
	const struct toc *t = toc_of(c);

	if (t->n_blocks > 0)
		report(c, AT(c, utoc_range, &k->range, offset), DEC(k->number), DEC(k->first_block),
		       DEC(k->first_block + k->n_blocks - 1), DEC(t->n_blocks));
}

DEFECT_RULE(TOC026, empty_chunk_out_of_range, ERROR, UTOC_CHUNK_ROWS, k, CHUNK_EMPTY_OUTSIDE,
     .class   = CLASS_COMPATIBILITY, .versions = BETWEEN(2, 2),
     .title   = "The offset of a chunk without bytes shall be no more than where the "
                "blocks end.",
     .message = "chunk {0} has no bytes, and the offset {1} is out of range: the blocks "
                "end at {2}",
     .data    = "chunk offset end",
     .why     = "Unreal Engine 4.26 checks the place of every chunk, and does not mount "
                "the container.",
     .fix     = "Players: get the mod again. Authors: pack it again without the empty "
                "file.",
     .spec    = SPEC(26))
{
	const struct toc *t = toc_of(c);

	report(c, AT(c, utoc_range, &k->range, offset), DEC(k->number), HEX(k->range.offset),
	       HEX(t->n_blocks * t->block_size));
}

DEFECT_RULE(TOC012, chunk_misaligned, ERROR, UTOC_CHUNK_ROWS, k, CHUNK_MISALIGNED,
     .class   = CLASS_CORRUPTION, .explains = BIT(UTOC_CONTENT),
     .title   = "A chunk's offset shall be a multiple of the block size.",
     .message = "chunk {0} begins at {1}, not at a multiple of {2}",
     .data    = "chunk offset block_size",
     .why     = "Some readers take its bytes from within a block, others from the block's "
                "start: they disagree on what it holds.",
     .fix     = "Players: get the file again. Authors: pack it again with the packer of "
                "the game's engine.",
     .spec    = SPEC(12))
{
	report(c, AT(c, utoc_range, &k->range, offset), DEC(k->number), HEX(k->range.offset),
	       SIZE(toc_of(c)->block_size));
}

DEFECT_RULE(TOC014, chunks_overlap, WARNING, UTOC_CHUNK_ROWS, k, CHUNK_OVERLAPS,
     .class   = CLASS_CORRUPTION,
     .title   = "No two chunks should claim the same block.",
     .message = "chunk {0} claims blocks {1} to {2}, and an earlier chunk claims some of "
                "them",
     .data    = "chunk first last",
     .why     = "No packer makes such files; a small file can claim to decompress to any "
                "size, and fill the disk of whoever unpacks it.",
     .fix     = "Players: get the mod again, and do not unpack it until you trust it. "
                "Authors: pack it again.",
     .spec    = SPEC(14))
{
	report(c, AT(c, utoc_range, &k->range, offset), DEC(k->number), DEC(k->first_block),
	       DEC(k->first_block + k->n_blocks - 1));
}

DEFECT_RULE(TOC015, chunk_past_space, ERROR, UTOC_CHUNK_ROWS, k, CHUNK_PAST_SPACE,
     .class   = CLASS_SECURITY,
     .title   = "A chunk shall end before byte 2^40.",
     .message = "chunk {0} begins at {1} and has {2}: its end is out of range, which is "
                "2^40",
     .data    = "chunk offset length",
     .why     = "Offsets have 40 bits: the sum wraps around, and readers take other bytes "
                "for the chunk.",
     .fix     = "Players: get the file again. Authors: pack it again.",
     .spec    = SPEC(15))
{
	report(c, AT(c, utoc_range, &k->range, offset), DEC(k->number), HEX(k->range.offset),
	       SIZE(k->range.length));
}

DEFECT_RULE(TOC016, chunk_empty, ERROR, UTOC_CHUNK_ROWS, k, CHUNK_EMPTY,
     .class   = CLASS_COMPATIBILITY, .explains = BIT(CONTAINER_BYTES),
     .lesser  = SEVERITY_NOTE,
     .lesser_when = "it is not the container header",
     .title   = "The container header shall have bytes, and any other chunk should.",
     .message = "chunk {0} of type {1} is empty",
     .data    = "chunk type",
     .why     = "An empty container header registers no package of the mod. Some tools "
                "fail on any empty chunk, mostly at offset 0.",
     .fix     = "Players: get the mod again, if it does not work. Authors: nothing, if "
                "the file that was packed is empty; else pack it again.",
     .spec    = SPEC(16))
{
	if (k->type == CHUNK_CONTAINER_HEADER)
		report(c, AT(c, utoc_range, &k->range, length), DEC(k->number), type_arg(k));
	else
		report_lesser(c, AT(c, utoc_range, &k->range, length), DEC(k->number), type_arg(k));
}

RULE(TOC017, blocks_unclaimed, NOTE, UTOC_CHUNKS,
     .class   = CLASS_HYGIENE,
     .title   = "Every block should belong to a chunk.",
     .message = "block {2} belongs to no chunk; {0} of {1} in all",
     .data    = "unclaimed blocks first",
     .why     = "Their bytes are of no use, and only make the download larger.",
     .fix     = "Players and authors: nothing needs to be done; one packer adds empty "
                "blocks.",
     .spec    = SPEC(17))
{
	const struct toc *t = toc_of(c);

	if (t->n_unowned > 0)
		report(c,
		       AT_SPAN(t->sections[SECTION_BLOCKS].at.at +
				       t->first_unowned * utoc_block_fixed_len,
			       utoc_block_fixed_len),
		       DEC(t->n_unowned), DEC(t->n_blocks), DEC(t->first_unowned));
}

DEFECT_RULE(TOC018, chunk_longer_than_blocks, ERROR, UTOC_CHUNK_ROWS, k, CHUNK_BLOCKS_SHORT,
     .class   = CLASS_SECURITY, .explains = BIT(UTOC_CONTENT),
     .title   = "A chunk's blocks shall decompress to as many bytes as the chunk has.",
     .message = "chunk {0} has {1}, but its {2} {2:block decompresses|blocks decompress} "
                "to {3}",
     .data    = "chunk length blocks given",
     .why     = "The rest of the chunk is whatever was in memory before, so the game "
                "reads garbage.",
     .fix     = "Players: get the file again. Authors: pack it again if it still fails.",
     .spec    = SPEC(18))
{
	report(c, AT(c, utoc_range, &k->range, length), DEC(k->number), SIZE(k->range.length),
	       DEC(k->n_blocks), SIZE(k->given));
}

DEFECT_RULE(TOC019, chunk_too_long, ERROR, UTOC_CHUNK_ROWS, k, CHUNK_TOO_LONG,
     .class   = CLASS_SECURITY,
     .title   = "Packages and container headers shall be shorter than 2^31 bytes.",
     .message = "chunk {0} of type {1} has {2}, but should have fewer than 2^31",
     .data    = "chunk type length",
     .why     = "The engine keeps the length in a signed number of 32 bits, which becomes "
                "negative.",
     .fix     = "Players: get the file again. Authors: pack it again, and split an asset "
                "that is so large.",
     .spec    = SPEC(19))
{
	report(c, AT(c, utoc_range, &k->range, length), DEC(k->number), type_arg(k),
	       SIZE(k->range.length));
}
