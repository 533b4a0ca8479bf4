/* Tests of files within files: memory that ends, input that fails, cancelling, and bytes that were
 * decoded. */
#include "engine/session_open.h"
#include "nested_state.h"
#include "engine/session_open.h"
#include "uvet/uvet.h"

static struct build innermost, other;
static uint32_t reads_until_cancel; /* 0: never */

static bool read_input(void *ctx, uint64_t at, void *buf, size_t len, size_t *n_read)
{
	if (reads_until_cancel > 0 && --reads_until_cancel == 0)
		atomic_store(&is_cancelled, true);
	return fault_read_at(ctx, at, buf, len, n_read) == 0;
}

static struct report *check_through(struct fault_input *in)
{
	in->bytes = file.bytes;
	in->size = file.n;
	return engine_check(&engine,
			    &(struct check_input){
				    .io = { read_input, fault_source_unchanged, in, file.n },
				    .name = "a.umod",
				    .cancel = &is_cancelled,
			    });
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* What the allocator gave, and the most of it at a time. */
struct meter {
	uint64_t held, peak;
};

static void *meter_alloc(void *ctx, size_t size)
{
	struct meter *m = ctx;

	m->held += size;
	if (m->held > m->peak)
		m->peak = m->held;
	return fault_alloc(&memory, size);
}

static void meter_release(void *ctx, void *p, size_t size)
{
	struct meter *m = ctx;

	m->held -= size;
	fault_release(&memory, p, size);
}

/* Beside the report of the file itself nothing takes more than the limit; what the engine has to
 * say then is the exception. */
static void memory_is_bounded_for_the_whole(void **state)
{
	struct meter meter;
	uint64_t own;
	size_t n = 0;

	(void)state;
	build_bomb();
	engine.allocator = (struct allocator){ meter_alloc, meter_release, &meter };
	engine.chunk_len = 64;
	engine.limits.of[LIMIT_depth] = 0;
	meter = (struct meter){ 0 };
	report_free(check());
	own = meter.peak;
	engine.limits.of[LIMIT_depth] = 4;
	for (uint64_t max = 20000; max < 600000; max += 20000) {
		struct report *r;

		engine.limits.of[LIMIT_memory] = max;
		meter = (struct meter){ 0 };
		r = check();
		assert_int_equal(r->verdict, VERDICT_UNDETERMINED);
		assert_true(n_found_in_tree(r, "RUN005") > 0);
		assert_int_equal(uvet_report_shortages((const void *)r), UVET_SHORT_OF_MEMORY);
		assert_true(meter.peak <= own + max + 8192 * n_reports(r));
		assert_true(r->memory >= meter.peak);
		/* a list that doubles may take what one more would need */
		assert_true(n_reports(r) + 1 >= n);
		n = n_reports(r);
		report_free(r);
		assert_int_equal(meter.held, 0);
	}
	assert_true(n > 1);
}

/* Whoever asks the outermost file is told of one in it that alone was short of memory. */
static void a_shortage_within_is_told(void **state)
{
	bool within = false, is_valid = false;

	(void)state;
	put_in(NULL);
	engine.chunk_len = 64;
	for (uint64_t max = 1000; !is_valid; max += 8) {
		struct report *r;

		engine.limits.of[LIMIT_memory] = max;
		r = check();
		assert_int_equal(uvet_report_shortages((const void *)r),
				 n_found_in_tree(r, "RUN005") > 0 ? UVET_SHORT_OF_MEMORY : 0);
		within = within || (n_found(r, "RUN005") == 0 && n_found_in_tree(r, "RUN005") > 0);
		is_valid = r->verdict == VERDICT_VALID;
		report_free(r);
	}
	assert_true(within);
}

static void a_limit_can_be_endless(void **state)
{
	struct report *r;

	(void)state;
	put_in(NULL);
	engine.limits.of[LIMIT_memory] = UINT64_MAX;
	r = check();
	assert_int_equal(r->verdict, VERDICT_VALID);
	assert_int_equal(n_reports(r), 2);
	report_free(r);
}

static void any_refused_request_is_told(void **state)
{
	const size_t chunks[] = { 0, 64, ARENA_CHUNK };

	(void)state;
	build_good(&innermost);
	build_around(&inner, &(struct build_inner){ "c.umod", &innermost }, 1);
	build_around(&file, (struct build_inner[]){ { "b.umod", &inner }, { "c.umod", &inner } },
		     2);
	for (size_t c = 0; c < LENGTH(chunks); c++) {
		uint64_t n_asked = 1;

		engine.chunk_len = chunks[c];
		for (uint64_t at = 0; at <= n_asked; at++) {
			for (int forever = 0; forever < 2; forever++) {
				struct fault_input in = { .bytes = NULL };
				struct report *r;

				memory = (struct fault_memory){ .fail_at = at,
								.forever = forever != 0 };
				r = check_through(&in);
				n_asked = at == 0 ? memory.n_asked : n_asked;
				assert_true(at > 0 || r->verdict == VERDICT_VALID);
				assert_true(at == 0 || !r ||
					    (r->verdict == VERDICT_UNDETERMINED &&
					     n_found_in_tree(r, "RUN005") > 0));
				report_free(r);
				assert_int_equal(memory.n_live, 0);
			}
		}
	}
}

/* Where there is no memory for the picture of a file, its verdict is the same. */
static void a_picture_is_no_part_of_the_check(void **state)
{
	uint64_t n_asked = 1, n_without = 0;

	(void)state;
	engine.outlines = true;
	engine.chunk_len = 64;
	for (uint64_t at = 0; at <= n_asked; at++) {
		struct fault_input in = { .bytes = NULL };
		struct report *r;

		memory = (struct fault_memory){ .fail_at = at };
		r = check_through(&in);
		n_asked = at == 0 ? memory.n_asked : n_asked;
		assert_true(at > 0 || r->outline);
		if (r && r->verdict == VERDICT_VALID)
			n_without += !r->outline;
		else
			assert_true(!r || n_found(r, "RUN005") > 0);
		report_free(r);
	}
	assert_int_equal(n_without, 1);
}

/* ---- Input ----------------------------------------------------------------------------------- */

static void windows_do_not_matter(void **state)
{
	static const uint64_t windows[] = { 1, 7, 64, 600, SOURCE_WINDOW };

	(void)state;
	build_good(&innermost);
	break_crc(&innermost);
	build_around(&inner, &(struct build_inner){ "c.umod", &innermost }, 1);
	build_around(&file, &(struct build_inner){ "b.umod", &inner }, 1);
	for (size_t i = 0; i < LENGTH(windows); i++) {
		struct fault_input in = { .bytes = NULL };
		struct report *r;
		const struct finding *f;

		engine.window_len = windows[i];
		r = check_through(&in);
		assert_int_equal(n_reports(r), 3);
		assert_ptr_equal(r->inside, r->nested[0]->nested[0]);
		assert_int_equal(r->inside->n_findings, 1);
		f = r->inside->findings[0];
		assert_memory_equal(f->snippet, innermost.bytes + f->snippet_at, f->snippet_len);
		report_free(r);
	}
}

/* At the level structure the outer file has no need of the bytes of its members. */
static void what_cannot_be_read_is_not_valid(void **state)
{
	(void)state;
	put_in(NULL);
	engine.level = LEVEL_STRUCTURE;
	engine.window_len = 64;
	for (uint64_t at = 0; at < file.n; at++) {
		struct fault_input in = { .fails_over = true, .bad_offset = at };
		struct report *r = check_through(&in);

		assert_true((r->verdict == VERDICT_VALID) == (n_found_in_tree(r, "RUN002") == 0));
		if (r->n_nested > 0 && at >= r->nested[0]->at.at && at < span_end(r->nested[0]->at))
			assert_int_equal(n_found(r, "RUN002"), 0);
		report_free(r);
	}
}

static void a_change_is_told(void **state)
{
	struct fault_input in = { .changed = true };
	struct report *r;

	(void)state;
	put_in(NULL);
	r = check_through(&in);
	assert_true(n_found(r, "RUN003") == 1 && n_found(r->nested[0], "RUN003") == 1);
	assert_int_equal(r->verdict, VERDICT_UNDETERMINED);
	report_free(r);
}

static void cancelling_ends_the_whole(void **state)
{
	(void)state;
	put_in(NULL);
	engine.window_len = 64;
	for (uint32_t n = 1; n < 200; n++) {
		struct fault_input in = { .bytes = NULL };
		struct report *r;

		atomic_store(&is_cancelled, false);
		reads_until_cancel = n;
		r = check_through(&in);
		assert_true((r->verdict == VERDICT_VALID) == (n_found(r, "RUN006") == 0));
		assert_true(n == 1 || n_reports(r) >= 1);
		report_free(r);
	}
	assert_false(atomic_load(&is_cancelled));
	reads_until_cancel = 0;
}

/* ---- Decoded bytes --------------------------------------------------------------------------- */

/* A format of which files are decoded when they are opened: here they are always the same, by
 * turns. */
static const struct build *decoded[3];
static const char *decoded_name;
static uint64_t n_decoded = LENGTH(decoded);
static bool passes_place;           /* as if they had a place in the file */
static uint64_t peak_of_facts;      /* in bytes, of the last check */
static uint64_t n_before_work_ends; /* files; 0: it does not */

static bool next_decoded(const void *facts, const struct decode *d, struct nested_walk *walk,
			 struct nested *out)
{
	const struct build *file_inside = decoded[walk->file % LENGTH(decoded)];

	(void)facts;
	(void)d;
	if (walk->file == n_decoded)
		return false;
	*out = (struct nested){
		.name = text_from(decoded_name),
		.decoded = !passes_place,
		.content = file_inside,
		.span.len = file_inside->n,
	};
	walk->file++;
	return true;
}

static const uint8_t *open_decoded(const void *facts, struct decode *d, const struct nested *n,
				   struct arena *arena)
{
	const struct build *file_inside = n->content;
	uint8_t *bytes = arena_alloc(arena, n->span.len, 1);

	(void)facts;
	if (n_before_work_ends > 0 && --n_before_work_ends == 0 &&
	    !work_spend(&d->work, UINT64_MAX))
		return NULL;
	if (bytes)
		memcpy(bytes, file_inside->bytes, (size_t)n->span.len);
	return bytes;
}

/* What the outer file says of each; it finds no memory for it where a test says so. */
static bool has_claims, is_short_for_claims;

static bool claim_nothing(const void *facts, const struct nested *n, struct arena *arena,
			  const struct package_claims **out)
{
	(void)facts;
	(void)n;
	if (is_short_for_claims && arena_alloc(arena, SIZE_MAX / 2, 1))
		return false;
	*out = NULL;
	return !is_short_for_claims;
}

static const struct nested_files claimed_files = { .next = next_decoded,
						   .open = open_decoded,
						   .claims = claim_nothing };
static const struct nested_files decoded_files = { .next = next_decoded, .open = open_decoded };

static struct report *check_decoded(void)
{
	struct format format = *formats[0];
	struct check_input in = {
		.io.size = file.n, .memory = file.bytes, .name = "a.dat", .cancel = &is_cancelled
	};
	struct tree t = { .engine = &engine,
			  .root = report_new(&engine, &in),
			  .interrupt = engine_interrupt(&engine, &in),
			  .work = { .max = engine.limits.of[LIMIT_work],
				    .interrupt = &t.interrupt } };
	struct session s;

	format.nested = has_claims ? &claimed_files : &decoded_files;
	session_open(&s, &t, t.root, &in);
	assert_true(session_decode(&s));
	if (s.format)
		s.format = &format;
	assert_true(session_judge(&s));
	members_begin(&s);
	members_check(&s);
	assert_true(session_close(&s));
	peak_of_facts = t.peak;
	return t.root;
}

/* The file around is not the one that comes out of it. */
static void build_both(void)
{
	build_good(&inner);
	build_around(&file, &(struct build_inner){ "b.umod", &inner }, 1);
}

/* It is told of the copy, and what is in that is not opened. */
static void a_file_in_itself_is_told(void **state)
{
	struct report *r;

	(void)state;
	build_both();
	decoded[0] = &file;
	decoded[1] = decoded[2] = &inner;
	decoded_name = "b.umod";
	r = check_decoded();
	assert_int_equal(r->n_nested, LENGTH(decoded));
	assert_int_equal(n_found(r->nested[0], "ARC017"), 1);
	assert_int_equal(n_found_in_tree(r, "ARC017"), 1);
	assert_int_equal(r->nested[0]->n_nested, 0);
	assert_ptr_equal(r->inside, r->nested[0]);
	report_free(r);
}

static void decoded_files_are_asked_for_their_format(void **state)
{
	struct report *r;
	uint64_t held;

	(void)state;
	other = (struct build){ .bytes = "a readme", .n = 8 };
	build_both();
	innermost = inner;
	break_crc(&innermost);
	decoded[0] = &inner;
	decoded[1] = &other;
	decoded[2] = &innermost;
	decoded_name = "";
	r = check_decoded();
	assert_int_equal(r->n_nested, 2);
	assert_int_equal(r->verdict, VERDICT_INVALID);
	assert_ptr_equal(r->inside, r->nested[1]);
	assert_string_equal(r->inside->name, "a.dat!");
	assert_true(r->nested[0]->decoded && r->inside->number == 2 && r->inside->place == 1);
	assert_int_equal(r->nested[0]->size, inner.n);
	held = r->arena->held;
	report_free(r);
	decoded[0] = decoded[2] = &other;
	r = check_decoded();
	assert_int_equal(r->n_nested, 0);
	assert_true(r->arena->held <= held);
	report_free(r);
	decoded_name = "readme.umod";
	r = check_decoded();
	assert_int_equal(r->n_nested, 3);
	assert_int_equal(n_found(r->nested[0], "UMD001"), 1);
	report_free(r);
}

static uint64_t check_sound_files(uint64_t n)
{
	struct report *r;
	uint64_t memory_of_facts;

	n_decoded = n;
	r = check_decoded();
	n_decoded = LENGTH(decoded);
	assert_int_equal(r->n_nested, n);
	assert_int_equal(r->verdict, VERDICT_VALID);
	memory_of_facts = peak_of_facts;
	report_free(r);
	return memory_of_facts;
}

/* A file is opened when the one before it is judged and forgotten: a thousand of them take no more
 * memory for facts than one. */
static void one_file_is_open_at_a_time(void **state)
{
	(void)state;
	build_both();
	decoded[0] = decoded[1] = decoded[2] = &inner;
	decoded_name = "b.umod";
	assert_int_equal(check_sound_files(1), check_sound_files(1000));
}

/* Which of them it was that could not be opened, and those after it, the file around them tells. */
static void what_cannot_be_opened_is_told(void **state)
{
	struct report *r;

	(void)state;
	build_both();
	decoded[0] = decoded[1] = decoded[2] = &inner;
	decoded_name = "b.umod";
	n_before_work_ends = 2;
	r = check_decoded();
	assert_int_equal(r->n_nested, 1);
	assert_int_equal(n_found(r, "RUN001"), 1);
	assert_int_equal(n_found(r, "RUN005"), 0);
	assert_int_equal(r->verdict, VERDICT_UNDETERMINED);
	report_free(r);
}

/* A package is not judged without what its container says of it: that would be another verdict. */
static void what_is_claimed_needs_memory(void **state)
{
	struct report *r;

	(void)state;
	build_both();
	decoded[0] = decoded[1] = decoded[2] = &inner;
	decoded_name = "b.umod";
	has_claims = true;
	r = check_decoded();
	assert_int_equal(r->n_nested, LENGTH(decoded));
	assert_int_equal(r->verdict, VERDICT_VALID);
	report_free(r);
	is_short_for_claims = true;
	r = check_decoded();
	has_claims = is_short_for_claims = false;
	assert_int_equal(r->n_nested, 0);
	assert_int_equal(n_found_in_tree(r, "RUN005"), 1);
	assert_int_equal(r->verdict, VERDICT_UNDETERMINED);
	report_free(r);
}

/* Cancels at a request for memory: so the check may end at any place. */
static uint64_t requests_until_cancel;

static void *cancelling_alloc(void *ctx, size_t size)
{
	if (requests_until_cancel > 0 && --requests_until_cancel == 0)
		atomic_store(&is_cancelled, true);
	return fault_alloc(ctx, size);
}

static void cancelling_may_leave_the_format_open(void **state)
{
	bool open = false;

	(void)state;
	other = (struct build){ .bytes = "a readme", .n = 8 };
	decoded[0] = decoded[1] = decoded[2] = &other;
	decoded_name = "";
	engine.allocator.alloc = cancelling_alloc;
	engine.chunk_len = 0;
	for (uint64_t n = 1; n < 200; n++) {
		struct report *r;

		atomic_store(&is_cancelled, false);
		requests_until_cancel = n;
		r = check_decoded();
		assert_true((r->verdict == VERDICT_VALID) == (n_found(r, "RUN006") == 0));
		if (r->n_nested > 0 && !r->nested[0]->format) {
			open = true;
			assert_int_equal(r->nested[0]->verdict, VERDICT_UNDETERMINED);
			assert_int_equal(n_found(r->nested[0], "RUN006"), 1);
		}
		report_free(r);
	}
	assert_true(open);
}

static void names_are_asked_again(void **state)
{
	struct report *r;

	(void)state;
	innermost = (struct build){ .n = 4 };
	decoded[0] = decoded[1] = decoded[2] = &innermost;
	decoded_name = "readme.txt";
	passes_place = true;
	r = check_decoded();
	passes_place = false;
	assert_int_equal(r->n_nested, 0);
	report_free(r);
}

static void formats_without_nested_files_have_none(void **state)
{
	struct format format = *formats[0];
	struct check_input in = { .name = "a.umod" };
	struct tree t = { .engine = &engine, .root = report_new(&engine, &in) };
	struct session s;

	(void)state;
	format.nested = NULL;
	session_open(&s, &t, t.root, &in);
	s.format = &format;
	s.facts = &s;
	members_begin(&s);
	assert_int_equal(s.n_waiting, 0);
	session_discard(&s);
	report_free(t.root);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		T(memory_is_bounded_for_the_whole),
		T(a_shortage_within_is_told),
		T(a_limit_can_be_endless),
		T(any_refused_request_is_told),
		T(a_picture_is_no_part_of_the_check),
		T(windows_do_not_matter),
		T(what_cannot_be_read_is_not_valid),
		T(a_change_is_told),
		T(cancelling_ends_the_whole),
		T(a_file_in_itself_is_told),
		T(decoded_files_are_asked_for_their_format),
		T(one_file_is_open_at_a_time),
		T(what_cannot_be_opened_is_told),
		T(what_is_claimed_needs_memory),
		T(cancelling_may_leave_the_format_open),
		T(names_are_asked_again),
		T(formats_without_nested_files_have_none),
	};
#undef T

	return cmocka_run_group_tests(tests, NULL, NULL);
}
