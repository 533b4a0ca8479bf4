/* Judges packages while their container is checked: most are sound, and of these nothing is kept
 * but their number. */
#include <string.h>

#include "formats/iostore/content/parts.h"
#include "formats/iostore/zen_package/zen.h"

/* ---- A worker's part ------------------------------------------------------------------------- */

/* The worker has no memory: it ends, and says so. */
static void run_out(struct worker *w)
{
	w->reader.why = STOP_MEMORY;
	w->reader.arena.refused |= w->package.arena.refused;
	w->reader.arena.over_budget |= w->package.arena.over_budget;
}

/* Holds a package against its store entry. */
static void compare_package(struct content_check *c, uint64_t task,
			    const struct container_package *entry, const struct zen *package)
{
	const struct container_header *h = &c->u->container_header;

	if (c->has_counts && container_counts_differ(entry, package, &c->counts[task]))
		c->task_marks[task] |= PAYLOAD_COUNTS;
	if (c->has_imports && container_imports_differ(h, entry, package, &c->imports[task]))
		c->task_marks[task] |= PAYLOAD_IMPORTS;
}

/* Several packages may have the same bytes, and a container says something else of each. */
static void judge_package(struct content_check *c, struct worker *w, uint64_t task, uint64_t chunk)
{
	struct package_reader *r = &w->package;
	const struct arena_mark mark = arena_mark(&r->arena);
	struct package_claims claims;
	struct container_package entry;
	struct zen package;
	const bool is_listed = content_claims_of(c->u, chunk, &claims, &entry);

	if (!zen_read(&package, &r->arena,
		      &(struct zen_input){ .header = { r->header, r->header_len },
					   .length = r->length,
					   .tail = { r->last, r->n_last },
					   .scripts = c->d->scripts,
					   .most_rows = c->d->limits->of[LIMIT_entries] },
		      &claims)) {
		run_out(w);
		return;
	}
	if (is_listed)
		compare_package(c, task, &entry, &package);
	c->task_marks[task] |= zen_is_plain(&package) ? PAYLOAD_SOUND : PAYLOAD_INSIDE;
	arena_rewind(&r->arena, mark);
}

void content_judge_packages(struct content_check *c, struct worker *w, uint64_t from, uint64_t to)
{
	for (uint64_t i = from; i < to && worker_runs(w); i++) {
		const uint32_t chunk = c->tasks[i] & ~TASK_SAME;

		if (toc_type(&c->u->toc, chunk) != CHUNK_EXPORT_BUNDLE)
			continue;
		if (w->package.no_memory)
			run_out(w);
		else if (w->package.header)
			judge_package(c, w, i, chunk);
		else
			c->task_marks[i] |= PAYLOAD_INSIDE;
	}
}

/* ---- What was found -------------------------------------------------------------------------- */

/* A package is decoded as a whole to be judged as a file. */
static bool may_be_listed(struct content_check *c, uint64_t chunk)
{
	const uint64_t most = c->d->limits->of[LIMIT_unpacked];

	if (toc_length(&c->u->toc, chunk) <= most)
		return true;
	return decode_stop_limit(c->d, UTOC_CONTENT, LIMIT_unpacked, (struct span){ 0, 0 });
}

static uint64_t *make_marks(struct content_check *c)
{
	const uint64_t n = c->u->toc.n_chunks / 64 + 1;
	uint64_t *marks = decode_alloc(c->d, UTOC_CONTENT, n, sizeof *marks);

	c->u->content.packages.label = decode_alloc(c->d, UTOC_CONTENT, LABEL_MAX, 1);
	if (!marks || !c->u->content.packages.label)
		return NULL;
	memset(marks, 0, (size_t)n * sizeof *marks);
	return marks;
}

static void mark_packages(struct content_check *c)
{
	uint64_t *marks = make_marks(c);

	for (uint64_t i = 0; marks && i < c->n_tasks; i++) {
		const uint64_t chunk = c->tasks[i] & ~TASK_SAME;

		if (c->task_marks[i] & PAYLOAD_INSIDE && may_be_listed(c, chunk))
			marks[chunk / 64] |= UINT64_C(1) << chunk % 64;
	}
	c->u->content.packages.marks = marks;
}

void content_count_packages(struct content_check *c)
{
	struct packages *p = &c->u->content.packages;

	for (uint64_t i = 0; i < c->n_tasks; i++) {
		p->n_sound += (c->task_marks[i] & PAYLOAD_SOUND) != 0;
		p->n_judged += (c->task_marks[i] & (PAYLOAD_SOUND | PAYLOAD_INSIDE)) != 0;
	}
	if (p->n_sound < p->n_judged)
		mark_packages(c);
}
