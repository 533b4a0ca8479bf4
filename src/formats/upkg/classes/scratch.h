/* Scratch of the classes: memory that their readers use for one body after another, and what is
 * kept of bodies until all were read. */
#ifndef UVET_FORMATS_UPKG_CLASSES_SCRATCH_H
#define UVET_FORMATS_UPKG_CLASSES_SCRATCH_H

#include "formats/upkg/body/reader.h"

/* A buffer is memory that readers use one after another; it only grows. */
struct buffer {
	void *memory;
	uint64_t len;
};

/* A target of a jump, or a label: a place in memory, and where in the file it is read. */
struct script_target {
	uint32_t to, at;
	bool is_label;
};

/* The code of a class: a bit for each place in memory at which a token begins. */
struct class_code {
	uint32_t export;
	uint32_t size; /* in memory, as far as it has bits */
	const uint64_t *starts;
};

/* Where in the code of its class the condition of something is that the network replicates, and
 * where in the file that is read. */
struct condition {
	uint32_t export, class, to, at;
};

/* How a script ends: where in memory a last statement begins that returns from a function, or
 * one that stops a state; -1: it ends in something else. */
struct script_end {
	uint64_t size_at; /* in the file */
	int64_t size, returns, stops;
	int64_t table; /* where in memory its labels begin; -1: it has none */
	uint64_t last; /* the token of the last statement */
};

/* A struct that holds another, and where that is read: in the body of a variable, or of the struct
 * itself, which descends from it. */
struct struct_hold {
	uint32_t export, from, to;
	uint32_t at, len;
	uint32_t next; /* of those that hold the same, from 1 on */
};

/* What the variables of a class, struct, state or function take in memory at least, and how many of
 * them are out parameters. */
struct variables {
	uint32_t size; /* bytes; UINT32_MAX: that or more */
	uint32_t n_outs;
	bool returns; /* one of them is the value that a function returns */
};

/* How large a texture is, for the fonts that use it. */
struct texture_size {
	uint32_t export;
	int64_t sides[2];
};

/* How far the glyphs of a page reach to the right and down, and which glyph reaches there. */
struct glyph_reach {
	int64_t ends[2];
	uint64_t at[2];
	int64_t numbers[2];
};
struct font_page {
	uint32_t font;
	int32_t texture;
	struct glyph_reach reach;
};

struct class_scratch {
	uint64_t *starts;    /* SCRIPT_STARTS bits: where in memory the tokens of a script begin */
	uint64_t starts_end; /* bits from here on are 0 */
	/* a bit for each export: a list of fields has it; NULL: there was no list yet */
	uint8_t *listed;
	struct variables *variables; /* of each export; NULL: there was no variable yet */
	struct script_target *targets;
	uint64_t n_targets, max_targets;
	struct script_end end; /* of the script that was read last */
	/* of all classes whose code was read, in the order of the exports */
	struct class_code *codes;
	uint64_t n_codes, max_codes;
	struct condition *conditions;
	uint64_t n_conditions, max_conditions;
	struct struct_hold *holds;
	uint64_t n_holds, max_holds;
	struct buffer nodes, surfs, verts, light_maps, hulls, lights, stack; /* of a model */
	struct texture_size *sizes; /* of all textures up to here, in the order of the exports */
	uint64_t n_sizes, max_sizes;
	struct font_page *pages; /* of all fonts */
	uint64_t n_pages, max_pages;
	struct buffer reaches; /* of a font of UE2: one for each page that a glyph can name */
};

#define SCRIPT_STARTS 65536u

/* script_is_start tells whether a token of a script of this size begins at a place. */
static inline bool script_is_start(const uint64_t *starts, uint64_t size, uint64_t at)
{
	return at < size && at < SCRIPT_STARTS && starts[at / 64] >> at % 64 & 1;
}

/* scratch_of returns what the readers of classes share. */
static inline struct class_scratch *scratch_of(const struct body *b)
{
	return b->scratch->of_classes;
}

/* buffer_reserve returns n * size bytes that stay until the same buffer is reserved again; NULL:
 * memory ended, which was noted. */
UVET_MUST_USE void *buffer_reserve(struct body *b, struct buffer *buffer, uint64_t n, size_t size);

#endif
