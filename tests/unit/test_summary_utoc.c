/* Tests of the summaries of containers: their chunks, and the packages that they import from
 * others. */
#include "container_header_state.h"

#include "formats/iostore/summary.h"
#include "formats/iostore/utoc.h"
#include "formats/summary.h"

static struct fault_memory summary_memory;
static struct arena summary_arena;
static struct summary summary;

static void summarise(struct state *s, uint64_t budget)
{
	static struct utoc u;

	u.toc = s->toc;
	u.container_header = s->h;
	summary_arena = unit_arena(&summary_memory, budget);
	summary_arena.chunk_len = 64;
	summary = (struct summary){ .arena = &summary_arena };
	utoc_summary(&u, &s->d, &summary);
}

static void let_go(void)
{
	arena_free(&summary_arena);
	assert_int_equal(summary_memory.n_live, 0);
}

enum { ENTRY = 16, IMPORTS = 3, PACKAGES = 3 };

/* A header of three packages with ids 1 to 3, each of which imports three others: its neighbours,
 * and those that the container lacks. */
static void header_with_imports(struct state *s, const uint64_t imports[PACKAGES * IMPORTS])
{
	const uint32_t viewed = PACKAGES * IMPORTS * 8;

	head(s, 3);
	put(s, 4, PACKAGES);
	for (uint32_t i = 1; i <= PACKAGES; i++)
		put(s, 8, i);
	put(s, 4, PACKAGES * ENTRY + viewed);
	for (uint32_t i = 0; i < PACKAGES; i++)
		PUT(s, IMPORTS, (PACKAGES - i) * ENTRY + i * IMPORTS * 8, 0, 0);
	for (uint32_t i = 0; i < PACKAGES * IMPORTS; i++)
		put(s, 8, imports[i]);
	rest(s);
	s->toc.n_chunks = 0;
	for (uint64_t i = 1; i <= PACKAGES; i++)
		add_chunk(s, i, 0, 100);
	read_all(s);
	assert_true(is_whole(s));
}

static const uint64_t imports_of[] = { 2, 900, 3, 800, 900, 1, 700, 800, 0 };

static void test_imports_count_once(void **state)
{
	const uint64_t other_order[] = { 700, 1, 800, 900, 0, 2, 2, 3, 900 };
	struct state *s = *state;
	uint64_t hash;

	header_with_imports(s, imports_of);
	summarise(s, UNIT_PLENTY);
	assert_int_equal(summary.gaps, 0);
	assert_int_equal(summary.identity, SUMMARY_CONTAINER);
	assert_int_equal(summary.container, 7);
	assert_int_equal(summary.needs.n, 3);
	assert_int_equal(summary.n_imports, 3);
	assert_int_equal(summary.needs.rows[0].id, 700);
	assert_int_equal(summary.needs.rows[1].id, 800);
	assert_int_equal(summary.needs.rows[2].id, 900);
	assert_int_equal(summary.offers.n, PACKAGES);
	assert_int_equal(summary.offers.rows[2].id, 3);
	hash = summary.needs.hash;
	let_go();
	header_with_imports(s, other_order);
	summarise(s, UNIT_PLENTY);
	assert_int_equal(summary.needs.n, 3);
	assert_int_equal(summary.needs.hash, hash);
	let_go();
}

/* All twelve bytes of an id tell chunks apart. */
static void test_ids_are_told_apart(void **state)
{
	struct state *s = *state;
	uint64_t hash;

	header_with_imports(s, imports_of);
	summarise(s, UNIT_PLENTY);
	hash = summary.offers.hash;
	let_go();
	s->ids[11] = 2;
	summarise(s, UNIT_PLENTY);
	assert_int_not_equal(summary.offers.hash, hash);
	let_go();
	s->ids[11] = 1;
	s->toc.header.container_id = TOC_NO_CONTAINER;
	summarise(s, UNIT_PLENTY);
	assert_int_equal(summary.offers.hash, hash);
	assert_int_equal(summary.identity, SUMMARY_ANONYMOUS);
	let_go();
}

/* A view that does not lie among the entries is a defect, and nothing is read through it. */
static void test_views_outside_show_nothing(void **state)
{
	struct state *s = *state;
	size_t at;

	header_with_imports(s, imports_of);
	at = 16 + 4 + PACKAGES * 8 + 4;
	s->bytes[at + 3] = 0xFF;         /* how many imports the first package has */
	s->bytes[at + ENTRY + 7] = 0xFF; /* where those of the second are */
	read_all(s);
	summarise(s, UNIT_PLENTY);
	assert_int_equal(summary.needs.n, 2);
	assert_int_equal(summary.needs.rows[0].id, 700);
	let_go();
}

/* Packages of an optional segment import, too; what ends a check ends the lists, and says so. */
static void test_optional_packages(void **state)
{
	struct state *s = *state;

	head_with(s, 1);
	PUT(s, 0, 0, 0, 0); /* the only entry */
	PUT(s, 1, 1, 0);    /* one optional id, 1 */
	PUT(s, ENTRY + 16, 2, ENTRY, 0, 0);
	put(s, 8, 600), put(s, 8, 1);
	PUT(s, 0, 0, 0);
	add_chunk(s, 1, 0, 100);
	read_all(s);
	assert_true(is_whole(s));
	summarise(s, UNIT_PLENTY);
	assert_int_equal(summary.gaps, 0);
	assert_int_equal(summary.needs.n, 1);
	assert_int_equal(summary.needs.rows[0].id, 600);
	let_go();
	s->d.work.exhausted = true;
	summarise(s, UNIT_PLENTY);
	assert_int_equal(summary.gaps, SUMMARY_UNREAD);
	assert_int_equal(summary.offers.n, 0);
	let_go();
}

/* Without its tables a container says nothing. */
static void test_no_tables(void **state)
{
	struct state *s = *state;

	header_with_imports(s, imports_of);
	for (uint32_t g = UTOC_HEADER; g <= CONTAINER_END; g++)
		s->d.groups[g].why = STOP_NEEDS;
	summarise(s, UNIT_PLENTY);
	assert_int_equal(summary.gaps, SUMMARY_UNREAD);
	assert_int_equal(summary.identity, SUMMARY_ANONYMOUS);
	assert_false(summary.needs.is_known || summary.offers.is_known);
	let_go();
}

static void test_no_header(void **state)
{
	struct state *s = *state;

	header_with_imports(s, imports_of);
	s->h.chunk = TOC_NONE;
	summarise(s, UNIT_PLENTY);
	assert_false(summary.needs.is_known);
	assert_int_equal(summary.gaps, 0);
	let_go();
}

/* Wherever a header ends before its packages do, it is not known what they import. */
static void test_headers_that_are_cut(void **state)
{
	struct state *s = *state;
	uint64_t n_unknown = 0;

	header_with_imports(s, imports_of);
	for (size_t len = 0; len < s->n; len++) {
		read_len(s, len);
		summarise(s, UNIT_PLENTY);
		assert_int_equal(summary.gaps, summary.needs.is_known ? 0 : SUMMARY_UNREAD);
		assert_int_equal(summary.needs.n, summary.needs.is_known ? 3 : 0);
		n_unknown += !summary.needs.is_known;
		let_go();
	}
	assert_true(n_unknown >= 16 + 4 + PACKAGES * (8 + ENTRY) + sizeof imports_of);
}

static void test_memory_that_ends(void **state)
{
	struct state *s = *state;
	uint64_t peak, hash, n_short = 0;

	header_with_imports(s, imports_of);
	summarise(s, UNIT_PLENTY);
	peak = summary_arena.peak;
	hash = summary.offers.hash;
	let_go();
	for (uint64_t budget = 0; budget < peak; budget += 8) {
		const struct summary_list *needs = &summary.needs, *offers = &summary.offers;

		summarise(s, budget);
		assert_int_equal(summary.gaps, SUMMARY_NO_MEMORY);
		assert_true(needs->n == 0 || needs->n == 3);
		assert_true(needs->n_rows == 0 || needs->n_rows == 3);
		assert_int_equal(offers->n, PACKAGES);
		assert_int_equal(offers->hash, hash);
		n_short += needs->n == 0;
		let_go();
	}
	assert_true(n_short > 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_imports_count_once),
		TEST(test_ids_are_told_apart),
		TEST(test_views_outside_show_nothing),
		TEST(test_optional_packages),
		TEST(test_no_tables),
		TEST(test_no_header),
		TEST(test_headers_that_are_cut),
		TEST(test_memory_that_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
