/* Showing a seed in one form. */
#include "show.h"

#include <string.h>

#include "support/strict.h"
#include "support/strict_pipelines.h"

static const struct {
	const char *name, *format;
} forms[] = {
	[FORM_JSON] = { "JSON report", "json" },
	[FORM_NDJSON] = { "report in lines of JSON", "ndjson" },
	[FORM_SARIF] = { "SARIF report", "sarif" },
	[FORM_SARIF_GITHUB] = { "SARIF report for GitHub", "sarif-github" },
	[FORM_TEXT] = { "report in text", "text" },
	[FORM_TEXT_COLOR] = { "report in coloured text", "text-color" },
	[FORM_CONCISE] = { "concise report", "concise" },
	[FORM_JUNIT] = { "JUnit report", "junit" },
	[FORM_CHECKSTYLE] = { "Checkstyle report", "checkstyle" },
	[FORM_GITHUB] = { "report as workflow commands", "github" },
	[FORM_GITLAB] = { "report as code quality", "gitlab" },
	[FORM_CSV] = { "report as a table", "csv" },
	[FORM_MARKDOWN] = { "report in Markdown", "markdown" },
	[FORM_HTML] = { "report in HTML", "html" },
	[FORM_MAP] = { "map in JSON", "json" },
	[FORM_MAP_TEXT] = { "map in text", "text" },
	[FORM_INFO] = { "info in JSON", "json" },
	[FORM_INFO_TEXT] = { "info in text", "text" },
};

const char *form_name(enum form form)
{
	return forms[form].name;
}

bool form_is_sound(enum form form, const struct page *page)
{
	const uint8_t *bytes = (const uint8_t *)page->text;

	switch (form) {
	case FORM_JSON:
	case FORM_SARIF:
	case FORM_SARIF_GITHUB:
	case FORM_GITLAB:
	case FORM_MAP:
	case FORM_INFO:
		return strict_json(bytes, page->n);
	case FORM_NDJSON:
		return strict_lines(bytes, page->n);
	case FORM_JUNIT:
	case FORM_CHECKSTYLE:
		return strict_xml(bytes, page->n);
	case FORM_HTML:
		return strict_html(bytes, page->n);
	case FORM_CSV:
		return strict_csv(bytes, page->n);
	case FORM_GITHUB:
		return strict_commands(bytes, page->n);
	default:
		return strict_text(bytes, page->n, form == FORM_TEXT_COLOR) == NULL;
	}
}

bool page_same(const struct page *a, const struct page *b)
{
	return a->n == b->n && (a->n == 0 || memcmp(a->text, b->text, a->n) == 0);
}

uvet_status show_report(uvet_engine *engine, const uvet_report *report, enum form form,
			uvet_sink *sink, void *ctx)
{
	uvet_writer *writer = NULL;
	uvet_status status = uvet_writer_new(engine, &writer);

	if (status == UVET_OK)
		status = uvet_writer_output(writer, forms[form].format, sink, ctx);
	if (status == UVET_OK)
		status = uvet_writer_add(writer, report);
	if (writer)
		status = first_failure(status, uvet_writer_end(writer));
	uvet_writer_free(writer);
	return status;
}

uvet_status show_facts(uvet_engine *engine, const struct seed *s, const uvet_io *io, enum form form,
		       uvet_sink *sink, void *ctx)
{
	if (form == FORM_MAP || form == FORM_MAP_TEXT)
		return uvet_map_io(engine, s->file, io, NULL, forms[form].format, sink, ctx);
	return uvet_info_io(engine, s->file, io, NULL, forms[form].format, sink, ctx);
}

struct shown show_seed(uvet_engine *engine, const struct seed *s, const uvet_io *io, enum form form,
		       const _Atomic uint64_t *clock)
{
	struct shown o = { .output = UVET_NO_MEMORY };
	uvet_report *report = NULL;

	page_init(&o.page);
	if (!form_is_report(form)) {
		o.output = show_facts(engine, s, io, form, page_sink, &o.page);
		return o;
	}
	o.check = uvet_check_io(engine, s->file, io, NULL, &report);
	o.check_ended = clock ? *clock : 0;
	if (o.check == UVET_OK) {
		o.verdict = uvet_report_verdict(report);
		o.output = show_report(engine, report, form, page_sink, &o.page);
	}
	uvet_report_free(report);
	return o;
}
