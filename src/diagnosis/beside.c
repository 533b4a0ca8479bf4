/* What lies beside a file that is to be explained: which file is missing, and whose a .ucas is if
 * it is not this one's. */
#include "diagnosis/beside.h"

#include "core/container_parts.h"

/* ---- What is missing ------------------------------------------------------------------------- */

/* The .pak is asked for before the .ucas, which says more. */
const struct companion *beside_missing(const struct evidence *e, uint64_t *n)
{
	const struct patient *p = e->patient;
	const struct companion *missing = NULL;

	*n = 0;
	for (size_t i = 0; (i = results_next(p->results, RULE_FAIL, i, p->n_rules)) < p->n_rules;
	     i++) {
		const struct finding *f = results_of(p->results, i)->first;
		const struct finding_arg *name = f && f->n_args > 0 ? &f->args[0] : NULL;

		if (p->rules[i]->sign != SIGN_ABSENT_FILE || !name || NEVER(name->kind != ARG_TEXT))
			continue;
		*n += results_sum(results_of(p->results, i)->n_found);
		if (missing && !ending_is(missing->name, PART_PAK))
			continue;
		for (const struct companion *c = p->decode->companions; c; c = c->next)
			if (c->state == COMPANION_ABSENT && strlen(c->name) >= name->text_len &&
			    memcmp(c->name, name->text, name->text_len) == 0)
				missing = c;
	}
	return missing;
}

/* How long the name of a .ucas is without what follows that of its container: the ending, and the
 * number of a partition. */
static size_t container_len(const char *name)
{
	const size_t len = strlen(name) - (sizeof PART_DATA - 1);
	size_t n = len;

	while (n > 0 && name[n - 1] >= '0' && name[n - 1] <= '9')
		n--;
	return n < len && n > 2 && name[n - 1] == 's' && name[n - 2] == '_' ? n - 2 : len;
}

/* Any .utoc in the folder may be the one, under another name. */
static bool has_container(const struct siblings *siblings, const char *name,
			  char (*listed)[SPELLING_SIZE])
{
	_Alignas(max_align_t) unsigned char room[COMPANION_ROOM];
	struct source_io io;
	const enum companion_state state = siblings->open(siblings->ctx, name, room, &io);

	if (state == COMPANION_OPEN)
		siblings->close(siblings->ctx, &io);
	return state != COMPANION_ABSENT ||
	       siblings->list(siblings->ctx, PART_CONTAINER, listed, 1) > 0;
}

const char *beside_missing_container(const struct patient *p)
{
	const char *own = beside_own_name(p->decode);
	const struct siblings *siblings = p->decode->siblings;
	char(*listed)[SPELLING_SIZE];
	char *name;
	size_t len;

	if (!ending_is(own, PART_DATA) || !siblings || !siblings->list)
		return NULL;
	len = container_len(own);
	name = arena_alloc(p->arena, len + sizeof PART_CONTAINER, 1);
	listed = arena_alloc(p->arena, 1, sizeof *listed);
	*p->lost = *p->lost || !name || !listed;
	if (!name || !listed)
		return NULL;
	memcpy(name, own, len);
	memcpy(name + len, PART_CONTAINER, sizeof PART_CONTAINER);
	return has_container(siblings, name, listed) ? NULL : name;
}

/* ---- What belongs to another ----------------------------------------------------------------- */

/* A container whose .utoc is longer is not looked at. */
#define OWNER_SIZE_MAX ((uint64_t)16 << 20)

/* What is spent on each of the others, in units of work: about 32 MiB are read and decoded. */
#define OWNER_WORK ((uint64_t)1 << 19)

static bool are_most(uint64_t n, uint64_t of)
{
	return n >= of - of / 8;
}

/* Where blocks begin as they should, but somewhat before or after, the file is its own. */
static bool is_moved(const struct extent *x)
{
	return x->n_moved > x->n_unlike / 4;
}

bool beside_is_foreign(const struct part *part)
{
	const struct extent *x = &part->extent;

	return part->source->number != 0 && x->n_compared >= 2 &&
	       are_most(x->n_differ, x->n_compared) && !is_moved(x);
}

bool beside_has_length(const struct part *part)
{
	return part->extent.is_end && beside_reaches(&part->extent, part->source->io.size);
}

/* How many blocks must begin as no block of their method does. */
enum { PLACES_MIN = 4 };

/* Blocks are aligned, so that some of two files begin at the same places. */
bool beside_has_foreign_blocks(const struct part *part)
{
	const struct extent *x = &part->extent;

	return x->n_places >= PLACES_MIN && x->n_same == 0 && !is_moved(x) &&
	       (are_most(x->n_unlike, x->n_places) ||
		(!beside_has_length(part) && x->n_unlike >= x->n_places / 2));
}

/* Zeros that are half of a file are a hole in it, and where blocks begin as they should, the file
 * is its own. */
bool beside_is_foreign_at_once(const struct part *part)
{
	const struct extent *x = &part->extent;
	const struct census *c = &part->census;

	return beside_is_foreign(part) && x->n_before == 0 && c->most_zeros.len <= c->n / 2 &&
	       (x->n_places < PLACES_MIN || x->n_unlike > x->n_places / 2);
}

/* Some packers write digests that are all wrong, but they know how long their files are. */
bool beside_is_contradicted(const struct part *part)
{
	return beside_has_foreign_blocks(part) ||
	       (beside_is_foreign_at_once(part) && !beside_has_length(part));
}

/* A trial decodes another container of the folder under the name of the one that is judged, so that
 * its tables are held against the files that lie beside that. */
struct trial {
	struct decode decode;
	struct source source;
	struct source_io io;
	_Alignas(max_align_t) unsigned char room[COMPANION_ROOM];
};

static bool open_trial(struct trial *t, const struct decode *of, const char *name)
{
	const struct siblings *siblings = of->siblings;

	if (siblings->open(siblings->ctx, name, t->room, &t->io) != COMPANION_OPEN)
		return false;
	source_init(&t->source, t->io, of->source->name, of->arena, of->source->window_len);
	t->source.interrupt = of->work.interrupt;
	t->decode = (struct decode){ .source = &t->source,
				     .arena = of->arena,
				     .limits = of->limits,
				     .work = { .max = OWNER_WORK, .interrupt = of->work.interrupt },
				     .level = of->level,
				     .siblings = siblings,
				     .keys = of->keys,
				     .oodle = of->oodle,
				     .threads = of->threads };
	return true;
}

/* Tells whether the file of that name is what the tables of the trial speak of, by its length and
 * by the digests of chunks; *n gets how many are right. */
static bool is_theirs(const struct patient *p, const struct trial *t, const void *facts,
		      const char *name, uint64_t *n)
{
	for (const struct companion *c = t->decode.companions; c; c = c->next) {
		struct extent x = { .needs = 0 };

		if (c->state != COMPANION_OPEN || strcmp(c->name, name) != 0)
			continue;
		p->format->extent(facts, &t->decode, c->number, &x);
		*n = x.n_same;
		return x.is_end && beside_reaches(&x, c->source.io.size) && x.n_same > 0 &&
		       x.n_differ == 0;
	}
	return false;
}

/* Where memory ended in a worker, only the groups say so. */
static bool is_short_of_memory(const struct patient *p, const struct decode *d)
{
	for (size_t i = 0; i < p->format->n_groups; i++)
		if (d->groups[i].why == STOP_MEMORY)
			return true;
	return false;
}

static bool try_tables(const struct patient *p, struct trial *t, const char *name, uint64_t *n)
{
	const void *facts;
	bool is = false;

	if (t->io.size <= OWNER_SIZE_MAX) {
		facts = p->format->decode(&t->decode);
		*p->lost = *p->lost || !facts || is_short_of_memory(p, &t->decode);
		is = facts && is_theirs(p, t, facts, name, n);
	}
	decode_close(&t->decode);
	return is;
}

/* Tells whether a file belongs to the container of that name. */
static bool is_owned(const struct patient *p, const char *container, const char *name, uint64_t *n)
{
	struct decode *of = p->decode;
	const struct arena_mark mark = arena_mark(of->arena);
	struct trial *t = arena_alloc(of->arena, 1, sizeof *t);
	bool is = false;

	*p->lost = *p->lost || !t;
	if (t && open_trial(t, of, container)) {
		is = try_tables(p, t, name, n);
		of->siblings->close(of->siblings->ctx, &t->io);
		of->work.interrupted = t->decode.work.interrupted;
	}
	arena_rewind(of->arena, mark);
	return is;
}

/* The one container of the list, but for the one that is judged, that the file belongs to. NULL: it
 * belongs to none, to several, or it was not found out. */
static const char *only_owner(const struct patient *p, const char *name,
			      char (*names)[SPELLING_SIZE], size_t n, uint64_t *n_same)
{
	const char *own = beside_own_name(p->decode), *found = NULL;
	uint64_t same = 0;

	for (size_t i = 0; i < n && p->decode->work.interrupted == INTERRUPTED_NOT; i++) {
		if (strcmp(names[i], own) == 0 || !is_owned(p, names[i], name, &same))
			continue;
		if (found)
			return NULL;
		found = names[i];
		*n_same = same;
	}
	return p->decode->work.interrupted == INTERRUPTED_NOT ? found : NULL;
}

/* Tells whether a file is not what the container says it is. */
static bool is_doubted(const struct part *part)
{
	const struct extent *x = &part->extent;

	return part->source->number != 0 && x->is_end &&
	       (!beside_reaches(x, part->source->io.size) || x->n_differ > 0);
}

/* Only of the first such file it is found out whose it is. */
static bool is_first_doubted(const struct evidence *e, const struct part *part)
{
	const struct part *first = e->parts;

	while (first < part && !is_doubted(first))
		first++;
	return first == part && is_doubted(part);
}

const char *beside_owner(const struct evidence *e, const struct part *part, uint64_t *n_same)
{
	const struct patient *p = e->patient;
	const struct siblings *siblings = p->decode->siblings;
	char(*names)[SPELLING_SIZE];
	size_t n;

	if (p->decode->level != LEVEL_CONTENT || !siblings || !siblings->list ||
	    !is_first_doubted(e, part))
		return NULL;
	/* one of them is the container that is judged */
	names = arena_alloc(p->decode->arena, BESIDE_MAX + 1, sizeof *names);
	*p->lost = *p->lost || !names;
	n = names ? siblings->list(siblings->ctx, PART_CONTAINER, names, BESIDE_MAX + 1) : 0;
	return n > BESIDE_MAX + 1 ? NULL : only_owner(p, part->source->name, names, n, n_same);
}
