/* The commands help and version, made from the tables of commands and options. */
#include "cli/commands.h"

#include <stdio.h>
#include <string.h>

#include "cli/help.h"
#include "cli/page.h"

enum { WIDTH = 100, COLUMN = 30 };

/* ---- Text ------------------------------------------------------------------------------------ */

static void print_spaces(struct page *p, size_t n)
{
	for (; n > 0; n--)
		page_print(p, " ");
}

/* Prints text from `column` on, broken at its spaces, with the lines after the first indented by
 * `indent`. */
static void print_wrapped(struct page *p, const char *text, size_t column, size_t indent)
{
	for (bool is_first = true; *text; is_first = false) {
		size_t len = strcspn(text, " ");

		if (!is_first && column + 1 + len > WIDTH) {
			page_print(p, "\n");
			print_spaces(p, indent);
			column = indent;
		} else if (!is_first) {
			page_print(p, " ");
			column++;
		}
		page_add(p, text, len);
		column += len;
		text += len + (text[len] == ' ');
	}
	page_print(p, "\n");
}

/* Prints one row: a head, and its meaning in a column of its own, on the next line if the head is
 * too long. */
static void print_row(struct page *p, const char *head, const char *text)
{
	size_t len = strlen(head) + 2;

	page_print(p, "  ");
	page_print(p, head);
	if (len >= COLUMN) {
		page_print(p, "\n");
		len = 0;
	}
	print_spaces(p, COLUMN - len);
	print_wrapped(p, text, COLUMN, COLUMN);
}

static void print_option(struct page *p, const struct option_info *o)
{
	char head[96], letter[8] = "    ";

	if (o->letter)
		snprintf(letter, sizeof letter, "-%c, ", o->letter);
	snprintf(head, sizeof head, "%s--%s%s%s", letter, o->name, o->argument ? " " : "",
		 o->argument ? o->argument : "");
	print_row(p, head, o->help);
}

static void print_limit(struct page *p, const struct option_info *o, uint64_t standard)
{
	char text[256];

	snprintf(text, sizeof text, "%s (default %llu)", o->help, (unsigned long long)standard);
	print_option(
		p, &(struct option_info){ .name = o->name, .argument = o->argument, .help = text });
}

/* ---- help ------------------------------------------------------------------------------------ */

static void print_options(struct page *p, unsigned command)
{
	struct option_info limit_info;
	uvet_limit limit = UVET_LIMIT_INIT;

	page_print(p, "\nOptions:\n");
	for (int i = 0; i < OPTION_COUNT; i++)
		if (option_infos[i].commands & command)
			print_option(p, &option_infos[i]);
	for (size_t i = 0; uvet_limit_at(i, &limit); i++) {
		limit_option(i, &limit_info);
		if (limit_info.commands & command)
			print_limit(p, &limit_info, limit.standard);
	}
}

const struct exit_code exit_codes[] = {
	{ "0",
	  "every file is valid, in the scope that was asked for and as far as --fail-on asks" },
	{ "1", "a finding that --fail-on counts" },
	{ "2",
	  "no such finding, but something could not be judged, or there was nothing to judge" },
	{ "3", "wrong usage; nothing was checked" },
	{ "4", "trouble of uvet's own, or a report could not be written" },
	{ "141",
	  "whoever read standard output closed it, as | head does, and nothing else was to be "
	  "written" },
	{ NULL, NULL },
};

static void print_exit_codes(struct page *p)
{
	page_print(p, "\nExit codes:\n");
	for (const struct exit_code *c = exit_codes; c->code; c++)
		print_row(p, c->code, c->meaning);
}

static void print_usage(struct page *p, const struct command_info *c)
{
	page_print(p, "Usage: uvet ");
	page_print(p, c->name);
	page_print(p, *c->operands ? " [OPTIONS] " : " [OPTIONS]");
	page_print(p, c->operands);
	page_print(p, "\n\nuvet ");
	page_print(p, c->name);
	page_print(p, ": ");
	print_wrapped(p, c->help, strlen(c->name) + 7, 0);
}

static void print_command(struct page *p, enum command_id id)
{
	print_usage(p, &command_infos[id]);
	if (id == COMMAND_check)
		page_print(p, ABOUT_OPERANDS "\n");
	print_options(p, 1u << id);
	if (id == COMMAND_check || id == COMMAND_baseline)
		print_exit_codes(p);
}

static void print_all(struct page *p)
{
	char head[64];

	page_print(p, "Usage: uvet [COMMAND] [OPTIONS] PATH...\n\n" ABOUT "\n"
		      "Without a command it is uvet check.\n\nCommands:\n");
	for (int i = 0; i < COMMAND_COUNT; i++) {
		const struct command_info *c = &command_infos[i];

		snprintf(head, sizeof head, "%s%s%s", c->name, *c->operands ? " " : "",
			 c->operands);
		print_row(p, head, c->help);
	}
	page_print(p, "\nOptions and exit codes: uvet help check\n");
}

int help_command(const struct settings *settings)
{
	struct page page;

	page_open(&page);
	if (settings->manual)
		manual_print(&page);
	else if (settings->topic == COMMAND_COUNT)
		print_all(&page);
	else
		print_command(&page, settings->topic);
	return page_finish(&page);
}

/* ---- version --------------------------------------------------------------------------------- */

static void print_libraries(struct page *p, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		page_print(p, i > 0 ? ", " : "");
		page_print(p, names[i]);
		page_print(p, ": ");
		page_print(p, uvet_library(names[i]));
	}
	page_print(p, "\n");
}

int version_command(const struct settings *settings)
{
	static const char *const decoders[] = { "crc",   "deflate", "lzma",   "lz4",
						"bzip2", "zstd",    "archive" };
	static const char *const digests[] = { "sha1", "aes", "rsa", "blake3" };
	struct page page;

	(void)settings;
	page_open(&page);
	page_print(&page, "uvet ");
	page_print(&page, uvet_version());
	page_print(&page, ", rules ");
	page_print(&page, uvet_ruleset());
	page_print(&page, "\n");
	print_libraries(&page, decoders, sizeof decoders / sizeof *decoders);
	print_libraries(&page, digests, sizeof digests / sizeof *digests);
	page_print(&page, "ini: ");
	page_print(&page, config_library());
	page_print(&page, "\n");
	return page_finish(&page);
}
