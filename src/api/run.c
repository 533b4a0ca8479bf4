/* The public interface to runs. */
#include "api/api.h"

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
	run_init(&run->run, &engine->engine, (struct tool){ UVET_VERSION, uvet_ruleset() });
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
	return run && report ? status_of(run_add(&run->run, api_report(report))) : UVET_BAD_CALL;
}

uvet_status uvet_run_add_alone(uvet_run *run, const uvet_report *report)
{
	return run && report ? status_of(run_add_alone(&run->run, api_report(report))) : UVET_BAD_CALL;
}

uvet_status uvet_run_left_out(uvet_run *run, uint64_t links, uint64_t specials, uint64_t mounts)
{
	return run ? status_of(run_left_out(&run->run, (struct left_out){ links, specials, mounts })) : UVET_BAD_CALL;
}

uvet_status uvet_run_end(uvet_run *run)
{
	return run ? status_of(run_end(&run->run)) : UVET_BAD_CALL;
}

uvet_verdict uvet_run_verdict(const uvet_run *run)
{
	return (uvet_verdict)run->run.totals.verdict;
}

unsigned uvet_run_scope(const uvet_run *run)
{
	return api_scope(&run->run.totals.scope);
}

int uvet_run_exit_code(const uvet_run *run)
{
	return run_exit_code(&run->run);
}
