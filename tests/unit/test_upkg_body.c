/* Tests of reading bodies: through a window that is smaller than they are, and when memory, input,
 * work or patience end. */
#include "formats/upkg/classes/bodies.h"
#include "formats/upkg/classes/scratch.h"
#include "formats/upkg/classes/script.h"
#include "formats/upkg/header/file.h"
#include "formats/upkg/upkg.h"

#include "unit.h"

enum {
	FILE_MAX = 1 << 18,
	N_ELEMENTS = 9000,
	N_TOKENS = 20000,
	SEVERAL_WINDOWS = 3,
	HELD_WHOLE = 16384,
	READ_AHEAD = 4096
};

/* Names of the package, in the order of their numbers. */
static const char *const names[] = { "None",   "Core",  "Class", "Object", "Function",
				     "Values", "Thing", "Fire",  "Package" };
enum {
	N_NONE,
	N_CORE,
	N_CLASS,
	N_OBJECT,
	N_FUNCTION,
	N_VALUES,
	N_THING,
	N_FIRE,
	N_PACKAGE,
	N_NAMES
};
enum { R_CORE = 0x81, R_OBJECT = 0x82, R_FUNCTION = 0x83 }; /* compact indexes of imports */

/* A package with an object of many properties and a function of many tokens, each larger than some
 * windows. */
struct package {
	uint8_t bytes[FILE_MAX];
	size_t n, bodies[2], ends[2], last_tag, jump;
};

static struct package file;

static void put(struct package *p, uint64_t v, unsigned width)
{
	for (unsigned i = 0; i < width; i++)
		p->bytes[p->n++] = (uint8_t)(v >> 8 * i);
}

static void set(struct package *p, size_t at, uint64_t v, unsigned width)
{
	for (unsigned i = 0; i < width; i++)
		p->bytes[at + i] = (uint8_t)(v >> 8 * i);
}

/* Five bytes, whatever the value: more than needed, so that every offset has as many. */
static void put_index(struct package *p, uint64_t v)
{
	put(p, (v & 0x3F) | 0x40, 1);
	for (unsigned i = 0; i < 3; i++)
		put(p, (v >> (6 + 7 * i) & 0x7F) | 0x80, 1);
	put(p, v >> 27, 1);
}

static void put_object(struct package *p)
{
	p->bodies[0] = p->n;
	for (unsigned i = 1; i <= N_ELEMENTS; i++) {
		p->last_tag = p->n;
		put(p, N_VALUES, 1);
		put(p, 0xA2, 1);
		put(p, 0xC0, 1);
		put(p, i >> 16, 1);
		put(p, i >> 8 & 0xFF, 1);
		put(p, i & 0xFF, 1);
		put(p, i, 4);
	}
	put(p, N_NONE, 1);
	p->ends[0] = p->n;
}

/* Its code is a jump to its last statement, statements that do nothing, and a return. */
static void put_function(struct package *p)
{
	p->bodies[1] = p->n;
	put(p, N_NONE, 1);
	put(p, 0, 4);
	put(p, N_FIRE, 1);
	put(p, 0, 8);
	put(p, 3 + N_TOKENS, 4);
	put(p, 0x06, 1);
	p->jump = p->n;
	put(p, 3 + N_TOKENS - 2, 2);
	for (unsigned i = 0; i < N_TOKENS; i++)
		put(p, i == N_TOKENS - 2 ? 0x04 : 0x0B, 1);
	put(p, 0, 7);
	p->ends[1] = p->n;
}

static void put_import(struct package *p, unsigned class, unsigned outer, unsigned name)
{
	put(p, N_CORE, 1);
	put(p, class, 1);
	put(p, outer ? UINT32_MAX : 0, 4);
	put(p, name, 1);
}

static void put_export(struct package *p, unsigned class, unsigned name, unsigned body)
{
	put(p, class, 1);
	put(p, 0, 1);
	put(p, 0, 4);
	put(p, name, 1);
	put(p, 0x00070004, 4);
	put_index(p, p->ends[body] - p->bodies[body]);
	put_index(p, p->bodies[body]);
}

static void build_package(struct package *p)
{
	static const uint32_t guid[] = { 0x51C9D0A1, 0x7F3E4B46, 0x92AD0C11, 0x5E08F723 };

	p->n = 0;
	put(p, UPKG_MAGIC, 4);
	put(p, 69, 4);
	put(p, 1, 4);
	put(p, N_NAMES, 4);
	put(p, 64, 4);
	put(p, 2, 4);
	put(p, 0, 4);
	put(p, 3, 4);
	put(p, 0, 4);
	for (size_t i = 0; i < LENGTH(guid); i++)
		put(p, guid[i], 4);
	put(p, 1, 4);
	put(p, 2, 4);
	put(p, N_NAMES, 4);
	for (size_t i = 0; i < LENGTH(names); i++) {
		put(p, strlen(names[i]) + 1, 1);
		memcpy(p->bytes + p->n, names[i], strlen(names[i]) + 1);
		p->n += strlen(names[i]) + 1;
		put(p, 0x00070010, 4);
	}
	put_object(p);
	put_function(p);
	set(p, 32, p->n, 4);
	put_import(p, N_PACKAGE, 0, N_CORE);
	put_import(p, N_CLASS, 1, N_OBJECT);
	put_import(p, N_CLASS, 1, N_FUNCTION);
	set(p, 24, p->n, 4);
	put_export(p, R_OBJECT, N_THING, 0);
	put_export(p, R_FUNCTION, N_FIRE, 1);
}

/* ---- Decoding it ----------------------------------------------------------------------------- */

struct fixture {
	struct fault_memory memory;
	struct fault_input input;
	struct arena arena;
	struct source source;
	struct limits limits;
	struct decode decode;
	const struct upkg *u;
	atomic_bool cancel;
	struct interrupt interrupt;
	uint64_t cancel_over; /* a read that covers it cancels the check */
};

static bool read_at(void *ctx, uint64_t at, void *buf, size_t len, size_t *n_read)
{
	struct fixture *f = ctx;

	if (f->cancel_over >= at && f->cancel_over < at + len)
		atomic_store(&f->cancel, true);
	return fault_read_at(&f->input, at, buf, len, n_read) == 0;
}

/* Each test says before start_decode what is to go wrong. */
static void prepare(struct fixture *f, uint64_t fail_at)
{
	*f = (struct fixture){ .input = { .bytes = file.bytes, .size = file.n },
			       .cancel_over = UINT64_MAX };
	f->interrupt.cancel = &f->cancel;
	f->arena = unit_arena(&f->memory, UNIT_PLENTY);
	f->memory.fail_at = fail_at;
	f->limits = limits_standard();
	source_init(&f->source, (struct source_io){ .read_at = read_at, .ctx = f, .size = file.n },
		    "good.u", &f->arena, HELD_WHOLE);
	f->decode = (struct decode){ .source = &f->source,
				     .arena = &f->arena,
				     .limits = &f->limits,
				     .level = LEVEL_CONTENT,
				     .work = { .max = UINT64_MAX, .interrupt = &f->interrupt } };
}

static void decode(struct fixture *f)
{
	f->u = upkg_format.decode(&f->decode);
}

static void end_decode(struct fixture *f)
{
	arena_free(&f->arena);
	assert_int_equal(f->memory.n_live, 0);
}

static enum stop_why why(const struct fixture *f, enum upkg_group g)
{
	return f->decode.groups[g].why;
}

static uint32_t n_flaws(const struct upkg *u)
{
	uint32_t n = 0;

	for (unsigned list = 0; list < N_FLAW_LISTS; list++)
		n += u->flaws[list].n;
	return n;
}

static void bodies_larger_than_the_window_are_read(void **state)
{
	struct fixture f;

	(void)state;
	build_package(&file);
	assert_true(file.ends[0] - file.bodies[0] > SEVERAL_WINDOWS * BODY_WINDOW);
	assert_true(file.ends[1] - file.bodies[1] > BODY_WINDOW);
	prepare(&f, 0);
	decode(&f);
	for (uint32_t g = UPKG_LINKS; g < upkg_n_groups; g++)
		assert_int_equal(why(&f, g), STOP_NOT);
	assert_int_equal(n_flaws(f.u), 0);
	end_decode(&f);
}

static void assert_one_flaw(enum upkg_flaw_kind kind, uint64_t at, uint64_t len, int64_t first)
{
	const struct upkg_flaw *flaw;
	struct fixture f;

	prepare(&f, 0);
	decode(&f);
	assert_int_equal(n_flaws(f.u), 1);
	flaw = f.u->flaws[kind / FLAWS_IN_LIST].rows;
	assert_int_equal(flaw->kind, kind);
	assert_int_equal(flaw->at, at);
	assert_int_equal(flaw->len, len);
	assert_int_equal(flaw->first, first);
	end_decode(&f);
}

/* What is wrong in the last window has its place in the file. */
static void flaws_far_inside_have_their_place(void **state)
{
	(void)state;
	build_package(&file);
	set(&file, file.last_tag, N_NAMES, 1);
	assert_one_flaw(FLAW_TAG_NAME, file.last_tag, 1, N_NAMES);

	build_package(&file);
	set(&file, file.last_tag + 1, 0xB2, 1);
	assert_one_flaw(FLAW_TAG_CUT, file.last_tag, 11, 12);
}

static void targets_and_tokens_far_inside_have_their_place(void **state)
{
	(void)state;
	build_package(&file);
	set(&file, file.jump, 3 + N_TOKENS, 2);
	assert_one_flaw(FLAW_TARGET, file.jump, 2, 3 + N_TOKENS);

	build_package(&file);
	set(&file, file.jump + 2 + N_TOKENS - 1, 0x03, 1);
	assert_one_flaw(FLAW_TOKEN, file.jump + 2 + N_TOKENS - 1, 1, 0x03);
}

/* The marks of one script are not those of the next. */
static void places_are_forgotten_between_scripts(void **state)
{
	struct class_scratch code = { .starts = NULL };
	struct scratch scratch = { .of_classes = &code };
	struct fixture f;
	struct body b;

	(void)state;
	build_package(&file);
	prepare(&f, 0);
	decode(&f);
	scratch.buffer = arena_alloc(&f.arena, BODY_WINDOW, 1);
	code.starts = arena_alloc(&f.arena, SCRIPT_STARTS / 8, 1);
	assert_non_null(scratch.buffer);
	assert_non_null(code.starts);
	memset(code.starts, 0, SCRIPT_STARTS / 8);
	body_open(&b, &f.decode, (struct upkg *)f.u, 1, &scratch);
	body_move(&b, file.jump - 1);
	assert_true(body_script(&b, 3 + N_TOKENS));
	assert_int_equal(code.starts_end, 3 + N_TOKENS);
	body_move(&b, file.jump + 2);
	assert_true(body_script(&b, 2));
	assert_int_equal(code.starts_end, 2);
	assert_int_equal(code.starts[0], 3);
	for (unsigned i = 1; i < SCRIPT_STARTS / 64; i++)
		assert_int_equal(code.starts[i], 0);
	end_decode(&f);
}

/* ---- What ends ------------------------------------------------------------------------------- */

/* Every request for memory in turn is the one that is refused: then something says so, or it was
 * not needed. */
static void memory_ends_at_every_request(void **state)
{
	struct fixture f;
	uint64_t n_asked;

	(void)state;
	build_package(&file);
	prepare(&f, 0);
	decode(&f);
	n_asked = f.memory.n_asked;
	end_decode(&f);
	for (uint64_t fail_at = 1; fail_at <= n_asked; fail_at++) {
		bool stopped = false;

		prepare(&f, fail_at);
		decode(&f);
		for (uint32_t g = 0; g < upkg_n_groups; g++)
			stopped = stopped || why(&f, g) == STOP_MEMORY;
		assert_true(!f.u || stopped);
		assert_true(!f.u || n_flaws(f.u) == 0);
		end_decode(&f);
	}
}

/* A read that fails inside a body says nothing of the file: neither a flaw, nor that bodies were
 * read. The last bytes of the file are read before, and so are some after the names. */
static void a_read_that_fails_is_no_flaw(void **state)
{
	struct fixture f;

	(void)state;
	build_package(&file);
	for (unsigned i = 0; i < 2; i++)
		for (size_t at = file.bodies[i] + READ_AHEAD;
		     at < file.ends[i] && at + UPKG_TAIL < file.n; at += 997) {
			prepare(&f, 0);
			f.input.fails_over = true;
			f.input.bad_offset = at;
			decode(&f);
			assert_int_equal(why(&f, UPKG_LINKS), STOP_NOT);
			assert_int_equal(why(&f, UPKG_BODIES), STOP_INPUT);
			assert_int_equal(why(&f, UPKG_SCRIPTS), STOP_NEEDS);
			assert_int_equal(n_flaws(f.u), 0);
			end_decode(&f);
		}
}

/* Nor does a file that ends earlier than it said. */
static void a_file_that_shrinks_is_no_flaw(void **state)
{
	struct fixture f;

	(void)state;
	build_package(&file);
	prepare(&f, 0);
	decode(&f);
	f.input.ends_early = true;
	f.input.end = file.bodies[0] + BODY_WINDOW + 5;
	for (uint32_t g = 0; g < upkg_n_groups; g++)
		f.decode.groups[g].why = STOP_NOT;
	upkg_decode_bodies(&f.decode, (struct upkg *)f.u);
	assert_int_equal(why(&f, UPKG_BODIES), STOP_INPUT);
	assert_int_equal(n_flaws(f.u), 0);
	end_decode(&f);
}

static void a_check_that_is_cancelled_ends(void **state)
{
	struct fixture f;

	(void)state;
	build_package(&file);
	for (unsigned i = 0; i < 2; i++) {
		prepare(&f, 0);
		f.cancel_over = file.ends[i] - 1;
		decode(&f);
		assert_int_equal(f.decode.work.interrupted, INTERRUPTED_CANCELLED);
		assert_true(why(&f, i == 0 ? UPKG_BODIES : UPKG_SCRIPTS) != STOP_NOT);
		assert_int_equal(n_flaws(f.u), 0);
		end_decode(&f);
	}
}

/* Every limit up to what is needed ends the work, and says so. */
static void work_ends_at_every_step(void **state)
{
	struct fixture f;
	uint64_t needed;

	(void)state;
	build_package(&file);
	prepare(&f, 0);
	decode(&f);
	needed = f.decode.work.done;
	assert_true(needed > N_ELEMENTS + N_TOKENS);
	end_decode(&f);
	for (uint64_t max = 0; max < needed; max += 499) {
		bool stopped = false;

		prepare(&f, 0);
		f.decode.work.max = max;
		decode(&f);
		for (uint32_t g = 0; g < upkg_n_groups; g++)
			stopped = stopped || (why(&f, g) == STOP_LIMIT &&
					      f.decode.groups[g].limit == LIMIT_work);
		assert_true(stopped);
		assert_int_equal(n_flaws(f.u), 0);
		end_decode(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bodies_larger_than_the_window_are_read),
		cmocka_unit_test(flaws_far_inside_have_their_place),
		cmocka_unit_test(targets_and_tokens_far_inside_have_their_place),
		cmocka_unit_test(places_are_forgotten_between_scripts),
		cmocka_unit_test(memory_ends_at_every_request),
		cmocka_unit_test(a_read_that_fails_is_no_flaw),
		cmocka_unit_test(a_file_that_shrinks_is_no_flaw),
		cmocka_unit_test(a_check_that_is_cancelled_ends),
		cmocka_unit_test(work_ends_at_every_step),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
