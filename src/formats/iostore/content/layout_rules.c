/* The rules of the family BLK for the layout: where blocks lie in their .ucas. */
#include <string.h>

#include "core/mutant.h"
#include "formats/iostore/facts_rules.h"
#include "formats/iostore/content/parts.h"

#define SPEC(n) "iostore.md#4." #n

static struct place record_of(const struct toc *t, uint64_t block)
{
	return AT_SPAN(toc_block(t, block).at, utoc_block_fixed_len);
}

static const struct companion *file_of(const struct utoc *u, uint64_t partition)
{
	return u->content.partitions[partition].file;
}

static struct arg label_of(const struct utoc *u, uint64_t chunk, char buf[LABEL_MAX])
{
	const char *label = content_label(u, chunk, buf);

	return UTF8(label, strlen(label));
}

/* ---- Within the files ------------------------------------------------------------------------ */

/* An empty .ucas has a rule of its own. */
static bool is_empty_first(const struct utoc *u, uint64_t partition)
{
	return partition == 0 && u->content.partitions[0].size == 0;
}

static void report_partition(struct check *c, const struct chunk_layout_row *r)
{
	const struct utoc *u = utoc_of(c);
	const struct partition *p = &u->content.partitions[r->partition];

	report(c, AT_IN(p->file->number, p->size, 0), WORD("the container"), SIZE(p->end - p->size),
	       DEC(r->n_cut), file_name(p->file->name), HEX(p->size));
}

DEFECT_RULE(BLK008, ucas_truncated, ERROR, UTOC_CHUNK_LAYOUT_ROWS, r, CHUNK_LAYOUT_CUT,
     .class   = CLASS_CORRUPTION, .also = BIT(UTOC_PARTITIONS), .explains = BIT(UTOC_CONTENT),
     .title   = "The bytes of every block shall be in the .ucas.",
     .message = "{0} lacks {1} in {2} {2:block|blocks}: {3} ends at {4}",
     .data    = "what missing blocks file end",
     .why     = "The game fails where it reads the missing bytes. Most often the .ucas "
                "was truncated, or belongs to another .utoc.",
     .fix     = "Players: get the .utoc and the .ucas again, from the same download. "
                "Authors: publish the two files that one run of the packer made.",
     .spec    = SPEC(8))
{
	const struct utoc *u = utoc_of(c);
	char buf[LABEL_MAX];

	if (is_empty_first(u, r->partition))
		return;
	if (r->chunk == UINT64_MAX)
		report_partition(c, r);
	else
		report(c, record_of(&u->toc, r->block), label_of(u, r->chunk, buf), SIZE(r->lacks),
		       DEC(r->n_cut), file_name(file_of(u, r->partition)->name),
		       HEX(u->content.partitions[r->partition].size));
}

RULE(BLK032, ucas_empty, ERROR, UTOC_RANGES,
     .class   = CLASS_CORRUPTION, .also = BIT(UTOC_PARTITIONS), .explains = BIT(UTOC_CONTENT),
     .title   = "A .ucas shall have bytes where blocks store some.",
     .message = "{0} is empty, the blocks end at byte {1}",
     .data    = "file end",
     .why     = "The game fails wherever it reads a chunk. Most often the download of the "
                ".ucas never began.",
     .fix     = "Players: get the .ucas again. Authors: publish the .ucas that the packer "
                "made.",
     .spec    = SPEC(32))
{
	const struct utoc *u = utoc_of(c);

	if (u->content.n_partitions > 0 && u->content.partitions[0].size == 0 &&
	    u->content.stored > 0)
		report(c, AT_IN(file_of(u, 0)->number, 0, 0), file_name(file_of(u, 0)->name),
		       DEC(u->toc.end_of_blocks));
}

/* The container header's blocks, as far as the table has them. */
static bool header_blocks(const struct utoc *u, uint64_t *first, uint64_t *end)
{
	const struct toc *t = &u->toc;

	if (t->header_chunk == TOC_NONE || !toc_has_blocks(t, t->header_chunk))
		return false;
	*first = toc_first_block(t, t->header_chunk);
	*end = *first + toc_block_count(t, t->header_chunk);
	return *end > *first;
}

/* Blocks that are truncated themselves have a rule of their own. */
static bool has_cut_block(const struct utoc *u, uint64_t first, uint64_t end)
{
	return u->content.cut_before && u->content.cut_before[end] > u->content.cut_before[first];
}

/* The single read by which engines load the container header, of `end - first` blocks. */
struct header_read {
	uint64_t first, end, partition, at, len;
};

/* Tells whether that read goes past the end of the file. */
static bool header_is_cut(const struct utoc *u, struct header_read *r)
{
	if (u->toc.version < TOC_OVERFLOW || !header_blocks(u, &r->first, &r->end) ||
	    has_cut_block(u, r->first, r->end))
		return false;
	r->partition = content_partition(&u->toc, toc_block(&u->toc, r->first).offset, &r->at);
	r->len = toc_stored(toc_length(&u->toc, u->toc.header_chunk));
	r->at -= 16 * (uint64_t)MUTANT(128); /* mutant: 16 bytes may be missing */
	return r->partition < u->content.n_partitions &&
	       r->at + r->len > u->content.partitions[r->partition].size;
}

/* If the layout of the container header's blocks truncates its single read, that is reported
 * instead. */
static bool is_told_of_header(const struct utoc *u, uint64_t block)
{
	struct header_read r;

	return header_is_cut(u, &r) && block >= r.first && block < r.end;
}

DEFECT_RULE(BLK009, padding_truncated, ERROR, UTOC_BLOCK_LAYOUT_ROWS, b, BLOCK_LAYOUT_PAD_CUT,
     .class   = CLASS_CORRUPTION, .also = BIT(UTOC_PARTITIONS), .explains = BIT(UTOC_CONTENT),
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "the container is neither encrypted nor signed",
     .title   = "A .ucas should reach to the multiple of 16 after each block, and shall "
                "if it is encrypted or signed.",
     .message = "block {0} needs {1} with its padding, {2} ends after {3} of them",
     .data    = "block stored file left",
     .why     = "Readers read blocks up to a multiple of 16. Without the padding they "
                "fail on encrypted or signed blocks, and some tools on all.",
     .fix     = "Players: get the .ucas again. Authors: pack it again if it still fails.",
     .spec    = SPEC(9))
{
	const struct utoc *u = utoc_of(c);
	const struct place place = record_of(&u->toc, b->number);
	const uint64_t stored = toc_stored(b->block.compressed);

	if (is_told_of_header(u, b->number))
		return;
	if (u->toc.encrypted || u->toc.is_signed)
		report(c, place, DEC(b->number), SIZE(stored),
		       file_name(file_of(u, b->partition)->name),
		       SIZE(u->content.partitions[b->partition].size - b->at));
	else
		report_lesser(c, place, DEC(b->number), SIZE(stored),
			      file_name(file_of(u, b->partition)->name),
			      SIZE(u->content.partitions[b->partition].size - b->at));
}

DEFECT_RULE(BLK011, partition_outside, ERROR, UTOC_BLOCK_LAYOUT_ROWS, b, BLOCK_LAYOUT_NO_PARTITION,
     .class   = CLASS_SECURITY, .versions = SINCE(3), .explains = BIT(UTOC_CONTENT),
     .title   = "A block shall be in a partition that there is.",
     .message = "block {0} at {1} is in partition {2}, which is out of range: the count "
                "of partitions is {3}",
     .data    = "block offset partition partitions",
     .why     = "The engine takes the number of the partition for an index without a "
                "check, and reads foreign memory.",
     .fix     = "Players: get the file again. Authors: pack it again if it still fails.",
     .spec    = SPEC(11))
{
	if (utoc_of(c)->toc.n_partitions > 0)
		report(c, AT(c, utoc_block, &b->block, offset), DEC(b->number),
		       HEX(b->block.offset), DEC(b->partition), DEC(utoc_of(c)->toc.n_partitions));
}

DEFECT_RULE(BLK012, block_crosses_partition, ERROR, UTOC_BLOCK_LAYOUT_ROWS, b, BLOCK_LAYOUT_CROSSES,
     .class   = CLASS_CORRUPTION, .versions = SINCE(3), .explains = BIT(UTOC_CONTENT),
     .title   = "A block shall end in the partition in which it begins.",
     .message = "block {0} stores {1} at {2}, which crosses the end of its partition of "
                "{3}",
     .data    = "block stored offset partition_size",
     .why     = "The engine reads past the end of the .ucas, or bytes that belong to no "
                "block.",
     .fix     = "Players: get the file again. Authors: pack it again.",
     .spec    = SPEC(12))
{
	report(c, AT(c, utoc_block, &b->block, compressed), DEC(b->number),
	       SIZE(b->block.compressed), HEX(b->at), SIZE(utoc_of(c)->toc.partition_size));
}

DEFECT_RULE(BLK016, block_past_space, ERROR, UTOC_BLOCK_LAYOUT_ROWS, b, BLOCK_LAYOUT_PAST_SPACE,
     .class   = CLASS_SECURITY, .explains = BIT(UTOC_CONTENT),
     .title   = "A block shall end before byte 2^40.",
     .message = "block {0} stores {1} at {2}: its end is out of range, which is 2^40",
     .data    = "block stored offset",
     .why     = "Offsets have 40 bits: sums of them wrap around, and readers take other "
                "bytes for the block.",
     .fix     = "Players: get the file again. Authors: pack it again if it still fails.",
     .spec    = SPEC(16))
{
	report(c, AT(c, utoc_block, &b->block, offset), DEC(b->number), SIZE(b->block.compressed),
	       HEX(b->block.offset));
}

DEFECT_RULE(BLK037, empty_block_out_of_range, ERROR, UTOC_BLOCK_LAYOUT_ROWS, b,
     BLOCK_LAYOUT_EMPTY_OUTSIDE,
     .class   = CLASS_COMPATIBILITY, .also = BIT(UTOC_PARTITIONS), .versions = BETWEEN(2, 2),
     .title   = "The offset of a block that stores nothing shall not be past the end of "
                "the .ucas.",
     .message = "block {0} stores nothing, and its offset {1} is out of range: {2} ends "
                "at {3}",
     .data    = "block offset file end",
     .why     = "Unreal Engine 4.26 checks the place of every block, and does not mount "
                "the container.",
     .fix     = "Players: get all files of the mod again. Authors: pack it again without "
                "the empty file.",
     .spec    = SPEC(37))
{
	const struct utoc *u = utoc_of(c);

	report(c, AT(c, utoc_block, &b->block, offset), DEC(b->number), HEX(b->block.offset),
	       file_name(file_of(u, 0)->name), HEX(u->content.partitions[0].size));
}

DEFECT_RULE(BLK013, chunk_in_two_partitions, ERROR, UTOC_CHUNK_LAYOUT_ROWS, r, CHUNK_LAYOUT_SPLIT,
     .class   = CLASS_CORRUPTION, .versions = SINCE(3),
     .title   = "All blocks of a chunk shall be in one partition.",
     .message = "the blocks of chunk {0}, {1}, are in several partitions",
     .data    = "chunk what",
     .why     = "Readers open the partition of the first block and read the others from "
                "it too, so they read other bytes.",
     .fix     = "Players: get the file again. Authors: pack it again with the packer of "
                "the game's engine.",
     .spec    = SPEC(13))
{
	const struct utoc *u = utoc_of(c);
	char buf[LABEL_MAX];

	report(c, record_of(&u->toc, toc_first_block(&u->toc, r->chunk)), DEC(r->chunk),
	       label_of(u, r->chunk, buf));
}

/* ---- Behind one another ---------------------------------------------------------------------- */

RULE(BLK014, blocks_overlap, WARNING, UTOC_RANGES,
     .class   = CLASS_HYGIENE,
     .title   = "The stored bytes of two blocks should not overlap, unless they are the same.",
     .message = "block {0} at {1} overlaps block {2}; {3} in all",
     .data    = "block offset other count",
     .why     = "No packer lets blocks overlap: the place of one of the two is damaged, "
                "and its chunk cannot be read.",
     .fix     = "Players: get the file again. Authors: pack it again if it still fails.",
     .spec    = SPEC(14))
{
	const struct utoc *u = utoc_of(c);
	const struct block_order *o = &u->content.order;

	if (o->n_overlaps == 0)
		return;
	report(c, record_of(&u->toc, o->overlap), DEC(o->overlap),
	       HEX(toc_block(&u->toc, o->overlap).offset), DEC(o->overlaps_with),
	       DEC(o->n_overlaps));
	relate(c, record_of(&u->toc, o->overlaps_with), "the other block");
}

RULE(BLK015, blocks_not_in_order, NOTE, UTOC_RANGES,
     .class   = CLASS_HYGIENE,
     .title   = "Blocks should be in the order of their records, at most 65536 bytes "
                "apart.",
     .message = "block {0} is {1} the one before it; {2} in all",
     .data    = "block where count",
     .why     = "It loads, but slower. Engines write blocks one after the other, and read "
                "them fastest so.",
     .fix     = "Players: nothing needs to be done. Authors: nothing, if you know the "
                "tool; else pack it with the packer of the game's engine.",
     .spec    = SPEC(15))
{
	const struct utoc *u = utoc_of(c);
	const struct block_order *o = &u->content.order;

	if (o->n_descending > 0)
		report(c, record_of(&u->toc, o->descending), DEC(o->descending), WORD("before"),
		       DEC(o->n_descending));
	if (o->n_gaps > 0)
		report(c, record_of(&u->toc, o->gap), DEC(o->gap),
		       WORD("more than 65536 bytes after"), DEC(o->n_gaps));
}

EACH(BLK031, bytes_without_block, NOTE, UTOC_PARTITION_ROWS, p,
     .class   = CLASS_HYGIENE, .sign = SIGN_TAIL, .also = BIT(UTOC_PARTITIONS) | BIT(UTOC_RANGES),
     .title   = "A .ucas should end with its last block.",
     .message = "{0} at {2} of {1} {0:belongs|belong} to no block",
     .data    = "length file offset",
     .why     = "Nothing reads them, and it is not known what they are.",
     .fix     = "Players: nothing, if the mod works. Authors: nothing, if you know the "
                "tool; else pack it again.",
     .spec    = SPEC(31))
{
	/* the first block may lie after the end of the file */
	const uint64_t before = p->first < p->size ? p->first : p->size;

	if (before > TOC_PADDING_MAX)
		report(c, AT_IN(p->file->number, 0, before), SIZE(before), file_name(p->file->name),
		       HEX(0));
	if (p->size > p->stored_end)
		report(c, AT_IN(p->file->number, p->stored_end, p->size - p->stored_end),
		       SIZE(p->size - p->stored_end), file_name(p->file->name), HEX(p->stored_end));
}

/* ---- Chunks that are read as they are -------------------------------------------------------- */

/* Reports the first compressed block of the container header. */
static void report_compressed(struct check *c)
{
	const struct utoc *u = utoc_of(c);
	uint64_t i, end;

	if (!header_blocks(u, &i, &end))
		return;
	while (i < end && toc_block(&u->toc, i).method == 0)
		i++;
	if (i < end)
		report(c, record_of(&u->toc, i), DEC(i), DEC(toc_block(&u->toc, i).method));
}

/* What engines of version 4 do with a compressed container header is not known. */
RULE(BLK017, header_compressed, ERROR, UTOC_RANGES,
     .class   = CLASS_COMPATIBILITY, .sign = SIGN_PACKER, .packers = PACKER_REZ | PACKER_UEC,
     .versions = SINCE(5),
     .title   = "The container header shall not be compressed.",
     .message = "block {0} of the container header is compressed, by method {1}",
     .data    = "block method",
     .why     = "The engine reads the container header as it is stored, before it can "
                "decompress anything, and ignores all packages of the mod.",
     .fix     = "Players: get the mod again. Authors: pack it again with a tool that does "
                "not compress this chunk.",
     .spec    = SPEC(17))
{
	report_compressed(c);
}

RULE(BLK038, header_compression_unexpected, NOTE, UTOC_RANGES,
     .class   = CLASS_HYGIENE, .sign = SIGN_PACKER, .packers = PACKER_REZ | PACKER_UEC,
     .versions = UNTIL(3),
     .title   = "The container header of a container up to version 3 should not be compressed.",
     .message = "block {0} of the container header is compressed, by method {1}",
     .data    = "block method",
     .why     = "It does no harm: engines of these versions decompress the container header like "
                "any other chunk. Those of later versions do not.",
     .fix     = "Players: nothing needs to be done. Authors: nothing, while the mod is for a game "
                "of Unreal Engine 4; for a later one pack it with a tool that does not compress "
                "this chunk.",
     .spec    = SPEC(17))
{
	report_compressed(c);
}

RULE(BLK035, header_undecodable, ERROR, UTOC_RANGES,
     .class   = CLASS_CORRUPTION, .sign = SIGN_DATA,
     .explains = BIT(CONTAINER_BYTES) | BIT(GLOBAL_BYTES),
     .title   = "Each block of the container header, and of the chunks of a global container, "
                "shall decompress to the size in its record.",
     .message = "block {0} of {4}, {1} compressed by method {2}, does not decompress to the {3} "
                "that it should",
     .data    = "block stored method size what",
     .why     = "No engine can read the chunk: without its container header no package of a mod "
                "is registered, and without its script objects a game does not start.",
     .fix     = "Players: get the .utoc and the .ucas again. Authors: pack it again if it "
                "still fails.",
     .spec    = SPEC(35))
{
	const struct utoc *u = utoc_of(c);
	struct toc_block b;

	/* if all content is decoded, BLK022 and BLK023 tell it */
	if (!u->content.broke || u->groups[UTOC_PAYLOAD].why == STOP_NOT)
		return;
	b = toc_block(&u->toc, u->content.broke_at);
	report(c, record_of(&u->toc, u->content.broke_at), DEC(u->content.broke_at),
	       SIZE(b.compressed), DEC(b.method), SIZE(b.uncompressed),
	       either(u->content.broke_chunk == u->container_header.chunk, "the container header",
		      "a chunk of the global container"));
}

RULE(BLK018, header_read_past_end, ERROR, UTOC_RANGES,
     .class   = CLASS_COMPATIBILITY, .also = BIT(UTOC_PARTITIONS), .versions = SINCE(5),
     .explains = BIT(UTOC_CONTENT),
     .title   = "The .ucas shall have all bytes from the container header's start to its "
                "length, up to a multiple of 16.",
     .message = "the engine reads {0} at {1} of {2}, which ends at {3}",
     .data    = "length offset file end",
     .why     = "The engine reads the container header in one piece, and ignores the "
                "whole container if it cannot.",
     .fix     = "Players: get the .ucas again. Authors: pack it again with a tool that "
                "pads this chunk.",
     .spec    = SPEC(18))
{
	const struct utoc *u = utoc_of(c);
	struct header_read r;

	if (header_is_cut(u, &r))
		report(c, record_of(&u->toc, r.first), SIZE(r.len), HEX(r.at),
		       file_name(file_of(u, r.partition)->name),
		       HEX(u->content.partitions[r.partition].size));
}

RULE(BLK019, header_scattered, ERROR, UTOC_RANGES,
     .class   = CLASS_COMPATIBILITY, .versions = SINCE(5),
     .title   = "Each block of the container header shall begin where the decompressed "
                "bytes of the one before it would end.",
     .message = "block {0} of the container header is at {1}, expected at {2}, where the "
                "bytes of the one before it end",
     .data    = "block offset end",
     .why     = "The engine reads the container header in one piece from its first block "
                "on, so it reads other bytes as the header.",
     .fix     = "Players: get the mod again. Authors: pack it again with a tool that "
                "stores this chunk in one piece.",
     .spec    = SPEC(19))
{
	const struct utoc *u = utoc_of(c);
	uint64_t first, end;

	if (!header_blocks(u, &first, &end))
		return;
	for (uint64_t i = first + 1; i < end; i++) {
		const struct toc_block before = toc_block(&u->toc, i - 1),
				       b = toc_block(&u->toc, i);
		/* mutant: what is stored */
		const uint64_t given = MUTANT(129) ? toc_stored(before.compressed)
						   : before.uncompressed;
		const uint64_t wanted = before.offset + given;

		if (b.offset == wanted || before.method != 0)
			continue;
		report(c, record_of(&u->toc, i), DEC(i), HEX(b.offset), HEX(wanted));
		return;
	}
}

RULE(BLK036, header_overruns, ERROR, UTOC_RANGES,
     .class   = CLASS_SECURITY, .versions = SINCE(5),
     .title   = "Blocks of a signed or encrypted container header shall not store more "
                "than it is long, up to a multiple of 16.",
     .message = "the blocks of the container header store {0}, each up to a multiple of 16; the "
                "engine has room for {1}",
     .data    = "stored room",
     .why     = "The engine hashes and decrypts the blocks in memory, and writes past the "
                "end of that room: the game may crash, and a file can be made to do more "
                "harm.",
     .fix     = "Players: do not use the mod unless you trust its source; get it again. "
                "Authors: pack it again.",
     .spec    = SPEC(36))
{
	const struct utoc *u = utoc_of(c);
	uint64_t first, end, room, stored = 0;

	if (!header_blocks(u, &first, &end) || !(u->toc.is_signed || u->toc.encrypted))
		return;
	for (uint64_t i = first; i < end; i++)
		stored += toc_stored(toc_block(&u->toc, i).compressed);
	room = toc_stored(toc_length(&u->toc, u->toc.header_chunk));
	if (stored > room)
		report(c, record_of(&u->toc, first), SIZE(stored), SIZE(room));
}

DEFECT_RULE(BLK030, mapped_unmappable, WARNING, UTOC_CHUNK_LAYOUT_ROWS, r, CHUNK_LAYOUT_UNMAPPABLE,
     .class   = CLASS_COMPATIBILITY, .also = BIT(UTOC_METAS),
     .title   = "A memory-mapped chunk should not be compressed, and should be at a "
                "multiple of 16384 above 0.",
     .message = "chunk {0}, {1}, is to be mapped, but its block at {2} {3}",
     .data    = "chunk what offset reason",
     .why     = "The engine cannot map it, and fails or reads it more slowly.",
     .fix     = "Players: get the mod again, if it does not work. Authors: pack it again "
                "with the alignment of the game's engine.",
     .spec    = SPEC(30))
{
	const struct utoc *u = utoc_of(c);
	struct toc_block b;
	char buf[LABEL_MAX];

	b = toc_block(&u->toc, toc_first_block(&u->toc, r->chunk));
	report(c, record_of(&u->toc, toc_first_block(&u->toc, r->chunk)), DEC(r->chunk),
	       label_of(u, r->chunk, buf), HEX(b.offset),
	       either(b.offset == 0 || b.offset % 16384 != 0, "is at no multiple of 16384 above 0",
		      "or one after it is at none or is compressed"));
}

RULE(BLK034, blocks_give_too_much, UNDETERMINED, UTOC_RANGES,
     .class   = CLASS_RESOURCE, .sign = SIGN_SHARED,
     .explains = BIT(UTOC_CONTENT) | BIT(UTOC_SIGNED_BLOCKS),
     .title   = "Blocks should not decompress to more than a limit's multiple of what "
                "they store, nor should too many share bytes where each has a digest.",
     .message = "the blocks store {0}, have {1} if each is counted by itself, and "
                "decompress to {2}",
     .data    = "stored shared size",
     .why     = "To decompress them costs far more than a file of this size should, so "
                "they were not decompressed and not judged.",
     .fix     = "Raise --max-ratio, if you trust the file enough to spend more on it.",
     .spec    = SPEC(34))
{
	const struct content *p = &utoc_of(c)->content;

	if (p->gives_too_much)
		report(c, NOWHERE, SIZE(p->distinct), SIZE(p->stored), SIZE(p->given));
}
