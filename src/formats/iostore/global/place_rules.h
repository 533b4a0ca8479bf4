/* The places of findings about the global container's chunks: in the .ucas if a chunk is stored as
 * it is, else the chunk's id in the .utoc. */
#ifndef UVET_FORMATS_IOSTORE_GLOBAL_PLACE_RULES_H
#define UVET_FORMATS_IOSTORE_GLOBAL_PLACE_RULES_H

#include "formats/iostore/facts.h"
#include "rule/finding.h"

static inline const struct global *global_of(const struct check *c)
{
	return &((const struct utoc *)c->facts)->global;
}

/* global_place is where `len` bytes of a part are stored; `at` may be the chunk's end. */
static inline struct place global_place(const struct check *c, enum global_part_name part,
					uint64_t at, uint64_t len)
{
	const struct utoc *u = c->facts;
	const struct global_part *p = &u->global.parts[part];
	const uint64_t past_end = at > 0 && at == p->held.len;
	uint64_t stored;
	uint32_t file;

	if (content_find_byte(u, p->chunk, at - past_end, &file, &stored))
		return AT_IN(file, stored + past_end, len);
	return AT_SPAN(p->id_at.at, p->id_at.len);
}

#endif
