/* The oracle of summaries: they agree with the report, and with each other however little memory
 * there is. */
#include "oracle/oracle_summaries.h"

#include <string.h>

#include "support/must.h"

/* ---- One summary ----------------------------------------------------------------------------- */

/* A byte of UTF-8 that begins no character. */
static bool is_inside(uint8_t byte)
{
	return (byte & 0xC0) == 0x80;
}

static void check_text(const struct summary_text *t)
{
	MUST(t->len <= SUMMARY_TEXT, "what is kept of a text is short");
	if (t->len == 0)
		return;
	MUST(!is_inside(t->utf8[0]) && t->utf8[t->len - 1] < 0xC0,
	     "a text is cut between characters");
}

static void check_list(const struct summary *s, const struct summary_list *list)
{
	uint64_t sum = 0;

	MUST(list->is_known || (list->n == 0 && list->n_rows == 0),
	     "a list that is not known is empty");
	MUST(list->n_rows <= list->max_rows && list->max_rows <= SUMMARY_ROWS, "a list is short");
	MUST(list->n_rows == list->n || list->n_rows == SUMMARY_ROWS || s->gaps & SUMMARY_NO_MEMORY,
	     "a list keeps the rows that it may");
	for (uint32_t i = 0; i < list->n_rows; i++) {
		check_text(&list->rows[i].name);
		sum += list->rows[i].hash;
	}
	MUST(list->n_rows < list->n || sum == list->hash, "the hash of a list is that of its rows");
}

static const struct {
	const char *info;
	size_t at;
} told[] = {
	{ "names", offsetof(struct summary, n_names) },
	{ "imports", offsetof(struct summary, n_imports) },
	{ "exports", offsetof(struct summary, n_exports) },
	{ "members", offsetof(struct summary, n_exports) },
};

/* Where a check was interrupted, rows of lists are not counted either. */
static void check_infos(const struct summary *s, const struct report *r)
{
	for (size_t i = 0; i < r->n_infos; i++)
		for (size_t k = 0; k < sizeof told / sizeof *told; k++)
			if (strcmp(r->infos[i].name, told[k].info) == 0)
				MUST(s->gaps & SUMMARY_UNREAD ||
					     r->infos[i].number ==
						     *(const uint64_t *)((const unsigned char *)s +
									 told[k].at),
				     "a summary counts as the report does");
}

static bool has_errors(const struct report *r)
{
	for (size_t i = 0; i < r->first_told; i++) {
		const struct rule_result *found = results_of(&r->results, i);

		if (found->n_found[SEVERITY_ERROR] + found->n_found[SEVERITY_UNDETERMINED] > 0)
			return true;
	}
	return false;
}

static void check_summary(const struct summary *s, const struct report *r)
{
	MUST(s->format == r->format && s->version == r->version,
	     "a summary is of the file of its report");
	check_text(&s->name);
	check_list(s, &s->needs);
	check_list(s, &s->offers);
	check_infos(s, r);
	MUST(s->gaps & SUMMARY_DOUBTED || !has_errors(r),
	     "the summary of a file that is not sound says so");
}

/* ---- All of them ----------------------------------------------------------------------------- */

void oracle_summaries(const struct report *r, const struct summaries *all)
{
	const struct summary *s = all->first;
	uint64_t n = 0;

	for (const struct report *next = r; next; next = report_next(r, next)) {
		if (!next->format || !next->format->summary)
			continue;
		MUST(s, "each file of such a format has a summary");
		MUST(!(s->gaps & SUMMARY_NO_MEMORY), "a summary that may have memory has it");
		check_summary(s, next);
		s = s->next;
		n++;
	}
	MUST(!s && n == all->n && all->n_lost == 0, "there are no others");
}

static bool is_same_row(const struct summary_row *a, const struct summary_row *b)
{
	return a->hash == b->hash && a->id == b->id && a->name.len == b->name.len &&
	       a->name.whole == b->name.whole &&
	       memcmp(a->name.utf8, b->name.utf8, a->name.len) == 0;
}

static bool is_same_list(const struct summary_list *a, const struct summary_list *b)
{
	if (a->is_known != b->is_known || a->n != b->n || a->hash != b->hash ||
	    a->n_rows != b->n_rows)
		return false;
	for (uint32_t i = 0; i < a->n_rows; i++)
		if (!is_same_row(&a->rows[i], &b->rows[i]))
			return false;
	return true;
}

void oracle_short_summaries(const struct summaries *all, const struct summaries *whole)
{
	const struct summary *a = all->first, *b = whole->first;

	MUST(all->n + all->n_lost == whole->n, "a summary that is missing is counted");
	if (all->n_lost > 0)
		return;
	for (; a && b; a = a->next, b = b->next) {
		MUST((a->gaps | SUMMARY_NO_MEMORY) == (b->gaps | SUMMARY_NO_MEMORY),
		     "memory changes no other gap");
		MUST(a->gaps & SUMMARY_NO_MEMORY || (is_same_list(&a->needs, &b->needs) &&
						     is_same_list(&a->offers, &b->offers)),
		     "a list that is short for want of memory says so");
	}
	MUST(!a && !b, "there are as many as are counted");
}
