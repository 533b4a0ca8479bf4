/* The oracle's flow: settings from the hash, the check, and the same check again under other
 * circumstances. */
#include "oracle/oracle.h"

#include <stdio.h>
#include <string.h>

#include "api/api.h"
#include "oracle/memory_bound.h"
#include "oracle/oracle_compare.h"
#include "oracle/oracle_formats.h"
#include "oracle/oracle_render.h"
#include "oracle/oracle_results.h"
#include "oracle/oracle_summaries.h"
#include "oracle/oracle_tree.h"
#include "oracle/work_bound.h"
#include "support/coverage.h"
#include "support/memory.h"
#include "support/must.h"
#include "support/random.h"
#include "support/thorough.h"

/* An attempt is a trial with an engine and memory of its own. */
struct attempt {
	struct trial trial;
	struct engine engine;
	struct memory memory;
	char name[32]; /* of an input whose format says no names */
};

/* One kind of repetition has its own dice, so that none depends on which others ran. */
enum turn {
	TURN_SUBJECT,
	TURN_SETTINGS,
	TURN_SOURCE,
	TURN_SUBSET,
	TURN_MEMORY,
	TURN_READ,
	TURN_FACTS,
	TURN_RENDER,
	TURN_SUMMARIES
};

static struct dice dice_for(uint64_t hash, enum turn turn)
{
	struct dice d = { hash + (uint64_t)turn * 0xD1B54A32D192ED03u };

	dice_roll(&d);
	return d;
}

/* Costly oracles run once in n inputs; which ones follows from the input, so that a crash can be
 * reproduced. */
static bool is_turn(struct dice *d, uint64_t n)
{
	bool hit = dice_one_in(d, n);

	return hit || thorough_is_on();
}

/* ---- Settings -------------------------------------------------------------------------------- */

/* Five names in seven promise the format. */
static const char *draw_name(struct attempt *a, const struct format *f, struct dice *d)
{
	const char *const *names = oracle_format(f)->names;
	const uint64_t n = dice_below(d, ORACLE_NAMES);

	if (names[0])
		return names[n];
	if (n >= 5 || !f->extensions[0])
		return n == 5 ? "download" : "b.txt";
	snprintf(a->name, sizeof a->name, n == 4 ? "a/M od%%n.%s" : "Mod.%s", f->extensions[0]);
	return a->name;
}

static void draw_profile(struct attempt *a, struct dice *d)
{
	const bool most = dice_one_in(d, 8);

	for (size_t i = 0; i < a->engine.n_rules; i++) {
		struct rule_setting *p = &a->engine.profile.rules[i];

		if (a->engine.rules[i]->flags & RULE_MANDATORY)
			continue;
		if (most || dice_one_in(d, 8))
			p->ignored = !most || !dice_one_in(d, 200);
		if (dice_one_in(d, 8))
			p->severity = (uint8_t)(SEVERITY_NOTE + dice_below(d, 4));
	}
	profile_settle(&a->engine.profile);
	a->trial.default_profile = false;
}

static void draw_limit(struct attempt *a, struct dice *d)
{
	struct limits *l = &a->engine.limits;

	switch (dice_below(d, 8)) {
	case 0:
		l->of[LIMIT_entries] = dice_below(d, 8);
		break;
	case 1:
		l->of[LIMIT_text] = dice_below(d, 256);
		break;
	case 2:
		l->of[LIMIT_rule_findings] = dice_below(d, 3);
		return;
	case 3:
		l->of[LIMIT_memory] = dice_below(d, 200000);
		break;
	case 4:
		l->of[LIMIT_work] = dice_below(d, 500);
		break;
	case 5:
		l->of[LIMIT_depth] = dice_below(d, 3);
		break;
	case 6:
		l->of[LIMIT_nested] = dice_below(d, 4);
		break;
	default:
		l->of[LIMIT_nesting] = dice_below(d, 20);
		break;
	}
	a->trial.default_limits = false;
}

/* How many times the work for a file of that size is allowed, so that files in it have a share; not
 * enough where many share bytes. */
enum { WORK_SHARES = 16 };

/* What may come out of an input that happens to be compressed. */
enum { UNPACKS_LEAST = 1 << 16 };

static uint64_t subject_size(const struct subject *s)
{
	uint64_t n = s->size;

	for (size_t i = 0; i < s->n_companions; i++)
		n += s->companions[i].size;
	return n;
}

/* Small files need few bytes, and each is filled. A rule that finds much says the same over and
 * over. */
enum { SMALL_CHUNK = 8192, FEW_FINDINGS = 4 };

static void draw_sizes(struct engine *e, struct dice *d)
{
	if (!dice_one_in(d, 8))
		e->chunk_len = SMALL_CHUNK;
	if (!dice_one_in(d, 8))
		e->limits.of[LIMIT_rule_findings] = FEW_FINDINGS;
}

static void attempt_init(struct attempt *a, const struct subject *s, int fill)
{
	a->trial = (struct trial){
		.subject = s, .engine = &a->engine, .default_profile = true, .default_limits = true
	};
	oracle_copy_engine(&a->engine, oracle_engine());
	memory_init(&a->memory, fill);
	a->engine.allocator = memory_allocator(&a->memory);
	a->engine.limits.of[LIMIT_work] = WORK_SHARES * work_bound(s, s->format, subject_size(s));
	a->engine.limits.of[LIMIT_unpacked] = s->unpacks > 0 ? s->unpacks : UNPACKS_LEAST;
	if (s->key)
		a->engine.keys.of[a->engine.keys.n++] = *s->key;
}

/* A thread pool whose workers run one after another, the last first: what one leaves, another
 * does. */
static void run_backward(void *ctx, thread_job *job, void *work)
{
	const struct thread_pool *pool = ctx;

	for (unsigned i = pool->n; i > 0; i--)
		job(work, i - 1);
}

static void draw_threads(struct engine *e, struct dice *d)
{
	unsigned n = 1 + (unsigned)dice_below(d, 2);

	e->threads = (struct thread_pool){ n, dice_one_in(d, 4) ? api_threads_run : run_backward,
					   &e->threads };
}

static void draw_settings(struct attempt *a, uint64_t hash)
{
	struct dice d = dice_for(hash, TURN_SETTINGS);

	draw_sizes(&a->engine, &d);
	a->trial.name = draw_name(a, a->trial.subject->format, &d);
	if (a->trial.subject->name)
		a->trial.name = a->trial.subject->name;
	if (dice_one_in(&d, 4))
		a->engine.level = (enum level)dice_below(&d, 2);
	if (dice_one_in(&d, 8))
		a->engine.unknown = UNKNOWN_SKIP;
	if (dice_one_in(&d, 8))
		draw_profile(a, &d);
	if (dice_one_in(&d, 8))
		draw_limit(a, &d);
	if (a->trial.subject->has_folder && dice_one_in(&d, 2))
		draw_threads(&a->engine, &d);
	oracle_open_folder(&a->trial);
}

/* An attempt that has the settings of another, and memory of its own. */
static void attempt_copy(struct attempt *a, const struct attempt *of, int fill)
{
	a->trial = of->trial;
	a->trial.engine = &a->engine;
	oracle_copy_engine(&a->engine, &of->engine);
	memory_init(&a->memory, fill);
	a->engine.allocator = memory_allocator(&a->memory);
	oracle_open_folder(&a->trial);
}

/* ---- Checks ---------------------------------------------------------------------------------- */

static struct report *check_memory(struct attempt *a)
{
	struct check_input in = oracle_input(&a->trial);

	return engine_check(&a->engine, &in);
}

static struct report *check_callbacks(struct attempt *a, struct faulty_source *source)
{
	struct check_input in = oracle_input(&a->trial);

	in.io = faulty_source_io(source);
	in.memory = NULL;
	return engine_check(&a->engine, &in);
}

static void attempt_end(struct attempt *a, struct report *r)
{
	report_free(r);
	MUST(a->memory.n_live == 0, "what a check allocates is given back");
	MUST(a->trial.folder.n_open == 0, "what a check opens is closed");
}

/* A file and those beside it. */
static uint64_t whole_size(const struct report *r)
{
	uint64_t n = r->size;

	for (size_t i = 0; i < r->n_companions; i++)
		n += r->companions[i].size;
	return n;
}

/* Tells whether a file of any size can reach a limit: it can have more structs in structs than
 * allowed, or decompress to more than allowed. */
static bool is_for_any(const char *option)
{
	/* a decoder's work is charged by what a file says that it decompresses to */
	static const enum limit any[] = { LIMIT_nesting, LIMIT_unpacked, LIMIT_ratio, LIMIT_work };

	for (size_t i = 0; i < sizeof any / sizeof *any; i++)
		if (strcmp(option, limit_infos[any[i]].option) == 0)
			return true;
	return false;
}

/* Tells whether no limit was reached that only large files reach. A finding that is not kept does
 * not say what it is about. */
static bool is_within_limits(const struct report *r)
{
	const struct rule_result *result = report_result(r, oracle_rule("RUN001"));

	for (const struct finding *f = result->first; f; f = f->next) {
		if (is_for_any(f->args[0].word))
			continue;
		fprintf(stderr, "the limit %s\n", f->args[0].word);
		return false;
	}
	return true;
}

static void check_cost(const struct attempt *a, const struct report *r)
{
	const uint64_t bound = memory_bound_of(&a->engine, r, a->trial.subject->data);

	if (a->memory.peak > bound)
		fprintf(stderr, "%llu bytes of memory for %llu, at most %llu\n",
			(unsigned long long)a->memory.peak, (unsigned long long)r->size,
			(unsigned long long)bound);
	MUST(a->memory.peak <= bound, "memory is bounded by the bytes of metadata");
	MUST(r->memory >= a->memory.peak, "a report owns up to the memory that it took");
	for (const struct report *next = r; next; next = report_next(r, next)) {
		const uint64_t most = work_bound(a->trial.subject, next->format, whole_size(next));

		if (next->work > most)
			fprintf(stderr, "%llu units of work for %llu bytes, at most %llu\n",
				(unsigned long long)next->work,
				(unsigned long long)whole_size(next), (unsigned long long)most);
		MUST(next->work <= most, "work is bounded by the bytes of the file");
	}
	if (a->trial.default_limits && r->n_nested == 0)
		MUST(is_within_limits(r), "a file that nothing lies in is checked to its end");
}

/* Whether nothing was left out, so that other circumstances cannot leave out something else. */
static bool is_complete(const struct attempt *a, const struct report *r)
{
	return a->trial.default_limits && oracle_found_in_tree(r, "RUN001") == 0;
}

/* The sizes of all files of a tree added up: those that lie in others are counted with these and by
 * themselves. */
static uint64_t sum_sizes(const struct report *r)
{
	uint64_t n = 0;

	for (const struct report *next = r; next; next = report_next(r, next))
		n += whole_size(next);
	return n;
}

static void check_never(const struct attempt *a, const struct report *r)
{
	for (const char *const *id = a->trial.subject->never; id && *id; id++)
		MUST(oracle_found(r, *id) == 0 || !a->trial.default_limits,
		     "a rule does not blame a file that keeps it");
}

/* ---- The same again -------------------------------------------------------------------------- */

/* Through a callback, with other portions and windows, in memory that holds other garbage. Where
 * a limit on memory or work is low, windows change what is reached. */
static void again_elsewhere(const struct attempt *base, const struct report *r, struct dice d)
{
	static const uint64_t windows[] = { 1, 7, 20, 64, 4096, SOURCE_WINDOW };
	struct faulty_source bytes = { .data = base->trial.subject->data,
				       .size = base->trial.subject->size,
				       .dice = d };
	static struct attempt a;
	struct report *other;

	attempt_copy(&a, base, 0x00);
	if (is_complete(base, r)) {
		a.engine.window_len = windows[dice_below(&d, sizeof windows / sizeof *windows)];
		a.engine.limits.of[LIMIT_work] += sum_sizes(r);
		a.trial.folder.portions = dice_roll(&d);
		if (base->trial.subject->has_folder)
			draw_threads(&a.engine, &d);
		other = check_callbacks(&a, &bytes);
	} else {
		other = check_memory(&a);
	}
	MUST(other, "a check that had memory has it again");
	a.engine.limits.of[LIMIT_work] = base->engine.limits.of[LIMIT_work];
	oracle_same(r, other, NULL);
	attempt_end(&a, other);
}

/* Without some rules: the others find what they found, and a file that stopped being decoded does
 * not become valid. */
static void again_without_rules(const struct attempt *base, const struct report *r, struct dice d)
{
	bool without[CATALOG_MAX] = { false };
	uint64_t portion = 1 + dice_below(&d, 3);
	static struct attempt a;
	struct report *other;

	attempt_copy(&a, base, 0x5A);
	for (size_t i = 0; i < a.engine.n_rules; i++) {
		if (a.engine.rules[i]->flags & RULE_MANDATORY || !dice_one_in(&d, portion))
			continue;
		a.engine.profile.rules[i].ignored = without[i] = true;
	}
	profile_settle(&a.engine.profile);
	a.trial.default_profile = false;
	other = check_memory(&a);
	MUST(other, "a check that had memory has it again");
	oracle_tree(&a.trial, other, true);
	if (is_complete(base, r))
		oracle_same(r, other, without);
	attempt_end(&a, other);
}

/* With fewer findings kept, so that rows of facts stand for more than one. */
static void again_with_less_kept(const struct attempt *base, const struct report *r, struct dice d)
{
	static struct attempt a;
	struct report *other;

	if (!is_complete(base, r))
		return;
	attempt_copy(&a, base, 0x69);
	a.engine.limits.of[LIMIT_rule_findings] = dice_below(&d, 3);
	a.engine.limits.of[LIMIT_work] += sum_sizes(r);
	other = check_memory(&a);
	MUST(other, "a check that had memory has it again");
	oracle_same_counts(r, other);
	attempt_end(&a, other);
}

/* With a request for memory refused: the report says so, or there is none. With short chunks nearly
 * every piece is a request. */
static void again_without_memory(const struct attempt *base, struct dice d)
{
	static struct attempt a;
	struct report *r;

	attempt_copy(&a, base, 0xA5);
	a.engine.threads = thread_pool_single;
	a.memory.fail_at = dice_below(&d, base->memory.n_asked);
	a.memory.forever = dice_one_in(&d, 2);
	if (dice_one_in(&d, 2)) {
		a.engine.chunk_len = 64;
		a.memory.fail_at = dice_below(&d, 64);
	}
	r = check_memory(&a);
	MUST(a.memory.refused || a.engine.chunk_len == 64 || base->engine.threads.n > 1,
	     "the same check asks for the same memory");
	if (r && a.memory.refused) {
		MUST(oracle_found_in_tree(r, "RUN005") > 0, "memory that ended is reported");
		MUST(r->verdict != VERDICT_VALID && r->verdict != VERDICT_NOT_APPLICABLE,
		     "memory that ended is never valid");
	}
	attempt_end(&a, r);
}

/* With summaries, which change nothing in the report; and with little memory for summaries, when
 * those that are not complete say so. */
static void again_with_summaries(const struct attempt *base, const struct report *r, struct dice d)
{
	struct check_input in = oracle_input(&base->trial);
	struct memory memory[2];
	struct arena arenas[2];
	struct summaries all[2];
	static struct attempt a;

	for (size_t i = 0; i < 2; i++) {
		struct report *other;

		attempt_copy(&a, base, 0x96);
		in = oracle_input(&a.trial);
		memory_init(&memory[i], 0x69);
		arena_init(&arenas[i], memory_allocator(&memory[i]),
			   i == 0 ? UINT64_MAX : dice_below(&d, arenas[0].peak + 1));
		arenas[i].chunk_len = i == 0 ? ARENA_CHUNK : 64;
		all[i] = (struct summaries){ .arena = &arenas[i] };
		in.summaries = &all[i];
		other = engine_check(&a.engine, &in);
		MUST(other, "a check that had memory has it again");
		oracle_same(r, other, NULL);
		if (i == 0 && oracle_found_in_tree(r, "RUN005") == 0)
			oracle_summaries(r, &all[0]);
		attempt_end(&a, other);
	}
	oracle_short_summaries(&all[1], &all[0]);
	for (size_t i = 0; i < 2; i++) {
		arena_free(&arenas[i]);
		MUST(memory[i].n_live == 0, "an arena gives everything back");
	}
}

/* Whether a report says that something could not be read or had changed, and the verdict
 * follows. */
static void check_struck(const struct report *r, bool struck, bool must_have_changed)
{
	uint64_t changed = oracle_found_in_tree(r, "RUN003"),
		 unreadable = oracle_found_in_tree(r, "RUN002");

	if (!struck)
		return;
	MUST(unreadable + changed > 0, "an input that failed is reported");
	MUST(!must_have_changed || changed > 0, "an input that changed is reported as such");
	MUST(r->verdict != VERDICT_VALID && r->verdict != VERDICT_NOT_APPLICABLE,
	     "an input that failed is never valid");
}

/* With a read that fails, an input that ends early, or one that changed. */
static void again_with_bad_input(const struct attempt *base, struct dice d)
{
	struct faulty_source bytes = { .data = base->trial.subject->data,
				       .size = base->trial.subject->size,
				       .dice = d,
				       .whole = true };
	uint64_t changed;
	static struct attempt a;
	struct report *r;

	attempt_copy(&a, base, 0xA5);
	a.engine.window_len = dice_one_in(&d, 2) ? 64 : SOURCE_WINDOW;
	bytes.fault = (enum read_fault)(FAULT_ERROR + dice_below(&d, 3));
	bytes.fail_at = dice_below(&d, dice_one_in(&d, 4) ? 64 : 6);
	r = check_callbacks(&a, &bytes);
	MUST(r, "a check that had memory has it again");
	changed = oracle_found_in_tree(r, "RUN003");
	check_struck(r, bytes.struck, bytes.fault != FAULT_ERROR);
	MUST(bytes.struck || a.trial.folder.n > 0 ||
		     oracle_found_in_tree(r, "RUN002") + changed == 0,
	     "an input that did not fail is not blamed");
	attempt_end(&a, r);
}

/* With a fault in a file beside the input. */
static void again_with_bad_neighbour(const struct attempt *base, struct dice d)
{
	static struct attempt a;
	struct report *r;

	if (base->trial.subject->n_companions == 0)
		return;
	attempt_copy(&a, base, 0xA5);
	a.trial.folder.fault = (enum read_fault)(FAULT_ERROR + dice_below(&d, 3));
	a.trial.folder.fault_file = (size_t)dice_below(&d, a.trial.folder.n);
	a.trial.folder.fault_at = dice_below(&d,
					     a.trial.folder.of[a.trial.folder.fault_file].size + 1);
	r = check_memory(&a);
	MUST(r, "a check that had memory has it again");
	check_struck(r, a.trial.folder.struck, a.trial.folder.fault == FAULT_CHANGED);
	attempt_end(&a, r);
}

/* One check, and repetitions of it as dice say that follow from the hash. */
static void check_once(const struct subject *s, uint64_t hash)
{
	struct dice facts = dice_for(hash, TURN_FACTS), source = dice_for(hash, TURN_SOURCE),
		    subset = dice_for(hash, TURN_SUBSET), memory = dice_for(hash, TURN_MEMORY),
		    read = dice_for(hash, TURN_READ), render = dice_for(hash, TURN_RENDER),
		    summaries = dice_for(hash, TURN_SUMMARIES);
	static struct attempt a;
	struct report *r;

	attempt_init(&a, s, 0xA5);
	draw_settings(&a, hash);
	r = check_memory(&a);
	MUST(r, "a check that may have memory returns a report");
	coverage_hide();
	oracle_tree(&a.trial, r, is_turn(&facts, 24));
	check_cost(&a, r);
	check_never(&a, r);
	if (is_turn(&source, 24))
		again_elsewhere(&a, r, source);
	if (is_turn(&subset, 96))
		again_without_rules(&a, r, subset);
	if (is_turn(&subset, 96))
		again_with_less_kept(&a, r, subset);
	if (is_turn(&memory, 48))
		again_without_memory(&a, memory);
	if (is_turn(&read, 48))
		again_with_bad_input(&a, read);
	if (is_turn(&read, 48))
		again_with_bad_neighbour(&a, read);
	if (is_turn(&summaries, 96))
		again_with_summaries(&a, r, summaries);
	if (is_turn(&render, 256))
		oracle_render(&a.engine, r, dice_roll(&render));
	if (is_turn(&render, 512))
		oracle_render_maps(&a.trial, r);
	coverage_show();
	attempt_end(&a, r);
}

static uint64_t subject_hash(const struct subject *s)
{
	uint64_t hash = random_hash(s->data, s->size);

	for (size_t i = 0; i < s->n_companions; i++)
		hash = hash * 31 + random_hash(s->companions[i].data, s->companions[i].size);
	return hash;
}

/* A thorough check rolls the dice more often. */
void oracle_check(const struct subject *s)
{
	uint64_t hash = subject_hash(s), rolls = thorough_is_on() ? 8 : 1;

	for (uint64_t i = 0; i < rolls; i++)
		check_once(s, hash + i);
	MUST(subject_hash(s) == hash, "a check does not write to its input");
}

void oracle_check_some(const struct subject *s)
{
	struct dice d = dice_for(subject_hash(s), TURN_SUBJECT);

	if (is_turn(&d, 2))
		oracle_check(s);
}
