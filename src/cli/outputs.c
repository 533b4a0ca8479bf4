/* Outputs: opened with care for what they replace, written whole or not at all, and every failure
 * remembered. */
#include "cli/outputs.h"

#include <string.h>

#include "cli/message.h"

static const char *const formats[] = {
	"text",       "concise", "json",   "ndjson", "sarif",    "sarif-github", "junit",
	"checkstyle", "github",  "gitlab", "csv",    "markdown", "html",
};

const char *output_format(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (strlen(formats[i]) == len && memcmp(formats[i], name, len) == 0)
			return formats[i];
	return NULL;
}

bool output_is_for_people(const char *format)
{
	return strcmp(format, "text") == 0 || strcmp(format, "concise") == 0;
}

/* ---- One output ------------------------------------------------------------------------------ */

struct output output_open_stdout(void)
{
	return (struct output){ .to = platform_output_stdout() };
}

static void output_fail(struct output *o)
{
	if (!o->failed)
		o->error = platform_error();
	o->failed = true;
}

/* These tell why an output failed. */
static bool is_hung_up(const struct output *o)
{
	return !o->file && platform_is_hung_up(o->error);
}

static bool may_go_on(const struct output *o)
{
	return o->may_hang_up && is_hung_up(o);
}

int output_sink(void *ctx, const void *bytes, size_t len)
{
	struct output *o = ctx;

	if (!o->failed && !platform_output_write(&o->to, bytes, len))
		output_fail(o);
	return o->failed && !may_go_on(o) ? -1 : 0;
}

static void complain(const char *file, int error, const char *deed)
{
	char reason[128];

	platform_error_text(error, reason, sizeof reason);
	if (file)
		message("the report '%s' could not be %t: %s", file, deed, reason);
	else
		message("standard output could not be %t: %s", deed, reason);
}

static int output_finish(struct output *o)
{
	if (!platform_output_finish(&o->to))
		output_fail(o);
	if (!o->failed || may_go_on(o))
		return STATUS_DONE;
	if (is_hung_up(o))
		return STATUS_HUNG_UP;
	complain(o->file, o->error, "written");
	return STATUS_TROUBLE;
}

int output_close(struct output *o)
{
	int status = output_finish(o);

	platform_output_discard(&o->to);
	return status;
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* Whether a file is of a format that uvet knows. If that cannot be found out, the answer is yes. */
static bool is_of_value(const char *path)
{
	uvet_options *options = NULL;
	uvet_engine *engine = NULL;
	uvet_report *report = NULL;
	bool worthless = false;

	if (uvet_options_new(&options) != UVET_OK)
		return true;
	(void)uvet_options_set(options, "unknown", "skip");
	(void)uvet_options_set(options, "level", "structure");
	if (uvet_engine_new(options, &engine) == UVET_OK &&
	    uvet_check_path(engine, path, NULL, &report) == UVET_OK)
		worthless = uvet_report_verdict(report) == UVET_NOT_APPLICABLE;
	uvet_report_free(report);
	uvet_engine_free(engine);
	uvet_options_free(options);
	return !worthless;
}

/* An empty part of a container is worth keeping too. */
static bool is_there(const char *path)
{
	struct platform_identity unused;

	return platform_path_look(path, &unused) == PLATFORM_FILE;
}

static int refuse(const char *file, const char *why)
{
	message("the report '%s' is not written: %t", file, why);
	return STATUS_USAGE;
}

static int may_overwrite(const struct output *o, const struct inputs *inputs)
{
	if (!o->to.target)
		return STATUS_DONE;
	if (inputs_name(inputs, &o->to.identity))
		return refuse(o->file, "it is one of the files to check");
	if (inputs_options_name(inputs, &o->to.identity))
		return refuse(o->file, "an option names it as a file to read");
	if ((input_may_be_part(o->file) && is_there(o->file)) ||
	    (o->to.identity.size > 0 && is_of_value(o->file)))
		return refuse(o->file, "it exists and may be a mod file; delete it first");
	return STATUS_DONE;
}

static int open_file(const char *file, const struct inputs *inputs, struct output *o)
{
	int status;

	*o = (struct output){ .file = file };
	switch (platform_output_open(file, &o->to)) {
	case PLATFORM_OUTPUT_OPEN:
		break;
	case PLATFORM_OUTPUT_NOT_A_FILE:
		return refuse(file, "it is a link, or something else that is no regular file");
	case PLATFORM_OUTPUT_SHARED:
		return refuse(file, "the file there has a second name");
	case PLATFORM_OUTPUT_UNREAD:
		message("the report '%s' could not be opened: nobody reads from it", file);
		return STATUS_TROUBLE;
	case PLATFORM_OUTPUT_FAILED:
		complain(file, platform_error(), "opened");
		return STATUS_TROUBLE;
	}
	status = may_overwrite(o, inputs);
	if (status != STATUS_DONE)
		platform_output_discard(&o->to);
	return status;
}

/* Standard output may be redirected to a file that another report names. */
static int check_shared(const struct outputs *o)
{
	const struct output *a, *b;

	for (int i = 1; i < o->n; i++) {
		for (int j = 0; j < i; j++) {
			a = &o->of[i], b = &o->of[j];
			if (platform_output_same(&a->to, &b->to))
				return refuse(a->file ? a->file : b->file,
					      "another report goes to the same file");
		}
	}
	return STATUS_DONE;
}

static int begin_all(struct outputs *o)
{
	for (int i = 0; i < o->n; i++) {
		if (!platform_output_begin(&o->of[i].to)) {
			complain(o->of[i].file, platform_error(), "begun");
			return STATUS_TROUBLE;
		}
	}
	return STATUS_DONE;
}

static void discard_all(struct outputs *o)
{
	for (int i = 0; i < o->n; i++)
		platform_output_discard(&o->of[i].to);
	o->n = 0;
}

int outputs_open(struct outputs *o, const struct settings *settings, const struct inputs *inputs)
{
	int status = STATUS_DONE;

	o->n = 0;
	for (int i = 0; i < settings->n_outputs && status == STATUS_DONE; i++) {
		const char *file = settings->outputs[i].file;

		if (file)
			status = open_file(file, inputs, &o->of[o->n]);
		else
			o->of[o->n] = output_open_stdout();
		o->of[o->n].may_hang_up = settings->n_outputs > 1;
		o->n += status == STATUS_DONE;
	}
	if (status == STATUS_DONE)
		status = check_shared(o);
	if (status == STATUS_DONE)
		status = begin_all(o);
	if (status != STATUS_DONE)
		discard_all(o);
	return status;
}

bool outputs_has(const struct outputs *o, const struct platform_identity *file)
{
	for (int i = 0; i < o->n; i++)
		if (platform_output_is(&o->of[i].to, file))
			return true;
	return false;
}

static bool replace(struct output *o)
{
	bool is_another;

	if (platform_output_replace(&o->to, &is_another))
		return true;
	if (is_another)
		message("the report '%s' is not written: the file there is another one than before",
			o->file);
	else
		complain(o->file, platform_error(), "put into its place");
	return false;
}

/* No report replaces its file before all are complete. */
int outputs_close(struct outputs *o, bool is_complete)
{
	int status = STATUS_DONE;

	for (int i = 0; i < o->n; i++) {
		int finished = output_finish(&o->of[i]);

		if (finished != STATUS_DONE)
			status = finished;
	}
	for (int i = 0; i < o->n && status == STATUS_DONE && is_complete; i++)
		if (!replace(&o->of[i]))
			status = STATUS_TROUBLE;
	discard_all(o);
	return status;
}
