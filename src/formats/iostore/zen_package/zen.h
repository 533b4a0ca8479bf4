/* Zen packages, which lie in IoStore containers, and as .uzenasset or .uasset where somebody
 * extracted them: the facts of decoding one. Only the header is decoded; of what follows it the
 * length and the last four bytes are looked at.
 *
 * Format facts: conformance/spec/zen.md. */
#ifndef UVET_FORMATS_IOSTORE_ZEN_PACKAGE_ZEN_H
#define UVET_FORMATS_IOSTORE_ZEN_PACKAGE_ZEN_H

#include "core/digraph.h"
#include "core/package_tag.h"
#include "core/script_objects.h"
#include "formats/iostore/names/names.h"
#include "formats/iostore/names/object_path.h"
#include "formats/iostore/zen_package/claims.h"

#define FORMAT zen
#define FORMAT_DEF "formats/iostore/zen_package/zen.def"
#include "formats/declare.h"

#define ZEN_FLAG_COOKED 0x200u
#define ZEN_FLAG_UNVERSIONED 0x2000u
#define ZEN_FLAG_NO_EDITOR_DATA 0x80000000u
#define ZEN_OBJECT_PUBLIC 1u /* RF_Public */
#define ZEN_BULK_IN_FILE 0x100u
#define ZEN_BULK_OPTIONAL 0x800u
#define ZEN_BULK_MAPPED 0x1000u
#define ZEN_BULK_HAS_DUPLICATE 0x4000u
#define ZEN_BULK_NO_DUPLICATE UINT64_MAX
#define ZEN_VERSION_MAX 3u /* the highest ZenVersion of the versioning info that is known */
/* The FileVersionUE5 since which there is a bulk data map (DATA_RESOURCES), and cells
 * (VERSE_CELLS). */
#define ZEN_UE5_BULK 1009u
#define ZEN_UE5_CELLS 1015u

/* The layouts, by the first engine that has them. A package does not say which one it has: the
 * version of the container header does, or its own bytes do. */
enum zen_version {
	ZEN_NO_VERSION = 0,
	ZEN_UE4 = 427, /* 4.26 and 4.27: 64 bytes of a summary */
	ZEN_5_0 = 500, /* 44 bytes; also 5.1 */
	ZEN_5_2 = 502, /* with a bulk data map */
	ZEN_5_3 = 503, /* 52 bytes; dependency bundles and names of imported packages */
	ZEN_5_4 = 504, /* with a padded bulk data map; also 5.5 */
	ZEN_5_6 = 506, /* with cells */
};

/* ---- Where everything lies ------------------------------------------------------------------- */

/* The sections of a header, in the order in which they lie there. A layout has some of them. */
enum zen_section {
	ZEN_AT_SUMMARY,
	ZEN_AT_VERSIONS,    /* the versioning info */
	ZEN_AT_CELLS,       /* where the tables of cells begin */
	ZEN_AT_NAMES,       /* since UE5 the whole batch */
	ZEN_AT_NAME_HASHES, /* UE4: the algorithm's id, and a hash for each name */
	ZEN_AT_BULK,        /* the bulk data map, with what precedes it */
	ZEN_AT_HASHES,      /* imported public export hashes */
	ZEN_AT_IMPORTS,
	ZEN_AT_EXPORTS,
	ZEN_AT_CELL_IMPORTS,
	ZEN_AT_CELL_EXPORTS,
	ZEN_AT_ENTRIES, /* UE4: the bundles, then their entries */
	ZEN_AT_GRAPH,   /* 5.0 to 5.2: the bundles come first */
	ZEN_AT_DEPENDENCY_HEADS,
	ZEN_AT_DEPENDENCIES,
	ZEN_AT_PACKAGES, /* names of imported packages: a batch, and a number for each */
	ZEN_N_SECTIONS
};

/* Where a section lies; of what there is not len is 0. Until ZEN_SECTIONS is there it is what the
 * summary says, and may lie anywhere. */
struct zen_place {
	uint64_t at, len;
};

/* A fault is a section that is not where it may be: it begins at `at`, but may only begin from
 * `least` to `most`; or it begins there and has no whole rows of `each` bytes. */
struct zen_fault {
	enum zen_section section;
	uint64_t at, least, most, len, each;
};

/* What all summaries say, whichever layout the package has. */
struct zen_summary {
	uint64_t name, number; /* a mapped name */
	uint64_t source_name,
		source_number; /* UE4: that of the package that it is a translation of */
	uint64_t flags, cooked_header_size;
	uint64_t has_versions;
	uint64_t header_size; /* of UE4 where the graph data end */
	uint64_t pad;         /* UE4 */
};

/* ---- Rows as rules see them ------------------------------------------------------------------ */

/* What is stored is in `fields`, with its place `at`; the rest was found out. `index` is the row's
 * number in its table. */
struct zen_import_item {
	struct zen_import fields;
	uint64_t index;
	uint32_t traits; /* enum zen_import_trait */
};

struct zen_hash_item {
	struct zen_hash fields;
	uint64_t index;
	uint32_t traits;
};

struct zen_export_item {
	struct zen_export fields;
	uint64_t index;
	/* ZEN_EXPORT_OVERLAP, ZEN_EXPORT_GAP: where the one before it ends, by their offsets */
	uint64_t previous_end;
	uint32_t traits;
};

struct zen_cell_item {
	struct zen_cell fields;
	uint64_t index;
	uint64_t previous_end; /* as of an export */
	uint32_t traits;
};

struct zen_entry_item {
	struct zen_entry fields;
	uint64_t index;
	uint32_t traits;
};

/* `at` is that of the bundle. */
struct zen_bundle_item {
	struct zen_bundle fields; /* in UE4 without serial_offset */
	uint64_t index;
	uint64_t next;       /* where the one before it ends */
	uint64_t serial_sum; /* ZEN_BUNDLE_PAST_END: bytes of its exports; UINT64_MAX for more */
	uint64_t
		serial_next; /* ZEN_BUNDLE_MISPLACED: where the payload of the one before it ends */
	uint32_t traits;
};

/* An arc with a defect. */
struct zen_arc_item {
	uint64_t at;
	uint64_t list;   /* the number of the list that it stands in */
	int32_t from;    /* a bundle; of an external arc, an import */
	int32_t to;      /* a bundle */
	uint8_t command; /* of an external arc */
	uint8_t len;     /* its bytes: 9 for an external arc, else 8 */
	uint8_t traits;
};
KEEPS(zen_arc, struct zen_arc_item, traits);

struct zen_dependency_head_item {
	struct zen_dependency_head fields;
	uint64_t index;
	uint64_t sum; /* of its four counts */
	uint32_t traits;
};

struct zen_dependency_item {
	struct zen_dependency fields;
	uint64_t index;
	uint32_t traits;
};

struct zen_bulk_item {
	struct zen_bulk fields;
	uint64_t index;
	bool in_file;
	enum claims_bulk file; /* which one, if it lies in one */
	uint64_t limit; /* how long that is, or the payload; CLAIMS_NO_CHUNK: it is not there */
	uint32_t traits;
};

/* ---- All of it ------------------------------------------------------------------------------- */

/* What a package is decoded from. */
struct zen_input {
	struct held header; /* its first bytes: zen_header_size, or as many as there are */
	uint64_t length;    /* of the whole package */
	struct held tail;   /* its last four bytes; fewer if it has fewer */
	const struct script_objects *scripts; /* of the game; NULL: they are not known */
	uint64_t most_rows;                   /* of one table: LIMIT_entries */
};

/* The names of the package itself, and those of the packages that it imports. */
enum zen_batch { ZEN_OWN_NAMES, ZEN_PACKAGE_NAMES, ZEN_N_BATCHES };

/* A stop is why a group is missing. */
struct zen_stop {
	enum stop_why why;
	uint32_t on; /* STOP_NEEDS: the missing group */
	struct span at;
};

struct zen {
	struct zen_input in;
	const struct package_claims *claims; /* NULL: it lies in no container */
	uint64_t size;                       /* of the package */
	uint64_t defects;                    /* enum zen_file_trait */
	enum zen_version version;
	struct zen_summary summary;
	struct zen_place sections[ZEN_N_SECTIONS];
	uint64_t header_end;    /* where it ends; ZEN_SECTIONS: it is not after the package's end */
	struct zen_fault fault; /* ZEN_ORDER, ZEN_PART_OF_A_ROW, ZEN_CELLS_ORDER */
	struct zen_versions versions; /* if there is versioning info */
	uint64_t n_custom;

	struct name_batch batches[ZEN_N_BATCHES];
	uint64_t n_batches;
	bool has_package_id; /* the hash of the package's name is known: it is all ASCII */
	uint64_t package_id, source_id; /* source_id: UE4 */

	/* the packages that it imports: of UE4 sorted, since 5.3 in its order; 5.0 to 5.2 do not
	 * say */
	bool has_packages;
	const uint64_t *packages; /* their ids; 0: not known, as the name is not all ASCII */
	uint64_t n_packages;
	uint64_t packages_end;  /* where the names of imported packages end */
	uint64_t packages_used; /* since 5.3: how many imports and cell imports refer to */

	uint64_t n_imports, n_hashes, n_exports, n_cells, n_cell_imports, n_entries, n_bundles;
	struct zen_import_rows imports, cell_imports;
	struct zen_hash_rows hashes;
	struct zen_export_rows exports;
	struct zen_cell_rows cells;
	struct zen_entry_rows entries;
	uint8_t *traits_of_imports, *traits_of_cell_imports; /* n_imports, n_cell_imports */
	uint32_t *traits_of_exports;
	uint8_t *traits_of_cells, *traits_of_entries, *traits_of_bundles;
	uint32_t import_traits, cell_import_traits, hash_traits, export_traits, cell_traits,
		entry_traits, bundle_traits;
	/* of all exports, then of all cells; NULL: none overlaps, and there is no gap */
	const uint64_t *previous_ends;

	uint64_t bundles_at;    /* the first bundle */
	uint64_t *bundle_reach; /* where the entries end of the bundles before each 128th */
	/* 5.0 to 5.2, with ZEN_ARCS_CYCLIC: a bundle that waits for itself, by that many arcs */
	uint32_t cycle_bundle, cycle_length;
	uint64_t own_package_at;   /* ZEN_OWN_PACKAGE: where the graph names the package itself */
	uint64_t n_lists;          /* 5.0 to 5.2: lists of arcs from other packages */
	struct zen_arc_item *arcs; /* with a defect */
	uint64_t n_arcs;
	uint32_t arc_traits;
	struct zen_dependency_head_rows dependency_heads;
	struct zen_dependency_rows dependencies;
	uint64_t n_dependency_heads, n_dependencies;
	uint32_t dependency_head_traits, dependency_traits;
	uint64_t dependency_sum;              /* of what all dependency headers list */
	struct digraph_cycle reference_cycle; /* ZEN_REFERENCE_CYCLE: of exports */
	struct digraph_cycle step_cycle;      /* ZEN_STEP_CYCLE: of steps, two for each export */

	uint64_t bulk_at, bulk_end; /* the map's rows, and where they end */
	uint64_t bulk_pad;          /* since 5.4: how many bytes come before its size */
	uint64_t bulk_len;          /* as it says */
	struct zen_bulk_rows bulk;
	uint64_t n_bulk;
	uint32_t bulk_traits;
	uint64_t bulk_ends[CLAIMS_N_BULK]; /* how far the map reaches in each file */

	uint64_t payload;      /* bytes after the header */
	uint64_t serial_sum;   /* of all exports and cells, UINT64_MAX for more */
	uint64_t first_offset; /* the least of any export or cell; 0 if there is none */
	uint64_t trailer;      /* the last four bytes */

	struct zen_stop stops[zen_n_groups];
	const struct group *groups; /* the same, as the engine has them; NULL in a worker */
};
KEEPS(zen_file, struct zen, defects);
KEEPS(zen_import, struct zen, traits_of_imports[0]);
KEEPS(zen_import, struct zen, traits_of_cell_imports[0]);
KEEPS(zen_export, struct zen, traits_of_exports[0]);
KEEPS(zen_cell, struct zen, traits_of_cells[0]);
KEEPS(zen_entry, struct zen, traits_of_entries[0]);
KEEPS(zen_bundle, struct zen, traits_of_bundles[0]);

/* zen_header_size returns how many bytes of a package of `length` its header takes, at most
 * `length`; first is its first ZEN_SUMMARY_MOST bytes, or fewer if it has fewer. */
enum { ZEN_SUMMARY_MOST = 64 };
uint64_t zen_header_size(struct held first, uint64_t length, const struct package_claims *claims);

/* zen_bundles_least is how many bytes bundles and entries of UE4 have at least: 16 for each export,
 * and where there is one, a bundle. */
static inline uint64_t zen_bundles_least(const struct zen *z)
{
	return z->n_exports * 2 * zen_entry_fixed_len +
	       (z->n_exports > 0 ? zen_old_bundle_fixed_len : 0);
}

/* zen_work is how many units of work decoding a header of n bytes costs. */
static inline uint64_t zen_work(uint64_t n)
{
	return n / 4 + 16;
}

/* zen_read decodes a package. What it keeps lies in the arena, and in->header outlives it. It
 * charges no work. false: memory ended or the check was interrupted, as the arena says; *z then
 * has stops with STOP_MEMORY. */
UVET_MUST_USE bool zen_read(struct zen *z, struct arena *arena, const struct zen_input *in,
			    const struct package_claims *claims);

/* zen_is_plain tells whether a package has no defect and was decoded without a stop. */
bool zen_is_plain(const struct zen *z);

/* zen_is_likely tells by the first bytes whether a file is a zen package: all offsets of some
 * layout are in order or, where `is_named`, nearly all. */
bool zen_is_likely(struct held first, uint64_t length, bool is_named);

/* zen_has tells whether a group was decoded. */
static inline bool zen_has(const struct zen *z, uint32_t group)
{
	return z->stops[group].why == STOP_NOT;
}

/* zen_export_hash computes the hash of export i: since UE5 of its path, in UE4 its global import
 * index. false: that is not known, because of its outers, or a name that is not all ASCII.
 * ZEN_NAMES is there. */
bool zen_export_hash(const struct zen *z, uint64_t i, uint64_t *hash);

/* zen_package_limit is how many packages the imports of UE5 may refer to; UINT64_MAX: it is not
 * known. */
uint64_t zen_package_limit(const struct zen *z);

/* zen_is_unknown tells whether an object index is a script object that the game lacks; false where
 * the game's are not known. */
bool zen_is_unknown(const struct zen *z, uint64_t value);

/* zen_bulk_has_rest tells whether the package has a chunk of bulk data that is longer than what the
 * rows of ZEN_BULK say of it. */
bool zen_bulk_has_rest(const struct zen *z, enum claims_bulk file);

/* zen_summary_layout is the layout of the summary, which ZEN_SUMMARY has. zen_offset_field is the
 * number of its field that says where a section begins, or, for ZEN_AT_SUMMARY, where the header
 * ends; false: none says it, or it is one of the record zen_cells (ZEN_AT_CELL_IMPORTS,
 * ZEN_AT_CELL_EXPORTS). */
const struct layout *zen_summary_layout(const struct zen *z);
bool zen_offset_field(const struct zen *z, enum zen_section s, size_t *field);

/* zen_section_name is what reports call a section. */
const char *zen_section_name(enum zen_section s);

#define FORMAT zen
#define FORMAT_DEF "formats/iostore/zen_package/zen.def"
#include "formats/declare_tables.h"

extern const struct format zen_format;

#endif
