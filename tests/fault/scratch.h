/* A folder of a test's own, which it works in and leaves empty. */
#ifndef UVET_TESTS_SCRATCH_H
#define UVET_TESTS_SCRATCH_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit/unit.h"

static char scratch_path[] = "uvet-scratch-XXXXXX";

/* scratch_open makes the folder and goes there; scratch_close removes it, and fails where anything
 * but the tests' own files is left. */
static inline int scratch_open(void **state)
{
	(void)state;
	return !mkdtemp(scratch_path) || chdir(scratch_path) != 0;
}

static inline int scratch_close(void **state)
{
	(void)state;
	return chdir("..") != 0 || rmdir(scratch_path) != 0;
}

static inline void scratch_write_bytes(const char *name, const char *bytes, size_t n)
{
	FILE *f = fopen(name, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static inline void scratch_write(const char *name, const char *text)
{
	scratch_write_bytes(name, text, strlen(text));
}

static inline void scratch_expect(const char *name, const char *text)
{
	char found[256];
	FILE *f = fopen(name, "rb");

	assert_non_null(f);
	found[fread(found, 1, sizeof found - 1, f)] = '\0';
	fclose(f);
	assert_string_equal(found, text);
}

/* scratch_count counts what lies in a folder. */
static inline unsigned scratch_count(const char *path)
{
	DIR *folder = opendir(path);
	unsigned n = 0;

	assert_non_null(folder);
	for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
		n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	closedir(folder);
	return n;
}

#endif
