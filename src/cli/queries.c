/* The commands that show something and check nothing. */
#include "cli/commands.h"

#include <stdio.h>
#include <string.h>

#include "cli/engines.h"
#include "cli/message.h"
#include "cli/nearest.h"
#include "cli/outputs.h"

static const char *format_of(const struct settings *s)
{
	return s->query_format ? s->query_format : "text";
}

/* output_close says that a write failed. */
static int finish(struct output *o, uvet_status status)
{
	const int closed = output_close(o);

	if (status != UVET_OK && status != UVET_WRITE_FAILED && status != UVET_UNKNOWN_FORMAT &&
	    status != UVET_UNREADABLE && status != UVET_CUT) {
		message("%t", ALWAYS(status == UVET_NO_MEMORY) ? "out of memory"
							       : uvet_status_name(status));
		return STATUS_TROUBLE;
	}
	if (closed != STATUS_DONE)
		return closed;
	return status == UVET_OK ? STATUS_DONE : STATUS_UNDETERMINED;
}

enum { WORD_MAX = 64 };

/* Copies a word with its letters in one case; false: it is too long for a name. */
static bool fold(const char *word, bool to_upper, char out[WORD_MAX])
{
	const char first = to_upper ? 'a' : 'A';
	size_t i = 0;

	for (; word[i] && i < WORD_MAX - 1; i++)
		out[i] = word[i] >= first && word[i] < first + 26 ? (char)(word[i] ^ 0x20)
								  : word[i];
	out[i] = '\0';
	return !word[i];
}

/* Ids are written in capitals and names in small letters, but typed as they come. */
static bool find_rule(const char *word, uvet_rule *out)
{
	char folded[WORD_MAX];

	return uvet_rule_find(word, out) ||
	       (fold(word, true, folded) && uvet_rule_find(folded, out)) ||
	       (fold(word, false, folded) && uvet_rule_find(folded, out));
}

static void write_line(struct output *out, const uvet_rule *rule)
{
	char line[512];
	const int len = snprintf(line, sizeof line, "%s  %-12s  %-35s  %s\n", rule->id,
				 uvet_severity_name(rule->severity), rule->name, rule->title);

	if (ALWAYS(len > 0 && (size_t)len < sizeof line))
		(void)output_sink(out, line, (size_t)len); /* output_close tells of a failure */
}

/* Writes a line for each rule of a family; false: there is no such family. */
static bool explain_family(const char *word, struct output *out)
{
	char family[WORD_MAX];
	uvet_rule rule = UVET_RULE_INIT;
	bool is_one = false;

	if (!fold(word, true, family))
		return false;
	for (size_t i = 0; uvet_rule_at(i, &rule); i++) {
		if (strcmp(rule.family, family) != 0)
			continue;
		write_line(out, &rule);
		is_one = true;
	}
	return is_one;
}

static int refuse_rule(const char *word)
{
	struct nearest near = nearest_to(word);
	uvet_rule rule = UVET_RULE_INIT;

	for (size_t i = 0; uvet_rule_at(i, &rule); i++) {
		nearest_try(&near, rule.id);
		nearest_try(&near, rule.name);
		nearest_try(&near, rule.family);
	}
	if (near.name)
		message("explain: '%s' is not a rule; did you mean %t? see: uvet rules", word,
			near.name);
	else
		message("explain: '%s' is not a rule; see: uvet rules", word);
	return STATUS_USAGE;
}

int explain_command(const struct settings *settings)
{
	const char *word = settings->operands[0];
	struct output out = output_open_stdout();
	uvet_rule rule = UVET_RULE_INIT;

	if (find_rule(word, &rule))
		return finish(&out, uvet_explain(rule.id, output_sink, &out));
	return explain_family(word, &out) ? finish(&out, UVET_OK) : refuse_rule(word);
}

int rules_command(const struct settings *settings)
{
	struct output out = output_open_stdout();

	return finish(&out, uvet_rules_write(format_of(settings), output_sink, &out));
}

/* ---- schema ------------------------------------------------------------------------- */

int schema_command(const struct settings *settings)
{
	const char *name = settings->operands[0];
	struct output out = output_open_stdout();
	const uvet_status status = uvet_schema_write(name, output_sink, &out);

	if (status == UVET_BAD_OPTION)
		return nearest_refuse("schema", name, uvet_schema_name, "uvet help schema");
	return finish(&out, status);
}

/* ---- map ---------------------------------------------------------------------------- */

/* Opens the one input; false, after a message, if it cannot be read. */
static bool open_operand(const struct settings *settings, struct buffer *bytes, struct input *in)
{
	const char *path = settings->operands[0];
	char reason[128];

	if (path[0] == '-' && path[1] == '\0') {
		input_stdin(settings, settings_memory(settings), bytes, in);
		return in->kind != INPUT_CLOSED;
	}
	*in = (struct input){ .kind = INPUT_WALKED, .path = path };
	if (platform_file_open(path, &in->file))
		return true;
	platform_error_text(platform_error(), reason, sizeof reason);
	message("'%s' cannot be read: %s", path, reason);
	return false;
}

int map_command(const struct settings *settings)
{
	struct output out = output_open_stdout();
	struct buffer bytes = { 0 };
	struct input_reader reader;
	uvet_engine *engine = NULL;
	uvet_status status;
	struct input in;

	if (!open_operand(settings, &bytes, &in)) {
		buffer_free(&bytes);
		return STATUS_UNDETERMINED;
	}
	settings_set_memory(settings, settings_memory(settings) - bytes.len);
	status = uvet_engine_new(settings->options, &engine);
	if (status == UVET_OK)
		status = uvet_map_io(engine, in.path, input_io(&in, NULL, &reader), NULL,
				     format_of(settings), output_sink, &out);
	uvet_engine_free(engine);
	input_discard(&in);
	buffer_free(&bytes);
	return finish(&out, status);
}
