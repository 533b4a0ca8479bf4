/* Tests of whose a .ucas is that is not the container's: another container of the folder is decoded
 * to find out, whatever becomes of memory, of reads and of the check's time. */
#include "codec/blake3.h"

#include "box.h"
#include "diagnosis/diagnosis.h"

/* ---- Two sets in one folder ------------------------------------------------------------------ */

enum { N_CHUNKS = 12 };

/* An index without files, and the footer of version 3. */
static const uint8_t pak[] = { 0x0A, 0,    0,    0,    '.',  '.',  '/',  '.',  '.',  '/',  '.',
			       '.',  '/',  0,    0,    0,    0,    0,    0xE1, 0x12, 0x6F, 0x5A,
			       3,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
			       0,    18,   0,    0,    0,    0,    0,    0,    0,    0x24, 0x06,
			       0x13, 0x1F, 0x7B, 0x4D, 0x8D, 0x4F, 0x57, 0x28, 0x59, 0x7B, 0xBF,
			       0xD3, 0x44, 0x98, 0x51, 0x07, 0xC9, 0x5E };

/* What names open. B_P.utoc is read through `other`, whose n_asked counts reads. */
static struct {
	uint8_t a_toc[4096], b_toc[4096], b_ucas[N_CHUNKS * 3 * BLOCK];
	size_t n_a_toc, n_b_toc, n_b_ucas;
	uint64_t b_size; /* of B_P.utoc as it is said to be */
	unsigned n_open, n_other, n_listed;
	unsigned cancel_at; /* the read of B_P.utoc during which the check is cancelled, from 1 */
	bool fails;         /* reads of B_P.utoc do */
	bool fails_again;   /* those of A_P.ucas do once the folder was listed */
	const char *list[12];
	size_t n_list;
} shelf;

struct item {
	const uint8_t *bytes;
	size_t n;
	bool is_other, is_data;
};

static bool read_item(void *ctx, uint64_t at, void *buf, size_t len, size_t *n_read)
{
	const struct item *i = ctx;

	if (i->is_other && ++shelf.n_other == shelf.cancel_at)
		atomic_store(&is_cancelled, true);
	if (i->is_other ? shelf.fails : i->is_data && shelf.fails_again && shelf.n_listed > 0)
		return false;
	*n_read = at >= i->n ? 0 : len < i->n - at ? len : (size_t)(i->n - at);
	if (*n_read > 0)
		memcpy(buf, i->bytes + at, *n_read);
	return true;
}

static enum companion_state open_item(void *ctx, const char *name, void *room,
				      struct source_io *out)
{
	struct item *i = room;

	(void)ctx;
	*i = strcmp(name, "A_P.ucas") == 0
		     ? (struct item){ shelf.b_ucas, shelf.n_b_ucas, false, true }
	     : strcmp(name, "A_P.pak") == 0 ? (struct item){ pak, sizeof pak, false, false }
	     : strcmp(name, "B_P.utoc") == 0
		     ? (struct item){ shelf.b_toc, shelf.n_b_toc, true, false }
	     : strcmp(name, "A_P.utoc") == 0
		     ? (struct item){ shelf.a_toc, shelf.n_a_toc, false, false }
		     : (struct item){ NULL, 0, false, false };
	if (!i->bytes)
		return COMPANION_ABSENT;
	*out = (struct source_io){ .read_at = read_item,
				   .ctx = i,
				   .size = i->is_other ? shelf.b_size : i->n };
	shelf.n_open++;
	return COMPANION_OPEN;
}

static void close_item(void *ctx, const struct source_io *io)
{
	(void)ctx;
	assert_non_null(io->ctx);
	assert_true(shelf.n_open > 0);
	shelf.n_open--;
}

static size_t list_items(void *ctx, const char *ending, char names[][SPELLING_SIZE], size_t max)
{
	(void)ctx;
	assert_string_equal(ending, ".utoc");
	for (size_t i = 0; i < shelf.n_list && i < max; i++)
		memcpy(names[i], shelf.list[i], strlen(shelf.list[i]) + 1);
	shelf.n_listed++;
	return shelf.n_list;
}

static const struct siblings beside = { open_item, close_item, NULL, list_items, NULL };

/* Chunks of one to three blocks, whose bytes the seed makes. */
static void make_box(uint64_t seed)
{
	fill_box(N_CHUNKS);
	for (size_t i = 0; i < box.n_blocks * BLOCK; i++)
		box.ucas[i] = (uint8_t)unit_random(&seed);
	write_box();
}

static int begin_shelf(void **state)
{
	begin(state);
	memset(&shelf, 0, sizeof shelf);
	make_box(1);
	memcpy(shelf.a_toc, box.toc, shelf.n_a_toc = box.n_toc);
	make_box(2);
	memcpy(shelf.b_toc, box.toc, shelf.n_b_toc = box.n_toc);
	memcpy(shelf.b_ucas, box.ucas, shelf.n_b_ucas = box.n_ucas);
	shelf.b_size = shelf.n_b_toc;
	shelf.list[0] = "A_P.utoc";
	shelf.list[1] = "B_P.utoc";
	shelf.n_list = 2;
	return 0;
}

static int end_shelf(void **state)
{
	return end(state) != 0 || shelf.n_open != 0;
}

static struct report *check(void)
{
	const struct check_input in = { .io.size = shelf.n_a_toc,
					.memory = shelf.a_toc,
					.name = "mods/A_P.utoc",
					.cancel = &is_cancelled,
					.siblings = &beside };

	unit_needs(sha1_is_available(),
		   "nettle"); /* a hash is wrong if it is so by either digest */
	unit_needs(blake3_is_available(), "blake3");
	return engine_check(&engine, &in);
}

static bool names_owner(const struct report *r)
{
	const struct diagnosis *d = r->diagnosis;

	if (!d || strcmp(d->kind->id, "wrong_companion") != 0 || d->n_args != 3 ||
	    d->args[1].kind != ARG_TEXT)
		return false;
	assert_int_equal(d->confidence, CONFIDENCE_CERTAIN);
	assert_int_equal(d->args[1].text_len, 8);
	assert_memory_equal(d->args[1].text, "B_P.utoc", 8);
	assert_int_equal(d->args[2].number, N_CHUNKS);
	return true;
}

/* Checks once, and tells whether the other container was named. */
static bool finds_owner(void)
{
	struct report *r = check();
	const bool finds = names_owner(r);

	assert_int_equal(shelf.n_open, 0);
	report_free(r);
	return finds;
}

static bool has_finding(const struct report *r, const char *id)
{
	for (size_t i = 0; i < r->n_findings; i++)
		if (strcmp(r->findings[i]->rule->id, id) == 0)
			return true;
	return false;
}

/* Tells whether a report, or that of the .pak in it, says that memory ended. */
static bool is_short(const struct report *r)
{
	return has_finding(r, "RUN005") || (r->n_nested > 0 && has_finding(r->nested[0], "RUN005"));
}

/* ---- Tests ----------------------------------------------------------------------------------- */

/* Where no hash of a container is right, that is a warning: the file is valid, but not this one. */
static void it_is_named(void **state)
{
	struct report *r = check();

	(void)state;
	assert_int_equal(r->verdict, VERDICT_VALID);
	assert_true(names_owner(r));
	assert_int_equal(shelf.n_listed, 1);
	report_free(r);
	engine.threads = forwards;
	assert_true(finds_owner());
	engine.threads = backwards;
	assert_true(finds_owner());
}

static void a_good_file_asks_for_no_other(void **state)
{
	struct report *r;

	(void)state;
	memcpy(shelf.a_toc, shelf.b_toc, sizeof shelf.a_toc);
	r = check();
	assert_int_equal(r->verdict, VERDICT_VALID);
	assert_null(r->diagnosis);
	assert_int_equal(shelf.n_listed, 0);
	assert_int_equal(shelf.n_other, 0);
	report_free(r);
}

static void another_length_is_another_file(void **state)
{
	(void)state;
	shelf.n_b_ucas--;
	assert_false(finds_owner());
	shelf.n_b_ucas += 16;
	assert_true(finds_owner());
	shelf.n_b_ucas++;
	assert_false(finds_owner());
}

static void a_byte_of_it_matters(void **state)
{
	(void)state;
	shelf.b_ucas[100] ^= 1;
	assert_false(finds_owner());
}

static void only_so_many_are_looked_at(void **state)
{
	(void)state;
	for (size_t i = 2; i < 9; i++)
		shelf.list[i] = "none.utoc";
	shelf.n_list = 9;
	assert_true(finds_owner());
	shelf.list[9] = "none.utoc";
	shelf.n_list = 10;
	assert_false(finds_owner());
	shelf.list[2] = "B_P.utoc"; /* two that fit */
	shelf.n_list = 3;
	assert_false(finds_owner());
}

static void a_long_one_is_not_read(void **state)
{
	(void)state;
	shelf.b_size = ((uint64_t)16 << 20) + 1;
	assert_false(finds_owner());
	assert_int_equal(shelf.n_other, 0);
	shelf.b_size--;
	assert_false(finds_owner());
	assert_true(shelf.n_other > 0);
}

static void tables_alone_ask_for_none(void **state)
{
	(void)state;
	engine.level = LEVEL_STRUCTURE;
	assert_false(finds_owner());
	assert_int_equal(shelf.n_listed, 0);
}

/* A read of the other container that fails says nothing of this one, nor does one of the .ucas that
 * is read once more. */
static void what_cannot_be_read_is_passed_over(void **state)
{
	struct report *r;

	(void)state;
	shelf.fails = true;
	for (unsigned i = 0; i < 2; i++) {
		r = check();
		assert_int_equal(r->verdict, VERDICT_VALID);
		assert_null(r->diagnosis);
		assert_false(has_finding(r, "RUN002"));
		report_free(r);
		shelf.fails = false;
		shelf.fails_again = true;
		shelf.n_listed = 0;
	}
}

static void a_cancelled_check_says_so(void **state)
{
	struct report *r;

	(void)state;
	shelf.cancel_at = 1;
	r = check();
	assert_int_equal(shelf.n_other, 1);
	assert_true(has_finding(r, "RUN006"));
	report_free(r);
}

/* Memory that ends while it is looked for leaves all files closed, and a report that says so. */
static void memory_that_ends_is_told(void **state)
{
	bool ended = false;

	(void)state;
	engine.chunk_len = 64;
	for (uint64_t n = 1; !ended; n++) {
		struct report *r;

		memory.n_asked = 0;
		memory.fail_at = n;
		r = check();
		ended = memory.n_asked < n;
		assert_int_equal(shelf.n_open, 0);
		if (r && !is_short(r))
			assert_true(ended && names_owner(r));
		if (r)
			report_free(r);
	}
	assert_true(shelf.n_listed > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(it_is_named, begin_shelf, end_shelf),
		cmocka_unit_test_setup_teardown(a_good_file_asks_for_no_other, begin_shelf,
						end_shelf),
		cmocka_unit_test_setup_teardown(another_length_is_another_file, begin_shelf,
						end_shelf),
		cmocka_unit_test_setup_teardown(a_byte_of_it_matters, begin_shelf, end_shelf),
		cmocka_unit_test_setup_teardown(only_so_many_are_looked_at, begin_shelf, end_shelf),
		cmocka_unit_test_setup_teardown(a_long_one_is_not_read, begin_shelf, end_shelf),
		cmocka_unit_test_setup_teardown(tables_alone_ask_for_none, begin_shelf, end_shelf),
		cmocka_unit_test_setup_teardown(what_cannot_be_read_is_passed_over, begin_shelf,
						end_shelf),
		cmocka_unit_test_setup_teardown(a_cancelled_check_says_so, begin_shelf, end_shelf),
		cmocka_unit_test_setup_teardown(memory_that_ends_is_told, begin_shelf, end_shelf),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
