/* What the compressed downloads hold: a package in order, of any size, with bytes as packages have
 * them. */
#include "pack.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER_LEN = 64, FLAGS = 0x00070004, N_IMPORTS = 200 };

/* ---- Bytes of bodies ------------------------------------------------------------------------- */

static uint32_t roll(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

static void add_byte(struct heap *out, unsigned byte)
{
	uint8_t b = (uint8_t)byte;

	heap_add(out, &b, 1);
}

static void add_words(struct heap *out, uint32_t *state)
{
	static const char *const words[] = { "Texture", "Palette", "Sound", "Begin", "Spawn",
					     "Weapon",  "Player",  "Actor", "Light", "Brush" };

	for (unsigned i = 0; i < 160; i++) {
		heap_format(out, "%s%u", words[roll(state) % 10], roll(state) % 400);
		heap_add(out, "\0\x10\0\7\0", 5);
	}
}

static void add_table(struct heap *out, uint32_t *state)
{
	for (unsigned i = 0; i < 220; i++) {
		heap_u32(out, i * 24 + roll(state) % 7);
		heap_u32(out, roll(state) % 600);
		heap_u32(out, FLAGS);
		heap_index(out, (int64_t)(roll(state) % 9000) - 100);
	}
}

static void add_sound(struct heap *out, uint32_t *state)
{
	unsigned level = 128;

	for (unsigned i = 0; i < 3000; i++) {
		level += roll(state) % 13 - 6u;
		add_byte(out, level);
	}
}

static void add_texture(struct heap *out, uint32_t *state)
{
	unsigned base = roll(state) % 200;

	for (unsigned y = 0; y < 64; y++)
		for (unsigned x = 0; x < 64; x++)
			add_byte(out, base + (x * y >> 8) +
					      (roll(state) % 8 == 0 ? roll(state) % 4 : 0));
}

/* ---- The package ----------------------------------------------------------------------------- */

/* The first names; those of imports and exports follow. */
enum { NONE, CORE, CLASS, PACKAGE, BENCH, DATA, N_FIXED };

static void add_name(struct heap *out, const char *text)
{
	heap_index(out, (int64_t)strlen(text) + 1);
	heap_add(out, text, strlen(text) + 1);
	heap_u32(out, 0x00070010);
}

static void add_names(struct heap *out, unsigned n)
{
	static const char *const fixed[N_FIXED] = { "None",    "Core",  "Class",
						    "Package", "Bench", "Data" };
	char text[16];

	for (unsigned i = 0; i < N_FIXED; i++)
		add_name(out, fixed[i]);
	for (unsigned i = N_FIXED; i < n; i++) {
		snprintf(text, sizeof text, "Name%u", i);
		add_name(out, text);
	}
}

/* The package Bench, its class Data, and other classes of it. */
static void add_imports(struct heap *out)
{
	for (unsigned i = 0; i < N_IMPORTS; i++) {
		heap_index(out, CORE);
		heap_index(out, i == 0 ? PACKAGE : CLASS);
		heap_u32(out, i == 0 ? 0 : 0xFFFFFFFF);
		heap_index(out, i == 0 ? BENCH : i == 1 ? DATA : N_FIXED + i);
	}
}

static void add_export(struct heap *out, unsigned name, size_t at, size_t len)
{
	heap_index(out, -2); /* import 1, the class Data */
	heap_index(out, 0);
	heap_u32(out, 0);
	heap_index(out, name);
	heap_u32(out, FLAGS);
	heap_index(out, (int64_t)len);
	heap_index(out, (int64_t)at);
}

static void put_u32(struct heap *out, size_t at, size_t v)
{
	for (unsigned i = 0; i < 4; i++)
		out->data[at + i] = (uint8_t)(v >> 8 * i);
}

/* The header, with the places of the tables to be written later, and one generation. */
static void add_header(struct heap *out, unsigned n_names, unsigned n_exports)
{
	heap_u32(out, 0x9E2A83C1);
	heap_u32(out, 69);
	heap_u32(out, 1);
	heap_u32(out, n_names);
	heap_u32(out, HEADER_LEN);
	heap_u32(out, n_exports);
	heap_u32(out, 0);
	heap_u32(out, N_IMPORTS);
	heap_u32(out, 0);
	heap_add(out, "0123456789abcdef", 16);
	heap_u32(out, 1);
	heap_u32(out, n_exports);
	heap_u32(out, n_names);
}

void pack_content(struct heap *out, size_t n)
{
	static void (*const parts[])(struct heap *, uint32_t *) = { add_words,   add_table,
								    add_texture, add_texture,
								    add_sound,   add_table };
	unsigned n_exports = (unsigned)(n / 20000 + 1), n_names = N_FIXED + N_IMPORTS + n_exports;
	struct heap exports = { 0 };
	uint32_t state = 7;
	size_t start = out->len;

	add_header(out, n_names, n_exports);
	add_names(out, n_names);
	for (unsigned i = 0; i < n_exports; i++) {
		size_t at = out->len;

		heap_index(out, NONE); /* no properties */
		for (unsigned k = 0; k < 6; k++)
			parts[k](out, &state);
		add_export(&exports, N_FIXED + N_IMPORTS + i, at - start, out->len - at);
	}
	put_u32(out, start + 32, out->len - start);
	add_imports(out);
	put_u32(out, start + 24, out->len - start);
	heap_add(out, exports.data, exports.len);
	free(exports.data);
}
