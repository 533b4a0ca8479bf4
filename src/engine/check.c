/* The check of one input: its tree, from the first report to the last. */
#include "engine/members.h"
#include "engine/report_build.h"
#include "engine/session_open.h"
#include "formats/summary.h"

#include <string.h>

/* How many bytes of a tree are read once more to explain what was found in its files. */
#define DIAGNOSIS_MAX ((uint64_t)256 << 20)

static void tree_init(struct tree *t, struct engine *e, struct report *root,
		      const struct check_input *in)
{
	t->engine = e;
	t->root = root;
	t->interrupt = engine_interrupt(e, in);
	t->timeout = engine_timeout(e, in);
	t->work = (struct work){ .max = e->limits.of[LIMIT_work],
				 .interrupt = &t->interrupt,
				 .input_len = in->io.size };
	t->diagnosis_left = DIAGNOSIS_MAX;
	t->reports_own = t->n_files = 0;
	t->peak = in->held;
	t->n_reports = 0;
	t->alone = in->alone;
	t->summaries = in->summaries;
	memset(t->rules, 0, sizeof t->rules);
	memset(t->clean, 0, sizeof t->clean);
}

/* Checks the input with the files inside it; false: memory ended, and the report is of no use.
 * The session lies in the arena of reports, as those of the files inside do: it is too large for
 * the stack of a caller. */
static bool check_tree(struct tree *t, struct report *r, const struct check_input *in)
{
	struct session *s = arena_alloc(r->arena, 1, sizeof *s);

	if (!s)
		return false;
	session_open(s, t, r, in);
	session_decode(s);
	if (!members_judge_first(s)) {
		session_discard(s);
		return false;
	}
	members_begin(s);
	members_check(s);
	if (!members_judge_last(s)) {
		session_discard(s);
		return false;
	}
	return session_close(s);
}

/* What sets compare of the files is kept apart, under a budget of its own: it changes nothing in
 * the report. */
static struct summaries *keep_for_sets(const struct engine *e, struct report *r)
{
	struct arena first, *arena;
	struct summaries *kept;

	arena_init(&first, e->allocator, e->limits.of[LIMIT_memory]);
	first.chunk_len = e->chunk_len;
	arena = arena_alloc(&first, 1, sizeof *arena);
	kept = arena_alloc(&first, 1, sizeof *kept);
	if (!arena || !kept) {
		arena_free(&first);
		return NULL;
	}
	*arena = first; /* it lies in its own memory */
	*kept = (struct summaries){ .arena = arena, .for_sets = true };
	r->kept = kept;
	return kept;
}

bool engine_check_into(struct engine *e, struct report *r, const struct check_input *in)
{
	UVET_FILLED_LATER struct tree t;
	bool whole;

	tree_init(&t, e, r, in);
	if (e->sets && !t.summaries && !in->set) {
		t.summaries = keep_for_sets(e, r);
		if (!t.summaries)
			return false;
	}
	whole = check_tree(&t, r, in);
	r->memory = t.peak - in->held + r->arena->peak;
	return whole;
}

struct report *engine_check(struct engine *e, const struct check_input *in)
{
	struct report *r = report_new(e, in);

	if (r && engine_check_into(e, r, in))
		return r;
	report_free(r);
	return NULL;
}
