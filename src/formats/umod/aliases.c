/* Members that are installed under a name of another format than their own: they are checked under that name too. */
#include "formats/umod/install.h"

#include <string.h>

/* What is kept of each member while the copies are read. */
struct members {
	uint16_t *formats;                      /* of its aliases so far */
	uint32_t *next;                         /* the next of the same name, or MANIFEST_NONE */
};

static void chain_equal_names(const struct umod *u, uint32_t *next)
{
	uint32_t last = MANIFEST_NONE;

	for (uint32_t i = 0; i < u->n_members; i++)
		next[i] = MANIFEST_NONE;
	for (uint32_t i = 0; i < u->n_duplicates; i++) {
		const struct umod_pair *pair = &u->duplicates[i];

		if (i == 0 || pair->first != pair[-1].first)
			last = pair->first;
		next[last] = pair->second;
		last = pair->second;
	}
}

static bool is_new(const struct umod *u, struct members *s, const struct manifest_copy *c)
{
	unsigned known;

	if (c->dest_formats == 0 || c->member == MANIFEST_NONE)
		return false;
	known = s->formats[c->member] | format_set(text_word8(path_extension(umod_name(u, &u->members[c->member]))));
	if ((known & c->dest_formats) != 0)
		return false;
	s->formats[c->member] |= c->dest_formats;
	return true;
}

/* A line that names one of several members of a name names them all. */
static uint32_t list_aliases(const struct umod *u, struct members *s, struct manifest_alias *out)
{
	const struct manifest *m = &u->manifest;
	uint32_t n = 0;

	memset(s->formats, 0, u->n_members * sizeof *s->formats);
	for (uint32_t i = 0; i < m->n_copies; i++) {
		const struct manifest_copy *c = &m->copies[i];

		if (!is_new(u, s, c))
			continue;
		for (uint32_t row = c->member; row != MANIFEST_NONE; row = s->next[row]) {
			if (u->members[row].traits & UMOD_OUTSIDE)
				continue;
			if (out)
				out[n] = (struct manifest_alias){ c, row };
			n++;
		}
	}
	return n;
}

bool install_find_aliases(struct decode *d, struct umod *u)
{
	struct manifest *m = &u->manifest;
	struct members s;
	uint32_t n;

	if (m->dest_formats == 0)
		return true;
	s.formats = decode_alloc(d, UMOD_MANIFEST, u->n_members, sizeof *s.formats);
	s.next = decode_alloc(d, UMOD_MANIFEST, u->n_members, sizeof *s.next);
	if (!s.formats || !s.next || !decode_spend(d, UMOD_MANIFEST, (uint64_t)u->n_members + m->n_copies))
		return false;
	chain_equal_names(u, s.next);
	n = list_aliases(u, &s, NULL);
	m->aliases = decode_alloc(d, UMOD_MANIFEST, n, sizeof *m->aliases);
	if (!m->aliases)
		return false;
	m->n_aliases = list_aliases(u, &s, m->aliases);
	return true;
}
