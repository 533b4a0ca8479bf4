/* Measures checks of a .utoc's tables beside one pass over its bytes.
 *
 *     bench_tables ROUNDS FILE.utoc
 *
 * prints one line a round: nanoseconds of the pass, eight bytes at a time; nanoseconds of a
 * whole check of the bytes in memory, which looks at nothing else; findings of WARNING and
 * above; bytes of memory that the check held. */
#include "bench.h"

#include <string.h>

#include "uvet/uvet.h"

static uint64_t time_pass(const uint8_t *data, size_t len)
{
	uint64_t from = bench_now(), word, sum = 0;

	for (size_t at = 0; at + 8 <= len; at += 8) {
		memcpy(&word, data + at, 8);
		sum += word;
		/* eight bytes at a time, whatever the compiler thinks of it */
		__asm__ volatile("" : "+r"(sum));
	}
	return bench_now() - from;
}

/* What a check told beside its time. */
struct told {
	uint64_t found, memory;
};

static uint64_t time_check(uvet_engine *engine, const uint8_t *data, size_t len, struct told *told)
{
	uint64_t from = bench_now();
	uvet_report *report;

	if (uvet_check_memory(engine, "Bench_P.utoc", data, len, NULL, &report) != UVET_OK)
		exit(1);
	from = bench_now() - from;
	told->memory = uvet_report_memory(report);
	told->found = uvet_report_found(report, UVET_SEVERITY_WARNING) +
		      uvet_report_found(report, UVET_SEVERITY_ERROR) +
		      uvet_report_found(report, UVET_SEVERITY_UNDETERMINED);
	uvet_report_free(report);
	return from;
}

int main(int argc, char **argv)
{
	uvet_options *options;
	uvet_engine *engine;
	struct told told;
	uint8_t *data;
	size_t len;

	if (argc != 3 || uvet_options_new(&options) != UVET_OK ||
	    uvet_options_set(options, "level", "structure") != UVET_OK ||
	    uvet_options_set(options, "siblings", "none") != UVET_OK ||
	    uvet_engine_new(options, &engine) != UVET_OK)
		return 2;
	data = bench_load(argv[2], &len);
	for (long r = atol(argv[1]); r > 0; r--) {
		unsigned long long pass = time_pass(data, len),
				   check = time_check(engine, data, len, &told);

		printf("%llu %llu %llu %llu\n", pass, check, (unsigned long long)told.found,
		       (unsigned long long)told.memory);
	}
	free(data);
	uvet_engine_free(engine);
	uvet_options_free(options);
	return 0;
}
