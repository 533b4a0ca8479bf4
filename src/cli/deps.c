/* The command deps: what packages import, and what of it is there. */
#include "cli/commands.h"

#include <string.h>

#include "cli/jobs.h"
#include "cli/message.h"
#include "cli/outputs.h"
#include "cli/sets.h"

/* What is gathered from inputs. */
struct gathering {
	uvet_set *set;
	uint64_t n_archives; /* whose members may be compressed, and are not looked into */
};

/* Packages are read at the level that decompresses nothing. */
static bool is_archive(const uvet_report *report)
{
	static const char *const formats[] = { "zip", "sevenzip", "rar", "stream" };

	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (strcmp(uvet_report_format(report), formats[i]) == 0)
			return true;
	return false;
}

static uvet_status take_report(void *ctx, const struct input *in, const uvet_report *report)
{
	struct gathering *g = ctx;

	if (report && is_archive(report)) {
		g->n_archives++;
		message("what is compressed in '%s' is not looked into; unpack it first", in->path);
	}
	return report ? uvet_set_add(g->set, report, false) : UVET_OK;
}

/* Checks the inputs, as far as what they import is concerned, and adds them to a set. */
static uvet_status gather(const struct settings *settings, struct inputs *inputs,
			  struct engines *engines, struct gathering *g)
{
	const struct jobs_plan plan = { .n = 1, .engines = engines };
	uvet_status status;

	parts_free(&inputs->parts); /* none of them is a package */
	inputs_read_stdin(inputs);
	(void)uvet_options_set(settings->options, "level", "structure");
	sets_want(settings);
	status = engines_open(engines, settings, inputs->walks, inputs_memory_left(inputs));
	if (status == UVET_OK)
		status = uvet_set_new(engines->named, &g->set);
	if (status == UVET_OK)
		status = jobs_run(inputs, &plan, take_report, g);
	if (status == UVET_OK)
		status = sets_add_game(g->set, settings, inputs_memory_left(inputs));
	return status;
}

static int code_of(uvet_status status, const struct gathering *g)
{
	if (status == UVET_OK || status == UVET_WRITE_FAILED) /* output_close tells of a failure */
		return g->n_archives > 0 ? STATUS_UNDETERMINED : STATUS_DONE;
	if (status == UVET_CUT)
		return STATUS_UNDETERMINED;
	message("out of memory");
	return STATUS_TROUBLE;
}

static int write_deps(const struct settings *settings, struct inputs *inputs, struct output *out)
{
	const char *format = settings->query_format ? settings->query_format : "text";
	struct engines engines = { .memory = 0 };
	struct gathering g = { .set = NULL };
	uvet_status status = gather(settings, inputs, &engines, &g);

	if (status == UVET_OK)
		status = uvet_set_imports(g.set, NULL, format, output_sink, out);
	uvet_set_free(g.set);
	engines_close(&engines);
	return code_of(status, &g);
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
