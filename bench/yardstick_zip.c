/* The yardstick of zips: `yardstick_zip FILE.zip` reads all members, inflates them with
 * libdeflate, and takes their CRC-32 with it. It trusts the file, which is one that
 * write_archive.py made: no zip64, no comment, all members deflated. */
#include "bench.h"

#include <fcntl.h>
#include <libdeflate.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 1 << 22, END_LEN = 22, CENTRAL_LEN = 46, LOCAL_LEN = 30 };

static uint8_t packed[ROOM], unpacked[ROOM];

static uint32_t little(const uint8_t *p, unsigned n)
{
	uint32_t v = 0;

	while (n-- > 0)
		v = v << 8 | p[n];
	return v;
}

static void read_at(int fd, uint8_t *out, size_t n, uint64_t at)
{
	if (pread(fd, out, n, (off_t)at) != (ssize_t)n) {
		fputs("yardstick_zip: cannot read\n", stderr);
		exit(1);
	}
}

/* Returns how long the central header is. */
static size_t member(int fd, struct libdeflate_decompressor *d, const uint8_t *h)
{
	const uint32_t n = little(h + 20, 4), size = little(h + 24, 4), at = little(h + 42, 4);
	uint8_t local[LOCAL_LEN];
	size_t got = 0;

	read_at(fd, local, sizeof local, at);
	if (n > ROOM || size > ROOM)
		exit(2);
	read_at(fd, packed, n,
		(uint64_t)at + LOCAL_LEN + little(local + 26, 2) + little(local + 28, 2));
	if (libdeflate_deflate_decompress(d, packed, n, unpacked, size, &got) != 0 || got != size ||
	    libdeflate_crc32(0, unpacked, size) != little(h + 16, 4))
		exit(3);
	return (size_t)CENTRAL_LEN + little(h + 28, 2) + little(h + 30, 2) + little(h + 32, 2);
}

int main(int argc, char **argv)
{
	const int fd = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
	const off_t size = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
	uint8_t end[END_LEN], *directory;
	struct libdeflate_decompressor *d;
	size_t len;

	if (size < END_LEN)
		return 2;
	read_at(fd, end, sizeof end, (uint64_t)size - END_LEN);
	len = little(end + 12, 4);
	directory = malloc(len + 1);
	if (!directory)
		return 2;
	read_at(fd, directory, len, little(end + 16, 4));
	d = libdeflate_alloc_decompressor();
	for (size_t at = 0; d && at < len;)
		at += member(fd, d, directory + at);
	libdeflate_free_decompressor(d);
	free(directory);
	return d ? 0 : 2;
}
