/* Settings: what each option does, wherever it was set: by a profile, a configuration, or on the
 * command line, in this order. */
#include "cli/settings.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/arguments.h"
#include "cli/grow.h"
#include "cli/keys.h"
#include "cli/message.h"
#include "cli/nearest.h"
#include "cli/oodle.h"
#include "cli/outputs.h"
#include "cli/policy.h"
#include "cli/values.h"

const struct command_info command_infos[COMMAND_COUNT] = {
#define COMMAND(id, operands, fewest, most, help) \
	[COMMAND_##id] = { #id, operands, fewest, most, help },
#include "cli/commands.def"
#undef COMMAND
};

enum {
	CHECK_ALONE = 1 << COMMAND_check,
	BASELINE = 1 << COMMAND_baseline,
	CHECK = CHECK_ALONE | BASELINE, /* a baseline is made and checked by a check */
	RULES = 1 << COMMAND_rules,
	MAP = 1 << COMMAND_map,
	INFO = 1 << COMMAND_info,
	DEPS = 1 << COMMAND_deps,
	CONFLICTS = 1 << COMMAND_conflicts,
	HELP = 1 << COMMAND_help,
	ALL = (1 << COMMAND_COUNT) - 1,
	OURS = 0,
	POLICY,
	LIBRARY,
	INPUT,
};

const struct option_info option_infos[OPTION_COUNT] = {
#define OPTION(id, letter, name, argument, commands, where, help) \
	[OPTION_##id] = { letter, \
			  name, \
			  argument, \
			  commands, \
			  (where) == INPUT, \
			  (where) == LIBRARY || (where) == POLICY, \
			  help },
#include "cli/options.def"
#undef OPTION
};

enum command_id command_find(const char *name)
{
	int i = 0;

	while (i < COMMAND_COUNT && strcmp(name, command_infos[i].name) != 0)
		i++;
	return (enum command_id)i;
}

bool limit_option(size_t index, struct option_info *out)
{
	uvet_limit limit = UVET_LIMIT_INIT;

	if (!uvet_limit_at(index, &limit))
		return false;
	*out = (struct option_info){ .name = limit.option,
				     .argument = "N",
				     .commands = CHECK | MAP | INFO | DEPS | CONFLICTS,
				     .is_policy = true,
				     .help = limit.meaning };
	return true;
}

bool option_at(size_t index, struct option_info *out)
{
	if (index >= OPTION_COUNT)
		return limit_option(index - OPTION_COUNT, out);
	*out = option_infos[index];
	return true;
}

size_t policy_option(const char *name, struct option_info *out)
{
	for (size_t i = 0; option_at(i, out); i++)
		if (out->is_policy && strcmp(out->name, name) == 0)
			return i;
	return SIZE_MAX;
}

/* ---- The arguments of options ---------------------------------------------------------------- */

static bool read_output(struct settings *s, const char *value)
{
	const char *equals = strchr(value, '=');
	size_t len = equals ? (size_t)(equals - value) : strlen(value);
	struct output_request request = { output_format(value, len), equals ? equals + 1 : NULL };

	if (!request.format || (request.file && !*request.file))
		return values_refuse(
			"format", value,
			"FORMAT or FORMAT=FILE with text, concise, json, ndjson, sarif, "
			"sarif-github, junit, checkstyle, github, gitlab, csv, markdown or html");
	for (int i = 0; i < s->n_outputs; i++) {
		if (!request.file && !s->outputs[i].file) {
			message("--format: '%s' and '%s' cannot both go to standard output; write "
				"one as FORMAT=FILE",
				s->outputs[i].format, value);
			return false;
		}
	}
	if (s->n_outputs == OUTPUTS_MAX) {
		message("--format: '%s' is one too many; at most 16 reports are written", value);
		return false;
	}
	s->outputs[s->n_outputs++] = request;
	if (strcmp(request.format, "html") == 0)
		(void)uvet_options_set(s->options, "outline", "yes");
	return true;
}

static bool read_query_format(struct settings *s, enum option_id id, const char *value)
{
	bool is_known = strcmp(value, "text") == 0 || strcmp(value, "json") == 0;

	if (id == OPTION_rules_format)
		is_known = is_known || strcmp(value, "md") == 0 || strcmp(value, "layouts") == 0;
	if (!is_known)
		return values_refuse("format", value,
				     id == OPTION_rules_format ? "text, json, md or layouts"
							       : "text or json");
	s->query_format = value;
	return true;
}

static bool read_glob(struct settings *s, enum option_id id, const char *value)
{
	struct globs *g = id == OPTION_include ? &s->include : &s->exclude;
	const char *option = option_infos[id].name;

	if (!*value)
		return values_refuse(option, value, "a pattern");
	if (g->n == GLOBS_MAX) {
		message("--%t: '%s' is one too many; at most 64 are given", option, value);
		return false;
	}
	g->of[g->n++] = value;
	return true;
}

static bool pass_on(struct settings *s, const char *name, const char *value)
{
	if (uvet_options_set(s->options, name, value) == UVET_OK)
		return true;
	message("--%t", uvet_options_error(s->options));
	return false;
}

/* A file that is read must not be overwritten by a report, so it is remembered. */
static bool remember(struct settings *s, enum option_id id, const char *value)
{
	if (!option_infos[id].names_input)
		return true;
	if (s->n_named == NAMED_MAX) {
		message("--%t: '%s' is one too many; options name at most 64 files to read",
			option_infos[id].name, value);
		return false;
	}
	s->named[s->n_named++] = value;
	return true;
}

/* What an option that is nothing but given sets; NULL: it is another one. */
static bool *flag_of(struct settings *s, enum option_id id)
{
	switch (id) {
	case OPTION_recursive:
		return &s->recursive;
	case OPTION_quiet:
		return &s->quiet;
	case OPTION_statistics:
		return &s->statistics;
	case OPTION_other_file_systems:
		return &s->other_file_systems;
	case OPTION_man:
		return &s->manual;
	case OPTION_isolated:
		return &s->isolated;
	case OPTION_show_settings:
		return &s->show_settings;
	default:
		return NULL;
	}
}

/* Without a working folder, paths are compared as they are typed. */
static void take_working_folder(struct settings *s)
{
	char folder[FOLDER_MAX];

	if (platform_working_folder(folder, sizeof folder))
		(void)uvet_options_set(s->options, "path-base", folder);
}

static bool is_option(enum option_id id, const char *name)
{
	return strcmp(option_infos[id].name, name) == 0;
}

/* Some of the library's options the command looks at, too, wherever they are set. */
static void look_at(struct settings *s, const char *name, const char *value)
{
	if (is_option(OPTION_path_root, name))
		take_working_folder(s);
	else if (is_option(OPTION_unknown, name))
		s->unknown_given = true;
	else if (is_option(OPTION_siblings, name))
		s->no_siblings = strcmp(value, "none") == 0;
	else if (is_option(OPTION_fail_on, name))
		baseline_request_fail_on(&s->baseline, value);
}

static bool take_for_library(struct settings *s, enum option_id id, const char *value)
{
	look_at(s, option_infos[id].name, value);
	return pass_on(s, option_infos[id].name, value);
}

static bool take_for_baseline(struct baseline_request *b, enum option_id id, const char *value)
{
	if (id == OPTION_reason)
		return baseline_request_reason(b, value);
	if (id == OPTION_expires)
		return baseline_request_expires(b, value);
	return baseline_request_file(b, value);
}

/* Keeps the name of an input, by what it is for. */
static bool take_name(struct settings *s, enum option_id id, const char *value)
{
	if (id == OPTION_files0_from)
		s->list = value;
	else if (id == OPTION_stdin_name)
		s->stdin_name = value;
	else if (id == OPTION_global)
		s->global = value;
	else if (id == OPTION_game_dir || id == OPTION_game_folder)
		s->game = value;
	else
		s->references[s->n_references++] = value; /* it is among `named`, too */
	return true;
}

static bool take_value(struct settings *s, enum option_id id, const char *value)
{
	switch (id) {
	case OPTION_files0_from:
	case OPTION_stdin_name:
	case OPTION_policy_from:
	case OPTION_global:
	case OPTION_game_dir:
	case OPTION_game_folder:
		return take_name(s, id, value);
	case OPTION_sets:
		return values_sets(s, value);
	case OPTION_config: /* which was read before */
	case OPTION_profile:
		return true;
	case OPTION_include:
	case OPTION_exclude:
		return read_glob(s, id, value);
	case OPTION_jobs:
		return values_jobs(s, value);
	case OPTION_progress:
		return values_progress(s, value);
	case OPTION_max_files:
		return values_max_files(s, value);
	case OPTION_aes_key_file:
		return keys_from_file(s->options, value);
	case OPTION_aes_key_env:
		return keys_from_env(s->options, value);
	case OPTION_signing_key_file:
		return signing_key_from_file(s->options, value);
	case OPTION_oodle:
		platform_library_close(&s->oodle);
		return oodle_open(s->options, value, &s->oodle);
	case OPTION_color:
		return values_color(s, value);
	case OPTION_format:
		return read_output(s, value);
	case OPTION_rules_format:
	case OPTION_map_format:
		return read_query_format(s, id, value);
	case OPTION_baseline:
	case OPTION_reason:
	case OPTION_expires:
		return take_for_baseline(&s->baseline, id, value);
	default:
		return take_for_library(s, id, value);
	}
}

static bool take_option(struct settings *s, enum option_id id, const char *value)
{
	bool *flag = flag_of(s, id);

	if (flag) {
		*flag = true;
		return true;
	}
	return remember(s, id, value) && take_value(s, id, value);
}

/* ---- From everywhere ------------------------------------------------------------------------- */

static bool record(struct settings *s, const struct applied *a)
{
	struct applied *list;

	if (!s->show_settings)
		return true;
	list = grow(s->applied, &s->max_applied, s->n_applied + 1, sizeof *list);
	if (!list) {
		message("out of memory");
		return false;
	}
	s->applied = list;
	s->applied[s->n_applied++] = *a;
	return true;
}

bool settings_take(struct settings *s, size_t number, const struct applied *a)
{
	struct option_info limit;
	bool is_taken;

	if (number < OPTION_COUNT) {
		is_taken = take_option(s, (enum option_id)number, a->value);
	} else {
		is_taken = limit_option(number - OPTION_COUNT, &limit);
		is_taken = ALWAYS(is_taken) && pass_on(s, limit.name, a->value);
	}
	return is_taken && record(s, a);
}

/* Sets a profile's options, which are the library's. */
static bool take_profile(struct settings *s, const char *name)
{
	struct applied a = { .origin = ORIGIN_PROFILE };
	bool is_fine;

	s->profile = name;
	if (!name)
		return true;
	is_fine = pass_on(s, "profile", name);
	for (size_t i = 0; is_fine && uvet_profile_setting_at(name, i, &a.option, &a.value); i++) {
		look_at(s, a.option, a.value);
		is_fine = record(s, &a);
	}
	return is_fine;
}

/* An option that takes no value is yes in a configuration, if it may stand there. */
static const char *value_of(const struct given *g, const struct option_info *info)
{
	return info->is_policy && !info->argument ? "yes" : g->value;
}

static bool take_given(struct settings *s, const struct arguments *a)
{
	struct option_info info = { .name = "" };

	for (size_t i = 0; i < a->n_given; i++) {
		const struct given *g = &a->given[i];
		struct applied applied = { .origin = ORIGIN_ARGUMENT };

		option_at(g->number, &info);
		applied.option = info.name;
		applied.value = value_of(g, &info);
		if (!settings_take(s, g->number, &applied))
			return false;
	}
	return true;
}

/* ---- The configuration ----------------------------------------------------------------------- */

static int open_config(struct settings *s, const struct arguments *a)
{
	const char *path = arguments_last(a, OPTION_config);
	const char *profile = arguments_last(a, OPTION_profile);
	/* the first two of baseline are no files to check */
	const int n_others = a->command != COMMAND_baseline ? 0
			     : a->n_operands < 2            ? a->n_operands
							    : 2;
	const struct config_search search = { a->operands + n_others, a->n_operands - n_others,
					      arguments_have(a, OPTION_files0_from),
					      profile && strcmp(profile, "hosting") == 0 };
	int status;

	if (path)
		return config_open(&s->config, path);
	if (!(CHECK & 1 << s->command) || arguments_have(a, OPTION_isolated))
		return STATUS_DONE;
	status = config_find(&s->config, &search);
	if (s->config.path) /* the first file that is named: there is room */
		s->named[s->n_named++] = s->config.path;
	return status;
}

/* The command line's profile takes the place of the configuration's. */
static bool choose_profile(struct settings *s, const struct arguments *a)
{
	const char *given = arguments_last(a, OPTION_profile);
	const struct config_line *line = given ? NULL : policy_profile(&s->config);

	if (take_profile(s, line ? line->value : given))
		return true;
	if (line)
		policy_tell_line(&s->config, line);
	return false;
}

/* The command line is looked at first for what decides how the others are read. */
static int take_all(struct settings *s, const struct arguments *a)
{
	int status = open_config(s, a);

	if (status != STATUS_DONE)
		return status;
	s->show_settings = arguments_have(a, OPTION_show_settings);
	return choose_profile(s, a) && policy_take(s) && take_given(s, a) ? STATUS_DONE
									  : STATUS_USAGE;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static bool count_operands(const struct settings *s)
{
	const struct command_info *command = &command_infos[s->command];

	if (s->command == COMMAND_check && s->n_operands == 0 && !s->list && !s->show_settings)
		message("no file is named; see: uvet help");
	else if (s->n_operands < command->fewest)
		message("%t: %t is missing; see: uvet help %t", command->name, command->operands,
			command->name);
	else if (s->n_operands > command->most)
		message("%t: '%s' is one argument too many; see: uvet help %t", command->name,
			s->operands[command->most], command->name);
	else
		return true;
	return false;
}

/* The first operands of baseline are what to do, and the file. */
static bool read_baseline_operands(struct settings *s)
{
	if (!baseline_request_deed(&s->baseline, s->operands[0], s->operands[1]))
		return false;
	s->operands += 2;
	s->n_operands -= 2;
	if (s->n_operands == 0 && !s->list)
		message("no file is named; see: uvet help baseline");
	return s->n_operands > 0 || s->list;
}

/* A baseline that is read is no place for a report; one that is written is an output itself. */
static bool place_baseline(struct settings *s)
{
	if (s->baseline.mode == BASELINE_CHECK)
		return remember(s, OPTION_baseline, s->baseline.file);
	if (s->baseline.mode != BASELINE_WRITE)
		return true;
	if (s->n_outputs == OUTPUTS_MAX) {
		message("--format: at most 15 reports are written beside a baseline");
		return false;
	}
	s->outputs[s->n_outputs++] = (struct output_request){ OUTPUT_BASELINE, s->baseline.file };
	return true;
}

static bool read_topic(struct settings *s)
{
	const char *meant;

	if (s->n_operands == 0)
		return true;
	s->topic = command_find(s->operands[0]);
	if (s->topic != COMMAND_COUNT)
		return true;
	meant = command_near(s->operands[0]);
	if (meant)
		message("help: '%s' is not a command; did you mean %t?", s->operands[0], meant);
	else
		message("help: '%s' is not a command; see: uvet help", s->operands[0]);
	return false;
}

uint64_t settings_memory(const struct settings *s)
{
	return s->memory;
}

void settings_set_memory(const struct settings *s, uint64_t n)
{
	char number[24];

	snprintf(number, sizeof number, "%llu", (unsigned long long)n);
	(void)uvet_options_set(s->options, "max-memory", number); /* it is a number */
}

static bool settle(struct settings *s)
{
	if (!count_operands(s) || (s->command == COMMAND_help && !read_topic(s)) ||
	    (s->command == COMMAND_baseline && !read_baseline_operands(s)))
		return false;
	uvet_options_limit(s->options, "max-memory", &s->memory);
	if (s->n_outputs == 0)
		s->outputs[s->n_outputs++] = (struct output_request){ "text", NULL };
	return place_baseline(s);
}

static int parse(struct settings *s, const struct arguments *a)
{
	int status;

	s->command = a->command;
	s->operands = a->operands;
	s->n_operands = a->n_operands;
	if (a->command == COMMAND_help && a->named != COMMAND_help) {
		s->topic = a->named;
		return STATUS_DONE;
	}
	if (a->command == COMMAND_version && a->named != COMMAND_version)
		return STATUS_DONE;
	status = take_all(s, a);
	return status != STATUS_DONE || settle(s) ? status : STATUS_USAGE;
}

int settings_parse(int argc, char **argv, struct settings *out)
{
	struct arguments arguments;
	int status;

	*out = (struct settings){ .topic = COMMAND_COUNT, .jobs = 1 };
	if (uvet_options_new(&out->options) != UVET_OK) {
		message("out of memory");
		return STATUS_TROUBLE;
	}
	status = arguments_read(argc, argv, &arguments);
	if (status == STATUS_DONE)
		status = parse(out, &arguments);
	arguments_free(&arguments);
	return status;
}

void settings_free(struct settings *s)
{
	uvet_options_free(s->options);
	s->options = NULL;
	platform_library_close(&s->oodle);
	acceptance_free_paths(&s->accepted);
	config_free(&s->config);
	free(s->applied);
	s->applied = NULL;
}
