/* What tests of compressed downloads begin with: a file of each form, and its decoding over an
 * input that may fail. */
#ifndef UVET_TESTS_COMPRESSED_STATE_H
#define UVET_TESTS_COMPRESSED_STATE_H

#include <zlib.h>

#include "formats/compressed/lzma.h"
#include "formats/compressed/uz.h"
#include "formats/compressed/uz2.h"
#include "formats/compressed/uz3.h"
#include "unit.h"

enum { IMAGE_MAX = 512 };

struct image {
	const char *name;
	const struct format *format;
	uint8_t bytes[IMAGE_MAX];
	uint64_t n;
};

static struct image images[5];

struct fixture {
	struct fault_memory memory;
	struct fault_input input;
	struct arena arena;
	struct limits limits;
	struct source source;
	struct decode decode;
	const void *facts;
};

/* ---- Files ----------------------------------------------------------------------------------- */

/* ABRACADABRA as T.u: the codes of both forms, made by hand from uz.md. */
static const uint8_t old_form[] = { 0xD2, 4, 0,    0,    4,    'T',  '.',  'u',  0,    0x18, 0,
				    0,    0, 0x0B, 0x38, 0x29, 0x44, 0x8A, 0x66, 0x60, 0xA0, 0x20,
				    0x0B, 0, 0x3C, 0x1B, 0x7E, 0x27, 0x85, 0x62, 0xAF, 1 };
static const uint8_t new_form[] = { 0x2E, 0x16, 0,    0,    4,    'T',  '.',  'u',
				    0,    0x18, 0,    0,    0,    1,    0xCC, 0xA0,
				    0x81, 0x82, 0x2C, 0x9C, 0x14, 0x22, 0x45, 2,
				    0xFA, 0xC9, 0x41, 0xDA, 0x1C, 0xFB, 0xC2, 0x3A };

/* One byte, A: properties, a dictionary of 64 KiB, no size, a literal, an end marker. */
static const uint8_t lzma_form[] = { 0x5D, 0,    0,    1,    0,    0xFF, 0xFF, 0xFF,
				     0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0,    0x20, 0xC1,
				     0xFB, 0xFF, 0xFF, 0xFF, 0xE0, 0,    0,    0 };

static inline void put_u32(struct image *i, uint64_t v)
{
	for (unsigned k = 0; k < 4; k++)
		i->bytes[i->n++] = (uint8_t)(v >> 8 * k);
}

static inline void put_stream(struct image *i, const char *text, bool sized)
{
	uint8_t packed[128];
	uLongf n = sizeof packed;

	assert_int_equal(compress(packed, &n, (const Bytef *)text, strlen(text)), Z_OK);
	MEMORY_WRITTEN(packed, n);
	if (sized)
		put_u32(i, n);
	put_u32(i, strlen(text));
	memcpy(i->bytes + i->n, packed, n);
	i->n += n;
}

static inline struct image whole(const char *name, const struct format *format,
				 const uint8_t *bytes, size_t n)
{
	struct image i = { .name = name, .format = format, .n = n };

	memcpy(i.bytes, bytes, n);
	return i;
}

static inline int make_images(void **state)
{
	(void)state;
	images[0] = whole("T.u.uz", &uz_format, old_form, sizeof old_form);
	images[1] = whole("T.u.uz", &uz_format, new_form, sizeof new_form);
	images[2] = (struct image){ .name = "T.u.uz2", .format = &uz2_format };
	put_stream(&images[2], "ABRACADABRA", true);
	put_stream(&images[2], "ABRACADABRA", true);
	images[3] = (struct image){ .name = "T.u.uz3", .format = &uz3_format };
	put_u32(&images[3], UZ_SIGNATURE_NEW);
	put_stream(&images[3], "ABRACADABRA", false);
	images[4] = whole("T.u.lzma", &lzma_format, lzma_form, sizeof lzma_form);
	return 0;
}

/* ---- Decoding them --------------------------------------------------------------------------- */

/* Windows of 16 bytes: every part is a read of its own. */
static inline void open_fixture(struct fixture *f, const struct image *i, const char *name)
{
	f->arena = unit_arena(&f->memory, UNIT_PLENTY);
	f->limits = limits_standard();
	f->input = (struct fault_input){ .bytes = i->bytes, .size = i->n };
	source_init(&f->source, (struct source_io){ fault_source_read, NULL, &f->input, i->n },
		    name, &f->arena, 16);
	f->decode = (struct decode){ .source = &f->source,
				     .arena = &f->arena,
				     .limits = &f->limits,
				     .level = LEVEL_CONTENT,
				     .work = { .max = UINT64_MAX } };
}

static inline void end_fixture(struct fixture *f)
{
	arena_free(&f->arena);
	assert_int_equal(f->memory.n_live, 0);
}

static inline uint32_t n_stopped(const struct fixture *f, const struct format *format,
				 enum stop_why why)
{
	uint32_t n = 0;

	for (uint32_t g = 0; g < format->n_groups; g++)
		n += f->decode.groups[g].why == why;
	return n;
}

static inline bool is_whole(const struct fixture *f, const struct image *i)
{
	return n_stopped(f, i->format, STOP_NOT) == i->format->n_groups;
}

/* Without liblzma there is nothing to see of the last. */
static inline size_t n_images(void)
{
	return unlzma_is_available() ? 5 : 4;
}

/* ---- Maps --------------------------------------------------------------------------------- */

struct taking {
	size_t n, max;
};

static inline bool take_some(void *ctx, const struct region *r)
{
	struct taking *t = ctx;

	assert_true(r->span.len > 0);
	return t->n++ < t->max;
}

#endif
