/* The public interface to report writers. */
#include "api/api.h"

static uvet_status status_of(enum writer_result result)
{
	static const uvet_status statuses[] = {
		[WRITER_OK] = UVET_OK,
		[WRITER_NO_MEMORY] = UVET_NO_MEMORY,
		[WRITER_REFUSED] = UVET_WRITE_FAILED,
		[WRITER_NO_SUCH_FORMAT] = UVET_BAD_OPTION,
		[WRITER_TOO_LATE] = UVET_BAD_CALL,
	};

	return statuses[result];
}

uvet_status uvet_writer_new(uvet_engine *engine, uvet_writer **out)
{
	uvet_writer *writer;

	if (!out)
		return UVET_BAD_CALL;
	*out = NULL;
	if (!engine)
		return UVET_BAD_CALL;
	writer = engine->engine.allocator.alloc(engine->engine.allocator.ctx, sizeof *writer);
	*out = writer;
	if (!writer)
		return UVET_NO_MEMORY;
	report_writer_init(&writer->inner, &engine->engine, api_tool());
	return UVET_OK;
}

void uvet_writer_free(uvet_writer *writer)
{
	struct allocator a;

	if (!writer)
		return;
	a = writer->inner.arena.from;
	report_writer_free(&writer->inner);
	a.release(a.ctx, writer, sizeof *writer);
}

uvet_status uvet_writer_output(uvet_writer *writer, const char *format, uvet_sink *sink, void *ctx)
{
	return writer && format && sink
		       ? status_of(report_writer_output(&writer->inner, format, sink, ctx))
		       : UVET_BAD_CALL;
}

static const char *pass_question(void *ctx, const struct report *r, const struct finding *f,
				 const char *fingerprint)
{
	const uvet_writer *writer = ctx;

	return writer->accept(writer->accept_ctx, (const void *)r, (const void *)f, fingerprint);
}

uvet_status uvet_writer_accept(uvet_writer *writer, uvet_accept *accept, void *ctx)
{
	enum writer_result result;

	if (!writer)
		return UVET_BAD_CALL;
	result = report_writer_accept(&writer->inner, accept ? pass_question : NULL, writer);
	if (result == WRITER_OK) {
		writer->accept = accept;
		writer->accept_ctx = ctx;
	}
	return status_of(result);
}

uvet_status uvet_writer_add(uvet_writer *writer, const uvet_report *report)
{
	return writer && report ? status_of(report_writer_add(&writer->inner, api_report(report)))
				: UVET_BAD_CALL;
}

uvet_status uvet_writer_add_alone(uvet_writer *writer, const uvet_report *report)
{
	return writer && report
		       ? status_of(report_writer_add_alone(&writer->inner, api_report(report)))
		       : UVET_BAD_CALL;
}

uvet_status uvet_writer_left_out(uvet_writer *writer, uint64_t links, uint64_t specials,
				 uint64_t mounts)
{
	return writer ? status_of(report_writer_left_out(
				&writer->inner, (struct left_out){ links, specials, mounts }))
		      : UVET_BAD_CALL;
}

uvet_status uvet_writer_end(uvet_writer *writer)
{
	return writer ? status_of(report_writer_end(&writer->inner)) : UVET_BAD_CALL;
}

uvet_status uvet_report_write(uvet_engine *engine, const uvet_report *report, const char *format,
			      uvet_sink *sink, void *ctx)
{
	uvet_writer *writer = NULL;
	uvet_status status = report ? uvet_writer_new(engine, &writer) : UVET_BAD_CALL;

	if (status == UVET_OK)
		status = uvet_writer_output(writer, format, sink, ctx);
	if (status == UVET_OK)
		(void)uvet_writer_add(writer, report); /* the end says whether it failed */
	if (status == UVET_OK)
		status = uvet_writer_end(writer);
	uvet_writer_free(writer);
	return status;
}

uvet_verdict uvet_writer_verdict(const uvet_writer *writer)
{
	return (uvet_verdict)writer->inner.totals.verdict;
}

unsigned uvet_writer_scope(const uvet_writer *writer)
{
	return api_scope(&writer->inner.totals.scope);
}

int uvet_writer_exit_code(const uvet_writer *writer)
{
	return report_writer_exit_code(&writer->inner);
}
