/* A reference reading of the script objects of a global container, slow and from the specification;
 * it can make their ids right, too. Source: conformance/spec/iostore.md, 11. */
#ifndef UVET_FUZZ_REFERENCE_REFERENCE_GLOBAL_H
#define UVET_FUZZ_REFERENCE_REFERENCE_GLOBAL_H

#include "reference/reference_names.h"

enum { REFERENCE_GLOBAL_MAX = 1 << 16, REFERENCE_OBJECTS_MAX = REFERENCE_GLOBAL_MAX / 32 };

/* The bytes of a chunk, at most REFERENCE_GLOBAL_MAX. */
struct reference_chunk {
	const uint8_t *p;
	uint64_t n;
};

/* What a script object breaks. */
struct reference_object {
	uint64_t outer, class; /* rows; REFERENCE_OBJECTS_MAX: none, or none that is there */
	bool name_out, wrong_id, no_outer, no_class;
	bool has_path; /* its id, but for the upper two bits, has to be `hash` */
	uint64_t hash;
};

struct reference_global {
	struct reference_batch names;
	struct reference_chunk rows; /* the chunk, and where in it the rows begin */
	uint64_t rows_at;
	bool has_names; /* the batch is there, and adds up */
	bool misfits;   /* the count does not go with the chunk */
	bool is_read;   /* there are script objects */
	uint64_t n;
	struct reference_object objects[REFERENCE_OBJECTS_MAX];
};

/* reference_global_read reads the chunk ScriptObjects of UE5, reference_global_read_old the three
 * of UE4; names and hashes follow one another in one chunk of bytes. */
void reference_global_read(struct reference_global *g, struct reference_chunk objects);
void reference_global_read_old(struct reference_global *g, struct reference_chunk objects,
			       const uint8_t *names, uint64_t n_names, uint64_t n_hashes);

/* reference_global_repair writes into p, the bytes of g->rows, the ids that follow from the paths,
 * and what refers to them. */
void reference_global_repair(const struct reference_global *g, uint8_t *p);

#endif
