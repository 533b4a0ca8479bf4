/* mutate FILE COUNT FOLDER [SEED]: writes mutants of an installer, for sweeps with other tools. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mutate.h"

extern const struct format umod_format;

enum { ROOM = 1 << 20 };

static int write_mutant(const char *folder, unsigned long number, const uint8_t *bytes, size_t n)
{
	char path[4096];
	FILE *f;
	int ok;

	snprintf(path, sizeof path, "%s/%06lu", folder, number);
	f = fopen(path, "wb");
	if (!f)
		return 0;
	ok = fwrite(bytes, 1, n, f) == n;
	return fclose(f) == 0 && ok;
}

int main(int argc, char **argv)
{
	static uint8_t original[ROOM], bytes[ROOM];
	unsigned long count, seed;
	size_t size;
	FILE *f;

	if (argc < 4) {
		fprintf(stderr, "usage: mutate FILE COUNT FOLDER [SEED]\n");
		return 2;
	}
	f = fopen(argv[1], "rb");
	if (!f) {
		fprintf(stderr, "%s: cannot be read\n", argv[1]);
		return 2;
	}
	size = fread(original, 1, ROOM, f);
	fclose(f);
	count = strtoul(argv[2], NULL, 10);
	seed = argc > 4 ? strtoul(argv[4], NULL, 10) : 0;
	for (unsigned long i = 0; i < count; i++) {
		memcpy(bytes, original, size);
		if (!write_mutant(argv[3], i, bytes, mutate_input(&umod_format, bytes, size, ROOM, seed + i, NULL))) {
			fprintf(stderr, "%s: cannot be written\n", argv[3]);
			return 1;
		}
	}
	return 0;
}
