/* The command deps: what packages import, and what of it is there. */
#include "cli/commands.h"

#include <string.h>

#include "cli/jobs.h"
#include "cli/message.h"
#include "cli/outputs.h"
#include "cli/sets.h"

static uvet_status take_report(void *ctx, const struct input *in, const uvet_report *report)
{
	(void)in;
	return report ? uvet_set_add(ctx, report, false) : UVET_OK;
}

/* Checks the inputs, as far as what they import is concerned, and adds them to a set. */
static uvet_status gather(const struct settings *settings, struct inputs *inputs,
			  struct engines *engines, uvet_set **set)
{
	const struct jobs_plan plan = { .n = 1, .engines = engines };
	uvet_status status;

	parts_free(&inputs->parts); /* none of them is a package */
	inputs_read_stdin(inputs);
	(void)uvet_options_set(settings->options, "level", "structure");
	sets_want(settings);
	status = engines_open(engines, settings, inputs->walks, inputs_memory_left(inputs));
	if (status == UVET_OK)
		status = uvet_set_new(engines->named, set);
	if (status == UVET_OK)
		status = jobs_run(inputs, &plan, take_report, *set);
	if (status == UVET_OK)
		status = sets_add_game(*set, settings, inputs_memory_left(inputs));
	return status;
}

static int code_of(uvet_status status)
{
	if (status == UVET_OK || status == UVET_WRITE_FAILED) /* output_close tells of a failure */
		return STATUS_DONE;
	if (status == UVET_CUT)
		return STATUS_UNDETERMINED;
	message("out of memory");
	return STATUS_TROUBLE;
}

static int write_deps(const struct settings *settings, struct inputs *inputs, struct output *out)
{
	const char *format = settings->query_format ? settings->query_format : "text";
	struct engines engines = { .memory = 0 };
	uvet_set *set = NULL;
	uvet_status status = gather(settings, inputs, &engines, &set);

	if (status == UVET_OK)
		status = uvet_set_imports(set, NULL, format, output_sink, out);
	uvet_set_free(set);
	engines_close(&engines);
	return code_of(status);
}

int deps_command(const struct settings *settings)
{
	struct output out;
	struct inputs inputs;
	int code, closed;

	if (!sets_find_game(settings))
		return STATUS_USAGE;
	out = output_open_stdout();
	code = inputs_open(&inputs, settings);
	if (code == STATUS_DONE)
		code = write_deps(settings, &inputs, &out);
	closed = output_close(&out);
	inputs_close(&inputs);
	return closed == STATUS_DONE ? code : closed;
}
