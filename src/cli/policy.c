/* Policies: sections and names of a configuration, looked up in the table of options. */
#include "cli/policy.h"

#include <stdio.h>
#include <string.h>

#include "cli/message.h"
#include "cli/nearest.h"
#include "core/mutant.h"

/* ---- Reading --------------------------------------------------------------------------------- */

void policy_tell_line(const struct config *c, const struct config_line *line)
{
	char number[16];

	snprintf(number, sizeof number, "%u", line->line);
	message("that is line %t of '%s'", number, c->path);
}

static bool is_section(const struct config_line *line, const char *name)
{
	return strcmp(line->section, name) == 0;
}

static bool is_profile(const struct config_line *line)
{
	return is_section(line, "uvet") && strcmp(line->name, "profile") == 0;
}

const struct config_line *policy_profile(const struct config *c)
{
	const struct config_line *line = NULL;

	for (size_t i = 0; i < c->n; i++)
		if (is_profile(&c->lines[i]))
			line = &c->lines[i];
	return line;
}

/* Tells whether a section may set an option: [limits] sets limits, which follow the table. */
static bool is_of(const struct config_line *line, const struct option_info *info, size_t number)
{
	/* mutant: a limit may stand anywhere */
	return info->is_policy && ((number >= OPTION_COUNT) == is_section(line, "limits") ||
				   (MUTANT(249) && number >= OPTION_COUNT));
}

static bool refuse_name(const struct config_line *line)
{
	struct nearest near = nearest_to(line->name);
	struct option_info info;

	for (size_t i = 0; option_at(i, &info); i++) {
		if (is_of(line, &info, i))
			nearest_try(&near, info.name);
		if (strcmp(info.name, line->name) == 0 && !info.is_policy) {
			message("'%s' cannot be set in a configuration, only on the command line",
				line->name);
			return false;
		}
	}
	if (near.name)
		message("[%s] has no setting '%s'; did you mean %t?", line->section, line->name,
			near.name);
	else
		message("[%s] has no setting '%s'", line->section, line->name);
	return false;
}

/* An option that takes no value on the command line has yes or no here. */
static bool take_named(struct settings *s, const struct config_line *line)
{
	struct option_info info;
	const size_t number = policy_option(line->name, &info);

	if (number == SIZE_MAX || !is_of(line, &info, number))
		return refuse_name(line);
	return settings_take(
		s, number, &(struct applied){ ORIGIN_CONFIG, info.name, line->value, line->line });
}

static bool take_severity(struct settings *s, const struct config_line *line)
{
	return settings_take(
		s, OPTION_severity,
		&(struct applied){ ORIGIN_CONFIG, "severity", line->assignment, line->line });
}

/* RULE = REASON: what the rule finds in files of that path is accepted. What says that something
 * was not judged is nobody's to accept. */
static bool take_acceptance(struct settings *s, const struct config_line *line)
{
	uvet_rule rule = UVET_RULE_INIT;

	if (!*line->glob)
		message("[ignore] needs a pattern of paths, as in [ignore \"old/*.umod\"]; to turn "
			"rules off everywhere, ignore = RULE in [uvet]");
	else if (!uvet_rule_find(line->name, &rule))
		message("no rule has the id or name '%s'", line->name);
	else if (rule.mandatory || /* mutant: mandatory rules alone */
		 (rule.severity == UVET_SEVERITY_UNDETERMINED && !MUTANT(248)))
		message("'%s' says what was not judged, which cannot be accepted", line->name);
	else if (!*line->value)
		message("'%s' is ignored for no reason; one is needed", line->name);
	else if (!acceptance_add(&s->accepted, line->glob, rule.id, line->value))
		message("out of memory");
	else
		return true;
	return false;
}

static bool take_line(struct settings *s, const struct config_line *line)
{
	if (is_profile(line))
		return true;
	if (is_section(line, "ignore"))
		return take_acceptance(s, line);
	if (*line->glob)
		message("[%s] takes no pattern", line->section);
	else if (is_section(line, "uvet") || is_section(line, "limits"))
		return take_named(s, line);
	else if (is_section(line, "severity"))
		return take_severity(s, line);
	else
		message("there is no section [%s]; there are [uvet], [severity], [limits] and "
			"[ignore \"PATTERN\"]",
			line->section);
	return false;
}

bool policy_take(struct settings *s)
{
	const struct config *c = &s->config;

	for (size_t i = 0; i < c->n; i++) {
		if (!take_line(s, &c->lines[i])) {
			policy_tell_line(c, &c->lines[i]);
			return false;
		}
	}
	return true;
}
