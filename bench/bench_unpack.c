/* Measures checks of compressed downloads beside zlib's inflate().
 *
 *     bench_unpack ROUNDS CHUNKS.uz2 FILE
 *
 * prints one line a round: nanoseconds of inflate() on the chunks, and nanoseconds of a whole
 * check of FILE, by turns in one thread. FILE is the same or holds the same package. */
#include "bench.h"

#include <string.h>
#include <zlib.h>

#include "uvet/uvet.h"

enum { CHUNK = 32768 };

static uint32_t number_at(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void inflate_all(z_stream *z, const uint8_t *data, size_t len, uint8_t *out)
{
	for (size_t at = 0; at + 8 <= len; at += 8 + number_at(data + at)) {
		if (inflateReset(z) != Z_OK)
			exit(1);
		z->next_in = (z_const Bytef *)data + at + 8;
		z->avail_in = number_at(data + at);
		z->next_out = out;
		z->avail_out = CHUNK;
		if (inflate(z, Z_FINISH) != Z_STREAM_END)
			exit(1);
		out += number_at(data + at + 4);
	}
}

static uint64_t time_inflate(const uint8_t *data, size_t len, uint8_t *out)
{
	z_stream z = { .next_in = NULL };
	uint64_t from;

	if (inflateInit(&z) != Z_OK)
		exit(1);
	from = bench_now();
	inflate_all(&z, data, len, out);
	from = bench_now() - from;
	inflateEnd(&z);
	return from;
}

static uint64_t time_check(uvet_engine *engine, const char *path, const uint8_t *data, size_t len)
{
	uint64_t from = bench_now();
	uvet_report *report;

	if (uvet_check_memory(engine, path, data, len, NULL, &report) != UVET_OK)
		exit(1);
	if (uvet_report_verdict(report) != UVET_VALID) {
		fprintf(stderr, "bench_unpack: the file is not in order\n");
		exit(1);
	}
	uvet_report_free(report);
	return bench_now() - from;
}

static size_t unpacked_len(const uint8_t *data, size_t len)
{
	size_t n = CHUNK;

	for (size_t at = 0; at + 8 <= len; at += 8 + number_at(data + at))
		n += number_at(data + at + 4);
	return n;
}

int main(int argc, char **argv)
{
	uvet_engine *engine;
	uint8_t *chunks, *file, *out;
	size_t chunks_len, file_len;

	if (argc != 4 || uvet_engine_new(NULL, &engine) != UVET_OK)
		return 2;
	chunks = bench_load(argv[2], &chunks_len);
	file = bench_load(argv[3], &file_len);
	out = malloc(unpacked_len(chunks, chunks_len));
	if (!out)
		return 1;
	memset(out, 1, unpacked_len(chunks, chunks_len));
	for (long r = atol(argv[1]); r > 0; r--) {
		unsigned long long inflated = time_inflate(chunks, chunks_len, out);

		printf("%llu %llu %zu\n", inflated,
		       (unsigned long long)time_check(engine, argv[3], file, file_len),
		       unpacked_len(chunks, chunks_len) - CHUNK);
	}
	free(chunks);
	free(file);
	free(out);
	uvet_engine_free(engine);
	return 0;
}
