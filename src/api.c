/* The public interface: uvet.h, thinly over the engine and the reports. */
#include "api.h"

#include <string.h>

#include "report/message.h"

#define RULESET "2026.1"

_Static_assert((int)UVET_NOT_APPLICABLE == (int)VERDICT_NOT_APPLICABLE, "verdicts have the same numbers inside and outside");
_Static_assert((int)UVET_SEVERITY_ERROR == (int)SEVERITY_ERROR, "severities have the same numbers inside and outside");

/* The handles stand for these. */
static const struct report *inner_report(const uvet_report *r)
{
	return (const void *)r;
}

static const struct finding *inner_finding(const uvet_finding *f)
{
	return (const void *)f;
}

/* ---- Names -------------------------------------------------------------------------------------------------------------- */

const char *uvet_status_name(uvet_status status)
{
	static const char *const names[] = { "ok", "no_memory", "bad_option", "bad_call", "write_failed" };

	return (size_t)status < sizeof names / sizeof *names ? names[status] : "";
}

const char *uvet_verdict_name(uvet_verdict verdict)
{
	return (size_t)verdict < N_VERDICTS ? verdict_name((enum verdict)verdict) : "";
}

const char *uvet_severity_name(uvet_severity severity)
{
	return (size_t)severity < N_SEVERITIES ? severity_name((enum severity)severity) : "";
}

const char *uvet_version(void)
{
	return UVET_VERSION;
}

const char *uvet_ruleset(void)
{
	return RULESET;
}

/* ---- Engine ------------------------------------------------------------------------------------------------------------- */

uvet_status uvet_engine_new(const uvet_options *options, uvet_engine **out)
{
	struct allocator a = { platform_alloc, platform_release, NULL };
	uvet_engine *e;

	if (!out)
		return UVET_BAD_CALL;
	*out = NULL;
	if (options)
		a = options->settings.allocator;
	e = a.alloc(a.ctx, sizeof *e);
	if (!e)
		return UVET_NO_MEMORY;
	if (options)
		memcpy(&e->engine, &options->settings, sizeof e->engine);
	else
		engine_init(&e->engine, a);
	atomic_init(&e->engine.cancel, false);
	*out = e;
	return UVET_OK;
}

void uvet_engine_free(uvet_engine *engine)
{
	struct allocator a;

	if (!engine)
		return;
	a = engine->engine.allocator;
	a.release(a.ctx, engine, sizeof *engine);
}

void uvet_engine_cancel(uvet_engine *engine)
{
	if (engine)
		atomic_store_explicit(&engine->engine.cancel, true, memory_order_relaxed);
}

/* ---- Inputs ------------------------------------------------------------------------------------------------------------- */

static bool io_read_at(void *ctx, uint64_t at, void *buf, size_t len, size_t *n_read)
{
	const uvet_io *io = ctx;

	return io->read_at(io->ctx, at, buf, len, n_read) == 0;
}

static bool io_unchanged(void *ctx)
{
	const uvet_io *io = ctx;

	return io->unchanged(io->ctx) != 0;
}

struct check_input api_input_of_io(const char *name, uvet_io *io)
{
	return (struct check_input){
		.name = name,
		.io = { io_read_at, io->unchanged ? io_unchanged : NULL, io, io->size },
	};
}

struct check_input api_input_of_path(const char *path, struct platform_file *file)
{
	struct check_input in = { .name = path };

	if (platform_file_open(path, file))
		in.io = platform_file_io(file);
	else
		in.unreadable = true;
	return in;
}

void api_input_close(const struct check_input *in, struct platform_file *file)
{
	if (!in->unreadable)
		platform_file_close(file);
}

/* ---- Checking ----------------------------------------------------------------------------------------------------------- */

static uvet_status check(uvet_engine *engine, const struct check_input *in, const uvet_hooks *hooks, uvet_report **out)
{
	struct report *r = engine_check(&engine->engine, in);

	if (!r)
		return UVET_NO_MEMORY;
	for (size_t i = 0; hooks && hooks->on_finding && i < r->n_findings; i++)
		if (hooks->on_finding(hooks->ctx, (const void *)r->findings[i]) != 0)
			break;
	*out = (void *)r;
	return UVET_OK;
}

uvet_status uvet_check_path(uvet_engine *engine, const char *path, const uvet_hooks *hooks, uvet_report **out)
{
	struct platform_file file;
	struct check_input in;
	uvet_status status;

	if (!engine || !path || !out)
		return UVET_BAD_CALL;
	*out = NULL;
	in = api_input_of_path(path, &file);
	status = check(engine, &in, hooks, out);
	api_input_close(&in, &file);
	return status;
}

uvet_status uvet_check_memory(uvet_engine *engine, const char *name, const void *bytes, size_t len, const uvet_hooks *hooks,
			      uvet_report **out)
{
	struct check_input in = { .io.size = len, .memory = bytes, .name = name };

	if (!engine || !name || (!bytes && len > 0) || !out)
		return UVET_BAD_CALL;
	*out = NULL;
	if (!bytes)
		in.memory = (const uint8_t *)"";
	return check(engine, &in, hooks, out);
}

uvet_status uvet_check_io(uvet_engine *engine, const char *name, const uvet_io *io, const uvet_hooks *hooks, uvet_report **out)
{
	struct check_input in;
	uvet_io copy;

	if (!engine || !name || !io || !io->read_at || !out)
		return UVET_BAD_CALL;
	*out = NULL;
	copy = *io;
	in = api_input_of_io(name, &copy);
	return check(engine, &in, hooks, out);
}

/* ---- Reports ------------------------------------------------------------------------------------------------------------ */

void uvet_report_free(uvet_report *report)
{
	report_free((void *)report);
}

uvet_verdict uvet_report_verdict(const uvet_report *report)
{
	return (uvet_verdict)inner_report(report)->verdict;
}

const char *uvet_report_name(const uvet_report *report)
{
	return inner_report(report)->name;
}

const char *uvet_report_format(const uvet_report *report)
{
	const struct format *f = inner_report(report)->format;

	return f ? f->name : "";
}

size_t uvet_report_count(const uvet_report *report)
{
	return inner_report(report)->n_findings;
}

uint64_t uvet_report_found(const uvet_report *report, uvet_severity severity)
{
	return (size_t)severity < N_SEVERITIES ? inner_report(report)->n_found[severity] : 0;
}

const uvet_finding *uvet_report_at(const uvet_report *report, size_t index)
{
	const struct report *r = inner_report(report);

	return index < r->n_findings ? (const void *)r->findings[index] : NULL;
}

uint64_t uvet_report_memory(const uvet_report *report)
{
	return inner_report(report)->memory;
}

const char *uvet_finding_rule(const uvet_finding *finding)
{
	return inner_finding(finding)->rule->id;
}

const char *uvet_finding_name(const uvet_finding *finding)
{
	return inner_finding(finding)->rule->name;
}

uvet_severity uvet_finding_severity(const uvet_finding *finding)
{
	return (uvet_severity)inner_finding(finding)->severity;
}

int uvet_finding_place(const uvet_finding *finding, uint64_t *offset, uint64_t *length)
{
	const struct place *p = &inner_finding(finding)->place;

	if (!p->known)
		return 0;
	*offset = p->span.at;
	*length = p->span.len;
	return 1;
}

size_t uvet_finding_message(const uvet_finding *finding, char *buf, size_t size)
{
	struct out o;

	message_render(&o, inner_finding(finding));
	return api_copy(&o, buf, size);
}

size_t uvet_finding_field(const uvet_finding *finding, char *buf, size_t size)
{
	const struct finding *f = inner_finding(finding);
	struct out o;

	out_init(&o, NULL, NULL);
	if (message_has_field(&f->place))
		message_field(&o, &f->place);
	return api_copy(&o, buf, size);
}

/* ---- Runs --------------------------------------------------------------------------------------------------------------- */

static uvet_status status_of(enum run_result result)
{
	static const uvet_status statuses[] = {
		[RUN_OK] = UVET_OK, [RUN_NO_MEMORY] = UVET_NO_MEMORY, [RUN_WRITE_FAILED] = UVET_WRITE_FAILED,
		[RUN_NO_SUCH_FORMAT] = UVET_BAD_OPTION, [RUN_TOO_LATE] = UVET_BAD_CALL,
	};

	return statuses[result];
}

uvet_status uvet_run_new(uvet_engine *engine, uvet_run **out)
{
	uvet_run *run;

	if (!engine || !out)
		return UVET_BAD_CALL;
	run = engine->engine.allocator.alloc(engine->engine.allocator.ctx, sizeof *run);
	*out = run;
	if (!run)
		return UVET_NO_MEMORY;
	run_init(&run->run, &engine->engine, (struct tool){ UVET_VERSION, RULESET });
	return UVET_OK;
}

void uvet_run_free(uvet_run *run)
{
	struct allocator a;

	if (!run)
		return;
	a = run->run.arena.from;
	run_free(&run->run);
	a.release(a.ctx, run, sizeof *run);
}

uvet_status uvet_run_write(uvet_run *run, const char *format, uvet_sink *sink, void *ctx)
{
	return run && format && sink ? status_of(run_output(&run->run, format, sink, ctx)) : UVET_BAD_CALL;
}

uvet_status uvet_run_add(uvet_run *run, const uvet_report *report)
{
	return run && report ? status_of(run_add(&run->run, inner_report(report))) : UVET_BAD_CALL;
}

uvet_status uvet_run_end(uvet_run *run)
{
	return run ? status_of(run_end(&run->run)) : UVET_BAD_CALL;
}

uvet_verdict uvet_run_verdict(const uvet_run *run)
{
	return (uvet_verdict)run->run.totals.verdict;
}

int uvet_run_exit_code(const uvet_run *run)
{
	return run_exit_code(&run->run);
}
