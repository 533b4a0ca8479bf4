/* Why a group of facts of a zen package is missing. */
#include "formats/iostore/zen_package/parts.h"

bool zen_note_stop(struct zen *z, uint32_t group, enum stop_why why, struct span at)
{
	if (z->stops[group].why == STOP_NOT)
		z->stops[group] = (struct zen_stop){ .why = why, .at = at };
	return false;
}

bool zen_takes(struct zen *z, uint32_t group, uint64_t n_rows, struct zen_place at)
{
	if (n_rows > z->in.most_rows)
		return zen_note_stop(z, group, STOP_LIMIT, (struct span){ at.at, at.len });
	return true;
}

bool zen_fail(struct zen_reader *r, uint32_t group)
{
	r->failed = true;
	return zen_note_stop(r->z, group, STOP_MEMORY, (struct span){ 0, 0 });
}

void *zen_alloc(struct zen_reader *r, uint32_t group, uint64_t count, uint64_t size)
{
	void *p = arena_alloc(r->arena, count, size);

	if (!p)
		zen_fail(r, group);
	return p;
}

bool zen_malformed(struct zen *z, uint32_t group, uint64_t defect, struct span at)
{
	z->defects |= defect;
	return zen_note_stop(z, group, STOP_MALFORMED, at);
}
