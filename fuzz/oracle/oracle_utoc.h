/* What the oracles of a container share: a second reading of its tables, and what comes of it. */
#ifndef UVET_FUZZ_ORACLE_UTOC_H
#define UVET_FUZZ_ORACLE_UTOC_H

#include "oracle/oracle.h"
#include "reference/reference_utoc.h"

enum { ROWS_MAX = 512 };

/* What one chunk is, apart from all others. */
struct chunk {
	uint64_t first, n_blocks, length;
	bool misaligned, outside, past_space, overlaps;
	bool looked;                    /* its blocks are there, and its own, or few */
	bool gives;                     /* and they give something */
	bool partial, last_short, last_long, too_short, compressed;
};

/* The tables, with their chunks and blocks: of containers with at most ROWS_MAX of each. */
struct reading {
	struct second_toc t;
	struct chunk chunks[ROWS_MAX];
	bool owned[ROWS_MAX];
};

/* oracle_expect: a rule that was judged found so much, oracle_expect_any: it found something if n is not 0. */
void oracle_expect(const struct report *r, const char *id, uint64_t n);
void oracle_expect_any(const struct report *r, const char *id, uint64_t n);
bool oracle_is_zero(const uint8_t *p, uint64_t n);

/* oracle_stored breaks off where a report of a container with its companions says other things of the stored bytes than a second reading,
 * oracle_stored_facts where the facts do. */
void oracle_stored(const struct reading *u, const struct trial *t, const struct report *r);
void oracle_stored_facts(const struct reading *u, const struct trial *t, const struct utoc *facts);

/* oracle_partition is the file that holds a partition's bytes; NULL: none that is open. */
const struct neighbour *oracle_partition(const struct subject *s, uint64_t number);

/* oracle_gather decodes a chunk by decoders of its own, blocks that are not compressed and those of LZ4, Zlib and Gzip, and returns how many
 * bytes there are; 0: its tables or blocks are not sound, nobody else decodes one of them, or there is no room. */
uint64_t oracle_gather(const struct reading *u, const struct subject *s, const struct chunk *c, uint8_t *out, uint64_t room);

/* oracle_streams breaks off where a block that no decoder takes is not told of, or one that is sound is. No hash makes a difference. */
void oracle_streams(const struct reading *u, const struct trial *t, const struct report *r);

#endif
