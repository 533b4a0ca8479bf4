/* Where the sections of a header lie, and whether they may lie there. Source:
 * conformance/spec/zen.md, 2. */
#include "formats/iostore/zen_package/parts.h"

enum { UE4_ALIGNMENT = 8 };

/* ---- Faults ---------------------------------------------------------------------------------- */

static bool note_fault(struct zen *z, uint64_t defect, const struct zen_fault *fault)
{
	z->fault = *fault;
	return zen_malformed(z, ZEN_SECTIONS, defect, (struct span){ 0, z->header_end });
}

static bool is_of_cells(enum zen_section s)
{
	return s == ZEN_AT_CELL_IMPORTS || s == ZEN_AT_CELL_EXPORTS;
}

/* What is read from the header must be there. As much of the package is at hand as its first bytes
 * say that the header has. */
static bool check_header_end(struct zen *z)
{
	if (z->header_end > z->size || NEVER(z->header_end > z->in.header.len))
		return zen_malformed(z, ZEN_SECTIONS, ZEN_HEADER_LONG, (struct span){ 0, z->size });
	return true;
}

/* A run is sections that follow one another; each says only where it begins. */
struct run_part {
	enum zen_section section;
	uint64_t each; /* of its rows; 1: whole rows are judged elsewhere */
};

static uint64_t run_start(const struct zen *z, const struct run_part *run, size_t n, size_t i)
{
	return i < n ? z->sections[run[i].section].at : z->header_end;
}

/* `least` is where the first one may begin. */
static bool place_run(struct zen *z, const struct run_part *run, size_t n, uint64_t least)
{
	for (size_t i = 0; i < n; i++) {
		struct zen_place *place = &z->sections[run[i].section];
		const struct zen_fault fault = { run[i].section, place->at, least,
						 z->header_end,  0,         0 };

		if (place->at < least || place->at > z->header_end)
			return note_fault(z,
					  is_of_cells(run[i].section) ? ZEN_CELLS_ORDER : ZEN_ORDER,
					  &fault);
		least = place->at;
	}
	for (size_t i = 0; i < n; i++) {
		struct zen_place *place = &z->sections[run[i].section];
		struct zen_fault fault = { run[i].section, place->at, 0, 0, 0, run[i].each };

		fault.len = place->len = run_start(z, run, n, i + 1) - place->at;
		if (place->len % run[i].each != 0)
			return note_fault(z,
					  is_of_cells(run[i].section) ? ZEN_CELLS_ORDER
								      : ZEN_PART_OF_A_ROW,
					  &fault);
	}
	return true;
}

/* ---- UE4 ------------------------------------------------------------------------------------- */

static bool is_inside(const struct zen *z, struct zen_place p)
{
	return p.len <= z->header_end && p.at <= z->header_end - p.len;
}

/* Names and their hashes have sizes of their own, and the offsets need not agree with them. */
static bool check_own_size(struct zen *z, enum zen_section s)
{
	const struct zen_place p = z->sections[s];
	const struct zen_fault fault = { s,     p.at,
					 0,     z->header_end > p.len ? z->header_end - p.len : 0,
					 p.len, 1 };

	if (!is_inside(z, p))
		return note_fault(z, ZEN_ORDER, &fault);
	return true;
}

static void check_places(struct zen *z)
{
	const struct zen_place names = z->sections[ZEN_AT_NAMES],
			       hashes = z->sections[ZEN_AT_NAME_HASHES];
	const uint64_t end = names.at + names.len;

	if (names.at != z->sections[ZEN_AT_SUMMARY].len)
		z->defects |= ZEN_NAMES_PLACE;
	if (hashes.at < end || hashes.at - end >= UE4_ALIGNMENT || hashes.at % UE4_ALIGNMENT != 0)
		z->defects |= ZEN_HASHES_PLACE;
	if (z->sections[ZEN_AT_IMPORTS].at != hashes.at + hashes.len)
		z->defects |= ZEN_IMPORTS_PLACE;
	if (names.at % UE4_ALIGNMENT != 0)
		z->defects |= ZEN_NAMES_MISALIGNED;
	if (hashes.at % UE4_ALIGNMENT != 0)
		z->defects |= ZEN_HASHES_MISALIGNED;
	if (z->summary.pad != 0)
		z->defects |= ZEN_PAD;
}

static bool place_ue4(struct zen *z)
{
	static const struct run_part run[] = {
		{ ZEN_AT_IMPORTS, zen_import_fixed_len },
		{ ZEN_AT_EXPORTS, zen_export_fixed_len },
		{ ZEN_AT_ENTRIES, 1 }, /* ZEN_BUNDLES_SIZE */
		{ ZEN_AT_GRAPH, 1 },
	};

	if (!check_own_size(z, ZEN_AT_NAMES) || !check_own_size(z, ZEN_AT_NAME_HASHES) ||
	    !place_run(z, run, sizeof run / sizeof run[0], z->sections[ZEN_AT_SUMMARY].len))
		return false;
	check_places(z);
	return true;
}

/* ---- UE5 ------------------------------------------------------------------------------------- */

/* The versioning info. *at is where it begins, and then where it ends; likewise below. */
static bool place_versions(struct zen *z, uint64_t *at)
{
	struct cursor c = cursor_init(z->in.header.bytes, z->header_end, 0);
	struct zen_place *place = &z->sections[ZEN_AT_VERSIONS];
	const struct span all = { 0, z->header_end };
	const bool is_there = cursor_seek(&c, *at);
	struct held custom;

	if (z->summary.has_versions > 1)
		z->defects |= ZEN_VERSIONING_FLAG;
	if (z->summary.has_versions == 0)
		return true;
	place->at = *at;
	if (NEVER(!is_there) || !zen_versions_read(&c, 0, &z->versions) ||
	    !held_take(&c, z->versions.n_custom * zen_custom_version_fixed_len, &custom))
		return zen_malformed(z, ZEN_SECTIONS, ZEN_VERSIONS_LONG, all);
	if (z->versions.zen > ZEN_VERSION_MAX)
		z->defects |= ZEN_VERSION_UNKNOWN;
	z->n_custom = z->versions.n_custom;
	*at = cursor_at(&c);
	place->len = *at - place->at;
	return true;
}

/* Until 5.5 no engine has cells, whatever the versions say. */
static void check_cells_version(struct zen *z)
{
	const bool is_since = zen_is_since(&z->versions, ZEN_UE5_CELLS),
		   is_before = z->claims && z->claims->version != CLAIMS_NO_VERSION &&
			       z->claims->version < CLAIMS_CELLS;

	if (z->summary.has_versions == 0 || !zen_is_named(z))
		return;
	if (z->version >= ZEN_5_6 && !is_since)
		z->defects |= ZEN_CELLS_EARLY;
	/* mutant: the first version that has cells is none of them */
	if (z->version < ZEN_5_6 && is_since && !is_before &&
	    !(MUTANT(352) && z->versions.ue5 == ZEN_UE5_CELLS))
		z->defects |= ZEN_CELLS_ABSENT;
}

static bool place_cells(struct zen *z, uint64_t *at)
{
	struct cursor c = cursor_init(z->in.header.bytes, z->header_end, 0);
	const struct zen_fault fault = {
		ZEN_AT_CELLS, *at, 0, z->header_end, zen_cells_fixed_len, 1
	};
	struct zen_cells cells;
	bool is_inside;

	if (z->version < ZEN_5_6)
		return true;
	is_inside = cursor_seek(&c, *at);
	if (NEVER(!is_inside) || !zen_cells_read(&c, 0, &cells))
		return note_fault(z, ZEN_ORDER, &fault);
	z->sections[ZEN_AT_CELLS] = (struct zen_place){ *at, zen_cells_fixed_len };
	z->sections[ZEN_AT_CELL_IMPORTS].at = cells.imports_at;
	z->sections[ZEN_AT_CELL_EXPORTS].at = cells.exports_at;
	*at = cursor_at(&c);
	return true;
}

/* What has no offset of its own: *at is where the hashes may begin. A batch that does not fit is
 * judged with the names. */
static bool place_front(struct zen *z, uint64_t *at)
{
	struct name_batch *b = &z->batches[ZEN_OWN_NAMES];
	struct held header;

	if (*at > z->header_end) /* then the first section that has an offset is out of order */
		return true;
	if (!place_versions(z, at))
		return false;
	check_cells_version(z);
	if (!place_cells(z, at))
		return false;
	header = held_part(z->in.header, 0, z->header_end);
	z->n_batches = 1;
	z->sections[ZEN_AT_NAMES].at = *at;
	if (!names_find(b, header, *at))
		return true;
	*at = b->end;
	z->sections[ZEN_AT_NAMES].len = b->end - b->start;
	return true;
}

static bool place_counted(struct zen *z, uint64_t least)
{
	static const struct run_part run[] = {
		{ ZEN_AT_HASHES, zen_hash_fixed_len },
		{ ZEN_AT_IMPORTS, zen_import_fixed_len },
		{ ZEN_AT_EXPORTS, zen_export_fixed_len },
		{ ZEN_AT_ENTRIES, zen_entry_fixed_len },
		{ ZEN_AT_GRAPH, 1 },
	};

	return place_run(z, run, sizeof run / sizeof run[0], least);
}

static bool place_named(struct zen *z, uint64_t least)
{
	static const struct run_part all[] = {
		{ ZEN_AT_HASHES, zen_hash_fixed_len },
		{ ZEN_AT_IMPORTS, zen_import_fixed_len },
		{ ZEN_AT_EXPORTS, zen_export_fixed_len },
		{ ZEN_AT_CELL_IMPORTS, zen_import_fixed_len },
		{ ZEN_AT_CELL_EXPORTS, zen_cell_fixed_len },
		{ ZEN_AT_ENTRIES, zen_entry_fixed_len },
		{ ZEN_AT_DEPENDENCY_HEADS, 1 }, /* ZEN_DEPENDENCY_COUNT */
		{ ZEN_AT_DEPENDENCIES, zen_dependency_fixed_len },
		{ ZEN_AT_PACKAGES, 1 },
	};
	struct run_part run[sizeof all / sizeof all[0]];
	size_t n = 0;

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		if (z->version >= ZEN_5_6 || !is_of_cells(all[i].section))
			run[n++] = all[i];
	return place_run(z, run, n, least);
}

static bool place_ue5(struct zen *z)
{
	uint64_t least = z->sections[ZEN_AT_SUMMARY].len;

	if (zen_is_counted(z) && z->header_end < z->sections[ZEN_AT_GRAPH].at)
		return zen_malformed(z, ZEN_SECTIONS, ZEN_HEADER_SHORT,
				     (struct span){ 0, z->header_end });
	if (!place_front(z, &least))
		return false;
	return zen_is_counted(z) ? place_counted(z, least) : place_named(z, least);
}

/* ---- What the summary says besides ----------------------------------------------------------- */

static void check_flags(struct zen *z)
{
	const uint64_t flags = z->summary.flags;

	if (z->summary.cooked_header_size == 0)
		z->defects |= ZEN_COOKED_SIZE_ZERO;
	if (!(flags & ZEN_FLAG_NO_EDITOR_DATA))
		z->defects |= ZEN_HAS_EDITOR_DATA;
	if (!zen_is_ue4(z) && !(flags & ZEN_FLAG_COOKED))
		z->defects |= ZEN_NOT_COOKED;
	if (z->summary.has_versions == 1 && flags & ZEN_FLAG_UNVERSIONED)
		z->defects |= ZEN_VERSIONS_EXTRA;
}

bool zen_place_sections(struct zen *z)
{
	const bool placed = check_header_end(z) && (zen_is_ue4(z) ? place_ue4(z) : place_ue5(z));

	check_flags(z);
	return placed;
}
