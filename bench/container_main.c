/* bench_container KIND N FILE [--order sequential|shuffled] [--version V] writes a container of
 * n chunks: FILE, which ends in .utoc, and the .ucas and .pak beside it. --list names the kinds
 * with the extension that they need and options of `uvet check`. */
#include "container.h"

#include <stdlib.h>
#include <string.h>

static void list(const struct container_kind *kinds)
{
	for (; kinds->name; kinds++)
		printf("%s utoc %s\n", kinds->name, kinds->options);
}

static const struct container_kind *find(const struct container_kind *kinds, const char *name)
{
	for (; kinds->name; kinds++)
		if (strcmp(kinds->name, name) == 0)
			return kinds;
	return NULL;
}

static bool read_settings(int argc, char **argv, struct container_settings *settings)
{
	for (int i = 4; i < argc; i += 2) {
		if (i + 1 == argc)
			return false;
		if (strcmp(argv[i], "--version") == 0)
			settings->version = (unsigned)strtoul(argv[i + 1], NULL, 10);
		else if (strcmp(argv[i], "--order") == 0)
			settings->shuffled = strcmp(argv[i + 1], "shuffled") == 0;
		else
			return false;
	}
	return settings->version == 0 || settings->version == 3 || settings->version == 5 ||
	       settings->version == 8;
}

int main(int argc, char **argv)
{
	struct container_settings settings = { 0 };
	const struct container_kind *kind = NULL;
	unsigned long n;

	if (argc == 2 && strcmp(argv[1], "--list") == 0) {
		list(container_kinds);
		list(container_attacks);
		return 0;
	}
	if (argc >= 4)
		kind = find(container_kinds, argv[1]);
	if (argc >= 4 && !kind)
		kind = find(container_attacks, argv[1]);
	n = kind ? strtoul(argv[2], NULL, 10) : 0;
	if (!kind || n < 2 || n > 1 << 24 || !read_settings(argc, argv, &settings)) {
		fprintf(stderr, "usage: bench_container KIND N FILE [--order sequential|shuffled] "
				"[--version 3|5|8], or --list\n");
		return 2;
	}
	kind->write(argv[3], (uint32_t)n, &settings);
	return 0;
}
