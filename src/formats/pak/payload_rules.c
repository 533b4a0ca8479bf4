/* The rules of archives for the bytes of files: the record before them, their hash, their streams,
 * and their key. */
#include "formats/pak/facts_rules.h"

#define SPEC(n) "pak.md#5." #n

static struct place place_in_file(const struct pak_payload *row, uint64_t at, uint64_t len)
{
	return (struct place){
		.span = { at, len }, .record = "entry", .index = row->file, .known = true
	};
}

static struct arg payload_path(const struct pak *p, const struct pak_payload *row,
			       struct pak_path_room *buf)
{
	return path_of(p, &p->files[row->file], buf);
}

static const char *const part_names[PAK_N_HEADER_PARTS] = {
	[PAK_PART_OFFSET] = "offset",
	[PAK_PART_SIZE] = "size",
	[PAK_PART_WHOLE] = "size before compression",
	[PAK_PART_METHOD] = "method",
	[PAK_PART_TIME] = "time",
	[PAK_PART_HASH] = "hash",
	[PAK_PART_BLOCK_COUNT] = "count of blocks",
	[PAK_PART_BLOCKS] = "end or beginning of a block",
	[PAK_PART_FLAGS] = "flags",
	[PAK_PART_BLOCK_SIZE] = "block size",
};

DEFECT_RULE(PAK026, header_mismatch, ERROR, PAK_PAYLOADS, row, PAK_HEADER_DIFFERS,
     .class   = CLASS_CORRUPTION, .sign = SIGN_DATA, .also = BIT(PAK_PAYLOAD),
     .title   = "The record before a file's bytes shall be that of the index, with the offset 0.",
     .message = "before the bytes of {0} the {1} is {2}, and {3} is expected",
     .data    = "path what found expected",
     .why     = "Engines skip this record by a length that follows from the index, and tools read "
                "the file by it: they do not get the same bytes.",
     .fix     = "Players: get the file again. Authors: publish the .pak as the packer wrote it.",
     .spec    = SPEC(1))
{
	const struct pak *p = pak_of(c);
	const struct pak_entry e = pak_entry_of(p, &p->files[row->file]);
	const struct held hash = held_part(p->index.held, e.hash_at, SHA1_LEN);
	const bool is_hash = row->part ==
			     PAK_PART_HASH; /* an encoded record has none that differs */
	struct pak_path_room buf;

	report(c, place_in_file(row, e.offset, e.header_len), payload_path(p, row, &buf),
	       WORD(part_names[row->part]),
	       is_hash ? HEX_BYTES(row->hash, SHA1_LEN) : HEX(row->found),
	       is_hash ? HEX_BYTES(hash.bytes, hash.len) : HEX(row->expected));
}

DEFECT_RULE(PAK027, payload_hash_mismatch, WARNING, PAK_PAYLOADS, row, PAK_HASH_DIFFERS,
     .class   = CLASS_CORRUPTION, .sign = SIGN_DATA, .also = BIT(PAK_HASHES),
     .title   = "The hash of a file should be the SHA-1 of its bytes as they are stored.",
     .message = "the SHA-1 of {0}, which has {1}, is not that of its record",
     .data    = "path size",
     .why     = "The bytes are not those that were packed: they were damaged, or changed without "
                "packing anew. Engines do not compare this hash, and load what is there.",
     .fix     = "Players: get the file again, unless its author changed it so. Authors: pack it "
                "again after every change. A site should refuse it (--profile hosting).",
     .spec    = SPEC(2))
{
	const struct pak *p = pak_of(c);
	const struct pak_entry e = pak_entry_of(p, &p->files[row->file]);
	struct pak_path_room buf;

	report(c, place_in_file(row, e.offset + e.header_len, e.size), payload_path(p, row, &buf),
	       SIZE(e.size));
}

/* Where the first block is that cannot be decoded. */
static struct span broken_block(const struct pak *p, const struct pak_entry *e, uint64_t number)
{
	struct span out = { e->offset + e->header_len, e->size };
	struct pak_walk walk = { 0, 0 };

	for (uint64_t i = 0; i <= number && pak_entry_block(p, e, &walk, &out); i++)
		;
	return out;
}

static const char *stream_words(uint32_t traits)
{
	if (traits & PAK_STREAM_BROKEN)
		return "cannot be decompressed";
	if (traits & PAK_STREAM_SHORT)
		return "decompresses to fewer bytes than it should";
	return traits & PAK_STREAM_LONG ? "decompresses to more bytes than it should"
					: "has bytes after its stream";
}

DEFECT_RULE(PAK028, file_undecodable, ERROR, PAK_PAYLOADS, row,
     PAK_STREAM_BROKEN | PAK_STREAM_SHORT | PAK_STREAM_LONG | PAK_STREAM_LEFT_OVER,
     .class   = CLASS_CORRUPTION, .sign = SIGN_DATA, .also = BIT(PAK_PAYLOAD),
     .explains = BIT(PAK_MEMBERS),
     .lesser  = SEVERITY_NOTE,
     .lesser_when = "the block has bytes after its stream, which all readers leave",
     .title   = "Each block of a compressed file shall be a stream of its method, and decompress "
                "to the size that it has in the file.",
     .message = "block {1} of {0}, compressed with {2}, {3}",
     .data    = "path block method what",
     .why     = "The game fails where it reads the file: an asset is missing, or the game crashes.",
     .fix     = "Players: get the file again. Authors: pack it again.",
     .spec    = SPEC(3))
{
	const struct pak *p = pak_of(c);
	const struct pak_entry e = pak_entry_of(p, &p->files[row->file]);
	const struct span at = broken_block(p, &e, row->block);
	struct pak_path_room buf;

	report_as(c, !(row->traits & (PAK_STREAM_BROKEN | PAK_STREAM_SHORT | PAK_STREAM_LONG)),
		  place_in_file(row, at.at, at.len), payload_path(p, row, &buf), DEC(row->block),
		  WORD(method_name(block_methods_get(&p->methods, e.method))),
		  WORD(stream_words(row->traits)));
}

DEFECT_RULE(PAK049, named_package_malformed, WARNING, PAK_PAYLOADS, row, PAK_NO_PACKAGE,
     .class   = CLASS_CORRUPTION, .also = BIT(PAK_PAYLOAD),
     .title   = "A file called .uasset or .umap should begin with 0x9E2A83C1, as packages do.",
     .message = "{0}, which has {1}, is called a package, and does not begin as one",
     .data    = "path size",
     .why     = "The game asks for the package by this name, and does not load what is there.",
     .fix     = "Players: get the file again, unless it is to take a package away. Authors: cook "
                "the asset, and pack what was cooked.",
     .spec    = SPEC(6))
{
	const struct pak *p = pak_of(c);
	const struct pak_entry e = pak_entry_of(p, &p->files[row->file]);
	struct pak_path_room buf;

	report(c, place_in_file(row, e.offset + e.header_len, e.size), payload_path(p, row, &buf),
	       SIZE(e.whole));
}

RULE(PAK040, pak_key_does_not_fit, WARNING, PAK_KEY,
     .class   = CLASS_COMPATIBILITY,
     .title   = "Files that are decrypted should be what their records say.",
     .message = "none of the keys given makes files decompress, or begin as packages do",
     .data    = "",
     .why     = "The key is that of another game, or all files that it was tried on are damaged. "
                "None that is encrypted was decoded.",
     .fix     = "Give the key of this game. If it is that key, get the file again.",
     .spec    = SPEC(4))
{
	const struct pak *p = pak_of(c);

	if (p->content.key == KEY_WRONG)
		report_plain(c, AT_SPAN(p->tail.at, p->size - p->tail.at));
}
