/* Outlines: regions become cells. */
#include "engine/outline.h"

#include <string.h>

#include "core/checked.h"

size_t outline_cell(const struct outline *o, uint64_t at)
{
	const uint64_t per_cell = (o->size - 1) / OUTLINE_CELLS + 1;
	const uint64_t cell = at / per_cell;

	return cell < OUTLINE_CELLS ? (size_t)cell : OUTLINE_CELLS - 1;
}

static size_t kind_index(struct outline *o, const char *kind)
{
	size_t i = 0;

	while (i < o->n_kinds && strcmp(o->kinds[i], kind) != 0)
		i++;
	if (i < o->n_kinds)
		return i;
	if (o->n_kinds == OUTLINE_KINDS)
		return OUTLINE_KINDS - 1;
	o->kinds[o->n_kinds++] = kind;
	return i;
}

bool outline_region(void *outline, const struct region *r)
{
	struct outline *o = outline;
	size_t kind, first, last;

	if (r->file != 0 || r->depth > 0 || r->span.len == 0 || r->span.at >= o->size)
		return true;
	kind = kind_index(o, r->kind);
	o->bytes[kind] = capped_add(o->bytes[kind], r->span.len);
	first = outline_cell(o, r->span.at);
	last = outline_cell(o, capped_add(r->span.at, r->span.len - 1));
	o->cells[first] = (uint8_t)(kind + 1);
	for (size_t i = first + 1; i <= last; i++)
		if (o->cells[i] == 0)
			o->cells[i] = (uint8_t)(kind + 1);
	return true;
}
