/* The commands that show something and check nothing. */
#include "cli/commands.h"

#include <stdio.h>

#include "cli/engines.h"
#include "cli/message.h"
#include "cli/outputs.h"

static const char *format_of(const struct settings *s)
{
	return s->query_format ? s->query_format : "text";
}

/* output_close says that a write failed. */
static int finish(struct output *o, uvet_status status)
{
	bool is_written = output_close(o);

	if (is_written &&
	    (status == UVET_UNKNOWN_FORMAT || status == UVET_UNREADABLE || status == UVET_CUT))
		return STATUS_UNDETERMINED;
	if (status != UVET_OK && status != UVET_WRITE_FAILED)
		message("%t", ALWAYS(status == UVET_NO_MEMORY) ? "out of memory"
							       : uvet_status_name(status));
	return is_written && status == UVET_OK ? STATUS_DONE : STATUS_TROUBLE;
}

int explain_command(const struct settings *settings)
{
	const char *name = settings->operands[0];
	struct output out = output_open_stdout();
	uvet_rule rule = UVET_RULE_INIT;

	if (!uvet_rule_find(name, &rule)) {
		message("explain: '%s' is not a rule; see: uvet rules", name);
		return STATUS_USAGE;
	}
	return finish(&out, uvet_explain(name, output_sink, &out));
}

int rules_command(const struct settings *settings)
{
	struct output out = output_open_stdout();

	return finish(&out, uvet_rules_write(format_of(settings), output_sink, &out));
}

/* ---- map and info ---------------------------------------------------------------------------- */

typedef uvet_status show_function(uvet_engine *engine, const char *name, const uvet_io *io,
				  const uvet_hooks *hooks, const char *format, uvet_sink *sink,
				  void *ctx);

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

static int show(const struct settings *settings, show_function *function)
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
		status = function(engine, in.path, input_io(&in, &reader), NULL,
				  format_of(settings), output_sink, &out);
	uvet_engine_free(engine);
	input_discard(&in);
	buffer_free(&bytes);
	return finish(&out, status);
}

int map_command(const struct settings *settings)
{
	return show(settings, uvet_map_io);
}

int info_command(const struct settings *settings)
{
	return show(settings, uvet_info_io);
}
