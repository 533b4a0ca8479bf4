/* What tests of report writers begin with: a sink that keeps what it is given, and a report made by
 * hand in a report writer of its own. */
#ifndef UVET_TESTS_REPORT_WRITER_STATE_H
#define UVET_TESTS_REPORT_WRITER_STATE_H

#include <stdlib.h>

#include "report/report_writer.h"
#include "sample_rule.h"
#include "unit.h"

/* ---- A sink that keeps, and one that refuses ------------------------------------------------- */

enum { KEPT_MAX = 1 << 20 };

/* A kept takes bytes until it holds `max` of them, and counts how often it is asked after that. */
struct kept {
	uint8_t bytes[KEPT_MAX];
	size_t n, max;
	unsigned n_refused;
};

static struct kept kept;

static inline void keep(size_t max)
{
	kept.n = 0;
	kept.max = max;
	kept.n_refused = 0;
}

static inline int keep_sink(void *ctx, const void *bytes, size_t len)
{
	struct kept *k = ctx;

	if (len > k->max - k->n) {
		k->n_refused++;
		return 1;
	}
	memcpy(k->bytes + k->n, bytes, len);
	k->n += len;
	return 0;
}

/* ---- A report made by hand ------------------------------------------------------------------- */

enum { FINDINGS_MAX = 40 };

/* A bench is a report made by hand, of one rule, in a report writer. */
struct bench {
	struct engine *engine;
	struct fault_memory memory;
	struct report report;
	uint8_t status[1];
	uint8_t why[1];
	struct rule_result result[1];
	const char *reasons[REASONS_MAX];
	struct results_notes notes;
	const struct rule *rules[1];
	struct finding findings[FINDINGS_MAX];
	const struct finding *list[FINDINGS_MAX];
	struct report_writer writer;
};

static inline void bench_open(struct bench *b, const char *name, size_t n, enum severity severity)
{
	*b = (struct bench){ .engine = malloc(sizeof *b->engine), .rules = { &sample_rule } };
	assert_non_null(b->engine);
	engine_init(b->engine, (struct allocator){ fault_alloc, fault_release, &b->memory });
	b->engine->rules[0] = &sample_rule;
	for (size_t i = 0; i < n; i++) {
		b->findings[i] = (struct finding){
			.rule = &sample_rule,
			.severity = severity,
			.place = AT_SPAN(i, 4),
			.n_args = 1,
			.snippet_len = 32,
			.snippet = "::x\n##[y]\x1b",
			.n_related = 1,
			.related = { { AT_SPAN(1, 2), "the other" } },
		};
		b->findings[i].args[0] = text_arg("::x\n##vso[", true);
		b->list[i] = &b->findings[i];
	}
	b->status[0] = n > 0 ? RULE_FAIL : RULE_PASS;
	b->result[0] = (struct rule_result){ .status = RULE_FAIL, .n_kept = n };
	b->result[0].n_found[severity] = n;
	b->notes.own = b->result;
	b->notes.reasons = b->reasons;
	b->report = (struct report){
		.name = name,
		.size = 962,
		.rules = b->rules,
		.results = { b->status, b->why, &b->notes },
		.n_rules = 1,
		.findings = b->list,
		.n_findings = n,
		.verdict = n == 0                       ? VERDICT_VALID
			   : severity == SEVERITY_ERROR ? VERDICT_INVALID
							: VERDICT_UNDETERMINED,
	};
	b->report.n_found[severity] = n;
	if (severity == SEVERITY_WARNING || severity == SEVERITY_NOTE)
		b->report.verdict = VERDICT_VALID;
	report_writer_init(&b->writer, b->engine, (struct tool){ "0", "R", NULL });
}

static inline void bench_close(struct bench *b)
{
	report_writer_free(&b->writer);
	assert_int_equal(b->memory.n_live, 0);
	free(b->engine);
}

static inline enum writer_result write_all(struct bench *b, const char *format, size_t max)
{
	enum writer_result result;

	keep(max);
	assert_int_equal(report_writer_output(&b->writer, format, keep_sink, &kept), WRITER_OK);
	report_writer_add(&b->writer, &b->report);
	result = report_writer_end(&b->writer);
	assert_int_equal(report_writer_end(&b->writer), result);
	return result;
}

/* expect_words expects a text in what was kept. */
static inline void expect_words(const char *format, const char *text)
{
	kept.bytes[kept.n] = 0;
	if (!strstr((const char *)kept.bytes, text))
		print_message("%s lacks %s:\n%s\n", format, text, (const char *)kept.bytes);
	assert_non_null(strstr((const char *)kept.bytes, text));
}

#endif
