/* Hiding executions: libFuzzer's counters are put back as they were, AFL++'s go to another map. A
 * replay has neither. */
#include "support/coverage.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/must.h"

/* The linker's names for the counters of all sources, and AFL++'s own under other names, because
 * its compiler declares them in each source itself (CMakeLists.txt). */
extern uint8_t __start___sancov_cntrs[] __attribute__((weak, visibility("hidden")));
extern uint8_t __stop___sancov_cntrs[] __attribute__((weak, visibility("hidden")));
extern uint8_t *afl_area __attribute__((weak));
extern uint32_t afl_map_size __attribute__((weak));

static uint8_t *kept;
static uint8_t *area;

static uint8_t *room(size_t n)
{
	if (!kept)
		kept = malloc(n > 0 ? n : 1);
	MUST(kept, "the machine has memory for a harness");
	return kept;
}

void coverage_hide(void)
{
	const size_t n = (size_t)(__stop___sancov_cntrs - __start___sancov_cntrs);

	if (&afl_area) {
		area = afl_area;
		afl_area = room(afl_map_size);
	} else if (n > 0) {
		memcpy(room(n), __start___sancov_cntrs, n);
	}
}

void coverage_show(void)
{
	const size_t n = (size_t)(__stop___sancov_cntrs - __start___sancov_cntrs);

	if (&afl_area)
		afl_area = area;
	else if (n > 0)
		memcpy(__start___sancov_cntrs, kept, n);
}
