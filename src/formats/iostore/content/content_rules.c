/* The rules of the families BLK, MET and SIG for the stored bytes: keys, streams, hashes and
 * signatures. */
#include <string.h>

#include "formats/iostore/facts_rules.h"
#include "formats/iostore/content/parts.h"

/* A block that stores nothing may have any offset, so its record is shown. */
static struct place stored_place(const struct utoc *u, uint64_t block)
{
	const struct toc_block b = toc_block(&u->toc, block);
	uint64_t at, partition = content_partition(&u->toc, b.offset, &at);

	if (b.compressed == 0)
		return AT_SPAN(b.at, utoc_block_fixed_len);
	return AT_IN(u->content.partitions[partition].file->number, at, b.compressed);
}

static struct arg label_of(const struct utoc *u, const struct payload_row *r, char buf[LABEL_MAX])
{
	const char *label;

	if (r->chunk == TOC_NONE)
		return WORD("no chunk");
	label = content_label(u, r->chunk, buf);
	return UTF8(label, strlen(label));
}

static struct arg method_of_block(const struct utoc *u, uint64_t block)
{
	return WORD(method_name(
		block_methods_get(&u->content.methods, toc_block(&u->toc, block).method)));
}

/* ---- Keys ------------------------------------------------------------------------------------ */

RULE(BLK033, key_does_not_fit, WARNING, UTOC_KEY,
     .class   = CLASS_COMPATIBILITY,
     .title   = "Content that is decrypted should be what the tables say.",
     .message = "none of the keys given makes chunks decompress, match their hashes, or begin as "
                "the container header does",
     .data    = "",
     .why     = "The key is that of another game, or all chunks that it was tried on are "
                "damaged. Nothing of the content was judged.",
     .fix     = "Give the key of this container's game. If it is that key, get the .utoc "
                "and the .ucas again.",
     .spec    = "iostore.md#4.33")
{
	const struct utoc *u = utoc_of(c);

	if (u->content.key == KEY_WRONG)
		report_plain(c, AT(c, utoc_header, &u->toc.header, key_guid_a));
}

/* ---- Streams --------------------------------------------------------------------------------- */

DEFECT_RULE(BLK022, block_undecodable, ERROR, UTOC_PAYLOAD_ROWS, r, PAYLOAD_BROKEN,
     .class   = CLASS_CORRUPTION, .sign = SIGN_DATA, .also = BIT(UTOC_PAYLOAD),
     .explains = BIT(UTOC_CONTENT) | BIT(CONTAINER_BYTES) | BIT(GLOBAL_BYTES),
     .title   = "A compressed block shall be one whole stream of its method.",
     .message = "block {0} of chunk {1}, {2}, cannot be decompressed as {3}",
     .data    = "block chunk what method",
     .why     = "The game fails where it reads the chunk: an asset is missing, or the "
                "game crashes.",
     .fix     = "Players: get the .utoc and the .ucas again, from the same download. "
                "Authors: pack it again if it still fails.",
     .spec    = "iostore.md#4.22")
{
	const struct utoc *u = utoc_of(c);
	char buf[LABEL_MAX];

	report(c, stored_place(u, r->block), DEC(r->block), DEC(r->chunk), label_of(u, r, buf),
	       method_of_block(u, r->block));
}

DEFECT_RULE(BLK023, block_size_mismatch, ERROR, UTOC_PAYLOAD_ROWS, r, PAYLOAD_SHORT | PAYLOAD_LONG,
     .class   = CLASS_SECURITY, .sign = SIGN_DATA, .also = BIT(UTOC_PAYLOAD),
     .explains = BIT(UTOC_CONTENT) | BIT(CONTAINER_BYTES) | BIT(GLOBAL_BYTES),
     .title   = "A compressed block shall decompress to the size in its record.",
     .message = "block {0} of chunk {1}, {2}, decompresses to {3} than {4}",
     .data    = "block chunk what relation size",
     .why     = "The engine decompresses into a buffer of that size: the end of the block "
                "is missing, or is what was in memory before.",
     .fix     = "Players: get the .utoc and the .ucas again, from the same download. "
                "Authors: pack it again if it still fails.",
     .spec    = "iostore.md#4.23")
{
	const struct utoc *u = utoc_of(c);
	char buf[LABEL_MAX];

	report(c, stored_place(u, r->block), DEC(r->block), DEC(r->chunk), label_of(u, r, buf),
	       either(r->traits & PAYLOAD_SHORT, "less", "more"),
	       SIZE(toc_block(&u->toc, r->block).uncompressed));
}

DEFECT_RULE(BLK024, block_bytes_left, NOTE, UTOC_PAYLOAD_ROWS, r, PAYLOAD_LEFT_OVER,
     .class   = CLASS_HYGIENE, .also = BIT(UTOC_PAYLOAD),
     .title   = "A compressed block should end with its stream.",
     .message = "the stream of block {0} of chunk {1}, {2}, ends before the block does",
     .data    = "block chunk what",
     .why     = "Nothing reads the bytes after the stream; they only make the download "
                "larger.",
     .fix     = "Players: nothing, if the mod works. Authors: nothing, if you know the "
                "tool; else pack it again.",
     .spec    = "iostore.md#4.24")
{
	const struct utoc *u = utoc_of(c);
	char buf[LABEL_MAX];

	report(c, stored_place(u, r->block), DEC(r->block), DEC(r->chunk), label_of(u, r, buf));
}

/* ---- Hashes ---------------------------------------------------------------------------------- */

/* Whether the packer wrote a wrong digest, and the bytes are not damaged. */
static bool is_of_packer(const struct utoc *u, const struct payload_row *r)
{
	if (r->traits & PAYLOAD_OTHER_DIGEST)
		return true;
	return u->content.hashes_fit_nothing && !(r->traits & PAYLOAD_ZEROS);
}

static void judge_hash(struct check *c, const struct payload_row *r, const char *of_other)
{
	const struct utoc *u = utoc_of(c);
	const struct toc_section *metas = &u->toc.sections[SECTION_METAS];
	const char *reason = r->traits & PAYLOAD_OTHER_DIGEST ? of_other
			     : r->traits & PAYLOAD_ZEROS      ? ", which are all 0"
			     : u->content.hashes_fit_nothing  ? ", and no chunk has its hash"
							      : "";
	char buf[LABEL_MAX];

	report_as(c, is_of_packer(u, r),
		  AT_SPAN(metas->at.at + r->chunk * metas->row_len, DIGEST_LEN), DEC(r->chunk),
		  label_of(u, r, buf), SIZE(toc_length(&u->toc, r->chunk)), WORD(reason));
	relate(c, stored_place(u, toc_first_block(&u->toc, r->chunk)), "the chunk begins here");
}

DEFECT_RULE(MET004, sha1_mismatch, ERROR, UTOC_PAYLOAD_ROWS, r, PAYLOAD_HASH,
     .class   = CLASS_CORRUPTION,
     .sign = SIGN_DATA, .also = BIT(UTOC_HASHES), .versions = BETWEEN(2, 3),
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "it is their BLAKE3, or no chunk of several has its hash: that is the packer's "
                    "doing",
     .title   = "The hash of a chunk shall be the SHA-1 of its bytes.",
     .message = "the hash of chunk {0}, {1}, is not the SHA-1 of its {2}{3}",
     .data    = "chunk what length reason",
     .why     = "The chunk is not what was packed: most often the download was damaged, "
                "or the file was changed after packing.",
     .fix     = "Players: get the .utoc and the .ucas again, from the same download. "
                "Authors: pack it again after every change.",
     .spec    = "iostore.md#7.4")
{
	judge_hash(c, r, ": it is their BLAKE3, as for Unreal Engine 5");
}

DEFECT_RULE(MET005, blake3_mismatch, ERROR, UTOC_PAYLOAD_ROWS, r, PAYLOAD_HASH,
     .class   = CLASS_CORRUPTION, .sign = SIGN_DATA, .also = BIT(UTOC_HASHES), .versions = SINCE(5),
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "it is their SHA-1, or no chunk of several has its hash: that is the packer's "
                    "doing",
     .title   = "The hash of a chunk shall be the first 20 bytes of the BLAKE3 of its bytes.",
     .message = "the hash of chunk {0}, {1}, is not the BLAKE3 of its {2}{3}",
     .data    = "chunk what length reason",
     .why     = "The chunk is not what was packed: most often the download was damaged, "
                "or the file was changed after packing.",
     .fix     = "Players: get the .utoc and the .ucas again, from the same download. "
                "Authors: pack it again after every change.",
     .spec    = "iostore.md#7.5")
{
	judge_hash(c, r, ": it is their SHA-1, as for Unreal Engine 4");
}

/* ---- Signatures ------------------------------------------------------------------------------ */

DEFECT_RULE(SIG003, signed_block_mismatch, ERROR, UTOC_PAYLOAD_ROWS, r, PAYLOAD_UNSIGNED,
     .class   = CLASS_SECURITY, .sign = SIGN_DATA, .also = BIT(UTOC_SIGNED_BLOCKS),
     .title   = "The SHA-1 of a signed container's block shall be that of its stored bytes.",
     .message = "the stored bytes of block {0}, of {1}, do not have the SHA-1 in the "
                "signed list",
     .data    = "block what",
     .why     = "A game that checks signatures refuses the block, and the asset in it is "
                "missing.",
     .fix     = "Players: get the .utoc and the .ucas again, from the same download. "
                "Authors: sign the container again after every change.",
     .spec    = "iostore.md#7.13")
{
	const struct utoc *u = utoc_of(c);
	char buf[LABEL_MAX];

	report(c, stored_place(u, r->block), DEC(r->block), label_of(u, r, buf));
}
