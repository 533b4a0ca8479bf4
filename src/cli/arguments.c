/* Arguments: getopt_long driven by the tables of options and commands, and what was meant where
 * neither knows a word. */
#include "cli/arguments.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cli/grow.h"
#include "cli/inputs.h"
#include "cli/message.h"
#include "cli/nearest.h"
#include "cli/outputs.h"

/* ---- What was meant -------------------------------------------------------------------------- */

/* The option of a command that is nearest to an argument with two dashes; NULL: none is near. */
static const char *option_near(const char *argument, enum command_id id)
{
	char typed[64];
	const size_t len = strcspn(argument, "=");
	struct nearest near;
	struct option_info limit;

	if (NEVER(len < 2) || len - 2 >= sizeof typed)
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

const char *command_near(const char *typed)
{
	struct nearest near = nearest_to(typed);

	for (int i = 0; i < COMMAND_COUNT; i++)
		nearest_try(&near, command_infos[i].name);
	return near.name;
}

/* A first word that is no file and nearly a command is one that was mistyped. */
static bool is_mistyped_command(const struct arguments *a, const char *word)
{
	const char *meant;

	if (a->n_operands == 0 || a->operands[0] != word)
		return false;
	meant = command_near(word);
	if (!meant || !input_is_absent(word))
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

/* The format of reports that a long option is called as, with its two hyphens; NULL: it is none. */
static const char *format_of(const char *typed)
{
	const char *name = typed + strspn(typed, "-");

	return output_format(name, strcspn(name, "="));
}

/* Names the option that was meant, where one is near. typed is the argument, which may hold a
 * value after =. */
static void complain_of_option(const char *typed, enum command_id id)
{
	const char *command = command_infos[id].name;
	const char *name = option_near(typed, id);
	const char *format = id == COMMAND_check ? format_of(typed) : NULL;

	if (name)
		message("unknown option '%s'; did you mean --%t? see: uvet help %t", typed, name,
			command);
	else if (format)
		message("unknown option '%s'; did you mean --format %t? see: uvet help %t", typed,
			format, command);
	else
		message("unknown option '%s'; a path that begins with - goes behind --, and: uvet "
			"help %t",
			typed, command);
}

static void complain(int result, const char *argument, const struct arguments *a)
{
	const char *command = command_infos[a->command].name;
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
		complain_of_option(argument, a->command);
}

static bool add(struct arguments *a, size_t number, const char *value)
{
	struct given *given = grow(a->given, &a->max_given, a->n_given + 1, sizeof *given);

	if (!given)
		return false;
	a->given = given;
	a->given[a->n_given++] = (struct given){ number, value };
	return true;
}

static size_t number_of(int result, unsigned command)
{
	return (size_t)(result >= LONG_BASE ? result - LONG_BASE
					    : option_of_letter(result, command));
}

/* Stops at --help and --version, whatever is wrong with the arguments after them. */
static int read_options(int argc, char **argv, struct arguments *a)
{
	struct getopt_tables tables;
	int result;

	tables_fill(&tables, 1u << a->command);
	opterr = 0;
	optind = 0;
	while ((result = getopt_long(argc, argv, tables.letters, tables.longs, NULL)) != -1) {
		size_t number;

		if (result == ':' || result == '?') {
			complain(result, argv[optind - 1], a);
			return STATUS_USAGE;
		}
		number = number_of(result, 1u << a->command);
		if (number == OPTION_help || number == OPTION_version) {
			a->command = number == OPTION_help ? COMMAND_help : COMMAND_version;
			return STATUS_DONE;
		}
		if (!add(a, number, optarg)) {
			message("out of memory");
			return STATUS_TROUBLE;
		}
	}
	a->operands = argv + optind;
	a->n_operands = argc > optind ? argc - optind : 0;
	return STATUS_DONE;
}

/* ---- The whole ------------------------------------------------------------------------------- */

int arguments_read(int argc, char **argv, struct arguments *out)
{
	const enum command_id named = argc > 1 ? command_find(argv[1]) : COMMAND_COUNT;
	const bool is_named = named != COMMAND_COUNT;
	const char *first = argc > 1 ? argv[1] : ""; /* getopt_long moves arguments */
	int status;

	*out = (struct arguments){ .named = named, .command = is_named ? named : COMMAND_check };
	status = read_options(argc - is_named, argv + is_named, out);
	if (status == STATUS_DONE && !is_named && is_mistyped_command(out, first))
		return STATUS_USAGE;
	return status;
}

void arguments_free(struct arguments *a)
{
	free(a->given);
	*a = (struct arguments){ .given = NULL };
}

const char *arguments_last(const struct arguments *a, size_t number)
{
	const char *value = NULL;

	for (size_t i = 0; i < a->n_given; i++)
		if (a->given[i].number == number)
			value = a->given[i].value;
	return value;
}

bool arguments_have(const struct arguments *a, size_t number)
{
	for (size_t i = 0; i < a->n_given; i++)
		if (a->given[i].number == number)
			return true;
	return false;
}
