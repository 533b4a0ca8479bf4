/* The forge: bytes, entries, manifests. */
#include "forge.h"

#include <stdlib.h>
#include <string.h>

/* ---- Bytes ----------------------------------------------------------------------------------- */

static void die(const char *words)
{
	fprintf(stderr, "forge: %s\n", words);
	exit(1);
}

static void reserve(struct heap *h, size_t n)
{
	if (n <= h->max - h->len)
		return;
	h->max = (h->len + n) * 2;
	h->data = realloc(h->data, h->max);
	if (!h->data)
		die("out of memory");
}

void heap_add(struct heap *h, const void *bytes, size_t n)
{
	if (n == 0)
		return;
	reserve(h, n);
	memcpy(h->data + h->len, bytes, n);
	h->len += n;
}

void heap_format(struct heap *h, const char *format, ...)
{
	char text[512];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (n < 0 || (size_t)n >= sizeof text)
		die("a line is too long");
	heap_add(h, text, (size_t)n);
}

void heap_u32(struct heap *h, uint64_t v)
{
	const uint8_t bytes[] = { (uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16),
				  (uint8_t)(v >> 24) };

	heap_add(h, bytes, sizeof bytes);
}

void heap_index(struct heap *h, int64_t v)
{
	uint64_t left = v < 0 ? (uint64_t)-v : (uint64_t)v;
	uint8_t byte = (uint8_t)((left & 63) + (v < 0 ? 128 : 0));

	left >>= 6;
	byte = (uint8_t)(byte + (left > 0 ? 64 : 0));
	heap_add(h, &byte, 1);
	while (left > 0) {
		byte = (uint8_t)(left & 127);
		left >>= 7;
		byte = (uint8_t)(byte + (left > 0 ? 128 : 0));
		heap_add(h, &byte, 1);
	}
}

/* ---- The file -------------------------------------------------------------------------------- */

void forge_open(struct forge *f, const char *path)
{
	*f = (struct forge){ .file = fopen(path, "wb"), .count_claimed = -1 };
	if (!f->file)
		die("cannot create the file");
}

void forge_bytes(struct forge *f, const void *bytes, size_t n)
{
	if (fwrite(bytes, 1, n, f->file) != n)
		die("cannot write the file");
	crc_add(&f->crc, bytes, n);
	f->at += n;
}

void forge_filler(struct forge *f, uint64_t n)
{
	static uint8_t filler[65536];
	uint32_t state = 1;

	if (filler[0] == 0)
		for (size_t i = 0; i < sizeof filler; i++)
			filler[i] = (uint8_t)((state = state * 1664525u + 1013904223u) >> 24 | 1);
	for (uint64_t part; n > 0; n -= part) {
		part = n < sizeof filler ? n : sizeof filler;
		forge_bytes(f, filler, (size_t)part);
	}
}

static void end_entry(struct forge *f, uint64_t offset, uint64_t size, uint64_t flags)
{
	heap_u32(&f->directory, offset);
	heap_u32(&f->directory, size);
	heap_u32(&f->directory, flags);
	f->n_entries++;
}

void forge_entry(struct forge *f, const char *name, uint64_t offset, uint64_t size, uint64_t flags)
{
	size_t n = strlen(name) + 1;

	heap_index(&f->directory, (int64_t)n);
	heap_add(&f->directory, name, n);
	end_entry(f, offset, size, flags);
}

void forge_named(struct forge *f, struct heap *name)
{
	heap_add(name, "", 1);
	forge_entry(f, (const char *)name->data, f->at, 8, 0);
	forge_filler(f, 8);
	free(name->data);
}

void forge_wide_entry(struct forge *f, const uint16_t *name, size_t n, uint64_t offset,
		      uint64_t size)
{
	heap_index(&f->directory, -(int64_t)(n + 1));
	for (size_t i = 0; i <= n; i++) {
		unsigned unit = i < n ? name[i] : 0;
		const uint8_t bytes[] = { (uint8_t)unit, (uint8_t)(unit >> 8) };

		heap_add(&f->directory, bytes, sizeof bytes);
	}
	end_entry(f, offset, size, 0);
}

void forge_member(struct forge *f, const char *name, const void *bytes, size_t n, uint64_t flags)
{
	forge_entry(f, name, f->at, n, flags);
	forge_bytes(f, bytes, n);
}

void forge_manifests(struct forge *f, const struct heap *more)
{
	static const char locale[] = "[Setup]\r\nLocalProduct=Bench\r\nSetupWindowTitle=Bench\r\n";
	struct heap ini = { 0 };

	heap_format(&ini,
		    "[Setup]\r\nProduct=Bench\r\nVersion=100\r\nGroup=Files\r\n\r\n[Files]\r\n");
	heap_format(&ini, "Copy=(Src=System\\Manifest.ini,Flags=3)\r\n");
	heap_format(&ini, "Copy=(Src=System\\Manifest.int,Size=%zu,Flags=3)\r\n",
		    sizeof locale - 1);
	heap_add(&ini, more->data, more->len);
	forge_member(f, "System\\Manifest.ini", ini.data, ini.len, 3);
	forge_member(f, "System\\Manifest.int", locale, sizeof locale - 1, 3);
	free(ini.data);
}

void forge_close(struct forge *f)
{
	struct heap count = { 0 }, trailer = { 0 };
	uint64_t directory = f->at;

	heap_index(&count, f->count_claimed < 0 ? (int64_t)f->n_entries : f->count_claimed);
	forge_bytes(f, count.data, count.len);
	forge_bytes(f, f->directory.data, f->directory.len);
	heap_u32(&trailer, 0x9FE3C5A3u);
	heap_u32(&trailer, directory);
	heap_u32(&trailer, f->at + 20);
	heap_u32(&trailer, 1);
	heap_u32(&trailer, f->crc.value);
	forge_bytes(f, trailer.data, trailer.len);
	if (fclose(f->file) != 0)
		die("cannot write the file");
	free(count.data);
	free(trailer.data);
	free(f->directory.data);
}
