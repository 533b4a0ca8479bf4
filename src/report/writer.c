/* Writers: sums over what a report writer counted. */
#include "report/writer.h"

uint64_t totals_judged(const struct totals *t)
{
	return t->n_verdicts[VERDICT_VALID] + t->n_verdicts[VERDICT_INVALID] +
	       t->n_verdicts[VERDICT_UNDETERMINED];
}

uint64_t totals_found(const struct totals *t)
{
	uint64_t n = 0;

	for (size_t i = SEVERITY_NOTE; i < N_SEVERITIES; i++)
		n += t->n_found[i];
	return n;
}

bool totals_cut(const struct totals *t)
{
	return totals_found(t) > t->n_shown;
}
