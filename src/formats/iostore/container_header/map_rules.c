/* The rules for localized packages, redirects and soft references. */
#include "formats/iostore/container_header/place_rules.h"

/* ---- Localized packages and redirects -------------------------------------------------------- */

static const char *kind_name(const struct container_link_row *r)
{
	static const char *const names[] = { [LINK_LOCALIZED] = "localized_package",
					     [LINK_REDIRECT] = "redirect",
					     [LINK_CULTURE] = "localized_package",
					     [LINK_OLD_REDIRECT] = "redirect" };

	return names[r->kind];
}

static const char *kind_words(const struct container_link_row *r)
{
	return r->kind == LINK_LOCALIZED || r->kind == LINK_CULTURE ? "localized package"
								    : "redirect";
}

static struct place source_place(const struct check *c, const struct container_link_row *r)
{
	return IN_HEADER(c, container_old_redirect, r->at, source, kind_name(r), r->index);
}

static struct place name_place(const struct check *c, const struct container_link_row *r)
{
	if (r->kind == LINK_LOCALIZED)
		return IN_HEADER(c, container_localized, r->at, name, kind_name(r), r->index);
	return IN_HEADER(c, container_redirect, r->at, name, kind_name(r), r->index);
}

RULE(CHD026, redirect_names_malformed, ERROR, CONTAINER_MAPS,
     .class   = CLASS_CORRUPTION,
     .title   = "The names of localized packages and redirects shall be whole, as chapter "
                "9 of the clauses says.",
     .message = "the names of localized packages and redirects, of which there {0:is|are} {0}, are "
                "damaged: {1}",
     .data    = "rows defect",
     .why     = "The engine reads these names when it mounts the container, and may "
                "crash.",
     .fix     = "Players: get the mod again. Authors: pack it again.",
     .spec    = "iostore.md#8.26")
{
	const struct container_header *h = container_header_of(c);
	const bool differ = (h->names.defects & BATCH_SUM) != 0;
	const struct container_part *p = &h->walk.parts[PART_NAMES];

	if (!h->held.bytes || h->version <= CONTAINER_INITIAL || h->n_links == 0 ||
	    (!differ && !(h->names.seen & NAME_LONG)))
		return;
	report(c, IN_HEADER_ONE(c, zen_name_batch, p->count_at, n_names, "names"), DEC(h->n_links),
	       either(differ, "their lengths do not add up", "one of them is too long"));
}

DEFECT_RULE(CHD027, redirect_name_unknown, ERROR, CONTAINER_REDIRECT_ROWS, r, LINK_NAME_OUT,
     .class   = CLASS_SECURITY, .also = BIT(CONTAINER_NAMES),
     .title   = "The name of a localized package or a redirect shall be one of the container "
                "header's.",
     .message = "{1} {0} has the name {2} of type {3}, which is out of range: the count "
                "of names of type 1 is {4}",
     .data    = "row kind name type names",
     .why     = "Engines use the number as an index without a check, read foreign memory, "
                "and may crash.",
     .fix     = "Players: get the mod again. Authors: pack it again if it still fails.",
     .spec    = "iostore.md#8.27")
{
	report(c, name_place(c, r), DEC(r->index), WORD(kind_words(r)), DEC(mapped_index(r->name)),
	       DEC(mapped_owner(r->name)), DEC(container_header_of(c)->names.n));
}

DEFECT_RULE(CHD028, redirect_source_mismatch, WARNING, CONTAINER_REDIRECT_ROWS, r, LINK_ID_DIFFERS,
     .class   = CLASS_CORRUPTION, .also = BIT(CONTAINER_NAMES),
     .title   = "The source of a localized package or a redirect should be the hash of its name.",
     .message = "{1} {0} has the source {2}, expected the hash of its name {3}",
     .data    = "row kind source name",
     .why     = "The engine looks for the one and shows the other: the package that is "
                "asked for by its name is not replaced.",
     .fix     = "Players: get the mod again, if it does not work. Authors: pack it again.",
     .spec    = "iostore.md#8.28")
{
	report(c, source_place(c, r), DEC(r->index), WORD(kind_words(r)), HEX(r->source),
	       DEC(mapped_index(r->name)));
}

#define LINK_ODD (LINK_TARGET | LINK_SELF | LINK_REPEATED)

static const char *link_defect(uint32_t traits)
{
	if (traits & LINK_SELF)
		return "leads to itself";
	return traits & LINK_REPEATED ? "has the source of an earlier one"
				      : "leads to a package that the container does not list";
}

DEFECT_RULE(CHD029, redirect_invalid, WARNING, CONTAINER_REDIRECT_ROWS, r, LINK_ODD,
     .class   = CLASS_CORRUPTION,
     .title   = "A redirect should lead to another package of the container, and no "
                "source should be a duplicate.",
     .message = "{1} {0} of package {2} {3}",
     .data    = "row kind source defect",
     .why     = "The engine replaces a package by nothing, or by an arbitrary one of two.",
     .fix     = "Players: get the mod again, if it does not work. Authors: pack it again "
                "with one redirect for each package.",
     .spec    = "iostore.md#8.29")
{
	report(c, source_place(c, r), DEC(r->index), WORD(kind_words(r)), HEX(r->source),
	       WORD(link_defect(r->traits)));
}

/* ---- Soft references ------------------------------------------------------------------------- */

RULE(CHD031, soft_flag_invalid, ERROR, CONTAINER_HEAD,
     .class   = CLASS_CORRUPTION,
     .title   = "The number that says whether there are soft references shall be 0 or 1.",
     .message = "the number that says whether there are soft references is {0}, expected "
                "0 or 1",
     .data    = "flag",
     .why     = "Readers take any other number for a damaged header, and ignore it whole.",
     .fix     = "Players: get the mod again. Authors: pack it again.",
     .spec    = "iostore.md#8.31")
{
	const struct container_header *h = container_header_of(c);
	const struct container_part *p = &h->walk.parts[PART_SOFT_FLAG];

	if (p->is_there && h->soft.flag > 1)
		report(c, IN_HEADER_ONE(c, container_count, p->at, count, "soft_flag"),
		       HEX(h->soft.flag));
}

static const char *place_fault_words(enum container_soft_fault fault)
{
	static const char *const words[] = { "", "one of them is negative",
					     "they are outside the header",
					     "they stand elsewhere" };

	return words[fault];
}

RULE(CHD032, soft_place_outside, ERROR, CONTAINER_HEAD,
     .class   = CLASS_SECURITY, .explains = BIT(CONTAINER_SOFT),
     .title   = "Offset and size of the soft references shall not be negative, be within "
                "the header, and be where the soft references are.",
     .message = "soft references have the offset {0} and the size {1}, but {2}",
     .data    = "offset size fault",
     .why     = "Engines go to that offset and make room for that size without a check, "
                "and may crash.",
     .fix     = "Players: get the mod again. Authors: pack it again if it still fails.",
     .spec    = "iostore.md#8.32")
{
	const struct container_header *h = container_header_of(c);

	if (h->soft.fault != SOFT_PLACE_FINE)
		report(c,
		       header_place(c, h->walk.parts[PART_SOFT_PLACE].at,
				    container_soft_place_fixed_len),
		       SIGNED(h->soft.place.offset), SIGNED(h->soft.place.size),
		       WORD(place_fault_words(h->soft.fault)));
}

RULE(CHD033, soft_size_differs, ERROR, CONTAINER_HEAD,
     .class   = CLASS_CORRUPTION, .explains = BIT(CONTAINER_SOFT),
     .title   = "Soft references shall take exactly the bytes that their size says.",
     .message = "the soft references have {0}, of which {1} {1:is|are} {2}",
     .data    = "size used what",
     .why     = "Engines read other bytes as soft references, or soft references as what "
                "follows them.",
     .fix     = "Players: get the mod again. Authors: pack it again.",
     .spec    = "iostore.md#8.33")
{
	const struct container_header *h = container_header_of(c);
	const struct container_soft *s = &h->soft;

	if (s->overrun || s->used_end != s->block_end)
		report(c,
		       IN_HEADER_ONE(c, container_soft_place, h->walk.parts[PART_SOFT_PLACE].at,
				     size, "soft_references"),
		       SIZE(s->place.size), SIZE(s->used_end - s->place.offset),
		       either(s->overrun, "read when a count asks for more", "used"));
}

static const char *soft_defect(uint32_t traits)
{
	if (traits & SOFT_MISSING)
		return "which the bytes of soft references do not have";
	return traits & SOFT_VIEW_OUT ? "not all of them in the bytes after the entries"
				      : "one of them with an index that is out of range";
}

DEFECT_RULE(CHD034, soft_reference_outside, ERROR, CONTAINER_SOFT_ROWS, r,
     SOFT_VIEW_OUT | SOFT_INDEX_OUT | SOFT_MISSING,
     .class   = CLASS_SECURITY,
     .title   = "A soft reference shall be the number of one of the ids, and be within "
                "the bytes of soft references.",
     .message = "package {0} has {1} soft {1:reference|references} at an offset of {2}, {3}",
     .data    = "package count offset defect",
     .why     = "Engines use the offset and the numbers without a check, read foreign "
                "memory, and may crash.",
     .fix     = "Players: get the mod again. Authors: pack it again if it still fails.",
     .spec    = "iostore.md#8.34")
{
	const struct container_header *h = container_header_of(c);

	if (r->traits & SOFT_MISSING)
		report(c,
		       IN_HEADER(c, container_count, h->walk.parts[PART_SOFT_ENTRIES].count_at,
				 count, "soft_references", r->index),
		       DEC(r->index), DEC(r->n), DEC(r->offset), WORD(soft_defect(r->traits)));
	else
		report(c,
		       IN_HEADER(c, container_soft_entry, r->at, references, "soft_references",
				 r->index),
		       DEC(r->index), DEC(r->n), DEC(r->offset), WORD(soft_defect(r->traits)));
}
