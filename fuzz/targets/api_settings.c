/* Calls about options, engines and cancellations. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/reference_rsa.h"
#include "support/must.h"
#include "support/strict.h"
#include "targets/api_calls.h"

/* ---- Options --------------------------------------------------------------------------------- */

static const char *const names[] = { "select",
				     "ignore",
				     "only",
				     "severity",
				     "level",
				     "siblings",
				     "timeout",
				     "jobs",
				     "unknown",
				     "fail-on",
				     "show-passed",
				     "outline",
				     "sha256",
				     "max-memory",
				     "max-work",
				     "max-depth",
				     "max-nested",
				     "max-companions",
				     "max-entries",
				     "max-text",
				     "max-unpacked",
				     "max-ratio",
				     "max-nesting",
				     "max-per-rule",
				     "max-findings",
				     "verbose",
				     "width",
				     "path-root",
				     "path-base",
				     "no-such-option",
				     "" };

static const char *const words[] = { "all",
				     "UMD",
				     "TOC,CHD",
				     "security",
				     "UMD018",
				     "path_unsafe",
				     "nothing",
				     "",
				     "RUN006",
				     "MAN",
				     "all=note",
				     "UMD004=error",
				     "UPK=off",
				     "content",
				     "structure",
				     "default",
				     "auto",
				     "none",
				     "0",
				     "1h",
				     "1ms",
				     "2",
				     "3",
				     "65",
				     "undetermined",
				     "skip",
				     "error",
				     "warning",
				     "note",
				     "never",
				     "yes",
				     "no",
				     "1K",
				     "64K",
				     "3M",
				     "18446744073709551615",
				     "99999999999999999999",
				     "12x",
				     "error,security",
				     "hygiene,corruption" };

static const char *draw_value(struct calls *c, char *room, size_t size)
{
	uvet_rule rule = UVET_RULE_INIT;

	switch (calls_next(c) % 4) {
	case 0:
		snprintf(room, size, "%llu", (unsigned long long)calls_number(c));
		return room;
	case 1:
		if (!uvet_rule_at((size_t)(calls_number(c) % uvet_rule_count()), &rule))
			return "";
		snprintf(room, size, "%s%s", calls_next(c) % 2 ? rule.id : rule.name,
			 calls_next(c) % 2 ? "=undetermined" : "");
		return room;
	default:
		return calls_word(c, words, sizeof words / sizeof *words);
	}
}

static void check_error(const uvet_options *o, uvet_status status)
{
	const char *error = uvet_options_error(o);

	MUST(status == UVET_OK || status == UVET_BAD_OPTION, "an option is taken or refused");
	MUST((status == UVET_OK) == (*error == '\0'), "an error has words, and only an error");
	MUST(!strchr(error, '\n') && !strict_text((const uint8_t *)error, strlen(error), false),
	     "an error is one harmless line");
}

/* What the options say of their limits is what they were told last. */
static void check_limits(struct world *w, const char *name, const char *value, bool taken)
{
	uint64_t has = 0;
	uvet_limit limit = UVET_LIMIT_INIT;

	for (size_t i = 0; uvet_limit_at(i, &limit); i++) {
		MUST(uvet_options_limit(w->options, limit.option, &has) == 1,
		     "a limit has a value");
		if (taken && strcmp(limit.option, name) == 0) {
			w->limits[i] = has;
			MUST(strspn(value, "0123456789") != strlen(value) ||
				     strtoull(value, NULL, 10) == has,
			     "a limit is what was asked for");
		}
		MUST(w->limits[i] == has, "nothing else changes a limit");
	}
}

static bool is_class(const char *word)
{
	uvet_rule rule = UVET_RULE_INIT;

	for (size_t i = 0; uvet_rule_at(i, &rule); i++)
		if (strcmp(rule.rule_class, word) == 0)
			return true;
	return false;
}

void call_options(struct world *w)
{
	char room[128];
	const char *name = calls_word(&w->calls, names, sizeof names / sizeof *names),
		   *value = draw_value(&w->calls, room, sizeof room);
	const uvet_status status = uvet_options_set(w->options, name, value);

	check_error(w->options, status);
	check_limits(w, name, value, status == UVET_OK);
	if (strcmp(name, "no-such-option") == 0 || *name == '\0')
		MUST(status == UVET_BAD_OPTION, "an unknown option is refused");
	if (status != UVET_OK)
		return;
	if (strcmp(name, "fail-on") == 0) {
		w->fail_on_classes = is_class(value) || strchr(value, ',');
		w->fail_on = strncmp(value, "error,", 6) == 0 ? UVET_SEVERITY_ERROR
							      : UVET_SEVERITY_NONE;
		for (int s = UVET_SEVERITY_NONE; s <= UVET_SEVERITY_ERROR; s++)
			if (strcmp(value, s == UVET_SEVERITY_NONE
						  ? "never"
						  : uvet_severity_name((uvet_severity)s)) == 0)
				w->fail_on = (uvet_severity)s;
	}
	if (strcmp(name, "timeout") == 0)
		w->late = strcmp(value, "0") != 0 && strcmp(value, "1h") != 0;
}

/* The key is the input's own, or one that fits nothing and is recognised wherever a copy of it is
 * left. */
void call_key(struct world *w)
{
	const uint8_t kind = calls_next(&w->calls);
	const struct host_file *toc = &w->host.files[0];
	const uint8_t *guid = kind & 1 && toc->size >= 80 ? toc->data + 64 : NULL,
		      *key = kind & 2 && w->host.key ? w->host.key : w->secret;
	const uvet_status status = uvet_options_key(w->options, guid, key);

	check_error(w->options, status);
	MUST((status == UVET_OK) == (w->n_keys < 64), "there is room for 64 keys");
	w->n_keys += status == UVET_OK;
	w->keys_given = w->keys_given || (status == UVET_OK && key == w->secret);
}

void call_signing_key(struct world *w)
{
	const struct signing_key own = reference_signing_key();
	const uint8_t kind = calls_next(&w->calls);
	uint8_t modulus[520], exponent[9] = { (uint8_t)(3 + kind / 4) };
	size_t len = REFERENCE_SIGNATURE;

	for (size_t i = 0; i < sizeof modulus; i++)
		modulus[i] = i < REFERENCE_SIGNATURE ? own.modulus[REFERENCE_SIGNATURE - 1 - i] : 0;
	if (kind & 1) {
		len = (size_t)(calls_number(&w->calls) % sizeof modulus);
		modulus[0] = calls_next(&w->calls);
	}
	if (kind & 2)
		exponent[8] = calls_next(&w->calls);
	check_error(w->options,
		    uvet_options_signing_key(w->options, modulus, len, exponent, sizeof exponent));
}

/* A decoder of no format: it repeats what it is given, and refuses what is odd. */
static int64_t decode(void *ctx, const void *in, size_t in_len, void *out, size_t out_len)
{
	const uint8_t *from = in;

	MUST(ctx && in && out, "a decoder gets its context and its bytes");
	if (in_len == 0 || from[0] % 4 == 1)
		return -1;
	for (size_t i = 0; i < out_len; i++)
		((uint8_t *)out)[i] = from[i % in_len];
	return (int64_t)out_len - (from[0] % 4 == 3);
}

void call_oodle(struct world *w)
{
	uvet_options_oodle(w->options, calls_next(&w->calls) % 2 ? decode : NULL, w);
}

typedef uvet_status take_report(uvet_options *options, const uvet_report *report);

static void learn_by(struct world *w, const uvet_report *report, take_report *take)
{
	const uvet_status status = take(w->options, report);

	check_error(w->options, status);
	if (uvet_report_verdict(report) == UVET_INVALID ||
	    uvet_report_verdict(report) == UVET_NOT_APPLICABLE)
		MUST(status == UVET_BAD_OPTION, "nothing is learned from a file that is not good");
	if (status == UVET_OK)
		MUST(take(w->options, report) == UVET_OK, "what is known can be learned again");
}

/* What a report says was learned or was not, whatever it is of; one that is invalid never is. So it
 * is with script objects. */
void call_learn(struct world *w)
{
	const uvet_report *report = world_report(w);

	if (!report)
		return;
	learn_by(w, report, uvet_options_learn);
	learn_by(w, report, uvet_options_global);
}

/* ---- Engines and cancellations --------------------------------------------------------------- */

static bool is_low(const struct world *w)
{
	uvet_limit limit = UVET_LIMIT_INIT;

	for (size_t i = 0; uvet_limit_at(i, &limit); i++)
		if (w->limits[i] < limit.standard && strcmp(limit.option, "max-findings") != 0 &&
		    strcmp(limit.option, "max-per-rule") != 0)
			return true;
	return false;
}

/* Reports outlive the engine before; its report writer does not. */
void call_engine(struct world *w)
{
	const uint8_t kind = calls_next(&w->calls);
	uint64_t n_live;

	world_end_writer(w);
	uvet_engine_free(w->engine);
	w->engine = NULL;
	n_live = w->memory.n_live;
	if (kind == 255) {
		w->memory.fail_at = w->memory.n_asked;
		MUST(uvet_engine_new(w->options, &w->engine) == UVET_NO_MEMORY && !w->engine,
		     "memory that ended is told");
		w->memory.fail_at = MEMORY_NEVER;
		w->memory.refused = false;
	}
	MUST(uvet_engine_new(w->options, &w->engine) == UVET_OK && w->engine,
	     "an engine can be made");
	MUST(w->memory.n_live == n_live + 1, "an engine is one piece");
	w->timed = w->late;
	w->low = is_low(w);
	w->engine_fail_on = w->fail_on;
	w->engine_fail_on_classes = w->fail_on_classes;
}

void world_engine(struct world *w)
{
	if (!w->engine)
		call_engine(w);
}

void call_cancellation(struct world *w)
{
	switch (calls_next(&w->calls) % 4) {
	case 0:
		uvet_cancellation_free(w->cancellation);
		w->cancellation = NULL;
		w->is_cancelled = false;
		return;
	case 1:
		uvet_cancellation_set(w->cancellation);
		w->is_cancelled = w->cancellation != NULL;
		return;
	default:
		if (w->cancellation)
			return;
		MUST(uvet_cancellation_new(&w->cancellation) == UVET_OK && w->cancellation,
		     "a cancellation can be made");
		w->is_cancelled = false;
		return;
	}
}
