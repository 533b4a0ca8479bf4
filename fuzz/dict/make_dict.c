/* make_dict: prints the dictionary, from the layouts of all formats, their magic numbers and the
 * words of manifests and paths. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/compressed/unpacked.h"
#include "formats/umod/umod.h"
#include "support/tokens.h"

static void print_entry(const unsigned char *bytes, size_t n)
{
	(void)putchar('"');
	for (size_t i = 0; i < n; i++) {
		if (bytes[i] == '"' || bytes[i] == '\\')
			printf("\\%c", bytes[i]);
		else if (bytes[i] < 0x20 || bytes[i] >= 0x7F)
			printf("\\x%02X", bytes[i]);
		else
			(void)putchar(bytes[i]);
	}
	puts("\"");
}

static void print_number(uint64_t v, size_t width)
{
	unsigned char bytes[8];

	for (size_t i = 0; i < width; i++)
		bytes[i] = (unsigned char)(v >> 8 * i);
	print_entry(bytes, width);
}

/* A field's meaning says which number it must be: "Magic: 0x9FE3C5A3". */
static void print_magic(const struct layout_field *f)
{
	static const unsigned char widths[] = {
		[LAYOUT_u8] = 1,  [LAYOUT_u16] = 2, [LAYOUT_u24] = 3,
		[LAYOUT_u32] = 4, [LAYOUT_u40] = 5, [LAYOUT_u64] = 8
	};
	const char *hex = strstr(f->meaning, "0x");

	if (hex && f->wire <= LAYOUT_u64)
		print_number(strtoull(hex, NULL, 16), widths[f->wire]);
}

static void print_layouts(const struct format *f)
{
	for (const struct layout *const *l = f->layouts; *l; l++)
		for (size_t i = 0; i < (*l)->n_fields; i++)
			print_magic(&(*l)->fields[i]);
}

static void print_tokens(const struct token *tokens, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (tokens[i].n <= 60)
			print_entry((const unsigned char *)tokens[i].bytes, tokens[i].n);
}

/* Names that rules of packages know, as name tables have them; and their versions, as the tag has
 * them. */
static void print_packages(void)
{
	static const char *const names[] = {
#define UPKG_WORD(id, text, ...) text,
#include "formats/upkg/tables/words.def"
#undef UPKG_WORD
#define STRUCT(name, ...) #name,
#include "formats/upkg/body/structs.def"
#undef STRUCT
#define MUSIC(type, ...) type,
#define HIDDEN(magic)
#include "formats/upkg/classes/payloads.def"
#undef MUSIC
#undef HIDDEN
		"WAV",
	};
	static const uint64_t versions[] = { 60, 61, 62,  63,  64,  67,  68,
					     69, 99, 118, 119, 126, 128, 29 << 16 | 128 };

	puts("# Names and versions of packages");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		unsigned char entry[64];
		size_t n = strlen(names[i]);

		entry[0] = (unsigned char)(n + 1);
		memcpy(entry + 1, names[i], n + 1);
		print_entry(entry, n + 2);
	}
	for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
		print_number(versions[i], 4);
}

/* What containers name, and the numbers on which their tables turn. */
static void print_containers(void)
{
	static const char *const names[] = { "Zlib",
					     "Gzip",
					     "LZ4",
					     "Oodle",
					     "Zstd",
					     "None",
					     "../../../",
					     ".uasset",
					     ".umap",
					     ".ubulk",
					     ".uptnl",
					     ".m.ubulk",
					     ".ushaderbytecode" };
	static const uint64_t numbers[] = { 144,        65536,      16384,     0xFFFFFFFE,
					    0x496F436E, 0xC1640000, 0x5A6F12E1 };

	puts("# Containers: names, block sizes, magic numbers of a header's chunk, of its names "
	     "and of a .pak, sizes without end");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		print_entry((const unsigned char *)names[i], strlen(names[i]) + 1);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		print_number(numbers[i], 4);
	print_number(UINT64_MAX, 8);
	print_number(2048, 3);
}

static void print_manifests(void)
{
	puts("# Words of manifests");
	print_tokens(manifest_tokens, TOKENS(manifest_tokens));
}

static void print_tars(void)
{
	static const char *const words[] = { "ustar",
					     "ustar  ",
					     " path=",
					     " size=",
					     " linkpath=",
					     " hdrcharset=BINARY\n",
					     " GNU.sparse.name=",
					     " GNU.sparse.size=" };

	puts("# Tars: magic texts, and keys of pax headers");
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		print_entry((const unsigned char *)words[i], strlen(words[i]));
}

static void print_nothing(void)
{
}

/* What the dictionary has of each format. */
static void (*const words[])(void) = {
#define FORMAT(name, harnesses, oracle, mutator, metadata, payload, words, ...) words,
#include "formats.def"
#undef FORMAT
};

int main(void)
{
	static const uint64_t numbers[] = { 0,          1,          2,         3,     15,
					    20,         260,        32768,     33096, 262144,
					    0x7FFFFFFF, 0x80000000, 0xFFFFFFFF };

	puts("# Made by fuzz/dict/make_dict.c; do not edit.");
	puts("# Magic numbers");
	for (const struct format *const *f = formats; *f; f++)
		print_layouts(*f);
	print_number(PACKAGE_TAG, 4);
	print_entry((const unsigned char *)"MZ", 2);
	print_entry((const unsigned char *)"PE\0\0", 4);
	puts("# A zlib stream begins");
	print_entry((const unsigned char *)"\x78\x9C", 2);
	print_entry((const unsigned char *)"\x78\x01", 2);
	puts("# Numbers on a border");
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		print_number(numbers[i], 4);
	puts("# Compact indexes: overlong, negative zero, the least and the greatest number, an "
	     "illegal one");
	print_entry((const unsigned char *)"\x40\x00", 2);
	print_entry((const unsigned char *)"\x80", 1);
	print_entry((const unsigned char *)"\xC0\x80\x80\x80\x10", 5);
	print_entry((const unsigned char *)"\x7F\xFF\xFF\xFF\x0F", 5);
	print_entry((const unsigned char *)"\x7F\xFF\xFF\xFF\xFF", 5);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		words[i]();
	puts("# Names that are dangerous, unusual or hard to show");
	print_tokens(path_tokens, TOKENS(path_tokens));
	return 0;
}
