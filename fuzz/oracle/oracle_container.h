/* A reference reading of a container, which its oracles share. */
#ifndef UVET_FUZZ_ORACLE_ORACLE_CONTAINER_H
#define UVET_FUZZ_ORACLE_ORACLE_CONTAINER_H

#include "reference/reference_utoc.h"

enum { ROWS_MAX = 512 };

/* What one chunk is, apart from all others. */
struct chunk {
	uint64_t first, n_blocks, length;
	bool misaligned, outside, past_space, overlaps;
	bool looked;  /* its blocks are there, and its own, or few */
	bool decodes; /* and they decompress to something */
	bool partial, last_short, last_long, too_short, compressed;
};

/* The tables, with their chunks and blocks: of containers with at most ROWS_MAX of each. */
struct reading {
	struct reference_toc t;
	struct chunk chunks[ROWS_MAX];
	bool owned[ROWS_MAX];
};

#endif
