/* Tests of decoding compressed files: several streams in pieces, output at its limit, ends, and
 * memory that ends. */
#include <stdlib.h>
#include <zlib.h>

#include "core/compiler.h"
#include "codec/unstream.h"
#include "unit.h"

enum { DATA_LEN = 200000, ROOM = 300000, FORM_GZIP = 31 };

static struct {
	struct fault_memory memory;
	struct arena arena;
	uint8_t data[DATA_LEN], packed[2 * ROOM], out[ROOM];
	uint64_t n_packed;
	uint64_t reads_left, pulses_left;
} f;

static bool read_packed(void *ctx, uint64_t at, uint8_t *buf, uint64_t n)
{
	(void)ctx;
	assert_true(n > 0 && at + n <= f.n_packed);
	memcpy(buf, f.packed + at, n);
	return f.reads_left > 0 && f.reads_left-- > 0;
}

static bool pulse(void *ctx)
{
	(void)ctx;
	return f.pulses_left > 0 && f.pulses_left-- > 0;
}

static void open_fixture(void)
{
	f.arena = unit_arena(&f.memory, UNIT_PLENTY);
	f.reads_left = f.pulses_left = UINT64_MAX;
}

/* Appends a member of gzip with n bytes, which are random from `variety` values. */
static void append(uint64_t n, unsigned variety)
{
	uint64_t seed = n + variety;
	z_stream z;

	memset(&z, 0, sizeof z);
	for (uint64_t i = 0; i < n; i++)
		f.data[i] = (uint8_t)(unit_random(&seed) % variety);
	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, FORM_GZIP, 8, Z_DEFAULT_STRATEGY), Z_OK);
	z.next_in = f.data;
	z.avail_in = (uInt)n;
	z.next_out = f.packed + f.n_packed;
	z.avail_out = (uInt)(sizeof f.packed - f.n_packed);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	MEMORY_WRITTEN(f.packed + f.n_packed, z.total_out);
	f.n_packed += z.total_out;
	deflateEnd(&z);
}

static struct unstream decode(enum unstream_form form, uint8_t *out, uint64_t max)
{
	const struct unstream_io io = { f.n_packed, read_packed, pulse, NULL };

	return unstream_whole(&f.arena, form, &io, out, max);
}

static void several_streams_are_one(void **state)
{
	struct unstream u;

	(void)state;
	open_fixture();
	f.n_packed = 0;
	append(DATA_LEN, 256); /* longer than a piece, in and out */
	append(0, 1);
	append(3, 5);
	u = decode(UNSTREAM_GZIP, NULL, ROOM);
	assert_int_equal(u.result, UNSTREAM_DONE);
	assert_int_equal(u.n_out, DATA_LEN + 3);
	assert_int_equal(u.n_used, f.n_packed);
	assert_int_equal(u.n_streams, 3);
	u = decode(UNSTREAM_GZIP, f.out, DATA_LEN + 3);
	assert_int_equal(u.result, UNSTREAM_DONE);
	assert_memory_equal(f.out + DATA_LEN, f.data, 3);
	arena_free(&f.arena);
}

static void output_ends_where_it_may(void **state)
{
	(void)state;
	open_fixture();
	f.n_packed = 0;
	append(70000, 4);
	memset(f.out, 0x5A, sizeof f.out);
	assert_int_equal(decode(UNSTREAM_GZIP, f.out, 69999).result, UNSTREAM_FULL);
	assert_int_equal(f.out[69999], 0x5A);
	assert_int_equal(decode(UNSTREAM_GZIP, NULL, 69999).result, UNSTREAM_FULL);
	assert_int_equal(decode(UNSTREAM_GZIP, f.out, 0).result, UNSTREAM_FULL);
	assert_int_equal(decode(UNSTREAM_GZIP, f.out, 70000).result, UNSTREAM_DONE);
	arena_free(&f.arena);
}

/* Every beginning of a file is one that was truncated, but the empty one of no stream at all. */
static void beginnings_are_cut(void **state)
{
	(void)state;
	open_fixture();
	f.n_packed = 0;
	append(3000, 7);
	for (uint64_t whole = f.n_packed; f.n_packed > 1;) {
		struct unstream u;

		f.n_packed--;
		u = decode(UNSTREAM_GZIP, NULL, ROOM);
		assert_int_equal(u.result, UNSTREAM_CUT);
		assert_true(u.n_used <= f.n_packed && f.n_packed < whole);
	}
	arena_free(&f.arena);
}

static void who_asks_may_stop(void **state)
{
	(void)state;
	open_fixture();
	f.n_packed = 0;
	append(DATA_LEN, 256);
	append(10, 3);
	for (uint64_t n = 0; n < 3; n++) {
		f.reads_left = n;
		assert_int_equal(decode(UNSTREAM_GZIP, NULL, ROOM).result, UNSTREAM_STOPPED);
		f.reads_left = UINT64_MAX;
		f.pulses_left = n;
		assert_int_equal(decode(UNSTREAM_GZIP, NULL, ROOM).result, UNSTREAM_STOPPED);
		f.pulses_left = UINT64_MAX;
	}
	arena_free(&f.arena);
}

/* Each form, with each request for memory refused in turn. */
static void memory_may_end(void **state)
{
	static const char hello_xz[] =
		"\xFD\x37\x7A\x58\x5A\x00\x00\x01\x69\x22\xDE\x36\x02\x00\x21\x01\x08\x00\x00\x00"
		"\xD8\x0F\x23\x13\x01\x00\x04\x68\x65\x6C\x6C\x6F\x00\x00\x00\x00\x86\xA6\x10\x36"
		"\x00\x01\x19\x05\xBC\xE8\xEC\xCB\x90\x42\x99\x0D\x01\x00\x00\x00\x00\x01\x59\x5A";
	static const char hello_zstd[] = "\x28\xB5\x2F\xFD\x20\x05\x29\x00\x00hello";
	static const struct {
		enum unstream_form form;
		const char *bytes;
		size_t n;
	} files[] = { { UNSTREAM_GZIP, NULL, 0 },
		      { UNSTREAM_XZ, hello_xz, sizeof hello_xz - 1 },
		      { UNSTREAM_ZSTD, hello_zstd, sizeof hello_zstd - 1 } };

	(void)state;
	for (size_t i = 0; i < LENGTH(files); i++) {
		const bool is_there = unstream_lack(files[i].form) == NULL;
		enum unstream_result last = UNSTREAM_NO_MEMORY;

		f.n_packed = 0;
		append(5, 3);
		if (files[i].bytes) {
			memcpy(f.packed, files[i].bytes, files[i].n);
			f.n_packed = files[i].n;
		}
		for (uint64_t n = 1; last == UNSTREAM_NO_MEMORY && n < 100; n++) {
			open_fixture();
			f.memory.fail_at = n;
			last = decode(files[i].form, f.out, ROOM).result;
			arena_free(&f.arena);
		}
		if (is_there)
			assert_int_equal(last, UNSTREAM_DONE);
		if (!is_there)
			assert_int_equal(last, UNSTREAM_UNAVAILABLE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(several_streams_are_one),
		cmocka_unit_test(output_ends_where_it_may),
		cmocka_unit_test(beginnings_are_cut),
		cmocka_unit_test(who_asks_may_stop),
		cmocka_unit_test(memory_may_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
