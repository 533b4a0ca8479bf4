/* Tests of the wrapper around libarchive: members and their bytes, and how it ends where the input
 * fails, is no archive, or memory is short. */
#include "codec/libarchive.h"
#include "unit.h"

/* The vector sevenzip/good_minimal: two files, not compressed. */
static const uint8_t archive[] = {
	0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0x00, 0x04, 0x0A, 0xF8, 0x29, 0xC9, 0x30, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x4C, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0xBF,
	0xCA, 0xE2, 0x74, 0x68, 0x65, 0x20, 0x66, 0x69, 0x72, 0x73, 0x74, 0x20, 0x66, 0x69, 0x6C,
	0x65, 0x0A, 0x74, 0x68, 0x65, 0x20, 0x73, 0x65, 0x63, 0x6F, 0x6E, 0x64, 0x20, 0x66, 0x69,
	0x6C, 0x65, 0x2C, 0x20, 0x77, 0x68, 0x69, 0x63, 0x68, 0x20, 0x69, 0x73, 0x20, 0x6C, 0x6F,
	0x6E, 0x67, 0x65, 0x72, 0x0A, 0x01, 0x04, 0x06, 0x00, 0x01, 0x09, 0x30, 0x00, 0x07, 0x0B,
	0x01, 0x00, 0x01, 0x01, 0x00, 0x0C, 0x30, 0x00, 0x08, 0x0D, 0x02, 0x09, 0x0F, 0x0A, 0x01,
	0xB1, 0x1E, 0xC6, 0x70, 0x48, 0x9D, 0xED, 0xD8, 0x00, 0x00, 0x05, 0x02, 0x11, 0x23, 0x00,
	0x4D, 0x00, 0x61, 0x00, 0x70, 0x00, 0x73, 0x00, 0x2F, 0x00, 0x61, 0x00, 0x2E, 0x00, 0x74,
	0x00, 0x78, 0x00, 0x74, 0x00, 0x00, 0x00, 0x62, 0x00, 0x2E, 0x00, 0x74, 0x00, 0x78, 0x00,
	0x74, 0x00, 0x00, 0x00, 0x00, 0x00,
};

enum { MEMORY = 1 << 20 };

/* An input that fails at the read of that number; UINT32_MAX: at none. */
struct bytes {
	const uint8_t *data;
	uint64_t len;
	uint32_t fails_at, n_reads;
};

static bool read_bytes(void *ctx, uint64_t at, uint8_t *buf, size_t len)
{
	struct bytes *b = ctx;

	assert_true(len > 0 && len <= b->len && at <= b->len - len);
	if (b->n_reads++ == b->fails_at)
		return false;
	memcpy(buf, b->data + at, len);
	return true;
}

static enum unarchive_result open_bytes(struct arena *a, struct bytes *b, uint64_t memory,
					struct unarchive **out)
{
	return unarchive_open(a, UNARCHIVE_7Z, (struct unarchive_input){ read_bytes, b, b->len },
			      memory, out);
}

/* Reads a member to its end. */
static enum unarchive_result read_member(struct unarchive *u, uint8_t *out, uint64_t *n)
{
	enum unarchive_result result;
	const uint8_t *bytes;
	uint64_t len, zeros;

	*n = 0;
	while ((result = unarchive_read(u, &bytes, &len, &zeros)) == UNARCHIVE_FINE) {
		assert_int_equal(zeros, 0);
		memcpy(out + *n, bytes, (size_t)len);
		*n += len;
	}
	return result;
}

static void members_and_their_bytes(void **state)
{
	struct fault_memory memory;
	struct arena a = unit_arena(&memory, UNIT_PLENTY);
	struct bytes b = { archive, sizeof archive, UINT32_MAX, 0 };
	struct unarchive *u;
	struct unarchive_member member;
	uint8_t out[64];
	uint64_t n;

	(void)state;
	unit_needs(unarchive_is_available(), "libarchive");
	assert_int_equal(open_bytes(&a, &b, MEMORY, &u), UNARCHIVE_FINE);
	assert_int_equal(a.budget, UNIT_PLENTY - MEMORY);
	assert_true(a.peak >= MEMORY);
	assert_int_equal(unarchive_next(u, &member), UNARCHIVE_FINE);
	assert_int_equal(member.size, 15);
	assert_false(member.is_encrypted);
	assert_int_equal(read_member(u, out, &n), UNARCHIVE_END);
	assert_int_equal(n, 15);
	assert_memory_equal(out, "the first file\n", 15);
	assert_int_equal(unarchive_next(u, &member), UNARCHIVE_FINE);
	assert_int_equal(member.size, 33);
	assert_int_equal(unarchive_next(u, &member), UNARCHIVE_END); /* passed over */
	unarchive_close(u);
	assert_int_equal(a.budget, UNIT_PLENTY);
	arena_free(&a);
}

/* However early the input fails, that is what is told, and nothing is left open. */
static void a_failing_input_stops_it(void **state)
{
	(void)state;
	unit_needs(unarchive_is_available(), "libarchive");
	for (uint32_t i = 0; i < 3; i++) {
		struct fault_memory memory;
		struct arena a = unit_arena(&memory, UNIT_PLENTY);
		struct bytes b = { archive, sizeof archive, i, 0 };
		struct unarchive *u;
		struct unarchive_member member;
		enum unarchive_result result = open_bytes(&a, &b, MEMORY, &u);

		if (result == UNARCHIVE_FINE) {
			result = unarchive_next(u, &member);
			unarchive_close(u);
		}
		assert_true(b.n_reads <= i || result == UNARCHIVE_STOPPED);
		assert_int_equal(a.budget, UNIT_PLENTY);
		arena_free(&a);
	}
}

static void what_is_no_archive_is_over(void **state)
{
	static const uint8_t nothing[600] = { '7', 'z' };
	struct fault_memory memory;
	struct arena a = unit_arena(&memory, UNIT_PLENTY);
	struct bytes b = { nothing, sizeof nothing, UINT32_MAX, 0 };
	struct unarchive *u;
	struct unarchive_member member;
	enum unarchive_result result;

	(void)state;
	unit_needs(unarchive_is_available(), "libarchive");
	result = open_bytes(&a, &b, MEMORY, &u);
	if (result == UNARCHIVE_FINE) {
		result = unarchive_next(u, &member);
		unarchive_close(u);
	}
	assert_int_equal(result, UNARCHIVE_OVER);
	assert_int_equal(a.budget, UNIT_PLENTY);
	arena_free(&a);
}

static void memory_is_counted_before_it_is_taken(void **state)
{
	struct fault_memory memory;
	struct arena a = unit_arena(&memory, MEMORY);
	struct bytes b = { archive, sizeof archive, UINT32_MAX, 0 };
	struct unarchive *u;

	(void)state;
	unit_needs(unarchive_is_available(), "libarchive");
	assert_int_equal(open_bytes(&a, &b, MEMORY, &u), UNARCHIVE_NO_MEMORY);
	assert_true(a.over_budget);
	assert_int_equal(b.n_reads, 0);
	assert_int_equal(a.budget, MEMORY);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_and_their_bytes),
		cmocka_unit_test(a_failing_input_stops_it),
		cmocka_unit_test(what_is_no_archive_is_over),
		cmocka_unit_test(memory_is_counted_before_it_is_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
