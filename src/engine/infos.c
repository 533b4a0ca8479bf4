/* Infos: what there is to tell of a file, kept in its report. */
#include "engine/infos.h"

#include <string.h>

struct infos {
	struct info of[INFOS_MAX];
	size_t n;
};

static void keep_info(void *ctx, const struct info *i)
{
	struct infos *infos = ctx;

	if (ALWAYS(infos->n < INFOS_MAX)) /* formats have fewer: 17 of a container */
		infos->of[infos->n++] = *i;
}

/* A text of the file's outlives it in UTF-8, and shows where it was cut. */
static bool keep_text(struct report *r, struct info *i)
{
	static const char more[] = { '.', '.', '.' };
	uint8_t utf8[4 * INFO_TEXT_MAX + sizeof more], *kept;
	bool whole;
	size_t n = text_utf8(*i->u.text, INFO_TEXT_MAX, utf8, &whole);

	if (!whole) {
		memcpy(utf8 + n, more, sizeof more);
		n += sizeof more;
	}
	kept = arena_alloc(r->arena, n, 1);
	if (!kept)
		return false;
	memcpy(kept, utf8, n);
	i->u.utf8 = kept;
	i->n_utf8 = (uint32_t)n;
	i->cut = !whole;
	return true;
}

static bool keep_texts(struct report *r, struct infos *infos)
{
	for (size_t i = 0; i < infos->n; i++)
		if (infos->of[i].is_text && !keep_text(r, &infos->of[i]))
			return false;
	return true;
}

/* Nested files are many: each report takes only as much memory as it needs. */
bool infos_keep(struct report *r, const void *facts)
{
	struct info *list;
	struct infos infos;

	infos.n = 0;
	r->format->info(facts, keep_info, &infos);
	if (!keep_texts(r, &infos))
		return false;
	list = arena_alloc(r->arena, infos.n, sizeof *list);
	if (!list)
		return false;
	memcpy(list, infos.of, infos.n * sizeof *list);
	r->infos = list;
	r->n_infos = infos.n;
	return true;
}
