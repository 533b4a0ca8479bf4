/* Tests of decoding compressed downloads where vectors do not reach: work that ends at each
 * step, each read that fails, maps that are not wanted to their end, and what is nested. */
#include <stdlib.h>
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

static void put_u32(struct image *i, uint64_t v)
{
	for (unsigned k = 0; k < 4; k++)
		i->bytes[i->n++] = (uint8_t)(v >> 8 * k);
}

static void put_stream(struct image *i, const char *text, bool sized)
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

static struct image whole(const char *name, const struct format *format, const uint8_t *bytes,
			  size_t n)
{
	struct image i = { .name = name, .format = format, .n = n };

	memcpy(i.bytes, bytes, n);
	return i;
}

static int make_images(void **state)
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

static bool read_input(void *ctx, uint64_t at, void *buf, size_t len, size_t *n_read)
{
	return fault_read_at(ctx, at, buf, len, n_read) == 0;
}

/* Windows of 16 bytes: every part is a read of its own. */
static void open_fixture(struct fixture *f, const struct image *i, const char *name)
{
	f->arena = unit_arena(&f->memory, UNIT_PLENTY);
	f->limits = limits_standard();
	f->input = (struct fault_input){ .bytes = i->bytes, .size = i->n };
	source_init(&f->source, (struct source_io){ read_input, NULL, &f->input, i->n }, name,
		    &f->arena, 16);
	f->decode = (struct decode){ .source = &f->source,
				     .arena = &f->arena,
				     .limits = &f->limits,
				     .level = LEVEL_CONTENT,
				     .work = { .max = UINT64_MAX } };
}

static void end_fixture(struct fixture *f)
{
	arena_free(&f->arena);
	assert_int_equal(f->memory.n_live, 0);
}

static uint32_t n_stopped(const struct fixture *f, const struct format *format, enum stop_why why)
{
	uint32_t n = 0;

	for (uint32_t g = 0; g < format->n_groups; g++)
		n += f->decode.groups[g].why == why;
	return n;
}

static bool is_whole(const struct fixture *f, const struct image *i)
{
	return n_stopped(f, i->format, STOP_NOT) == i->format->n_groups;
}

/* Without liblzma there is nothing to see of the last. */
static size_t n_images(void)
{
	return unlzma_is_available() ? 5 : 4;
}

static void work_ends_at_each_step(void **state)
{
	struct fixture f;
	bool done;

	(void)state;
	for (size_t k = 0; k < n_images(); k++) {
		uint64_t max = 0;

		do {
			open_fixture(&f, &images[k], images[k].name);
			f.decode.work.max = max++;
			assert_non_null(images[k].format->decode(&f.decode));
			done = is_whole(&f, &images[k]);
			assert_int_equal(n_stopped(&f, images[k].format, STOP_LIMIT), !done);
			end_fixture(&f);
		} while (!done);
		assert_in_range(max, 2, 40);
	}
}

static void each_read_fails(void **state)
{
	struct fixture f;
	bool done;

	(void)state;
	for (size_t k = 0; k < n_images(); k++) {
		uint64_t fault_at = 1;

		do {
			open_fixture(&f, &images[k], images[k].name);
			f.input.fault = FAULT_FAILS;
			f.input.fault_at = fault_at++;
			assert_non_null(images[k].format->decode(&f.decode));
			done = is_whole(&f, &images[k]);
			assert_int_equal(n_stopped(&f, images[k].format, STOP_INPUT), !done);
			/* it is not the file's fault */
			assert_int_equal(n_stopped(&f, images[k].format, STOP_MALFORMED), 0);
			end_fixture(&f);
		} while (!done);
		assert_in_range(fault_at, 3, 20);
	}
}

static void each_request_for_memory_fails(void **state)
{
	struct fixture f;
	bool done;

	(void)state;
	for (size_t k = 0; k < n_images(); k++) {
		uint64_t fail_at = 1;

		do {
			open_fixture(&f, &images[k], images[k].name);
			f.arena.chunk_len = 1; /* whatever is taken is asked for */
			f.memory.fail_at = fail_at++;
			f.memory.forever = true;
			f.facts = images[k].format->decode(&f.decode);
			done = f.facts && is_whole(&f, &images[k]);
			assert_true(!f.facts || done ||
				    n_stopped(&f, images[k].format, STOP_MEMORY) == 1);
			assert_int_equal(n_stopped(&f, images[k].format, STOP_MALFORMED), 0);
			end_fixture(&f);
		} while (!done);
		assert_in_range(fail_at, 4, 40);
	}
}

/* The stored name T.u is held against the file's, byte for byte. */
static void names_are_compared(void **state)
{
	static const struct {
		const char *name;
		bool differs;
	} rows[] = {
		{ "T.u.uz", false },    { "t.U.uz", false }, { "T\x7F.u.uz", true },
		{ "T\x80.u.uz", true }, { "S.u.uz", true },  { "T.u.uz2", false },
	};
	struct fixture f;

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		const struct uz *u;

		open_fixture(&f, &images[0], rows[i].name);
		u = uz_format.decode(&f.decode);
		assert_int_equal((u->defects & UZ_NAME_MISMATCH) != 0, rows[i].differs);
		end_fixture(&f);
	}
}

/* ---- What the engine asks of the facts ------------------------------------------------------- */

struct taking {
	size_t n, max;
};

static bool take_some(void *ctx, const struct region *r)
{
	struct taking *t = ctx;

	assert_true(r->span.len > 0);
	return t->n++ < t->max;
}

static bool add_span(void *ctx, const struct region *r)
{
	uint64_t *end = ctx;

	assert_int_equal(r->span.at, *end);
	*end += r->span.len;
	return true;
}

/* A chunk that says that it is longer than the file ends with it. */
static void maps_end_with_the_file(void **state)
{
	struct image i = images[2];
	struct fixture f;
	uint64_t end = 0;

	(void)state;
	i.bytes[0] += 200;
	open_fixture(&f, &i, i.name);
	f.facts = uz2_format.decode(&f.decode);
	assert_int_equal(f.decode.groups[UZ2_CHUNKS].why, STOP_MALFORMED);
	assert_true(uz2_format.map(f.facts, &f.decode, add_span, &end));
	assert_int_equal(end, i.n);
	end_fixture(&f);
}

static void maps_end_when_nobody_listens(void **state)
{
	struct fixture f;

	(void)state;
	for (size_t k = 0; k < n_images(); k++) {
		struct taking t = { 0, SIZE_MAX };
		size_t all;

		open_fixture(&f, &images[k], images[k].name);
		f.facts = images[k].format->decode(&f.decode);
		assert_true(images[k].format->map(f.facts, &f.decode, take_some, &t));
		all = t.n;
		for (size_t max = 0; max < all; max++) {
			t = (struct taking){ 0, max };
			assert_false(images[k].format->map(f.facts, &f.decode, take_some, &t));
			assert_int_equal(t.n, max + 1);
		}
		end_fixture(&f);
	}
}

static void nothing_is_known_of_what_cannot_be_read(void **state)
{
	struct fixture f;

	(void)state;
	for (size_t k = 0; k < n_images(); k++) {
		struct taking t = { 0, SIZE_MAX };

		open_fixture(&f, &images[k], images[k].name);
		f.input.fault = FAULT_FAILS;
		f.input.fault_at = 1;
		f.facts = images[k].format->decode(&f.decode);
		assert_true(images[k].format->map(f.facts, &f.decode, take_some, &t));
		assert_int_equal(t.n, 0);
		assert_int_equal(images[k].format->explained(f.facts), 0);
		end_fixture(&f);
	}
}

static void what_comes_out_is_nested(void **state)
{
	static const uint8_t byte;
	const struct source download = { .name = "T.u.uz" };
	struct unpacked u = { .bytes = &byte, .len = 1, .name = text_from("T.txt") };
	struct nested_walk walk = { .file = 0 };
	struct nested n;

	(void)state;
	unpacked_describe(&u, &download);
	assert_true(unpacked_next(&u, &walk, &n));
	assert_true(n.decoded && n.span.len == 1 && n.installed_as.ref.n_units == 0);
	assert_true(text_is(n.name, "T.u"));
	assert_false(unpacked_next(&u, &walk, &n));
	walk.file = 0;
	u.further = text_from("T.umod");
	assert_true(unpacked_next(&u, &walk, &n));
	assert_true(unpacked_next(&u, &walk, &n));
	assert_true(text_is(n.name, "T.u") && text_is(n.installed_as, "T.umod"));
	assert_false(unpacked_next(&u, &walk, &n));
}

/* By content alone a .lzma is nothing. */
static void content_tells_the_format(void **state)
{
	struct fixture f;

	(void)state;
	for (size_t k = 0; k < LENGTH(images); k++)
		for (unsigned fault = 0; fault < 2; fault++) {
			open_fixture(&f, &images[k], "download");
			f.input.fault = fault ? FAULT_FAILS : FAULT_NONE;
			f.input.fault_at = 1;
			assert_int_equal(images[k].format->sniff(&f.decode),
					 !fault && images[k].format != &lzma_format);
			end_fixture(&f);
		}
}

static bool sniffs(const struct format *format, const uint8_t *bytes, size_t n)
{
	struct image i = whole("download", format, bytes, n);
	struct fixture f;
	bool yes;

	open_fixture(&f, &i, i.name);
	yes = format->sniff(&f.decode);
	end_fixture(&f);
	return yes;
}

/* As much as there is of a signature, a size and a stream is not enough; nor are sizes without a
 * stream, or a key without a name. */
static void half_a_format_is_none(void **state)
{
	static const uint8_t stream[] = { 0x2E, 0x16, 0, 0, 0xFF, 0xFF, 0xFF, 0x7F, 0x78, 0x9C };
	static const uint8_t no_stream[] = { 0x2E, 0x16, 0, 0, 0xFF, 0xFF, 0xFF, 0x7F, 0x78, 0x9D };
	static const uint8_t chunk[] = { 2, 0, 0, 0, 9, 0, 0, 0, 0x78, 0x9C },
			     no_chunk[] = { 2, 0, 0, 0, 9, 0, 0, 0, 0x79, 0x9C };
	static const uint8_t long_chunk[] = { 3, 0, 0, 0, 9, 0, 0, 0, 0x78, 0x9C };
	static const uint8_t key[] = { 1, 0, 0, 0, 12, 0, 0, 0, 172, 2, 'A', 0 },
			     no_key[] = { 1, 0, 0, 0, 12, 0, 0, 0, 172, 0, 'A', 0 };
	static const uint8_t long_name[] = { 0xD2, 4, 0, 0, 0x6C, 5, 'A', 0 };

	(void)state;
	assert_true(sniffs(&uz3_format, stream, 10));
	assert_false(sniffs(&uz3_format, stream, 9));
	assert_false(sniffs(&uz3_format, stream, 8));
	assert_false(sniffs(&uz3_format, no_stream, 10));
	assert_true(sniffs(&uz2_format, chunk, 10));
	assert_false(sniffs(&uz2_format, no_chunk, 10));
	assert_false(sniffs(&uz2_format, long_chunk, 10));
	assert_true(sniffs(&uz_format, key, 12));
	assert_false(sniffs(&uz_format, no_key, 12));
	assert_false(sniffs(&uz_format, long_name, 4));
	assert_false(sniffs(&uz_format, long_name, 8));
}

/* A chunk of no bytes has no stream in the map. */
/* What a chunk says that comes out of it is asked for once. */
static void chunks_take_what_they_say(void **state)
{
	uint64_t peaks[2];
	struct fixture f;

	(void)state;
	for (size_t k = 0; k < 2; k++) {
		struct image i = images[2];

		i.bytes[4] = 0;
		i.bytes[5] = k == 0 ? 1 : 2; /* 256 or 512 bytes, of which 11 come */
		open_fixture(&f, &i, i.name);
		f.arena.chunk_len = 1;
		assert_non_null(uz2_format.decode(&f.decode));
		assert_int_equal(f.decode.groups[UZ2_CONTENT].why, STOP_MALFORMED);
		peaks[k] = f.arena.peak;
		end_fixture(&f);
	}
	assert_int_equal(peaks[1] - peaks[0], 256);
}

static void expect_stops(enum level level, uint8_t packed, const enum stop_why *whys)
{
	struct image i = images[2];
	struct fixture f;

	i.bytes[0] = packed;
	open_fixture(&f, &i, i.name);
	f.decode.level = level;
	assert_non_null(uz2_format.decode(&f.decode));
	for (uint32_t g = 0; g < GROUPS_MAX; g++)
		assert_int_equal(f.decode.groups[g].why, g < uz2_n_groups ? whys[g] : STOP_NOT);
	end_fixture(&f);
}

/* What was not asked for is told from what stands on something that is missing. */
static void parts_of_chunks_stand_on_each_other(void **state)
{
	const uint8_t packed = images[2].bytes[0];

	(void)state;
	expect_stops(LEVEL_CONTENT, packed,
		     (enum stop_why[]){ STOP_NOT, STOP_NOT, STOP_NOT, STOP_NOT });
	expect_stops(LEVEL_STRUCTURE, packed,
		     (enum stop_why[]){ STOP_NOT, STOP_NOT, STOP_LEVEL, STOP_LEVEL });
	expect_stops(LEVEL_CONTENT, 0,
		     (enum stop_why[]){ STOP_NOT, STOP_MALFORMED, STOP_NEEDS, STOP_NEEDS });
	expect_stops(LEVEL_STRUCTURE, 0,
		     (enum stop_why[]){ STOP_NOT, STOP_MALFORMED, STOP_NEEDS, STOP_NEEDS });
}

/* What is asked of streams is asked when they were decoded. */
static void tables_of_chunks_have_their_groups(void **state)
{
	struct table t[TABLES_MAX];
	struct fixture f;

	(void)state;
	open_fixture(&f, &images[2], images[2].name);
	f.facts = uz2_format.decode(&f.decode);
	assert_int_equal(uz2_format.tables(f.facts, t), uz2_n_tables);
	assert_int_equal(t[UZ2_HEADERS].group, UZ2_FILE);
	assert_int_equal(t[UZ2_BODIES].group, UZ2_STREAMS);
	assert_int_equal(t[UZ2_HEADERS].n, 2);
	assert_int_equal(t[UZ2_BODIES].n, 2);
	end_fixture(&f);
}

static void a_chunk_may_be_empty(void **state)
{
	static const uint8_t bytes[] = { 0, 0, 0, 0, 9, 0, 0, 0 };
	struct image i = whole("T.u.uz2", &uz2_format, bytes, sizeof bytes);
	struct taking t = { 0, SIZE_MAX };
	struct fixture f;

	(void)state;
	open_fixture(&f, &i, i.name);
	f.facts = uz2_format.decode(&f.decode);
	assert_true(uz2_format.map(f.facts, &f.decode, take_some, &t));
	assert_int_equal(t.n, 1);
	end_fixture(&f);
}

/* A name of ASCII is none that is not. */
static void other_names_differ(void **state)
{
	struct image beyond_ascii = images[0];
	struct fixture f;

	(void)state;
	open_fixture(&f, &images[0], "\xC3\x9C.u.uz");
	f.facts = uz_format.decode(&f.decode);
	assert_true((((const struct uz *)f.facts)->defects & UZ_NAME_MISMATCH) != 0);
	end_fixture(&f);
	open_fixture(&f, &images[0], "U.u.uz");
	f.facts = uz_format.decode(&f.decode);
	assert_true((((const struct uz *)f.facts)->defects & UZ_NAME_MISMATCH) != 0);
	end_fixture(&f);
	beyond_ascii.bytes[5] = 0xDC; /* the stored name's first letter */
	open_fixture(&f, &beyond_ascii, "\x7F.u.uz");
	f.facts = uz_format.decode(&f.decode);
	assert_true((((const struct uz *)f.facts)->defects & UZ_NAME_MISMATCH) != 0);
	end_fixture(&f);
}

/* A .uz with a zlib stream behind its name, or with the first byte of one; n more bytes behind
 * it. */
static void open_with_zlib(struct fixture *f, bool cut, uint64_t n, uint64_t fault_at)
{
	static uint8_t bytes[200000];
	struct image i = whole("T.u.uz", &uz_format, old_form, 9), stream = { .n = 0 };

	put_stream(&stream, "ABRACADABRA", false);
	memcpy(bytes, i.bytes, (size_t)i.n);
	memcpy(bytes + i.n, stream.bytes + 4, (size_t)stream.n - 4);
	open_fixture(f, &i, i.name);
	f->input = (struct fault_input){ .bytes = bytes,
					 .size = cut ? i.n + 1 : i.n + stream.n - 4 + n,
					 .fault_at = fault_at,
					 .fault = fault_at ? FAULT_FAILS : FAULT_NONE };
	f->source.io.size = f->input.size;
}

static uint64_t defects_with_zlib(bool cut, uint64_t n, uint64_t fault_at)
{
	uint64_t defects;
	struct fixture f;

	open_with_zlib(&f, cut, n, fault_at);
	defects = ((const struct uz *)uz_format.decode(&f.decode))->defects;
	end_fixture(&f);
	return defects;
}

static void zlib_behind_the_name_is_seen(void **state)
{
	(void)state;
	assert_int_equal(defects_with_zlib(false, 0, 0), UZ_ZLIB_INSIDE);
	assert_int_equal(defects_with_zlib(false, 150000, 0), UZ_ZLIB_INSIDE);
	assert_int_equal(defects_with_zlib(true, 0, 0), UZ_TOTAL_CUT);
	for (uint64_t fault_at = 1; fault_at < 4; fault_at++)
		defects_with_zlib(false, 3000, fault_at);
	assert_int_not_equal(defects_with_zlib(false, 3000, 2), UZ_ZLIB_INSIDE);
}

/* To look whether it is zlib takes bytes as decoding does. */
static void zlib_is_looked_for_within_the_limits(void **state)
{
	static const struct {
		uint64_t taken;
		enum stop_why why;
	} rows[] = { { 0, STOP_MALFORMED }, { 992, STOP_LIMIT } };

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct fixture f;

		open_with_zlib(&f, false, 0, 0);
		f.limits.of[LIMIT_unpacked] = 32000;
		f.decode.work.packed = rows[i].taken;
		assert_non_null(uz_format.decode(&f.decode));
		assert_int_equal(f.decode.groups[UZ_TREE].why, rows[i].why);
		assert_true(rows[i].why != STOP_LIMIT ||
			    f.decode.groups[UZ_TREE].limit == LIMIT_unpacked);
		end_fixture(&f);
	}
}

/* The head of a long file is read, the rest of it is not. */
static void codes_cannot_be_read(void **state)
{
	static uint8_t bytes[4000];
	struct fixture f;

	(void)state;
	memcpy(bytes, old_form, sizeof old_form);
	open_fixture(&f, &images[0], "T.u.uz");
	f.input = (struct fault_input){
		.bytes = bytes, .size = sizeof bytes, .fails_over = true, .bad_offset = 3000
	};
	f.source.io.size = sizeof bytes;
	assert_non_null(uz_format.decode(&f.decode));
	assert_int_equal(f.decode.groups[UZ_TREE].why, STOP_NOT);
	assert_int_equal(f.decode.groups[UZ_CODES].why, STOP_INPUT);
	end_fixture(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(work_ends_at_each_step),
		cmocka_unit_test(each_read_fails),
		cmocka_unit_test(names_are_compared),
		cmocka_unit_test(maps_end_with_the_file),
		cmocka_unit_test(maps_end_when_nobody_listens),
		cmocka_unit_test(nothing_is_known_of_what_cannot_be_read),
		cmocka_unit_test(what_comes_out_is_nested),
		cmocka_unit_test(content_tells_the_format),
		cmocka_unit_test(half_a_format_is_none),
		cmocka_unit_test(chunks_take_what_they_say),
		cmocka_unit_test(parts_of_chunks_stand_on_each_other),
		cmocka_unit_test(tables_of_chunks_have_their_groups),
		cmocka_unit_test(each_request_for_memory_fails),
		cmocka_unit_test(a_chunk_may_be_empty),
		cmocka_unit_test(other_names_differ),
		cmocka_unit_test(zlib_behind_the_name_is_seen),
		cmocka_unit_test(zlib_is_looked_for_within_the_limits),
		cmocka_unit_test(codes_cannot_be_read),
	};

	return cmocka_run_group_tests(tests, make_images, NULL);
}
