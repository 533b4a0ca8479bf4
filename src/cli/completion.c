/* Completions: a script for each shell, made from the tables of commands and options. */
#include "cli/commands.h"

#include <string.h>

#include "cli/message.h"
#include "cli/nearest.h"
#include "cli/page.h"

/* ---- What the shells share ------------------------------------------------------------------- */

/* Prints texts, one after the other. */
#define PRINT(page, ...) page_print_all((page), (const char *const[]){ __VA_ARGS__, NULL })

static const char RULES[] = "uvet rules 2>/dev/null | cut -d' ' -f1";

/* What an operand of a command is. */
enum operand {
	OPERAND_NONE,
	OPERAND_PATH,
	OPERAND_DEED, /* of baseline, then paths */
	OPERAND_RULE,
	OPERAND_COMMAND,
	OPERAND_SHELL,
	OPERAND_SCHEMA,
	OPERAND_PROFILE
};

static enum operand operand_of(const struct command_info *c)
{
	if (strncmp(c->operands, "PATH", 4) == 0)
		return OPERAND_PATH;
	if (strncmp(c->operands, "write|check ", 12) == 0)
		return OPERAND_DEED;
	if (strncmp(c->operands, "RULE", 4) == 0)
		return OPERAND_RULE;
	if (strcmp(c->operands, "[COMMAND]") == 0)
		return OPERAND_COMMAND;
	if (strcmp(c->operands, "SCHEMA") == 0)
		return OPERAND_SCHEMA;
	if (strcmp(c->operands, "[PROFILE]") == 0)
		return OPERAND_PROFILE;
	return strcmp(c->operands, "SHELL") == 0 ? OPERAND_SHELL : OPERAND_NONE;
}

/* Tells it of an option that has an argument. */
static bool names_file(const struct option_info *o)
{
	return strcmp(o->argument, "FILE") == 0 || strcmp(o->argument, "LIBRARY") == 0;
}

/* Prints text with a backslash before each of some characters. The quote ends a text in single
 * quotes in every shell; `quoted` is how to write one in it. */
static void print_quoted(struct page *p, const char *text, const char *escaped, const char *quoted)
{
	for (; *text; text++) {
		if (*text == '\'') {
			page_print(p, quoted);
			continue;
		}
		if (strchr(escaped, *text))
			page_print(p, "\\");
		page_add(p, text, 1);
	}
}

static void print_commands(struct page *p, const char *between)
{
	for (int i = 0; i < COMMAND_COUNT; i++)
		PRINT(p, i > 0 ? between : "", command_infos[i].name);
}

static void print_names(struct page *p, name_at *at)
{
	const char *name;

	for (size_t i = 0; (name = at(i)) != NULL; i++)
		PRINT(p, i > 0 ? " " : "", name);
}

/* The words that an operand can be, where they are few. */
static void print_words(struct page *p, enum operand operand)
{
	if (operand == OPERAND_COMMAND)
		print_commands(p, " ");
	else if (operand == OPERAND_SHELL)
		page_print(p, "bash zsh fish");
	else if (operand == OPERAND_DEED)
		page_print(p, "write check");
	else if (operand == OPERAND_SCHEMA)
		print_names(p, uvet_schema_name);
	else if (operand == OPERAND_PROFILE)
		print_names(p, uvet_profile_at);
}

/* ---- bash ------------------------------------------------------------------------------------ */

/* The options of a command that take an argument of one kind, as patterns of case. */
static void bash_arguments(struct page *p, unsigned command, bool are_files, const char *then)
{
	struct option_info o;
	const char *between = "\t\t";

	for (size_t i = 0; option_at(i, &o); i++) {
		if (!(o.commands & command) || !o.argument || names_file(&o) != are_files)
			continue;
		PRINT(p, between, "--", o.name);
		if (o.letter)
			PRINT(p, "|-", ((char[]){ o.letter, '\0' }));
		between = "|";
	}
	if (*between == '|')
		PRINT(p, ") ", then, " ;;\n");
}

static void bash_options(struct page *p, unsigned command)
{
	struct option_info o;
	const char *between = "";

	page_print(p, "\t\twords='");
	for (size_t i = 0; option_at(i, &o); i++) {
		if (!(o.commands & command))
			continue;
		PRINT(p, between, "--", o.name);
		between = " ";
	}
	page_print(p, "'\n");
}

static void bash_operands(struct page *p, enum operand operand)
{
	page_print(p, "\t\t[[ $cur == -* ]] || words=");
	if (operand == OPERAND_RULE) {
		PRINT(p, "$(", RULES, ")\n");
	} else if (operand != OPERAND_NONE && operand != OPERAND_PATH) {
		page_print(p, "'");
		print_words(p, operand);
		page_print(p, "'\n");
	} else {
		page_print(p, "\n");
	}
}

static void bash_command(struct page *p, int i)
{
	const enum operand operand = operand_of(&command_infos[i]);

	PRINT(p, "\t", command_infos[i].name, ")\n");
	if (operand == OPERAND_PATH || operand == OPERAND_DEED)
		page_print(p, "\t\t[[ $cur == -* ]] || files=yes\n");
	page_print(p, "\t\tcase $prev in\n");
	bash_arguments(p, 1u << i, true, "files=yes");
	bash_arguments(p, 1u << i, false, "return");
	page_print(p, "\t\tesac\n");
	bash_options(p, 1u << i);
	bash_operands(p, operand);
	page_print(p, "\t\t;;\n");
}

static void bash_print(struct page *p)
{
	page_print(p, "# Completions of uvet for bash; made by: uvet completion bash\n_uvet() {\n"
		      "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
		      "\tlocal command=check files= words= commands='");
	print_commands(p, " ");
	page_print(p, "'\n\tif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD - 2]}; fi\n"
		      "\tif [[ $cur == = ]]; then cur=; fi\n"
		      "\tif ((COMP_CWORD > 1)); then\n\t\tcase ${COMP_WORDS[1]} in\n\t\t");
	print_commands(p, "|");
	page_print(p, ") command=${COMP_WORDS[1]} ;;\n\t\tesac\n\tfi\n\tcase $command in\n");
	for (int i = 0; i < COMMAND_COUNT; i++)
		bash_command(p, i);
	page_print(p, "\tesac\n"
		      "\tif ((COMP_CWORD == 1)) && [[ $cur != -* ]]; then words=$commands; fi\n"
		      "\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\"\n"
		      "\t\tif [[ $files ]]; then compgen -f -- \"$cur\"; fi)\n"
		      "}\ncomplete -o filenames -F _uvet uvet\n");
}

/* ---- zsh ------------------------------------------------------------------------------------- */

static void zsh_option(struct page *p, const struct option_info *o, bool is_letter)
{
	const char letter[] = { o->letter, '\0' };

	page_print(p, "\t\t\t'*");
	if (is_letter)
		PRINT(p, "-", letter);
	else
		PRINT(p, "--", o->name, o->argument ? "=" : "");
	page_print(p, "[");
	print_quoted(p, o->help, "[]:\\", "'\\''");
	page_print(p, "]");
	if (o->argument) {
		page_print(p, ":");
		print_quoted(p, o->argument, "[]:\\", "'\\''");
		page_print(p, names_file(o) ? ":_files" : ": ");
	}
	page_print(p, "'\n");
}

static void zsh_operands(struct page *p, enum operand operand)
{
	static const char *const names[] = {
		[OPERAND_COMMAND] = "command",
		[OPERAND_SHELL] = "shell",
		[OPERAND_SCHEMA] = "schema",
		[OPERAND_PROFILE] = "profile",
	};

	if (operand == OPERAND_PATH) {
		page_print(p, "\t\t\t'*:path:_files'\n");
	} else if (operand == OPERAND_DEED) {
		page_print(p, "\t\t\t'1:deed:(write check)'\n\t\t\t'*:path:_files'\n");
	} else if (operand == OPERAND_RULE) {
		page_print(p, "\t\t\t'*:rule:($(uvet rules 2>/dev/null | cut -d\" \" -f1))'\n");
	} else if (operand != OPERAND_NONE) {
		PRINT(p, "\t\t\t'*:", names[operand], ":(");
		print_words(p, operand);
		page_print(p, ")'\n");
	}
}

static void zsh_command(struct page *p, int i)
{
	struct option_info o;

	PRINT(p, "\t", command_infos[i].name, ")\n\t\toptions=(\n");
	for (size_t j = 0; option_at(j, &o); j++) {
		if (!(o.commands & 1u << i))
			continue;
		if (o.letter)
			zsh_option(p, &o, true);
		zsh_option(p, &o, false);
	}
	zsh_operands(p, operand_of(&command_infos[i]));
	page_print(p, "\t\t)\n\t\t;;\n");
}

static void zsh_print(struct page *p)
{
	page_print(p, "#compdef uvet\n# Completions of uvet for zsh; made by: uvet completion zsh\n"
		      "_uvet() {\n\tlocal command=check\n\tlocal -a commands options\n"
		      "\tcommands=(\n");
	for (int i = 0; i < COMMAND_COUNT; i++) {
		PRINT(p, "\t\t'", command_infos[i].name, ":");
		print_quoted(p, command_infos[i].help, ":\\", "'\\''");
		page_print(p, "'\n");
	}
	page_print(p, "\t)\n\tif ((CURRENT == 2)) && [[ ${words[2]} != -* ]]; then\n"
		      "\t\t_describe -t commands command commands\n\t\t_files\n\t\treturn\n\tfi\n"
		      "\tcase ${words[2]} in\n\t");
	print_commands(p, "|");
	page_print(p, ")\n\t\tcommand=${words[2]}\n\t\twords=(uvet ${words[3,-1]})\n"
		      "\t\t((CURRENT--))\n\t\t;;\n\tesac\n\tcase $command in\n");
	for (int i = 0; i < COMMAND_COUNT; i++)
		zsh_command(p, i);
	page_print(p, "\tesac\n\t_arguments -s $options\n}\n"
		      "if [[ ${funcstack[1]} == _uvet ]]; then _uvet \"$@\"\n"
		      "else compdef _uvet uvet\nfi\n");
}

/* ---- fish ------------------------------------------------------------------------------------ */

/* Begins a line for one command; without a command it is check. */
static void fish_begin(struct page *p, int command)
{
	page_print(p, "complete -c uvet -n '");
	if (command != COMMAND_check) {
		PRINT(p, "__fish_seen_subcommand_from ", command_infos[command].name, "'");
		return;
	}
	page_print(p, "not __fish_seen_subcommand_from");
	for (int i = 0; i < COMMAND_COUNT; i++)
		if (i != COMMAND_check)
			PRINT(p, " ", command_infos[i].name);
	page_print(p, "'");
}

static void fish_option(struct page *p, int command, const struct option_info *o)
{
	fish_begin(p, command);
	PRINT(p, " -l ", o->name);
	if (o->letter)
		PRINT(p, " -s ", ((char[]){ o->letter, '\0' }));
	if (o->argument)
		page_print(p, names_file(o) ? " -r -F" : " -x");
	page_print(p, " -d '");
	print_quoted(p, o->help, "\\", "\\'");
	page_print(p, "'\n");
}

static void fish_operands(struct page *p, int command)
{
	const enum operand operand = operand_of(&command_infos[command]);

	if (operand == OPERAND_PATH)
		return;
	fish_begin(p, command);
	page_print(p, operand == OPERAND_DEED ? "" : " -f");
	if (operand != OPERAND_NONE)
		page_print(p, " -a '");
	if (operand == OPERAND_RULE)
		page_print(p, "(uvet rules 2>/dev/null | string split -f1 \" \")");
	else
		print_words(p, operand);
	page_print(p, operand != OPERAND_NONE ? "'\n" : "\n");
}

static void fish_print(struct page *p)
{
	struct option_info o;

	page_print(p, "# Completions of uvet for fish; made by: uvet completion fish\n");
	for (int i = 0; i < COMMAND_COUNT; i++) {
		PRINT(p, "complete -c uvet -n __fish_use_subcommand -a ", command_infos[i].name,
		      " -d '");
		print_quoted(p, command_infos[i].help, "\\", "\\'");
		page_print(p, "'\n");
		fish_operands(p, i);
		for (size_t j = 0; option_at(j, &o); j++)
			if (o.commands & 1u << i)
				fish_option(p, i, &o);
	}
}

/* ---- The command ----------------------------------------------------------------------------- */

int completion_command(const struct settings *settings)
{
	static const struct {
		const char *name;
		void (*print)(struct page *p);
	} shells[] = { { "bash", bash_print }, { "zsh", zsh_print }, { "fish", fish_print } };
	const char *name = settings->operands[0];
	struct page page;

	for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
		if (strcmp(shells[i].name, name) != 0)
			continue;
		page_open(&page);
		shells[i].print(&page);
		return page_finish(&page);
	}
	message("completion: '%s' is not bash, zsh or fish; see: uvet help completion", name);
	return STATUS_USAGE;
}
