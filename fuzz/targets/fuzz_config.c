/* Configurations: a text that a stranger wrote is read as the command reads it, with some options;
 * what is made of it is printed as a configuration, and that is read again.
 *
 * The first byte of an input says which options stand on the command line; the rest is the text. */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "cli/policy.h"
#include "reference/reference.h"
#include "reference/reference_config.h"
#include "support/must.h"
#include "support/streams.h"
#include "support/strict.h"
#include "targets/harness.h"

/* A reading is what the command makes of a configuration, and what it says and prints. */
struct reading {
	struct settings settings;
	int status;
	struct capture shown, said;
};

/* ---- Reading --------------------------------------------------------------------------------- */

/* What the bits of the first byte put on the command line. */
static const char *const extras[] = {
	"--profile=hosting", "--fail-on=note,security", "--severity=UMD006=warning", "--ignore=MAN",
	"--max-work=12345",  "--level=structure",       "--path-root=a/b ; c/../d",  "--sha256",
};

enum {
	EXTRAS = sizeof extras / sizeof *extras,
	FIXED = 5,
	ARGUMENTS = FIXED + EXTRAS,
	BIT_FOREIGN = 64 /* that of a value that no configuration can have */
};

/* Arguments are writable, as those of main are. */
static size_t make_arguments(char *argv[ARGUMENTS + 1], const char *path, unsigned options)
{
	static char texts[ARGUMENTS][64];
	const char *fixed[] = { "uvet", "check", "--show-settings", "--config", path };
	size_t n = 0;

	for (size_t i = 0; i < ARGUMENTS; i++) {
		const char *text = i < FIXED ? fixed[i] : extras[i - FIXED];

		if (i >= FIXED && !(options >> (i - FIXED) & 1))
			continue;
		argv[n] = texts[n];
		memcpy(argv[n++], text, strlen(text) + 1);
	}
	argv[n] = NULL;
	return n;
}

static void read_text(struct reading *r, const void *text, size_t n, unsigned options)
{
	char *argv[ARGUMENTS + 1];
	const int argc = (int)make_arguments(argv, streams_file(text, n), options);
	int shown = STATUS_DONE;

	streams_listen();
	r->status = settings_parse(argc, argv, &r->settings);
	if (r->status == STATUS_DONE)
		shown = policy_show(&r->settings);
	streams_end(&r->shown, &r->said);
	MUST(r->status == STATUS_DONE || r->status == STATUS_USAGE,
	     "a configuration is taken or refused");
	MUST(shown == STATUS_DONE, "settings can be printed");
	MUST((r->status == STATUS_DONE) == (r->said.n == 0), "a refusal is told, and nothing else");
	streams_check_said(&r->said);
	MUST(!strict_text(r->shown.bytes, r->shown.n, false), "settings are safe to show");
}

/* ---- What is said ---------------------------------------------------------------------------- */

static size_t n_lines(const uint8_t *text, size_t n)
{
	size_t lines = 1;

	for (size_t i = 0; i < n; i++)
		lines += text[i] == '\n';
	return lines;
}

/* A number after the word line is that of one. */
static void check_refusal(const struct capture *said, const uint8_t *text, size_t n)
{
	static const char word[] = "line ";
	bool names_one = n > CONFIG_SIZE_MAX;

	for (size_t i = 0; i + strlen(word) < said->n; i++) {
		const char *at = (const char *)said->bytes + i;
		unsigned long number;

		if (memcmp(at, word, strlen(word)) != 0 || at[strlen(word)] < '0' ||
		    at[strlen(word)] > '9')
			continue;
		number = strtoul(at + strlen(word), NULL, 10);
		names_one = names_one || (number > 0 && number <= n_lines(text, n));
	}
	MUST(names_one, "a refusal names a line that there is");
}

/* ---- What is read ---------------------------------------------------------------------------- */

static void check_lines(const struct config *c, const uint8_t *text, size_t n)
{
	struct reference_setting *settings = calloc(c->n + 1, sizeof *settings);
	const size_t n_settings = reference_config((const char *)text, n, settings, c->n);

	MUST(settings && n_settings == c->n, "a reference reading finds as many settings");
	for (size_t i = 0; i < c->n; i++) {
		const struct config_line *line = &c->lines[i];
		const struct reference_setting *s = &settings[i];

		MUST(reference_words_are(s->section, line->section) &&
			     reference_words_are(s->glob, line->glob) &&
			     reference_words_are(s->name, line->name) &&
			     reference_words_are(s->value, line->value) && s->line == line->line,
		     "a reference reading finds the same settings");
		MUST(strlen(line->assignment) == s->name.n + 1 + s->value.n &&
			     memcmp(line->assignment, line->name, s->name.n) == 0 &&
			     line->assignment[s->name.n] == '=' &&
			     strcmp(line->assignment + s->name.n + 1, line->value) == 0,
		     "an assignment joins name and value");
	}
	free(settings);
}

/* Limits stand in a section of their own, and what says that something was not judged is nobody's
 * to accept. */
static void check_places(const struct settings *s)
{
	uvet_rule rule = UVET_RULE_INIT;

	for (size_t i = 0; i < s->config.n; i++) {
		const struct config_line *line = &s->config.lines[i];
		const bool is_limit = strncmp(line->name, "max-", 4) == 0;

		MUST(strcmp(line->section, is_limit ? "limits" : "uvet") == 0 ||
			     strcmp(line->section, "severity") == 0 ||
			     strcmp(line->section, "ignore") == 0,
		     "a setting stands in its section");
	}
	for (size_t i = 0; i < s->accepted.n; i++)
		MUST(uvet_rule_find(s->accepted.of[i].rule, &rule) && !rule.mandatory &&
			     rule.severity != UVET_SEVERITY_UNDETERMINED &&
			     *s->accepted.of[i].glob && *s->accepted.of[i].reason,
		     "a rule is accepted somewhere, for a reason");
}

static bool is_same_globs(const struct globs *a, const struct globs *b)
{
	for (int i = 0; a->n == b->n && i < a->n; i++)
		if (strcmp(a->of[i], b->of[i]) != 0)
			return false;
	return a->n == b->n;
}

static bool is_same_accepted(const struct accepted_paths *a, const struct accepted_paths *b)
{
	for (size_t i = 0; a->n == b->n && i < a->n; i++)
		if (strcmp(a->of[i].glob, b->of[i].glob) != 0 ||
		    strcmp(a->of[i].rule, b->of[i].rule) != 0 ||
		    strcmp(a->of[i].reason, b->of[i].reason) != 0)
			return false;
	return a->n == b->n;
}

static bool is_same_name(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_same_profile(const struct profile *a, const struct profile *b)
{
	return a->only == b->only && a->narrowed == b->narrowed &&
	       reference_same(a->rules, b->rules, sizeof a->rules) &&
	       reference_same(a->initial, b->initial, sizeof a->initial);
}

static bool is_same_engine(const struct engine *a, const struct engine *b)
{
	return reference_same(&a->limits, &b->limits, sizeof a->limits) &&
	       is_same_profile(&a->profile, &b->profile) &&
	       is_same_name(a->profile_name, b->profile_name) && a->level == b->level &&
	       a->unknown == b->unknown && a->fail_on.level == b->fail_on.level &&
	       a->fail_on.classes == b->fail_on.classes && a->show_passed == b->show_passed &&
	       a->outlines == b->outlines && a->verbose == b->verbose && a->width == b->width &&
	       a->sha256 == b->sha256 && a->no_siblings == b->no_siblings &&
	       a->timeout == b->timeout && strcmp(a->path_root.typed, b->path_root.typed) == 0 &&
	       strcmp(a->path_root.base, b->path_root.base) == 0;
}

static void check_same(const struct settings *a, const struct settings *b)
{
	MUST(is_same_engine(&a->options->settings, &b->options->settings),
	     "settings that were printed are read as the same");
	MUST(is_same_globs(&a->include, &b->include) && is_same_globs(&a->exclude, &b->exclude),
	     "patterns that were printed are read as the same");
	MUST(is_same_accepted(&a->accepted, &b->accepted),
	     "what is accepted is printed, and read as the same");
	MUST(is_same_name(a->profile, b->profile) && a->unknown_given == b->unknown_given &&
		     a->no_siblings == b->no_siblings && a->baseline.notes == b->baseline.notes,
	     "what the command looks at is the same");
}

/* ---- Once more ------------------------------------------------------------------------------- */

static bool has(const struct capture *shown, const char *words)
{
	const size_t n = strlen(words);

	for (size_t i = 0; i + n <= shown->n; i++)
		if (memcmp(shown->bytes + i, words, n) == 0)
			return true;
	return false;
}

/* Some values no terminal can be shown, and some of the command line no configuration can have: a
 * comment says so. */
static bool is_whole(const struct capture *shown, unsigned options)
{
	const bool is_foreign = has(shown, "\n; a value that no configuration can have");

	MUST(!is_foreign || options & BIT_FOREIGN, "a configuration can have what one of them has");
	return !is_foreign && !has(shown, "\n; a value that is not safe to show") &&
	       shown->n <= CONFIG_SIZE_MAX;
}

static void read_again(const struct reading *first)
{
	static struct reading second;

	read_text(&second, first->shown.bytes, first->shown.n, 0);
	MUST(second.status == STATUS_DONE, "what was printed is a configuration");
	check_same(&first->settings, &second.settings);
	settings_free(&second.settings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct reading r;
	const uint8_t *text = data + 1;

	if (size == 0)
		return 0;
	read_text(&r, text, size - 1, data[0]);
	if (r.status == STATUS_DONE) {
		check_lines(&r.settings.config, text, size - 1);
		check_places(&r.settings);
		if (is_whole(&r.shown, data[0]))
			read_again(&r);
	} else {
		check_refusal(&r.said, text, size - 1);
	}
	settings_free(&r.settings);
	return 0;
}
