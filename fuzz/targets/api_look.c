/* Looks at reports. */
#include "targets/api_look.h"

#include <stdlib.h>
#include <string.h>

#include "support/must.h"
#include "support/random.h"
#include "support/strict.h"

enum { N_SEVERITIES_SHOWN = UVET_SEVERITY_ERROR + 1, CUT_MAX = 96 };

uvet_verdict look_worse(uvet_verdict a, uvet_verdict b)
{
	static const int rank[] = { [UVET_NOT_APPLICABLE] = 0,
				    [UVET_VALID] = 1,
				    [UVET_UNDETERMINED] = 2,
				    [UVET_INVALID] = 3 };

	return rank[a] > rank[b] ? a : b;
}

/* ---- Findings -------------------------------------------------------------------------------- */

/* A writer of messages or fields writes all, or a part that ends between characters, and nothing
 * after its room. */
static void check_cut(size_t (*write)(const uvet_finding *f, char *buf, size_t size),
		      const uvet_finding *f, struct dice *d)
{
	const size_t room = (size_t)dice_below(d, CUT_MAX), whole = write(f, NULL, 0);
	char *all = malloc(whole + 1), *part = malloc(room > 0 ? room : 1);

	MUST(all && part, "the machine has memory for a harness");
	MUST(write(f, all, whole + 1) == whole && strlen(all) == whole,
	     "a text has the length that is told");
	MUST(!strict_text((const uint8_t *)all, whole, false), "a text is safe to show");
	MUST(write(f, part, room) == whole, "its length does not depend on the room");
	if (room > 0) {
		MUST(strlen(part) < room && strncmp(all, part, strlen(part)) == 0,
		     "a cut text is the front of it");
		MUST(strict_utf8((const uint8_t *)part, strlen(part)),
		     "a text is cut between characters");
	}
	free(all);
	free(part);
}

/* What a finding says for programs. */
static void look_at_data(const uvet_report *r, const uvet_finding *f)
{
	const char *file, *words;
	uint64_t at, len;
	char text[64];
	size_t i = 0;

	MUST(uvet_finding_fingerprint(r, f, text, sizeof text) == 16, "it has 16 digits");
	MUST(*uvet_finding_class(r, f) && *uvet_finding_why(f) && *uvet_finding_fix(f),
	     "a finding's rule says why it matters");
	for (; i < uvet_finding_data_count(f); i++)
		MUST(uvet_finding_data_name(f, i, text, sizeof text) > 0, "values have names");
	MUST(uvet_finding_data_name(f, i, text, sizeof text) == 0 &&
		     uvet_finding_data_value(f, i, text, sizeof text) == 0,
	     "there is none past the last");
	for (i = 0; (words = uvet_finding_related_at(r, f, i, &file, &at, &len)) != NULL; i++)
		MUST(*words && len <= UINT64_MAX - at, "a place does not wrap");
}

static void look_at_finding(const uvet_finding *f, struct dice *d)
{
	uint64_t at = 0, len = 0;
	uvet_rule rule = UVET_RULE_INIT;

	MUST(uvet_rule_find(uvet_finding_rule(f), &rule), "a finding's rule exists");
	MUST(strcmp(uvet_finding_name(f), rule.name) == 0, "a finding's name is its rule's");
	MUST(uvet_finding_severity(f) > UVET_SEVERITY_NONE &&
		     uvet_finding_severity(f) <= UVET_SEVERITY_ERROR,
	     "a finding has a severity");
	MUST(uvet_finding_place(f, &at, &len) ? len <= UINT64_MAX - at : at == 0 && len == 0,
	     "a place does not wrap");
	MUST(!strpbrk(uvet_finding_file(f), "/\\"), "a file beside the input has no folder");
	check_cut(uvet_finding_message, f, d);
	check_cut(uvet_finding_field, f, d);
}

/* ---- Reports --------------------------------------------------------------------------------- */

static void look_at_findings(const uvet_report *r, struct dice *d)
{
	uint64_t kept[N_SEVERITIES_SHOWN] = { 0 };

	for (size_t i = 0; i < uvet_report_count(r); i++) {
		const uvet_finding *f = uvet_report_at(r, i);

		MUST(f, "findings are there up to their count");
		look_at_finding(f, d);
		look_at_data(r, f);
		kept[uvet_finding_severity(f)]++;
	}
	MUST(!uvet_report_at(r, uvet_report_count(r)) && !uvet_report_at(r, SIZE_MAX),
	     "nothing stands past the end");
	for (int s = 0; s < N_SEVERITIES_SHOWN; s++)
		MUST(kept[s] <= uvet_report_found(r, (uvet_severity)s), "what is kept was found");
	MUST(uvet_report_found(r, UVET_SEVERITY_NONE) == 0 &&
		     uvet_report_found(r, (uvet_severity)77) == 0,
	     "nothing has no severity");
}

static bool is_reason(const char *word)
{
	static const char *const reasons[] = { "codec",  "companion",  "key",     "limit",
					       "memory", "unreadable", "changed", "cancelled",
					       "time",   "worker",     "format",  "rules",
					       "rule" };

	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
		if (strcmp(word, reasons[i]) == 0)
			return true;
	return false;
}

static void look_at_unjudged(const uvet_report *r)
{
	uvet_unjudged u = UVET_UNJUDGED_INIT;

	for (size_t i = 0; i < uvet_report_unjudged_count(r); i++) {
		MUST(uvet_report_unjudged_at(r, i, &u) == 1 && is_reason(u.reason),
		     "a reason is one of those that there are");
		MUST(u.what && u.file && !strpbrk(u.file, "/\\"), "a reason has its strings");
		MUST(uvet_report_unjudged_at(r, i, NULL) == 0,
		     "there is no answer without room for it");
	}
	MUST(uvet_report_unjudged_at(r, uvet_report_unjudged_count(r), &u) == 0,
	     "nothing stands past the end");
	MUST(uvet_report_verdict(r) != UVET_VALID || uvet_report_unjudged_count(r) == 0,
	     "valid means that all was judged");
}

/* What may be said of a file without an error: conformance/spec/run.md, 5.1. */
static bool is_harmless(const char *id)
{
	static const char *const ids[] = {
		"appended", "zero_filled",     "reencoded_as_text", "transferred_as_text",
		"damaged",  "wrong_companion", "hostile",           "missing_companion",
		"renamed"
	};

	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
		if (strcmp(id, ids[i]) == 0)
			return true;
	return false;
}

/* What explains findings has words; a sound file needs none but for what it is warned of. */
static void look_at_diagnosis(const uvet_report *r)
{
	const char *id = uvet_report_diagnosis(r);
	char message[64];
	const size_t len = uvet_report_diagnosis_message(r, message, sizeof message);

	MUST(!id == !uvet_report_diagnosis_fix(r, 0) && !id == !uvet_report_diagnosis_fix(r, 1) &&
		     !id == (len == 0),
	     "a diagnosis has a message, and says what to do");
	MUST(id || !uvet_report_diagnosis_certain(r), "nothing is not certain");
	if (!id || uvet_report_verdict(r) != UVET_VALID)
		return;
	MUST(is_harmless(id), "a sound file is not explained by what makes errors");
	MUST(strcmp(id, "appended") == 0 || uvet_report_found(r, UVET_SEVERITY_WARNING) > 0,
	     "a sound file without a warning has nothing to explain");
}

/* The names of companions have no folders, and each is listed once. */
static void look_at_companions(const uvet_report *r)
{
	const char *name, *other;

	for (size_t i = 0; (name = uvet_report_companion_at(r, i)) != NULL; i++) {
		MUST(*name && !strpbrk(name, "/\\"),
		     "a file beside the input has a name without a folder");
		for (size_t k = 0; k < i && (other = uvet_report_companion_at(r, k)) != NULL; k++)
			MUST(strcmp(name, other) != 0, "no file beside the input is opened twice");
	}
	MUST(!uvet_report_companion_at(r, SIZE_MAX), "nothing stands past the end");
}

/* What a check was short of stands among the reasons too, of its file or of one in it. */
static void look_at_shortages(const uvet_report *top)
{
	const unsigned shortages = uvet_report_shortages(top);

	MUST(!(shortages & UVET_SHORT_OF_MEMORY) == !look_says(top, "memory"),
	     "a check is short of memory where a reason says so");
	MUST(!(shortages & UVET_SHORT_OF_FILES) || look_says(top, "unreadable"),
	     "a file that was not opened for want of others is a reason");
}

/* The verdict of a file is the worst of its own and those of files in it; an undetermined file has
 * a reason of its own or one of theirs. */
static void look_at_verdict(const uvet_report *r)
{
	const uvet_verdict verdict = uvet_report_verdict(r);
	uvet_verdict worst = UVET_NOT_APPLICABLE;

	MUST(*uvet_verdict_name(verdict), "a verdict is one of those that there are");
	for (size_t i = 0; i < uvet_report_nested_count(r); i++) {
		const uvet_report *n = uvet_report_nested_at(r, i);

		worst = look_worse(worst, uvet_report_verdict(n));
		MUST((uvet_report_scope(n) & ~uvet_report_scope(r)) == 0,
		     "a scope is no wider than that of what lies in the file");
	}
	MUST(look_worse(verdict, worst) == verdict, "a file is no better than what lies in it");
	if (uvet_report_found(r, UVET_SEVERITY_ERROR) > 0 || worst == UVET_INVALID)
		MUST(verdict == UVET_INVALID, "an error makes a file invalid");
	else
		MUST(verdict != UVET_INVALID, "without an error no file is invalid");
	if (verdict == UVET_UNDETERMINED)
		MUST(uvet_report_unjudged_count(r) > 0 || worst == UVET_UNDETERMINED,
		     "what is undetermined has a reason");
	else
		MUST(verdict == UVET_INVALID ||
			     uvet_report_found(r, UVET_SEVERITY_UNDETERMINED) == 0,
		     "a doubt does not pass");
}

static bool is_named_after(const char *name, const char *around)
{
	size_t before = strlen(around);

	if (strncmp(name, around, before) == 0 && name[before] == '!')
		return true;
	while (before > 0 && around[before - 1] != '/' && around[before - 1] != '\\')
		before--;
	return strncmp(name, around, before) == 0 && name[before] != '\0';
}

static void look_at_nested(const uvet_report *r)
{
	uint64_t at = 0, len = 0;

	for (size_t i = 0; i < uvet_report_nested_count(r); i++) {
		const uvet_report *n = uvet_report_nested_at(r, i);
		const bool has_place = n && uvet_report_place(n, &at, &len);

		MUST(n && uvet_report_parent(n) == r, "a nested report has its parent");
		MUST(is_named_after(uvet_report_name(n), uvet_report_name(r)),
		     "a nested file is named after the file around it, or lies in its folder");
		MUST(!has_place || len <= UINT64_MAX - at, "a place does not wrap");
	}
	MUST(!uvet_report_nested_at(r, uvet_report_nested_count(r)), "nothing stands past the end");
}

void look_at(const uvet_report *top, uint64_t seed)
{
	struct dice d = { seed };
	uint64_t at = 7, len = 7;
	size_t n = 0, below = 0;

	MUST(!uvet_report_parent(top) && uvet_report_place(top, &at, &len) == 0 && at == 7,
	     "the outermost file lies in none");
	for (const uvet_report *r = top; r; r = uvet_report_next(top, r)) {
		look_at_findings(r, &d);
		look_at_unjudged(r);
		look_at_diagnosis(r);
		look_at_companions(r);
		look_at_verdict(r);
		look_at_nested(r);
		MUST(uvet_report_held(r) == uvet_report_held(top), "a tree is held as a whole");
		MUST(uvet_report_format(r), "a format has a name, if only an empty one");
		below += uvet_report_nested_count(r);
		n++;
	}
	look_at_shortages(top);
	MUST(n == below + 1, "a walk comes to each report once");
	MUST(uvet_report_held(top) <= uvet_report_memory(top),
	     "a report holds no more than the check did");
	if (uvet_report_nested_count(top) > 0) {
		uvet_report *nested = (uvet_report *)(uintptr_t)uvet_report_nested_at(top, 0);

		uvet_report_free(nested);
		MUST(uvet_report_parent(nested) == top, "a nested report is not freed by itself");
	}
}

bool look_says(const uvet_report *top, const char *reason)
{
	uvet_unjudged u = UVET_UNJUDGED_INIT;

	for (const uvet_report *r = top; r; r = uvet_report_next(top, r))
		for (size_t i = 0; i < uvet_report_unjudged_count(r); i++)
			if (uvet_report_unjudged_at(r, i, &u) && strcmp(u.reason, reason) == 0)
				return true;
	return false;
}
