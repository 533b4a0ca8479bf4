/* What the benchmark programs share: a clock of CPU time, and a file in memory. Included first,
 * because the clock needs POSIX. */
#ifndef UVET_BENCH_BENCH_H
#define UVET_BENCH_BENCH_H

#define _GNU_SOURCE 1

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* bench_now returns the CPU time that this thread has used, in nanoseconds. */
static inline uint64_t bench_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* bench_load reads a whole file, which the caller frees; it ends the program if it cannot. */
static inline uint8_t *bench_load(const char *path, size_t *len)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data = NULL;
	long size = -1;

	if (f && fseek(f, 0, SEEK_END) == 0)
		size = ftell(f);
	if (size > 0 && fseek(f, 0, SEEK_SET) == 0)
		data = malloc((size_t)size);
	if (!data || fread(data, 1, (size_t)size, f) != (size_t)size) {
		fprintf(stderr, "cannot read %s\n", path);
		exit(1);
	}
	fclose(f);
	*len = (size_t)size;
	return data;
}

#endif
