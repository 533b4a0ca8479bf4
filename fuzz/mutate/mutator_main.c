/* mutate HARNESS FILE COUNT FOLDER [SEED]: writes mutated copies of an input of that harness, for
 * sweeps with other tools. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mutate/mutators.h"

enum { ROOM = 1 << 20 };

static int write_copy(const char *folder, unsigned long number, const uint8_t *bytes, size_t n)
{
	char path[4096];
	FILE *f;
	int ok;

	if (snprintf(path, sizeof path, "%s/%06lu", folder, number) >= (int)sizeof path)
		return 0;
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

	if (argc < 5) {
		(void)fprintf(stderr, "usage: mutate HARNESS FILE COUNT FOLDER [SEED]\n");
		return 2;
	}
	f = fopen(argv[2], "rb");
	if (!f) {
		(void)fprintf(stderr, "%s: cannot be read\n", argv[2]);
		return 2;
	}
	size = fread(original, 1, ROOM, f);
	(void)fclose(f);
	count = strtoul(argv[3], NULL, 10);
	seed = argc > 5 ? strtoul(argv[5], NULL, 10) : 0;
	for (unsigned long i = 0; i < count; i++) {
		memcpy(bytes, original, size);
		if (!write_copy(argv[4], i, bytes,
				mutators_change(argv[1], bytes, size, ROOM, seed + i, NULL))) {
			(void)fprintf(stderr, "%s: cannot be written\n", argv[4]);
			return 1;
		}
	}
	return 0;
}
