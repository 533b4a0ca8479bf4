/* Ids of chunks, compared with each other. */
#ifndef UVET_FORMATS_IOSTORE_TOC_CHUNK_IDS_H
#define UVET_FORMATS_IOSTORE_TOC_CHUNK_IDS_H

#include "formats/iostore/toc/toc.h"

static inline bool toc_is_bulk(enum chunk_type type)
{
	return type == CHUNK_BULK || type == CHUNK_OPTIONAL_BULK || type == CHUNK_MAPPED_BULK;
}

/* toc_find_pairs lists the chunks with the same id. toc_find_packages notes whether each chunk of
 * bulk data has its package, usually one of the same container; afterwards toc_is_alone tells it of
 * one chunk, and says no before. Both return false if memory ended, which was noted. */
UVET_MUST_USE bool toc_find_pairs(struct decode *d, struct toc *t);
UVET_MUST_USE bool toc_find_packages(struct decode *d, struct toc *t);
bool toc_is_alone(const struct toc *t, uint64_t chunk);

/* toc_find_bulk returns the first chunk, that of index 0, of a type of bulk data of a package;
 * TOC_NONE: it has none. Chunks were decoded. */
uint32_t toc_find_bulk(const struct toc *t, uint64_t package, enum chunk_type type);

#endif
