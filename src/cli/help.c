/* The commands help and version, made from the tables of commands and options. */
#include "cli/commands.h"

#include <stdio.h>
#include <string.h>

#include "cli/outputs.h"

enum { WIDTH = 100, COLUMN = 30 };

/* ---- Text ------------------------------------------------------------------------------------ */

/* A page is standard output and what is not yet written to it. */
struct page {
	struct output out;
	size_t n;
	char buf[4096];
};

static void page_flush(struct page *p)
{
	output_sink(&p->out, p->buf, p->n);
	p->n = 0;
}

static void page_add(struct page *p, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (p->n == sizeof p->buf)
			page_flush(p);
		p->buf[p->n++] = text[i];
	}
}

static void print(struct page *p, const char *text)
{
	page_add(p, text, strlen(text));
}

static void print_spaces(struct page *p, size_t n)
{
	for (; n > 0; n--)
		print(p, " ");
}

static int finish(struct page *p)
{
	page_flush(p);
	return output_close(&p->out);
}

/* Prints text from `column` on, broken at its spaces, with the lines after the first indented by
 * `indent`. */
static void print_wrapped(struct page *p, const char *text, size_t column, size_t indent)
{
	for (bool is_first = true; *text; is_first = false) {
		size_t len = strcspn(text, " ");

		if (!is_first && column + 1 + len > WIDTH) {
			print(p, "\n");
			print_spaces(p, indent);
			column = indent;
		} else if (!is_first) {
			print(p, " ");
			column++;
		}
		page_add(p, text, len);
		column += len;
		text += len + (text[len] == ' ');
	}
	print(p, "\n");
}

/* Prints one row: a head, and its meaning in a column of its own. */
static void print_row(struct page *p, const char *head, const char *text)
{
	size_t len = strlen(head);

	print(p, "  ");
	print(p, head);
	if (NEVER(len + 2 >= COLUMN)) /* heads are shorter */
		len = COLUMN - 3;
	print_spaces(p, COLUMN - 2 - len);
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

	print(p, "\nOptions:\n");
	for (int i = 0; i < OPTION_COUNT; i++)
		if (option_infos[i].commands & command)
			print_option(p, &option_infos[i]);
	for (size_t i = 0; uvet_limit_at(i, &limit); i++) {
		limit_option(i, &limit_info);
		if (limit_info.commands & command)
			print_limit(p, &limit_info, limit.standard);
	}
}

static void print_exit_codes(struct page *p)
{
	static const char *const meanings[] = {
		"every file is valid, in the scope that was asked for and as far as --fail-on asks",
		"a finding at or above --fail-on",
		"no such finding, but something could not be judged, or there was nothing to judge",
		"wrong usage; nothing was checked",
		"trouble of uvet's own, or a report could not be written",
	};
	const char *const hung_up = "whoever read standard output closed it, as | head does, and "
				    "nothing else was to be written";

	print(p, "\nExit codes:\n");
	for (int i = 0; i < (int)(sizeof meanings / sizeof *meanings); i++)
		print_row(p, (char[]){ (char)('0' + i), '\0' }, meanings[i]);
	print_row(p, "141", hung_up);
}

static void print_usage(struct page *p, const struct command_info *c)
{
	print(p, "Usage: uvet ");
	print(p, c->name);
	print(p, *c->operands ? " [OPTIONS] " : " [OPTIONS]");
	print(p, c->operands);
	print(p, "\n\nuvet ");
	print(p, c->name);
	print(p, ": ");
	print_wrapped(p, c->help, strlen(c->name) + 7, 0);
}

static void print_command(struct page *p, enum command_id id)
{
	print_usage(p, &command_infos[id]);
	if (id == COMMAND_check)
		print(p, "The path - is standard input. Behind --, no argument is an option.\n");
	print_options(p, 1u << id);
	if (id == COMMAND_check)
		print_exit_codes(p);
}

static void print_all(struct page *p)
{
	char head[64];

	print(p, "Usage: uvet [COMMAND] [OPTIONS] PATH...\n\n"
		 "uvet checks Unreal Engine mod files and says what is wrong, where and why. It "
		 "changes nothing.\n"
		 "Without a command it is uvet check.\n\nCommands:\n");
	for (int i = 0; i < COMMAND_COUNT; i++) {
		const struct command_info *c = &command_infos[i];

		snprintf(head, sizeof head, "%s%s%s", c->name, *c->operands ? " " : "",
			 c->operands);
		print_row(p, head, c->help);
	}
	print(p, "\nOptions and exit codes: uvet help check\n");
}

int help_command(const struct settings *settings)
{
	struct page page = { .out = output_open_stdout() };

	if (settings->topic == COMMAND_COUNT)
		print_all(&page);
	else
		print_command(&page, settings->topic);
	return finish(&page);
}

/* ---- version --------------------------------------------------------------------------------- */

static void print_libraries(struct page *p, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		print(p, i > 0 ? ", " : "");
		print(p, names[i]);
		print(p, ": ");
		print(p, uvet_library(names[i]));
	}
	print(p, "\n");
}

int version_command(const struct settings *settings)
{
	static const char *const decoders[] = { "crc", "deflate", "lzma", "lz4", "zstd" };
	static const char *const digests[] = { "sha1", "aes", "rsa", "blake3" };
	struct page page = { .out = output_open_stdout() };

	(void)settings;
	print(&page, "uvet ");
	print(&page, uvet_version());
	print(&page, ", rules ");
	print(&page, uvet_ruleset());
	print(&page, "\n");
	print_libraries(&page, decoders, sizeof decoders / sizeof *decoders);
	print_libraries(&page, digests, sizeof digests / sizeof *digests);
	return finish(&page);
}
