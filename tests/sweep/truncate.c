/* Truncation: every beginning of every seed. truncate LIST TABLE
 *
 * None is called valid, and none has a summary that is said to be complete. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/summary.h"
#include "sweep.h"

enum { SEED_MAX = 65536 };

/* How often each rule was the first reason for a verdict. */
struct tally {
	uint64_t by_rule[CATALOG_MAX];
	uint64_t n_valid;
};

/* The first rule that a file breaks; CATALOG_MAX: none. */
static size_t first_broken(const struct report *r)
{
	for (size_t i = 0; i < r->n_rules; i++) {
		const struct rule_result *result = results_of(&r->results, i);

		if (result->n_found[SEVERITY_ERROR] + result->n_found[SEVERITY_UNDETERMINED] > 0)
			return report_number(r, i);
	}
	return CATALOG_MAX;
}

static void count(struct tally *t, const struct report *top)
{
	size_t rule = CATALOG_MAX;

	for (const struct report *r = top; r && rule == CATALOG_MAX; r = report_next(top, r))
		rule = first_broken(r);
	if (rule == CATALOG_MAX)
		t->n_valid++;
	else
		t->by_rule[rule]++;
}

/* file is that of a file beside the seed, or NULL. */
static void print(struct page *p, const struct seed *s, const char *file, size_t n,
		  const struct tally *t)
{
	if (file)
		page_print(p, "%s, %s %zu lengths:", s->name, file, n + 1);
	else
		page_print(p, "%-24s %5zu lengths:", s->name, n + 1);
	for (size_t i = 0; i < catalog_count(); i++)
		if (t->by_rule[i] > 0)
			page_print(p, " %s %llu,", catalog_rule(i)->id,
				   (unsigned long long)t->by_rule[i]);
	page_print(p, " valid %llu\n", (unsigned long long)t->n_valid);
}

static bool is_later_chunk(const struct region *r)
{
	return r->index > 0 && (strcmp(r->label, "chunk") == 0 || strcmp(r->label, "stream") == 0);
}

/* The last four bytes of a zen package, without which it is only noted. */
static bool is_tag(const struct format *f, const struct region *r)
{
	return strcmp(f->name, "zen") == 0 && strcmp(r->label, "trailer") == 0;
}

/* Zeros after a rar or a tar. Of those after a tar two blocks are its end, without which it is only
 * noted. */
static bool is_filling(const struct format *f, const struct region *r)
{
	return strcmp(r->kind, "padding") == 0 &&
	       (strcmp(f->name, "rar") == 0 || strcmp(f->name, "tar") == 0);
}

/* Where the last part of a seed ends, and of each file beside it. */
struct ends {
	const struct seed *seed;
	uint64_t of[1 + BESIDE_MAX];
	bool has_end; /* a rar 4 need not have one, and may end after any block */
};

static bool find_end(void *ctx, struct decode *d, const struct format *f, uint64_t version,
		     const struct region *r)
{
	struct ends *ends = ctx;
	uint64_t *end = &ends->of[sweep_file(ends->seed, d, r)];

	ends->has_end |= strcmp(f->name, "rar") != 0 || version == 5;
	if (is_filling(f, r))
		return true;
	if (strcmp(r->kind, "signature") != 0 && strcmp(r->kind, "unexplained") != 0 &&
	    !is_later_chunk(r) && !is_tag(f, r) && span_end(r->span) > *end)
		*end = span_end(r->span);
	return true;
}

/* A zen package may have more bytes than its exports take, of which a rule warns alone. */
static bool has_more(const struct report *r)
{
	return report_result(r, catalog_find("ZEC006", 6))->status == RULE_FAIL ||
	       report_result(r, catalog_find("ZEB009", 6))->status == RULE_FAIL;
}

/* The end of the last part. What follows it is an installer's signature, which is Windows' to
 * judge, or belongs to nothing, which is a warning; nothing says how many chunks a .uz2 should
 * have. A seed with a defect may well begin with a good file, and of what no codec decodes anything
 * may be missing. */
static struct ends earliest_ends(struct engine *e, const struct seed *s)
{
	struct report *r = sweep_check(e, s, s->bytes, s->n);
	struct ends ends = { .seed = s };

	if (r->verdict == VERDICT_VALID && r->unread == 0 && !has_more(r))
		sweep_map(e, s, find_end, &ends);
	if (!ends.has_end)
		ends.of[0] = 0;
	report_free(r);
	return ends;
}

/* A container without its last section may be one of another sort: metas of version 8 had 21
 * bytes before its release, and those of chunks on demand may be missing. A rar without its end
 * block, and a tar without its zeros, may have lost members. A rule tells of each. */
static bool is_of_other_sort(const struct report *top)
{
	static const char *const rules[] = { "ARC121", "ARC142", "UTH039", "UTH041" };

	for (const struct report *r = top; r; r = report_next(top, r))
		for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
			if (report_result(r, catalog_find(rules[i], 6))->status == RULE_FAIL)
				return true;
	return false;
}

/* What fills up the last block of a stored file may be missing. */
enum { PADDING = 15 };

/* The first and the last lengths are those where most begins and ends. Chunks are all alike: of a
 * large .ucas every STORED_STEP-th length stands for the rest. */
enum { EDGE = SWEEP_STEP > 1 ? 24 : 72, LARGE = 4096, STORED_STEP = 61 };

static bool is_left_out(size_t whole, size_t n, bool is_stored)
{
	const size_t step = SWEEP_STEP == 1 && is_stored && whole > LARGE ? STORED_STEP
									  : SWEEP_STEP;

	return n >= EDGE && n + EDGE < whole && (n + whole) % step != 0;
}

/* Checks n bytes of a seed; *complete: the input has a summary that says it is complete. */
static struct report *check_beginning(struct engine *e, const struct seed *s, size_t n,
				      bool *complete)
{
	struct arena arena;
	struct summaries all = { .arena = &arena };
	struct report *r;

	arena_init(&arena, e->allocator, UINT64_MAX);
	r = sweep_check_for(e, s, s->bytes, n, &all);
	*complete = all.first && all.first->depth == 0 && all.first->gaps == 0;
	if (all.n_lost > 0)
		sweep_fail(s, "a summary was lost");
	arena_free(&arena);
	return r;
}

/* Every beginning of a file: of the seed, or, if it is not NULL, of one beside it. */
static uint64_t sweep_file_of(struct engine *e, struct seed *s, struct seed_file *beside,
			      size_t earliest, struct page *p)
{
	const size_t whole = beside ? beside->n : s->n;
	struct tally t = { .n_valid = 0 };
	uint64_t n_checks = 0;

	for (size_t n = 0; n <= whole; n++) {
		struct report *r;
		bool complete;

		if (is_left_out(whole, n, beside != NULL))
			continue;
		if (beside)
			beside->n = n;
		r = check_beginning(e, s, beside ? s->n : n, &complete);
		if (r->verdict == VERDICT_VALID && n < earliest && !is_of_other_sort(r))
			sweep_fail(s, "the first %zu bytes%s%s are called valid", n,
				   beside ? " of " : "", beside ? beside->file : "");
		if (complete && n < earliest && !is_of_other_sort(r))
			sweep_fail(s, "the summary of the first %zu bytes says that it is complete",
				   n);
		if (!complete && n == whole && seed_is_good(s) && r->format && r->format->summary)
			sweep_fail(s, "the summary of the whole file is not complete");
		count(&t, r);
		report_free(r);
		n_checks++;
	}
	if (seed_is_good(s) && t.n_valid == 0)
		sweep_fail(s, "the whole file is not valid");
	if (seed_is_good(s))
		print(p, s, beside ? beside->file : NULL, whole, &t);
	return n_checks;
}

static uint64_t sweep(struct engine *e, struct seed *s, struct page *p)
{
	const struct ends ends = earliest_ends(e, s);
	uint64_t n_checks = sweep_file_of(e, s, NULL, (size_t)ends.of[0], p);

	for (size_t i = 0; i < s->n_beside; i++)
		if (sweep_is_stored(&s->beside[i]))
			n_checks += sweep_file_of(
				e, s, &s->beside[i],
				(size_t)(ends.of[1 + i] > PADDING ? ends.of[1 + i] - PADDING : 0),
				p);
	return n_checks;
}

int main(int argc, char **argv)
{
	static struct engine e;
	struct seeds seeds;
	struct page p;
	uint64_t n = 0;

	if (argc != 3)
		return 3;
	sweep_engine(&e);
	seeds = seeds_load(argv[1], SEED_MAX);
	page_init(&p);
	page_print(&p, "# Every beginning of each good seed: how often each rule was the first to "
		       "say why it is not valid.\n");
	for (size_t i = 0; i < seeds.n; i++) {
		n += sweep(&e, &seeds.of[i], &p);
	}
	if (SWEEP_STEP == 1)
		page_compare(&p, argv[2]);
	page_free(&p);
	seeds_free(&seeds);
	return sweep_end("truncate", n);
}
