/* Settings printed as a configuration: those of a run, for --show-settings, and those of a profile.
 * What is printed can be read again by --config. */
#include "cli/commands.h"

#include <stdio.h>
#include <string.h>

#include "cli/lines.h"
#include "cli/nearest.h"
#include "cli/page.h"
#include "cli/policy.h"
#include "core/mutant.h"

#define PRINT(page, ...) page_print_all((page), (const char *const[]){ __VA_ARGS__, NULL })

/* ---- One line -------------------------------------------------------------------------------- */

/* A line is NAME = VALUE, of which the name has name_len bytes. */
struct line {
	const char *name, *value;
	size_t name_len;
};

static size_t length_of(const struct line *l)
{
	return l->name_len + strlen(l->value);
}

/* What keeps a value from being read as the same, or from being shown; NULL: nothing. */
static const char *trouble_of(const struct line *l)
{
	const size_t len = strlen(l->value);

	if (length_of(l) + 1 > CONFIG_LINE_MAX || is_blank(*l->value) ||
	    trimmed(l->value, len) < len || strstr(l->value, " ;") || has_control(l->value, len))
		return "no configuration can have";
	return page_may_show(l->value) ? NULL : "is not safe to show";
}

/* A semicolon after a blank begins a comment. */
static const char *joint_of(const struct line *l)
{
	/* mutant: a first semicolon begins none */
	const bool is_comment = *l->value == ';' && !MUTANT(251);

	return is_comment || length_of(l) + 3 > CONFIG_LINE_MAX ? "=" : " = ";
}

static void add_line(struct page *p, const struct line *l)
{
	page_add(p, l->name, l->name_len);
	PRINT(p, joint_of(l), l->value);
}

enum { ORIGIN_LEN = 64 };

static void origin_text(char out[ORIGIN_LEN], const struct settings *s, const struct applied *a)
{
	if (a->origin == ORIGIN_PROFILE)
		snprintf(out, ORIGIN_LEN, "profile %s", s->profile);
	else if (a->origin == ORIGIN_CONFIG)
		snprintf(out, ORIGIN_LEN, "line %u", a->line);
	else
		snprintf(out, ORIGIN_LEN, "command line");
}

/* Where a setting comes from stands behind it, or above it if there is no room. */
static void add_with_origin(struct page *p, const struct line *l, const struct settings *s,
			    const struct applied *a)
{
	char origin[ORIGIN_LEN];

	origin_text(origin, s, a);
	/* mutant: three bytes more pass */
	if (length_of(l) + strlen(origin) + (MUTANT(250) ? 3 : strlen(" =  ; ")) <=
	    CONFIG_LINE_MAX) {
		add_line(p, l);
		PRINT(p, " ; ", origin, "\n");
		return;
	}
	PRINT(p, "; ", origin, ":\n");
	add_line(p, l);
	page_print(p, "\n");
}

/* RULE=LEVEL stands in [severity] as RULE = LEVEL. */
static struct line line_of(const struct applied *a)
{
	const char *equals = strchr(a->value, '=');

	if (strcmp(a->option, "severity") == 0 && ALWAYS(equals))
		return (struct line){ a->value, equals + 1, (size_t)(equals - a->value) };
	return (struct line){ a->option, a->value, strlen(a->option) };
}

/* The settings are those of a run; NULL: of a profile. */
static void print_line(struct page *p, const struct settings *s, const struct applied *a)
{
	const struct line line = line_of(a);
	const char *trouble = trouble_of(&line);

	if (trouble) {
		PRINT(p, "; a value that ", trouble, ": ", a->option, "\n");
	} else if (s) {
		add_with_origin(p, &line, s, a);
	} else {
		add_line(p, &line);
		page_print(p, "\n");
	}
}

/* ---- Sections -------------------------------------------------------------------------------- */

enum section { SECTION_UVET, SECTION_SEVERITY, SECTION_LIMITS, SECTION_COUNT };

static const char *const section_names[] = { "uvet", "severity", "limits" };

static enum section section_of(const char *option)
{
	struct option_info info;
	const size_t number = policy_option(option, &info);

	if (number == OPTION_severity)
		return SECTION_SEVERITY;
	return number >= OPTION_COUNT ? SECTION_LIMITS : SECTION_UVET;
}

/* Each setting of these adds to those before it; of others the last one holds. */
static bool adds_up(const char *option)
{
	static const char *const names[] = { "select",   "ignore",  "only",
					     "severity", "include", "exclude" };

	/* mutant: a second --exclude replaces the first */
	for (size_t i = 0; i < sizeof names / sizeof *names - (size_t)MUTANT(252); i++)
		if (strcmp(names[i], option) == 0)
			return true;
	return false;
}

static bool is_policy(const char *option)
{
	struct option_info unused;

	return policy_option(option, &unused) != SIZE_MAX;
}

static bool is_replaced(const struct settings *s, size_t number)
{
	const struct applied *a = &s->applied[number];

	if (adds_up(a->option))
		return false;
	for (size_t i = number + 1; i < s->n_applied; i++)
		if (strcmp(s->applied[i].option, a->option) == 0)
			return true;
	return false;
}

/* ---- What was not set ------------------------------------------------------------------------ */

static bool is_set(const struct settings *s, const char *option)
{
	for (size_t i = 0; i < s->n_applied; i++)
		if (strcmp(s->applied[i].option, option) == 0)
			return true;
	return false;
}

static void print_default(struct page *p, const struct settings *s, const char *option,
			  const char *value)
{
	if (!is_set(s, option))
		PRINT(p, "; ", option, " = ", value, " is the default\n");
}

static void print_defaults(struct page *p, const struct settings *s, enum section section)
{
	static const char *const defaults[][2] = {
		{ "fail-on", "error" },  { "level", "content" }, { "unknown", "undetermined" },
		{ "layout", "none" },    { "siblings", "auto" }, { "timeout", "0" },
		{ "show-passed", "no" }, { "sha256", "no" },     { "verbose", "no" },
	};
	uvet_limit limit = UVET_LIMIT_INIT;
	char number[24];

	for (size_t i = 0; section == SECTION_UVET && i < sizeof defaults / sizeof *defaults; i++)
		print_default(p, s, defaults[i][0], defaults[i][1]);
	for (size_t i = 0; section == SECTION_LIMITS && uvet_limit_at(i, &limit); i++) {
		snprintf(number, sizeof number, "%llu", (unsigned long long)limit.standard);
		print_default(p, s, limit.option, number);
	}
}

/* ---- --show-settings ------------------------------------------------------------------------- */

static void print_section(struct page *p, const struct settings *s, enum section section)
{
	PRINT(p, "\n[", section_names[section], "]\n");
	if (section == SECTION_UVET && s->profile)
		PRINT(p, "profile = ", s->profile, "\n");
	for (size_t i = 0; i < s->n_applied; i++) {
		const struct applied *a = &s->applied[i];

		if (is_policy(a->option) && section_of(a->option) == section && !is_replaced(s, i))
			print_line(p, s, a);
	}
	print_defaults(p, s, section);
}

/* The name of a section has at most CONFIG_WORD_MAX bytes. */
static void print_pattern(struct page *p, const char *glob)
{
	const bool is_short = strlen("ignore ") + strlen(glob) + 2 <= CONFIG_WORD_MAX;

	PRINT(p, is_short ? "\n[ignore \"" : "\n[ignore\"", glob, "\"]\n");
}

static void print_acceptances(struct page *p, const struct settings *s)
{
	const char *glob = NULL;

	for (size_t i = 0; i < s->accepted.n; i++) {
		const struct accepted_path *a = &s->accepted.of[i];
		const struct line line = { a->rule, a->reason, strlen(a->rule) };

		if (!page_may_show(a->glob) || trouble_of(&line)) {
			PRINT(p, "\n; a value that is not safe to show: [ignore] ", a->rule, "\n");
			continue;
		}
		if (!glob || strcmp(glob, a->glob) != 0)
			print_pattern(p, a->glob);
		glob = a->glob;
		add_line(p, &line);
		page_print(p, "\n");
	}
}

/* What no configuration may set stands there as a comment. */
static void print_others(struct page *p, const struct settings *s)
{
	for (size_t i = 0; i < s->n_applied; i++) {
		const struct applied *a = &s->applied[i];

		if (is_policy(a->option) || strcmp(a->option, "show-settings") == 0)
			continue;
		PRINT(p, "; on the command line: --", a->option);
		if (a->value && page_may_show(a->value))
			PRINT(p, " ", a->value);
		page_print(p, "\n");
	}
}

int policy_show(const struct settings *s)
{
	struct page p;

	page_open(&p);
	if (!s->config.path)
		page_print(&p, "; there is no configuration\n");
	else if (page_may_show(s->config.path))
		PRINT(&p, "; the configuration is ", s->config.path, "\n");
	else
		page_print(&p, "; the configuration has a name that is not safe to show\n");
	print_others(&p, s);
	for (int i = 0; i < SECTION_COUNT; i++)
		print_section(&p, s, (enum section)i);
	print_acceptances(&p, s);
	return page_finish(&p);
}

/* ---- uvet profile ---------------------------------------------------------------------------- */

static void print_profile(struct page *p, const char *profile)
{
	struct applied a = { .origin = ORIGIN_PROFILE };

	PRINT(p, "; ", profile, ": ", uvet_profile_meaning(profile), "\n");
	for (int section = 0; section < SECTION_COUNT; section++) {
		bool is_begun = false;

		for (size_t i = 0; uvet_profile_setting_at(profile, i, &a.option, &a.value); i++) {
			if (section_of(a.option) != (enum section)section)
				continue;
			if (!is_begun)
				PRINT(p, "\n[", section_names[section], "]\n");
			is_begun = true;
			print_line(p, NULL, &a);
		}
	}
}

int profile_command(const struct settings *settings)
{
	const char *word = settings->n_operands > 0 ? settings->operands[0] : NULL, *name;
	struct page p;

	if (word && !uvet_profile_meaning(word))
		return nearest_refuse("profile", word, uvet_profile_at, "uvet profile");
	page_open(&p);
	if (word)
		print_profile(&p, word);
	for (size_t i = 0; !word && (name = uvet_profile_at(i)) != NULL; i++)
		PRINT(&p, name, ": ", uvet_profile_meaning(name), "\n");
	return page_finish(&p);
}
