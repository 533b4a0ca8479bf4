/* The rules for the head of the container header, for counts that do not fit, and for its end. */
#include "formats/iostore/container_header/place_rules.h"

#define ALL_PARTS \
	(BIT(CONTAINER_HEAD) | BIT(CONTAINER_PACKAGES) | BIT(CONTAINER_NAMES) | \
	 BIT(CONTAINER_MAPS) | BIT(CONTAINER_SOFT))

/* ---- The head -------------------------------------------------------------------------------- */

RULE(CHD001, container_header_magic, ERROR, CONTAINER_BYTES,
     .class   = CLASS_COMPATIBILITY, .explains = BIT(CONTAINER_HEAD),
     .versions = SINCE(TOC_OVERFLOW),
     .title   = "The container header shall begin with 0x496F436E.",
     .message = "the container header begins with {0}, expected 0x496F436E",
     .data    = "magic",
     .why     = "The engine ignores the header: it mounts the container, and registers "
                "none of its packages.",
     .fix     = "Players: get the mod again, in a version for this game. Authors: pack it "
                "for the game's engine; a header of Unreal Engine 4 has no such magic.",
     .spec    = "iostore.md#8.1")
{
	const struct container_header *h = container_header_of(c);

	if (h->held.bytes && !h->has_magic && h->held.len >= container_count_fixed_len)
		report(c, IN_HEADER_ONE(c, container_head, 0, magic, "container_header"),
		       HEX(held_u32(h->held, 0)));
}

RULE(CHD002, container_header_too_new, ERROR, CONTAINER_BYTES,
     .class   = CLASS_COMPATIBILITY,
     .versions = UNTIL(TOC_PARTITIONS),
     .title   = "The container header of a .utoc of Unreal Engine 4 shall not have the magic of "
                "Unreal Engine 5.",
     .message = "the .utoc has version {0}, and its container header begins with 0x496F436E as "
                "those of Unreal Engine 5 do",
     .data    = "version",
     .why     = "The engine takes the magic for a part of an id, and what follows for "
                "counts: it registers no package, or crashes.",
     .fix     = "Players: get the mod in a version for this game. Authors: pack it again, "
                "with the .utoc and the container header of one engine.",
     .spec    = "iostore.md#8.2")
{
	if (container_header_of(c)->has_magic)
		report(c, IN_HEADER_ONE(c, container_head, 0, magic, "container_header"),
		       DEC(c->version));
}

RULE(CHD003, container_header_version_unknown, ERROR, CONTAINER_BYTES,
     .class   = CLASS_COMPATIBILITY, .explains = BIT(CONTAINER_HEAD),
     .lesser  = SEVERITY_UNDETERMINED,
     .lesser_when = "the version is above 5: an engine newer than this check may have written it",
     .title   = "The version of the container header shall be 1 to 5.",
     .message = "the container header has version {0}, expected 1 to 5",
     .data    = "version",
     .why     = "Engines refuse a version that is too old, and read one that is too new "
                "as if it had no soft references.",
     .fix     = "Players: get the mod in a version for this game, or use a later uvet. "
                "Authors: pack it with the packer of the game's engine.",
     .spec    = "iostore.md#8.3")
{
	const struct container_header *h = container_header_of(c);

	if (!h->has_magic || h->held.len < container_head_fixed_len ||
	    (h->claimed > 0 && h->claimed <= CONTAINER_SOFT_REFERENCES_OFFSET))
		return;
	if (h->claimed == 0)
		report(c, IN_HEADER_ONE(c, container_head, 0, version, "container_header"),
		       DEC(h->claimed));
	else
		report_lesser(c, IN_HEADER_ONE(c, container_head, 0, version, "container_header"),
			      DEC(h->claimed));
}

/* Which versions engines pair. Version 4 of the .utoc was never released, and 9 and above are of an
 * engine that is not released. */
static bool goes_with(uint64_t toc_version, int version)
{
	switch (toc_version) {
	case TOC_OVERFLOW:
		return version <= CONTAINER_NO_EXPORT_INFO;
	case TOC_ON_DEMAND_METAS:
	case TOC_ON_DEMAND_METAS + 1:
		return version == CONTAINER_NO_EXPORT_INFO;
	case TOC_SHORT_METAS:
		return version >= CONTAINER_SOFT_REFERENCES;
	default:
		return true;
	}
}

RULE(CHD004, container_header_version_pairing, ERROR, CONTAINER_HEAD,
     .class   = CLASS_COMPATIBILITY, .sign = SIGN_PACKER, .packers = PACKER_REZ,
     .versions = SINCE(TOC_OVERFLOW),
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "the .utoc is of version 7 or before, or the container header of version 3 or "
                    "later: some engine may take both",
     .title   = "The versions of the container header and of the .utoc shall be ones that "
                "one engine writes.",
     .message = "the .utoc has version {0}, and its container header version {1}; no engine writes "
                "both",
     .data    = "toc_version version",
     .why     = "An engine that takes the one may refuse the other: 5.1 takes exactly version 2, "
                "later ones 3 and above.",
     .fix     = "Players: get the mod in a version for this game. Authors: pack it again "
                "with the packer of the game's engine.",
     .spec    = "iostore.md#8.4")
{
	const struct container_header *h = container_header_of(c);

	if (h->held.bytes && !goes_with(c->version, h->version))
		report_as(c, c->version < TOC_SHORT_METAS || h->version >= CONTAINER_NO_EXPORT_INFO,
			  IN_HEADER_ONE(c, container_head, 0, version, "container_header"),
			  DEC(c->version), DEC(h->claimed));
}

static struct place id_place(const struct check *c)
{
	if (container_header_of(c)->has_magic)
		return IN_HEADER_ONE(c, container_head, 0, container_id, "container_header");
	return IN_HEADER_ONE(c, container_old_head, 0, container_id, "container_header");
}

RULE(CHD005, container_id_mismatch, WARNING, CONTAINER_HEAD,
     .class   = CLASS_HYGIENE,
     .title   = "The container header should have the container id of the .utoc.",
     .message = "the container header has the container id {0}, expected {1} as in the "
                ".utoc",
     .data    = "id toc_id",
     .why     = "The header was made for another container, so it lists packages of that "
                "one and the engine may register none of this one.",
     .fix     = "Players: get all files of the mod again. Authors: pack it again, and "
                "change no id afterwards.",
     .spec    = "iostore.md#8.5")
{
	const struct utoc *u = c->facts;

	if (u->container_header.held.bytes &&
	    u->container_header.container_id != u->toc.header.container_id)
		report(c, id_place(c), HEX(u->container_header.container_id),
		       HEX(u->toc.header.container_id));
}

RULE(CHD006, package_count_mismatch, ERROR, CONTAINER_PACKAGES,
     .class   = CLASS_CORRUPTION,
     .title   = "The count of packages shall be the number of their ids.",
     .message = "the container header counts {0} {0:package|packages}, but lists {1} {1:id|ids}",
     .data    = "count ids",
     .why     = "Engines make room by the one count and fill it by the other, and may "
                "write past the end.",
     .fix     = "Players: get the mod again. Authors: pack it again; a tool that adds or "
                "removes packages has to change both counts.",
     .spec    = "iostore.md#8.6")
{
	const struct container_header *h = container_header_of(c);
	const bool in_head = h->version <= CONTAINER_INITIAL;

	if (!h->held.bytes || h->version > CONTAINER_LOCALIZED_PACKAGES ||
	    h->package_count == h->packages.n)
		return;
	report(c,
	       in_head ? IN_HEADER_ONE(c, container_old_head, 0, n_packages, "container_header")
		       : IN_HEADER_ONE(c, container_count, h->walk.parts[PART_PACKAGE_COUNT].at,
				       count, "package_count"),
	       DEC(h->package_count), DEC(h->packages.n));
}

RULE(CHD010, number_of_a_fork, NOTE, CONTAINER_HEAD,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The names should follow the count of packages, with nothing between "
                "them.",
     .message = "a number, {0}, is between the count of packages and the size of the "
                "names, where other engines expect nothing",
     .data    = "number",
     .why     = "Only the engine of FINAL FANTASY VII REBIRTH is known to write it and to "
                "skip it.",
     .fix     = "Players: nothing, if the mod is for that game. Authors: nothing, if it "
                "is; else pack it with the packer of the game's engine.",
     .spec    = "iostore.md#8.10")
{
	const struct container_header *h = container_header_of(c);
	const struct container_part *p = &h->walk.parts[PART_FORK];

	if (p->is_there)
		report(c, IN_HEADER_ONE(c, container_count, p->at, count, "fork"),
		       DEC(held_u32(h->held, p->at)));
}

RULE(CHD039, entries_of_a_fork, NOTE, CONTAINER_HEAD,
     .class   = CLASS_COMPATIBILITY,
     .title   = "Store entries of Unreal Engine 4 should have 32 bytes.",
     .message = "the store entries were read as ones of 16 bytes, which fit them better "
                "than 32",
     .data    = "",
     .why     = "Only the engines of a few games have such entries; others read counts "
                "and imports in other places, and past the end.",
     .fix     = "Players: nothing, if the mod is for such a game. Authors: nothing, if it "
                "is; else pack it with the packer of the game's engine.",
     .spec    = "iostore.md#8.39")
{
	const struct container_header *h = container_header_of(c);

	if (h->held.bytes && h->version == CONTAINER_PRE_INITIAL)
		report_plain(c,
			     IN_HEADER_ONE(c, container_count, h->walk.parts[PART_ENTRIES].count_at,
					   count, "store_entries"));
}

/* ---- Counts ---------------------------------------------------------------------------------- */

static const char *const part_names[PART_N] = {
	[PART_HEAD] = "the head",
	[PART_PACKAGE_COUNT] = "the count of packages",
	[PART_FORK] = "a number",
	[PART_NAMES] = "names",
	[PART_HASHES] = "hashes of names",
	[PART_IDS] = "ids of packages",
	[PART_ENTRIES] = "store entries",
	[PART_OPTIONAL_IDS] = "ids of the optional segment",
	[PART_OPTIONAL_ENTRIES] = "store entries of the optional segment",
	[PART_CULTURES] = "cultures",
	[PART_CULTURE] = "a culture",
	[PART_LOCALIZED] = "localized packages",
	[PART_REDIRECTS] = "redirects",
	[PART_SOFT_FLAG] = "soft references",
	[PART_SOFT_PLACE] = "the place of soft references",
	[PART_SOFT_IDS] = "ids of soft references",
	[PART_SOFT_ENTRIES] = "soft references",
};

/* Where a part is truncated: its count if that is complete, else the chunk's end. */
static struct place cut_place(const struct check *c, const struct container_header *h)
{
	const uint64_t at = h->walk.parts[h->walk.cut].count_at;

	if (h->walk.cut != PART_HEAD && h->walk.cut_at > at)
		return IN_HEADER_ONE(c, container_count, at, count, "container_header");
	return header_place(c, h->walk.cut_at, h->walk.cut_left);
}

static bool is_batch(const struct container_header *h)
{
	return h->walk.cut == PART_NAMES && h->version >= CONTAINER_LOCALIZED_PACKAGES;
}

RULE(CHD007, count_outside_chunk, ERROR, CONTAINER_BYTES,
     .class   = CLASS_SECURITY, .explains = ALL_PARTS,
     .title   = "No count and no size shall be more than what is left of the container "
                "header.",
     .message = "{0} should take {1} from byte {2} on, which is out of range: {3} "
                "{3:is|are} left",
     .data    = "part wanted at left",
     .why     = "Readers make room for the count without a check, or read past the end of "
                "the header.",
     .fix     = "Players: get the mod again. Authors: pack it again if it still fails.",
     .spec    = "iostore.md#8.7")
{
	const struct container_header *h = container_header_of(c);
	const struct container_walk *w = &h->walk;

	if (h->held.bytes && w->cut != PART_N && w->cut != PART_CULTURE && !is_batch(h))
		report(c, cut_place(c, h), WORD(part_names[w->cut]), SIZE(w->cut_wants),
		       DEC(w->cut_at), SIZE(w->cut_left));
}

RULE(CHD030, culture_outside_chunk, ERROR, CONTAINER_BYTES,
     .class   = CLASS_SECURITY, .explains = BIT(CONTAINER_MAPS),
     .title   = "The name and the pairs of a culture shall be within the container "
                "header.",
     .message = "the name or the pairs of a culture should take {0} from byte {1} on, "
                "which is out of range: {2} {2:is|are} left",
     .data    = "wanted at left",
     .why     = "Readers make room for the count without a check, or read past the end of "
                "the header.",
     .fix     = "Players: get the mod again. Authors: pack it again if it still fails.",
     .spec    = "iostore.md#8.30")
{
	const struct container_header *h = container_header_of(c);
	const struct container_walk *w = &h->walk;

	if (h->held.bytes && w->cut == PART_CULTURE)
		report(c, header_place(c, w->cut_at < 4 ? 0 : w->cut_at - 4, 4), SIZE(w->cut_wants),
		       DEC(w->cut_at), SIZE(w->cut_left));
}

/* ---- The end --------------------------------------------------------------------------------- */

/* 4.26 pads the chunk to a whole block, all others at most to a multiple of 16. */
static bool is_padding(const struct utoc *u)
{
	const struct container_header *h = &u->container_header;

	if (h->trailing_used > h->trailing.at)
		return false;
	if (h->trailing.len < CONTAINER_PAD_MAX)
		return true;
	if (NEVER(u->toc.block_size == 0))
		return false;
	return u->toc.version < TOC_PARTITIONS && h->held.len % u->toc.block_size == 0 &&
	       h->trailing.len < u->toc.block_size;
}

RULE(CHD035, bytes_behind_header, WARNING, CONTAINER_END,
     .class   = CLASS_HYGIENE,
     .title   = "Fewer than 16 zeros should follow the container header, or in 4.26 zeros "
                "up to a whole block.",
     .message = "{0} {0:follows|follow} the container header; after {1} of them all are 0",
     .data    = "length used",
     .why     = "No engine reads these bytes. They are something else, or a part of the "
                "header that was not understood.",
     .fix     = "Players: nothing, if the mod works. Authors: nothing, if you know the "
                "tool; else pack it again.",
     .spec    = "iostore.md#8.35")
{
	const struct utoc *u = c->facts;
	const struct container_header *h = &u->container_header;

	if (h->held.bytes && !is_padding(u))
		report(c, header_place(c, h->trailing.at, h->trailing.len), SIZE(h->trailing.len),
		       SIZE(h->trailing_used - h->trailing.at));
}

RULE(CHD036, no_package, NOTE, CONTAINER_PACKAGES,
     .class   = CLASS_HYGIENE,
     .title   = "A container header should list at least one package.",
     .message = "the container header lists no package",
     .data    = "",
     .why     = "The engine registers nothing: it finds only chunks that it asks for by "
                "their id.",
     .fix     = "Players: nothing, if the mod works. Authors: nothing, if the mod only "
                "replaces chunks; else pack it again with its packages.",
     .spec    = "iostore.md#8.36")
{
	const struct container_header *h = container_header_of(c);

	if (h->held.bytes && h->packages.n == 0 && h->optional.n == 0)
		report_plain(c, IN_HEADER_ONE(c, container_count, h->walk.parts[PART_IDS].count_at,
					      count, "package_ids"));
}
