/* The parts of the decoder of zen packages. Each works on what those before it have filled in, and
 * notes its stops; what returns bool returns false where nothing after it can be decoded. */
#ifndef UVET_FORMATS_IOSTORE_ZEN_PACKAGE_PARTS_H
#define UVET_FORMATS_IOSTORE_ZEN_PACKAGE_PARTS_H

#include "core/checked.h"
#include "core/mutant.h"
#include "formats/iostore/zen_package/zen.h"

enum { ZEN_COUNT_LEN = 4 }; /* bytes of a count */

/* What has to be at hand besides the facts. */
struct zen_reader {
	struct zen *z;
	struct arena *arena;
	bool failed; /* memory ended, or the check was interrupted */
};

/* zen_note_stop notes why a group is missing, and returns false. zen_alloc is arena_alloc with a
 * failure noted for the group; zen_fail notes it where something else failed for that reason. */
UVET_COLD bool zen_note_stop(struct zen *z, uint32_t group, enum stop_why why, struct span at);
UVET_COLD bool zen_fail(struct zen_reader *r, uint32_t group);
UVET_MUST_USE void *zen_alloc(struct zen_reader *r, uint32_t group, uint64_t count, uint64_t size);

/* zen_takes tells whether a table at `at` has not more than the most rows that may be read; if it
 * has, that is why its group is missing. */
bool zen_takes(struct zen *z, uint32_t group, uint64_t n_rows, struct zen_place at);

/* zen_spread_stops stops each group that needs one that is missing. */
void zen_spread_stops(struct zen *z);

/* zen_malformed is zen_note_stop for a defect of the file. */
UVET_COLD bool zen_malformed(struct zen *z, uint32_t group, uint64_t defect, struct span at);

/* zen_is_ue4, zen_is_counted and zen_is_named tell which family of layouts it is. */
static inline bool zen_is_ue4(const struct zen *z)
{
	return z->version == ZEN_UE4;
}
static inline bool zen_is_counted(const struct zen *z)
{
	return z->version == ZEN_5_0 || z->version == ZEN_5_2;
}
static inline bool zen_is_named(const struct zen *z)
{
	return z->version >= ZEN_5_3;
}

/* zen_section_bytes returns the bytes of a section, once ZEN_SECTIONS is there. */
static inline struct held zen_section_bytes(const struct zen *z, enum zen_section s)
{
	return held_part(z->in.header, z->sections[s].at, z->sections[s].len);
}

/* zen_is_since tells whether FileVersionUE5 is a version or a later one; it may be negative. */
static inline bool zen_is_since(const struct zen_versions *v, uint64_t version)
{
	return !is_negative_32(v->ue5) && v->ue5 >= version;
}

/* zen_sum adds two numbers, and is UINT64_MAX where the sum would wrap. */
static inline uint64_t zen_sum(uint64_t a, uint64_t b)
{
	return span_end((struct span){ a, b });
}

/* zen_mark_export gives export i a trait. */
static inline void zen_mark_export(struct zen *z, uint64_t i, uint32_t trait)
{
	z->traits_of_exports[i] |= trait;
	z->export_traits |= trait;
}

/* Which layout it is, and the summary. */
bool zen_read_summary(struct zen *z);
/* Where the sections lie. */
bool zen_place_sections(struct zen *z);
/* The two batches, the ids of packages, and what the summary says of names. */
void zen_read_names(struct zen_reader *r);
/* Imports, exports, cells, and entries of bundles. */
void zen_read_objects(struct zen_reader *r);
bool zen_read_imports_map(struct zen_reader *r);
bool zen_read_exports(struct zen_reader *r);
bool zen_check_outers(struct zen_reader *r);
bool zen_check_references(struct zen_reader *r);
bool zen_check_twins(struct zen_reader *r);
bool zen_check_hashes(struct zen_reader *r);
bool zen_check_ranges(struct zen_reader *r);
bool zen_read_cells(struct zen_reader *r);
void zen_read_entries(struct zen_reader *r);
/* What has to be loaded before what: of UE4, of 5.0 to 5.2, and since 5.3. */
void zen_read_old_graph(struct zen_reader *r);
void zen_read_graph(struct zen_reader *r);
bool zen_check_arc_cycles(struct zen_reader *r, struct held arcs);
void zen_read_dependencies(struct zen_reader *r);
void zen_check_steps(struct zen_reader *r);
/* Step 2 * i creates export or cell i, the step after it serializes it: the dependencies that it
 * waits for. */
struct span zen_step_waits(const struct zen *z, uint64_t step);
void zen_check_creation(struct zen_reader *r); /* since 5.3 */
void zen_read_bulk(struct zen_reader *r);
void zen_check_payload(struct zen *z);

/* zen_refers_out tells whether an object index leads to nothing. */
bool zen_refers_out(const struct zen *z, uint64_t index);

/* zen_bundle_at reads bundle i < n_bundles; zen_bundle_sum is how long its exports are together. */
struct zen_bundle zen_bundle_at(const struct zen *z, uint64_t i);
uint64_t zen_bundle_len(const struct zen *z);
uint64_t zen_bundle_sum(const struct zen *z, const struct zen_bundle *b);

/* zen_head_traits and zen_dependency_traits tell what is the matter with a row; *sum is that of a
 * head's counts. zen_bulk_item_at reads row i < n_bulk. */
uint32_t zen_head_traits(const struct zen *z, const struct zen_dependency_head *h, uint64_t *sum);
uint32_t zen_dependency_traits(const struct zen *z, int64_t value);
void zen_bulk_item_at(const struct zen *z, uint64_t i, struct zen_bulk_item *b);

/* zen_view_x makes rows of a table; see struct table. */
void zen_view_names(const void *facts, uint64_t first, uint64_t n, void *rows);
void zen_view_imports(const void *facts, uint64_t first, uint64_t n, void *rows);
void zen_view_cell_imports(const void *facts, uint64_t first, uint64_t n, void *rows);
void zen_view_hashes(const void *facts, uint64_t first, uint64_t n, void *rows);
void zen_view_exports(const void *facts, uint64_t first, uint64_t n, void *rows);
void zen_view_cells(const void *facts, uint64_t first, uint64_t n, void *rows);
void zen_view_entries(const void *facts, uint64_t first, uint64_t n, void *rows);
void zen_view_bundles(const void *facts, uint64_t first, uint64_t n, void *rows);
void zen_view_dependency_heads(const void *facts, uint64_t first, uint64_t n, void *rows);
void zen_view_dependencies(const void *facts, uint64_t first, uint64_t n, void *rows);
void zen_view_bulk(const void *facts, uint64_t first, uint64_t n, void *rows);

/* zen_explained and zen_map are those of struct format. */
uint64_t zen_explained(const void *facts);
bool zen_map(const void *facts, struct decode *d, map_sink *sink, void *ctx);

#endif
