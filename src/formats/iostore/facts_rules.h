/* What the rules of a container share: how they get at the facts. */
#ifndef UVET_FORMATS_IOSTORE_FACTS_RULES_H
#define UVET_FORMATS_IOSTORE_FACTS_RULES_H

#include "formats/iostore/facts.h"
#include "rule/finding.h"

static inline const struct utoc *utoc_of(const struct check *c)
{
	return c->facts;
}

static inline const struct toc *toc_of(const struct check *c)
{
	return &utoc_of(c)->toc;
}

/* chunk_id shows all bytes of a chunk's id in the order of the file, as engines and tools do. */
static inline struct arg chunk_id(const struct toc *t, uint64_t chunk)
{
	return HEX_BYTES(toc_id_row(t, chunk).bytes, utoc_chunk_id_fixed_len);
}

#endif
