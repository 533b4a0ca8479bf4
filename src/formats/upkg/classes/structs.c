/* Structs that hold themselves: which struct holds which other, by a variable or by descending from
 * it, and where that never ends. */
#include "formats/upkg/classes/structs.h"

#include "formats/upkg/body/reader.h"
#include "formats/upkg/classes/scratch.h"
#include "formats/upkg/tables/references.h"

bool structs_hold(struct body *b, int32_t from, int32_t to, uint64_t at)
{
	struct class_scratch *s = scratch_of(b);
	const struct upkg *u = b->u;
	struct struct_hold *list;

	if (from <= 0 || to <= 0 || !upkg_refers(u, from) || !upkg_refers(u, to))
		return true;
	if (upkg_class_of(u, from) != WORD_Struct || upkg_class_of(u, to) != WORD_Struct)
		return true;
	list = decode_grow(b->d, UPKG_SCRIPTS, s->holds, s->n_holds, &s->max_holds, sizeof *list);
	if (!list)
		return false;
	s->holds = list;
	list[s->n_holds++] = (struct struct_hold){
		.export = b->export,
		.from = (uint32_t)from - 1,
		.to = (uint32_t)to - 1,
		.at = (uint32_t)at,
		.len = (uint32_t)(body_at(b) - at),
	};
	return true;
}

/* For each export the number of structs that it holds and that are not known to end, and the
 * last hold of it, from 1 on; and a list of structs that are known to end. */
struct ends {
	uint32_t *open, *holders, *ready;
	uint32_t n_ready;
};

static void count_holds(struct class_scratch *s, struct ends *e)
{
	for (uint32_t i = 0; i < s->n_holds; i++) {
		struct struct_hold *h = &s->holds[i];

		e->open[h->from]++;
		h->next = e->holders[h->to];
		e->holders[h->to] = i + 1;
	}
}

/* A struct ends when all that it holds end. */
static void find_ends(const struct class_scratch *s, struct ends *e, uint32_t n_exports)
{
	for (uint32_t i = 0; i < n_exports; i++)
		if (e->open[i] == 0 && e->holders[i] != 0)
			e->ready[e->n_ready++] = i;
	while (e->n_ready > 0) {
		uint32_t next = e->holders[e->ready[--e->n_ready]];

		for (; next != 0; next = s->holds[next - 1].next)
			if (--e->open[s->holds[next - 1].from] == 0)
				e->ready[e->n_ready++] = s->holds[next - 1].from;
	}
}

void structs_examine(struct decode *d, struct upkg *u, struct scratch *scratch)
{
	const uint32_t n = u->tables[TABLE_EXPORTS].n;
	struct ends e = { 0 };

	if (scratch->of_classes->n_holds == 0)
		return;
	e.open = decode_alloc(d, UPKG_SCRIPTS, 3 * (uint64_t)n, sizeof *e.open);
	if (!e.open)
		return;
	memset(e.open, 0, 3 * (size_t)n * sizeof *e.open);
	e.holders = e.open + n;
	e.ready = e.holders + n;
	count_holds(scratch->of_classes, &e);
	find_ends(scratch->of_classes, &e, n);
	for (uint64_t i = 0; i < scratch->of_classes->n_holds; i++) {
		const struct struct_hold *h = &scratch->of_classes->holds[i];
		struct body b;

		if (e.open[h->to] == 0)
			continue;
		body_open(&b, d, u, h->export, scratch);
		body_flaw(&b, FLAW_STRUCT_ENDLESS, h->at, h->len, h->to, h->export == h->from);
	}
}
