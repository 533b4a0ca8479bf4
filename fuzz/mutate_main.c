/* mutate FILE COUNT FOLDER [SEED]: writes mutants of an installer, a package or a .utoc, for sweeps with other tools. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mutate.h"
#include "second.h"

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
	const struct format *format;
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
	if (size >= 16 && memcmp(original, "-==--==--==--==-", 16) == 0)
		format = &utoc_format;
	else
		format = size >= 24 && second_u32(original) == 0x9E2A83C1u && second_u32(original + size - 20) != 0x9FE3C5A3u ? &upkg_format : &umod_format;
	count = strtoul(argv[2], NULL, 10);
	seed = argc > 4 ? strtoul(argv[4], NULL, 10) : 0;
	for (unsigned long i = 0; i < count; i++) {
		memcpy(bytes, original, size);
		if (!write_mutant(argv[3], i, bytes, mutate_input(format, bytes, size, ROOM, seed + i, NULL))) {
			fprintf(stderr, "%s: cannot be written\n", argv[3]);
			return 1;
		}
	}
	return 0;
}
