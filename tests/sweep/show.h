/* What the sweeps of faults have in common: all that uvet can write about a seed, and what came of
 * it. */
#ifndef UVET_TESTS_SHOW_H
#define UVET_TESTS_SHOW_H

#include "sweep.h"

/* The forms that a seed can be shown in: its report in each format, its map and its info. */
enum form {
	FORM_JSON,
	FORM_NDJSON,
	FORM_SARIF,
	FORM_SARIF_GITHUB,
	FORM_TEXT,
	FORM_TEXT_COLOR,
	FORM_CONCISE,
	FORM_JUNIT,
	FORM_CHECKSTYLE,
	FORM_GITHUB,
	FORM_GITLAB,
	FORM_CSV,
	FORM_MARKDOWN,
	FORM_HTML,
	FORM_MAP,
	FORM_MAP_TEXT,
	FORM_INFO,
	FORM_INFO_TEXT,
	FORMS
};

/* form_is_report tells whether a form is a report, which a check is made for. */
static inline bool form_is_report(enum form form)
{
	return form < FORM_MAP;
}

const char *form_name(enum form form);

/* form_is_sound tells whether a page is what its form promises: JSON, lines of JSON, XML and the
 * like, or text that is safe to show. */
bool form_is_sound(enum form form, const struct page *page);

/* What came of showing a seed. The page is whoever's who asked for it. */
struct shown {
	uvet_status check;    /* UVET_OK for maps and infos */
	uvet_verdict verdict; /* of a check that is UVET_OK */
	uint64_t check_ended; /* the clock's time when the check was done; 0: there was no check */
	uvet_status output;   /* of the first call that failed to write; UVET_OK: none */
	struct page page;
};

/* show_seed checks an input, the seed's bytes or what stands for them, and writes one form of what
 * was found. clock may be NULL. */
struct shown show_seed(uvet_engine *engine, const struct seed *s, const uvet_io *io, enum form form,
		       const _Atomic uint64_t *clock);

/* show_report writes a report that there is already to a sink, and returns the first failure. */
uvet_status show_report(uvet_engine *engine, const uvet_report *report, enum form form,
			uvet_sink *sink, void *ctx);

/* show_facts writes a map or an info to a sink. */
uvet_status show_facts(uvet_engine *engine, const struct seed *s, const uvet_io *io, enum form form,
		       uvet_sink *sink, void *ctx);

/* first_failure is the status of two calls in turn. */
static inline uvet_status first_failure(uvet_status first, uvet_status second)
{
	return first != UVET_OK ? first : second;
}

/* page_same tells whether two pages hold the same text. */
bool page_same(const struct page *a, const struct page *b);

#endif
