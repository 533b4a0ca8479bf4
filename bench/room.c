/* bench_room [--OPTION=VALUE]... FILE... checks files as the library does, and tells for each
 * how much memory the check held at a time, beside what it may (fuzz/oracle/memory_bound.h), and
 * how much its reports hold. It exits with 1 if any took more. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "oracle/memory_bound.h"

#define MEBIBYTE ((uint64_t)1 << 20)

/* An allocator that counts. */
struct counter {
	uint64_t live, peak;
};

static void *count_alloc(void *ctx, size_t size)
{
	struct counter *c = ctx;

	c->live += size;
	if (c->live > c->peak)
		c->peak = c->live;
	return malloc(size);
}

static void count_release(void *ctx, void *memory, size_t size)
{
	struct counter *c = ctx;

	c->live -= size;
	free(memory);
}

/* The first bytes of a file, where the header of a container says how long its blocks are; the
 * whole of a .utoc, for a second reading of it. */
static uint8_t *read_whole(const char *path)
{
	FILE *f = fopen(path, "rb");
	uint8_t *bytes = NULL;
	long size = -1;

	if (f && fseek(f, 0, SEEK_END) == 0)
		size = ftell(f);
	if (size >= 0 && fseek(f, 0, SEEK_SET) == 0)
		bytes = malloc((size_t)size + 1);
	if (!bytes || fread(bytes, 1, (size_t)size, f) != (size_t)size) {
		fprintf(stderr, "bench_room: cannot read %s\n", path);
		exit(2);
	}
	fclose(f);
	return bytes;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* How much more than a mebibyte each byte of the file takes. */
static double per_byte(uint64_t n, uint64_t size)
{
	return n > MEBIBYTE && size > 0 ? (double)(n - MEBIBYTE) / (double)size : 0;
}

/* Tells whether the check kept its bound. */
static bool measure(const uvet_options *options, struct counter *c, const char *path)
{
	uint8_t *bytes = read_whole(path);
	const struct report *r;
	uvet_report *report;
	uvet_engine *engine;
	uint64_t before, taken, bound;
	bool kept;

	if (uvet_engine_new(options, &engine) != UVET_OK)
		exit(2);
	before = c->peak = c->live;
	if (uvet_check_path(engine, path, NULL, &report) != UVET_OK)
		exit(2);
	r = api_report(report);
	taken = c->peak - before;
	bound = memory_bound_of(&engine->engine, r, bytes);
	kept = taken <= bound;
	printf("%-28s %11llu bytes, at a time %11llu: 1 MiB and %5.2f for each, may be %5.2f; "
	       "reports %llu%s\n",
	       last_part(path), (unsigned long long)r->size, (unsigned long long)taken,
	       per_byte(taken, r->size), per_byte(bound, r->size),
	       (unsigned long long)uvet_report_held(report), kept ? "" : "  NOT MET");
	uvet_report_free(report);
	uvet_engine_free(engine);
	free(bytes);
	return kept;
}

static bool set_option(uvet_options *options, char *text)
{
	char *equals = strchr(text, '=');

	if (!equals)
		return false;
	*equals = '\0';
	return uvet_options_set(options, text + 2, equals + 1) == UVET_OK;
}

int main(int argc, char **argv)
{
	struct counter counter = { 0, 0 };
	uvet_options *options;
	int code = 0;

	if (uvet_options_new(&options) != UVET_OK)
		return 2;
	uvet_options_allocator(options, count_alloc, count_release, &counter);
	for (int i = 1; i < argc; i++) {
		if (strncmp(argv[i], "--", 2) != 0) {
			code |= !measure(options, &counter, argv[i]);
		} else if (!set_option(options, argv[i])) {
			fprintf(stderr, "usage: bench_room [--OPTION=VALUE]... FILE...\n");
			return 2;
		}
	}
	uvet_options_free(options);
	return code;
}
