/* A tape: an input behind a callback, read in odd portions, that can fail at any read. */
#ifndef UVET_FUZZ_TAPE_H
#define UVET_FUZZ_TAPE_H

#include "core/source.h"
#include "support/random.h"

enum tape_fault {
	TAPE_SOUND,
	TAPE_ERROR,             /* a read fails */
	TAPE_SHORT,             /* the input ends there, before its size */
	TAPE_CHANGED,           /* it is another one at the end */
};

struct tape {
	const uint8_t *data;
	uint64_t size;
	struct dice dice;               /* how much each read gives */
	bool whole;                     /* each read gives all that was asked for */
	enum tape_fault fault;
	uint64_t fail_at;               /* the read, from 0, that the fault strikes */
	uint64_t n_reads;
	bool struck;                    /* the fault came to pass */
};

/* tape_io gives the callbacks. */
struct source_io tape_io(struct tape *t);

#endif
