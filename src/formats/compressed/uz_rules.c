/* The rules for .uz: signature, stored name, and each stage of the code. */
#include "formats/compressed/uz.h"
#include "core/mutant.h"
#include "core/path.h"
#include "formats/compressed/uz3.h"
#include "rule/finding.h"

/* Codes do not end at byte boundaries, so a defect of the coded data points at all of it. */
static struct place data_place(const struct uz *u)
{
	return AT_SPAN(u->data.at, u->data.len);
}

static bool is_single_leaf(const struct uz *u)
{
	return huffman_is_single(u->huffman);
}

FILE_DEFECT_RULE(
	UZC001, signature_unknown, ERROR, UZ_FILE, uz, u,
	UZ_SIGNATURE_CUT | UZ_SIGNATURE_UNKNOWN | UZ_SIGNATURE_227, .class = CLASS_CORRUPTION,
	.sign = SIGN_OTHER_FILE, .explains = BIT(UZ_SIGNATURE), .lesser = SEVERITY_UNDETERMINED,
	.lesser_when =
		"the file has the header of Unreal 227's zlib form, which uvet does not read",
	.title = "A .uz shall begin with the signature 1234 or 5678.",
	.message = "signature {0}{1}", .data = "signature reason",
	.why = "The game deletes the download and shows an error. Most often the server "
	       "sent an empty file, a web page, or a package that was only renamed.",
	.fix = "Players: get the file again, from another server if it fails again. "
	       "Authors: compress the package with the game's own ucc compress.",
	.spec = "uz.md#2.1")
{
	struct place place = AT_SPAN(0,
				     u->size < uz_header_fixed_len ? u->size : uz_header_fixed_len);

	if (u->defects & UZ_SIGNATURE_227)
		report_lesser(c, place, HEX(u->header.signature),
			      WORD(": the form of Unreal 227, which uvet does not read"));
	else if (u->defects & UZ_SIGNATURE_CUT)
		report(c, place, HEX(u->header.signature),
		       WORD(", the file ends before four bytes of it"));
	else if (unpacked_is_tag(u->header.signature))
		report(c, place, HEX(u->header.signature),
		       WORD(", which is a package's: it was not compressed"));
	else
		report(c, place, HEX(u->header.signature),
		       WORD(", it shall be 1234 (0x4D2) or 5678 (0x162E)"));
}

static const struct defect_words name_words[] = {
	{ UZ_LIKE_UZ3, "is none, for the file begins as a .uz3 does" },
	{ UZ_NAME_UNREADABLE, "cannot be read" },
	{ UZ_NAME_COUNT_ZERO, "has a count of 0" },
	{ UZ_NAME_TOO_LONG, "is longer than 256 characters with its NUL" },
	{ UZ_NAME_UNTERMINATED, "does not end in NUL" },
	{ UZ_NAME_EMPTY, "is empty" },
	{ UZ_NAME_INNER_NUL, "has a NUL before its end" },
	{ UZ_NAME_FOLDER, "has a separator" },
};

FILE_DEFECT_RULE(
	UZC002, stored_name_malformed, ERROR, UZ_SIGNATURE, uz, u, UZ_BAD_NAME,
	.class = CLASS_SECURITY, .sign = SIGN_NAME, .explains = BIT(UZ_NAME),
	.title =
		"The stored name shall be a counted text of 1 to 255 characters and a NUL, and the "
		"plain name of a file.",
	.message = "the stored name {0}: {1}", .data = "defect name",
	.why = "Decompressors create a file of this name. A folder in it is path "
	       "traversal: the file is written outside the folder that the player chose.",
	.fix = "Players: do not decompress it; get the file again. Authors: compress the "
	       "package again, from the folder in which it is.",
	.spec = "uz.md#2.2")
{
	const char *words = WORDS_FOR(u->defects, name_words);

	report(c, AT_SPAN(u->name_place.at, u->name_place.len),
	       WORD(words ? words : path_danger(u->name_traits)), TEXT(u->original.name));
}

FILE_DEFECT_RULE(UZC003, name_mismatch, WARNING, UZ_NAME, uz, u, UZ_NAME_MISMATCH,
		 .class = CLASS_HYGIENE,
		 .title = "The stored name should be that of the .uz without its last extension.",
		 .message = "the stored name is {0}, but the file's own name without its last "
			    "extension is another",
		 .data = "name",
		 .why = "The game asks a redirect server for the package by the .uz's name, but "
			"decompressors write a file of the stored name, which the game does not "
			"find.",
		 .fix = "Players: rename the decompressed package as the .uz is named. Authors: "
			"name the .uz after the package, or compress the package again.",
		 .spec = "uz.md#2.3")
{
	report(c, AT(c, uz_original, &u->original, name), TEXT(u->original.name));
}

FILE_DEFECT_RULE(UZC012, zlib_inside, ERROR, UZ_NAME, uz, u, UZ_ZLIB_INSIDE | UZ_UZ3_INSIDE,
		 .class = CLASS_COMPATIBILITY, .explains = BIT(UZ_TREE),
		 .title = "The engine's own code shall follow the stored name, and a zlib stream "
			  "shall neither follow it nor be where a .uz3 has one.",
		 .message = "a zlib stream begins {1}, at {0}", .data = "offset where",
		 .why = "The engine takes the zlib stream for a count and a tree, and crashes or "
			"writes a damaged package. A tool that reads a .uz3 gets another file "
			"than one that reads a .uz.",
		 .fix = "Players: get the file from another server. Authors: compress the package "
			"with the game's own ucc compress.",
		 .spec = "uz.md#2.4")
{
	if (u->defects & UZ_ZLIB_INSIDE)
		report(c, AT_SPAN(span_end(u->name_place), 2), HEX(span_end(u->name_place)),
		       WORD("after the stored name"));
	else
		report(c, AT_SPAN(uz3_header_fixed_len, 2), HEX(uz3_header_fixed_len),
		       WORD("where a .uz3 has its own"));
}

static const struct defect_words tree_words[] = {
	{ UZ_TOTAL_CUT, "the file ends before the total" },
	{ UZ_TOTAL_NEGATIVE, "the total is negative" },
	{ UZ_TREE_CUT, "the file ends before the tree does" },
	{ UZ_TREE_WIDE, "the tree has more than 256 leaves" },
};

FILE_DEFECT_RULE(
	UZC004, huffman_tree_malformed, ERROR, UZ_NAME, uz, u,
	UZ_TOTAL_CUT | UZ_TOTAL_NEGATIVE | UZ_TREE_CUT | UZ_TREE_WIDE, .class = CLASS_CORRUPTION,
	.explains = BIT(UZ_TREE),
	.title = "The Huffman code shall begin with a total that is not negative and a whole tree "
		 "of 1 to 256 leaves.",
	.message = "{0}; the total is {1}", .data = "defect total",
	.why = "The engine reads past the end of the file, or builds the tree until "
	       "memory runs out.",
	.fix = "Players: get the file again. Authors: compress the package again.",
	.spec = "uz.md#3.1")
{
	const struct arg defect = WORD(WORDS_FOR(u->defects, tree_words));
	const uint64_t at = span_end(u->name_place);

	if (u->defects & UZ_TOTAL_NEGATIVE)
		report(c, AT(c, uz_codes, &u->codes, total), defect,
		       SIGNED((int64_t)(int32_t)u->codes.total));
	else
		report(c, AT_SPAN(at, u->size - at), defect, DEC(u->codes.total));
}

FILE_DEFECT_RULE(UZC014, tree_too_deep, ERROR, UZ_NAME, uz, u, UZ_TREE_DEEP,
		 .class = CLASS_SECURITY, .explains = BIT(UZ_TREE),
		 .title = "No leaf of the Huffman tree shall be below more than 255 nodes.",
		 .message = "the tree has a branch more than {0} {0:node|nodes} deep",
		 .data = "limit",
		 .why = "The engine reads the tree by recursion, so a file of a few kilobytes can "
			"overflow its stack and crash the game.",
		 .fix = "Players: do not use the file, because it can crash the game; get it "
			"again. Authors: compress the package again.",
		 .spec = "uz.md#3.2")
{
	report(c, data_place(u), DEC(HUFFMAN_DEPTH_MAX));
}

RULE(UZC013, single_leaf_bomb, UNDETERMINED, UZ_TREE,
     .class   = CLASS_RESOURCE, .sign = SIGN_SHARED,
     .title   = "A tree of one leaf should not stand for more bytes than the limits allow.",
     .message = "the tree is one leaf, and the total {0} is more than the limits allow",
     .data    = "total",
     .why     = "The symbol of such a tree takes no bits, so a file of 15 bytes can ask "
                "the game for 2 GiB.",
     .fix     = "Players: do not use the file, unless you know that its content is one "
                "byte repeated. To judge it all the same, raise --max-unpacked and "
                "--max-ratio.",
     .spec    = "uz.md#3.4")
{
	const struct uz *u = c->facts;

	if (u->over > 0 && is_single_leaf(u) && u->over == u->codes.total)
		report(c, AT(c, uz_codes, &u->codes, total), DEC(u->codes.total));
}

RULE(UZC010, unpacked_too_large, UNDETERMINED, UZ_TREE,
     .class   = CLASS_RESOURCE,
     .title   = "A .uz should not decompress to more bytes than the limits allow.",
     .message = "a stage of decoding would produce {0}, which is more than the limits allow",
     .data    = "length",
     .why     = "Runs alone grow to 42 times their size. Bytes past the limit were not "
                "judged, so the file may be sound or not.",
     .fix     = "Raise --max-unpacked and --max-ratio, if you trust the file.",
     .spec    = "uz.md#1.3")
{
	const struct uz *u = c->facts;

	if (u->over > 0 && !(is_single_leaf(u) && u->over == u->codes.total))
		report(c, data_place(u), SIZE(u->over));
}

FILE_DEFECT_RULE(
	UZC005, codes_mismatch, ERROR, UZ_CODES, uz, u,
	UZ_CODES_TOO_FEW | UZ_SYMBOLS_MISSING | UZ_LEFT_OVER, .class = CLASS_CORRUPTION,
	.sign = SIGN_DATA, .explains = BIT(UZ_SYMBOLS), .lesser = SEVERITY_WARNING,
	.lesser_when = "bytes are left over after the last code",
	.title = "There shall be as many codes as the total says, and the last one shall "
		 "end in the last byte of the file.",
	.message = "the file has {0} of {1} {1:symbol|symbols}, and {2} after the last one",
	.data = "symbols total left",
	.why = "Where symbols are missing, the engine stops with an assertion; most "
	       "often the download was truncated. Nothing reads bytes after the last "
	       "code.",
	.fix = "Players: get the file again. Authors: compress the package again.",
	.spec = "uz.md#3.3")
{
	if (u->defects & UZ_CODES_TOO_FEW)
		report(c, data_place(u), WORD("not all"), DEC(u->codes.total), SIZE(0));
	else if (u->defects & UZ_SYMBOLS_MISSING)
		report(c, data_place(u), DEC(u->n_symbols), DEC(u->codes.total), SIZE(0));
	else
		report_lesser(c, AT_SPAN(span_end(u->data), u->n_unused), DEC(u->n_symbols),
			      DEC(u->codes.total), SIZE(u->n_unused));
}

static const struct defect_words block_words[] = {
	{ UZ_BLOCK_HEADER_CUT, "the data ends inside its three numbers" },
	{ UZ_BLOCK_LENGTH, "its length is negative or above 262144" },
	{ UZ_BLOCK_CUT, "the data ends before its bytes do" },
};

FILE_DEFECT_RULE(
	UZC006, block_malformed, ERROR, UZ_SORTED, uz, u,
	UZ_BLOCK_HEADER_CUT | UZ_BLOCK_LENGTH | UZ_BLOCK_CUT, .class = CLASS_CORRUPTION,
	.sign = SIGN_DATA, .explains = BIT(UZ_BLOCKS),
	.title = "Each block shall have its three numbers, a length of 0 to 262144, and one byte "
		 "more than that.",
	.message = "block {0}, at {1} of the decoded symbols: {2}; its length is {3}",
	.data = "block offset defect length",
	.why = "The engine's own limit on the length is too high, and it does not check "
	       "whether it is negative: it reads and writes outside its buffers, and "
	       "crashes.",
	.fix = "Players: get the file again. Authors: compress the package again.",
	.spec = "uz.md#4.2")
{
	report(c, data_place(u), DEC(u->n_blocks), DEC(u->bad_block.at),
	       WORD(WORDS_FOR(u->defects, block_words)),
	       SIGNED((int64_t)(int32_t)u->bad_block.len));
}

FILE_DEFECT_RULE(UZC007, block_index_outside, ERROR, UZ_SORTED, uz, u,
		 UZ_BLOCK_FIRST | UZ_BLOCK_LAST, .class = CLASS_SECURITY,
		 .explains = BIT(UZ_BLOCKS),
		 .title = "The indexes First and Last of a block shall be neither negative nor "
			  "above its length.",
		 .message = "block {0}: {1} is {2}, expected 0 to the block's length of {3}",
		 .data = "block index value length",
		 .why = "The engine checks neither, and reads outside its buffer.",
		 .fix = "Players: get the file again. Authors: compress the package again.",
		 .spec = "uz.md#4.3")
{
	const struct bwt_block *b = &u->bad_block;

	if (u->defects & UZ_BLOCK_FIRST)
		report(c, data_place(u), DEC(u->n_blocks), WORD("First"),
		       SIGNED((int64_t)(int32_t)b->first), DEC(b->len));
	else
		report(c, data_place(u), DEC(u->n_blocks), WORD("Last"),
		       SIGNED((int64_t)(int32_t)b->last), DEC(b->len));
}

RULE(UZC008, block_not_full, WARNING, UZ_BLOCKS,
     .class   = CLASS_HYGIENE,
     .title   = "Every block but the last should decompress to 262144 bytes.",
     .message = "block {0} of {1} has {2}, only the last may have fewer than 262144",
     .data    = "block blocks length",
     .why     = "The game reads it all the same. The engine's own compressor fills each "
                "block before it begins another, so another tool made this file.",
     .fix     = "Players: nothing, the game reads it. Authors: nothing, if you know the "
                "tool; else compress the package with the game's own ucc compress.",
     .spec    = "uz.md#4.4")
{
	const struct uz *u = c->facts;

	if (u->short_block < u->n_blocks)
		report(c, data_place(u), DEC(u->short_block), DEC(u->n_blocks), SIZE(u->short_len));
}

FILE_DEFECT_RULE(UZC009, run_length_malformed, ERROR, UZ_RUNS, uz, u,
		 UZ_INNER_RUN_BAD | UZ_INNER_RUN_LOW | UZ_OUTER_RUN_BAD | UZ_OUTER_RUN_LOW,
		 .class = CLASS_CORRUPTION, .sign = SIGN_DATA,
		 .explains = BIT(UZ_SORTED) | BIT(UZ_CONTENT), .lesser = SEVERITY_WARNING,
		 .lesser_when = "the count is 2 to 4, which the engine reads but never writes",
		 .title = "A count of 5 to 255 shall follow five equal bytes.",
		 .message = "the run-length stage {0}, at byte {1}: the count {2}",
		 .data = "stage offset defect",
		 .why = "The engine stops with an assertion at a count below 2, and reads past "
			"the end of the data where the count is missing.",
		 .fix = "Players: get the file again. Authors: compress the package again.",
		 .spec = "uz.md#5.1")
{
	const bool is_bad = u->defects & (UZ_INNER_RUN_BAD | UZ_OUTER_RUN_BAD);
	const bool is_inner = u->defects & (is_bad ? UZ_INNER_RUN_BAD : UZ_INNER_RUN_LOW);
	const struct runs_size *runs = is_inner ? &u->inner : &u->outer;
	const struct arg stage = either(is_inner, "after the codes", "after the blocks");

	if (is_bad)
		report(c, data_place(u), stage, DEC(runs->at),
		       either(runs->fault == RUNS_CUT, "is missing", "is below 2"));
	else
		report_lesser(c, data_place(u), stage, DEC(runs->odd_at), WORD("is below 5"));
}

RULE(UZC011, content_no_package, WARNING, UZ_CONTENT,
     .class   = CLASS_COMPATIBILITY,
     .lesser  = SEVERITY_NOTE,
     .lesser_when = "the name does not have the extension of a package",
     .title   = "A .uz should decompress to a package.",
     .message = "what it decompresses to, {0}, does not begin like a package",
     .data    = "length",
     .why     = "The game downloads packages only, and refuses anything else under a "
                "package's name.",
     .fix     = "Players: get the package from another server. Authors: compress the "
                "package itself.",
     .spec    = "uz.md#1.4")
{
	const struct uz *u = c->facts;

	if (u->content.is_package || u->content.promised)
		return;
	if (u->content.named_package)
		report(c, data_place(u), SIZE(u->content.len));
	else
		report_lesser(c, data_place(u), SIZE(u->content.len));
}
