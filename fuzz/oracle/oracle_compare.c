/* The oracle of two reports: that circumstances which do not matter change nothing. */
#include "oracle/oracle_compare.h"

#include <string.h>

#include "oracle/oracle_results.h"
#include "support/must.h"

static bool same_words(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_place(const struct place *a, const struct place *b)
{
	return a->known == b->known && a->file == b->file && a->span.at == b->span.at &&
	       a->span.len == b->span.len && a->index == b->index &&
	       same_words(a->record, b->record) && same_words(a->field, b->field);
}

static bool same_arg(const struct finding_arg *a, const struct finding_arg *b)
{
	if (a->kind != b->kind || a->cut != b->cut || a->number != b->number ||
	    !same_words(a->word, b->word))
		return false;
	return a->text_len == b->text_len &&
	       (a->text_len == 0 || memcmp(a->text, b->text, a->text_len) == 0);
}

static bool same_snippet(const struct finding *a, const struct finding *b)
{
	if (a->snippet_len != b->snippet_len || a->snippet_at != b->snippet_at)
		return false;
	return memcmp(a->snippet, b->snippet, a->snippet_len) == 0;
}

static void compare_findings(const struct finding *a, const struct finding *b)
{
	MUST(a->rule == b->rule && a->severity == b->severity, "the same rule found it");
	MUST(same_place(&a->place, &b->place), "the same finding has the same place");
	MUST(a->n_args == b->n_args && a->n_related == b->n_related,
	     "the same finding has as many arguments");
	for (size_t i = 0; i < a->n_args; i++)
		MUST(same_arg(&a->args[i], &b->args[i]), "the same finding has the same arguments");
	for (size_t i = 0; i < a->n_related; i++)
		MUST(same_place(&a->related[i].place, &b->related[i].place) &&
			     same_words(a->related[i].words, b->related[i].words),
		     "the same finding has the same related places");
	MUST(same_snippet(a, b), "the same finding has the same snippet");
}

static void compare_results(const struct rule_result *a, const struct rule_result *b)
{
	const struct finding *f = a->first, *g = b->first;

	MUST(a->status == b->status, "the same rule was judged alike");
	MUST(memcmp(a->n_found, b->n_found, sizeof a->n_found) == 0 && a->n_kept == b->n_kept,
	     "the same rule finds as much");
	for (; f && g; f = f->next, g = g->next)
		compare_findings(f, g);
	MUST(!f && !g, "the same rule finds the same");
}

static void compare_heads(const struct report *a, const struct report *b)
{
	MUST(a->format == b->format && a->version == b->version && a->size == b->size,
	     "the same bytes are of the same format");
	MUST(a->explained == b->explained && a->unread == b->unread,
	     "the same bytes are explained");
	MUST(a->n_infos == b->n_infos, "the same facts are told");
	for (size_t i = 0; i < a->n_infos; i++)
		MUST(same_words(a->infos[i].name, b->infos[i].name) &&
			     same_words(a->infos[i].word, b->infos[i].word) &&
			     a->infos[i].number == b->infos[i].number &&
			     a->infos[i].hex == b->infos[i].hex,
		     "the same facts are told");
}

static void compare_scopes(const struct report *a, const struct report *b)
{
	MUST(memcmp(&a->scope, &b->scope, sizeof a->scope) == 0,
	     "the same verdict covers the same");
	MUST(a->n_unjudged == b->n_unjudged, "the same bytes are not judged");
	for (size_t i = 0; i < a->n_unjudged; i++)
		MUST(a->unjudged[i].reason == b->unjudged[i].reason &&
			     a->unjudged[i].bytes == b->unjudged[i].bytes &&
			     same_words(a->unjudged[i].what, b->unjudged[i].what) &&
			     same_words(a->unjudged[i].file, b->unjudged[i].file),
		     "for the same reasons");
}

static void same_report(const struct report *a, const struct report *b, const bool *without)
{
	const size_t eng001 = oracle_rule("ENG001"), run011 = oracle_rule("RUN011");

	compare_heads(a, b);
	MUST(a->n_nested == b->n_nested && strcmp(a->name, b->name) == 0,
	     "the same files lie in a file");
	MUST(a->at.at == b->at.at && a->at.len == b->at.len && a->decoded == b->decoded,
	     "the same file lies at the same place");
	if (!without)
		compare_scopes(a, b);
	if (!without)
		MUST(a->verdict == b->verdict && a->n_ignored == b->n_ignored,
		     "the same bytes get the same verdict");
	MUST(a->n_rules == b->n_rules, "the same file has the same rules");
	for (size_t i = 0; i < a->n_rules; i++) {
		const size_t rule = report_number(a, i);

		if (without && (without[rule] || rule == eng001 || rule == run011))
			continue;
		if (a->results.status[i] == b->results.status[i] &&
		    a->results.status[i] <= RULE_PASS)
			continue;
		compare_results(results_of(&a->results, i), results_of(&b->results, i));
		MUST(same_words(results_reason(&a->results, i), results_reason(&b->results, i)),
		     "the same rule is left out for one reason");
	}
}

void oracle_same_counts(const struct report *a, const struct report *b)
{
	const struct report *x = a, *y = b;

	for (; x && y; x = report_next(a, x), y = report_next(b, y)) {
		MUST(x->n_rules == y->n_rules, "the same file has the same rules");
		for (size_t i = 0; i < x->n_rules; i++) {
			const struct rule_result *p = results_of(&x->results, i),
						 *q = results_of(&y->results, i);

			MUST(memcmp(p->n_found, q->n_found, sizeof p->n_found) == 0,
			     "how many findings are kept changes no count");
		}
	}
	MUST(!x && !y, "the same tree has as many reports");
}

void oracle_same(const struct report *a, const struct report *b, const bool *without)
{
	const struct report *x = a, *y = b;

	while (x && y) {
		same_report(x, y, without);
		x = report_next(a, x);
		y = report_next(b, y);
	}
	MUST(!x && !y, "the same tree has as many reports");
}
