/* The global container: the script objects of a game, by whose ids packages import what its code
 * defines. Source: conformance/spec/iostore.md, 11. */
#ifndef UVET_FORMATS_IOSTORE_GLOBAL_GLOBAL_H
#define UVET_FORMATS_IOSTORE_GLOBAL_GLOBAL_H

#include "core/script_objects.h"
#include "formats/iostore/names/names.h"
#include "formats/iostore/toc/toc.h"

/* The chunks that it has: since UE5 one with everything, in UE4 three. */
enum global_part_name {
	GLOBAL_PART_OBJECTS,
	GLOBAL_PART_NAMES,
	GLOBAL_PART_HASHES,
	GLOBAL_N_PARTS
};

struct global_part {
	uint32_t chunk;    /* TOC_NONE: there is none */
	struct span id_at; /* its id in the .utoc */
	struct held held;  /* the chunk, decoded */
};

/* How many zeros may follow the script objects, as padding. */
#define GLOBAL_PAD_MAX 15u

/* What is kept of a script object is its traits: n of enum script_object_trait. */
struct global {
	bool is_global; /* the container is the global one, by its name */
	bool is_ue4;
	struct global_part parts[GLOBAL_N_PARTS];
	unsigned n_parts, n_missing; /* that its engine has, and that are not there */
	struct name_batch names;
	struct script_object_rows rows;
	uint64_t n;                 /* script objects */
	uint64_t claimed, count_at; /* the count that the chunk has, and its place there */
	uint64_t rows_at;           /* likewise, of the first one */
	bool is_read;               /* the chunk was: */
	bool is_cut;                /* it is too short for them */
	/* how many bytes they need from cut_at on, and how many there are */
	uint64_t cut_at, cut_wants, cut_left;
	struct span trailing; /* after the last one */
	bool trailing_zero;   /* nothing but zeros */
	uint8_t *traits;
	uint32_t seen;
	struct script_objects sorted; /* their ids, where GLOBAL_OBJECTS was decoded */
};
KEEPS(script_object, struct global, traits[0]);

/* A script object as rules see it. */
struct script_object_view {
	uint64_t index, at; /* `at` in the chunk */
	uint64_t name, number, id, outer, class;
	uint32_t traits;
};

/* global_open looks for the chunks. true: the caller reads the bytes of each part that has a chunk
 * and a length, at most *most, or notes the stop of GLOBAL_BYTES, which global_decode spreads.
 * false: there is nothing to read; the stops of GLOBAL_... say whether something is missing. */
UVET_MUST_USE bool global_open(struct decode *d, const struct toc *t, struct global *g,
			       uint64_t *most);

/* global_decode reads names and script objects. It notes the stops of GLOBAL_NAMES and
 * GLOBAL_OBJECTS. */
void global_decode(struct decode *d, struct global *g);

/* global_judge_objects says what is the matter with each script object; false: memory or work
 * ended, which is noted for GLOBAL_OBJECTS. */
UVET_MUST_USE bool global_judge_objects(struct decode *d, struct global *g);

/* global_object gives script object i < g->n, global_view_objects rows of a table (struct table).
 */
void global_object(const struct global *g, uint64_t i, struct script_object_view *out);
void global_view_objects(const struct global *g, uint64_t first, uint64_t n, void *rows);

#endif
