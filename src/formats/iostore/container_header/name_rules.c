/* The rules for names: batches, and each name in them. */
#include "formats/iostore/container_header/place_rules.h"

static bool is_ue4(const struct container_header *h)
{
	return h->version <= CONTAINER_INITIAL;
}

/* ---- Batches --------------------------------------------------------------------------------- */

RULE(CHD008, names_in_old_header, WARNING, CONTAINER_HEAD,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A container header of Unreal Engine 4 should have no names of its own.",
     .message = "the container header has {0} of names, expected none",
     .data    = "length",
     .why     = "No engine or tool is known that writes any, so it is not known how the "
                "game reads them.",
     .fix     = "Players: nothing, if the mod works. Authors: nothing, if you know the "
                "tool; else pack it again.",
     .spec    = "iostore.md#8.8")
{
	const struct container_header *h = container_header_of(c);
	const struct container_part *p = &h->walk.parts[PART_NAMES];

	if (h->held.bytes && is_ue4(h) && p->is_there && p->len > 0)
		report(c, IN_HEADER_ONE(c, container_count, p->count_at, count, "names"),
		       SIZE(p->len));
}

RULE(CHD009, name_hashes_size, ERROR, CONTAINER_HEAD,
     .class   = CLASS_CORRUPTION,
     .title   = "The hashes of names shall have 8 bytes for the id of their algorithm, and 8 for "
                "each name.",
     .message = "the hashes of names have {0}, expected a multiple of 8 above 0",
     .data    = "length",
     .why     = "The engine takes the first 8 bytes for the id of the algorithm and each "
                "8 after them for a hash, and reads past the end.",
     .fix     = "Players: get the mod again. Authors: pack it again.",
     .spec    = "iostore.md#8.9")
{
	const struct container_header *h = container_header_of(c);
	const struct container_part *p = &h->walk.parts[PART_HASHES];

	if (p->is_there && h->names.hashes_odd)
		report(c, IN_HEADER_ONE(c, container_count, p->count_at, count, "name_hashes"),
		       SIZE(p->len));
}

RULE(NAM001, names_outside, ERROR, CONTAINER_HEAD,
     .class   = CLASS_SECURITY, .explains = BIT(CONTAINER_NAMES),
     .title   = "A batch of names shall fit into the bytes that are left: 16, 10 for each "
                "name, and the characters.",
     .message = "a batch of {0} {0:name|names} should take {1} from byte {2} on, which is "
                "out of range: {3} {3:is|are} left",
     .data    = "names wanted at left",
     .why     = "Engines make room for the count without a check, and read past the end.",
     .fix     = "Players: get the mod again. Authors: pack it again if it still fails.",
     .spec    = "iostore.md#9.1")
{
	const struct container_header *h = container_header_of(c);
	const struct container_walk *w = &h->walk;
	const struct container_part *p = &w->parts[PART_NAMES];

	if (h->held.bytes && w->cut == PART_NAMES && !is_ue4(h))
		report(c,
		       header_place(c, p->count_at,
				    h->held.len - p->count_at < 4 ? h->held.len - p->count_at : 4),
		       DEC(p->n), SIZE(w->cut_wants), DEC(w->cut_at), SIZE(w->cut_left));
}

RULE(NAM002, name_bytes_differ, ERROR, CONTAINER_HEAD,
     .class   = CLASS_SECURITY, .explains = BIT(CONTAINER_NAMES),
     .title   = "The characters of all names of a batch shall have as many bytes as it says.",
     .message = "a batch has {0} of characters, but its {2} {2:name claims|names claim} {1}",
     .data    = "length sum names",
     .why     = "Engines read each name after the one before, and in the end past the end "
                "of the batch.",
     .fix     = "Players: get the mod again. Authors: pack it again if it still fails.",
     .spec    = "iostore.md#9.2")
{
	const struct container_header *h = container_header_of(c);
	const struct container_part *p = &h->walk.parts[PART_NAMES];

	if (h->held.bytes && !is_ue4(h) && h->names.at && h->names.sum != h->names.n_bytes)
		report(c, IN_HEADER_ONE(c, zen_name_batch, p->count_at, n_bytes, "names"),
		       SIZE(h->names.n_bytes), SIZE(h->names.sum), DEC(h->names.n));
}

RULE(NAM003, name_algorithm_unknown, WARNING, CONTAINER_NAMES,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The hashes of names should be made by the algorithm 0xC1640000.",
     .message = "the hashes of names are made by the algorithm {0}, expected 0xC1640000",
     .data    = "algorithm",
     .why     = "The engine ignores the hashes and computes them itself; tools refuse the "
                "file.",
     .fix     = "Players: nothing, if the game loads it. Authors: pack it again with the "
                "packer of the game's engine.",
     .spec    = "iostore.md#9.3")
{
	const struct container_header *h = container_header_of(c);
	const bool has_any = is_ue4(h) ? h->walk.parts[PART_HASHES].len >= zen_name_hash_fixed_len
				       : h->names.n > 0;

	if (h->held.bytes && has_any && h->names.algorithm != CONTAINER_HASH_ALGORITHM)
		report(c,
		       IN_HEADER_ONE(c, zen_name_hash, h->names.algorithm_at, hash,
				     "name_algorithm"),
		       HEX(h->names.algorithm));
}

RULE(NAM009, names_end_elsewhere, ERROR, CONTAINER_HEAD,
     .class   = CLASS_SECURITY, .explains = BIT(CONTAINER_NAMES),
     .title   = "The names of Unreal Engine 4 shall end exactly where their size says.",
     .message = "the name at byte {0} is truncated where the {1} of names end: {2} "
                "{2:is|are} left for it",
     .data    = "at length left",
     .why     = "Engines read each name after the one before, and in the end past the end "
                "of all names.",
     .fix     = "Players: get the mod again. Authors: pack it again if it still fails.",
     .spec    = "iostore.md#9.9")
{
	const struct container_header *h = container_header_of(c);
	const struct container_part *p = &h->walk.parts[PART_NAMES];
	const uint64_t left = p->at + p->len - h->names.walk_end;

	if (h->names.overrun)
		report(c, header_place(c, h->names.walk_end, left), DEC(h->names.walk_end),
		       SIZE(p->len), SIZE(left));
}

RULE(NAM010, name_hash_count_mismatch, ERROR, CONTAINER_HEAD,
     .class   = CLASS_CORRUPTION,
     .title   = "There shall be a hash for each name.",
     .message = "the count of names is {0}, that of hashes {1}",
     .data    = "names hashes",
     .why     = "Engines make room for one name for each hash, and read past the end of "
                "the shorter list.",
     .fix     = "Players: get the mod again. Authors: pack it again.",
     .spec    = "iostore.md#9.10")
{
	const struct container_header *h = container_header_of(c);
	const struct container_part *p = &h->walk.parts[PART_HASHES];

	if (h->held.bytes && is_ue4(h) && p->is_there && !h->names.overrun &&
	    h->names.n_hashes != h->names.n)
		report(c, IN_HEADER_ONE(c, container_count, p->count_at, count, "name_hashes"),
		       DEC(h->names.n), DEC(h->names.n_hashes));
}

/* ---- Names ----------------------------------------------------------------------------------- */

static struct place text_place(const struct check *c, const struct container_name *n)
{
	struct place p = header_place(c, n->at, n->wide ? n->n_units * 2 : n->n_units);

	p.record = "name";
	p.index = n->index;
	return p;
}

static struct place head_place(const struct check *c, const struct container_name *n)
{
	struct place p = header_place(c, n->head_at, zen_name_head_fixed_len);

	p.record = "name";
	p.field = "length";
	p.index = n->index;
	return p;
}

DEFECT_RULE(NAM004, name_too_long, ERROR, CONTAINER_NAME_ROWS, n, BATCH_LONG,
     .class   = CLASS_SECURITY,
     .title   = "A name shall have at most 1023 characters.",
     .message = "name {0} has {1} {1:character|characters}, at most 1023 are possible",
     .data    = "name length",
     .why     = "Engines copy names into a buffer of 1024 without a check of their "
                "length, and the game crashes.",
     .fix     = "Players: do not load the mod, because it can crash the game; get it "
                "again. Authors: pack it again with the packer of the game's engine.",
     .spec    = "iostore.md#9.4")
{
	report(c, head_place(c, n), DEC(n->index), DEC(n->n_units));
}

DEFECT_RULE(NAM005, mapped_name_empty, WARNING, CONTAINER_NAME_ROWS, n, BATCH_EMPTY,
     .class   = CLASS_CORRUPTION,
     .title   = "A name should not be empty.",
     .message = "name {0} is empty",
     .data    = "name",
     .why     = "The engine writes even the name None as its letters, so an empty name "
                "may stand in place of another one.",
     .fix     = "Players: get the mod again, if it does not work. Authors: pack it again.",
     .spec    = "iostore.md#9.5")
{
	report(c, head_place(c, n), DEC(n->index));
}

DEFECT_RULE(NAM006, name_hash_mismatch, WARNING, CONTAINER_NAME_ROWS, n, BATCH_HASH,
     .class   = CLASS_CORRUPTION, .sign = SIGN_DATA,
     .title   = "The hash of a name should be CityHash64 of its characters, with ASCII "
                "letters in lower case.",
     .message = "name {0} has the hash {1}, expected CityHash64 of its characters",
     .data    = "name hash",
     .why     = "The engine goes by the hash, and then does not find the name: an asset "
                "or a property is missing.",
     .fix     = "Players: get the mod again, if it does not work. Authors: pack it again; "
                "a tool that changes a name has to change its hash.",
     .spec    = "iostore.md#9.6")
{
	struct place p;

	p = header_place(c, n->hash_at, zen_name_hash_fixed_len);
	p.record = "name";
	p.field = "hash";
	p.index = n->index;
	report(c, p, DEC(n->index), HEX(n->hash));
}

DEFECT_RULE(NAM007, mapped_name_repeated, WARNING, CONTAINER_NAME_ROWS, n, BATCH_REPEATED,
     .class   = CLASS_HYGIENE,
     .title   = "No name in a batch should be a duplicate, byte for byte.",
     .message = "name {0} is a duplicate of an earlier one",
     .data    = "name",
     .why     = "It does no harm. Engines write each name once, so another tool made this "
                "batch.",
     .fix     = "Players: nothing needs to be done. Authors: nothing, if you know the "
                "tool; else pack it again.",
     .spec    = "iostore.md#9.7")
{
	report(c, text_place(c, n), DEC(n->index));
}

DEFECT_RULE(NAM008, name_width_mismatch, WARNING, CONTAINER_NAME_ROWS, n, BATCH_ENCODING,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The characters of a name should have two bytes only where they need it, and one "
                "byte only where they are ASCII.",
     .message = "name {0} has {1}",
     .data    = "name what",
     .why     = "Engines hash the bytes, so the same name in another width is another "
                "name to them, and they do not find it.",
     .fix     = "Players: get the mod again, if it does not work. Authors: pack it again.",
     .spec    = "iostore.md#9.8")
{
	report(c, text_place(c, n), DEC(n->index),
	       either(n->wide, "two bytes a character, and all are ASCII",
		      "one byte a character, and not all are ASCII"));
}

DEFECT_RULE(NAM012, name_characters, WARNING, CONTAINER_NAME_ROWS, n, BATCH_BROKEN,
     .class   = CLASS_SECURITY,
     .title   = "A name should have no NUL in it and no half of a surrogate pair.",
     .message = "name {0} has a NUL in it, or half of a surrogate pair",
     .data    = "name",
     .why     = "Tools show and compare only the part before it, or refuse the name.",
     .fix     = "Players: nothing, if the mod works. Authors: rename the asset, cook and "
                "pack it again.",
     .spec    = "iostore.md#9.12")
{
	report(c, text_place(c, n), DEC(n->index));
}
