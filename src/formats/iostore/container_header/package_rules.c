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
     .message = "the id of package {0} is 0",
     .data    = "package",
     .why     = "0 stands for no package; the engine stops where it meets one.",
     .fix     = "Pack the mod again.",
     .spec    = "iostore.md#8.11")
{
	report(c, id_place(c, p), DEC(p->index));
}

DEFECT_RULE(CHD012, package_repeated, ERROR, CONTAINER_PACKAGE_ROWS, p, PACKAGE_ID_REPEATED,
     .class   = CLASS_CORRUPTION,
     .title   = "No id of a package shall occur twice.",
     .message = "package {0} has the id {1}, which an earlier one has",
     .data    = "package id",
     .why     = "Readers disagree on which store entry counts; some refuse the container.",
     .fix     = "Pack the mod again, with each package once.",
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
     .class   = CLASS_HYGIENE,
     .lesser  = SEVERITY_NOTE,
     .lesser_when = "the header is one of Unreal Engine 4, of which 4.26 itself does not sort",
     .title   = "The ids of packages should ascend.",
     .message = "the id of {1} {0} is below the one before it",
     .data    = "package list",
     .why     = "Engines write them in order; this header was made by something else.",
     .fix     = "Nothing, if the tool is known.",
     .spec    = "iostore.md#8.13")
{
	const struct container_header *h = container_header_of(c);

	judge_order(c, h, &h->packages, false);
	judge_order(c, h, &h->optional, true);
}

/* ---- Store entries --------------------------------------------------------------------------- */

RULE(CHD014, store_entries_short, ERROR, CONTAINER_HEAD,
     .class   = CLASS_SECURITY, .explains = BIT(CONTAINER_PACKAGES),
     .title   = "The store entries shall have room for one of each package.",
     .message = "the store entries have {0}, but {1} {1:package needs|packages need} {2} each",
     .data    = "length packages entry_length",
     .why     = "Engines take an entry for each id and read behind the last one.",
     .fix     = "Get the mod again; if it still fails, its author must pack it again.",
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
     .title   = "The store entries of the optional segment shall have room for one of each of its "
                "packages.",
     .message = "the store entries of the optional segment have {0}, but {1} {1:package "
                "needs|packages need} {2} each",
     .data    = "length packages entry_length",
     .why     = "Engines take an entry for each id and read behind the last one.",
     .fix     = "Get the mod again; if it still fails, its author must pack it again.",
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
     .title   = "What a store entry refers to shall lie behind the entries, and within their size.",
     .message = "the list of {2} of package {0}, {1} at an offset of {3}, does not lie in the "
                "bytes after the entries",
     .data    = "package count what offset",
     .why     = "Engines use the offset as a pointer, and read whatever memory it shows.",
     .fix     = "Get the mod again; if it still fails, its author must pack it again.",
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
     .title   = "A store entry that refers to nothing should do so with an offset of 0.",
     .message = "package {0} has {1} {2}, but an offset of {3} to them",
     .data    = "package count what offset",
     .why     = "No engine writes that; a count may have been changed by hand.",
     .fix     = "Nothing, if the tool is known.",
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
     .title   = "What a store entry refers to should begin at a multiple of 4.",
     .message = "the list of {2} of package {0}, {1} at an offset of {3}, is not aligned to 4 "
                "bytes",
     .data    = "package count what offset",
     .why     = "Engines read them as they lie, which some processors do not allow.",
     .fix     = "Pack the mod with a tool that aligns them.",
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
     .title   = "What store entries refer to should fill the bytes behind them, without gap or "
                "overlap.",
     .message = "what store entries refer to has {0} {0:gap|gaps} and {1} {1:overlap|overlaps}, "
                "the first at byte {2} of the header",
     .data    = "gaps overlaps at",
     .why     = "Engines write one behind the other; something hides there, or packages share what "
                "one of them needs alone.",
     .fix     = "Nothing, if the tool is known.",
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
	return traits & PACKAGE_IMPORT_OWN ? "itself" : "a package twice";
}

DEFECT_RULE(CHD019, import_invalid, WARNING, CONTAINER_PACKAGE_ROWS, p, IMPORT_ODD,
     .class   = CLASS_CORRUPTION,
     .title   = "A package should not import the package 0, itself, or another one twice.",
     .message = "package {0}, {1}, imports {2}",
     .data    = "package id what",
     .why     = "The engine waits for what a package imports before it loads it.",
     .fix     = "Pack the mod again.",
     .spec    = "iostore.md#8.19")
{
	report(c, view_place(c, p, &p->imports, "imports"), DEC(p->index), HEX(p->id),
	       WORD(import_defect(p->traits)));
}

DEFECT_RULE(CHD020, export_counts_invalid, ERROR, CONTAINER_PACKAGE_ROWS, p, PACKAGE_COUNTS_ODD,
     .class   = CLASS_SECURITY,
     .title   = "The counts of exports and of bundles shall not be negative, and where there are "
                "exports there shall be a bundle.",
     .message = "package {0} has {1} {1:export|exports} and {2} export {2:bundle|bundles}",
     .data    = "package exports bundles",
     .why     = "Engines make room for the package by these numbers.",
     .fix     = "Get the mod again; if it still fails, its author must pack it again.",
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
     .title   = "The counts of exports and of bundles shall be those of the package.",
     .message = "package {0}: the count of {1} is {2} in the container header, and {3} in the "
                "package itself",
     .data    = "package what count expected",
     .why     = "Engines make room for the package by the first number and fill it by the second.",
     .fix     = "Get the mod again; if it still fails, its author must pack it again.",
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
     .title   = "A store entry should import what its package imports.",
     .message = "package {0}: import {1} is {2} in the container header, and {3} in the package "
                "itself; 0 means none",
     .data    = "package import id expected",
     .why     = "The engine loads what the store entry imports; what else the package needs is "
                "missing, or another stands in its place.",
     .fix     = "Pack the mod again; the container header is of another build than the package.",
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
     .class   = CLASS_COMPATIBILITY,
     .title   = "The length of a package's chunk should stand in its store entry.",
     .message = "package {0} should have a chunk of {1}, it has {2}",
     .data    = "package length chunk_length",
     .why     = "Engines of 4.26 and 4.27 plan by this number how much they read at once.",
     .fix     = "Pack the mod again, with a tool that fills it in.",
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
     .title   = "No two packages should have the same order of loading, and the padding behind it "
                "should be 0.",
     .message = "package {0} has the load order {1}, {2}",
     .data    = "package load_order what",
     .why     = "Engines write neither; the entry was made by something else.",
     .fix     = "Nothing, if the tool is known.",
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
     .title   = "The packages of the optional segment should be packages of the container, if it "
                "has any.",
     .message = "package {0} of the optional segment, {1}, is no package of the container",
     .data    = "package id",
     .why     = "An optional segment adds to a package, which another container must have, then.",
     .fix     = "Nothing, if the engine's own packer made it: it puts each package into one of the "
                "two lists.",
     .spec    = "iostore.md#8.25")
{
	if (container_header_of(c)->packages.n > 0)
		report(c, id_place(c, p), DEC(p->index), HEX(p->id));
}

static const char *hash_defect(uint32_t traits)
{
	return traits & PACKAGE_HASH_ZERO ? "that is 0" : "twice";
}

DEFECT_RULE(CHD037, shader_map_invalid, WARNING, CONTAINER_PACKAGE_ROWS, p,
     PACKAGE_HASH_ZERO | PACKAGE_HASH_REPEATED,
     .class   = CLASS_CORRUPTION,
     .title   = "The shader maps of a package should not be 0, and each should be there once.",
     .message = "package {0}, {1}, has a shader map {2}",
     .data    = "package id what",
     .why     = "The engine asks for each of them before it loads the package.",
     .fix     = "Pack the mod again.",
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
     .why     = "The engine knows only packages that are listed; unless another container lists "
                "it, nobody finds this one.",
     .fix     = "Pack the mod again.",
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
     .why     = "The engine looks for the package here, and stops where it is nowhere else.",
     .fix     = "Pack the mod again, with all its packages.",
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
