/* The records of a container header by their own readers beside the rows that rules see, and
 * decoding that ends at each step. */
#include "container_header_state.h"

/* ---- Records --------------------------------------------------------------------------------- */

/* The row of a record at a place of the header. */
#define ROW_AT(s, record, place) \
	record##_at(record##_in(held_part((s)->h.held, (place), record##_fixed_len)), 0)

/* What rules and map see is what the records' own readers read. */
static void see(struct state *s)
{
	read_all(s);
	assert_true(is_whole(s));
}

static void entries_are_read_alike(void **state)
{
	struct state *s = *state;
	struct container_package row;
	struct container_entry_pre_initial_row pre;
	struct container_entry_initial_row initial;
	struct container_package_id_row id;
	struct container_count_row count;

	old_header(s, 32, false);
	see(s);
	container_view_packages(&s->h, 0, 1, &row);
	id = ROW_AT(s, container_package_id, row.id_at);
	count = ROW_AT(s, container_count, s->h.walk.parts[PART_IDS].count_at);
	initial = ROW_AT(s, container_entry_initial, row.entry_at);
	assert_int_equal(container_count_get_count(count), s->h.packages.n);
	assert_int_equal(container_package_id_get_id(id), row.id);
	assert_int_equal(container_entry_initial_get_bundles_size(initial), row.bundles_size);
	assert_true(container_entry_initial_get_exports(initial) == row.exports &&
		    container_entry_initial_get_bundles(initial) == row.bundles);
	assert_true(container_entry_initial_get_load_order(initial) == row.load_order &&
		    container_entry_initial_get_pad(initial) == row.pad);
	assert_true(container_entry_initial_get_imports(initial) == 1 && row.imports.n == 1 &&
		    container_entry_initial_get_imports_offset(initial) == row.imports.offset);
	old_header(s, 16, false);
	see(s);
	container_view_packages(&s->h, 0, 1, &row);
	pre = ROW_AT(s, container_entry_pre_initial, row.entry_at);
	assert_true(container_entry_pre_initial_get_exports(pre) == row.exports &&
		    container_entry_pre_initial_get_bundles(pre) == row.bundles);
	assert_true(container_entry_pre_initial_get_imports(pre) == 1 && row.imports.n == 1 &&
		    container_entry_pre_initial_get_imports_offset(pre) == row.imports.offset);
}

/* A header of 5.0: a package that imports another and has a hash of shaders, a name, a localized
 * package and a redirect. */
static void counted_header(struct state *s)
{
	head(s, 1);
	PUT(s, 1, 1, 5, 0, 24 + 28, 3, 2, 1, 16, 1, 16, 9, 0, 1, 2, 3, 4, 5);
	PUT(s, 1, 2, 0xC1640000, 0);
	put_name_hash(s, "/b");
	put(s, 2, 0x0200);
	put_text(s, "/b");
	PUT(s, 1, 11, 12, 1u << 30, 13);
	PUT(s, 1, 14, 15, 16, 17, 1u << 30, 18);
}

static void records_since_ue5_are_read_alike(void **state)
{
	struct state *s = *state;
	struct container_package row;
	struct name_row name;
	struct container_link_row links[2];
	struct container_entry_counted_row entry;
	struct zen_name_head_row name_head;
	struct zen_name_hash_row hash;
	struct container_localized_row localized;
	struct container_redirect_row redirect;

	counted_header(s);
	see(s);
	container_view_packages(&s->h, 0, 1, &row);
	names_row(&s->h.names, 0, &name);
	container_view_links(&s->h, 0, 2, links);
	entry = ROW_AT(s, container_entry_counted, row.entry_at);
	name_head = ROW_AT(s, zen_name_head, name.head_at);
	hash = ROW_AT(s, zen_name_hash, name.hash_at);
	localized = ROW_AT(s, container_localized, links[0].at);
	redirect = ROW_AT(s, container_redirect, links[1].at);
	assert_true(container_entry_counted_get_exports(entry) == 3 && row.exports == 3 &&
		    container_entry_counted_get_bundles(entry) == 2 && row.bundles == 2);
	assert_true(container_entry_counted_get_imports(entry) == row.imports.n &&
		    container_entry_counted_get_imports_offset(entry) == row.imports.offset);
	assert_true(container_entry_counted_get_hashes(entry) == 1 && row.hashes.n == 1 &&
		    container_entry_counted_get_hashes_offset(entry) == row.hashes.offset);
	assert_int_equal(zen_name_head_get_high(name_head) << 8 | zen_name_head_get_low(name_head),
			 name.n_units);
	assert_int_equal(zen_name_hash_get_hash(hash), name.hash);
	assert_int_equal(container_localized_get_source(localized), links[0].source);
	assert_int_equal(container_localized_get_name(localized), links[0].name);
	assert_int_equal(container_localized_get_number(localized), links[0].number);
	assert_true(container_redirect_get_source(redirect) == links[1].source &&
		    container_redirect_get_target(redirect) == links[1].target);
	assert_true(container_redirect_get_name(redirect) == links[1].name &&
		    container_redirect_get_number(redirect) == links[1].number);
}

/* A header of 5.5 with n packages that import nothing and refer softly to the same four times an
 * id. */
static void soft_header(struct state *s, uint32_t n)
{
	head(s, 4);
	put(s, 4, n);
	for (uint32_t i = 0; i < n; i++)
		put(s, 8, 5 + i);
	put(s, 4, n * 16);
	memset(s->bytes + s->n, 0, n * 16);
	s->n += n * 16;
	rest(s);
	PUT(s, 1, 1, 21, 0, n * 8 + 16);
	for (uint32_t i = 0; i < n; i++)
		PUT(s, 4, (n - i) * 8);
	PUT(s, 0, 0, 0, 0);
}

static void soft_entries_and_old_redirects_are_read_alike(void **state)
{
	struct state *s = *state;
	struct container_package package;
	struct container_soft_row row;
	struct container_link_row link;
	struct container_entry_row entry;
	struct container_soft_entry_row soft;
	struct container_old_redirect_row old;

	soft_header(s, 2);
	see(s);
	container_view_packages(&s->h, 1, 1, &package);
	container_view_soft(&s->h, 1, 1, &row);
	entry = ROW_AT(s, container_entry, package.entry_at);
	soft = ROW_AT(s, container_soft_entry, row.at);
	assert_true(container_entry_get_imports(entry) == package.imports.n &&
		    container_entry_get_imports_offset(entry) == package.imports.offset);
	assert_true(container_entry_get_hashes(entry) == package.hashes.n &&
		    container_entry_get_hashes_offset(entry) == package.hashes.offset);
	assert_true(container_soft_entry_get_references(soft) == 4 && row.n == 4 &&
		    container_soft_entry_get_offset(soft) == 8 && row.offset == 8);
	assert_int_equal(row.traits, 0);
	old_header(s, 32, false);
	s->n -= 4;
	PUT(s, 1, 20, 0, 10, 0);
	see(s);
	container_view_links(&s->h, 0, 1, &link);
	old = ROW_AT(s, container_old_redirect, link.at);
	assert_true(container_old_redirect_get_source(old) == 20 && link.source == 20 &&
		    container_old_redirect_get_target(old) == 10 && link.target == 10);
}

static void a_field_beyond_the_header_has_no_bytes(void **state)
{
	struct state *s = *state;

	counted_header(s);
	read_all(s);
	assert_int_equal(container_header_field(&s->h, &container_head_layout, 0,
						container_head_field_container_id)
				 .at,
			 8);
	assert_int_equal(container_header_field(&s->h, &container_head_layout, s->n + 1, 0).len, 0);
	assert_int_equal(container_header_field(&s->h, &container_head_layout, s->n - 1, 0).len, 0);
}

/* ---- Odd rows beside others ------------------------------------------------------------------ */

static void names_are_odd_each_for_itself(void **state)
{
	static const uint32_t odd[] = { 0,           NAME_REPEATED, 0, NAME_REPEATED, NAME_BROKEN,
					NAME_BROKEN, NAME_ENCODING };
	struct state *s = *state;

	head_with(s, 0);
	PUT(s, 0, 0);
	PUT(s, 7, 16, 0xC1640000, 0);
	put_name_hash(s, "q");
	put_name_hash(s, "q");
	put_name_hash(s, "r");
	put_name_hash(s, "r");
	PUT(s, 0, 0, 0, 0);
	put(s, 8, cityhash64((const uint8_t *)"/\0b", 4));
	for (unsigned i = 0; i < 7; i++)
		put(s, 2, i < 4 ? 0x0100 : 0x0280);
	put_text(s, "QQRR");
	PUT(s, 0x00004E2D, 0x0061D83D, 0x0042002F);
	PUT(s, 0, 1);
	put(s, 8, cityhash64_wide((const uint8_t *)"/b", 2));
	PUT(s, 3, 0, 1u << 30 | 6, 0);
	read_all(s);
	assert_true(is_whole(s));
	for (unsigned i = 0; i < LENGTH(odd); i++)
		assert_int_equal(s->h.names.traits[i] & ~(uint32_t)NAME_HASH, odd[i]);
	assert_int_equal(s->h.links[0].traits, LINK_TARGET);
}

static void wide_names_of_ue4_begin_at_even_places(void **state)
{
	struct state *s = *state;
	struct name_row name;

	s->toc.version = 3;
	PUT(s, 7, 0, 0, 4, 0x4E2D0180, 16, 0xC1640000, 0, 0, 0, 0, 0, 0, 0);
	read_all(s);
	assert_true(is_whole(s));
	names_row(&s->h.names, 0, &name);
	assert_true(name.wide && name.n_units == 1);
	assert_int_equal(bytes_le16(s->h.held.bytes + name.at), 0x4E2D);
}

static void load_orders_repeat_each_for_itself(void **state)
{
	struct state *s = *state;

	s->toc.version = 3;
	PUT(s, 7, 0, 3, 0, 8, 0xC1640000, 0, 3, 10, 0, 20, 0, 30, 0, 96);
	for (unsigned i = 0; i < 3; i++)
		PUT(s, 0, 0, 1, 1, i != 1, 0, 0, 0);
	PUT(s, 0, 0);
	read_all(s);
	assert_true(is_whole(s));
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal((s->h.packages.traits[i] & PACKAGE_ORDER_REPEATED) != 0, i == 2);
}

/* ---- Limits, memory, work -------------------------------------------------------------------- */

/* Two rows, where one is the most. */
static void rows_are_limited(void **state)
{
	struct state *s = *state;

	header_with_names(s, 1, 1u << 30, 0);
	for (uint64_t most = 1; most <= 2; most++) {
		s->limits.of[LIMIT_entries] = most;
		read_all(s);
		assert_int_equal(s->d.groups[CONTAINER_NAMES].why,
				 most < 2 ? STOP_LIMIT : STOP_NOT);
	}
	soft_header(s, 2);
	for (uint64_t most = 1; most <= 2; most++) {
		s->limits.of[LIMIT_entries] = most;
		read_all(s);
		assert_int_equal(s->d.groups[CONTAINER_PACKAGES].why,
				 most < 2 ? STOP_LIMIT : STOP_NOT);
		assert_int_equal(s->d.groups[CONTAINER_SOFT].why, most < 2 ? STOP_LIMIT : STOP_NOT);
	}
	counted_header(s);
	for (uint64_t most = 1; most <= 2; most++) {
		s->limits.of[LIMIT_entries] = most;
		read_all(s);
		assert_int_equal(s->d.groups[CONTAINER_MAPS].why, most < 2 ? STOP_LIMIT : STOP_NOT);
	}
}

static void a_chunk_is_never_longer_than_32_bits_say(void **state)
{
	struct state *s = *state;
	uint64_t most;

	add_chunk(s, 7, 0, (uint64_t)1 << 32);
	s->limits.of[LIMIT_unpacked] = UINT64_MAX;
	assert_false(container_header_open(&s->d, &s->toc, &s->h, &most));
	assert_true(lacks(s, CONTAINER_BYTES, STOP_LIMIT) && lacks(s, CONTAINER_HEAD, STOP_NEEDS));
}

static bool ended(const struct state *s, enum stop_why why)
{
	for (uint32_t g = CONTAINER_HEAD; g <= CONTAINER_END; g++)
		if (lacks(s, g, why))
			return true;
	return false;
}

/* Three packages share their soft references: the last costs more. Work ends at each step, of these
 * and of imports and hashes. */
static void work_ends_at_each_step(void **state)
{
	struct state *s = *state;

	for (unsigned form = 0; form < 2; form++) {
		bool done = false;

		if (form == 0)
			counted_header(s);
		else
			soft_header(s, 3);
		for (uint64_t max = 0; !done; max++) {
			assert_in_range(max, 0, 1000);
			s->d.work = (struct decode){ .work.max = max }.work;
			read_all(s);
			done = is_whole(s);
			assert_true(done || ended(s, STOP_LIMIT));
		}
	}
}

/* Views out of order, stray chunks, imports and hashes that are many, and maps of which nothing is
 * sorted: each asks for memory. */
static void header_that_sorts(struct state *s, unsigned form)
{
	if (form == 0) {
		head_with(s, 1);
		s->n -= 4;
		PUT(s, 16 + 300 * 28, 300, 16, 300, 8 + 300 * 8);
		for (uint32_t i = 300; i > 0; i--)
			put(s, 8, i + 1);
		for (uint32_t i = 300; i > 0; i--)
			PUT(s, i, 0, 0, 0, 0);
		rest(s);
		return;
	}
	if (form == 1) {
		head_with(s, 2);
		s->n -= 4;
		PUT(s, 48, 1, 40, 0, 0, 1, 16, 0, 0, 5, 0, 6, 0, 0, 0, 0, 0, 3);
		for (unsigned i = 0; i < 3; i++)
			PUT(s, i == 1 ? 3 : 9, 0, 1, 0, 0, 0);
		return;
	}
	old_header(s, 32, false);
	s->n -= 8;
	PUT(s, 1, 0, 3, 30, 0, 1, 0, 20, 0, 1, 0, 30, 0, 1, 0, 3, 9, 0, 1, 0, 3, 0, 1, 0, 9, 0, 1,
	    0);
}

static void memory_ends_at_each_step(void **state)
{
	struct state *s = *state;

	for (unsigned form = 0; form < 3; form++) {
		bool done = false;

		s->memory.fail_at = 0;
		s->toc.version = 8;
		s->toc.n_chunks = 0;
		add_chunk(s, 77, 0, 1);
		header_that_sorts(s, form);
		s->arena.chunk_len = 64;
		for (uint64_t n = 1; !done; n++) {
			assert_in_range(n, 1, 100);
			s->memory.fail_at = s->memory.n_asked + n;
			s->memory.forever = true;
			read_all(s);
			done = is_whole(s);
			assert_true(done || ended(s, STOP_MEMORY));
		}
		assert_int_equal(s->h.n_strays, 1);
		assert_int_equal((s->h.link_traits & LINK_REPEATED) != 0, form > 0);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(entries_are_read_alike, set_up, tear_down),
		cmocka_unit_test_setup_teardown(records_since_ue5_are_read_alike, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(soft_entries_and_old_redirects_are_read_alike,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_field_beyond_the_header_has_no_bytes, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(load_orders_repeat_each_for_itself, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(wide_names_of_ue4_begin_at_even_places, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(names_are_odd_each_for_itself, set_up, tear_down),
		cmocka_unit_test_setup_teardown(rows_are_limited, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_chunk_is_never_longer_than_32_bits_say, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(work_ends_at_each_step, set_up, tear_down),
		cmocka_unit_test_setup_teardown(memory_ends_at_each_step, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
