/* Measures what the rules cost beyond the CRC of the same bytes.
 *
 *     bench_members ROUNDS FILE [IGNORED]
 *
 * prints one line a round: nanoseconds of the CRC, nanoseconds of a whole check, by turns in one
 * thread. */
#include "bench.h"

#include "codec/crc.h"
#include "uvet/uvet.h"

static uint64_t time_crc(const uint8_t *data, size_t len)
{
	struct crc crc = { 0 };
	uint64_t from = bench_now();

	for (size_t at = 0; at < len; at += 262144)
		crc_add(&crc, data + at, len - at < 262144 ? len - at : 262144);
	return bench_now() - from;
}

static uint64_t time_check(uvet_engine *engine, const uint8_t *data, size_t len)
{
	uint64_t from = bench_now();
	uvet_report *report;

	if (uvet_check_memory(engine, "bench.umod", data, len, NULL, &report) != UVET_OK)
		exit(1);
	if (uvet_report_verdict(report) != UVET_VALID || uvet_report_count(report) > 0) {
		fprintf(stderr, "bench_members: the file is not in order\n");
		exit(1);
	}
	uvet_report_free(report);
	return bench_now() - from;
}

int main(int argc, char **argv)
{
	uvet_options *options;
	uvet_engine *engine;
	uint8_t *data;
	size_t len;

	if (argc < 3 || uvet_options_new(&options) != UVET_OK)
		return 2;
	if (argc > 3 && uvet_options_set(options, "ignore", argv[3]) != UVET_OK)
		return 2;
	if (uvet_engine_new(options, &engine) != UVET_OK)
		return 1;
	data = bench_load(argv[2], &len);
	for (long r = atol(argv[1]); r > 0; r--) {
		unsigned long long crc = time_crc(data, len);

		printf("%llu %llu\n", crc, (unsigned long long)time_check(engine, data, len));
	}
	free(data);
	uvet_engine_free(engine);
	uvet_options_free(options);
	return 0;
}
