/* Tests of long members of zips as sources: every place reads as it was packed, in any order. */
#include <stdlib.h>
#include <zlib.h>

#include "core/compiler.h"
#include "codec/crc32.h"
#include "formats/archive/zip/stream.h"
#include "unit.h"

enum { DATA_LEN = 6 << 20 };

/* A member that is packed at the beginning of a source, with some bytes after it. */
struct member {
	struct fault_memory memory;
	struct arena arena;
	struct source source;
	struct decode d;
	struct arc_member m;
	struct source_io io;
	struct zip_pass pass;
	uint8_t *data, *packed;
	uint64_t n_packed;
};

/* Half of it repeats, half does not: so there are blocks of many lengths. */
static void fill(uint8_t *data, uint64_t n)
{
	uint64_t seed = n;

	for (uint64_t i = 0; i < n; i++)
		data[i] = (uint8_t)(i / 50000 % 2 ? unit_random(&seed) : unit_random(&seed) % 3);
}

static uint64_t deflate_raw(const uint8_t *in, uint64_t n, uint8_t *out, uint64_t max)
{
	z_stream z = { 0 };

	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), Z_OK);
	z.next_in = (z_const Bytef *)in;
	z.avail_in = (uInt)n;
	z.next_out = out;
	z.avail_out = (uInt)max;
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	deflateEnd(&z);
	MEMORY_WRITTEN(out, max - z.avail_out);
	return max - z.avail_out;
}

static void pack(struct member *f, uint64_t n)
{
	const uint64_t max = n + n / 100 + 4096;

	memset(f, 0, sizeof *f);
	f->arena = unit_arena(&f->memory, UNIT_PLENTY);
	f->data = malloc(n + 1);
	f->packed = malloc(max);
	assert_true(f->data && f->packed);
	fill(f->data, n);
	f->n_packed = deflate_raw(f->data, n, f->packed, max);
	f->m = (struct arc_member){
		.packed = f->n_packed, .size = n, .crc = crc32_add(0, f->data, n), .has_crc = true
	};
}

static bool open_member(struct member *f, uint64_t max_work)
{
	source_init_memory(&f->source, f->packed, f->n_packed, "a.zip", &f->arena);
	f->d = (struct decode){ .source = &f->source, .arena = &f->arena };
	f->d.work.max = max_work;
	return zip_stream_open(&f->d, &f->m, &f->arena, &f->d, &f->pass, &f->io);
}

static void close_member(struct member *f)
{
	arena_free(&f->arena);
	free(f->data);
	free(f->packed);
}

static void expect_same(struct member *f, uint64_t at, size_t len)
{
	uint8_t *buf = malloc(len + 1);
	const uint64_t left = at < f->m.size ? f->m.size - at : 0;
	size_t n = len + 1;

	assert_non_null(buf);
	assert_true(f->io.read_at(f->io.ctx, at, buf, len, &n));
	assert_int_equal(n, len < left ? len : left);
	if (n > 0)
		assert_memory_equal(buf, f->data + at, n);
	free(buf);
}

static void any_place_reads_as_packed(void **state)
{
	static struct member f;
	uint64_t seed = 3;

	(void)state;
	pack(&f, DATA_LEN);
	assert_true(open_member(&f, UINT64_MAX));
	assert_int_equal(f.pass.traits, 0);
	for (uint64_t at = 0; at < DATA_LEN; at += 262144)
		expect_same(&f, at, 262144);
	for (int i = 0; i < 60; i++)
		expect_same(&f, unit_random(&seed) % (DATA_LEN + 10), unit_random(&seed) % 70000);
	expect_same(&f, DATA_LEN - 1, 1);
	expect_same(&f, 0, 1);
	expect_same(&f, DATA_LEN, 5);
	close_member(&f);
}

/* What is decoded costs work; memory does not grow with what is read. */
static void reading_costs_work_and_no_memory(void **state)
{
	static struct member f;
	uint64_t held, work;

	(void)state;
	pack(&f, DATA_LEN);
	assert_true(open_member(&f, UINT64_MAX));
	held = f.arena.held;
	work = f.d.work.done;
	assert_true(work >= DATA_LEN / WORK_BYTES);
	for (int i = 0; i < 20; i++)
		expect_same(&f, i % 2 ? DATA_LEN - 100 : 0, 100);
	assert_int_equal(f.arena.held, held);
	assert_true(f.d.work.done > work);
	assert_true(held < 4 << 20);
	close_member(&f);
}

static void what_is_wrong_is_told(void **state)
{
	static struct member f;

	(void)state;
	pack(&f, 100000);
	f.m.crc ^= 1;
	assert_true(open_member(&f, UINT64_MAX));
	assert_int_equal(f.pass.traits, ARC_WRONG_SUM);
	f.m.size++;
	assert_false(open_member(&f, UINT64_MAX));
	assert_int_equal(f.pass.traits, ARC_TOO_SHORT);
	f.m.size -= 2;
	assert_false(open_member(&f, UINT64_MAX));
	assert_int_equal(f.pass.traits, ARC_TOO_LONG);
	f.m.size++;
	f.m.packed -= 10;
	assert_false(open_member(&f, UINT64_MAX));
	assert_int_equal(f.pass.traits, ARC_BROKEN);
	close_member(&f);
}

static void work_and_memory_may_end(void **state)
{
	static struct member f;

	(void)state;
	pack(&f, 3 << 20);
	assert_false(open_member(&f, 1000));
	assert_true(f.d.work.exhausted);
	assert_true(open_member(&f, UINT64_MAX));
	f.d.work.max = f.d.work.done + 100;
	{
		uint8_t byte;
		size_t n;

		assert_false(f.io.read_at(f.io.ctx, (3 << 20) - 1, &byte, 1, &n));
	}
	close_member(&f);
	for (uint64_t budget = 0; budget < 400000; budget += 40000) {
		pack(&f, 3 << 20);
		f.arena.budget = budget;
		if (!open_member(&f, UINT64_MAX))
			assert_true(f.arena.over_budget);
		close_member(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_place_reads_as_packed),
		cmocka_unit_test(reading_costs_work_and_no_memory),
		cmocka_unit_test(what_is_wrong_is_told),
		cmocka_unit_test(work_and_memory_may_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
