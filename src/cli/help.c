/* The commands help and version, made from the tables of commands and options. */
#include "cli/commands.h"

#include <stdio.h>
#include <string.h>

#include "cli/message.h"

enum { WIDTH = 100, COLUMN = 30 };

/* Standard output is written with stdio here; a failure shows at the latest when it is flushed. */
static int finish(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return STATUS_DONE;
	message("standard output could not be written");
	return STATUS_TROUBLE;
}

/* ---- Text ------------------------------------------------------------------------------------------------------------------- */

/* Prints text from `column` on, broken at its spaces, with the lines after the first indented by `indent`. */
static void print_wrapped(const char *text, size_t column, size_t indent)
{
	for (bool is_first = true; *text; is_first = false) {
		size_t len = strcspn(text, " ");

		if (!is_first && column + 1 + len > WIDTH) {
			printf("\n%*s", (int)indent, "");
			column = indent;
		} else if (!is_first) {
			putchar(' ');
			column++;
		}
		printf("%.*s", (int)len, text);
		column += len;
		text += len + (text[len] == ' ');
	}
	putchar('\n');
}

/* Prints one row: a head, and its meaning in a column of its own. */
static void print_row(const char *head, const char *text)
{
	size_t len = strlen(head);

	printf("  %s", head);
	if (len + 2 >= COLUMN)
		printf("\n%*s", COLUMN, "");
	else
		printf("%*s", (int)(COLUMN - 2 - len), "");
	print_wrapped(text, COLUMN, COLUMN);
}

static void print_option(const struct option_info *o)
{
	char head[96], letter[8] = "    ";

	if (o->letter)
		snprintf(letter, sizeof letter, "-%c, ", o->letter);
	snprintf(head, sizeof head, "%s--%s%s%s", letter, o->name, o->argument ? " " : "", o->argument ? o->argument : "");
	print_row(head, o->help);
}

static void print_limit(const struct option_info *o, uint64_t standard)
{
	char text[256];

	snprintf(text, sizeof text, "%s (default %llu)", o->help, (unsigned long long)standard);
	print_option(&(struct option_info){ .name = o->name, .argument = o->argument, .help = text });
}

/* ---- help ------------------------------------------------------------------------------------------------------------------- */

static void print_options(unsigned command)
{
	struct option_info limit_info;
	uvet_limit limit;

	printf("\nOptions:\n");
	for (int i = 0; i < OPTION_COUNT; i++)
		if (option_infos[i].commands & command)
			print_option(&option_infos[i]);
	for (size_t i = 0; limit_option(i, &limit_info) && uvet_limit_at(i, &limit); i++)
		if (limit_info.commands & command)
			print_limit(&limit_info, limit.standard);
}

static void print_exit_codes(void)
{
	static const char *const meanings[] = {
		"every file is valid, in the scope that was asked for and as far as --fail-on asks",
		"a finding at or above --fail-on",
		"no such finding, but something could not be judged, or there was nothing to judge",
		"wrong usage; nothing was checked",
		"trouble of uvet's own, or a report could not be written",
	};

	printf("\nExit codes:\n");
	for (int i = 0; i < (int)(sizeof meanings / sizeof *meanings); i++)
		print_row((char[]){ (char)('0' + i), '\0' }, meanings[i]);
}

static void print_command(enum command_id id)
{
	const struct command_info *c = &command_infos[id];

	printf("Usage: uvet %s [OPTIONS]%s%s\n\n", c->name, *c->operands ? " " : "", c->operands);
	printf("uvet %s: ", c->name);
	print_wrapped(c->help, strlen(c->name) + 7, 0);
	if (id == COMMAND_check)
		printf("The path - is standard input. Behind --, no argument is an option.\n");
	print_options(1u << id);
	if (id == COMMAND_check)
		print_exit_codes();
}

static void print_all(void)
{
	char head[64];

	printf("Usage: uvet [COMMAND] [OPTIONS] PATH...\n\n"
	       "uvet checks Unreal Engine mod files and says what is wrong, where and why. It changes nothing.\n"
	       "Without a command it is uvet check.\n\nCommands:\n");
	for (int i = 0; i < COMMAND_COUNT; i++) {
		const struct command_info *c = &command_infos[i];

		snprintf(head, sizeof head, "%s%s%s", c->name, *c->operands ? " " : "", c->operands);
		print_row(head, c->help);
	}
	printf("\nOptions and exit codes: uvet help check\n");
}

int help_command(const struct settings *settings)
{
	if (settings->topic == COMMAND_COUNT)
		print_all();
	else
		print_command(settings->topic);
	return finish();
}

int version_command(const struct settings *settings)
{
	(void)settings;
	printf("uvet %s, rules %s\n", uvet_version(), uvet_ruleset());
	printf("crc: %s, deflate: %s, lzma: %s, lz4: %s, zstd: %s\n", uvet_library("crc"), uvet_library("deflate"), uvet_library("lzma"),
	       uvet_library("lz4"), uvet_library("zstd"));
	printf("sha1: %s, aes: %s, rsa: %s, blake3: %s\n", uvet_library("sha1"), uvet_library("aes"), uvet_library("rsa"),
	       uvet_library("blake3"));
	return finish();
}
