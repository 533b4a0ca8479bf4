/* The command info: what each file is that was named or lies in a folder. */
#include "cli/commands.h"

#include <stdlib.h>
#include <string.h>

#include "cli/engines.h"
#include "cli/grow.h"
#include "cli/message.h"
#include "cli/outputs.h"

/* An info_run is one run. What is said of a file from a folder is held back until it is known
 * whether the file is of a format that uvet reads; the others there are nobody's question. */
struct info_run {
	const struct settings *settings;
	struct inputs inputs;
	uvet_engine *engine;
	struct output out;
	bool holds;    /* output is held back */
	bool is_begun; /* of this file something was written */
	bool is_apart; /* an empty line comes before what is written next */
	bool is_told;  /* of an earlier one */
	char *held;
	size_t held_len, held_max;
	int code;
};

static void note_code(struct info_run *r, int code)
{
	if (code > r->code)
		r->code = code;
}

static const char *format_of(const struct info_run *r)
{
	return r->settings->query_format ? r->settings->query_format : "text";
}

/* JSON is one object a line; texts are kept apart by an empty line. */
static int write_out(struct info_run *r, const void *bytes, size_t len)
{
	const bool is_apart = r->is_apart;

	r->is_begun = true;
	r->is_apart = false;
	if (is_apart && output_sink(&r->out, "\n", 1) != 0)
		return -1;
	return output_sink(&r->out, bytes, len);
}

static int info_sink(void *ctx, const void *bytes, size_t len)
{
	struct info_run *r = ctx;
	char *held;

	if (!r->holds)
		return write_out(r, bytes, len);
	held = grow(r->held, &r->held_max, r->held_len + len, 1);
	if (!held)
		return -1;
	r->held = held;
	memcpy(held + r->held_len, bytes, len);
	r->held_len += len;
	return 0;
}

/* A failed write of what was held back, for which there was no memory, is no failed output. */
static void note_status(struct info_run *r, uvet_status status)
{
	if (status == UVET_OK || (status == UVET_UNKNOWN_FORMAT && r->holds))
		return;
	if (status == UVET_UNKNOWN_FORMAT || status == UVET_UNREADABLE || status == UVET_CUT) {
		note_code(r, STATUS_UNDETERMINED);
		return;
	}
	if (status != UVET_WRITE_FAILED || r->holds)
		message("out of memory");
	note_code(r, STATUS_TROUBLE);
}

static void tell_file(struct info_run *r, struct input *in)
{
	struct input_reader reader;
	uvet_status status;

	r->held_len = 0;
	r->is_begun = false;
	r->is_apart = r->is_told && strcmp(format_of(r), "text") == 0;
	status = uvet_info_io(r->engine, in->path, input_io(in, NULL, &reader), NULL, format_of(r),
			      info_sink, r);
	if (r->holds && status != UVET_UNKNOWN_FORMAT && status != UVET_WRITE_FAILED)
		(void)write_out(r, r->held, r->held_len); /* output_close tells of a failure */
	note_status(r, status);
	r->is_told = r->is_told || r->is_begun;
}

/* Says that an input cannot be read. Of standard input that is said already. */
static void tell_closed(struct info_run *r, const struct input *in)
{
	if (in->path != r->inputs.stdin_input.path)
		message("'%s' cannot be read", in->path);
	note_code(r, STATUS_UNDETERMINED);
}

static bool open_named(struct input *in)
{
	char reason[128];

	if (platform_file_open(in->path, &in->file)) {
		in->kind = INPUT_WALKED;
		return true;
	}
	platform_error_text(platform_error(), reason, sizeof reason);
	message("'%s' cannot be read: %s", in->path, reason);
	return false;
}

static void tell_input(struct info_run *r, struct input *in)
{
	r->holds = in->kind == INPUT_WALKED;
	if (in->kind == INPUT_LINK)
		return;
	if (in->kind == INPUT_CLOSED)
		tell_closed(r, in);
	else if (in->kind == INPUT_NAMED && !open_named(in))
		note_code(r, STATUS_UNDETERMINED);
	else
		tell_file(r, in);
	input_discard(in);
}

static void tell_all(struct info_run *r)
{
	enum inputs_result result = INPUTS_NEXT;
	struct input in;

	if (uvet_options_set(r->settings->options, "sha256", "yes") != UVET_OK)
		message("info: there is no SHA-256: this build has no nettle, which computes it");
	parts_free(&r->inputs.parts); /* a part that is named is asked about itself */
	inputs_read_stdin(&r->inputs);
	settings_set_memory(r->settings, inputs_memory_left(&r->inputs));
	if (uvet_engine_new(r->settings->options, &r->engine) != UVET_OK)
		result = INPUTS_NO_MEMORY;
	while (result == INPUTS_NEXT && r->code < STATUS_TROUBLE && !r->out.failed) {
		result = inputs_next(&r->inputs, &in);
		if (result == INPUTS_NEXT)
			tell_input(r, &in);
	}
	if (result == INPUTS_NO_MEMORY) {
		message("out of memory");
		note_code(r, STATUS_TROUBLE);
	}
}

int info_command(const struct settings *settings)
{
	struct info_run r = { .settings = settings, .out = output_open_stdout() };
	int closed;

	note_code(&r, inputs_open(&r.inputs, settings));
	if (r.code == STATUS_DONE)
		tell_all(&r);
	closed = output_close(&r.out);
	uvet_engine_free(r.engine);
	inputs_close(&r.inputs);
	free(r.held);
	return closed == STATUS_DONE ? r.code : closed;
}
