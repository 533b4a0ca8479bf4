/* The rules of the family UTH, second half: blocks, partitions, identity and flags in the
 * header. */
#include "formats/iostore/facts_rules.h"

#define SPEC(n) "iostore.md#2." #n

/* ---- Blocks and partitions ------------------------------------------------------------------- */

RULE(UTH013, block_size_not_power, ERROR, UTOC_HEADER,
     .class   = CLASS_SECURITY,
     .title   = "The block size shall be a power of two.",
     .message = "block size {0} is not a power of two",
     .data    = "size",
     .why     = "The engine aligns with a mask, which is right for powers of two only: it "
                "reads other bytes than the chunk's.",
     .fix     = "Players: get the file again. Authors: pack it again, with a block size "
                "of 65536.",
     .spec    = SPEC(13))
{
	const struct toc *t = toc_of(c);

	if (!t->power_of_two)
		report(c, AT(c, utoc_header, &t->header, block_size), SIZE(t->block_size));
}

#define BLOCK_FIELD_MAX 0xFFFFFFu

RULE(UTH014, block_size_too_large, WARNING, UTOC_HEADER,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The block size should be at most 16777215.",
     .message = "block size {0}, at most 16777215 can be in a block's 24 bits",
     .data    = "size",
     .why     = "No block can be full, and the engine counts on that of all blocks but "
                "the last.",
     .fix     = "Players: get the file again. Authors: pack it again, with a block size "
                "of 65536.",
     .spec    = SPEC(14))
{
	const struct toc *t = toc_of(c);

	if (t->block_size > BLOCK_FIELD_MAX)
		report(c, AT(c, utoc_header, &t->header, block_size), SIZE(t->block_size));
}

RULE(UTH015, block_size_not_default, NOTE, UTOC_HEADER,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The block size should be 65536.",
     .message = "block size {0}, the engine's default is 65536",
     .data    = "size",
     .why     = "Some tools count on 65536 and cannot unpack the mod.",
     .fix     = "Players: nothing, if the game loads it. Authors: nothing, if the game's "
                "own containers have this block size; else pack it with 65536.",
     .spec    = SPEC(15))
{
	const struct toc *t = toc_of(c);

	if (t->block_size != TOC_BLOCK_SIZE && t->power_of_two && t->block_size <= BLOCK_FIELD_MAX)
		report(c, AT(c, utoc_header, &t->header, block_size), SIZE(t->block_size));
}

RULE(UTH018, partition_count_out_of_range, ERROR, UTOC_HEADER,
     .class   = CLASS_SECURITY, .versions = SINCE(3),
     .explains = BIT(UTOC_PARTITIONS) | BIT(UTOC_CONTENT),
     .title   = "A container with chunks shall have 1 to 1024 partitions.",
     .message = "{0} {0:partition|partitions} for {1} {1:chunk|chunks}, expected 1 to "
                "1024",
     .data    = "partitions chunks",
     .why     = "Without a partition the engine's first read goes to an empty list, and "
                "the game may crash. With too many it takes memory for all of them before "
                "it opens any.",
     .fix     = "Players: get the file again. Authors: pack it again.",
     .spec    = SPEC(18))
{
	const struct toc *t = toc_of(c);

	if ((t->n_chunks > 0 && t->n_partitions == 0) || t->n_partitions > PARTITIONS_MAX)
		report(c, AT(c, utoc_header, &t->header, n_partitions), DEC(t->n_partitions),
		       DEC(t->n_chunks));
}

RULE(UTH019, partition_size_zero, ERROR, UTOC_HEADER,
     .class   = CLASS_SECURITY, .versions = SINCE(3),
     .title   = "The partition size shall not be 0.",
     .message = "partition size 0, which cannot be divided by",
     .data    = "",
     .why     = "The engine divides by the partition size, and crashes.",
     .fix     = "Players: get the file again. Authors: pack it again with the packer of "
                "the game's engine.",
     .spec    = SPEC(19))
{
	const struct toc *t = toc_of(c);

	if (t->partition_size == 0)
		report_plain(c, AT(c, utoc_header, &t->header, partition_size));
}

RULE(UTH020, partition_size_missing, WARNING, UTOC_HEADER,
     .class   = CLASS_CORRUPTION, .versions = SINCE(3),
     .title   = "A container of several partitions should have a partition size.",
     .message = "{0} {0:partition|partitions}, but the partition size is that of a "
                "container without partitions",
     .data    = "partitions",
     .why     = "The engine looks for every block in the first .ucas, and does not find "
                "those of the others.",
     .fix     = "Players: get the file again. Authors: pack it again with the packer of "
                "the game's engine.",
     .spec    = SPEC(20))
{
	const struct toc *t = toc_of(c);

	if (t->n_partitions > 1 && t->partition_size == TOC_UNPARTITIONED)
		report(c, AT(c, utoc_header, &t->header, partition_size), DEC(t->n_partitions));
}

RULE(UTH021, partitions_not_as_blocks, WARNING, UTOC_BLOCKS,
     .class   = CLASS_CORRUPTION, .versions = SINCE(3),
     .title   = "There should be as many partitions as its blocks need.",
     .message = "{0} {0:partition|partitions}, the blocks end at {1} and so need {2}",
     .data    = "partitions end needed",
     .why     = "The game opens a .ucas for nothing, or lacks one that blocks need.",
     .fix     = "Players: get all files of the mod again. Authors: pack it again.",
     .spec    = SPEC(21))
{
	const struct toc *t = toc_of(c);
	uint64_t needed;

	if (t->partition_size == 0 || t->end_of_blocks == 0 || t->n_partitions == 0 ||
	    t->partition_size == TOC_UNPARTITIONED)
		return;
	needed = 1 + (t->end_of_blocks - 1) / t->partition_size;
	if (t->n_partitions != needed)
		report(c, AT(c, utoc_header, &t->header, n_partitions), DEC(t->n_partitions),
		       HEX(t->end_of_blocks), DEC(needed));
}

/* ---- Identity and flags ---------------------------------------------------------------------- */

RULE(UTH022, container_id_invalid, WARNING, UTOC_HEADER,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The container's id should be neither 0 nor all bits set.",
     .message = "container id {0}, which stands for no container",
     .data    = "id",
     .why     = "The engine never looks up the container header, so it registers no "
                "package of the mod. The global container has no such id.",
     .fix     = "Players: get the file again. Authors: pack it again with a packer that "
                "computes the id from the file's name.",
     .spec    = SPEC(22))
{
	const struct toc *t = toc_of(c);
	const struct utoc_header *h = &t->header;

	if ((h->container_id == 0 || h->container_id == TOC_NO_CONTAINER) && !t->name.is_global)
		report(c, AT(c, utoc_header, h, container_id), HEX(h->container_id));
}

RULE(UTH023, container_renamed, NOTE, UTOC_HEADER,
     .class   = CLASS_HYGIENE,
     .title   = "The container's id should be the hash of the file's name.",
     .message = "container id {0}, but the hash of the file's name is {1}",
     .data    = "id expected",
     .why     = "The file was renamed, or its packer computes ids in another way. Engines "
                "go by the id that is stored, so the mod loads all the same.",
     .fix     = "Players and authors: nothing needs to be done.",
     .spec    = SPEC(23))
{
	const struct toc *t = toc_of(c);
	const uint64_t id = t->header.container_id;

	if (t->name.is_ascii && id != t->name.hash && id != 0 && id != TOC_NO_CONTAINER)
		report(c, AT(c, utoc_header, &t->header, container_id), HEX(id), HEX(t->name.hash));
}

#define FLAGS_KNOWN (TOC_COMPRESSED | TOC_ENCRYPTED | TOC_SIGNED | TOC_INDEXED | TOC_ON_DEMAND)

RULE(UTH024, flags_unknown, WARNING, UTOC_HEADER,
     .class   = CLASS_COMPATIBILITY,
     .title   = "Only the flags from 1 to 16 should be set.",
     .message = "flags {0} with the unknown bits {1}, expected none but those from 1 to "
                "16",
     .data    = "flags unknown",
     .why     = "The engine ignores the unknown flags; some tools refuse the file.",
     .fix     = "Players: get the file again. Authors: pack it again with the packer of "
                "the game's engine.",
     .spec    = SPEC(24))
{
	const struct utoc_header *h = &toc_of(c)->header;

	if (h->flags & ~(uint64_t)FLAGS_KNOWN)
		report(c, AT(c, utoc_header, h, flags), HEX(h->flags),
		       HEX(h->flags & ~(uint64_t)FLAGS_KNOWN));
}

RULE(UTH025, on_demand_too_early, WARNING, UTOC_HEADER,
     .class   = CLASS_COMPATIBILITY, .versions = UNTIL(5),
     .title   = "The flag OnDemand should not be set before version 6.",
     .message = "flags {0} with OnDemand, which version {1} does not have",
     .data    = "flags version",
     .why     = "Some tools refuse the file.",
     .fix     = "Players: nothing, if the game loads it. Authors: pack it again with the "
                "packer of the game's engine.",
     .spec    = SPEC(25))
{
	const struct toc *t = toc_of(c);

	if (t->header.flags & TOC_ON_DEMAND)
		report(c, AT(c, utoc_header, &t->header, flags), HEX(t->header.flags),
		       DEC(t->version));
}

static bool has_guid(const struct utoc_header *h)
{
	return (h->key_guid_a | h->key_guid_b | h->key_guid_c | h->key_guid_d) != 0;
}

RULE(UTH026, key_without_encryption, NOTE, UTOC_HEADER,
     .class   = CLASS_HYGIENE,
     .title   = "A container that is not encrypted should name no key.",
     .message = "a key is named, but the flag Encrypted is not set",
     .data    = "",
     .why     = "Nothing uses this key: the engine goes by the key that the .pak names.",
     .fix     = "Players: nothing needs to be done. Authors: pack it again without a key.",
     .spec    = SPEC(26))
{
	const struct toc *t = toc_of(c);

	if (!t->encrypted && has_guid(&t->header))
		report_plain(c, AT_SPAN(64, 16));
}

RULE(UTH027, key_of_the_game, NOTE, UTOC_HEADER,
     .class   = CLASS_COMPATIBILITY,
     .title   = "An encrypted container should name its key by an id that is not 0.",
     .message = "the container is encrypted, and its key's id is 0, that of the game's "
                "own key",
     .data    = "",
     .why     = "Only a game that has this very key can read the container.",
     .fix     = "Players: nothing, if the mod is for your game. Authors: nothing, if it "
                "is; else pack it without encryption.",
     .spec    = SPEC(27))
{
	const struct toc *t = toc_of(c);

	if (t->encrypted && !has_guid(&t->header))
		report_plain(c, AT_SPAN(64, 16));
}

RULE(UTH028, compressed_flag_missing, WARNING, UTOC_BLOCKS,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A container with compressed blocks should have the flag Compressed.",
     .message = "{0} of {1} {1:block|blocks} {0:is|are} compressed, but the flag Compressed is not "
                "set",
     .data    = "compressed blocks",
     .why     = "Tools that go by the flag take compressed blocks for plain bytes, and "
                "unpack damaged files.",
     .fix     = "Players: nothing, if the game loads it. Authors: pack it again with the "
                "packer of the game's engine.",
     .spec    = SPEC(28))
{
	const struct toc *t = toc_of(c);

	if (!(t->header.flags & TOC_COMPRESSED) && t->n_compressed_blocks > 0)
		report(c, AT(c, utoc_header, &t->header, flags), DEC(t->n_compressed_blocks),
		       DEC(t->n_blocks));
}

RULE(UTH029, compressed_flag_for_nothing, NOTE, UTOC_BLOCKS,
     .class   = CLASS_HYGIENE,
     .title   = "The flag Compressed should be set only if some block is compressed.",
     .message = "the flag Compressed is set, but of {0} {0:block|blocks} none is "
                "compressed",
     .data    = "blocks",
     .why     = "It does no harm: the packer was told to compress, and nothing became "
                "smaller.",
     .fix     = "Players and authors: nothing needs to be done.",
     .spec    = SPEC(29))
{
	const struct toc *t = toc_of(c);

	if (t->header.flags & TOC_COMPRESSED && t->n_compressed_blocks == 0)
		report(c, AT(c, utoc_header, &t->header, flags), DEC(t->n_blocks));
}

RULE(UTH030, index_without_flag, ERROR, UTOC_HEADER,
     .class   = CLASS_CORRUPTION,
     .title   = "A .utoc with a directory index shall have the flag Indexed.",
     .message = "a directory index of {0}, but the flag Indexed is not set",
     .data    = "size",
     .why     = "Readers disagree on where the chunk metadata begins: some skip the "
                "directory index, some do not.",
     .fix     = "Players: get the file again. Authors: pack it again with the packer of "
                "the game's engine.",
     .spec    = SPEC(30))
{
	const struct toc *t = toc_of(c);

	if (!(t->header.flags & TOC_INDEXED) && t->header.directory_size > 0)
		report(c, AT(c, utoc_header, &t->header, directory_size),
		       SIZE(t->header.directory_size));
}

RULE(UTH031, index_missing, NOTE, UTOC_HEADER,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A .utoc with the flag Indexed should have a directory index.",
     .message = "the flag Indexed is set, but there is no directory index",
     .data    = "",
     .why     = "Tools cannot show the paths of the mod's files. The game does not need "
                "them.",
     .fix     = "Players: nothing needs to be done. Authors: pack it again with a "
                "directory index.",
     .spec    = SPEC(31))
{
	const struct toc *t = toc_of(c);

	if (t->header.flags & TOC_INDEXED && t->header.directory_size == 0)
		report_plain(c, AT(c, utoc_header, &t->header, directory_size));
}

RULE(UTH032, index_not_padded, ERROR, UTOC_HEADER,
     .class   = CLASS_CORRUPTION,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "the index was not encrypted at all, as DIR001 says",
     .title   = "The directory index of an encrypted container shall be a multiple of 16 bytes "
                "long.",
     .message = "the directory index of the encrypted container has {0}, not a multiple "
                "of 16",
     .data    = "size",
     .why     = "It cannot be decrypted, because the cipher takes 16 bytes at a time: the "
                "game or tools refuse it.",
     .fix     = "Players: get the file again. Authors: pack it again with a packer that "
                "pads the index.",
     .spec    = SPEC(32))
{
	const struct utoc *u = utoc_of(c);
	const struct utoc_header *h = &u->toc.header;

	if (!u->toc.encrypted || h->directory_size % 16 == 0)
		return;
	if (u->directory.clear_in_encrypted)
		report_lesser(c, AT(c, utoc_header, h, directory_size), SIZE(h->directory_size));
	else
		report(c, AT(c, utoc_header, h, directory_size), SIZE(h->directory_size));
}

RULE(UTH033, perfect_hash_too_early, WARNING, UTOC_HEADER,
     .class   = CLASS_COMPATIBILITY, .versions = UNTIL(4),
     .title   = "Versions that have no perfect hash should count none of its parts.",
     .message = "the count of {1} is {0} in version {2}, which has no perfect hash",
     .data    = "count what version",
     .why     = "Readers that do not look at the version skip bytes of the other tables.",
     .fix     = "Players: get the file again. Authors: pack it again with the packer of "
                "the game's engine.",
     .spec    = SPEC(33))
{
	const struct toc *t = toc_of(c);
	const struct utoc_header *h = &t->header;

	if (t->version < TOC_PERFECT_HASH && h->n_seeds != 0)
		report(c, AT(c, utoc_header, h, n_seeds), DEC(h->n_seeds), WORD("seeds"),
		       DEC(t->version));
	if (h->n_overflow != 0)
		report(c, AT(c, utoc_header, h, n_overflow), DEC(h->n_overflow),
		       WORD("chunks without perfect hash"), DEC(t->version));
}

RULE(UTH034, perfect_hash_too_large, WARNING, UTOC_HEADER,
     .class   = CLASS_CORRUPTION, .versions = SINCE(4),
     .lesser  = SEVERITY_NOTE,
     .lesser_when = "there are no chunks: the engine itself writes one seed then",
     .title   = "There should be at most as many seeds, and as many chunks without perfect hash, "
                "as there are chunks.",
     .message = "{0} {0:seed|seeds} and {1} {1:chunk|chunks} without perfect hash for {2} "
                "{2:chunk|chunks}",
     .data    = "seeds overflow chunks",
     .why     = "The engine writes half as many seeds as chunks; more of them are of no "
                "use and take memory.",
     .fix     = "Players: nothing, if the game loads it. Authors: pack it again with the "
                "packer of the game's engine.",
     .spec    = SPEC(34))
{
	const struct toc *t = toc_of(c);
	struct place place = AT(c, utoc_header, &t->header, n_seeds);

	if (t->n_overflow > t->n_chunks)
		place = AT(c, utoc_header, &t->header, n_overflow);
	if (t->n_chunks == 0 && t->n_overflow == 0 && t->n_seeds > 0)
		report_lesser(c, place, DEC(t->n_seeds), DEC(t->n_overflow), DEC(t->n_chunks));
	else if (t->n_seeds > t->n_chunks || t->n_overflow > t->n_chunks)
		report(c, place, DEC(t->n_seeds), DEC(t->n_overflow), DEC(t->n_chunks));
}

RULE(UTH040, version_never_shipped, NOTE, UTOC_HEADER,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The version should not be 4.",
     .message = "version 4, which no released engine wrote",
     .data    = "",
     .why     = "It is not known which list of chunk types this version has; it was read "
                "with that of Unreal Engine 4.",
     .fix     = "Players: get the mod in a version for this game. Authors: pack it again "
                "with a released engine.",
     .spec    = SPEC(40))
{
	const struct utoc *u = utoc_of(c);

	if (u->toc.version == TOC_PERFECT_HASH)
		report_plain(c, AT(c, utoc_header, &u->toc.header, version));
}

RULE(UTH042, no_chunks, NOTE, UTOC_HEADER,
     .class   = CLASS_HYGIENE,
     .title   = "A container should have chunks.",
     .message = "the container has no chunk",
     .data    = "",
     .why     = "It changes nothing in the game.",
     .fix     = "Players and authors: nothing needs to be done; engines write such "
                "containers too.",
     .spec    = SPEC(42))
{
	const struct toc *t = toc_of(c);

	if (t->n_chunks == 0)
		report_plain(c, AT(c, utoc_header, &t->header, n_chunks));
}

RULE(UTH043, no_blocks, ERROR, UTOC_CHUNKS,
     .class   = CLASS_CORRUPTION, .explains = BIT(UTOC_CONTENT),
     .title   = "A container whose chunks have bytes shall have blocks.",
     .message = "{0} {0:chunk|chunks}, but no block to hold the bytes",
     .data    = "chunks",
     .why     = "The engine rejects the container, or reads past its tables.",
     .fix     = "Players: get the file again. Authors: pack it again.",
     .spec    = SPEC(43))
{
	const struct toc *t = toc_of(c);

	if (t->n_blocks == 0 && t->chunk_traits & CHUNK_OUTSIDE)
		report(c, AT(c, utoc_header, &t->header, n_blocks), DEC(t->n_chunks));
}
