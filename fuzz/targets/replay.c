/* Replay: runs a harness over the files and folders that are named, each file once; a file that
 * breaks a promise stops it. */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "targets/harness.h"

enum { PATH_LEN = 4096, DEPTH_MAX = 8 };

/* Larger files are for the sweeps. */
#define FILE_MAX ((off_t)4194304)

static unsigned long n_run;

static void run_file(const char *path, off_t size)
{
	FILE *f = fopen(path, "rb");
	uint8_t *bytes = malloc(size > 0 ? (size_t)size : 1);

	if (!f || !bytes || fread(bytes, 1, (size_t)size, f) != (size_t)size) {
		fprintf(stderr, "%s: cannot be read\n", path);
		exit(2);
	}
	(void)fclose(f);
	if (getenv("UVET_FUZZ_VERBOSE"))
		fprintf(stderr, "%s\n", path);
	LLVMFuzzerTestOneInput(bytes, (size_t)size);
	free(bytes);
	n_run++;
}

static void run_path(const char *path, int depth);

static void run_folder(const char *path, int depth)
{
	DIR *d = opendir(path);
	struct dirent *e;
	char inner[PATH_LEN];

	while (d && (e = readdir(d)) != NULL) {
		if (e->d_name[0] == '.' ||
		    snprintf(inner, sizeof inner, "%s/%s", path, e->d_name) >= PATH_LEN)
			continue;
		run_path(inner, depth + 1);
	}
	if (d)
		closedir(d);
}

static void run_path(const char *path, int depth)
{
	size_t len = strlen(path);
	struct stat st;

	if (stat(path, &st) != 0) {
		fprintf(stderr, "%s: does not exist\n", path);
		exit(2);
	}
	if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX)
		run_folder(path, depth);
	else if (S_ISREG(st.st_mode) && st.st_size <= FILE_MAX &&
		 (len < 4 || strcmp(path + len - 4, ".txt") != 0))
		run_file(path, st.st_size);
}

int main(int argc, char **argv)
{
	setenv("UVET_FUZZ_THOROUGH", "1", 0);
	for (int i = 1; i < argc; i++)
		run_path(argv[i], 0);
	printf("%lu inputs\n", n_run);
	return n_run > 0 || argc == 1 ? 0 : 2;
}
