/* The oracle of the blocks of a container. */
#ifndef UVET_FUZZ_ORACLE_ORACLE_BLOCKS_H
#define UVET_FUZZ_ORACLE_ORACLE_BLOCKS_H

#include "oracle/oracle_container.h"
#include "oracle/oracle_trial.h"

/* oracle_partition is the file that holds a partition's bytes; NULL: none that is open, or there
 * are so many partitions that none is opened (UTH018). */
const struct fake_file *oracle_partition(const struct reference_toc *t, const struct subject *s,
					 uint64_t number);

/* oracle_gather decodes a chunk by decoders of its own, blocks that are not compressed and those of
 * LZ4, Zlib and Gzip, and returns how many bytes there are; 0: its tables or blocks are not sound,
 * one of them has another method, or there is no room. */
uint64_t oracle_gather(const struct reading *u, const struct subject *s, const struct chunk *c,
		       uint8_t *out, uint64_t room);

/* oracle_streams: a block that no decoder takes is reported, and one that is sound is not. Hashes
 * make no difference. */
void oracle_streams(const struct reading *u, const struct trial *t, const struct report *r);

#endif
