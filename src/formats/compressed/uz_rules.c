/* The rules for .uz: signature, stored name, and each stage of the code. */
#include "formats/compressed/uz.h"
#include "core/mutant.h"
#include "core/path.h"
#include "formats/compressed/uz3.h"
#include "rule/finding.h"

/* Bits straddle bytes, so what is wrong in the coded data points at all of it. */
static struct place data_place(const struct uz *u)
{
	return AT_SPAN(u->data.at, u->data.len);
}

static bool is_single_leaf(const struct uz *u)
{
	return huffman_is_single(u->huffman);
}

RULE(UZC001, signature_unknown, ERROR, UZ_FILE,
     .class   = CLASS_CORRUPTION, .explains = BIT(UZ_SIGNATURE),
     .lesser  = SEVERITY_UNDETERMINED,
     .lesser_when = "the file has the header of Unreal 227's zlib form, which uvet does not read",
     .title   = "A .uz shall begin with the signature 1234 or 5678.",
     .message = "signature {0}{1}",
     .data    = "signature reason",
     .why     = "The game deletes the download and shows an error; most often the server sent an empty file, a web page, or a "
		"package that was only renamed.",
     .fix     = "Get the file again, or compress the package again.",
     .spec    = "uz.md#2.1")
{
	const struct uz *u = c->facts;
	struct place place = AT_SPAN(0, u->size < uz_header_fixed_len ? u->size : uz_header_fixed_len);

	if (u->kind == UZ_KIND_227)
		fail_lesser(c, place, HEX(u->header.signature), WORD(": the form of Unreal 227, which uvet does not read"));
	else if (u->kind == UZ_KIND_CUT)
		fail(c, place, HEX(u->header.signature), WORD(", the file ends before four bytes of it"));
	else if (u->kind == UZ_KIND_NONE && unpacked_is_tag(u->header.signature))
		fail(c, place, HEX(u->header.signature), WORD(", which is a package's: it was not compressed"));
	else if (u->kind == UZ_KIND_NONE)
		fail(c, place, HEX(u->header.signature), WORD(", it shall be 1234 (0x4D2) or 5678 (0x162E)"));
}

static const char *name_defect(const struct uz *u)
{
	static const char *const words[] = {
		[UZ_NAME_UNREADABLE] = "cannot be read", [UZ_NAME_COUNT_ZERO] = "has a count of 0",
		[UZ_NAME_TOO_LONG] = "is longer than 256 characters with its NUL", [UZ_NAME_UNTERMINATED] = "does not end in NUL",
		[UZ_NAME_EMPTY] = "is empty", [UZ_NAME_INNER_NUL] = "has a NUL before its end", [UZ_NAME_FOLDER] = "has a separator",
	};

	if (u->is_like_uz3)
		return "is none, for the file begins as a .uz3 does";
	return u->name_form == UZ_NAME_UNSAFE ? path_danger(u->name_traits) : words[u->name_form];
}

RULE(UZC002, name_bad, ERROR, UZ_SIGNATURE,
     .class   = CLASS_SECURITY, .explains = BIT(UZ_NAME),
     .title   = "The stored name shall be a counted text of 1 to 255 characters and a NUL, and the plain name of a file.",
     .message = "the stored name {0}: {1}",
     .data    = "defect name",
     .why     = "Decompressors create the file under this name: a folder in it leads outside the one that they write to.",
     .fix     = "Compress the package again.",
     .spec    = "uz.md#2.2")
{
	const struct uz *u = c->facts;

	if (u->name_form != UZ_NAME_SOUND)
		fail(c, AT_SPAN(u->name_place.at, u->name_place.len), WORD(name_defect(u)), TEXT(u->original.name));
}

RULE(UZC003, name_mismatch, WARNING, UZ_NAME,
     .class   = CLASS_HYGIENE,
     .title   = "The stored name should be that of the .uz without its last extension.",
     .message = "the stored name is {0}, which is not what the file is named after",
     .data    = "name",
     .why     = "The game asks a redirect server for the package by the .uz's name, but decompressors write the stored one.",
     .fix     = "Name the file after the package, or compress the package again.",
     .spec    = "uz.md#2.3")
{
	const struct uz *u = c->facts;

	if (u->name_differs)
		fail(c, AT(c, uz_original, &u->original, name), TEXT(u->original.name));
}

RULE(UZC012, zlib_inside, ERROR, UZ_NAME,
     .class   = CLASS_COMPATIBILITY, .explains = BIT(UZ_TREE),
     .title   = "Behind the stored name shall stand the engine's own code, not a zlib stream, nor one where a .uz3 has it.",
     .message = "a zlib stream begins {1}, at {0}",
     .data    = "offset where",
     .why     = "The engine takes its first bytes for a count and a tree, and crashes or gives nonsense; where the file is a .uz3 as well, "
		"who reads that gets another file.",
     .fix     = "Compress the package with the game's own ucc compress.",
     .spec    = "uz.md#2.4")
{
	const struct uz *u = c->facts;

	if (u->tree_form == UZ_TREE_IS_ZLIB)
		fail(c, AT_SPAN(span_end(u->name_place), 2), HEX(span_end(u->name_place)), WORD("after the stored name"));
	else if (u->tree_form == UZ_TREE_IS_UZ3)
		fail(c, AT_SPAN(uz3_header_fixed_len, 2), HEX(uz3_header_fixed_len), WORD("where a .uz3 has its own"));
}

static const char *tree_defect(enum uz_tree_form form)
{
	switch (form) {
	case UZ_TREE_TOTAL_CUT: return "the file ends before the total";
	case UZ_TREE_TOTAL_NEGATIVE: return "the total is negative";
	case UZ_TREE_CUT: return "the file ends before the tree does";
	case UZ_TREE_WIDE: return "the tree has more than 256 leaves";
	default: return NULL;
	}
}

RULE(UZC004, tree_bad, ERROR, UZ_NAME,
     .class   = CLASS_CORRUPTION, .explains = BIT(UZ_TREE),
     .title   = "The Huffman code shall begin with a total that is not negative and a whole tree of 1 to 256 leaves.",
     .message = "{0}; the total is {1}",
     .data    = "defect total",
     .why     = "The engine reads on behind the end, or builds a tree until memory ends.",
     .fix     = "Get the file again; if it still fails, compress the package again.",
     .spec    = "uz.md#3.1")
{
	const struct uz *u = c->facts;
	const char *defect = tree_defect(u->tree_form);
	struct span at = { span_end(u->name_place), u->size - span_end(u->name_place) };

	if (u->tree_form == UZ_TREE_TOTAL_NEGATIVE)
		fail(c, AT(c, uz_codes, &u->codes, total), WORD(defect), SIGNED((int64_t)(int32_t)u->codes.total));
	else if (defect)
		fail(c, AT_SPAN(at.at, at.len), WORD(defect), DEC(u->codes.total));
}

RULE(UZC014, tree_too_deep, ERROR, UZ_NAME,
     .class   = CLASS_SECURITY, .explains = BIT(UZ_TREE),
     .title   = "No leaf of the Huffman tree shall lie below more than 255 nodes.",
     .message = "the tree has a branch more than {0} {0:node|nodes} deep",
     .data    = "limit",
     .why     = "The engine reads the tree by recursion: a file of a few kilobytes can use up its stack.",
     .fix     = "Reject the file: no compressor writes this.",
     .spec    = "uz.md#3.2")
{
	const struct uz *u = c->facts;

	if (u->tree_form == UZ_TREE_DEEP)
		fail(c, data_place(u), DEC(HUFFMAN_DEPTH_MAX));
}

RULE(UZC013, single_leaf_bomb, UNDETERMINED, UZ_TREE,
     .class   = CLASS_RESOURCE,
     .title   = "A tree of one leaf should not stand for more bytes than the limits allow.",
     .message = "the tree is one leaf, and the total {0} is more than the limits allow",
     .data    = "total",
     .why     = "Its symbols take no bits, so a file of 15 bytes can ask for 2 GiB; the engine tries.",
     .fix     = "Reject the file, or raise max-unpacked and max-ratio if it is known to be honest.",
     .spec    = "uz.md#3.4")
{
	const struct uz *u = c->facts;

	if (u->over > 0 && is_single_leaf(u) && u->over == u->codes.total)
		fail(c, AT(c, uz_codes, &u->codes, total), DEC(u->codes.total));
}

RULE(UZC010, unpacked_too_large, UNDETERMINED, UZ_TREE,
     .class   = CLASS_RESOURCE,
     .title   = "A .uz should not give more bytes than the limits allow.",
     .message = "a stage of decoding would produce {0}, which is more than the limits allow",
     .data    = "length",
     .why     = "Runs alone grow to 42 times their size; what lies beyond the limit was not judged.",
     .fix     = "Raise max-unpacked and max-ratio if the file is known to be honest.",
     .spec    = "uz.md#1.3")
{
	const struct uz *u = c->facts;

	if (u->over > 0 && !(is_single_leaf(u) && u->over == u->codes.total))
		fail(c, data_place(u), SIZE(u->over));
}

RULE(UZC005, codes_mismatch, ERROR, UZ_CODES,
     .class   = CLASS_CORRUPTION, .explains = BIT(UZ_SYMBOLS),
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "bytes are left over behind the last code",
     .title   = "The codes shall be as many as the total says, and end in the last byte of the file.",
     .message = "the file has {0} of {1} {1:symbol|symbols}, and {2} after the last one",
     .data    = "symbols total left",
     .why     = "Where symbols are missing the download was most often cut, and the engine stops with an assertion; bytes after them are "
		"looked at by nobody.",
     .fix     = "Download it again; if it still fails, compress the package again.",
     .spec    = "uz.md#3.3")
{
	const struct uz *u = c->facts;

	if (u->too_many_symbols)
		fail(c, data_place(u), WORD("not all"), DEC(u->codes.total), SIZE(0));
	else if (u->n_symbols < u->codes.total)
		fail(c, data_place(u), DEC(u->n_symbols), DEC(u->codes.total), SIZE(0));
	else if (u->n_unused > (uint64_t)MUTANT(54))                    /* mutant: one byte may be left over */
		fail_lesser(c, AT_SPAN(span_end(u->data), u->n_unused), DEC(u->n_symbols), DEC(u->codes.total), SIZE(u->n_unused));
}

static const char *block_defect(enum bwt_fault fault)
{
	switch (fault) {
	case BWT_HEADER_CUT: return "the data ends inside its three numbers";
	case BWT_LENGTH: return "its length is negative or above 262144";
	case BWT_CUT: return "the data ends before its bytes do";
	default: return NULL;
	}
}

RULE(UZC006, block_bad, ERROR, UZ_SORTED,
     .class   = CLASS_CORRUPTION, .explains = BIT(UZ_BLOCKS),
     .title   = "Each block shall have its three numbers, a length of 0 to 262144, and one byte more than that.",
     .message = "block {0}, at {1} of the decoded symbols: {2}; its length is {3}",
     .data    = "block offset defect length",
     .why     = "The engine's own limit on the length is too high, and it never asks whether it is negative: it reads and writes "
		"outside its buffers.",
     .fix     = "Get the file again; if it still fails, compress the package again.",
     .spec    = "uz.md#4.2")
{
	const struct uz *u = c->facts;
	const char *defect = block_defect(u->block_fault);

	if (defect)
		fail(c, data_place(u), DEC(u->n_blocks), DEC(u->bad_block.at), WORD(defect), SIGNED((int64_t)(int32_t)u->bad_block.len));
}

RULE(UZC007, block_index_outside, ERROR, UZ_SORTED,
     .class   = CLASS_SECURITY, .explains = BIT(UZ_BLOCKS),
     .title   = "The indexes First and Last of a block shall not be negative or above its length.",
     .message = "block {0}: {1} is {2}, the block's length is {3}",
     .data    = "block index value length",
     .why     = "The engine checks neither, and reads outside its buffer.",
     .fix     = "Reject the file: no compressor writes this.",
     .spec    = "uz.md#4.3")
{
	const struct uz *u = c->facts;
	const struct bwt_block *b = &u->bad_block;

	if (u->block_fault == BWT_FIRST)
		fail(c, data_place(u), DEC(u->n_blocks), WORD("First"), SIGNED((int64_t)(int32_t)b->first), DEC(b->len));
	else if (u->block_fault == BWT_LAST)
		fail(c, data_place(u), DEC(u->n_blocks), WORD("Last"), SIGNED((int64_t)(int32_t)b->last), DEC(b->len));
}

RULE(UZC008, block_not_full, WARNING, UZ_BLOCKS,
     .class   = CLASS_HYGIENE,
     .title   = "Every block but the last should give 262144 bytes.",
     .message = "block {0} of {1} has {2}, only the last may have fewer than 262144",
     .data    = "block blocks length",
     .why     = "The engine fills each block before it begins another; this file was made by something else.",
     .fix     = "Nothing, if the tool is known.",
     .spec    = "uz.md#4.4")
{
	const struct uz *u = c->facts;

	if (u->short_block < u->n_blocks)
		fail(c, data_place(u), DEC(u->short_block), DEC(u->n_blocks), SIZE(u->short_len));
}

/* The stage whose runs are to blame, and whose bytes they are. */
static const struct runs_size *bad_runs(const struct uz *u, const char **stage)
{
	*stage = u->inner_broken ? "after the codes" : "after the blocks";
	return u->inner_broken ? &u->inner : &u->outer;
}

static bool has_odd_count(const struct runs_size *s, uint64_t n)
{
	return s->odd_at < n;
}

RULE(UZC009, run_bad, ERROR, UZ_RUNS,
     .class   = CLASS_CORRUPTION, .explains = BIT(UZ_SORTED) | BIT(UZ_CONTENT),
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "the count is 2 to 4, which the engine reads but never writes",
     .title   = "Behind five equal bytes shall stand a count of 5 to 255.",
     .message = "the run-length stage {0}, at byte {1}: the count {2}",
     .data    = "stage offset defect",
     .why     = "The engine stops with an assertion at a count below 2, and reads behind the end for one that is missing.",
     .fix     = "Get the file again; if it still fails, compress the package again.",
     .spec    = "uz.md#5.1")
{
	const struct uz *u = c->facts;
	const char *stage;
	const struct runs_size *runs = bad_runs(u, &stage);

	if (runs->fault != RUNS_FINE)
		fail(c, data_place(u), WORD(stage), DEC(runs->at), either(runs->fault == RUNS_CUT, "is missing", "is below 2"));
	else if (u->kind == UZ_KIND_NEW && has_odd_count(&u->inner, u->n_symbols))
		fail_lesser(c, data_place(u), WORD("after the codes"), DEC(u->inner.odd_at), WORD("is below 5"));
	else if (has_odd_count(&u->outer, u->blocks_len))
		fail_lesser(c, data_place(u), WORD(stage), DEC(u->outer.odd_at), WORD("is below 5"));
}

RULE(UZC011, content_no_package, WARNING, UZ_CONTENT,
     .class   = CLASS_COMPATIBILITY,
     .lesser  = SEVERITY_NOTE,
     .lesser_when = "the name does not have the extension of a package",
     .title   = "What a .uz gives should be a package.",
     .message = "what it decompresses to, {0}, does not begin like a package",
     .data    = "length",
     .why     = "The game downloads packages only; it refuses anything else under a package's name.",
     .fix     = "Compress the package itself.",
     .spec    = "uz.md#1.4")
{
	const struct uz *u = c->facts;

	if (u->content.is_package || u->content.promised)
		return;
	if (u->content.named_package)
		fail(c, data_place(u), SIZE(u->content.len));
	else
		fail_lesser(c, data_place(u), SIZE(u->content.len));
}
