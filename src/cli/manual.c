/* The manual page, made from the tables of commands and options. Its macros are those of man(7). */
#include "cli/help.h"

#include <stdio.h>

/* Text in which no character is a command of roff, nor turned into another one. */
static void print_text(struct page *p, const char *text)
{
	for (; *text; text++) {
		if (*text == '\\')
			page_print(p, "\\e");
		else if (*text == '-')
			page_print(p, "\\-");
		else if (*text == '\'')
			page_print(p, "\\(aq");
		else
			page_add(p, text, 1);
	}
}

/* A line of text; \& keeps its first character from being a command's. */
static void print_line(struct page *p, const char *text)
{
	page_print(p, "\\&");
	print_text(p, text);
	page_print(p, "\n");
}

static void print_bold(struct page *p, const char *text)
{
	page_print(p, "\\fB");
	print_text(p, text);
	page_print(p, "\\fR");
}

static void print_italic(struct page *p, const char *text)
{
	page_print(p, "\\fI");
	print_text(p, text);
	page_print(p, "\\fR");
}

static void print_command(struct page *p, const struct command_info *c)
{
	page_print(p, ".TP\n");
	print_bold(p, c->name);
	if (*c->operands) {
		page_print(p, " ");
		print_italic(p, c->operands);
	}
	page_print(p, "\n");
	print_line(p, c->help);
}

static void print_commands_of(struct page *p, unsigned commands)
{
	const char *between = "(";

	for (int i = 0; i < COMMAND_COUNT; i++) {
		if (!(commands & 1u << i))
			continue;
		page_print(p, between);
		print_bold(p, command_infos[i].name);
		between = ", ";
	}
	page_print(p, ")\n");
}

static void print_head(struct page *p, const struct option_info *o)
{
	page_print(p, ".TP\n");
	if (o->letter) {
		print_bold(p, (char[]){ '-', o->letter, '\0' });
		page_print(p, ", ");
	}
	print_bold(p, "--");
	print_bold(p, o->name);
	if (o->argument) {
		page_print(p, " ");
		print_italic(p, o->argument);
	}
	page_print(p, "\n");
}

static void print_options(struct page *p)
{
	const unsigned all = (1u << COMMAND_COUNT) - 1;
	struct option_info o;
	char standard[48];

	for (size_t i = 0; option_at(i, &o); i++) {
		uvet_limit limit = UVET_LIMIT_INIT;

		print_head(p, &o);
		print_line(p, o.help);
		if (i >= OPTION_COUNT) {
			(void)uvet_limit_at(i - OPTION_COUNT,
					    &limit); /* it has one, as option_at */
			snprintf(standard, sizeof standard, "(default %llu)",
				 (unsigned long long)limit.standard);
			print_line(p, standard);
		}
		if (o.commands != all)
			print_commands_of(p, o.commands);
	}
}

static void print_exit_codes(struct page *p)
{
	for (const struct exit_code *c = exit_codes; c->code; c++) {
		page_print(p, ".TP\n");
		print_bold(p, c->code);
		page_print(p, "\n");
		print_line(p, c->meaning);
	}
}

void manual_print(struct page *p)
{
	page_print(p, ".TH UVET 1 \"\" \"uvet ");
	print_text(p, uvet_version());
	page_print(p, "\" \"User Commands\"\n.SH NAME\nuvet \\- check Unreal Engine mod files\n"
		      ".SH SYNOPSIS\n.B uvet\n[\\fICOMMAND\\fR] [\\fIOPTIONS\\fR] "
		      "\\fIPATH\\fR...\n.SH DESCRIPTION\n");
	print_line(p, ABOUT);
	page_print(p, ".PP\n");
	print_line(p, ABOUT_OPERANDS);
	page_print(p, ".SH COMMANDS\nWithout a command it is \\fBuvet check\\fR.\n");
	for (int i = 0; i < COMMAND_COUNT; i++)
		print_command(p, &command_infos[i]);
	page_print(p, ".SH OPTIONS\n");
	print_options(p);
	page_print(p, ".SH \"EXIT STATUS\"\n");
	print_exit_codes(p);
}
