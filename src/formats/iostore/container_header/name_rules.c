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
     .message = "the container header has {0} of names",
     .data    = "length",
     .why     = "No engine or tool is known that writes any, so readers of them were hardly tried.",
     .fix     = "Nothing, if the tool is known.",
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
     .message = "the hashes of names have {0}, which is no multiple of 8 above 0",
     .data    = "length",
     .why     = "The engine takes the first 8 for the id of the algorithm, and each 8 behind them "
                "for a hash.",
     .fix     = "Pack the mod again.",
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
     .title   = "A batch of names shall fit the bytes that are left: 16, 10 for each name, and the "
                "characters.",
     .message = "a batch of {0} {0:name|names} should take {1} from byte {2} on, where {3} "
                "{3:is|are} left",
     .data    = "names wanted at left",
     .why     = "Engines make room for what is counted, and read behind the end.",
     .fix     = "Get the mod again; if it still fails, its author must pack it again.",
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
     .why     = "Engines read each name behind the one before, and at last behind the end of the "
                "batch.",
     .fix     = "Get the mod again; if it still fails, its author must pack it again.",
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
     .message = "the hashes of names are made by the algorithm {0}, the engine uses 0xC1640000",
     .data    = "algorithm",
     .why     = "The engine ignores the hashes and computes them itself; tools stop.",
     .fix     = "Pack the mod again.",
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
     .message = "the name at byte {0} is cut off where the {1} of names end: {2} {2:is|are} left "
                "for it",
     .data    = "at length left",
     .why     = "Engines read each name behind the one before, and at last behind the end.",
     .fix     = "Get the mod again; if it still fails, its author must pack it again.",
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
     .title   = "Behind the id of the algorithm there shall be a hash for each name.",
     .message = "the count of names is {0}, that of hashes {1}",
     .data    = "names hashes",
     .why     = "Engines make as many names as there are hashes, and read behind the end of the "
                "other.",
     .fix     = "Pack the mod again.",
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
     .message = "name {0} has {1} {1:character|characters}",
     .data    = "name length",
     .why     = "Engines copy names into a buffer of 1024 without a look at their length.",
     .fix     = "Do not use the mod; nothing that the engine writes has such names.",
     .spec    = "iostore.md#9.4")
{
	report(c, head_place(c, n), DEC(n->index), DEC(n->n_units));
}

DEFECT_RULE(NAM005, mapped_name_empty, WARNING, CONTAINER_NAME_ROWS, n, BATCH_EMPTY,
     .class   = CLASS_CORRUPTION,
     .title   = "A name should not be empty.",
     .message = "name {0} is empty",
     .data    = "name",
     .why     = "The engine stores the name None in letters; nothing else has none.",
     .fix     = "Pack the mod again.",
     .spec    = "iostore.md#9.5")
{
	report(c, head_place(c, n), DEC(n->index));
}

DEFECT_RULE(NAM006, name_hash_mismatch, WARNING, CONTAINER_NAME_ROWS, n, BATCH_HASH,
     .class   = CLASS_CORRUPTION, .sign = SIGN_DATA,
     .title   = "The hash of a name should be CityHash64 of its characters, ASCII letters made "
                "small.",
     .message = "name {0} has the hash {1}, which is not that of its characters",
     .data    = "name hash",
     .why     = "The engine believes the hash, and then does not find the name.",
     .fix     = "Pack the mod again; the name or its hash was changed.",
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
     .title   = "No name should occur twice in a batch, byte for byte.",
     .message = "name {0} is the same as an earlier one",
     .data    = "name",
     .why     = "Engines write each name once; this batch was made by something else.",
     .fix     = "Nothing, if the tool is known.",
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
     .why     = "Engines hash the bytes, so the same name in another width is another name to "
                "them.",
     .fix     = "Pack the mod again.",
     .spec    = "iostore.md#9.8")
{
	report(c, text_place(c, n), DEC(n->index),
	       either(n->wide, "two bytes a character, and all are ASCII",
		      "one byte a character, and not all are ASCII"));
}

DEFECT_RULE(NAM012, name_characters, WARNING, CONTAINER_NAME_ROWS, n, BATCH_BROKEN,
     .class   = CLASS_SECURITY,
     .title   = "A name should have no zero in it and no half of a surrogate pair.",
     .message = "name {0} has a zero in it, or half of a surrogate pair",
     .data    = "name",
     .why     = "Tools show and compare such a name only up to there, or not at all.",
     .fix     = "Pack the mod again.",
     .spec    = "iostore.md#9.12")
{
	report(c, text_place(c, n), DEC(n->index));
}
