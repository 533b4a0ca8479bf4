/* The rules for packages: their ids, their store entries, and their chunks. */
#include "formats/iostore/container_header/place_rules.h"

/* ---- Places ---------------------------------------------------------------------------------- */

static const char *list_name(const struct container_package *p)
{
	return p->optional ? "optional_package" : "package";
}

static struct place id_place(const struct check *c, const struct container_package *p)
{
	return IN_HEADER(c, container_package_id, p->id_at, id, list_name(p), p->index);
}

/* The place of a field of a package that is in no record with a layout. */
static struct place package_place(const struct check *c, const struct container_package *p,
				  uint64_t at, uint64_t len, const char *field)
{
	struct place place = header_place(c, at, len);

	place.record = list_name(p);
	place.index = p->index;
	place.field = field;
	return place;
}

/* A view of a store entry: its count and its offset. */
static struct place view_place(const struct check *c, const struct container_package *p,
			       const struct container_view *v, const char *field)
{
	const struct container_header *h = container_header_of(c);
	const uint64_t entries_at = p->optional ? h->optional.entries_at : h->packages.entries_at;

	return package_place(c, p, entries_at + v->at, 8, field);
}

/* Judges both views of a package with the same message, each by `is_bad`. */
typedef bool view_test(const struct check *c, const struct container_package *p,
		       const struct container_view *v, uint64_t each);

static void report_view(struct check *c, const struct container_package *p,
			const struct container_view *v, const char *what, const char *field)
{
	report(c, view_place(c, p, v, field), DEC(p->index), DEC(v->n), WORD(what), DEC(v->offset));
}

static void judge_views(struct check *c, const struct container_package *p, view_test *is_bad)
{
	if (is_bad(c, p, &p->imports, CONTAINER_IMPORT_LEN))
		report_view(c, p, &p->imports, "imports", "imports");
	if (container_header_of(c)->shape.has_hashes &&
	    is_bad(c, p, &p->hashes, CONTAINER_HASH_LEN))
		report_view(c, p, &p->hashes, "shader maps", "hashes");
}

/* ---- Ids ------------------------------------------------------------------------------------- */

DEFECT_RULE(CHD011, package_id_zero, ERROR, CONTAINER_PACKAGE_ROWS, p, PACKAGE_ID_ZERO,
     .class   = CLASS_CORRUPTION,
     .title   = "No id of a package shall be 0.",
     .message = "the id of package {0} is 0, which stands for no package",
     .data    = "package",
     .why     = "The engine stops with an error when it meets this id.",
     .fix     = "Players: get the mod again. Authors: pack it again.",
     .spec    = "iostore.md#8.11")
{
	report(c, id_place(c, p), DEC(p->index));
}

DEFECT_RULE(CHD012, package_repeated, ERROR, CONTAINER_PACKAGE_ROWS, p, PACKAGE_ID_REPEATED,
     .class   = CLASS_CORRUPTION,
     .title   = "No id of a package shall be a duplicate.",
     .message = "package {0} has the id {1}, which is a duplicate of an earlier one's",
     .data    = "package id",
     .why     = "Readers disagree on which store entry counts, and some refuse the "
                "container.",
     .fix     = "Players: get the mod again. Authors: pack it again, with each package "
                "once.",
     .spec    = "iostore.md#8.12")
{
	report(c, id_place(c, p), DEC(p->index), HEX(p->id));
}

static void judge_order(struct check *c, const struct container_header *h,
			const struct container_packages *p, bool optional)
{
	const char *const list = optional ? "optional_package" : "package";
	const struct place place =
		p->unsorted < p->n
			? IN_HEADER(c, container_package_id,
				    p->ids_at + p->unsorted * container_package_id_fixed_len, id,
				    list, p->unsorted)
			: NOWHERE;

	if (p->unsorted >= p->n)
		return;
	report_as(c, h->version <= CONTAINER_INITIAL, place, DEC(p->unsorted),
		  either(optional, "optional package", "package"));
}

RULE(CHD013, packages_unsorted, WARNING, CONTAINER_PACKAGES,
     .class   = CLASS_HYGIENE, .packers = PACKER_REZ,
     .lesser  = SEVERITY_NOTE,
     .lesser_when = "the header is one of Unreal Engine 4, of which 4.26 itself does not sort",
     .title   = "The ids of packages should be in ascending order.",
     .message = "the id of {1} {0} is below the one before it",
     .data    = "package list",
     .why     = "It does no harm in most games. Engines write ids in ascending order, so "
                "another tool made this header.",
     .fix     = "Players: nothing, if the mod works. Authors: nothing, if you know the "
                "tool; else pack it again.",
     .spec    = "iostore.md#8.13")
{
	const struct container_header *h = container_header_of(c);

	judge_order(c, h, &h->packages, false);
	judge_order(c, h, &h->optional, true);
}

/* ---- Store entries --------------------------------------------------------------------------- */

RULE(CHD014, store_entries_short, ERROR, CONTAINER_HEAD,
     .class   = CLASS_SECURITY, .explains = BIT(CONTAINER_PACKAGES),
     .title   = "There shall be room for one store entry of each package.",
     .message = "the store entries have {0}, but {1} {1:package needs|packages need} {2} each",
     .data    = "length packages entry_length",
     .why     = "Engines take an entry for each id and read past the end of the last one.",
     .fix     = "Players: get the mod again. Authors: pack it again if it still fails.",
     .spec    = "iostore.md#8.14")
{
	const struct container_header *h = container_header_of(c);

	if (h->packages.short_entries)
		report(c,
		       IN_HEADER_ONE(c, container_count, h->walk.parts[PART_ENTRIES].count_at,
				     count, "store_entries"),
		       SIZE(h->packages.entries.len), DEC(h->packages.n), SIZE(h->shape.entry_len));
}

RULE(CHD024, optional_entries_short, ERROR, CONTAINER_HEAD,
     .class   = CLASS_SECURITY, .explains = BIT(CONTAINER_PACKAGES),
     .title   = "There shall be room for one store entry of each package of the optional "
                "segment.",
     .message = "the store entries of the optional segment have {0}, but {1} {1:package "
                "needs|packages need} {2} each",
     .data    = "length packages entry_length",
     .why     = "Engines take an entry for each id and read past the end of the last one.",
     .fix     = "Players: get the mod again. Authors: pack it again if it still fails.",
     .spec    = "iostore.md#8.24")
{
	const struct container_header *h = container_header_of(c);

	if (h->optional.short_entries)
		report(c,
		       IN_HEADER_ONE(c, container_count,
				     h->walk.parts[PART_OPTIONAL_ENTRIES].count_at, count,
				     "optional_store_entries"),
		       SIZE(h->optional.entries.len), DEC(h->optional.n), SIZE(h->shape.entry_len));
}

static bool is_outside(const struct check *c, const struct container_package *p,
		       const struct container_view *v, uint64_t each)
{
	const struct container_header *h = container_header_of(c);
	const struct container_packages *list = p->optional ? &h->optional : &h->packages;

	return v->n > 0 &&
	       (v->start < list->n * h->shape.entry_len || v->start > list->entries.len ||
		v->n * each > list->entries.len - v->start);
}

DEFECT_RULE(CHD015, view_outside_entries, ERROR, CONTAINER_PACKAGE_ROWS, p, PACKAGE_VIEW_OUT,
     .class   = CLASS_SECURITY,
     .title   = "Every list of a store entry shall be after the entries, and within their "
                "size.",
     .message = "the list of {2} of package {0}, {1} at an offset of {3}, is out of "
                "range: it is not within the bytes after the entries",
     .data    = "package count what offset",
     .why     = "Engines use the offset as a pointer without a check, read foreign "
                "memory, and may crash.",
     .fix     = "Players: get the mod again. Authors: pack it again if it still fails.",
     .spec    = "iostore.md#8.15")
{
	judge_views(c, p, is_outside);
}

static bool is_empty_elsewhere(const struct check *c, const struct container_package *p,
			       const struct container_view *v, uint64_t each)
{
	(void)c, (void)p, (void)each;
	return v->n == 0 && v->offset != 0;
}

DEFECT_RULE(CHD016, empty_view_offset, WARNING, CONTAINER_PACKAGE_ROWS, p, PACKAGE_EMPTY_OFFSET,
     .class   = CLASS_HYGIENE,
     .title   = "A store entry whose list is empty should have an offset of 0 for it.",
     .message = "package {0} has {1} {2}, but an offset of {3} to them, expected 0",
     .data    = "package count what offset",
     .why     = "No engine writes that: a count may have been changed, so that an import "
                "or export is missing.",
     .fix     = "Players: nothing, if the mod works. Authors: nothing, if you know the "
                "tool; else pack it again.",
     .spec    = "iostore.md#8.16")
{
	judge_views(c, p, is_empty_elsewhere);
}

static bool is_unaligned(const struct check *c, const struct container_package *p,
			 const struct container_view *v, uint64_t each)
{
	(void)c, (void)p, (void)each;
	return v->n > 0 && v->start % 4 != 0;
}

DEFECT_RULE(CHD017, view_unaligned, WARNING, CONTAINER_PACKAGE_ROWS, p, PACKAGE_UNALIGNED,
     .class   = CLASS_COMPATIBILITY,
     .title   = "Every list of a store entry should begin at a multiple of 4.",
     .message = "the list of {2} of package {0}, {1} at an offset of {3}, is not aligned to 4 "
                "bytes",
     .data    = "package count what offset",
     .why     = "Engines read the numbers in place, which some processors do not allow.",
     .fix     = "Players: nothing, if the mod works. Authors: pack it again with a tool "
                "that aligns the lists.",
     .spec    = "iostore.md#8.17")
{
	judge_views(c, p, is_unaligned);
}

static void judge_tiles(struct check *c, const struct container_packages *p)
{
	if (p->n_gaps + p->n_overlaps > 0)
		report(c, header_place(c, p->untidy_at, 0), DEC(p->n_gaps), DEC(p->n_overlaps),
		       DEC(p->untidy_at));
}

RULE(CHD018, views_not_contiguous, NOTE, CONTAINER_PACKAGES,
     .class   = CLASS_HYGIENE,
     .title   = "The lists of store entries should fill the bytes after the entries, "
                "without gap or overlap.",
     .message = "the lists of store entries have {0} {0:gap|gaps} and {1} "
                "{1:overlap|overlaps}, the first at byte {2} of the header",
     .data    = "gaps overlaps at",
     .why     = "Engines write the lists one after the other. Nothing reads the bytes of "
                "a gap, and in an overlap two packages share one list.",
     .fix     = "Players: nothing, if the mod works. Authors: nothing, if you know the "
                "tool; else pack it again.",
     .spec    = "iostore.md#8.18")
{
	judge_tiles(c, &container_header_of(c)->packages);
	judge_tiles(c, &container_header_of(c)->optional);
}

#define IMPORT_ODD (PACKAGE_IMPORT_ZERO | PACKAGE_IMPORT_OWN | PACKAGE_IMPORT_REPEATED)

static const char *import_defect(uint32_t traits)
{
	if (traits & PACKAGE_IMPORT_ZERO)
		return "the package 0";
	return traits & PACKAGE_IMPORT_OWN ? "itself" : "a package that it imports already";
}

DEFECT_RULE(CHD019, import_invalid, WARNING, CONTAINER_PACKAGE_ROWS, p, IMPORT_ODD,
     .class   = CLASS_CORRUPTION,
     .title   = "A package should not import the package 0, itself, or a package that it "
                "imports already.",
     .message = "package {0}, {1}, imports {2}",
     .data    = "package id what",
     .why     = "The engine loads the imports of a package before the package, so it may "
                "wait for one that never comes.",
     .fix     = "Players: get the mod again, if it does not work. Authors: cook and pack "
                "it again.",
     .spec    = "iostore.md#8.19")
{
	report(c, view_place(c, p, &p->imports, "imports"), DEC(p->index), HEX(p->id),
	       WORD(import_defect(p->traits)));
}

DEFECT_RULE(CHD020, export_counts_invalid, ERROR, CONTAINER_PACKAGE_ROWS, p, PACKAGE_COUNTS_ODD,
     .class   = CLASS_SECURITY,
     .title   = "The counts of exports and of bundles shall not be negative, and a "
                "package with exports shall have a bundle.",
     .message = "package {0} has {1} {1:export|exports} and {2} export {2:bundle|bundles}",
     .data    = "package exports bundles",
     .why     = "Engines make room for the package by these numbers without a check, and "
                "may crash.",
     .fix     = "Players: get the mod again. Authors: pack it again if it still fails.",
     .spec    = "iostore.md#8.20")
{
	const uint64_t at = p->entry_at + container_header_of(c)->shape.exports_at;

	report(c, package_place(c, p, at, 8, "exports"), DEC(p->index), SIGNED(p->exports),
	       SIGNED(p->bundles));
}

static void report_counts(struct check *c, const struct container_package *p, uint64_t at,
			  const char *what, int64_t said, uint64_t found)
{
	report(c, package_place(c, p, p->entry_at + at, 4, what), DEC(p->index), WORD(what),
	       SIGNED(said), DEC(found));
}

/* The package of a row with a defect that only rows of packages have. */
static bool package_of_row(const struct check *c, const struct payload_row *r,
			   struct container_package *out)
{
	const struct utoc *u = c->facts;

	return container_package_of(&u->container_header, toc_id(&u->toc, r->chunk), r->chunk, out);
}

DEFECT_RULE(CHD021, export_counts_mismatch, ERROR, UTOC_PAYLOAD_ROWS, r, PAYLOAD_COUNTS,
     .class   = CLASS_SECURITY, .also = BIT(UTOC_PAYLOAD) | BIT(CONTAINER_PACKAGES),
     .title   = "The counts of exports and of bundles in a store entry shall be those of "
                "the package.",
     .message = "package {0}: the count of {1} is {2} in the container header, and {3} in the "
                "package itself",
     .data    = "package what count expected",
     .why     = "Engines make room for the package by the first number and fill it by the "
                "second: the game writes past the end, and may crash.",
     .fix     = "Players: get the mod again. Authors: pack it again; a tool that changes "
                "a package has to change its store entry too.",
     .spec    = "iostore.md#8.21")
{
	const struct container_header *h = container_header_of(c);
	struct container_package p;
	const bool is_there = package_of_row(c, r, &p);

	if (NEVER(!is_there))
		return;
	if ((int64_t)r->counts.exports != p.exports)
		report_counts(c, &p, h->shape.exports_at, "exports", p.exports, r->counts.exports);
	if (r->counts.has_bundles && (int64_t)r->counts.bundles != p.bundles)
		report_counts(c, &p, h->shape.exports_at + 4, "bundles", p.bundles,
			      r->counts.bundles);
}

/* The place of a row that the store entry refers to, or of the view if it has no such row. */
static struct place import_place(const struct check *c, const struct container_package *p,
				 uint64_t index)
{
	const uint64_t row = p->imports.start + index * CONTAINER_IMPORT_LEN;

	if (index >= p->imports.n)
		return view_place(c, p, &p->imports, "imports");
	return package_place(c, p, container_header_of(c)->packages.entries_at + row,
			     CONTAINER_IMPORT_LEN, "imports");
}

DEFECT_RULE(CHD038, imports_mismatch, WARNING, UTOC_PAYLOAD_ROWS, r, PAYLOAD_IMPORTS,
     .class   = CLASS_CORRUPTION, .also = BIT(UTOC_PAYLOAD) | BIT(CONTAINER_PACKAGES),
     .title   = "A store entry should list the packages that its package imports.",
     .message = "package {0}: import {1} is {2} in the container header, and {3} in the package "
                "itself; 0 means none",
     .data    = "package import id expected",
     .why     = "The engine loads the imports in the store entry. Others that the package "
                "needs are then missing, and the game may crash.",
     .fix     = "Players: get the mod again, if it does not work. Authors: pack it again "
                "from one build, so that container header and packages match.",
     .spec    = "iostore.md#8.38")
{
	const struct container_header *h = container_header_of(c);
	struct container_package p;
	const bool is_there = package_of_row(c, r, &p);
	uint64_t said = 0;

	if (NEVER(!is_there))
		return;
	if (r->import.index < p.imports.n)
		said = held_u64(h->packages.entries,
				p.imports.start + r->import.index * CONTAINER_IMPORT_LEN);
	report(c, import_place(c, &p, r->import.index), DEC(p.index), DEC(r->import.index),
	       HEX(said), HEX(r->import.id));
}

DEFECT_RULE(CHD022, bundles_size_mismatch, WARNING, CONTAINER_PACKAGE_ROWS, p, PACKAGE_SIZE_DIFFERS,
     .class   = CLASS_COMPATIBILITY, .packers = PACKER_REZ,
     .title   = "A package's store entry should say the length of its chunk.",
     .message = "package {0} has a chunk of {2}, but its store entry says {1}",
     .data    = "package length chunk_length",
     .why     = "Engines of 4.26 and 4.27 plan by this number how much they read at once, "
                "so the game may load more slowly.",
     .fix     = "Players: nothing, if the mod works. Authors: pack it again, with a tool "
                "that writes the length.",
     .spec    = "iostore.md#8.22")
{
	const struct utoc *u = c->facts;

	report(c,
	       IN_HEADER(c, container_entry_initial, p->entry_at, bundles_size, list_name(p),
			 p->index),
	       DEC(p->index), SIZE(p->bundles_size), SIZE(toc_length(&u->toc, p->chunk)));
}

DEFECT_RULE(CHD023, load_order_invalid, NOTE, CONTAINER_PACKAGE_ROWS, p,
     PACKAGE_ORDER_REPEATED | PACKAGE_PAD,
     .class   = CLASS_HYGIENE,
     .title   = "No two packages should have the same load order, and the padding after "
                "it should be 0.",
     .message = "package {0} has the load order {1}, {2}",
     .data    = "package load_order what",
     .why     = "It does no harm. Engines write neither duplicates nor padding, so "
                "another tool made the entry.",
     .fix     = "Players: nothing needs to be done. Authors: nothing, if you know the "
                "tool; else pack it again.",
     .spec    = "iostore.md#8.23")
{
	if (p->traits & PACKAGE_ORDER_REPEATED)
		report(c,
		       IN_HEADER(c, container_entry_initial, p->entry_at, load_order, list_name(p),
				 p->index),
		       DEC(p->index), DEC(p->load_order), WORD("which an earlier one has"));
	if (p->traits & PACKAGE_PAD)
		report(c,
		       IN_HEADER(c, container_entry_initial, p->entry_at, pad, list_name(p),
				 p->index),
		       DEC(p->index), DEC(p->load_order), WORD("and padding that is not 0"));
}

DEFECT_RULE(CHD025, optional_package_unlisted, NOTE, CONTAINER_PACKAGE_ROWS, p, PACKAGE_NOT_LISTED,
     .class   = CLASS_CORRUPTION,
     .title   = "Every package of the optional segment should be a package of the "
                "container too, if it has any.",
     .message = "package {0} of the optional segment, {1}, is no package of the container",
     .data    = "package id",
     .why     = "An optional segment adds to a package; if no other container has that "
                "package, the game cannot load it.",
     .fix     = "Players: nothing, if the mod works. Authors: nothing, if the engine's "
                "own packer made it, which puts each package into one of the two lists.",
     .spec    = "iostore.md#8.25")
{
	if (container_header_of(c)->packages.n > 0)
		report(c, id_place(c, p), DEC(p->index), HEX(p->id));
}

static const char *hash_defect(uint32_t traits)
{
	return traits & PACKAGE_HASH_ZERO ? "that is 0" : "that is a duplicate";
}

DEFECT_RULE(CHD037, shader_map_invalid, WARNING, CONTAINER_PACKAGE_ROWS, p,
     PACKAGE_HASH_ZERO | PACKAGE_HASH_REPEATED,
     .class   = CLASS_CORRUPTION,
     .title   = "The shader maps of a package should not be 0, and each should be listed "
                "once.",
     .message = "package {0}, {1}, has a shader map {2}",
     .data    = "package id what",
     .why     = "The engine asks for each of them before it loads the package, so the "
                "package may never be loaded.",
     .fix     = "Players: get the mod again, if it does not work. Authors: cook and pack "
                "it again.",
     .spec    = "iostore.md#8.37")
{
	report(c, view_place(c, p, &p->hashes, "hashes"), DEC(p->index), HEX(p->id),
	       WORD(hash_defect(p->traits)));
}

/* ---- Chunks ---------------------------------------------------------------------------------- */

EACH(TOC020, package_chunk_unlisted, WARNING, CONTAINER_STRAY_ROWS, s,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The container header should list every package whose chunk the container has.",
     .message = "chunk {0} is the package {1}, which the container header does not list",
     .data    = "chunk id",
     .why     = "The engine knows only packages that are listed. Unless another container "
                "lists this one, the game never finds it.",
     .fix     = "Players: get the mod again, if it does not work. Authors: pack it again "
                "with a tool that lists every package.",
     .spec    = "iostore.md#3.20")
{
	const struct utoc *u = c->facts;
	const uint64_t at = u->toc.sections[SECTION_IDS].at.at +
			    (uint64_t)s->chunk * utoc_chunk_id_fixed_len;
	struct place place = AT_SPAN(at, utoc_chunk_id_fixed_len);

	place.record = "chunk_id";
	place.index = s->chunk;
	report(c, place, DEC(s->chunk), HEX(toc_id(&u->toc, s->chunk)));
}

DEFECT_RULE(TOC021, package_chunk_missing, WARNING, CONTAINER_PACKAGE_ROWS, p, PACKAGE_NO_CHUNK,
     .class   = CLASS_COMPATIBILITY,
     .lesser  = SEVERITY_NOTE,
     .lesser_when = "the id is the container's own, which one packer lists by mistake, or the "
                    "file's name ends in _P: a patch lists "
		    "packages of the container that it changes",
     .title   = "A container should have the chunk of every package that its header lists.",
     .message = "package {0}, {1}, has no chunk of the index 0 in this container{2}",
     .data    = "package id remark",
     .why     = "The engine looks for the package here, and stops with an error if no "
                "other container has it.",
     .fix     = "Players: get the mod again, if it does not work. Authors: pack it again, "
                "with all its packages.",
     .spec    = "iostore.md#3.21")
{
	const struct utoc *u = c->facts;
	const bool own = p->id == u->toc.header.container_id;

	if (p->traits & PACKAGE_ID_ZERO)
		return;
	if (own || u->toc.name.is_patch)
		report_lesser(c, id_place(c, p), DEC(p->index), HEX(p->id),
			      either(own, ": it is the container's own id", ""));
	else
		report(c, id_place(c, p), DEC(p->index), HEX(p->id), WORD(""));
}
