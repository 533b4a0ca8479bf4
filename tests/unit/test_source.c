/* Tests of the source: held windows, copies over held and unread parts, streams, short reads,
 * trouble, and that no byte is read twice. */
#include "core/source.h"
#include "unit.h"

enum { SIZE = 200 };

/* An input of SIZE bytes that counts how often each was read, and returns at most `portion` bytes
 * at a time. */
struct counted {
	uint8_t bytes[SIZE];
	unsigned n_read[SIZE];
	size_t portion;
	uint64_t fails_at, ends_at; /* offset; UINT64_MAX: never */
	bool overreports, changed;
};

static bool counted_read(void *ctx, uint64_t at, void *buf, size_t len, size_t *n_read)
{
	struct counted *c = ctx;
	uint64_t end = c->ends_at < SIZE ? c->ends_at : SIZE;
	size_t n = len < c->portion ? len : c->portion;

	if (c->fails_at >= at && c->fails_at < at + len)
		return false;
	n = at >= end ? 0 : n < end - at ? n : (size_t)(end - at);
	for (size_t i = 0; i < n; i++) {
		((uint8_t *)buf)[i] = c->bytes[at + i];
		c->n_read[at + i]++;
	}
	*n_read = c->overreports ? len + 1 : n;
	return true;
}

static bool counted_unchanged(void *ctx)
{
	return !((struct counted *)ctx)->changed;
}

struct fixture {
	struct fault_memory memory;
	struct arena arena;
	struct counted input;
	struct source source;
};

static void open_source(struct fixture *f, uint64_t window_len)
{
	f->arena = unit_arena(&f->memory, UNIT_PLENTY);
	f->input = (struct counted){ .portion = SIZE,
				     .fails_at = UINT64_MAX,
				     .ends_at = UINT64_MAX };
	for (size_t i = 0; i < SIZE; i++)
		f->input.bytes[i] = (uint8_t)(i * 7 + 3);
	source_init(&f->source,
		    (struct source_io){ counted_read, counted_unchanged, &f->input, SIZE }, "name",
		    &f->arena, window_len);
}

static void close_source(struct fixture *f)
{
	arena_free(&f->arena);
	assert_int_equal(f->memory.n_live, 0);
}

static void expect_window(struct fixture *f, uint64_t at, uint64_t len)
{
	struct cursor c;

	assert_true(source_window(&f->source, (struct span){ at, len }, &c));
	assert_int_equal(c.origin, at);
	assert_int_equal(c.len, len);
	assert_memory_equal(c.data, f->input.bytes + at, len);
}

static void expect_read_once(const struct fixture *f)
{
	for (size_t i = 0; i < SIZE; i++)
		assert_true(f->input.n_read[i] <= 1);
}

static void small_input_is_read_whole_and_once(void **state)
{
	struct fixture f;

	(void)state;
	open_source(&f, SIZE);
	expect_window(&f, 150, 10);
	expect_window(&f, 0, SIZE);
	expect_window(&f, 0, 0);
	expect_window(&f, SIZE, 0);
	for (size_t i = 0; i < SIZE; i++)
		assert_int_equal(f.input.n_read[i], 1);
	assert_int_equal(f.source.n_held, 1);
	close_source(&f);
}

/* Windows that overlap one another in every way: inside, before, after, around. */
static void overlapping_windows_are_read_once(void **state)
{
	static const struct span spans[] = { { 50, 20 }, { 55, 5 },  { 60, 30 },
					     { 40, 20 }, { 10, 10 }, { 0, SIZE },
					     { 45, 60 }, { 199, 1 }, { 70, 0 } };
	struct fixture f;

	(void)state;
	for (uint64_t window = 1; window <= SIZE; window++) {
		open_source(&f, window);
		for (size_t i = 0; i < LENGTH(spans); i++)
			expect_window(&f, spans[i].at, spans[i].len);
		expect_read_once(&f);
		close_source(&f);
	}
}

static void copies_use_what_is_held(void **state)
{
	uint8_t buf[SIZE];
	struct fixture f;

	(void)state;
	open_source(&f, 16);
	expect_window(&f, 20, 10);
	expect_window(&f, 40, 10);
	expect_window(&f, 25, 20);
	assert_true(source_copy(&f.source, (struct span){ 10, 100 }, buf));
	assert_memory_equal(buf, f.input.bytes + 10, 100);
	expect_read_once(&f);
	assert_true(source_copy(&f.source, (struct span){ 0, 0 }, buf));
	assert_false(source_copy(&f.source, (struct span){ SIZE, 1 }, buf));
	assert_false(source_copy(&f.source, (struct span){ 1, SIZE }, buf));
	assert_false(source_copy(&f.source, (struct span){ UINT64_MAX, 2 }, buf));
	assert_int_equal(f.source.trouble, SOURCE_FINE);
	close_source(&f);
}

struct gathered {
	uint8_t bytes[SIZE];
	uint64_t n, from, stop_after;
};

static bool gather(void *ctx, uint64_t at, const uint8_t *bytes, uint64_t n)
{
	struct gathered *g = ctx;

	assert_int_equal(at, g->from + g->n);
	memcpy(g->bytes + g->n, bytes, n);
	g->n += n;
	return g->n < g->stop_after;
}

static void streams_give_every_byte_in_order(void **state)
{
	struct fixture f;

	(void)state;
	for (uint64_t window = 1; window <= SIZE + 1; window += 1 + window / 9) {
		for (size_t portion = 1; portion <= SIZE; portion += 1 + portion / 3) {
			struct gathered g = { .from = 5, .stop_after = UINT64_MAX };

			open_source(&f, window);
			f.input.portion = portion;
			expect_window(&f, 30, 10);
			expect_window(&f, 60, 1);
			assert_true(source_stream(&f.source, (struct span){ 5, 190 }, gather, &g));
			assert_int_equal(g.n, 190);
			assert_memory_equal(g.bytes, f.input.bytes + 5, 190);
			expect_read_once(&f);
			close_source(&f);
		}
	}
}

static void streams_stop(void **state)
{
	struct gathered g = { .stop_after = 20 };
	struct fixture f;

	(void)state;
	open_source(&f, 16);
	assert_false(source_stream(&f.source, (struct span){ 0, SIZE }, gather, &g));
	assert_int_equal(g.n, 32);
	assert_false(source_stream(&f.source, (struct span){ 1, SIZE }, gather, &g));
	assert_true(source_stream(&f.source, (struct span){ SIZE, 0 }, gather, &g));
	f.input.fails_at = 100;
	g = (struct gathered){ .stop_after = UINT64_MAX };
	assert_false(source_stream(&f.source, (struct span){ 0, SIZE }, gather, &g));
	assert_int_equal(g.n, 96);
	assert_int_equal(f.source.trouble, SOURCE_UNREADABLE);
	close_source(&f);
	open_source(&f, 16);
	f.memory.fail_at = 1;
	assert_false(source_stream(&f.source, (struct span){ 0, SIZE }, gather, &g));
	close_source(&f);
}

static void peeking_never_reads(void **state)
{
	struct cursor c;
	struct fixture f;

	(void)state;
	open_source(&f, 16);
	assert_false(source_peek(&f.source, (struct span){ 0, 1 }, &c));
	assert_false(source_peek_from(&f.source, 0, &c));
	expect_window(&f, 20, 10);
	assert_true(source_peek(&f.source, (struct span){ 22, 8 }, &c));
	assert_false(source_peek(&f.source, (struct span){ 22, 9 }, &c));
	assert_false(source_peek(&f.source, (struct span){ 19, 2 }, &c));
	assert_true(source_peek_from(&f.source, 25, &c));
	assert_int_equal(c.len, 5);
	assert_int_equal(c.origin, 25);
	assert_false(source_peek_from(&f.source, 30, &c));
	assert_false(source_peek_from(&f.source, UINT64_MAX, &c));
	for (size_t i = 0; i < SIZE; i++)
		assert_int_equal(f.input.n_read[i], i >= 20 && i < 30);
	close_source(&f);
}

/* Of windows that overlap, the one that reaches farthest is given, whichever was read first. */
static void peeking_finds_the_farthest_window(void **state)
{
	static const struct span spans[][2] = { { { 20, 10 }, { 15, 30 } },
						{ { 15, 30 }, { 10, 20 } },
						{ { 20, 10 }, { 10, 20 } } };
	static const uint64_t ends[] = { 45, 45, 30 };
	struct cursor c;
	struct fixture f;

	(void)state;
	for (size_t i = 0; i < LENGTH(spans); i++) {
		open_source(&f, 16);
		expect_window(&f, spans[i][0].at, spans[i][0].len);
		expect_window(&f, spans[i][1].at, spans[i][1].len);
		assert_true(source_peek_from(&f.source, 22, &c));
		assert_int_equal(c.origin + c.len, ends[i]);
		close_source(&f);
	}
}

/* However many windows there are, no byte is read twice. */
static void all_windows_are_held(void **state)
{
	struct fixture f;

	(void)state;
	open_source(&f, 2);
	for (uint64_t i = 0; i < 5 * SOURCE_HELD_FEW; i++)
		expect_window(&f, i, 1);
	assert_int_equal(f.source.n_held, 5 * SOURCE_HELD_FEW);
	for (uint64_t i = 0; i < 5 * SOURCE_HELD_FEW; i++)
		expect_window(&f, i, 1);
	expect_read_once(&f);
	assert_int_equal(f.source.n_held, 5 * SOURCE_HELD_FEW);
	close_source(&f);
}

/* Where there is no memory to hold a window, there is none; the next one is no worse for it. */
static void windows_that_cannot_be_held(void **state)
{
	struct fixture f;
	struct cursor c;

	(void)state;
	open_source(&f, 2);
	for (uint64_t i = 0; i < SOURCE_HELD_FEW; i++)
		expect_window(&f, i, 1);
	f.arena.left = 0;
	f.arena.budget = f.arena.held;
	assert_false(source_window(&f.source, (struct span){ 100, 1 }, &c));
	assert_false(source_window_once(&f.source, (struct span){ 100, 1 }, &c));
	assert_false(source_window_once(&f.source, (struct span){ SIZE, 1 }, &c));
	assert_int_equal(f.source.n_held, SOURCE_HELD_FEW);
	f.arena.budget = UNIT_PLENTY;
	expect_window(&f, 100, 1);
	assert_true(source_window_once(&f.source, (struct span){ 100, 1 }, &c));
	assert_true(source_window_once(&f.source, (struct span){ 150, 2 }, &c));
	assert_memory_equal(c.data, f.input.bytes + 150, 2);
	assert_int_equal(f.source.n_held, SOURCE_HELD_FEW + 1);
	f.input.fails_at = 160;
	assert_false(source_window_once(&f.source, (struct span){ 159, 2 }, &c));
	assert_int_equal(f.source.trouble, SOURCE_UNREADABLE);
	close_source(&f);
}

/* A long read is made in pieces, and ends between two of them when the check was interrupted. */
static void long_reads_are_broken_off(void **state)
{
	atomic_bool cancelled = true;
	const struct interrupt interrupt = { .cancel = &cancelled };
	uint8_t buf[50];
	struct fixture f;

	(void)state;
	open_source(&f, 16);
	f.source.interrupt = &interrupt;
	assert_true(source_copy(&f.source, (struct span){ 0, 50 }, buf));
	f.input.portion = 10;
	assert_false(source_copy(&f.source, (struct span){ 50, 50 }, buf));
	assert_int_equal(f.source.interrupted, INTERRUPTED_CANCELLED);
	assert_int_equal(f.source.trouble, SOURCE_FINE);
	atomic_store(&cancelled, false);
	assert_true(source_copy(&f.source, (struct span){ 50, 50 }, buf));
	assert_int_equal(f.source.interrupted, INTERRUPTED_NOT);
	close_source(&f);
}

static void short_reads_are_continued(void **state)
{
	struct fixture f;

	(void)state;
	for (size_t portion = 1; portion < 60; portion++) {
		open_source(&f, 16);
		f.input.portion = portion;
		expect_window(&f, 10, 50);
		expect_read_once(&f);
		assert_int_equal(f.source.trouble, SOURCE_FINE);
		close_source(&f);
	}
}

static void trouble_is_told_and_the_worst_stays(void **state)
{
	struct cursor c;
	struct fixture f;

	(void)state;
	open_source(&f, 16);
	f.input.ends_at = 50;
	expect_window(&f, 0, 40);
	assert_false(source_window(&f.source, (struct span){ 45, 10 }, &c));
	assert_int_equal(f.source.trouble, SOURCE_CHANGED);
	assert_int_equal(f.source.trouble_at.at, 45);
	f.input.fails_at = 100;
	assert_false(source_window(&f.source, (struct span){ 90, 20 }, &c));
	assert_int_equal(f.source.trouble, SOURCE_UNREADABLE);
	assert_int_equal(f.source.trouble_at.at, 90);
	f.input.changed = true;
	source_finish(&f.source);
	assert_int_equal(f.source.trouble, SOURCE_UNREADABLE);
	assert_int_equal(f.source.trouble_at.at, 90);
	close_source(&f);
}

static void a_reader_that_lies_is_not_believed(void **state)
{
	struct cursor c;
	struct fixture f;

	(void)state;
	open_source(&f, 16);
	f.input.overreports = true;
	assert_false(source_window(&f.source, (struct span){ 0, 8 }, &c));
	assert_int_equal(f.source.trouble, SOURCE_UNREADABLE);
	close_source(&f);
}

static void windows_outside_are_refused(void **state)
{
	struct cursor c;
	struct fixture f;

	(void)state;
	open_source(&f, 16);
	assert_false(source_window(&f.source, (struct span){ SIZE, 1 }, &c));
	assert_false(source_window(&f.source, (struct span){ SIZE + 1, 0 }, &c));
	assert_false(source_window(&f.source, (struct span){ 1, UINT64_MAX }, &c));
	assert_int_equal(f.source.trouble, SOURCE_FINE);
	f.memory.fail_at = 1;
	assert_false(source_window(&f.source, (struct span){ 0, 1 }, &c));
	assert_int_equal(f.source.trouble, SOURCE_FINE);
	assert_true(f.arena.refused);
	close_source(&f);
}

static void the_end_is_asked(void **state)
{
	struct fixture f;

	(void)state;
	open_source(&f, 16);
	source_finish(&f.source);
	assert_int_equal(f.source.trouble, SOURCE_FINE);
	f.input.changed = true;
	source_finish(&f.source);
	assert_int_equal(f.source.trouble, SOURCE_CHANGED);
	f.source.trouble = SOURCE_FINE;
	f.source.io.unchanged = NULL;
	source_finish(&f.source);
	assert_int_equal(f.source.trouble, SOURCE_FINE);
	close_source(&f);
}

static void memory_is_held_from_the_start(void **state)
{
	static const uint8_t data[] = "0123456789";
	struct fault_memory m;
	struct arena a = unit_arena(&m, UNIT_PLENTY);
	struct source s;
	struct cursor c;
	struct gathered g = { .stop_after = UINT64_MAX };

	(void)state;
	source_init_memory(&s, data, 10, "name", &a);
	assert_true(source_window(&s, (struct span){ 3, 4 }, &c));
	assert_ptr_equal(c.data, data + 3);
	assert_true(source_stream(&s, (struct span){ 0, 10 }, gather, &g));
	assert_int_equal(g.n, 10);
	assert_false(source_window(&s, (struct span){ 3, 8 }, &c));
	source_init_memory(&s, data, 0, "name", &a);
	assert_true(source_window(&s, (struct span){ 0, 0 }, &c));
	assert_int_equal(m.n_asked, 0);
}

/* ---- Members --------------------------------------------------------------------------------- */

static void members_are_read_at_their_place(void **state)
{
	struct fixture f;
	struct source inner, innermost;
	struct cursor c;

	(void)state;
	open_source(&f, 16);
	source_init_member(&inner, &f.source, (struct span){ 20, 100 }, "inner", &f.arena);
	source_init_member(&innermost, &inner, (struct span){ 30, 40 }, "innermost", &f.arena);
	assert_int_equal(inner.role, SOURCE_MEMBER);
	assert_int_equal(innermost.io.size, 40);
	assert_true(source_window(&inner, (struct span){ 1, 5 }, &c));
	assert_memory_equal(c.data, f.input.bytes + 21, 5);
	assert_true(source_window(&innermost, (struct span){ 2, 38 }, &c));
	assert_memory_equal(c.data, f.input.bytes + 52, 38);
	assert_false(source_window(&innermost, (struct span){ 2, 39 }, &c));
	for (size_t i = 0; i < SIZE; i++)
		assert_int_equal(f.input.n_read[i], (i >= 21 && i < 26) || (i >= 52 && i < 90));
	close_source(&f);
}

static void members_use_what_is_held(void **state)
{
	struct fixture f;
	struct fault_memory memory;
	struct arena own = unit_arena(&memory, UNIT_PLENTY);
	struct source inner;
	struct cursor c;

	(void)state;
	open_source(&f, SIZE);
	expect_window(&f, 0, 1);
	assert_false(source_forget(&f.source));
	source_init_member(&inner, &f.source, (struct span){ 20, 100 }, "inner", &own);
	assert_true(source_window(&inner, (struct span){ 0, 100 }, &c));
	assert_memory_equal(c.data, f.input.bytes + 20, 100);
	assert_true(source_forget(&inner));
	assert_true(source_window(&inner, (struct span){ 99, 1 }, &c));
	expect_read_once(&f);
	f.input.changed = true;
	source_finish(&inner);
	assert_int_equal(inner.trouble, SOURCE_CHANGED);
	arena_free(&own);
	close_source(&f);
}

/* What was decoded for a source lies in its arena, and goes with that. */
static void bytes_of_the_own_arena_stay(void **state)
{
	struct fixture f;
	struct source decoded;
	uint8_t *bytes;

	(void)state;
	open_source(&f, SIZE);
	bytes = arena_alloc(&f.arena, 8, 1);
	assert_non_null(bytes);
	source_init_memory(&decoded, bytes, 8, "decoded", &f.arena);
	assert_false(source_forget(&decoded));
	source_init_memory(&decoded, f.input.bytes, 8, "not decoded", &f.arena);
	assert_true(source_forget(&decoded));
	close_source(&f);
}

/* Nothing is lost with the arena of a source that could not be opened. */
static void what_was_never_opened_can_be_forgotten(void **state)
{
	struct fault_memory memory;
	struct arena arena = unit_arena(&memory, UNIT_PLENTY);
	struct source none;

	(void)state;
	source_init(&none, (struct source_io){ .size = 0 }, "none", &arena, 16);
	assert_true(source_forget(&none));
	arena_free(&arena);
}

static void what_is_forgotten_is_read_again(void **state)
{
	struct fixture f;
	struct source inner;
	struct cursor c;

	(void)state;
	open_source(&f, 16);
	expect_window(&f, 10, 50);
	assert_true(source_forget(&f.source));
	arena_free(&f.arena);
	source_init_member(&inner, &f.source, (struct span){ 12, 4 }, "inner", &f.arena);
	assert_true(source_window(&inner, (struct span){ 0, 4 }, &c));
	assert_memory_equal(c.data, f.input.bytes + 12, 4);
	assert_int_equal(f.input.n_read[12], 2);
	expect_window(&f, 10, 50);
	close_source(&f);
}

static void members_of_memory_are_memory(void **state)
{
	static const uint8_t data[] = "0123456789";
	struct fault_memory m;
	struct arena a = unit_arena(&m, UNIT_PLENTY);
	struct source s, inner;
	struct cursor c;

	(void)state;
	source_init_memory(&s, data, 10, "name", &a);
	assert_true(source_forget(&s));
	source_init_member(&inner, &s, (struct span){ 3, 4 }, "inner", &a);
	assert_true(source_window(&inner, (struct span){ 1, 3 }, &c));
	assert_ptr_equal(c.data, data + 4);
	assert_false(source_window(&inner, (struct span){ 1, 4 }, &c));
	source_init_member(&inner, &s, (struct span){ 10, 0 }, "empty", &a);
	assert_true(source_window(&inner, (struct span){ 0, 0 }, &c));
	assert_int_equal(m.n_asked, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_input_is_read_whole_and_once),
		cmocka_unit_test(overlapping_windows_are_read_once),
		cmocka_unit_test(copies_use_what_is_held),
		cmocka_unit_test(streams_give_every_byte_in_order),
		cmocka_unit_test(streams_stop),
		cmocka_unit_test(peeking_never_reads),
		cmocka_unit_test(peeking_finds_the_farthest_window),
		cmocka_unit_test(all_windows_are_held),
		cmocka_unit_test(windows_that_cannot_be_held),
		cmocka_unit_test(long_reads_are_broken_off),
		cmocka_unit_test(short_reads_are_continued),
		cmocka_unit_test(trouble_is_told_and_the_worst_stays),
		cmocka_unit_test(a_reader_that_lies_is_not_believed),
		cmocka_unit_test(windows_outside_are_refused),
		cmocka_unit_test(the_end_is_asked),
		cmocka_unit_test(memory_is_held_from_the_start),
		cmocka_unit_test(members_are_read_at_their_place),
		cmocka_unit_test(members_use_what_is_held),
		cmocka_unit_test(bytes_of_the_own_arena_stay),
		cmocka_unit_test(what_was_never_opened_can_be_forgotten),
		cmocka_unit_test(what_is_forgotten_is_read_again),
		cmocka_unit_test(members_of_memory_are_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
