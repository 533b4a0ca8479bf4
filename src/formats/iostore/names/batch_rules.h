/* The rules for batches of names and for each name in them: one text for all who have batches.
 *
 * A *_rules.c includes it after it has defined
 *
 *     NAMES_ID(NAM001)  the rule's symbol: NAM001, or NAM001_zen for a RULE_AGAIN (rule/ids.h)
 *     NAMES_BATCHES     the table of batches (struct name_batch)
 *     NAMES_ROWS        that of names (struct name_row)
 *     NAMES_GROUP       the group whose stop a batch that cannot be read explains
 *     NAMES_PLACE(c, b, at, len)       where bytes of a batch are stored
 *     NAMES_HASH_PLACE(c, b, at, len)  likewise those of its hashes
 *     NAMES_HASHES_PLACE(c, b)         what says how many hashes there are; of UE4
 *
 * The table of batches belongs to a group that is there where NAMES_GROUP is not. NAM011 and NAM013
 * are only about packages: package_name_rules.h has their texts. */
#include "formats/iostore/names/names.h"
#include "rule/finding.h"

/* DEFECT_RULE for arguments that are macros themselves. */
#define NAMES_RULE(ID, NAME, SEVERITY, TABLE, ...) \
	DEFECT_RULE(ID, NAME, SEVERITY, TABLE, __VA_ARGS__)

static struct place named(struct place p, const char *record, const char *field, uint64_t index)
{
	p.record = record;
	p.field = field;
	p.index = index;
	return p;
}

/* ---- Batches --------------------------------------------------------------------------------- */

NAMES_RULE(NAMES_ID(NAM001), names_outside, ERROR, NAMES_BATCHES, b, BATCH_OUTSIDE,
	   .class = CLASS_SECURITY, .explains = BIT(NAMES_GROUP),
	   .title = "A batch of names shall fit into the bytes that are left: 16, 10 for each "
		    "name, and the characters.",
	   .message = "a batch of {0} {0:name|names} should take {1} from byte {2} on, which is "
		      "out of range: {3} {3:is|are} left",
	   .data = "names wanted at left",
	   .why = "Engines make room for the count without a check, and read past the end.",
	   .fix = "Players: get the mod again. Authors: pack it again if it still fails.",
	   .spec = "iostore.md#9.1")
{
	const uint64_t left = b->held.len - b->start;

	report(c, NAMES_PLACE(c, b, b->start, left < 4 ? left : 4), DEC(b->n), SIZE(b->cut_wants),
	       DEC(b->cut_at), SIZE(b->cut_left));
}

NAMES_RULE(NAMES_ID(NAM002), name_bytes_differ, ERROR, NAMES_BATCHES, b, BATCH_SUM,
	   .class = CLASS_SECURITY, .explains = BIT(NAMES_GROUP),
	   .title = "The characters of all names of a batch shall have as many bytes as it says.",
	   .message = "a batch has {0} of characters, but its {2} {2:name claims|names claim} {1}",
	   .data = "length sum names",
	   .why = "Engines read each name after the one before, and in the end past the end "
		  "of the batch.",
	   .fix = "Players: get the mod again. Authors: pack it again if it still fails.",
	   .spec = "iostore.md#9.2")
{
	report(c, named(NAMES_PLACE(c, b, b->start + 4, 4), "names", "n_bytes", PLACE_NO_INDEX),
	       SIZE(b->n_bytes), SIZE(b->sum), DEC(b->n));
}

NAMES_RULE(NAMES_ID(NAM003), name_algorithm_unknown, WARNING, NAMES_BATCHES, b, BATCH_ALGORITHM,
	   .class = CLASS_COMPATIBILITY,
	   .title = "The hashes of names should be made by the algorithm 0xC1640000.",
	   .message = "the hashes of names are made by the algorithm {0}, expected 0xC1640000",
	   .data = "algorithm",
	   .why = "The engine ignores the hashes and computes them itself; tools refuse the "
		  "file.",
	   .fix = "Players: nothing, if the game loads it. Authors: pack it again with the "
		  "packer of the game's engine.",
	   .spec = "iostore.md#9.3")
{
	report(c,
	       named(NAMES_HASH_PLACE(c, b, b->algorithm_at, 8), "name_algorithm", "hash",
		     PLACE_NO_INDEX),
	       HEX(b->algorithm));
}

NAMES_RULE(NAMES_ID(NAM009), names_end_elsewhere, ERROR, NAMES_BATCHES, b, BATCH_OVERRUN,
	   .class = CLASS_SECURITY, .explains = BIT(NAMES_GROUP),
	   .title = "The names of Unreal Engine 4 shall end exactly where their size says.",
	   .message = "the name at byte {0} is truncated where the {1} of names end: {2} "
		      "{2:is|are} left for it",
	   .data = "at length left",
	   .why = "Engines read each name after the one before, and in the end past the end "
		  "of all names.",
	   .fix = "Players: get the mod again. Authors: pack it again if it still fails.",
	   .spec = "iostore.md#9.9")
{
	const uint64_t left = b->end - b->walk_end;

	report(c, NAMES_PLACE(c, b, b->walk_end, left), DEC(b->walk_end), SIZE(b->n_bytes),
	       SIZE(left));
}

NAMES_RULE(NAMES_ID(NAM010), name_hash_count_mismatch, ERROR, NAMES_BATCHES, b, BATCH_HASHES,
	   .class = CLASS_CORRUPTION, .title = "There shall be a hash for each name.",
	   .message = "the count of names is {0}, that of hashes {1}", .data = "names hashes",
	   .why = "Engines make room for one name for each hash, and read past the end of "
		  "the shorter list.",
	   .fix = "Players: get the mod again. Authors: pack it again.", .spec = "iostore.md#9.10")
{
	report(c, NAMES_HASHES_PLACE(c, b), DEC(b->n), DEC(b->n_hashes));
}

/* ---- Names ----------------------------------------------------------------------------------- */

static struct place text_place(const struct check *c, const struct name_row *n)
{
	return named(NAMES_PLACE(c, n->batch, n->at, name_bytes(n).len), "name", NULL, n->index);
}

static struct place head_place(const struct check *c, const struct name_row *n)
{
	return named(NAMES_PLACE(c, n->batch, n->head_at, zen_name_head_fixed_len), "name",
		     "length", n->index);
}

NAMES_RULE(NAMES_ID(NAM004), name_too_long, ERROR, NAMES_ROWS, n, NAME_LONG,
	   .class = CLASS_SECURITY, .title = "A name shall have at most 1023 characters.",
	   .message = "name {0} has {1} {1:character|characters}, at most 1023 are possible",
	   .data = "name length",
	   .why = "Engines copy names into a buffer of 1024 without a check of their "
		  "length, and the game crashes.",
	   .fix = "Players: do not load the mod, because it can crash the game; get it "
		  "again. Authors: pack it again with the packer of the game's engine.",
	   .spec = "iostore.md#9.4")
{
	report(c, head_place(c, n), DEC(n->index), DEC(n->n_units));
}

NAMES_RULE(NAMES_ID(NAM005), mapped_name_empty, WARNING, NAMES_ROWS, n, NAME_EMPTY,
	   .class = CLASS_CORRUPTION, .title = "A name should not be empty.",
	   .message = "name {0} is empty", .data = "name",
	   .why = "The engine writes even the name None as its letters, so an empty name "
		  "may stand in place of another one.",
	   .fix = "Players: get the mod again, if it does not work. Authors: pack it again.",
	   .spec = "iostore.md#9.5")
{
	report(c, head_place(c, n), DEC(n->index));
}

NAMES_RULE(NAMES_ID(NAM006), name_hash_mismatch, WARNING, NAMES_ROWS, n, NAME_HASH,
	   .class = CLASS_CORRUPTION, .sign = SIGN_DATA,
	   .title = "The hash of a name should be CityHash64 of its characters, with ASCII "
		    "letters in lower case.",
	   .message = "name {0} has the hash {1}, expected CityHash64 of its characters",
	   .data = "name hash",
	   .why = "The engine goes by the hash, and then does not find the name: an asset "
		  "or a property is missing.",
	   .fix = "Players: get the mod again, if it does not work. Authors: pack it again; "
		  "a tool that changes a name has to change its hash.",
	   .spec = "iostore.md#9.6")
{
	report(c,
	       named(NAMES_HASH_PLACE(c, n->batch, n->hash_at, zen_name_hash_fixed_len), "name",
		     "hash", n->index),
	       DEC(n->index), HEX(n->hash));
}

NAMES_RULE(NAMES_ID(NAM007), mapped_name_repeated, WARNING, NAMES_ROWS, n, NAME_REPEATED,
	   .class = CLASS_HYGIENE,
	   .title = "No name in a batch should be a duplicate, byte for byte.",
	   .message = "name {0} is a duplicate of an earlier one", .data = "name",
	   .why = "It does no harm. Engines write each name once, so another tool made this "
		  "batch.",
	   .fix = "Players: nothing needs to be done. Authors: nothing, if you know the "
		  "tool; else pack it again.",
	   .spec = "iostore.md#9.7")
{
	report(c, text_place(c, n), DEC(n->index));
}

NAMES_RULE(
	NAMES_ID(NAM008), name_width_mismatch, WARNING, NAMES_ROWS, n, NAME_ENCODING,
	.class = CLASS_COMPATIBILITY,
	.title = "The characters of a name should have two bytes only where they need it, and one "
		 "byte only where they are ASCII.",
	.message = "name {0} has {1}", .data = "name what",
	.why = "Engines hash the bytes, so the same name in another width is another "
	       "name to them, and they do not find it.",
	.fix = "Players: get the mod again, if it does not work. Authors: pack it again.",
	.spec = "iostore.md#9.8")
{
	report(c, text_place(c, n), DEC(n->index),
	       either(n->wide, "two bytes a character, and all are ASCII",
		      "one byte a character, and not all are ASCII"));
}

NAMES_RULE(NAMES_ID(NAM012), name_characters, WARNING, NAMES_ROWS, n, NAME_BROKEN,
	   .class = CLASS_SECURITY,
	   .title = "A name should have no NUL in it and no half of a surrogate pair.",
	   .message = "name {0} has a NUL in it, or half of a surrogate pair", .data = "name",
	   .why = "Tools show and compare only the part before it, or refuse the name.",
	   .fix = "Players: nothing, if the mod works. Authors: rename the asset, cook and "
		  "pack it again.",
	   .spec = "iostore.md#9.12")
{
	report(c, text_place(c, n), DEC(n->index));
}
