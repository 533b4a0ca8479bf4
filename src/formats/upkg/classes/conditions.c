/* Conditions of what the network carries: each is a place in the code of a class, which may be read
 * before or after it. */
#include "formats/upkg/classes/conditions.h"

#include "formats/upkg/classes/scratch.h"
#include "formats/upkg/tables/references.h"

enum { CONDITION_LEN = 2 };

bool script_keep(struct body *b)
{
	struct class_scratch *s = scratch_of(b);
	const uint64_t words = (s->starts_end + 63) / 64;
	struct class_code *list = decode_grow(b->d, UPKG_SCRIPTS, s->codes, s->n_codes,
					      &s->max_codes, sizeof *list);
	uint64_t *starts = list ? decode_alloc(b->d, UPKG_SCRIPTS, words + 1, sizeof *starts)
				: NULL;

	if (list)
		s->codes = list;
	if (!starts)
		return false;
	memcpy(starts, s->starts, (size_t)words * sizeof *starts);
	list[s->n_codes++] = (struct class_code){ .export = b->export,
						  .size = (uint32_t)s->starts_end,
						  .starts = starts };
	return true;
}

bool script_condition(struct body *b, uint64_t to)
{
	struct class_scratch *s = scratch_of(b);
	struct condition *list = decode_grow(b->d, UPKG_SCRIPTS, s->conditions, s->n_conditions,
					     &s->max_conditions, sizeof *list);
	int32_t owner = b->u->exports[b->export].outer;

	if (!list)
		return false;
	s->conditions = list;
	for (unsigned i = 0; i < UPKG_OUTERS_MAX && owner > 0 && upkg_refers(b->u, owner) &&
			     b->u->exports[owner - 1].class != 0;
	     i++)
		owner = b->u->exports[owner - 1].outer;
	if (owner > 0)
		list[s->n_conditions++] = (struct condition){
			.export = b->export,
			.class = (uint32_t)owner - 1,
			.to = (uint32_t)to,
			.at = (uint32_t)body_at(b) - CONDITION_LEN,
		};
	return true;
}

static const struct class_code *find_code(const struct class_scratch *s, uint32_t class)
{
	uint64_t from = 0, to = s->n_codes;

	while (from < to) {
		const uint64_t mid = from + (to - from) / 2;

		if (s->codes[mid].export < class)
			from = mid + 1;
		else
			to = mid;
	}
	return from < s->n_codes && s->codes[from].export == class ? &s->codes[from] : NULL;
}

void script_examine_conditions(struct decode *d, struct upkg *u, struct scratch *scratch)
{
	for (uint64_t i = 0; i < scratch->of_classes->n_conditions; i++) {
		const struct condition *o = &scratch->of_classes->conditions[i];
		const struct class_code *code = find_code(scratch->of_classes, o->class);
		struct body b;

		if (!code || script_is_start(code->starts, code->size, o->to))
			continue;
		body_open(&b, d, u, o->export, scratch);
		body_flaw(&b, FLAW_REPLICATION, o->at, CONDITION_LEN, o->to, o->class);
	}
}
