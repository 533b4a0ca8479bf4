/* The oracle of a tree: the reports of a file and of all that lies in it agree with one another. */
#include "oracle/oracle_tree.h"

#include <string.h>

#include "engine/verdict.h"
#include "oracle/oracle_facts.h"
#include "oracle/oracle_formats.h"
#include "oracle/oracle_report.h"
#include "oracle/oracle_results.h"
#include "support/must.h"
#include "support/strict.h"

/* A report's own name is one name or two with an arrow between them, each of at most 260 characters
 * after three dots. */
enum { OWN_NAME_MAX = 2 * (3 + 260 * 3) + 4 };

static uint64_t depth_of(const struct report *r)
{
	uint64_t n = 0;

	for (; r->parent; r = r->parent)
		n++;
	return n;
}

/* The bytes of a nested file, found by the places in the reports. */
static const uint8_t *bytes_of(const struct subject *s, const struct report *r)
{
	const uint8_t *data = s->data;

	for (; r->parent; r = r->parent) {
		if (r->decoded)
			return NULL;
		data += r->at.at;
	}
	return data;
}

/* What ends a folder, or the name of a file around; the input's own name may have any character. */
static bool ends_folder(const struct report *of, char c)
{
	return c == '/' || c == '\\' || (c == '!' && of->parent);
}

static void check_name(const struct report *r)
{
	const char *around = r->parent->name;
	size_t before = strlen(around), own = strlen(r->own_name), mark = 1;

	if (r->is_beside) {
		mark = 0;
		while (before > 0 && !ends_folder(r->parent, around[before - 1]))
			before--;
	}
	MUST(strlen(r->name) == before + mark + own && memcmp(r->name, around, before) == 0 &&
		     (mark == 0 || r->name[before] == '!') &&
		     strcmp(r->name + before + mark, r->own_name) == 0,
	     "a nested file is named after the one around it, or lies in its folder");
	MUST(own <= OWN_NAME_MAX && strict_utf8((const uint8_t *)r->own_name, own),
	     "its own name is short, and UTF-8");
}

static void check_nested(const struct trial *t, const struct report *parent, const struct report *r,
			 size_t place)
{
	MUST(r->parent == parent && r->place == place, "a nested report knows where it belongs");
	MUST(r->size == r->at.len, "a nested file is as long as its place");
	MUST(r->decoded || (r->at.at <= parent->size && r->at.len <= parent->size - r->at.at),
	     "a nested file lies in the one around it");
	MUST(r->format || oracle_found(r, "RUN001") + oracle_found(r, "RUN002") +
					  oracle_found(r, "RUN003") + oracle_found(r, "RUN005") +
					  oracle_found(r, "RUN006") >
				  0,
	     "a nested file is of a format, unless that could not be known");
	MUST(r->verdict != VERDICT_NOT_APPLICABLE || oracle_is_idle(t, r),
	     "a nested file is judged");
	check_name(r);
}

/* The verdict is the worst below, and `inside` the first that has it by itself, the file's own
 * findings before all others. */
static void check_worst(const struct report *r)
{
	enum verdict worst = VERDICT_NOT_APPLICABLE;

	for (size_t i = 0; i < r->n_nested; i++)
		worst = verdict_worse(worst, r->nested[i]->verdict);
	MUST(verdict_worse(worst, r->verdict) == r->verdict,
	     "a file is no better than what lies in it");
	if (!r->inside)
		return;
	MUST(r->verdict == worst && r->inside->verdict == worst && !r->inside->inside,
	     "the file to blame is to blame by itself");
	for (const struct report *up = r->inside; up != r; up = up->parent)
		MUST(up->parent, "the file to blame lies inside");
}

static void check_one(const struct trial *t, const struct report *r, bool facts)
{
	oracle_report(t, r);
	if (!t->subject->data)
		return;
	if (r->format && oracle_format(r->format)->compare_report)
		oracle_format(r->format)->compare_report(t, r);
	/* others had spent of a nested file's work, and what lay beside it is not there again */
	if (facts && (!r->parent || (oracle_found(r, "RUN001") == 0 && r->n_companions == 0)))
		oracle_facts(t, r);
}

void oracle_tree(const struct trial *t, const struct report *r, bool facts)
{
	static struct trial inner;
	struct subject subject;
	size_t number = 0;

	inner.engine = t->engine;
	inner.default_profile = t->default_profile;
	inner.default_limits = t->default_limits;
	MUST(!r->parent && r->own_name == r->name, "what was checked lies in nothing");
	for (const struct report *next = r; next; next = report_next(r, next)) {
		subject = (struct subject){ .data = bytes_of(t->subject, next),
					    .size = next->size };
		if (!next->parent) {
			subject.has_folder = t->subject->has_folder;
			subject.companions = t->subject->companions;
			subject.n_companions = t->subject->n_companions;
		}
		inner.subject = &subject;
		inner.name = next->own_name;
		oracle_open_folder(&inner);
		MUST(next->number == number++, "reports are numbered in their order");
		MUST(depth_of(next) <= t->engine->limits.of[LIMIT_depth], "no file lies too deep");
		check_one(&inner, next, facts);
		check_worst(next);
		for (size_t i = 0; i < next->n_nested; i++)
			check_nested(t, next, next->nested[i], i);
	}
	MUST(number - 1 <= t->engine->limits.of[LIMIT_nested],
	     "no more files are checked than may be");
}
