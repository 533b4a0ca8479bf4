/* Files beside an input, as a host serves them: read in odd portions, from several threads at once, with a fault on demand. */
#ifndef UVET_FUZZ_BESIDE_H
#define UVET_FUZZ_BESIDE_H

#include <stdatomic.h>

#include "formats/decode.h"
#include "support/faulty_source.h"

/* A neighbour is a file beside the input; its name is the input's, without its extension, and an ending. */
struct neighbour {
	const char *ending;
	const uint8_t *data;            /* an exact-size block */
	size_t size;
	enum companion_state state;
};

/* A beside is the folder of one check. */
struct beside {
	const char *input;              /* its name */
	const struct neighbour *of;
	size_t n;
	uint64_t portions;              /* a seed for how much each read gives; 0: all that was asked for */
	enum tape_fault fault;          /* TAPE_ERROR: reads of that byte fail; TAPE_SHORT: the file ends there; TAPE_CHANGED: it changed */
	size_t fault_file;
	uint64_t fault_at;
	atomic_bool struck;
	uint64_t n_open;                /* opened and not yet closed */
};

/* beside_siblings gives the callbacks; b outlives the check. */
struct siblings beside_siblings(struct beside *b);

#endif
