/* The yardstick of archives, versions 8 and 11:
 *
 *     yardstick_pak FILE.pak index
 *
 * reads what follows the data, in windows of 256 KiB, and prints how many bytes that are;
 *
 *     yardstick_pak FILE.pak data
 *
 * reads the data with the headers of the entries, and takes its SHA-1 with the library alone. It
 * trusts the file. */
#include "bench.h"

#include <fcntl.h>
#include <nettle/sha1.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum { WINDOW = 262144, MAGIC_FROM_END = 204, FOOTER_LEN = MAGIC_FROM_END + 17 };

static uint64_t little(const uint8_t *p, unsigned n)
{
	uint64_t v = 0;

	while (n-- > 0)
		v = v << 8 | p[n];
	return v;
}

static void read_at(int fd, uint8_t *out, size_t n, uint64_t at)
{
	if (pread(fd, out, n, (off_t)at) != (ssize_t)n) {
		fputs("yardstick_pak: cannot read\n", stderr);
		exit(1);
	}
}

static void pass(int fd, uint64_t from, uint64_t to, struct sha1_ctx *sha1)
{
	static uint8_t window[WINDOW];

	for (uint64_t at = from; at < to; at += WINDOW) {
		const size_t n = to - at < WINDOW ? (size_t)(to - at) : WINDOW;

		read_at(fd, window, n, at);
		if (sha1)
			sha1_update(sha1, n, window);
	}
}

int main(int argc, char **argv)
{
	const bool of_index = argc == 3 && strcmp(argv[2], "index") == 0;
	const int fd = argc == 3 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
	const off_t size = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
	uint8_t footer[FOOTER_LEN];
	struct sha1_ctx sha1;
	uint64_t index_at, end;

	if (size < FOOTER_LEN)
		return 2;
	end = (uint64_t)size - FOOTER_LEN;
	read_at(fd, footer, sizeof footer, end);
	if (little(footer + 17, 4) != 0x5A6F12E1)
		return 2;
	index_at = little(footer + 25, 8);
	sha1_init(&sha1);
	if (of_index)
		pass(fd, index_at, end, NULL);
	else
		pass(fd, 0, index_at, &sha1);
	printf("%llu\n", (unsigned long long)(of_index ? end - index_at : index_at));
	return 0;
}
