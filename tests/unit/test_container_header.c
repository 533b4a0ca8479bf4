/* Container headers, as bytes: which form they have, where each part lies, what is odd about
 * packages, and what an attack costs. */
#include "container_header_state.h"
#include "formats/iostore/zen_package/zen.h"

/* ---- Forms ----------------------------------------------------------------------------------- */

static void forms_of_ue4_are_told_apart(void **state)
{
	struct state *s = *state;

	old_header(s, 32, false);
	read_all(s);
	assert_true(is_whole(s));
	assert_int_equal(s->h.version, CONTAINER_INITIAL);
	assert_false(s->h.walk.parts[PART_FORK].is_there);
	old_header(s, 16, false);
	read_all(s);
	assert_true(is_whole(s));
	assert_int_equal(s->h.version, CONTAINER_PRE_INITIAL);
	old_header(s, 32, true);
	read_all(s);
	assert_true(is_whole(s));
	assert_int_equal(s->h.version, CONTAINER_INITIAL);
	assert_true(s->h.walk.parts[PART_FORK].is_there);
	assert_int_equal(s->h.walk.end, s->n);
}

static void forms_of_ue5_end_where_the_chunk_does(void **state)
{
	struct state *s = *state;

	for (uint32_t version = 1; version <= 5; version++) {
		head(s, version);
		if (version == 1)
			PUT(s, 0);
		PUT(s, 0, 0);
		if (version > 1)
			PUT(s, 0, 0);
		PUT(s, 0, 0, 0);
		if (version == 4)
			PUT(s, 0);
		if (version == 5)
			PUT(s, 0, 0, 0, 0);
		read_all(s);
		assert_true(is_whole(s));
		assert_int_equal(s->h.walk.end, s->n);
		assert_int_equal(s->h.trailing.len, 0);
	}
}

static void a_magic_is_asked_for_since_version_5(void **state)
{
	struct state *s = *state;

	old_header(s, 32, false);
	s->toc.version = 4;
	read_all(s);
	assert_true(is_whole(s));
	s->toc.version = 5;
	read_all(s);
	assert_true(lacks(s, CONTAINER_HEAD, STOP_MALFORMED) &&
		    lacks(s, CONTAINER_END, STOP_NEEDS));
	head(s, 6);
	read_all(s);
	assert_true(lacks(s, CONTAINER_HEAD, STOP_UNSUPPORTED));
	head(s, 0);
	read_all(s);
	assert_true(lacks(s, CONTAINER_HEAD, STOP_UNSUPPORTED));
}

/* Whatever is missing, one part says so, and what follows it is not decoded. */
static void every_cut_is_told(void **state)
{
	struct state *s = *state;

	for (unsigned form = 0; form < 3; form++) {
		size_t n;

		if (form < 2) {
			old_header(s, form == 0 ? 32 : 16, false);
		} else {
			s->toc.version = 8;
			head_with(s, 1);
			PUT(s, 1, 16, 0, 0, 5, 0);
			rest(s);
		}
		n = s->n;
		for (size_t len = 0; len < n; len++) {
			uint32_t blocked = 0;

			read_len(s, len);
			for (uint32_t g = CONTAINER_HEAD; g <= CONTAINER_END; g++)
				blocked += lacks(s, g, STOP_MALFORMED);
			assert_true(blocked >= 1 && !decode_has(&s->d, CONTAINER_END));
			assert_int_not_equal(s->h.walk.cut, PART_N);
		}
	}
}

/* ---- Packages -------------------------------------------------------------------------------- */

static void ids_are_sorted_and_found(void **state)
{
	struct state *s = *state;
	uint64_t seed = 88172645463325252u;
	const uint32_t n = 2000;

	head(s, 3);
	put(s, 4, n);
	for (uint32_t i = 0; i < n; i++)
		put(s, 8, i % 100 == 99 ? 12345 : unit_random(&seed));
	put(s, 4, n * 16);
	memset(s->bytes + s->n, 0, n * 16);
	s->n += n * 16;
	rest(s);
	for (uint32_t i = 0; i < n; i += 2)
		add_chunk(s, bytes_le64(s->bytes + 20 + 8 * i), 0, 1);
	add_chunk(s, 77, 0, 1);
	read_all(s);
	assert_true(is_whole(s));
	assert_int_equal(s->h.packages.order.n_ties, n / 100 - 1);
	assert_int_equal(s->h.n_strays, 1);
	assert_int_equal(s->h.strays[0].chunk, n / 2);
	for (uint32_t i = 0; i < n; i++) {
		if (i % 2 == 0)
			assert_int_equal(s->h.chunk_of[i], i / 2);
		else
			assert_true(s->h.packages.traits[i] & PACKAGE_NO_CHUNK);
		assert_int_equal((s->h.packages.traits[i] & PACKAGE_ID_REPEATED) != 0,
				 i % 100 == 99 && i > 99);
	}
}

static void an_optional_package_has_a_chunk_of_its_own(void **state)
{
	struct state *s = *state;

	head_with(s, 1);
	PUT(s, 0, 0, 0, 0);
	PUT(s, 2, 1, 0, 9, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0);
	PUT(s, 0, 0, 0);
	add_chunk(s, 1, 1, 4);
	add_chunk(s, 9, 1, 4);
	add_chunk(s, 8, 1, 4);
	add_chunk(s, 1, 0, 4);
	read_all(s);
	assert_true(is_whole(s));
	assert_int_equal(s->h.chunk_of[0], 3);
	assert_int_equal(s->h.optional.traits[0], 0);
	assert_int_equal(s->h.optional.traits[1], PACKAGE_NOT_LISTED);
	assert_int_equal(s->h.n_strays, 1);
	assert_int_equal(s->h.strays[0].chunk, 2);
}

/* One package that imports `count` ids, which are i + 100 but for the last. */
static uint32_t import_traits(struct state *s, uint32_t count, uint64_t last)
{
	head_with(s, 1);
	s->n -= 4;
	PUT(s, 16 + count * 8, count, 16, 0, 0);
	for (uint32_t i = 0; i + 1 < count; i++)
		put(s, 8, i + 100);
	put(s, 8, last);
	rest(s);
	read_all(s);
	assert_true(is_whole(s));
	return s->h.packages.traits[0] & ~(uint32_t)PACKAGE_NO_CHUNK;
}

static void imports_that_repeat_are_found_in_short_lists_and_long(void **state)
{
	static const uint32_t counts[] = { 2, 3, 127, 128, 129, 2000 };

	for (size_t i = 0; i < LENGTH(counts); i++) {
		assert_int_equal(import_traits(*state, counts[i], 100), PACKAGE_IMPORT_REPEATED);
		assert_int_equal(import_traits(*state, counts[i], 98 + counts[i]),
				 PACKAGE_IMPORT_REPEATED);
		assert_int_equal(import_traits(*state, counts[i], 99999), 0);
		assert_int_equal(import_traits(*state, counts[i], 0), PACKAGE_IMPORT_ZERO);
		assert_int_equal(import_traits(*state, counts[i], 1), PACKAGE_IMPORT_OWN);
	}
	assert_int_equal(import_traits(*state, 1, 1), PACKAGE_IMPORT_OWN);
}

/* A package that imports fewer than its entry says differs, whatever stands after its list. */
static void imports_of_a_shorter_list_differ(void **state)
{
	struct state *s = *state;
	uint64_t ids[] = { 100, 101 };
	struct zen x = { .has_packages = true, .packages = ids, .n_packages = 1 };
	struct container_package p;
	struct container_import other;

	assert_int_equal(import_traits(s, 2, 101), 0);
	container_view_packages(&s->h, 0, 1, &p);
	assert_true(container_imports_differ(&s->h, &p, &x, &other));
	assert_int_equal(other.index, 1);
	x.n_packages = 2;
	assert_false(container_imports_differ(&s->h, &p, &x, &other));
	x.n_packages = 1;
	x.has_packages = false;
	assert_false(container_imports_differ(&s->h, &p, &x, &other));
	x.has_packages = true;
	ids[0] = 0; /* an id that is not known: nothing is known of the list */
	assert_false(container_imports_differ(&s->h, &p, &x, &other));
}

/* Entry 0 of two with a view of n imports at an offset, in a store of 16 bytes after the
 * entries. */
static uint32_t view_traits(struct state *s, uint32_t n, uint32_t offset)
{
	head_with(s, 2);
	s->n -= 4;
	PUT(s, 48, n, offset, 0, 0, 0, 0, 0, 0, 5, 0, 6, 0);
	rest(s);
	read_all(s);
	return s->h.packages.traits[0] & ~(uint32_t)PACKAGE_NO_CHUNK;
}

static void views_stay_after_the_entries(void **state)
{
	assert_int_equal(view_traits(*state, 2, 32), 0);
	assert_int_equal(view_traits(*state, 1, 40), 0);
	assert_int_equal(view_traits(*state, 1, 36), 0);
	assert_int_equal(view_traits(*state, 2, 31), PACKAGE_VIEW_OUT | PACKAGE_UNALIGNED);
	assert_int_equal(view_traits(*state, 2, 28), PACKAGE_VIEW_OUT);
	assert_int_equal(view_traits(*state, 3, 32), PACKAGE_VIEW_OUT);
	assert_int_equal(view_traits(*state, 1, 44), PACKAGE_VIEW_OUT);
	assert_int_equal(view_traits(*state, UINT32_MAX, 32), PACKAGE_VIEW_OUT);
	assert_int_equal(view_traits(*state, 1, UINT32_MAX), PACKAGE_VIEW_OUT | PACKAGE_UNALIGNED);
	assert_int_equal(view_traits(*state, 0, 32), PACKAGE_EMPTY_OFFSET);
	assert_int_equal(view_traits(*state, 1, 33), PACKAGE_UNALIGNED);
}

static void gaps_and_overlaps_are_counted(void **state)
{
	struct state *s = *state;

	view_traits(s, 2, 32);
	assert_int_equal(s->h.packages.n_gaps + s->h.packages.n_overlaps, 0);
	view_traits(s, 1, 32);
	assert_int_equal(s->h.packages.n_gaps, 1);
	view_traits(s, 1, 40);
	assert_int_equal(s->h.packages.n_gaps, 1);
	view_traits(s, 1, 36);
	assert_int_equal(s->h.packages.n_gaps, 2);
	head_with(s, 2);
	s->n -= 4;
	PUT(s, 48, 2, 32, 0, 0, 1, 16, 0, 0, 5, 0, 6, 0);
	rest(s);
	read_all(s);
	assert_int_equal(s->h.packages.n_gaps, 0);
	assert_int_equal(s->h.packages.n_overlaps, 1);
}

/* Entries that all view the same rows cost what they view, over and over: the work that is allowed
 * ends that. They view a million rows, so that each must cost more than fifty units. */
static void what_many_view_costs_work(void **state)
{
	struct state *s = *state;
	const uint32_t n = 1000, imports = 1000;

	head_with(s, n);
	s->n -= 4;
	put(s, 4, n * 16 + imports * 8);
	for (uint32_t i = 0; i < n; i++)
		PUT(s, imports, (n - i) * 16, 0, 0);
	for (uint32_t i = 0; i < imports; i++)
		put(s, 8, 5000 + i);
	rest(s);
	s->d.work.max = 50000000;
	read_all(s);
	assert_true(lacks(s, CONTAINER_PACKAGES, STOP_LIMIT));
	assert_true(decode_has(&s->d, CONTAINER_END));
}

/* ---- Names and redirects --------------------------------------------------------------------- */

static uint32_t link_traits(struct state *s, const char *source, uint32_t name, uint32_t number)
{
	header_with_names(s, cityhash64_wide((const uint8_t *)source, strlen(source)), name,
			  number);
	read_all(s);
	assert_true(is_whole(s));
	assert_int_equal(s->h.names.seen, 0);
	assert_int_equal(s->h.n_links, 1);
	return s->h.links[0].traits & ~(uint32_t)LINK_TARGET;
}

static void names_lead_to_their_source(void **state)
{
	assert_int_equal(link_traits(*state, "/game/a", 1u << 30, 0), 0);
	assert_int_equal(link_traits(*state, "/game/a_0", 1u << 30, 1), 0);
	assert_int_equal(link_traits(*state, "/b_4294967294", 1u << 30 | 1, UINT32_MAX), 0);
	assert_int_equal(link_traits(*state, "/game/a", 1u << 30 | 1, 0), LINK_ID_DIFFERS);
	assert_int_equal(link_traits(*state, "/game/a", 1u << 30 | 2, 0), LINK_NAME_OUT);
	assert_int_equal(link_traits(*state, "/game/a", 0, 0), LINK_NAME_OUT);
	assert_int_equal(link_traits(*state, "/game/a", 2u << 30, 0), LINK_NAME_OUT);
}

static void names_of_ue4_are_walked(void **state)
{
	struct state *s = *state;

	s->toc.version = 3;
	PUT(s, 7, 0, 0, 12);
	put(s, 2, 0x0100); /* one narrow character, then a wide one after a byte of padding */
	put(s, 1, 'a');
	put(s, 2, 0x0280);
	put(s, 1, 0);
	put(s, 4, 0x01000102);
	put(s, 2, 0);
	PUT(s, 32, 0xC1640000, 0);
	put_name_hash(s, "a");
	put(s, 8, 0);
	put(s, 8, 0);
	PUT(s, 0, 0, 0, 0);
	read_all(s);
	assert_true(is_whole(s));
	assert_int_equal(s->h.names.n, 3);
	assert_int_equal(s->h.names.traits[0], 0);
	assert_int_equal(s->h.names.traits[1], 0);
	assert_int_equal(s->h.names.traits[2], NAME_EMPTY);
	s->bytes[16 + 1] = 2;
	read_all(s);
	assert_true(lacks(s, CONTAINER_NAMES, STOP_MALFORMED) && decode_has(&s->d, CONTAINER_END));
}

/* Names that differ may have digests that are the same: the first two by the chance that an
 * attacker helps, and a wide name those of the narrow one that has its bytes. */
static void names_of_one_digest_are_compared(void **state)
{
	static const uint8_t heads[] = { 0, 7, 0, 6, 0x80, 1, 0, 2, 0, 2, 0x80, 1, 0, 1, 0, 1 };
	static const char names[] = "n961965"
				    "n24820"
				    "a\0"
				    "a\0"
				    "b\0"
				    "b\0"
				    "x"
				    "X";
	enum { N = sizeof heads / 2 };
	struct state *s = *state;

	head_with(s, 0);
	PUT(s, 0, 0);
	PUT(s, N, sizeof names - 1, 0xC1640000, 0);
	for (unsigned i = 0; i < N; i++)
		put(s, 8, 0);
	for (unsigned i = 0; i < sizeof heads; i++)
		put(s, 1, heads[i]);
	for (unsigned i = 0; i < sizeof names - 1; i++)
		put(s, 1, (uint8_t)names[i]);
	PUT(s, 0, 0);
	read_all(s);
	assert_true(is_whole(s));
	assert_int_equal(s->h.names.n, N);
	for (unsigned i = 0; i < N; i++)
		assert_false(s->h.names.traits[i] & NAME_REPEATED);
	s->bytes[s->n - 9] = 'x';
	read_all(s);
	for (unsigned i = 0; i < N; i++)
		assert_int_equal(!(s->h.names.traits[i] & NAME_REPEATED), i < N - 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(forms_of_ue4_are_told_apart, set_up, tear_down),
		cmocka_unit_test_setup_teardown(forms_of_ue5_end_where_the_chunk_does, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_magic_is_asked_for_since_version_5, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(every_cut_is_told, set_up, tear_down),
		cmocka_unit_test_setup_teardown(ids_are_sorted_and_found, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_optional_package_has_a_chunk_of_its_own, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(
			imports_that_repeat_are_found_in_short_lists_and_long, set_up, tear_down),
		cmocka_unit_test_setup_teardown(imports_of_a_shorter_list_differ, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(views_stay_after_the_entries, set_up, tear_down),
		cmocka_unit_test_setup_teardown(gaps_and_overlaps_are_counted, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_many_view_costs_work, set_up, tear_down),
		cmocka_unit_test_setup_teardown(names_lead_to_their_source, set_up, tear_down),
		cmocka_unit_test_setup_teardown(names_of_ue4_are_walked, set_up, tear_down),
		cmocka_unit_test_setup_teardown(names_of_one_digest_are_compared, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
