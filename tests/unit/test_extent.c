/* Tests of how far a .ucas reaches by its container's tables, of whether blocks begin as their
 * method's streams do, of which bytes differ, and of what is like a container's .pak. */
#include "box.h"

#include "core/container_parts.h"
#include "formats/iostore/content/parts.h"
#include "formats/iostore/extent.h"

enum { UCAS = 1 }; /* the number of the companion */

static struct extent extent_of(const struct utoc *u)
{
	struct extent e = { .needs = 0 };

	utoc_extent(u, &decoder, UCAS, &e);
	return e;
}

/* ---- How blocks begin ------------------------------------------------------------------------ */

/* How many of all blocks do not begin as streams of the method do, where each begins like that. */
static uint64_t n_unlike(const char *method, const uint8_t begin[4])
{
	struct extent e;

	name_method(method);
	for (size_t i = 0; i < box.n_blocks; i++)
		memcpy(box.ucas + i * BLOCK, begin, 4);
	e = extent_of(decode_with(&thread_pool_single));
	assert_true(e.n_places > 0 && (e.n_unlike == 0 || e.n_unlike == e.n_places));
	leave();
	return e.n_unlike;
}

static void streams_of_oodle_name_their_codec(void **state)
{
	(void)state;
	for (unsigned codec = 0; codec < 256; codec++) {
		const unsigned c = codec & 0x7F; /* the upper bit says that there is a checksum */
		const bool is_one = c == 5 || c == 6 || c == 10 || c == 11 || c == 12;

		assert_int_equal(n_unlike("Oodle", (uint8_t[]){ 0x8C, (uint8_t)codec, 1, 2 }) == 0,
				 is_one);
	}
	assert_int_equal(n_unlike("Oodle", (uint8_t[]){ 0xCC, 6, 1, 2 }), 0);
	assert_true(n_unlike("Oodle", (uint8_t[]){ 0x8D, 6, 1, 2 }) > 0);
}

static void streams_of_zstd_begin_with_four_bytes(void **state)
{
	uint8_t magic[] = { 0x28, 0xB5, 0x2F, 0xFD };

	(void)state;
	assert_int_equal(n_unlike("Zstd", magic), 0);
	for (size_t i = 0; i < sizeof magic; i++) {
		magic[i] ^= 1;
		assert_true(n_unlike("Zstd", magic) > 0);
		magic[i] ^= 1;
	}
}

/* Fewer stored bytes than are looked at have no beginning. */
static void short_blocks_are_not_looked_at(void **state)
{
	struct extent e;

	(void)state;
	name_method("Oodle");
	for (size_t i = 0; i < box.n_blocks; i++)
		box.toc[blocks_at() + i * 12 + 5] = 3;
	e = extent_of(decode_with(&thread_pool_single));
	assert_int_equal(e.n_places, 0);
	leave();
	box.toc[blocks_at() + 5] = 4;
	e = extent_of(decode_with(&thread_pool_single));
	assert_int_equal(e.n_places, 1);
}

/* ---- Ends ------------------------------------------------------------------------------------ */

/* Records that name a place far behind the end are damaged, if they are few of many. */
static void a_few_damaged_records_say_nothing_of_the_end(void **state)
{
	enum { OF = 64, APART = 30 };
	const size_t few = box.n_blocks / (OF + 1);
	struct extent e;

	(void)state;
	assert_true(few > 1 && (few + 1) * APART < box.n_blocks);
	for (size_t n = 1; n <= few + 1; n++) {
		put(box.toc + blocks_at() + n * APART * 12, 1 << 30, 5);
		e = extent_of(decode_with(&thread_pool_single));
		assert_false(e.is_agreed);
		assert_int_equal(e.is_end, n > few);
		leave();
	}
}

/* ---- What differs ---------------------------------------------------------------------------- */

/* The first chunk of three blocks. */
static size_t long_chunk(void)
{
	size_t i = 0;

	while (box.length[i] != 3 * BLOCK)
		i++;
	return i;
}

static void the_bytes_of_a_chunk_that_differs_are_told(void **state)
{
	const size_t chunk = long_chunk();
	const struct utoc *u;
	struct span span;
	uint64_t at = 0;

	(void)state;
	unit_needs(sha1_is_available(), "nettle");
	box.toc[metas_at() + chunk * META] ^= 1;
	u = decode_with(&thread_pool_single);
	assert_true(utoc_next_changed(u, &decoder, UCAS, &at, &span));
	assert_int_equal(span.at, box.first[chunk] * BLOCK);
	assert_int_equal(span.len, 3 * BLOCK);
	assert_false(utoc_next_changed(u, &decoder, UCAS, &at, &span));
	at = 0; /* another file has none of it */
	assert_false(utoc_next_changed(u, &decoder, UCAS + 1, &at, &span));
}

/* Where the last block of a chunk lies before the first, only the first is told. */
static void blocks_need_not_follow_one_another(void **state)
{
	const size_t chunk = long_chunk(), first = (size_t)box.first[chunk];
	const struct utoc *u;
	struct span span;
	uint64_t at = 0;

	(void)state;
	unit_needs(sha1_is_available(), "nettle");
	for (size_t i = 0; i < 3; i++)
		put(box.toc + blocks_at() + (first + i) * 12, (first + 2 - i) * BLOCK, 5);
	u = decode_with(&thread_pool_single);
	assert_true(utoc_next_changed(u, &decoder, UCAS, &at, &span));
	assert_int_equal(span.at, (first + 2) * BLOCK);
	assert_int_equal(span.len, BLOCK);
}

/* ---- A file that may be the .pak ------------------------------------------------------------- */

/* The index of a .pak of version 3, of whose other bytes nothing is asked. */
static struct {
	uint8_t bytes[10000];
	size_t n;
	struct fault_input input;
} pak;

static enum likeness likeness_of(const char *name)
{
	struct source s;

	pak.input.bytes = pak.bytes;
	pak.input.size = pak.n;
	source_init(&s,
		    (struct source_io){
			    .read_at = fault_source_read, .ctx = &pak.input, .size = pak.n },
		    name, &arena, 4096);
	return utoc_format.likeness(&s, name);
}

static void make_pak(uint64_t index_at, uint64_t index_len, size_t magic_at)
{
	memset(&pak, 0, sizeof pak);
	put(pak.bytes + magic_at, 0x5A6F12E1, 4);
	put(pak.bytes + magic_at + 4, 3, 4);
	put(pak.bytes + magic_at + 8, index_at, 8);
	put(pak.bytes + magic_at + 16, index_len, 8);
	pak.n = magic_at + 44;
}

static void the_pak_of_a_container_is_told_from_others(void **state)
{
	(void)state;
	make_pak(0, 100, 100);
	assert_int_equal(likeness_of("Mod_P" PART_PAK), LIKE_COMPANION);
	assert_int_equal(likeness_of("Mod_P" PART_DATA), LIKE_KIND);
	make_pak(4096, 100, 9000);
	assert_int_equal(likeness_of("Mod_P" PART_PAK), LIKE_COMPANION);
	make_pak(4097, 100, 9000); /* it has files of its own */
	assert_int_equal(likeness_of("Mod_P" PART_PAK), LIKE_KIND);
	make_pak(1, 100, 100); /* the index does not lie before the footer */
	assert_int_equal(likeness_of("Mod_P" PART_PAK), LIKE_NOTHING);
	make_pak(0, 101, 100);
	assert_int_equal(likeness_of("Mod_P" PART_PAK), LIKE_NOTHING);
	make_pak(0, 100, 100);
	pak.bytes[100] ^= 1; /* no footer */
	assert_int_equal(likeness_of("Mod_P" PART_PAK), LIKE_NOTHING);
}

static void a_pak_that_cannot_be_read_is_like_nothing(void **state)
{
	(void)state;
	make_pak(0, 100, 100);
	pak.input.fault_at = 1;
	pak.input.fault = FAULT_FAILS;
	pak.input.forever = true;
	assert_int_equal(likeness_of("Mod_P" PART_PAK), LIKE_NOTHING);
}

#define WITH_BOX(test) cmocka_unit_test_setup_teardown(test, begin_box, end_box)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_BOX(streams_of_oodle_name_their_codec),
		WITH_BOX(streams_of_zstd_begin_with_four_bytes),
		WITH_BOX(short_blocks_are_not_looked_at),
		WITH_BOX(a_few_damaged_records_say_nothing_of_the_end),
		WITH_BOX(the_bytes_of_a_chunk_that_differs_are_told),
		WITH_BOX(blocks_need_not_follow_one_another),
		WITH_BOX(the_pak_of_a_container_is_told_from_others),
		WITH_BOX(a_pak_that_cannot_be_read_is_like_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
