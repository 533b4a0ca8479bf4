/* The oracle's flow: settings from the hash, the check, and the same check again under other circumstances. */
#include "oracle/oracle.h"

#include <stdio.h>
#include <string.h>

#include "api/api.h"
#include "oracle/memory_bound.h"
#include "support/coverage.h"
#include "support/must.h"
#include "reference/reference_rsa.h"
#include "support/faulty_source.h"

/* One kind of repetition has its own dice, so that none depends on which others ran. */
enum turn { TURN_SUBJECT, TURN_SETTINGS, TURN_SOURCE, TURN_SUBSET, TURN_MEMORY, TURN_READ, TURN_FACTS, TURN_RENDER };

static struct dice dice_for(uint64_t hash, enum turn turn)
{
	struct dice d = { hash + (uint64_t)turn * 0xD1B54A32D192ED03u };

	dice_roll(&d);
	return d;
}

/* Costly oracles run once in n inputs; which ones follows from the input, so a crash comes again. */
static bool is_turn(struct dice *d, uint64_t n)
{
	bool hit = dice_one_in(d, n);

	return hit || oracle_is_thorough();
}

/* The ids that oracles name are few and always the same strings. */
size_t oracle_rule(const char *id)
{
	enum { SLOTS = 256 };
	static struct { const char *id; size_t rule; } known[SLOTS];
	size_t slot = (uintptr_t)id / 2 % SLOTS;

	while (known[slot].id && known[slot].id != id)
		slot = (slot + 1) % SLOTS;
	if (!known[slot].id) {
		known[slot].id = id;
		known[slot].rule = catalog_find(id, strlen(id));
		MUST(known[slot].rule < catalog_count(), "oracles name rules that exist");
	}
	return known[slot].rule;
}

uint64_t oracle_found(const struct report *r, const char *id)
{
	const struct rule_result *result = results_of(&r->results, oracle_rule(id));
	uint64_t n = 0;

	for (size_t s = 0; s <= SEVERITY_ERROR; s++)
		n += result->n_found[s];
	return n;
}

uint64_t oracle_found_in_tree(const struct report *r, const char *id)
{
	uint64_t n = 0;

	for (const struct report *next = r; next; next = report_next(r, next))
		n += oracle_found(next, id);
	return n;
}

bool oracle_was_judged(const struct report *r, const char *id)
{
	const size_t rule = oracle_rule(id);
	const uint8_t status = r->results.status[rule];

	return (status == RULE_PASS || status == RULE_FAIL) && !results_reason(&r->results, rule);
}

/* ---- Settings ------------------------------------------------------------------------------------------------------------- */

enum { N_NAMES = 7 };

static const char *draw_name(const struct format *f, struct dice *d)
{
	static const struct { const char *format, *names[N_NAMES]; } by_format[] = {
		{ "umod", { "Mod.umod", "Mod.umod", "Mod.umod", "mod.UT4MOD", "Setup.exe", "download", "a/b.txt" } },
		{ "upkg", { "Mod.u", "Mod.u", "DM-Mod.unr", "Mo d%n.utx", "a/Mod Music.umx", "download", "b.txt" } },
		{ "utoc", { "Mod_P.utoc", "Mod_P.utoc", "Mod.utoc", "a/M od%n_12_P.utoc", "global.utoc", "download", "b.txt" } },
	};
	size_t i = 0;

	while (i + 1 < sizeof by_format / sizeof *by_format && strcmp(by_format[i].format, f->name) != 0)
		i++;
	return by_format[i].names[dice_below(d, N_NAMES)];
}

static void draw_profile(struct trial *t, struct dice *d)
{
	const bool most = dice_one_in(d, 8);

	for (size_t i = 0; i < t->engine.n_rules; i++) {
		struct rule_setting *p = &t->engine.profile.rules[i];

		if (t->engine.rules[i]->flags & RULE_MANDATORY)
			continue;
		if (most || dice_one_in(d, 8))
			p->ignored = !most || !dice_one_in(d, 200);
		if (dice_one_in(d, 8))
			p->severity = (uint8_t)(SEVERITY_NOTE + dice_below(d, 4));
	}
	profile_settle(&t->engine.profile);
	t->default_profile = false;
}

static void draw_limit(struct trial *t, struct dice *d)
{
	struct limits *l = &t->engine.limits;

	switch (dice_below(d, 8)) {
	case 0: l->of[LIMIT_entries] = dice_below(d, 8); break;
	case 1: l->of[LIMIT_text] = dice_below(d, 256); break;
	case 2: l->of[LIMIT_rule_findings] = dice_below(d, 3); return;
	case 3: l->of[LIMIT_memory] = dice_below(d, 200000); break;
	case 4: l->of[LIMIT_work] = dice_below(d, 500); break;
	case 5: l->of[LIMIT_depth] = dice_below(d, 3); break;
	case 6: l->of[LIMIT_nested] = dice_below(d, 4); break;
	default: l->of[LIMIT_nesting] = dice_below(d, 20); break;
	}
	t->default_limits = false;
}

/* What the check of one file may cost at most, without those in it. Each of the two manifests may be the whole file and have a line for every two bytes, which costs
 * two steps of decoding and one for each rule of lines; members and what lies below a line cost less. Of what is unpacked the redirects of a container's header
 * cost most: half a step for each byte, and a sixteenth for the walk over it. */
static uint64_t work_bound(const struct subject *s, uint64_t size)
{
	return 4096 + 8 * size + s->unpacks;
}

/* How often a file may be paid for, so that those in it have their share; many that share bytes have not. */
enum { WORK_SHARES = 16 };

/* What may come out of an input that happens to be compressed. */
enum { UNPACKS_LEAST = 1 << 16 };

/* engine_init walks the catalog for each rule: once is enough. */
const struct engine *oracle_engine(void)
{
	static struct engine e;

	if (e.n_rules == 0) {
		engine_init(&e, (struct allocator){ NULL, NULL, NULL });
		e.keys.signing = second_signing_key();
	}
	return &e;
}

void oracle_copy_engine(struct engine *e, const struct engine *of)
{
	const struct allocator allocator = e->allocator;
	const size_t tables = offsetof(struct engine, rules), behind = offsetof(struct engine, keys);

	if (e->n_rules == 0) {
		*e = *of;
	} else {
		memcpy(e, of, tables);
		memcpy((uint8_t *)e + behind, (const uint8_t *)of + behind, sizeof *e - behind);
	}
	e->allocator = allocator;
	e->crew.ctx = &e->crew;
}

/* The folder of a trial, sound. */
static void trial_open(struct trial *t)
{
	t->beside = (struct beside){ .input = t->name, .of = t->subject->beside, .n = t->subject->n_beside };
	t->siblings = beside_siblings(&t->beside);
}

static uint64_t subject_size(const struct subject *s)
{
	uint64_t n = s->size;

	for (size_t i = 0; i < s->n_beside; i++)
		n += s->beside[i].size;
	return n;
}

/* Small files need few bytes, and each is filled. A rule that finds much says the same over and over. */
enum { SMALL_CHUNK = 8192, FEW_FINDINGS = 4 };

static void draw_sizes(struct engine *e, struct dice *d)
{
	if (!dice_one_in(d, 8))
		e->chunk_len = SMALL_CHUNK;
	if (!dice_one_in(d, 8))
		e->limits.of[LIMIT_rule_findings] = FEW_FINDINGS;
}

static void trial_init(struct trial *t, const struct subject *s, int fill)
{
	t->subject = s;
	t->default_profile = t->default_limits = true;
	oracle_copy_engine(&t->engine, oracle_engine());
	memory_init(&t->memory, fill);
	t->engine.allocator = memory_allocator(&t->memory);
	t->engine.limits.of[LIMIT_work] = WORK_SHARES * work_bound(s, subject_size(s));
	t->engine.limits.of[LIMIT_unpacked] = s->unpacks > 0 ? s->unpacks : UNPACKS_LEAST;
	if (s->key)
		t->engine.keys.of[t->engine.keys.n++] = *s->key;
}

/* A crew whose workers work one after the other, the last first: what one leaves, another does. */
static void run_backward(void *ctx, crew_job *job, void *work)
{
	const struct crew *crew = ctx;

	for (unsigned i = crew->n; i > 0; i--)
		job(work, i - 1);
}

static void draw_crew(struct engine *e, struct dice *d)
{
	unsigned n = 1 + (unsigned)dice_below(d, 2);

	e->crew = (struct crew){ n, dice_one_in(d, 4) ? api_crew_run : run_backward, &e->crew };
}

static void draw_settings(struct trial *t, uint64_t hash)
{
	struct dice d = dice_for(hash, TURN_SETTINGS);

	draw_sizes(&t->engine, &d);
	t->name = draw_name(t->subject->format, &d);
	if (t->subject->name)
		t->name = t->subject->name;
	if (dice_one_in(&d, 4))
		t->engine.level = (enum level)dice_below(&d, 2);
	if (dice_one_in(&d, 8))
		t->engine.unknown = UNKNOWN_SKIP;
	if (dice_one_in(&d, 8))
		draw_profile(t, &d);
	if (dice_one_in(&d, 8))
		draw_limit(t, &d);
	if (t->subject->has_folder && dice_one_in(&d, 2))
		draw_crew(&t->engine, &d);
	trial_open(t);
}

/* A trial that has the settings of another, and memory of its own. */
static void trial_copy(struct trial *t, const struct trial *of, int fill)
{
	t->subject = of->subject;
	t->name = of->name;
	t->default_profile = of->default_profile;
	t->default_limits = of->default_limits;
	oracle_copy_engine(&t->engine, &of->engine);
	memory_init(&t->memory, fill);
	t->engine.allocator = memory_allocator(&t->memory);
	trial_open(t);
}

/* ---- Checks ---------------------------------------------------------------------------------------------------------------- */

struct check_input oracle_input(const struct trial *t)
{
	struct check_input in = { .io.size = t->subject->size, .memory = t->subject->data, .name = t->name };

	if (t->subject->has_folder)
		in.siblings = &t->siblings;
	return in;
}

static struct report *check_memory(struct trial *t)
{
	struct check_input in = oracle_input(t);

	return engine_check(&t->engine, &in);
}

static struct report *check_tape(struct trial *t, struct tape *tape)
{
	struct check_input in = oracle_input(t);

	in.io = tape_io(tape);
	in.memory = NULL;
	return engine_check(&t->engine, &in);
}

static void trial_end(struct trial *t, struct report *r)
{
	report_free(r);
	MUST(t->memory.n_live == 0, "what a check allocates is given back");
	MUST(t->beside.n_open == 0, "what a check opens is closed");
}

/* A file and those beside it. */
static uint64_t whole_size(const struct report *r)
{
	uint64_t n = r->size;

	for (size_t i = 0; i < r->n_companions; i++)
		n += r->companions[i].size;
	return n;
}

/* How many limits a file of any size can reach: it can have more structs in structs than may be, or give more than it may. A finding that
 * is not kept does not say what it is about. */
static uint64_t reached_by_any(const struct report *r)
{
	static const enum limit any[] = { LIMIT_nesting, LIMIT_unpacked, LIMIT_ratio };
	const struct rule_result *result = results_of(&r->results, oracle_rule("RUN001"));
	uint64_t n = 0;

	for (const struct finding *f = result->first; f; f = f->next)
		for (size_t i = 0; i < sizeof any / sizeof *any; i++)
			n += strcmp(f->args[0].word, limit_infos[any[i]].option) == 0;
	return result->n_kept == 0 ? oracle_found(r, "RUN001") : n;
}

static void check_cost(const struct trial *t, const struct report *r)
{
	const uint64_t bound = bound_memory(&t->engine, r, t->subject->data);

	if (t->memory.peak > bound)
		fprintf(stderr, "%llu bytes of memory for %llu, at most %llu\n", (unsigned long long)t->memory.peak, (unsigned long long)r->size,
			(unsigned long long)bound);
	MUST(t->memory.peak <= bound, "memory is bounded by the bytes of metadata");
	MUST(r->memory >= t->memory.peak, "a report owns up to the memory that it took");
	for (const struct report *next = r; next; next = report_next(r, next)) {
		const uint64_t most = work_bound(t->subject, whole_size(next));

		if (next->work > most)
			fprintf(stderr, "%llu units of work for %llu bytes, at most %llu\n", (unsigned long long)next->work,
				(unsigned long long)whole_size(next), (unsigned long long)most);
		MUST(next->work <= most, "work is bounded by the bytes of the file");
	}
	if (t->default_limits && r->n_nested == 0)
		MUST(oracle_found(r, "RUN001") == reached_by_any(r), "a file that nothing lies in is checked to its end");
}

/* Whether nothing was left out, so that other circumstances cannot leave out something else. */
static bool is_complete(const struct trial *t, const struct report *r)
{
	return t->default_limits && oracle_found_in_tree(r, "RUN001") == 0;
}

/* How many bytes all files of a tree have, those that lie in others counted with these and by themselves. */
static uint64_t sum_sizes(const struct report *r)
{
	uint64_t n = 0;

	for (const struct report *next = r; next; next = report_next(r, next))
		n += whole_size(next);
	return n;
}

static void check_never(const struct trial *t, const struct report *r)
{
	for (const char *const *id = t->subject->never; id && *id; id++)
		MUST(oracle_found(r, *id) == 0 || !t->default_limits, "a rule does not blame a file that keeps it");
}

/* ---- The same again --------------------------------------------------------------------------------------------------------- */

/* Through a callback, with other portions and windows, in memory that holds other garbage. Where a limit on memory or work is
 * low, windows change what is reached. */
static void again_elsewhere(const struct trial *base, const struct report *r, struct dice d)
{
	static const uint64_t windows[] = { 1, 7, 20, 64, 4096, SOURCE_WINDOW };
	struct tape tape = { .data = base->subject->data, .size = base->subject->size, .dice = d };
	static struct trial t;
	struct report *other;

	trial_copy(&t, base, 0x00);
	if (is_complete(base, r)) {
		t.engine.window_len = windows[dice_below(&d, sizeof windows / sizeof *windows)];
		t.engine.limits.of[LIMIT_work] += sum_sizes(r);
		t.beside.portions = dice_roll(&d);
		if (base->subject->has_folder)
			draw_crew(&t.engine, &d);
		other = check_tape(&t, &tape);
	} else {
		other = check_memory(&t);
	}
	MUST(other, "a check that had memory has it again");
	t.engine.limits.of[LIMIT_work] = base->engine.limits.of[LIMIT_work];
	oracle_same(r, other, NULL);
	trial_end(&t, other);
}

/* Without some rules: the others find what they found, and a file that stopped being decoded does not become valid. */
static void again_without_rules(const struct trial *base, const struct report *r, struct dice d)
{
	bool without[CATALOG_MAX] = { false };
	uint64_t portion = 1 + dice_below(&d, 3);
	static struct trial t;
	struct report *other;

	trial_copy(&t, base, 0x5A);
	for (size_t i = 0; i < t.engine.n_rules; i++) {
		if (t.engine.rules[i]->flags & RULE_MANDATORY || !dice_one_in(&d, portion))
			continue;
		t.engine.profile.rules[i].ignored = without[i] = true;
	}
	profile_settle(&t.engine.profile);
	t.default_profile = false;
	other = check_memory(&t);
	MUST(other, "a check that had memory has it again");
	oracle_tree(&t, other, true);
	if (is_complete(base, r))
		oracle_same(r, other, without);
	trial_end(&t, other);
}

/* With fewer findings kept, so that rows of facts stand for more than one. */
static void again_with_less_kept(const struct trial *base, const struct report *r, struct dice d)
{
	static struct trial t;
	struct report *other;

	if (!is_complete(base, r))
		return;
	trial_copy(&t, base, 0x69);
	t.engine.limits.of[LIMIT_rule_findings] = dice_below(&d, 3);
	t.engine.limits.of[LIMIT_work] += sum_sizes(r);
	other = check_memory(&t);
	MUST(other, "a check that had memory has it again");
	oracle_same_counts(r, other);
	trial_end(&t, other);
}

/* With a request for memory refused: the report says so, or there is none. With short chunks nearly every piece is a request. */
static void again_without_memory(const struct trial *base, struct dice d)
{
	static struct trial t;
	struct report *r;

	trial_copy(&t, base, 0xA5);
	t.engine.crew = crew_alone;
	t.memory.fail_at = dice_below(&d, base->memory.n_asked);
	t.memory.forever = dice_one_in(&d, 2);
	if (dice_one_in(&d, 2)) {
		t.engine.chunk_len = 64;
		t.memory.fail_at = dice_below(&d, 64);
	}
	r = check_memory(&t);
	MUST(t.memory.refused || t.engine.chunk_len == 64 || base->engine.crew.n > 1, "the same check asks for the same memory");
	if (r && t.memory.refused) {
		MUST(oracle_found_in_tree(r, "RUN005") > 0, "memory that ended is reported");
		MUST(r->verdict != VERDICT_VALID && r->verdict != VERDICT_NOT_APPLICABLE, "memory that ended is never valid");
	}
	trial_end(&t, r);
}

/* Whether a report says that something could not be read or had changed, and the verdict follows. */
static void check_struck(const struct report *r, bool struck, bool must_have_changed)
{
	uint64_t changed = oracle_found_in_tree(r, "RUN003"), unreadable = oracle_found_in_tree(r, "RUN002");

	if (!struck)
		return;
	MUST(unreadable + changed > 0, "an input that failed is reported");
	MUST(!must_have_changed || changed > 0, "an input that changed is reported as such");
	MUST(r->verdict != VERDICT_VALID && r->verdict != VERDICT_NOT_APPLICABLE, "an input that failed is never valid");
}

/* With a read that fails, an input that ends early, or one that changed. */
static void again_with_bad_input(const struct trial *base, struct dice d)
{
	struct tape tape = { .data = base->subject->data, .size = base->subject->size, .dice = d, .whole = true };
	uint64_t changed;
	static struct trial t;
	struct report *r;

	trial_copy(&t, base, 0xA5);
	t.engine.window_len = dice_one_in(&d, 2) ? 64 : SOURCE_WINDOW;
	tape.fault = (enum tape_fault)(TAPE_ERROR + dice_below(&d, 3));
	tape.fail_at = dice_below(&d, dice_one_in(&d, 4) ? 64 : 6);
	r = check_tape(&t, &tape);
	MUST(r, "a check that had memory has it again");
	changed = oracle_found_in_tree(r, "RUN003");
	check_struck(r, tape.struck, tape.fault != TAPE_ERROR);
	MUST(tape.struck || t.beside.n > 0 || oracle_found_in_tree(r, "RUN002") + changed == 0, "an input that did not fail is not blamed");
	trial_end(&t, r);
}

/* With a fault in a file beside the input. */
static void again_with_bad_neighbour(const struct trial *base, struct dice d)
{
	static struct trial t;
	struct report *r;

	if (base->subject->n_beside == 0)
		return;
	trial_copy(&t, base, 0xA5);
	t.beside.fault = (enum tape_fault)(TAPE_ERROR + dice_below(&d, 3));
	t.beside.fault_file = (size_t)dice_below(&d, t.beside.n);
	t.beside.fault_at = dice_below(&d, t.beside.of[t.beside.fault_file].size + 1);
	r = check_memory(&t);
	MUST(r, "a check that had memory has it again");
	check_struck(r, t.beside.struck, t.beside.fault == TAPE_CHANGED);
	trial_end(&t, r);
}

/* One check, and again as the dice say that follow from the hash. */
static void check_once(const struct subject *s, uint64_t hash)
{
	struct dice facts = dice_for(hash, TURN_FACTS), source = dice_for(hash, TURN_SOURCE), subset = dice_for(hash, TURN_SUBSET),
		    memory = dice_for(hash, TURN_MEMORY), read = dice_for(hash, TURN_READ), render = dice_for(hash, TURN_RENDER);
	static struct trial t;
	struct report *r;

	trial_init(&t, s, 0xA5);
	draw_settings(&t, hash);
	r = check_memory(&t);
	MUST(r, "a check that may have memory gives a report");
	coverage_hide();
	oracle_tree(&t, r, is_turn(&facts, 24));
	check_cost(&t, r);
	check_never(&t, r);
	if (is_turn(&source, 24))
		again_elsewhere(&t, r, source);
	if (is_turn(&subset, 96))
		again_without_rules(&t, r, subset);
	if (is_turn(&subset, 96))
		again_with_less_kept(&t, r, subset);
	if (is_turn(&memory, 48))
		again_without_memory(&t, memory);
	if (is_turn(&read, 48))
		again_with_bad_input(&t, read);
	if (is_turn(&read, 48))
		again_with_bad_neighbour(&t, read);
	if (is_turn(&render, 256))
		oracle_render(&t.engine, r, dice_roll(&render));
	if (is_turn(&render, 512))
		oracle_render_maps(&t, r);
	coverage_show();
	trial_end(&t, r);
}

static uint64_t subject_hash(const struct subject *s)
{
	uint64_t hash = random_hash(s->data, s->size);

	for (size_t i = 0; i < s->n_beside; i++)
		hash = hash * 31 + random_hash(s->beside[i].data, s->beside[i].size);
	return hash;
}

/* A thorough check rolls the dice more often. */
void oracle_check(const struct subject *s)
{
	uint64_t hash = subject_hash(s), rolls = oracle_is_thorough() ? 8 : 1;

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
