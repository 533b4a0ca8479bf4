/* What is decoded of a directory index and what rules find in it, held against a reference
 * reading. */
#ifndef UVET_FUZZ_ORACLE_ORACLE_DIRINDEX_H
#define UVET_FUZZ_ORACLE_ORACLE_DIRINDEX_H

#include "formats/iostore/utoc.h"
#include "oracle/oracle_trial.h"
#include "reference/reference_dirindex.h"

/* An index in a container that is sound but for it. */
struct dirindex_subject {
	const uint8_t *bytes; /* not encrypted */
	uint64_t len;
	const struct reference_chunks *chunks;
	bool encrypted; /* it is in the container, under a key that is at hand */
	bool claimed;   /* it is not, and the container says that it is */
};

/* oracle_dirindex stops the harness where report or facts say something else than the reference
 * reading. */
void oracle_dirindex(const struct dirindex_subject *s, const struct report *r, struct decode *d,
		     const struct utoc *u);

#endif
