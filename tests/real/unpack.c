/* Writes what a compressed download decompresses to, as the check decodes it, to standard output:
 * unpack FILE. It exits with 1 if that is nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "formats/compressed/lzma.h"
#include "formats/compressed/uz.h"
#include "formats/compressed/uz2.h"
#include "formats/compressed/uz3.h"

static void *heap_alloc(void *ctx, size_t size)
{
	(void)ctx;
	return malloc(size);
}

static void heap_release(void *ctx, void *memory, size_t size)
{
	(void)ctx, (void)size;
	free(memory);
}

static uint8_t *load(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	uint8_t *bytes = NULL;
	long size = -1;

	if (f && fseek(f, 0, SEEK_END) == 0)
		size = ftell(f);
	if (size >= 0 && fseek(f, 0, SEEK_SET) == 0)
		bytes = malloc((size_t)size + 1);
	if (!bytes || fread(bytes, 1, (size_t)size, f) != (size_t)size)
		exit(2);
	fclose(f);
	*n = (size_t)size;
	return bytes;
}

static struct unpacked content(const struct format *f, const void *facts)
{
	if (f == &uz_format)
		return ((const struct uz *)facts)->content;
	if (f == &uz2_format)
		return ((const struct uz2 *)facts)->content;
	if (f == &uz3_format)
		return ((const struct uz3 *)facts)->content;
	return f == &lzma_format ? ((const struct lzma *)facts)->content
				 : (struct unpacked){ .bytes = NULL };
}

int main(int argc, char **argv)
{
	static struct engine e;
	struct arena arena;
	struct source source;
	struct decode d;
	struct unpacked u = { .bytes = NULL };
	const struct format *f;
	uint8_t *bytes;
	size_t n;

	if (argc != 2)
		return 3;
	bytes = load(argv[1], &n);
	engine_init(&e, (struct allocator){ heap_alloc, heap_release, NULL });
	arena_init(&arena, e.allocator, UINT64_MAX);
	source_init_memory(&source, bytes, n, argv[1], &arena);
	d = engine_decode(&e, &source, &arena, NULL);
	f = formats[format_sniff(&d)];
	if (f) {
		memset(d.groups, 0, sizeof d.groups);
		u = content(f, f->decode(&d));
	}
	if (u.bytes)
		fwrite(u.bytes, 1, (size_t)u.len, stdout);
	arena_free(&arena);
	free(bytes);
	return u.bytes && fflush(stdout) == 0 ? 0 : 1;
}
