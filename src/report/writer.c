/* The list of writers. */
#include "report/writer.h"

#include <string.h>

static const struct writer_type *const types[] = {
	&writer_text, &writer_text_color, &writer_concise, &writer_json, &writer_ndjson, &writer_sarif, &writer_sarif_github,
};

const struct writer_type *writer_find(const char *name)
{
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strcmp(types[i]->name, name) == 0)
			return types[i];
	return NULL;
}

uint64_t totals_judged(const struct totals *t)
{
	return t->n_verdicts[VERDICT_VALID] + t->n_verdicts[VERDICT_INVALID] + t->n_verdicts[VERDICT_UNDETERMINED];
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
