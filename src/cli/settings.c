/* Settings: getopt_long driven by the option table, and what each option does. */
#include "cli/settings.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cli/keys.h"
#include "cli/message.h"
#include "cli/nearest.h"
#include "cli/oodle.h"
#include "cli/outputs.h"

const struct command_info command_infos[COMMAND_COUNT] = {
#define COMMAND(id, operands, fewest, most, help) \
	[COMMAND_##id] = { #id, operands, fewest, most, help },
#include "cli/commands.def"
#undef COMMAND
};

enum {
	CHECK = 1 << COMMAND_check,
	RULES = 1 << COMMAND_rules,
	MAP = 1 << COMMAND_map,
	INFO = 1 << COMMAND_info,
	HELP = 1 << COMMAND_help,
	ALL = (1 << COMMAND_COUNT) - 1,
	OURS = 0,
	LIBRARY,
	INPUT,
};

const struct option_info option_infos[OPTION_COUNT] = {
#define OPTION(id, letter, name, argument, commands, where, help) \
	[OPTION_##id] = { letter, name, argument, commands, (where) == INPUT, help },
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
				     .commands = CHECK | MAP | INFO,
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

/* ---- The arguments of options ---------------------------------------------------------------- */

static bool refuse(const char *option, const char *value, const char *expected)
{
	message("--%t: '%s' is not %t; see: uvet help check", option, value, expected);
	return false;
}

static bool read_jobs(struct settings *s, const char *value)
{
	unsigned n = 0;
	const char *at = value;

	for (; *at >= '0' && *at <= '9' && n <= JOBS_MAX; at++)
		n = n * 10 + (unsigned)(*at - '0');
	if (at == value || *at || n > JOBS_MAX)
		return refuse("jobs", value, "a number from 0 to 64");
	s->jobs = n;
	return true;
}

static bool read_color(struct settings *s, const char *value)
{
	static const char *const names[] = {
		[COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never"
	};

	for (int i = COLOR_AUTO; i <= COLOR_NEVER; i++) {
		if (strcmp(value, names[i]) == 0) {
			s->color = (enum color)i;
			return true;
		}
	}
	return refuse("color", value, "auto, always or never");
}

static bool read_output(struct settings *s, const char *value)
{
	const char *equals = strchr(value, '=');
	size_t len = equals ? (size_t)(equals - value) : strlen(value);
	struct output_request request = { output_format(value, len), equals ? equals + 1 : NULL };

	if (!request.format || (request.file && !*request.file))
		return refuse(
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
		return refuse("format", value,
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
		return refuse(option, value, "a pattern");
	if (g->n == GLOBS_MAX) {
		message("--%t: '%s' is one too many; at most 64 are given", option, value);
		return false;
	}
	g->of[g->n++] = value;
	return true;
}

static bool pass_on(struct settings *s, const char *name, const char *value)
{
	if (uvet_options_set(s->options, name, value ? value : "yes") == UVET_OK)
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
	case OPTION_man:
		return &s->manual;
	default:
		return NULL;
	}
}

/* Options whose arguments the library reads; some of them the command line looks at, too. */
static bool take_for_library(struct settings *s, enum option_id id, const char *value)
{
	if (id == OPTION_unknown)
		s->unknown_given = true;
	if (id == OPTION_siblings)
		s->no_siblings = strcmp(value, "none") == 0;
	return pass_on(s, option_infos[id].name, value);
}

static bool take_option(struct settings *s, enum option_id id, const char *value)
{
	bool *flag = flag_of(s, id);

	if (flag) {
		*flag = true;
		return true;
	}
	if (!remember(s, id, value))
		return false;
	switch (id) {
	case OPTION_files0_from:
		s->list = value;
		return true;
	case OPTION_stdin_name:
		s->stdin_name = value;
		return true;
	case OPTION_include:
	case OPTION_exclude:
		return read_glob(s, id, value);
	case OPTION_jobs:
		return read_jobs(s, value);
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
		return read_color(s, value);
	case OPTION_format:
		return read_output(s, value);
	case OPTION_rules_format:
	case OPTION_map_format:
		return read_query_format(s, id, value);
	case OPTION_help:
		s->command = COMMAND_help;
		return true;
	case OPTION_version:
		s->command = COMMAND_version;
		return true;
	default:
		return take_for_library(s, id, value);
	}
}

/* ---- What was meant -------------------------------------------------------------------------- */

/* The option of a command that is nearest to an argument with two dashes; NULL: none is near. */
static const char *option_near(const char *argument, enum command_id id)
{
	char typed[64];
	const size_t len = strcspn(argument, "=");
	struct nearest near;
	struct option_info limit;

	if (len < 2 || len - 2 >= sizeof typed)
		return NULL;
	memcpy(typed, argument + 2, len - 2);
	typed[len - 2] = '\0';
	near = nearest_to(typed);
	for (int i = 0; i < OPTION_COUNT; i++)
		if (option_infos[i].commands & 1u << id)
			nearest_try(&near, option_infos[i].name);
	for (size_t i = 0; limit_option(i, &limit); i++)
		if (limit.commands & 1u << id)
			nearest_try(&near, limit.name);
	return near.name;
}

static const char *command_near(const char *typed)
{
	struct nearest near = nearest_to(typed);

	for (int i = 0; i < COMMAND_COUNT; i++)
		nearest_try(&near, command_infos[i].name);
	return near.name;
}

static bool is_absent(const char *path)
{
	struct platform_file file;

	if (!platform_file_open(path, &file))
		return platform_is_absent(platform_error());
	platform_file_close(&file);
	return false;
}

/* A first word that is no file and nearly a command is one that was mistyped. */
static bool is_mistyped_command(const struct settings *s, const char *word)
{
	const char *meant;

	if (s->n_operands == 0 || s->operands[0] != word)
		return false;
	meant = command_near(word);
	if (!meant || !is_absent(word))
		return false;
	message("there is no command and no file '%s'; did you mean %t? see: uvet help", word,
		meant);
	return true;
}

/* ---- getopt_long ----------------------------------------------------------------------------- */

/* The value of an option in struct option is LONG_BASE plus its number; the numbers of limits
 * follow those of the table. */
enum { LONG_BASE = 256, LIMITS_MAX = 64 };

struct getopt_tables {
	char letters[2 + 2 * OPTION_COUNT + 1];
	struct option longs[OPTION_COUNT + LIMITS_MAX + 1];
};

static struct option long_option(const struct option_info *info, int number)
{
	return (struct option){ info->name, info->argument ? required_argument : no_argument, NULL,
				LONG_BASE + number };
}

static void tables_fill(struct getopt_tables *t, unsigned command)
{
	size_t n_letters = 0, n_longs = 0;
	struct option_info limit;

	t->letters[n_letters++] = ':'; /* tell a missing argument from an unknown option */
	for (int i = 0; i < OPTION_COUNT; i++) {
		const struct option_info *info = &option_infos[i];

		if (!(info->commands & command))
			continue;
		t->longs[n_longs++] = long_option(info, i);
		if (info->letter)
			t->letters[n_letters++] = info->letter;
		if (info->letter && info->argument)
			t->letters[n_letters++] = ':';
	}
	for (size_t i = 0; ALWAYS(i < LIMITS_MAX) && limit_option(i, &limit); i++)
		if (limit.commands & command)
			t->longs[n_longs++] = long_option(&limit, OPTION_COUNT + (int)i);
	t->letters[n_letters] = '\0';
	t->longs[n_longs] = (struct option){ NULL, 0, NULL, 0 };
}

static int option_of_letter(int letter, unsigned command)
{
	int i = 0;

	while (ALWAYS(i < OPTION_COUNT) &&
	       (option_infos[i].letter != letter || !(option_infos[i].commands & command)))
		i++;
	return i;
}

/* Names the option that was meant, where one is near. typed is the argument, which may hold a
 * value after =. */
static void complain_of_option(const char *typed, enum command_id id)
{
	const char *command = command_infos[id].name;
	const char *name = option_near(typed, id);

	if (name)
		message("unknown option '%s'; did you mean --%t? see: uvet help %t", typed, name,
			command);
	else
		message("unknown option '%s'; a path that begins with - goes behind --, and: uvet "
			"help %t",
			typed, command);
}

static void complain(int result, const char *argument, const struct settings *s)
{
	const char *command = command_infos[s->command].name;
	char letter[2] = { (char)optopt, '\0' };

	if (result == ':')
		message("'%s' needs a value; see: uvet help %t", argument, command);
	else if (optopt >= LONG_BASE)
		message("'%s': this option takes no value; see: uvet help %t", argument, command);
	else if (optopt > 0)
		message("unknown option '-%s'; a path that begins with - goes behind --, and: uvet "
			"help %t",
			letter, command);
	else
		complain_of_option(argument, s->command);
}

static bool take_result(struct settings *s, int result, unsigned command)
{
	int number = result >= LONG_BASE ? result - LONG_BASE : option_of_letter(result, command);
	struct option_info limit = { .name = "" };

	if (number < OPTION_COUNT)
		return take_option(s, (enum option_id)number, optarg);
	limit_option((size_t)(number - OPTION_COUNT), &limit);
	return pass_on(s, limit.name, optarg);
}

/* Stops at --help and --version, whatever is wrong with the arguments after them. */
static bool parse_options(int argc, char **argv, struct settings *s)
{
	const enum command_id command = s->command;
	struct getopt_tables tables;
	int result;

	tables_fill(&tables, 1u << command);
	opterr = 0;
	optind = 0;
	while ((result = getopt_long(argc, argv, tables.letters, tables.longs, NULL)) != -1) {
		if (result == ':' || result == '?') {
			complain(result, argv[optind - 1], s);
			return false;
		}
		if (!take_result(s, result, 1u << command))
			return false;
		if (s->command != command)
			return true;
	}
	s->operands = argv + optind;
	s->n_operands = argc > optind ? argc - optind : 0;
	return true;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static bool count_operands(const struct settings *s)
{
	const struct command_info *command = &command_infos[s->command];

	if (s->command == COMMAND_check && s->n_operands == 0 && !s->list)
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

int settings_parse(int argc, char **argv, struct settings *out)
{
	enum command_id named = argc > 1 ? command_find(argv[1]) : COMMAND_COUNT;
	bool is_named = named != COMMAND_COUNT;
	const char *first = argc > 1 ? argv[1] : ""; /* getopt_long moves arguments */

	*out = (struct settings){ .command = is_named ? named : COMMAND_check,
				  .topic = COMMAND_COUNT,
				  .jobs = 1 };
	if (uvet_options_new(&out->options) != UVET_OK) {
		message("out of memory");
		return STATUS_TROUBLE;
	}
	if (!parse_options(argc - is_named, argv + is_named, out))
		return STATUS_USAGE;
	if (out->command == COMMAND_help && named != COMMAND_help) {
		out->topic = named;
		return STATUS_DONE;
	}
	if (out->command == COMMAND_version && named != COMMAND_version)
		return STATUS_DONE;
	if (!count_operands(out) || (out->command == COMMAND_help && !read_topic(out)))
		return STATUS_USAGE;
	if (!is_named && is_mistyped_command(out, first))
		return STATUS_USAGE;
	uvet_options_limit(out->options, "max-memory", &out->memory);
	if (out->n_outputs == 0)
		out->outputs[out->n_outputs++] = (struct output_request){ "text", NULL };
	return STATUS_DONE;
}

void settings_free(struct settings *s)
{
	uvet_options_free(s->options);
	s->options = NULL;
	platform_library_close(&s->oodle);
}
