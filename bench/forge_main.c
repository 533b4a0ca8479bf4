/* bench_forge: the program that writes one installer. */
#include "forge.h"

#include <stdlib.h>
#include <string.h>

static const struct forge_kind *const lists[] = { directory_kinds, manifest_kinds, member_kinds };

static void list_kinds(void)
{
	for (size_t l = 0; l < sizeof lists / sizeof lists[0]; l++)
		for (const struct forge_kind *k = lists[l]; k->name; k++)
			printf("%s\n", k->name);
}

static const struct forge_kind *find_kind(const char *name)
{
	for (size_t l = 0; l < sizeof lists / sizeof lists[0]; l++)
		for (const struct forge_kind *k = lists[l]; k->name; k++)
			if (strcmp(k->name, name) == 0)
				return k;
	return NULL;
}

int main(int argc, char **argv)
{
	const struct forge_kind *kind;
	struct forge f;

	if (argc == 2 && strcmp(argv[1], "--list") == 0) {
		list_kinds();
		return 0;
	}
	if (argc != 4 || !(kind = find_kind(argv[1]))) {
		fprintf(stderr, "usage: bench_forge KIND N FILE, or --list\n");
		return 2;
	}
	forge_open(&f, argv[3]);
	kind->write(&f, (uint32_t)strtoul(argv[2], NULL, 10));
	forge_close(&f);
	return 0;
}
