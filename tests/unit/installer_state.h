/* What tests of manifests begin with: an engine, and the report on an installer that was checked
 * last. */
#ifndef UVET_TESTS_INSTALLER_STATE_H
#define UVET_TESTS_INSTALLER_STATE_H

#include "engine_state.h"

static struct report *report;

static inline int installer_begin(void **state)
{
	report = NULL;
	return begin(state);
}

static inline int installer_end(void **state)
{
	report_free(report);
	return end(state);
}

static inline void check_file(void)
{
	struct check_input in = {
		.io.size = file.n, .memory = file.bytes, .name = "a.umod", .cancel = &is_cancelled
	};

	report_free(report);
	report = engine_check(&engine, &in);
	assert_non_null(report);
}

static inline const struct rule_result *result_of(const char *id)
{
	return report_result(report, catalog_find(id, 6));
}

/* How often a rule fired, at any severity. */
static inline uint64_t n_found(const char *id)
{
	uint64_t n = 0;

	for (size_t s = 0; s <= SEVERITY_ERROR; s++)
		n += result_of(id)->n_found[s];
	return n;
}

#endif
