/* A faulty source: an input behind a callback, read in odd portions, that can fail at any read. */
#ifndef UVET_FUZZ_SUPPORT_FAULTY_SOURCE_H
#define UVET_FUZZ_SUPPORT_FAULTY_SOURCE_H

#include "core/source.h"
#include "support/random.h"

enum read_fault {
	FAULT_NONE,
	FAULT_ERROR,   /* a read fails */
	FAULT_SHORT,   /* the input ends there, before its size */
	FAULT_CHANGED, /* it is found changed at the end */
};

struct faulty_source {
	const uint8_t *data;
	uint64_t size;
	struct dice dice; /* how much each read returns */
	bool whole;       /* each read returns all that was asked for */
	enum read_fault fault;
	uint64_t fail_at; /* the read, from 0, that the fault strikes */
	uint64_t n_reads;
	bool struck; /* the fault came to pass */
};

/* faulty_source_io returns the callbacks. */
struct source_io faulty_source_io(struct faulty_source *t);

#endif
