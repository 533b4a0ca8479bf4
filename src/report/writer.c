/* Writers: sums over what a report writer counted. */
#include "report/writer.h"

uint64_t totals_judged(const struct totals *t)
{
	return t->n_verdicts[VERDICT_VALID] + t->n_verdicts[VERDICT_INVALID] +
	       t->n_verdicts[VERDICT_UNDETERMINED];
}

uint64_t totals_found(const struct totals *t)
{
	return results_sum(t->n_found);
}

bool totals_fail(const struct totals *t)
{
	return results_sum(t->n_failing) > 0;
}

bool totals_cut(const struct totals *t)
{
	return totals_found(t) > t->n_shown;
}

uint64_t entry_accepted(const struct entry *e, const struct rule *rule, enum severity s)
{
	uint64_t n = 0;

	for (size_t i = 0; e->reasons && i < e->n_shown; i++)
		n += e->reasons[i] && e->report->findings[i]->rule == rule &&
		     e->report->findings[i]->severity == s;
	return n;
}

uint64_t entry_all_accepted(const struct entry *e)
{
	return results_sum(e->n_accepted);
}

void totals_describe(struct out *o, const struct totals *t)
{
	out_count(o, totals_judged(t), "file");
	for (int v = VERDICT_VALID; v <= VERDICT_UNDETERMINED; v++) {
		out_string(o, v == VERDICT_VALID ? ": " : ", ");
		out_dec(o, t->n_verdicts[v]);
		out_byte(o, ' ');
		out_string(o, verdict_name((enum verdict)v));
	}
}
