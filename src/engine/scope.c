/* Scopes: gathering what was left out. */
#include "engine/scope.h"

/* A part that has no bytes in the file leaves nothing out. */
static uint64_t unknown_parts(const struct format *f, const struct group *groups)
{
	uint64_t parts = 0;

	for (uint32_t g = 0; g < f->n_groups; g++)
		if (groups[g].why == STOP_UNVERIFIED && groups[g].at.len > 0)
			parts |= BIT(g);
	return parts;
}

static bool left_companions(const struct format *f, const struct group *groups)
{
	for (uint32_t g = 0; g < f->n_groups; g++)
		if (groups[g].why == STOP_COMPANION)
			return true;
	return false;
}

void scope_add_file(struct scope *s, size_t format, enum level level, const struct group *groups)
{
	const uint64_t parts = unknown_parts(formats[format], groups);

	s->formats |= 1u << format;
	s->parts[format] |= parts;
	s->flags |= parts != 0 ? SCOPE_VERSION : 0;
	if (level == LEVEL_STRUCTURE && left_companions(formats[format], groups))
		s->flags |= SCOPE_ALONE;
}

void scope_add(struct scope *s, const struct scope *other)
{
	s->flags |= other->flags;
	s->formats |= other->formats;
	for (size_t f = 0; f < FORMATS_MAX; f++)
		s->parts[f] |= other->parts[f];
}

void scope_settle(struct scope *s, const struct profile *p)
{
	s->n_off = s->n_lowered = 0;
	for (size_t f = 0; formats[f]; f++) {
		if (!(s->formats >> f & 1))
			continue;
		s->n_off += p->cuts[f].n_off;
		s->n_lowered += p->cuts[f].n_lowered;
	}
	if (s->n_off + s->n_lowered > 0)
		s->flags |= SCOPE_RULES;
}

const char *scope_next_part(const struct scope *s, size_t *i)
{
	for (; *i < (size_t)FORMATS_MAX * GROUPS_MAX; ++*i) {
		const size_t f = *i / GROUPS_MAX, g = *i % GROUPS_MAX;

		if (s->parts[f] >> g & 1)
			return formats[f]->groups[(*i)++ % GROUPS_MAX].name;
	}
	return NULL;
}
