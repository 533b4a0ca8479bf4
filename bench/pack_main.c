/* bench_pack KIND N FILE writes a compressed download; --list names the kinds with the
 * extensions that they need. Sizes are in KiB or, for the kinds that are as bad as a file can
 * be, grow with N. */
#include "pack.h"

#include <stdlib.h>
#include <string.h>

static void old_form(struct heap *out, size_t n)
{
	struct heap content = { 0 };

	pack_content(&content, n * 1024);
	pack_uz(content.data, content.len, 1234, out);
	free(content.data);
}

static void new_form(struct heap *out, size_t n)
{
	struct heap content = { 0 };

	pack_content(&content, n * 1024);
	pack_uz(content.data, content.len, 5678, out);
	free(content.data);
}

static void chunks(struct heap *out, size_t n)
{
	struct heap content = { 0 };

	pack_content(&content, n * 1024);
	pack_uz2(content.data, content.len, out);
	free(content.data);
}

/* What stands before the code of a .uz. */
static void begin_uz(struct heap *out, unsigned total)
{
	heap_u32(out, 1234);
	heap_add(out, "\6Big.u", 7);
	heap_u32(out, total);
}

/* One leaf, no bits: n blocks of the length 0, out of 22 bytes. */
static void one_leaf(struct heap *out, size_t n)
{
	begin_uz(out, (unsigned)(13 * n));
	heap_add(out, "\0\0", 2);
}

/* The deepest tree, and 32 bytes for each of n symbols. */
static void deep_tree(struct heap *out, size_t n)
{
	uint8_t byte = 0;
	size_t bit = 0, n_bits = 255 + 9 * 256 + 255 * n;

	begin_uz(out, (unsigned)n);
	for (size_t i = 0; i < n_bits; i++) {
		bool one = i < 255 || (i >= 255 + 9 * 256 && (i - 255 - 9 * 256) % 255 == 254);

		byte |= (uint8_t)(one << bit++ % 8);
		if (bit % 8 == 0 || i + 1 == n_bits) {
			heap_add(out, &byte, 1);
			byte = 0;
		}
	}
}

/* Blocks of the least length, each behind 13 symbols. */
static void tiny_blocks(struct heap *out, size_t n)
{
	struct heap places = { 0 };

	for (size_t i = 0; i < n; i++)
		heap_add(&places, "\1\0\0\0\0\0\0\0\1\0\0\0\2A", 14);
	heap_u32(out, 1234);
	heap_add(out, "\6Big.u", 7);
	pack_huffman(places.data, places.len, out);
	free(places.data);
}

/* Runs of 255, of two bytes by turns, so that each ends where the next begins: 42 times as many
 * bytes come out. */
static void long_runs(struct heap *out, size_t n)
{
	struct heap bytes = { 0 }, sorted = { 0 }, places = { 0 };

	for (size_t i = 0; i < n; i++)
		heap_add(&bytes, i % 2 ? "bbbbb\xFF" : "aaaaa\xFF", 6);
	pack_sorted(bytes.data, bytes.len, &sorted);
	pack_places(sorted.data, sorted.len, &places);
	heap_u32(out, 1234);
	heap_add(out, "\6Big.u", 7);
	pack_huffman(places.data, places.len, out);
	free(bytes.data);
	free(sorted.data);
	free(places.data);
}

static void tiny_chunks(struct heap *out, size_t n)
{
	for (size_t i = 0; i < n; i++)
		pack_uz2((const uint8_t *)"A", 1, out);
}

/* Each chunk is as dense as zlib can make it. */
static void dense_chunks(struct heap *out, size_t n)
{
	static const uint8_t zeros[32768];

	for (size_t i = 0; i < n / 64; i++)
		pack_uz2(zeros, sizeof zeros, out);
}

/* Streams that break at their very end, so that each is decoded twice. */
static void broken_chunks(struct heap *out, size_t n)
{
	static uint8_t zeros[32768];

	for (size_t i = 0; i < n / 64; i++) {
		pack_uz2(zeros, sizeof zeros, out);
		out->data[out->len - 1] ^= 1;
	}
}

static const struct {
	const char *name, *extension;
	void (*write)(struct heap *out, size_t n);
} kinds[] = {
	{ "uz", "uz", old_form },
	{ "uz_5678", "uz", new_form },
	{ "uz2", "uz2", chunks },
	{ "uz_one_leaf", "uz", one_leaf },
	{ "uz_deep_tree", "uz", deep_tree },
	{ "uz_tiny_blocks", "uz", tiny_blocks },
	{ "uz_long_runs", "uz", long_runs },
	{ "uz2_tiny_chunks", "uz2", tiny_chunks },
	{ "uz2_dense_chunks", "uz2", dense_chunks },
	{ "uz2_broken_chunks", "uz2", broken_chunks },
};

int main(int argc, char **argv)
{
	struct heap out = { 0 };
	FILE *f;

	if (argc == 2 && strcmp(argv[1], "--list") == 0) {
		for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
			printf("%s %s\n", kinds[i].name, kinds[i].extension);
		return 0;
	}
	for (size_t i = 0; argc == 4 && i < sizeof kinds / sizeof kinds[0]; i++)
		if (strcmp(argv[1], kinds[i].name) == 0)
			kinds[i].write(&out, strtoul(argv[2], NULL, 10));
	f = out.len > 0 ? fopen(argv[3], "wb") : NULL;
	if (!f || fwrite(out.data, 1, out.len, f) != out.len || fclose(f) != 0) {
		fprintf(stderr, "usage: bench_pack KIND N FILE, or --list\n");
		return 2;
	}
	free(out.data);
	return 0;
}
