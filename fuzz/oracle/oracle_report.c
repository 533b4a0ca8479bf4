/* The oracle of one report: that it agrees with itself, and with the bytes that it is about. */
#include "oracle/oracle_report.h"

#include <stdio.h>
#include <string.h>

#include "engine/verdict.h"
#include "oracle/oracle_formats.h"
#include "oracle/oracle_results.h"
#include "support/must.h"
#include "support/strict.h"

static size_t count_words(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += *s != ' ' && (s[1] == ' ' || s[1] == '\0');
	return n;
}

/* One more than the highest placeholder of a message. */
static size_t count_placeholders(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		if (s[0] == '{' && s[1] >= '0' && s[1] < '0' + ARG_MAX && s[2] == '}' &&
		    (size_t)(s[1] - '0') >= n)
			n = (size_t)(s[1] - '0') + 1;
	return n;
}

static uint64_t size_of(const struct report *r, uint32_t file)
{
	MUST(file <= r->n_companions, "a place lies in the input or a companion");
	return file == 0 ? r->size : r->companions[file - 1].size;
}

static void check_span_of(const struct report *r, const char *id, const struct place *p)
{
	uint64_t size = size_of(r, p->file);

	if (!p->known) {
		MUST(p->span.at == 0 && p->span.len == 0 && !p->record && !p->field,
		     "what has no place points nowhere");
		return;
	}
	if (p->span.at > size || p->span.len > size - p->span.at)
		fprintf(stderr, "%s: %llu bytes at %llu of %llu\n", id,
			(unsigned long long)p->span.len, (unsigned long long)p->span.at,
			(unsigned long long)size);
	MUST(p->span.at <= size && p->span.len <= size - p->span.at,
	     "a finding points into its source");
	MUST(p->record || !p->field, "a field is one of a record");
}

static void check_arg(const struct finding_arg *a)
{
	if (a->kind == ARG_WORD)
		MUST(a->word, "a word is one");
	if (a->kind != ARG_TEXT || a->text_len == 0)
		return;
	MUST(strict_utf8(a->text, a->text_len), "a text is UTF-8");
	MUST(a->text_len <= ARG_NAME_MAX, "a text is not longer than it may be");
}

static void check_snippet(const struct report *r, const struct finding *f, const struct subject *s)
{
	if (f->snippet_len == 0)
		return;
	MUST(f->snippet_len <= SNIPPET_MAX && f->snippet_at % 16 == 0, "a snippet is a few rows");
	MUST(span_end((struct span){ f->snippet_at, f->snippet_len }) <= size_of(r, f->place.file),
	     "a snippet lies in its source");
	if (s->data && f->place.file == 0)
		MUST(memcmp(f->snippet, s->data + f->snippet_at, f->snippet_len) == 0,
		     "a snippet is the file's bytes");
}

static void check_finding(const struct trial *t, const struct report *r, const struct finding *f,
			  const struct rule_setting *setting)
{
	MUST(f->severity == setting->severity || f->severity == setting->lesser,
	     "a finding has a severity of its rule");
	MUST(f->n_args == count_placeholders(f->rule->message), "arguments match the message");
	MUST(f->n_args == count_words(f->rule->data), "arguments have names");
	MUST(f->n_related <= RELATED_MAX, "related places are few");
	check_span_of(r, f->rule->id, &f->place);
	MUST(strcmp(f->file ? f->file : "", report_file(r, f->place.file)) == 0,
	     "a finding names its companion");
	for (size_t i = 0; i < f->n_args; i++)
		check_arg(&f->args[i]);
	for (size_t i = 0; i < f->n_related; i++) {
		check_span_of(r, f->rule->id, &f->related[i].place);
		MUST(f->related[i].words, "a related place says why");
	}
	check_snippet(r, f, t->subject);
}

static uint64_t sum_found(const struct rule_result *result)
{
	uint64_t n = 0;

	for (size_t s = 0; s <= SEVERITY_ERROR; s++)
		n += result->n_found[s];
	return n;
}

static bool memory_ended(const struct report *r)
{
	return oracle_found(r, "RUN005") > 0;
}

/* A report has the rules of the format that it names, and after them the engine's own. */
static void check_rules(const struct trial *t, const struct report *r)
{
	size_t first = 0, end = 0, first_own, end_own, n = 0;

	if (r->format)
		catalog_range(r->format, &first, &end);
	catalog_range(NULL, &first_own, &end_own);
	MUST(r->first_told == end - first && r->n_rules == end - first + (end_own - first_own),
	     "a report lists the rules of its file");
	for (size_t i = first; i < end; i++, n++)
		MUST(r->rules[n] == t->engine->rules[i] && report_find(r, i) == n &&
			     report_number(r, n) == i,
		     "those of the format come first");
	for (size_t i = first_own; i < end_own; i++, n++)
		MUST(r->rules[n] == t->engine->rules[i] && report_find(r, i) == n &&
			     report_number(r, n) == i,
		     "the engine's own come last");
}

static void check_failed(const struct trial *t, const struct report *r, size_t i)
{
	const struct rule_result *result = results_of(&r->results, i);
	uint64_t n = sum_found(result), keep_max = t->engine->limits.of[LIMIT_rule_findings],
		 n_listed = 0;

	MUST(n > 0 && result->status == RULE_FAIL, "a rule fails where it found something");
	MUST(result->n_kept == (n < keep_max ? n : keep_max) || memory_ended(r),
	     "findings are kept up to the limit");
	for (const struct finding *f = result->first; f; f = f->next) {
		MUST(f->rule == r->rules[i], "a finding is its rule's");
		check_finding(t, r, f, &t->engine->profile.rules[report_number(r, i)]);
		n_listed++;
	}
	MUST(n_listed == result->n_kept, "kept findings are listed");
}

/* Most rules pass, and then there is nothing to check. */
static void check_results(const struct trial *t, const struct report *r)
{
	for (size_t i = 0; i < r->n_rules; i++) {
		const uint8_t status = r->results.status[i];

		if (status == RULE_PASS || (status == RULE_NOT_APPLICABLE && i >= r->first_told))
			continue;
		if (status == RULE_FAIL)
			check_failed(t, r, i);
		MUST(status != RULE_NOT_EVALUATED || results_reason(&r->results, i),
		     "a rule that was not evaluated says why");
		MUST(status != RULE_NOT_APPLICABLE || r->rules[i]->uploads != 0 ||
			     t->engine->profile.initial[report_number(r, i)] == status,
		     "the rules of the format apply, but for those of a target that is not named, "
		     "or of another upload");
		MUST(status != RULE_OTHER_VERSION ||
			     (r->rules[i]->versions.last != 0 &&
			      !layout_has(r->rules[i]->versions, r->version)),
		     "only a rule about other versions is left out for that");
	}
}

static size_t check_list_part(const struct report *r, size_t from, size_t end, size_t n)
{
	for (size_t i = from; (i = results_next(&r->results, RULE_FAIL, i, end)) < end; i++)
		for (const struct finding *f = results_of(&r->results, i)->first; f;
		     f = f->next, n++)
			MUST(n < r->n_findings && r->findings[n] == f,
			     "findings stand in the order of the rules");
	return n;
}

static void check_list(const struct report *r)
{
	size_t n;

	MUST(r->first_own == oracle_rule("RUN001"),
	     "what is said of the check itself is said first");
	n = check_list_part(r, r->first_told, r->n_rules, 0);
	n = check_list_part(r, 0, r->first_told, n);
	MUST(n == r->n_findings, "every finding is counted");
}

/* An undetermined finding has a reason in the list, and the list has none where nothing is said. */
static void check_unjudged(const struct report *r)
{
	MUST(r->n_found[SEVERITY_UNDETERMINED] == 0 || r->n_unjudged > 0,
	     "what cannot be judged is listed");
	MUST(r->n_unjudged == 0 ||
		     r->n_found[SEVERITY_UNDETERMINED] + r->n_found[SEVERITY_ERROR] > 0,
	     "what is listed has a finding");
	for (size_t i = 0; i < r->n_unjudged; i++)
		MUST(r->unjudged[i].reason < N_UNJUDGED_REASONS && r->unjudged[i].what &&
			     r->unjudged[i].file,
		     "a reason has its words");
}

static bool has_parts(const struct scope *s)
{
	for (size_t f = 0; f < FORMATS_MAX; f++)
		if (s->parts[f] != 0)
			return true;
	return false;
}

static void check_scope(const struct trial *t, const struct report *r)
{
	const struct scope *s = &r->scope;

	MUST(!(s->flags & SCOPE_TABLES) == (t->engine->level == LEVEL_CONTENT),
	     "who asks for tables is told of tables");
	MUST(!(s->flags & SCOPE_ALONE) || s->flags & SCOPE_TABLES,
	     "files beside a file are only left out where tables are asked for");
	MUST(!(s->flags & SCOPE_RULES) == (s->n_off + s->n_lowered == 0),
	     "rules that are off are told");
	MUST(s->n_off >= r->n_ignored, "all of them are");
	MUST(!(s->flags & SCOPE_VERSION) == !has_parts(s), "parts that nobody knows are named");
	for (size_t i = 0; i < r->n_nested; i++)
		MUST((r->nested[i]->scope.flags & ~s->flags) == 0,
		     "a file is no more whole than what lies in it");
}

static void check_counts(const struct report *r)
{
	uint64_t n_found[SEVERITY_ERROR + 1] = { 0 }, n_ignored = 0;

	for (size_t i = 0; (i = results_next(&r->results, RULE_FAIL, i, r->n_rules)) < r->n_rules;
	     i++) {
		const struct rule_result *result = results_of(&r->results, i);

		for (size_t s = 0; s <= SEVERITY_ERROR; s++)
			n_found[s] += result->n_found[s];
	}
	for (size_t i = 0;
	     (i = results_next(&r->results, RULE_IGNORED, i, r->n_rules)) < r->n_rules; i++)
		n_ignored++;
	for (size_t s = 0; s <= SEVERITY_ERROR; s++)
		n_found[s] += r->results.notes->n_lost[s];
	MUST(memcmp(n_found, r->n_found, sizeof n_found) == 0, "counts are the sums of the rules'");
	MUST(n_ignored == r->n_ignored, "ignored rules are counted");
	MUST(n_found[SEVERITY_NONE] == 0, "a finding has a severity");
}

/* A part that stands on one that was left out of scope is named itself; the oracle of facts looks
 * for the reason. */
static bool stands_on_left_out(const struct report *r, const char *reason, enum level level)
{
	for (size_t g = 0; level == LEVEL_STRUCTURE && g < r->format->n_groups; g++)
		if (strcmp(r->format->groups[g].name, reason) == 0)
			return true;
	return false;
}

static bool is_out_of_scope(const char *reason, enum level level)
{
	if (strcmp(reason, "version") == 0)
		return true;
	return level == LEVEL_STRUCTURE &&
	       (strcmp(reason, "level") == 0 || strcmp(reason, "companion") == 0);
}

bool oracle_is_idle(const struct trial *t, const struct report *r)
{
	const struct rule_setting *settings = t->engine->profile.rules;
	size_t first, end;
	bool cut = false;

	if (!r->format)
		return false;
	catalog_range(r->format, &first, &end);
	for (size_t i = first; i < end; i++) {
		const uint8_t status = r->results.status[i - first];

		if ((status == RULE_PASS || status == RULE_FAIL) &&
		    settings[i].severity == SEVERITY_ERROR)
			return false;
		cut = cut || !profile_counts(&t->engine->profile, i) ||
		      settings[i].severity < t->engine->rules[i]->severity;
	}
	return cut;
}

static void check_verdict(const struct trial *t, const struct report *r)
{
	const bool idle = oracle_is_idle(t, r);
	const enum level level = t->engine->level;
	enum verdict expected = idle ? VERDICT_NOT_APPLICABLE : VERDICT_VALID;

	if (r->verdict == VERDICT_NOT_APPLICABLE) {
		MUST(!r->format || idle, "only a file of which nothing is asked is not applicable");
		MUST(r->n_found[SEVERITY_ERROR] + r->n_found[SEVERITY_UNDETERMINED] == 0,
		     "nothing worse than a warning is said of such a file");
		MUST(r->format || (r->n_findings == 0 && r->n_nested == 0),
		     "nothing is said of a file of no format");
		return;
	}
	MUST(r->inside || !idle || r->verdict != VERDICT_VALID,
	     "a file of which nothing is asked is not valid");
	if (r->n_found[SEVERITY_ERROR] > 0)
		expected = VERDICT_INVALID;
	else if (r->n_found[SEVERITY_UNDETERMINED] > 0)
		expected = VERDICT_UNDETERMINED;
	MUST(r->inside || r->verdict == expected, "the verdict follows from the counts");
	MUST(!r->inside || verdict_worse(r->verdict, expected) != expected,
	     "only a worse file inside takes the verdict");
	if (r->verdict != VERDICT_VALID)
		return;
	MUST(r->format, "a file of no format is not valid");
	for (size_t i = 0; i < r->n_rules; i++)
		MUST(!results_reason(&r->results, i) ||
			     is_out_of_scope(results_reason(&r->results, i), level) ||
			     stands_on_left_out(r, results_reason(&r->results, i), level),
		     "valid means that every rule was evaluated");
}

static bool content_is_elsewhere(const struct report *r)
{
	return r->format && oracle_format(r->format)->content_is_elsewhere;
}

/* The map of a file goes through those beside it, too: a .sig is a region of its .pak. */
static uint64_t size_with_companions(const struct report *r)
{
	uint64_t n = r->size;

	for (size_t i = 0; i < r->n_companions; i++)
		n += r->companions[i].size;
	return n;
}

void oracle_report(const struct trial *t, const struct report *r)
{
	MUST(r->size == t->subject->size && strcmp(r->own_name, t->name) == 0,
	     "a report is about its input");
	check_rules(t, r);
	MUST(r->n_infos <= INFOS_MAX, "facts about a file are few");
	MUST(r->explained <= size_with_companions(r),
	     "not more bytes are explained than there are");
	MUST(r->unread <= r->size || content_is_elsewhere(r),
	     "not more bytes are unread than there are");
	check_results(t, r);
	check_counts(r);
	check_list(r);
	check_unjudged(r);
	check_scope(t, r);
	check_verdict(t, r);
	if (t->default_profile && t->default_limits && oracle_found(r, "ENG001") > 0)
		fprintf(stderr, "ENG001: %s\n",
			report_result(r, oracle_rule("ENG001"))->first->args[0].word);
	if (t->default_profile && t->default_limits)
		MUST(oracle_found(r, "ENG001") == 0, "a stop is explained by a rule");
}
