/* The command check: inputs to jobs, reports to a report writer, its exit code to the process. */
#include "cli/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/jobs.h"
#include "cli/message.h"
#include "cli/outputs.h"
#include "cli/references.h"
#include "cli/sets.h"
#include "cli/statistics.h"

/* A check_run is one run. With --quiet, output for people has a report writer of its own, which
 * is given only reports with something to say. */
struct check_run {
	const struct settings *settings;
	struct inputs inputs;
	/* alone: its checks may use all memory; the others share it */
	struct engines engines, alone;
	struct outputs outputs;
	uvet_writer *writer, *quiet_writer; /* quiet_writer is NULL without --quiet */
	struct acceptance acceptance;
	struct statistics statistics; /* with --statistics */
	uvet_set *set;                /* of all that is checked; NULL: they are judged one by one */
	struct progress progress;
	bool is_seen; /* a report goes to the terminal that the progress is on */
	/* n_told: reports, of what was not judged too; n_quiet: those in quiet_writer */
	uint64_t n_told, n_judged, n_quiet;
};

/* ---- Before ---------------------------------------------------------------------------------- */

static bool wants_colors(const struct settings *s, const char *file)
{
	const char *no_color = getenv("NO_COLOR");

	if (s->color != COLOR_AUTO)
		return s->color == COLOR_ALWAYS;
	return !file && !(no_color && *no_color) && platform_stdout_is_terminal();
}

/* Text is as wide as the terminal where that is the only place that it goes to. */
static void set_width(const struct settings *s)
{
	unsigned n = platform_stdout_columns();
	char number[16];

	for (int i = 0; i < s->n_outputs; i++)
		if (s->outputs[i].file)
			n = 0;
	snprintf(number, sizeof number, "%u", n < WIDTH_MAX ? n : WIDTH_MAX);
	(void)uvet_options_set(s->options, "width", number); /* it is at most WIDTH_MAX */
}

static bool goes_to_stdout(const struct settings *s)
{
	for (int i = 0; i < s->n_outputs; i++)
		if (!s->outputs[i].file)
			return true;
	return false;
}

static uvet_status connect(struct check_run *c, int i)
{
	const struct output_request *request = &c->settings->outputs[i];
	bool is_quiet = c->quiet_writer && output_is_for_people(request->format);
	const char *format = request->format;

	if (strcmp(format, OUTPUT_BASELINE) == 0)
		return UVET_OK;
	if (strcmp(format, "text") == 0 && wants_colors(c->settings, request->file))
		format = "text-color";
	return uvet_writer_output(is_quiet ? c->quiet_writer : c->writer, format, output_sink,
				  &c->outputs.of[i]);
}

static uvet_status open_writers(struct check_run *c)
{
	uvet_engine *engine = c->alone.named ? c->alone.named : c->engines.named;
	uvet_status status = uvet_writer_new(engine, &c->writer);

	if (status == UVET_OK && c->settings->quiet)
		status = uvet_writer_new(engine, &c->quiet_writer);
	for (int i = 0; i < c->outputs.n && status == UVET_OK; i++)
		status = connect(c, i);
	if (!acceptance_asks(&c->acceptance))
		return status;
	if (status == UVET_OK)
		status = uvet_writer_accept(c->writer, acceptance_take, &c->acceptance);
	if (status == UVET_OK && c->quiet_writer)
		status = uvet_writer_accept(c->quiet_writer, acceptance_answer, &c->acceptance);
	return status;
}

/* ---- During ---------------------------------------------------------------------------------- */

static bool says_something(const uvet_report *report)
{
	uvet_verdict verdict = uvet_report_verdict(report);

	return verdict == UVET_INVALID || verdict == UVET_UNDETERMINED ||
	       uvet_report_count(report) > 0;
}

static bool is_part_alone(const struct input *in, const uvet_report *report)
{
	return (in->kind == INPUT_NAMED || in->kind == INPUT_OPENED) &&
	       !*uvet_report_format(report) && input_is_part(in->path);
}

/* Says why a part was not judged: what is missing, or that its container asks for no such part. */
static uvet_status tell_part(const struct check_run *c, struct progress *progress, const char *path)
{
	char *container = malloc(strlen(path) + 2);

	if (!container)
		return UVET_NO_MEMORY;
	progress_hide(progress);
	if (!parts_container(path, container))
		message("'%s' is a part of a container, which is checked by its .utoc; there is "
			"none of its name beside it",
			path);
	else if (c->settings->no_siblings)
		message("'%s' is a part of a container, which is checked by its .utoc", path);
	else
		message("'%s' was not asked for by '%s': it is none of its parts, or that one is "
			"too broken to say what its parts are",
			path, container);
	free(container);
	return UVET_OK;
}

/* Adds the reports, of a file and the files in it, that have something to say. */
static uvet_status add_quietly(struct check_run *c, const uvet_report *report)
{
	uvet_status status = UVET_OK;

	for (const uvet_report *r = report; r && status == UVET_OK;
	     r = uvet_report_next(report, r)) {
		if (!says_something(r))
			continue;
		c->n_quiet++;
		status = uvet_writer_add_alone(c->quiet_writer, r);
	}
	return status;
}

/* A companion that this check looked for needs no check of its own. */
static uvet_status tell_parts(struct check_run *c, const struct input *in,
			      const uvet_report *report)
{
	const char *name;

	if (c->inputs.parts.n == 0 && !c->inputs.walks)
		return UVET_OK;
	for (size_t i = 0; (name = uvet_report_companion_at(report, i)) != NULL; i++)
		if (!parts_tell(&c->inputs.parts, in->path, name))
			return UVET_NO_MEMORY;
	if (input_is_container(in->path) && !parts_own(&c->inputs.parts, in->path))
		return UVET_NO_MEMORY;
	return UVET_OK;
}

static uint64_t size_of(const struct input *in)
{
	struct platform_identity found;

	switch (in->kind) {
	case INPUT_OPENED:
	case INPUT_WALKED:
	case INPUT_STDIN_FILE:
		return in->file.identity.size;
	case INPUT_STDIN_BYTES:
		return in->len;
	case INPUT_LINK:
	case INPUT_CLOSED:
		return 0;
	default:
		return platform_path_look(in->path, &found) == PLATFORM_FILE ? found.size : 0;
	}
}

/* Writes a report and counts it; size is that of what it is about. */
static uvet_status add_report(struct check_run *c, const uvet_report *report, uint64_t size)
{
	const uvet_status status = uvet_writer_add(c->writer, report);

	acceptance_count(&c->acceptance, report);
	if (c->settings->statistics)
		statistics_add(&c->statistics, report, size);
	c->n_told++;
	c->n_judged += uvet_report_verdict(report) != UVET_NOT_APPLICABLE;
	return status == UVET_OK && c->quiet_writer ? add_quietly(c, report) : status;
}

static uvet_status take_report(void *ctx, const struct input *in, const uvet_report *report)
{
	struct check_run *c = ctx;
	uvet_status status;

	if (c->is_seen)
		progress_hide(&c->progress);
	if (!report)
		return UVET_OK;
	status = add_report(c, report, size_of(in));
	if (status == UVET_OK)
		status = tell_parts(c, in, report);
	if (status == UVET_OK && is_part_alone(in, report))
		status = tell_part(c, &c->progress, in->path);
	if (status == UVET_OK && c->set)
		status = uvet_set_add(c->set, report, false);
	return status;
}

/* The report of all files together comes last. */
static uvet_status check_set(struct check_run *c)
{
	uvet_report *report;
	uvet_status status = sets_add_game(c->set, c->settings, inputs_memory_left(&c->inputs));

	if (status == UVET_OK)
		status = uvet_set_check(c->set, NULL, &report);
	if (status != UVET_OK || !report)
		return status;
	status = add_report(c, report, 0);
	uvet_report_free(report);
	return status;
}

static unsigned n_threads(const struct check_run *c)
{
	unsigned n = c->settings->jobs > 0 ? c->settings->jobs : platform_processors();

	return n < JOBS_MAX ? n : JOBS_MAX;
}

/* How many files are checked at a time. */
static unsigned n_jobs(const struct check_run *c)
{
	const size_t n_files = inputs_count(&c->inputs);
	const unsigned n = n_threads(c);

	return n_files > 0 && n_files < n ? (unsigned)n_files : n;
}

/* What --max-memory leaves for checks is divided: a share for each that runs, and one for reports
 * that wait to be written. */
static uvet_status open_engines(struct check_run *c)
{
	const uint64_t memory = inputs_memory_left(&c->inputs);
	const unsigned n = n_jobs(c);
	uvet_status status;

	if (n == 1)
		return engines_open(&c->engines, c->settings, c->inputs.walks, memory);
	status = engines_open(&c->engines, c->settings, c->inputs.walks, memory / (n + 1));
	return status == UVET_OK ? engines_open(&c->alone, c->settings, c->inputs.walks, memory)
				 : status;
}

/* Where there are fewer files than threads, the threads are divided among them. */
static void share_threads(const struct check_run *c)
{
	const unsigned n = n_threads(c) / n_jobs(c);
	char number[16];

	snprintf(number, sizeof number, "%u", n);
	(void)uvet_options_set(c->settings->options, "jobs", number); /* it is at most JOBS_MAX */
}

/* A folder that is named alone may be what is to be uploaded. */
static bool is_upload(const struct check_run *c)
{
	return c->settings->n_operands == 1 && !c->settings->list && c->inputs.walks;
}

static void list_file(void *ctx, const char *root, const char *path, struct platform_file *file)
{
	struct check_run *c = ctx;
	struct input in = { .kind = INPUT_WALKED, .path = path, .file = *file };
	size_t len = strlen(root);
	struct input_reader reader;

	len += path[len] == '/';
	(void)uvet_set_list(c->set, path, len, input_io(&in, &c->progress, &reader));
}

/* A report that is being written into a folder is not one of the files to check there. */
static bool is_report(const void *ctx, const struct platform_identity *file)
{
	return outputs_has(ctx, file);
}

/* Report writers are told what was left out in folders. */
static uvet_status tell_writers(const struct check_run *c)
{
	const struct walk *w = &c->inputs.walk;
	uvet_status status = uvet_writer_left_out(c->writer, w->n_links, w->n_others, w->n_mounts);

	return status == UVET_OK && c->quiet_writer
		       ? uvet_writer_left_out(c->quiet_writer, w->n_links, w->n_others, w->n_mounts)
		       : status;
}

/* Checks the inputs, if memory did not end before they were all there. */
static uvet_status check_paths(struct check_run *c, const struct jobs_plan *plan,
			       struct inputs *paths, bool are_there)
{
	uvet_status status = are_there ? jobs_run(paths, plan, take_report, c) : UVET_NO_MEMORY;

	inputs_close(paths);
	return status;
}

/* Containers of parts that were named without them. */
static uvet_status check_owners(struct check_run *c, const struct jobs_plan *plan)
{
	struct inputs owners;
	bool are_there;

	if (c->settings->no_siblings)
		return UVET_OK;
	progress_hide(plan->progress);
	are_there = inputs_open_owners(&owners, &c->inputs);
	for (int i = 0; are_there && i < owners.settings->n_operands; i++)
		message("'%s' is checked, because a part of it was named",
			owners.settings->operands[i]);
	return check_paths(c, plan, &owners, are_there);
}

/* Checks the parts of containers that no check opened; those that one opened are told already. */
static uvet_status check_parts(struct check_run *c, const struct jobs_plan *plan)
{
	struct inputs parts;
	uvet_status status;

	if (c->inputs.parts.n == 0)
		return UVET_OK;
	status = check_owners(c, plan);
	if (status == UVET_OK)
		status = check_paths(c, plan, &parts, inputs_open_idle(&parts, &c->inputs));
	if (status == UVET_OK)
		status = check_paths(c, plan, &parts, inputs_open_left(&parts, &c->inputs));
	return status;
}

/* The baseline is the last output. */
static uvet_status write_baseline(struct check_run *c)
{
	struct output *to = &c->outputs.of[c->outputs.n - 1];

	if (c->settings->baseline.mode != BASELINE_WRITE ||
	    acceptance_write(&c->acceptance, output_sink, to))
		return UVET_OK;
	return to->failed ? UVET_WRITE_FAILED : UVET_NO_MEMORY;
}

static uvet_status run_jobs(struct check_run *c)
{
	const unsigned n = n_jobs(c);
	const struct jobs_plan plan = { n, &c->engines, n > 1 ? &c->alone : NULL, &c->progress };
	uvet_status status;

	c->engines.progress = c->alone.progress = c->inputs.progress = &c->progress;
	status = jobs_run(&c->inputs, &plan, take_report, c);
	if (status == UVET_OK)
		status = check_parts(c, &plan);
	progress_hide(&c->progress);
	if (status == UVET_OK && c->set)
		status = check_set(c);
	if (status == UVET_OK)
		status = tell_writers(c);
	if (status == UVET_OK)
		status = uvet_writer_end(c->writer);
	if (status == UVET_OK && c->n_quiet > 0)
		status = uvet_writer_end(c->quiet_writer);
	if (status == UVET_OK)
		status = write_baseline(c);
	return status;
}

/* ---- After ----------------------------------------------------------------------------------- */

/* What is signed is the .pak. A check of that looks how the .sig is made, and verifies nothing. */
static void tell_signatures(const struct check_run *c)
{
	const size_t n = parts_signatures(&c->inputs.parts);
	char count[24];

	snprintf(count, sizeof count, "%llu", (unsigned long long)n);
	if (n > 0)
		message("not verified: .sig files, of which only the form and the sums are judged: "
			"%t",
			count);
}

static void tell_what_was_left_out(const struct check_run *c)
{
	const struct walk *w = &c->inputs.walk;
	char counts[160];

	if (c->n_judged == 0)
		message(c->n_told == 0
				? "nothing was checked: no file was found"
				: "nothing was checked: there is no file of a format that uvet "
				  "knows, or no rule for it is on");
	if (!c->settings->quiet)
		tell_signatures(c);
	if (c->settings->quiet || (w->n_links == 0 && w->n_others == 0 && w->n_mounts == 0))
		return;
	snprintf(counts, sizeof counts,
		 "links: %llu, pipes, sockets and devices: %llu, folders on other file systems: "
		 "%llu",
		 (unsigned long long)w->n_links, (unsigned long long)w->n_others,
		 (unsigned long long)w->n_mounts);
	message("left out in folders: %t", counts);
}

/* outputs_close says which output failed. */
static int exit_code(struct check_run *c, uvet_status status)
{
	const int closed = outputs_close(&c->outputs, status == UVET_OK);

	if (closed != STATUS_DONE)
		return closed;
	if (status != UVET_OK) {
		message(ALWAYS(status == UVET_NO_MEMORY) ? "out of memory" : "internal error: %t",
			uvet_status_name(status));
		return STATUS_TROUBLE;
	}
	tell_what_was_left_out(c);
	acceptance_tell(&c->acceptance);
	if (c->settings->statistics)
		statistics_tell(&c->statistics, c->inputs.n_filtered);
	return uvet_writer_exit_code(c->writer);
}

static int check_all(struct check_run *c)
{
	uvet_status status;
	int code = outputs_open(&c->outputs, c->settings, &c->inputs);

	if (code != STATUS_DONE)
		return code;
	c->inputs.is_left_out = is_report;
	c->inputs.is_left_out_ctx = &c->outputs;
	inputs_read_stdin(&c->inputs);
	share_threads(c);
	set_width(c->settings);
	sets_want(c->settings);
	progress_open(&c->progress, c->settings);
	c->is_seen = goes_to_stdout(c->settings) && platform_stdout_columns() > 0;
	status = open_engines(c);
	if (status == UVET_OK && !c->settings->no_sets)
		status = uvet_set_new(c->alone.named ? c->alone.named : c->engines.named, &c->set);
	if (c->set && is_upload(c))
		c->inputs.on_found = list_file;
	c->inputs.on_found_ctx = c;
	if (status == UVET_OK)
		status = open_writers(c);
	if (status == UVET_OK)
		status = run_jobs(c);
	code = exit_code(c, status);
	uvet_writer_free(c->writer);
	uvet_writer_free(c->quiet_writer);
	uvet_set_free(c->set);
	engines_close(&c->engines);
	engines_close(&c->alone);
	return code;
}

int check_command(const struct settings *settings)
{
	struct check_run c = { .settings = settings };
	int code = references_learn(settings);

	if (code != STATUS_DONE)
		return code;
	if (!sets_find_game(settings))
		return STATUS_USAGE;
	code = inputs_open(&c.inputs, settings);
	if (code == STATUS_DONE && settings->statistics && !statistics_begin(&c.statistics)) {
		message("out of memory");
		code = STATUS_TROUBLE;
	}
	if (!acceptance_open(&c.acceptance, &settings->baseline, &settings->accepted))
		code = code == STATUS_DONE ? STATUS_USAGE : code;
	if (code == STATUS_DONE)
		code = check_all(&c);
	acceptance_close(&c.acceptance);
	statistics_free(&c.statistics);
	inputs_close(&c.inputs);
	return code;
}
