/* Tests of zen packages as a container decodes them: what it claims of them is held against them,
 * nothing is judged without a claim, and memory that ends is told. */
#include "build.h"
#include "formats/iostore/names/hash.h"
#include "formats/iostore/zen_package/zen.h"
#include "unit.h"

enum { SUMMARY_AT_HEADER = 4, NAMES = 3, EXPORTS = 2, EXPORT_SIZE = 16, COOKED = 100 };

#define SCRIPT_ID (UINT64_C(1) << 62 | 5)
#define PACKAGE_IMPORT (UINT64_C(2) << 62)

/* Where the sections of a built package begin. */
struct places {
	size_t hashes, imports, exports, entries, graph, heads, dependencies, packages;
};

static struct build built;
static struct places places;
static struct fault_memory memory;
static struct arena arena;
static struct zen zen;
static struct package_claims claims;
static const struct script_objects *scripts;
static uint64_t most_rows;
static unsigned n_needed; /* dependencies: exports, the last one first */

/* ---- Packages -------------------------------------------------------------------------------- */

static const char *const own_names[NAMES] = { "/Game/A", "B", "C" };

static void put_hash(const char *name)
{
	put_uint(&built, name_hash((struct held){ (const uint8_t *)name, strlen(name) }, false), 8);
}

static void put_head(const char *name)
{
	put_uint(&built, 0, 1);
	put_uint(&built, strlen(name), 1);
}

static void put_batch(const char *const *names, unsigned n)
{
	size_t len = 0;

	for (unsigned i = 0; i < n; i++)
		len += strlen(names[i]);
	put_uint(&built, n, 4);
	put_uint(&built, len, 4);
	put_uint(&built, 0xC1640000, 8);
	for (unsigned i = 0; i < n; i++)
		put_hash(names[i]);
	for (unsigned i = 0; i < n; i++)
		put_head(names[i]);
	for (unsigned i = 0; i < n; i++)
		put_bytes(&built, names[i], strlen(names[i]));
}

static void put_export(unsigned i, uint64_t first, uint64_t hash)
{
	put_uint(&built, first + (uint64_t)i * EXPORT_SIZE, 8);
	put_uint(&built, EXPORT_SIZE, 8);
	put_uint(&built, i + 1, 8);
	put_uint(&built, UINT64_MAX, 8);
	put_uint(&built, SCRIPT_ID, 8);
	put_uint(&built, UINT64_MAX, 8);
	put_uint(&built, SCRIPT_ID, 8);
	put_uint(&built, hash, 8);
	put_uint(&built, 0, 8);
}

static void put_entries(void)
{
	for (unsigned i = 0; i < EXPORTS * 2; i++) {
		put_uint(&built, i / 2, 4);
		put_uint(&built, i % 2, 4);
	}
}

/* What stands between the names and the graph. */
static void put_tables(uint64_t first)
{
	places.hashes = built.n;
	put_uint(&built, 77, 8);
	places.imports = built.n;
	put_uint(&built, PACKAGE_IMPORT, 8);
	put_uint(&built, SCRIPT_ID, 8);
	places.exports = built.n;
	for (unsigned i = 0; i < EXPORTS; i++)
		put_export(i, first, 0);
	places.entries = built.n;
	put_entries();
}

static void set_places(const size_t *at, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		set_u32(&built, 24 + 4 * (size_t)i, (uint32_t)at[i]);
	set_u32(&built, SUMMARY_AT_HEADER, (uint32_t)built.n);
}

static void put_fields(size_t len)
{
	built = (struct build){ .n = 0 };
	for (size_t i = 0; i < len; i += 4)
		put_uint(&built, 0, 4);
	set_u32(&built, 16, ZEN_FLAG_COOKED | ZEN_FLAG_NO_EDITOR_DATA);
	set_u32(&built, 20, COOKED);
}

static void put_summary(size_t len)
{
	put_fields(len);
	put_batch(own_names, NAMES);
}

/* Names, their hashes, and what stands between these and the graph. */
static void put_old_tables(void)
{
	for (unsigned i = 0; i < NAMES; i++) {
		put_head(own_names[i]);
		put_bytes(&built, own_names[i], strlen(own_names[i]));
	}
	set_u32(&built, 28, (uint32_t)built.n - 64);
	while (built.n % 8 != 0)
		put_uint(&built, 0, 1);
	places.hashes = built.n;
	put_uint(&built, 0xC1640000, 8);
	for (unsigned i = 0; i < NAMES; i++)
		put_hash(own_names[i]);
	places.imports = built.n;
	put_uint(&built, SCRIPT_ID, 8);
	places.exports = built.n;
	for (unsigned i = 0; i < EXPORTS; i++)
		put_export(i, COOKED, UINT64_MAX);
	places.entries = built.n;
	put_uint(&built, 0, 4);
	put_uint(&built, EXPORTS * 2, 4);
	put_entries();
}

/* A package of 4.27 that waits for two others. */
static void build_initial(void)
{
	put_fields(64);
	put_old_tables();
	places.graph = built.n;
	put_uint(&built, 2, 4);
	for (unsigned i = 0; i < 2; i++) {
		put_uint(&built, 78 - i, 8);
		put_uint(&built, 0, 4);
	}
	set_u32(&built, 24, 64);
	set_u32(&built, 32, (uint32_t)places.hashes);
	set_u32(&built, 36, (uint32_t)(places.imports - places.hashes));
	set_u32(&built, 40, (uint32_t)places.imports);
	set_u32(&built, 44, (uint32_t)places.exports);
	set_u32(&built, 48, (uint32_t)places.entries);
	set_u32(&built, 52, (uint32_t)places.graph);
	set_u32(&built, 56, (uint32_t)(built.n - places.graph));
	for (unsigned i = 0; i < EXPORTS * EXPORT_SIZE; i++)
		put_uint(&built, i, 1);
}

static void end_counted(void)
{
	set_places((const size_t[]){ places.hashes, places.imports, places.exports, places.entries,
				     places.graph },
		   5);
	for (unsigned i = 0; i < EXPORTS * EXPORT_SIZE; i++)
		put_uint(&built, i, 1);
}

/* A package of 5.0 with a bundle for each entry, and n arcs: the first one waits for the third, and
 * n - 1 times for the second. */
enum { BUNDLES = EXPORTS * 2 };
static void build_falling(unsigned n)
{
	put_summary(44);
	put_tables(COOKED);
	places.graph = built.n;
	for (unsigned i = 0; i < BUNDLES; i++) {
		put_uint(&built, i / 2 * EXPORT_SIZE, 8);
		put_uint(&built, i, 4);
		put_uint(&built, 1, 4);
	}
	put_uint(&built, n, 4);
	for (unsigned i = 0; i < n; i++) {
		put_uint(&built, i == 0 ? 2 : 1, 4);
		put_uint(&built, 0, 4);
	}
	put_uint(&built, 0, 4);
	end_counted();
}

/* A package of 5.0: a bundle, no arcs in it, and one from the package that it imports. */
static void build_counted(void)
{
	put_summary(44);
	put_tables(COOKED);
	places.graph = built.n;
	put_uint(&built, 0, 8);
	put_uint(&built, 0, 4);
	put_uint(&built, EXPORTS * 2, 4);
	put_uint(&built, 0, 4);
	put_uint(&built, 1, 4);
	put_uint(&built, 0, 4);
	put_uint(&built, 1, 1);
	put_uint(&built, 0, 4);
	end_counted();
}

static void put_padding(void)
{
	const size_t pad = (8 - (built.n + 16) % 8) % 8;

	put_uint(&built, pad, 8);
	for (size_t i = 0; i < pad; i++)
		put_uint(&built, 0, 1);
}

/* A package of 5.4 or 5.3 with bulk data in a file: flags, size, and the number of the file. */
static void build_form(enum zen_version form, uint32_t flags, uint64_t size, unsigned file)
{
	static const char *const packages[] = { "/Game/D" };

	put_summary(52);
	if (form == ZEN_5_4)
		put_padding();
	put_uint(&built, 32, 8);
	put_uint(&built, 0, 8);
	put_uint(&built, UINT64_MAX, 8);
	put_uint(&built, size, 8);
	put_uint(&built, flags, 4);
	put_uint(&built, file, 4);
	put_tables(0);
	places.heads = built.n;
	for (unsigned i = 0; i < EXPORTS * 5; i++)
		put_uint(&built, 0, 4);
	places.dependencies = built.n;
	for (unsigned i = 0; i < n_needed; i++)
		put_uint(&built, EXPORTS - i, 4);
	places.packages = built.n;
	put_batch(packages, 1);
	put_uint(&built, 0, 4);
	set_places((const size_t[]){ places.hashes, places.imports, places.exports, places.entries,
				     places.heads, places.dependencies, places.packages },
		   7);
	for (unsigned i = 0; i < EXPORTS * EXPORT_SIZE; i++)
		put_uint(&built, i, 1);
	put_uint(&built, PACKAGE_TAG, 4);
}

static void build_named(uint32_t flags, uint64_t size, unsigned file)
{
	build_form(ZEN_5_4, flags, size, file);
}

/* What the container says of them, if all is well. */
static void claim(int version)
{
	static const char name[] = "/Game/A";

	claims = (struct package_claims){ .version = version,
					  .has_counts = version < 3,
					  .exports = EXPORTS,
					  .bundles = 1,
					  .has_imports = true,
					  .n_imports = 1,
					  .has_bulk = true,
					  .bulk = { CLAIMS_NO_CHUNK, CLAIMS_NO_CHUNK,
						    CLAIMS_NO_CHUNK } };
	assert_true(zen_id_of_name((struct held){ (const uint8_t *)name, sizeof name - 1 }, false,
				   0, &claims.id));
}

/* ---- Decoding -------------------------------------------------------------------------------- */

static struct held first_bytes(void)
{
	return (struct held){ built.bytes,
			      built.n < ZEN_SUMMARY_MOST ? built.n : ZEN_SUMMARY_MOST };
}

static bool read_with(const struct package_claims *c)
{
	const uint64_t len = zen_header_size(first_bytes(), built.n, c);
	const struct zen_input in = { .header = { built.bytes, len },
				      .length = built.n,
				      .tail = { built.bytes + built.n - 4, 4 },
				      .scripts = scripts,
				      .most_rows = most_rows };

	return zen_read(&zen, &arena, &in, c);
}

static int begin(void **state)
{
	(void)state;
	arena = unit_arena(&memory, UNIT_PLENTY);
	scripts = NULL;
	most_rows = UINT64_MAX;
	n_needed = 0;
	return 0;
}

static int end(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

static void sound_packages_are_plain(void **state)
{
	(void)state;
	build_counted();
	claim(1);
	assert_true(read_with(NULL) && zen_is_plain(&zen));
	assert_int_equal(zen.version, ZEN_5_0);
	assert_true(read_with(&claims) && zen_is_plain(&zen));
	assert_int_equal(zen.n_bundles, 1);
	assert_int_equal(zen.n_lists, 1);
	assert_true(zen_is_likely(first_bytes(), built.n, false));
	build_named(ZEN_BULK_IN_FILE, 10, 0);
	claim(4);
	claims.bulk[CLAIMS_BULK] = 10;
	assert_true(read_with(NULL) && zen_is_plain(&zen));
	assert_int_equal(zen.version, ZEN_5_4);
	assert_true(read_with(&claims) && zen_is_plain(&zen));
	assert_int_equal(zen.n_packages, 1);
	assert_true(zen_is_likely(first_bytes(), built.n, false));
}

/* The header of a package is as long as its first bytes say, and never longer than the package. */
static void the_length_of_a_header_is_known_beforehand(void **state)
{
	(void)state;
	build_counted();
	claim(1);
	assert_int_equal(zen_header_size(first_bytes(), built.n, &claims),
			 built.n - EXPORTS * EXPORT_SIZE);
	assert_int_equal(zen_header_size(first_bytes(), 70, &claims), 70);
	set_u32(&built, SUMMARY_AT_HEADER, 3);
	assert_int_equal(zen_header_size(first_bytes(), built.n, &claims), ZEN_SUMMARY_MOST);
	claim(0);
	set_u32(&built, 52, 100);
	set_u32(&built, 56, 20);
	assert_int_equal(zen_header_size(first_bytes(), built.n, &claims), 120);
}

/* The version of the container header decides; without one, whether the container is of UE4. */
static void the_container_says_which_form(void **state)
{
	static const struct {
		int version;
		bool is_ue4;
		enum zen_version is;
	} cases[] = {
		{ -1, true, ZEN_UE4 },
		{ 0, true, ZEN_UE4 },
		{ 1, false, ZEN_5_0 },
		{ 3, false, ZEN_5_4 },
		{ 5, false, ZEN_5_6 },
		{ 9, false, ZEN_5_6 },
		{ CLAIMS_NO_VERSION, true, ZEN_UE4 },
		{ CLAIMS_NO_VERSION, false, ZEN_5_4 },
	};

	(void)state;
	build_named(ZEN_BULK_IN_FILE, 10, 0);
	for (size_t i = 0; i < LENGTH(cases); i++) {
		claim(cases[i].version);
		claims.is_ue4 = cases[i].is_ue4;
		assert_true(read_with(&claims));
		assert_int_equal(zen.version, cases[i].is);
	}
}

/* 5.3 and 5.4 differ in the padding before the bulk data. A container of 5.3 has packages of either
 * form, a later one has none of 5.3. */
static void a_later_container_has_no_package_of_5_3(void **state)
{
	(void)state;
	build_form(ZEN_5_3, ZEN_BULK_IN_FILE, 10, 0);
	assert_true(read_with(NULL) && zen_is_plain(&zen));
	assert_int_equal(zen.version, ZEN_5_3);
	claim(3);
	claims.bulk[CLAIMS_BULK] = 10;
	assert_true(read_with(&claims) && zen_is_plain(&zen));
	assert_int_equal(zen.version, ZEN_5_3);
	claim(4);
	assert_true(read_with(&claims));
	assert_int_equal(zen.version, ZEN_5_4);
	assert_int_equal(zen.defects, ZEN_BULK_PAD); /* the size is taken for it */
}

/* ---- Claims ---------------------------------------------------------------------------------- */

static void another_id_is_told(void **state)
{
	(void)state;
	build_counted();
	claim(1);
	claims.id++;
	assert_true(read_with(&claims));
	assert_int_equal(zen.defects, ZEN_ID_DIFFERS);
	assert_int_equal(zen.package_id, claims.id - 1);
}

static void other_imports_are_told(void **state)
{
	(void)state;
	build_counted();
	claim(1);
	claims.n_imports = 2;
	assert_true(read_with(&claims));
	assert_int_equal(zen.defects, ZEN_LISTS_DIFFER);
	claims.n_imports = 0;
	assert_true(read_with(&claims));
	assert_int_equal(zen.defects, ZEN_LISTS_DIFFER);
	assert_int_equal(zen.import_traits, ZEN_IMPORT_PACKAGE_OUT);
	claims.has_imports = false;
	assert_true(read_with(&claims) && zen_is_plain(&zen));
}

static void script_objects_that_the_game_lacks_are_told(void **state)
{
	static const uint64_t ids[] = { SCRIPT_ID - 1, SCRIPT_ID, SCRIPT_ID + 1 };
	const struct script_objects whole = { ids, 3 }, less = { ids, 1 };

	(void)state;
	build_counted();
	scripts = &whole;
	assert_true(read_with(NULL) && zen_is_plain(&zen));
	scripts = &less;
	assert_true(read_with(NULL));
	assert_int_equal(zen.import_traits, ZEN_IMPORT_UNKNOWN);
	scripts = NULL;
}

/* Bundles that do not follow one another do not say how many they are; a store entry does. */
static void the_count_of_bundles_helps_where_they_are_damaged(void **state)
{
	(void)state;
	build_counted();
	set_u32(&built, places.graph + 8, 1);
	claim(1);
	assert_true(read_with(NULL));
	assert_int_equal(zen.defects, ZEN_GRAPH_END);
	assert_int_equal(zen.stops[ZEN_GRAPH].why, STOP_MALFORMED);
	assert_true(read_with(&claims));
	assert_int_equal(zen.defects, 0);
	assert_int_equal(zen.bundle_traits, ZEN_BUNDLE_OUT | ZEN_BUNDLE_NOT_NEXT);
	claims.bundles = 9;
	assert_true(read_with(&claims));
	assert_int_equal(zen.defects, ZEN_GRAPH_END);
	claims.has_counts = false;
	assert_true(read_with(&claims));
	assert_int_equal(zen.defects, ZEN_GRAPH_END);
}

static void bulk_data_is_held_against_its_files(void **state)
{
	static const struct {
		uint32_t flags;
		unsigned file, cooked_index;
		uint64_t size, has;
		uint64_t row, of_file;
	} cases[] = {
		{ ZEN_BULK_IN_FILE, CLAIMS_BULK, 0, 10, 10, 0, 0 },
		{ ZEN_BULK_IN_FILE, CLAIMS_BULK, 0, 10, 9, ZEN_BULK_PAST_FILE, 0 },
		{ ZEN_BULK_IN_FILE, CLAIMS_BULK, 0, 10, 11, 0, ZEN_BULK_UNUSED },
		{ ZEN_BULK_IN_FILE, CLAIMS_BULK, 0, 10, CLAIMS_NO_CHUNK, ZEN_BULK_NO_FILE, 0 },
		{ ZEN_BULK_IN_FILE, CLAIMS_BULK, 0, 0, CLAIMS_NO_CHUNK, 0, 0 },
		{ ZEN_BULK_IN_FILE, CLAIMS_BULK, 1, 10, CLAIMS_NO_CHUNK, 0, 0 },
		{ ZEN_BULK_IN_FILE | ZEN_BULK_MAPPED, CLAIMS_MAPPED_BULK, 0, 10, 9,
		  ZEN_BULK_PAST_FILE, 0 },
		{ ZEN_BULK_IN_FILE | ZEN_BULK_OPTIONAL, CLAIMS_OPTIONAL_BULK, 0, 10, 9,
		  ZEN_BULK_PAST_FILE, 0 },
		{ 0, CLAIMS_BULK, 0, EXPORTS * EXPORT_SIZE + 4, CLAIMS_NO_CHUNK, 0, 0 },
		{ 0, CLAIMS_BULK, 0, EXPORTS * EXPORT_SIZE + 5, CLAIMS_NO_CHUNK,
		  ZEN_BULK_PAST_PAYLOAD, 0 },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		build_named(cases[i].flags, cases[i].size, cases[i].cooked_index);
		claim(4);
		claims.bulk[cases[i].file] = cases[i].has;
		assert_true(read_with(&claims));
		assert_int_equal(zen.bulk_traits, cases[i].row);
		assert_int_equal(zen.defects, cases[i].of_file);
		claims.has_bulk = false;
		assert_true(read_with(&claims));
		assert_int_equal(zen.bulk_traits, cases[i].row & ZEN_BULK_PAST_PAYLOAD);
		assert_int_equal(zen.defects, 0);
	}
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Reads what was built with each request for memory refused. */
static void refuse_each_request(void)
{
	uint64_t asked = 1;
	bool whole = false;

	for (; !whole && asked < 100; asked++) {
		bool told = false;

		arena_free(&arena);
		arena = unit_arena(&memory, UNIT_PLENTY);
		arena.chunk_len = 1;
		memory.fail_at = asked;
		whole = read_with(&claims);
		for (uint32_t i = 0; i < zen_n_groups; i++)
			told |= zen.stops[i].why == STOP_MEMORY;
		assert_true(whole != told);
		assert_true(whole == zen_is_plain(&zen));
	}
	assert_true(whole && asked > 3);
}

static void memory_that_ends_is_told(void **state)
{
	(void)state;
	build_named(ZEN_BULK_IN_FILE, 10, 0);
	claim(4);
	claims.bulk[CLAIMS_BULK] = 10;
	refuse_each_request();
	build_initial();
	claim(0);
	refuse_each_request();
	assert_true(zen.has_packages && zen.n_packages == 2);
	assert_true(zen.packages[0] == 77 && zen.packages[1] == 78);
}

static void memory_that_ends_while_arcs_are_followed_is_told(void **state)
{
	(void)state;
	build_falling(2);
	claim(1);
	claims.bundles = BUNDLES;
	refuse_each_request();
	assert_int_equal(zen.n_bundles, BUNDLES);
}

/* The first export lies in the second, which its dependency has created before it. */
static void memory_that_ends_in_a_search_of_dependencies_is_told(void **state)
{
	(void)state;
	n_needed = EXPORTS;
	build_named(ZEN_BULK_IN_FILE, 10, 0);
	set_u32(&built, places.exports + 24, 1);
	set_u32(&built, places.exports + 28, 0);
	set_u32(&built, places.heads + 4, 1);
	claim(4);
	claims.bulk[CLAIMS_BULK] = 10;
	refuse_each_request();
}

static void arcs_are_followed_up_to_the_limit(void **state)
{
	(void)state;
	most_rows = BUNDLES;
	build_falling(BUNDLES);
	assert_true(read_with(NULL) && zen_is_plain(&zen));
	build_falling(BUNDLES + 1);
	assert_true(read_with(NULL));
	assert_int_equal(zen.stops[ZEN_GRAPH].why, STOP_LIMIT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(sound_packages_are_plain, begin, end),
		cmocka_unit_test_setup_teardown(the_length_of_a_header_is_known_beforehand, begin,
						end),
		cmocka_unit_test_setup_teardown(the_container_says_which_form, begin, end),
		cmocka_unit_test_setup_teardown(a_later_container_has_no_package_of_5_3, begin,
						end),
		cmocka_unit_test_setup_teardown(another_id_is_told, begin, end),
		cmocka_unit_test_setup_teardown(other_imports_are_told, begin, end),
		cmocka_unit_test_setup_teardown(script_objects_that_the_game_lacks_are_told, begin,
						end),
		cmocka_unit_test_setup_teardown(the_count_of_bundles_helps_where_they_are_damaged,
						begin, end),
		cmocka_unit_test_setup_teardown(bulk_data_is_held_against_its_files, begin, end),
		cmocka_unit_test_setup_teardown(memory_that_ends_is_told, begin, end),
		cmocka_unit_test_setup_teardown(memory_that_ends_while_arcs_are_followed_is_told,
						begin, end),
		cmocka_unit_test_setup_teardown(
			memory_that_ends_in_a_search_of_dependencies_is_told, begin, end),
		cmocka_unit_test_setup_teardown(arcs_are_followed_up_to_the_limit, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
