/* Builds packages byte by byte, without any of uvet's own code, and decodes them. */
#ifndef UVET_TESTS_PACKAGE_H
#define UVET_TESTS_PACKAGE_H

#include "formats/upkg/header/file.h"
#include "formats/upkg/upkg.h"

#include <stdlib.h>

#include "unit.h"

/* ---- Packages -------------------------------------------------------------------------------- */

enum { IMAGE_MAX = 12 << 20, HEADER_LEN = 64 };

/* A package in the making: header, names, bodies, imports and exports are put one after another. */
struct image {
	uint8_t *bytes;
	size_t n;
	uint32_t counts[N_UPKG_TABLES];
	uint32_t offsets[N_UPKG_TABLES];
};

static struct image image;

static inline void put(uint64_t v, unsigned width)
{
	for (unsigned i = 0; i < width; i++)
		image.bytes[image.n++] = (uint8_t)(v >> 8 * i);
}

static inline void put_index(int64_t value)
{
	uint64_t v = value < 0 ? (uint64_t)-value : (uint64_t)value;
	uint64_t byte = (value < 0 ? 0x80u : 0u) | (v & 0x3F);

	v >>= 6;
	put(byte | (v > 0 ? 0x40u : 0u), 1);
	for (; v > 0; v >>= 7)
		put((v & 0x7F) | (v > 0x7F ? 0x80u : 0u), 1);
}

static inline void begin(void)
{
	uint8_t *bytes = image.bytes;

	image = (struct image){ .bytes = bytes };
	memset(bytes, 0, HEADER_LEN);
	image.n = HEADER_LEN;
}

static inline void open_table(enum upkg_table_number number)
{
	image.offsets[number] = (uint32_t)image.n;
}

static inline void put_name(const char *name)
{
	put_index((int64_t)strlen(name) + 1);
	memcpy(image.bytes + image.n, name, strlen(name) + 1);
	image.n += strlen(name) + 1;
	put(0x00070010, 4);
	image.counts[TABLE_NAMES]++;
}

static inline void put_import(int64_t package, int64_t class, int32_t outer, int64_t name)
{
	put_index(package);
	put_index(class);
	put((uint32_t)outer, 4);
	put_index(name);
	image.counts[TABLE_IMPORTS]++;
}

static inline void put_export(int64_t class, int64_t super, int32_t outer, int64_t name,
			      int64_t size, int64_t offset)
{
	put_index(class);
	put_index(super);
	put((uint32_t)outer, 4);
	put_index(name);
	put(0x00070004, 4);
	put_index(size);
	if (size != 0)
		put_index(offset);
	image.counts[TABLE_EXPORTS]++;
}

static inline void set_u32(size_t at, uint32_t v)
{
	for (unsigned i = 0; i < 4; i++)
		image.bytes[at + i] = (uint8_t)(v >> 8 * i);
}

static inline void end_package(void)
{
	const uint32_t header[] = { UPKG_MAGIC,
				    69,
				    1,
				    image.counts[TABLE_NAMES],
				    image.offsets[TABLE_NAMES],
				    image.counts[TABLE_EXPORTS],
				    image.offsets[TABLE_EXPORTS],
				    image.counts[TABLE_IMPORTS],
				    image.offsets[TABLE_IMPORTS],
				    1,
				    2,
				    3,
				    4,
				    1,
				    image.counts[TABLE_EXPORTS],
				    image.counts[TABLE_NAMES] };

	for (size_t i = 0; i < LENGTH(header); i++)
		set_u32(4 * i, header[i]);
}

enum { N_NONE, N_CORE, N_PACKAGE, N_CLASS, N_FOO, N_BAR, N_STANDARD };

static inline void put_standard_names(void)
{
	open_table(TABLE_NAMES);
	put_name("None");
	put_name("Core");
	put_name("Package");
	put_name("Class");
	put_name("Foo");
	put_name("Bar");
}

static inline void put_standard_imports(void)
{
	open_table(TABLE_IMPORTS);
	put_import(N_CORE, N_PACKAGE, 0, N_CORE);
	put_import(N_CORE, N_CLASS, -1, N_PACKAGE);
}

/* begin_exports begins a package that has the standard names and imports: its exports are next. */
static inline void begin_exports(void)
{
	begin();
	put_standard_names();
	put_standard_imports();
	open_table(TABLE_EXPORTS);
}

/* A package in which nothing is wrong: two groups, one in the other. */
static inline void build_good(void)
{
	begin();
	put_standard_names();
	put(0, 1);
	put(0, 1);
	put_standard_imports();
	open_table(TABLE_EXPORTS);
	put_export(-2, 0, 0, N_FOO, 1, image.offsets[TABLE_IMPORTS] - 2);
	put_export(-2, 0, 1, N_BAR, 1, image.offsets[TABLE_IMPORTS] - 1);
	end_package();
}

/* ---- Decoding -------------------------------------------------------------------------------- */

struct fixture {
	struct fault_memory memory;
	struct fault_input input;
	struct arena arena;
	struct source source;
	struct limits limits;
	struct decode decode;
	const struct upkg *u;
};

static inline void open_fixture(struct fixture *f, const char *name)
{
	f->arena = unit_arena(&f->memory, UNIT_PLENTY);
	f->limits = limits_standard();
	source_init_memory(&f->source, image.bytes, image.n, name, &f->arena);
	f->decode = (struct decode){ .source = &f->source,
				     .arena = &f->arena,
				     .limits = &f->limits,
				     .level = LEVEL_CONTENT,
				     .work = { .max = UINT64_MAX } };
}

static inline void decode(struct fixture *f)
{
	open_fixture(f, "a.u");
	f->u = upkg_format.decode(&f->decode);
	assert_non_null(f->u);
}

/* Decodes through windows of a file that is not held in memory. */
static inline void decode_windows(struct fixture *f, uint64_t window_len)
{
	open_fixture(f, "a.u");
	f->input = (struct fault_input){ .bytes = image.bytes, .size = image.n };
	source_init(&f->source, (struct source_io){ fault_source_read, NULL, &f->input, image.n },
		    "a.u", &f->arena, window_len);
	f->u = upkg_format.decode(&f->decode);
	assert_non_null(f->u);
}

static inline void end_decode(struct fixture *f)
{
	arena_free(&f->arena);
	assert_int_equal(f->memory.n_live, 0);
}

static inline enum stop_why why(const struct fixture *f, enum upkg_group g)
{
	return f->decode.groups[g].why;
}

/* Every group of tests has one image, which lives as long as the group. */
static inline int make_image(void **state)
{
	(void)state;
	image.bytes = malloc(IMAGE_MAX);
	return image.bytes ? 0 : -1;
}

static inline int free_image(void **state)
{
	(void)state;
	free(image.bytes);
	return 0;
}

#endif
