/* Findings that are not kept: each vector with limits of 0 to 2 findings a rule. What a rule
 * finds is counted, at its severity, whether it is kept or not. kept LIST */
#include "sweep.h"

enum { SEED_MAX = 65536, FEW = 3 };

/* How much was found of each severity, in the file and in those that lie in it. */
struct counts {
	uint64_t n[SEVERITY_ERROR + 1];
	enum verdict verdict;
};

static struct counts check_with(struct engine *e, const struct seed *s, uint64_t kept)
{
	struct report *r;
	struct counts c = { { 0 }, VERDICT_VALID };

	e->limits.of[LIMIT_rule_findings] = kept;
	r = sweep_check(e, s, s->bytes, s->n);
	c.verdict = r->verdict;
	for (const struct report *next = r; next; next = report_next(r, next))
		for (size_t i = 0; i <= SEVERITY_ERROR; i++)
			c.n[i] += next->n_found[i];
	report_free(r);
	return c;
}

static void compare(const struct seed *s, uint64_t kept, const struct counts *all,
		    const struct counts *few)
{
	if (few->verdict != all->verdict)
		sweep_fail(s, "with %llu findings of each rule kept the verdict is %d, with all %d",
			   (unsigned long long)kept, few->verdict, all->verdict);
	for (size_t i = 0; i <= SEVERITY_ERROR; i++)
		if (few->n[i] != all->n[i])
			sweep_fail(s,
				   "with %llu findings of each rule kept %llu have severity %u, "
				   "with all %llu",
				   (unsigned long long)kept, (unsigned long long)few->n[i],
				   (unsigned)i, (unsigned long long)all->n[i]);
}

int main(int argc, char **argv)
{
	struct engine engine;
	struct seeds seeds;
	uint64_t n_checks = 0;

	if (argc != 2)
		return 2;
	seeds = seeds_load(argv[1], SEED_MAX);
	sweep_engine(&engine);
	for (size_t i = 0; i < seeds.n; i += SWEEP_STEP) {
		const struct seed *s = &seeds.of[i];
		const struct counts all = check_with(&engine, s, UINT64_MAX);

		for (uint64_t kept = 0; kept < FEW; kept++, n_checks++) {
			const struct counts few = check_with(&engine, s, kept);

			compare(s, kept, &all, &few);
		}
	}
	seeds_free(&seeds);
	return sweep_end("kept", n_checks);
}
