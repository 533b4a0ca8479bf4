/* The rules for the records of files. */
#include "formats/pak/facts_rules.h"

#include "core/checked.h"

#define SPEC(n) "pak.md#" #n

DEFECT_RULE(PAK019, entry_outside, ERROR, PAK_FILES, row, PAK_DATA_OUTSIDE,
     .class   = CLASS_SECURITY, .explains = BIT(PAK_MEMBERS),
     .title   = "The bytes of a file shall be before the index, with the record before them.",
     .message = "{0} is at {1}, {2} long with its record, and the index at {3}",
     .data    = "path offset size index",
     .why     = "The game reads other bytes as the file's, or past the end of the .pak.",
     .fix     = "Players: get the file again. Authors: publish the .pak as the packer wrote it.",
     .spec    = SPEC(3.1))
{
	const struct pak *p = pak_of(c);
	const struct pak_entry e = pak_entry_of(p, row);
	struct pak_path_room buf;

	report(c, record_place(p, row), path_of(p, row, &buf), HEX(e.offset),
	       SIZE(pak_data(&e).len), HEX(p->index.at.at));
}

DEFECT_RULE(PAK020, size_negative, ERROR, PAK_FILES, row, PAK_SIZE_NEGATIVE,
     .class   = CLASS_SECURITY, .explains = BIT(PAK_MEMBERS),
     .title   = "The sizes of a file shall be 0 or more.",
     .message = "{0} has the sizes {1} and {2}",
     .data    = "path size whole",
     .why     = "Engines and tools take memory by these numbers, and crash.",
     .fix     = "Players: get the file again. Authors: publish the .pak as the packer wrote it.",
     .spec    = SPEC(3.2))
{
	const struct pak *p = pak_of(c);
	const struct pak_entry e = pak_entry_of(p, row);
	struct pak_path_room buf;

	report(c, record_place(p, row), path_of(p, row, &buf), SIGNED(e.size), SIGNED(e.whole));
}

DEFECT_RULE(PAK021, entry_method_unknown, ERROR, PAK_FILES, row,
	    PAK_METHOD_UNNAMED | PAK_METHOD_UNKNOWN,
     .class   = CLASS_CORRUPTION, .explains = BIT(PAK_MEMBERS),
     .title   = "The compression method of a file shall be one that engines know: before version 8 "
                "by its flags, since then by its name.",
     .message = "{0} has the method {1}, {2}",
     .data    = "path method defect",
     .why     = "A game without this method stops when it reads the file.",
     .fix     = "Players: get the file again. Authors: pack it again, with a method that the "
                "game has.",
     .spec    = SPEC(3.3))
{
	const struct pak *p = pak_of(c);
	const struct pak_entry e = pak_entry_of(p, row);
	struct pak_path_room buf;

	report(c, record_place(p, row), path_of(p, row, &buf), DEC(e.raw_method),
	       p->tail.version < PAK_METHOD_NAMES ? WORD("which is no flag of a method")
	       : row->traits & PAK_METHOD_UNNAMED ? WORD("which has no name")
						  : WORD("whose name no released engine knows"));
}

DEFECT_RULE(PAK022, sizes_differ, ERROR, PAK_FILES, row, PAK_SIZES_DIFFER,
     .class   = CLASS_CORRUPTION, .explains = BIT(PAK_MEMBERS),
     .title   = "A file that is not compressed shall have the same size before compression.",
     .message = "{0} is not compressed, and has {1} of {2}",
     .data    = "path size whole",
     .why     = "The game reads more bytes than the file has, or fewer.",
     .fix     = "Players: get the file again. Authors: publish the .pak as the packer wrote it.",
     .spec    = SPEC(3.4))
{
	const struct pak *p = pak_of(c);
	const struct pak_entry e = pak_entry_of(p, row);
	struct pak_path_room buf;

	report(c, record_place(p, row), path_of(p, row, &buf), SIZE(e.size), SIZE(e.whole));
}

DEFECT_RULE(PAK023, block_count_mismatch, ERROR, PAK_FILES, row, PAK_BLOCKS_MISCOUNTED,
     .class   = CLASS_SECURITY, .versions = SINCE(3), .explains = BIT(PAK_MEMBERS),
     .title   = "A compressed file shall have as many blocks as its size and its block size ask "
                "for.",
     .message = "{0} has {1} {1:block|blocks} of {2} for {3}",
     .data    = "path blocks block_size whole",
     .why     = "Engines decompress past the end of their buffer, or leave a part of the file "
                "empty.",
     .fix     = "Players: get the file again. Authors: publish the .pak as the packer wrote it.",
     .spec    = SPEC(3.5))
{
	const struct pak *p = pak_of(c);
	const struct pak_entry e = pak_entry_of(p, row);
	struct pak_path_room buf;

	report(c, record_place(p, row), path_of(p, row, &buf), DEC(e.n_blocks), SIZE(e.block_size),
	       SIZE(e.whole));
}

DEFECT_RULE(PAK024, block_outside, ERROR, PAK_FILES, row,
	    PAK_BLOCK_EMPTY | PAK_BLOCK_OUTSIDE | PAK_BLOCK_MISPLACED | PAK_BLOCKS_SHORT,
     .class   = CLASS_SECURITY, .versions = SINCE(3), .explains = BIT(PAK_MEMBERS),
     .title   = "The blocks of a compressed file shall have bytes, follow one another, and be in "
                "the bytes of the file.",
     .message = "block {1} of {0}, at {2}, {3} long, {4}",
     .data    = "path block offset size defect",
     .why     = "The game reads other bytes as the file's, or past the end of the .pak.",
     .fix     = "Players: get the file again. Authors: publish the .pak as the packer wrote it.",
     .spec    = SPEC(3.6))
{
	static const struct defect_words words[] = {
		{ PAK_BLOCK_OUTSIDE, "is not in the bytes of the file" },
		{ PAK_BLOCK_EMPTY, "has no bytes" },
		{ PAK_BLOCK_MISPLACED, "does not begin where the one before it ends" },
		{ PAK_BLOCKS_SHORT,
		  "is the last, and does not end where the bytes of the file do" },
	};
	const struct pak *p = pak_of(c);
	const struct pak_entry e = pak_entry_of(p, row);
	struct pak_path_room buf;
	struct pak_judged j = { .all = 0 };
	bool is_block;

	do
		is_block = pak_judge_block(p, &e, &j);
	while (ALWAYS(is_block) && j.all == 0);
	report(c, record_place(p, row), path_of(p, row, &buf), DEC(j.walk.block - 1),
	       HEX(j.block.at), SIZE(j.block.len), WORD(WORDS_FOR(j.traits, words)));
}

DEFECT_RULE(PAK025, block_size_out_of_range, ERROR, PAK_FILES, row, PAK_BLOCK_SIZE,
     .class   = CLASS_SECURITY, .versions = SINCE(3), .explains = BIT(PAK_MEMBERS),
     .title   = "The block size of a compressed file shall be above 0, and not above the file's "
                "size, or 1 GiB where it has one block.",
     .message = "{0} has {1} {1:block|blocks} of {2} for {3}",
     .data    = "path blocks block_size whole",
     .why     = "Engines divide by the block size, and take memory by it.",
     .fix     = "Players: get the file again. Authors: publish the .pak as the packer wrote it.",
     .spec    = SPEC(3.7))
{
	const struct pak *p = pak_of(c);
	const struct pak_entry e = pak_entry_of(p, row);
	struct pak_path_room buf;

	report(c, record_place(p, row), path_of(p, row, &buf), DEC(e.n_blocks), SIZE(e.block_size),
	       SIZE(e.whole));
}

/* The first file of a sort and its record; NULL: there is none. */
static const struct pak_file *first_of(const struct pak *p, enum pak_sort sort, struct pak_entry *e)
{
	const struct pak_file *row = p->files + p->some[sort].first;

	if (p->some[sort].n == 0)
		return NULL;
	*e = pak_entry_of(p, row);
	return row;
}

RULE(PAK053, one_block_size_mismatch, WARNING, PAK_ENTRIES,
     .class   = CLASS_COMPATIBILITY, .versions = SINCE(3),
     .title   = "The size of a file's only block should be that of the file, or that of the blocks "
                "of larger files.",
     .message = "{0} has {1} in one block, and its record says that blocks have {2}",
     .data    = "path whole block_size",
     .why     = "Engines take memory by the size of blocks before they read the file; the first "
                "with encoded records look for more blocks where it is less than the file's.",
     .fix     = "Players: nothing, if the mod works. Authors: pack it again with the packer of the "
                "game's engine.",
     .spec    = SPEC(3.7))
{
	const struct pak *p = pak_of(c);
	struct pak_path_room buf;
	struct pak_entry e;
	const struct pak_file *row = first_of(p, PAK_ONE_BLOCK_ODD, &e);

	if (row)
		report(c, record_place(p, row), path_of(p, row, &buf), SIZE(e.whole),
		       SIZE(e.block_size));
}

RULE(PAK055, blocks_without_method, WARNING, PAK_ENTRIES,
     .class   = CLASS_HYGIENE, .versions = SINCE(10),
     .title   = "A file without a method of compression should have no blocks.",
     .message = "{0} is not compressed, and has {1} {1:block|blocks}",
     .data    = "path blocks",
     .why     = "Engines go by the method, and no reader asks for these blocks: what stands for "
                "them in the index belongs to no file.",
     .fix     = "Players: nothing, if the mod works. Authors: pack it again.",
     .spec    = SPEC(3.13))
{
	const struct pak *p = pak_of(c);
	struct pak_path_room buf;
	struct pak_entry e;
	const struct pak_file *row = first_of(p, PAK_BLOCKS_UNUSED, &e);

	if (row)
		report(c, record_place(p, row), path_of(p, row, &buf), DEC(e.n_blocks));
}

DEFECT_RULE(PAK029, entries_overlap, WARNING, PAK_FILES, row, PAK_DATA_OVERLAPS,
     .class   = CLASS_HYGIENE, .also = BIT(PAK_RANGES),
     .title   = "The bytes of two files should not overlap.",
     .message = "{0} at {1}, {2} long with its record, begins before the end of a file before it",
     .data    = "path offset size",
     .why     = "One of the two is read with bytes of the other, unless they are the same file "
                "under two paths.",
     .fix     = "Players: nothing, if the mod works. Authors: pack it again.",
     .spec    = SPEC(3.8))
{
	const struct pak *p = pak_of(c);
	const struct pak_entry e = pak_entry_of(p, row);
	struct pak_path_room buf;

	report(c, record_place(p, row), path_of(p, row, &buf), HEX(e.offset),
	       SIZE(pak_data(&e).len));
}

DEFECT_RULE(PAK030, entry_flags_unknown, WARNING, PAK_FILES, row, PAK_FLAGS_UNKNOWN,
     .class   = CLASS_HYGIENE, .versions = SINCE(3),
     .title   = "The flags of a file should be none but 1, encrypted, and 2, deleted.",
     .message = "{0} has the flags {1}",
     .data    = "path flags",
     .why     = "No released engine knows the others.",
     .fix     = "Players: nothing, if the mod works. Authors: pack it again.",
     .spec    = SPEC(3.9))
{
	const struct pak *p = pak_of(c);
	const struct pak_entry e = pak_entry_of(p, row);
	struct pak_path_room buf;

	report(c, record_place(p, row), path_of(p, row, &buf), HEX(e.flags));
}

DEFECT_RULE(PAK031, deleted_with_bytes, WARNING, PAK_FILES, row, PAK_DELETED_SIZE,
     .class   = CLASS_HYGIENE, .versions = BETWEEN(3, 9),
     .title   = "A deleted file should have no bytes.",
     .message = "{0} is deleted, and has {1}",
     .data    = "path size",
     .why     = "Engines hide the file of that path, and tools that do not know the flag "
                "extract bytes.",
     .fix     = "Players: nothing, if the mod works. Authors: pack it again.",
     .spec    = SPEC(3.10))
{
	const struct pak *p = pak_of(c);
	const struct pak_entry e = pak_entry_of(p, row);
	struct pak_path_room buf;

	report(c, record_place(p, row), path_of(p, row, &buf), SIZE(e.size));
}

DEFECT_RULE(PAK048, deletion_flag_ignored, WARNING, PAK_FILES, row, PAK_DELETED_SIZE,
     .class   = CLASS_SECURITY, .versions = SINCE(10),
     .title   = "A record should not have the flag 2, deleted: a deleted file has no record.",
     .message = "{0}, which has {1}, has the flag of a deleted file, and the game loads it",
     .data    = "path size",
     .why     = "Engines go by the location and load the file. Tools that go by the flag do not "
                "show it, nor what it replaces.",
     .fix     = "Players: do not install a mod that hides files, unless you trust its author. "
                "Authors: pack it again with the packer of the game's engine.",
     .spec    = SPEC(3.12))
{
	const struct pak *p = pak_of(c);
	const struct pak_entry e = pak_entry_of(p, row);
	struct pak_path_room buf;

	report(c, record_place(p, row), path_of(p, row, &buf), SIZE(e.whole));
}
