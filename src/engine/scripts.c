/* The script objects of a game. */
#include "engine/scripts.h"

#include <string.h>

bool scripts_keep(struct report *r, const void *facts)
{
	const struct script_objects *s = r->format->scripts ? r->format->scripts(facts) : NULL;
	uint64_t *ids;

	r->lists_scripts = s != NULL;
	if (!s || s->n == 0)
		return true;
	ids = arena_alloc(r->arena, s->n, sizeof *ids);
	if (!ids)
		return false;
	memcpy(ids, s->ids, (size_t)s->n * sizeof *ids);
	r->scripts = (struct script_objects){ ids, s->n };
	return true;
}

static bool is_unread(const struct unjudged *u)
{
	return u->reason == UNJUDGED_UNREADABLE || u->reason == UNJUDGED_CROWDED;
}

/* A hash that this build cannot compute does not matter: the ids were compared with their paths. */
const char *scripts_refusal(const struct report *r)
{
	for (size_t i = 0; i < r->n_unjudged; i++)
		if (is_unread(&r->unjudged[i]))
			return "the global container cannot be read";
	if (!r->lists_scripts)
		return "the file is no global container, which is called global.utoc";
	if (r->verdict == VERDICT_INVALID)
		return "the global container is invalid";
	for (size_t i = 0; i < r->n_unjudged; i++)
		if (r->unjudged[i].reason != UNJUDGED_CODEC)
			return "the global container was not judged to its end";
	return r->scripts.n > 0 ? NULL : "the global container has no script objects";
}
