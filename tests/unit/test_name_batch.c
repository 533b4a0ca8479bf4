/* Batches of names, as bytes: where each name lies, what is the matter with it, and the paths that
 * names make. */
#include "unit.h"

#include "codec/cityhash.h"
#include "formats/iostore/names/object_path.h"

enum { ROOM = 1 << 16 };

struct state {
	struct fault_memory memory;
	struct arena arena;
	uint8_t bytes[ROOM], hashes[ROOM];
	size_t n, n_hashes;
	struct name_batch b;
};

static int set_up(void **state)
{
	static struct state s;

	memset(&s, 0, sizeof s);
	s.arena = unit_arena(&s.memory, UNIT_PLENTY);
	*state = &s;
	return 0;
}

static int tear_down(void **state)
{
	struct state *s = *state;

	arena_free(&s->arena);
	return 0;
}

static void put(uint8_t *bytes, size_t *n, unsigned width, uint64_t v)
{
	for (; width > 0; width--, v >>= 8)
		bytes[(*n)++] = (uint8_t)v;
}

static uint64_t units_of(const char *name, bool wide)
{
	return wide ? strlen(name) / 2 : strlen(name);
}

static void put_head(struct state *s, const char *name, bool wide)
{
	const uint64_t head = units_of(name, wide) | (wide ? 0x8000u : 0u);

	put(s->bytes, &s->n, 1, head >> 8);
	put(s->bytes, &s->n, 1, head);
}

static void put_text(struct state *s, const char *text)
{
	memcpy(s->bytes + s->n, text, strlen(text));
	s->n += strlen(text);
}

static uint64_t hash_of(const char *name, bool wide)
{
	return name_hash_slowly((struct held){ (const uint8_t *)name, strlen(name) }, wide);
}

/* A batch of UE5 of names with characters of one byte. */
static void separated(struct state *s, const char *const *names, size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += strlen(names[i]);
	put(s->bytes, &s->n, 4, n);
	put(s->bytes, &s->n, 4, sum);
	put(s->bytes, &s->n, 8, NAME_ALGORITHM);
	for (size_t i = 0; i < n; i++)
		put(s->bytes, &s->n, 8, hash_of(names[i], false));
	for (size_t i = 0; i < n; i++)
		put_head(s, names[i], false);
	for (size_t i = 0; i < n; i++)
		put_text(s, names[i]);
}

static struct held held(const struct state *s)
{
	return (struct held){ s->bytes, s->n };
}

/* ---- Where names lie ------------------------------------------------------------------------- */

static void a_batch_of_ue5_may_begin_anywhere(void **state)
{
	static const char *const names[] = { "/Script/Foo", "Actor", "None" };
	struct state *s = *state;
	struct name_row row;

	s->n = 5;
	separated(s, names, 3);
	put(s->bytes, &s->n, 4, 99);
	assert_true(names_find(&s->b, held(s), 5));
	assert_int_equal(s->b.end, s->n - 4);
	assert_true(names_read(&s->b, &s->arena, true));
	assert_true(s->b.is_there && s->b.n == 3 && s->b.seen == 0 && s->b.defects == 0);
	for (uint64_t i = 0; i < 3; i++) {
		names_row(&s->b, i, &row);
		assert_true(row.batch == &s->b && row.index == i && !row.wide);
		assert_int_equal(name_bytes(&row).len, strlen(names[i]));
		assert_memory_equal(name_bytes(&row).bytes, names[i], strlen(names[i]));
		assert_true(row.hash == hash_of(names[i], false));
	}
	assert_true(names_have(&s->b, NAME_OF_GLOBAL, 2u << 30 | 2));
	assert_false(names_have(&s->b, NAME_OF_GLOBAL, 2u << 30 | 3));
	assert_false(names_have(&s->b, NAME_OF_GLOBAL, 2));
	assert_false(names_have(&s->b, NAME_OF_PACKAGE, 3u << 30));
}

static void a_batch_that_is_cut_anywhere_is_outside(void **state)
{
	static const char *const names[] = { "/Script/Foo", "Actor" };
	struct state *s = *state;

	separated(s, names, 2);
	for (size_t n = 0; n < s->n; n++) {
		assert_false(names_find(&s->b, (struct held){ s->bytes, n }, 0));
		assert_int_equal(s->b.defects & BATCH_OUTSIDE, BATCH_OUTSIDE);
		assert_int_equal(s->b.cut_left, n - s->b.cut_at);
		assert_true(s->b.cut_wants > s->b.cut_left);
		assert_false(names_are_read(&s->b));
	}
	s->n = 0;
	put(s->bytes, &s->n, 4, 0);
	assert_true(names_find(&s->b, held(s), 0) && names_read(&s->b, &s->arena, true));
	assert_true(s->b.n == 0 && s->b.end == 4 && names_are_read(&s->b));
}

static void names_of_ue4_end_where_their_bytes_do(void **state)
{
	struct state *s = *state;
	struct name_row row;
	size_t end;

	put_head(s, "abc", false);
	put_text(s, "abc");
	put_head(s, "\x2D\x4E", true);
	put(s->bytes, &s->n, 1, 0);
	put_text(s, "\x2D\x4E");
	end = s->n;
	put(s->hashes, &s->n_hashes, 8, NAME_ALGORITHM);
	put(s->hashes, &s->n_hashes, 8, hash_of("abc", false));
	for (size_t n = 0; n <= end; n++) {
		const bool whole = n == 0 || n == 5 || n == end;

		assert_int_equal(names_find_interleaved(&s->b, held(s), (struct span){ 0, n },
							(struct held){ s->hashes, 16 }, 0),
				 whole);
		assert_int_equal((s->b.defects & BATCH_OVERRUN) == 0, whole);
	}
	assert_int_equal(s->b.defects, BATCH_HASHES);
	assert_true(names_read(&s->b, &s->arena, true));
	names_row(&s->b, 1, &row);
	assert_true(row.wide && row.at == 8 && row.n_units == 1 && row.traits == 0);
	names_row(&s->b, 0, &row);
	assert_true(row.at == 2 && row.hash == hash_of("abc", false));
}

static void memory_that_ends_leaves_no_names(void **state)
{
	static const char *const names[] = { "Same", "Same", "Other" };
	struct state *s = *state;
	bool done = false;

	separated(s, names, 3);
	for (uint64_t i = 1; !done; i++) {
		arena_free(&s->arena);
		s->arena = unit_arena(&s->memory, UNIT_PLENTY);
		s->arena.chunk_len = 64;
		s->memory.fail_at = i;
		assert_true(names_find(&s->b, held(s), 0));
		done = names_read(&s->b, &s->arena, true);
		assert_int_equal(names_are_read(&s->b), done);
	}
	assert_int_equal(s->b.traits[1], NAME_REPEATED);
}

/* ---- What is the matter with them ------------------------------------------------------------ */

/* Each length, with something at each place of it: the fast way says what the slow one does. */
static void the_fast_way_overlooks_nothing(void **state)
{
	static const struct {
		char c;
		uint32_t traits;
	} odd[] = { { 'z', 0 },
		    { 'Z', 0 },
		    { '\x7F', 0 },
		    { '\0', NAME_BROKEN },
		    { '\x80', NAME_ENCODING },
		    { '\xFF', NAME_ENCODING } };
	struct state *s = *state;

	for (size_t n = 1; n <= 40; n++)
		for (size_t at = 0; at < n; at++)
			for (size_t k = 0; k < LENGTH(odd); k++) {
				char text[41] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ@[`{abcdefghij";
				struct held name = { (const uint8_t *)text, n };

				text[at] = odd[k].c;
				s->n = 0;
				put(s->bytes, &s->n, 4, 1);
				put(s->bytes, &s->n, 4, n);
				put(s->bytes, &s->n, 8, NAME_ALGORITHM);
				put(s->bytes, &s->n, 8, name_hash_slowly(name, false));
				put(s->bytes, &s->n, 2, n << 8);
				memcpy(s->bytes + s->n, text, n);
				s->n += n;
				assert_true(names_find(&s->b, held(s), 0));
				assert_true(names_read(&s->b, &s->arena, false));
				assert_int_equal(s->b.seen, odd[k].traits);
				assert_true(name_hash(name, false) ==
					    name_hash_slowly(name, false));
				s->bytes[16] ^= 1;
				assert_true(names_read(&s->b, &s->arena, false));
				assert_int_equal(s->b.seen & NAME_HASH,
						 odd[k].traits == NAME_ENCODING ? 0 : NAME_HASH);
			}
}

/* Every length, in either width, of letters, of what lies beside them, and of bytes that make a
 * wide letter another one. */
static void hashes_are_the_same_in_either_way(void **state)
{
	static const uint8_t near[] = { 'A', 'Z', '@', '[', 'a', 'z', 0, 0, 0x41, 0xC1, 0xFF };
	uint8_t bytes[2 * ZEN_NAME_MAX];
	uint64_t seed = 3;

	(void)state;
	for (size_t n = 0; n <= ZEN_NAME_MAX; n++) {
		const struct held narrow = { bytes, n }, wide = { bytes, 2 * n };

		for (size_t i = 0; i < 2 * n; i++)
			bytes[i] = near[unit_random(&seed) % sizeof near];
		assert_true(name_hash(narrow, false) == name_hash_slowly(narrow, false));
		assert_true(name_hash(wide, true) == name_hash_slowly(wide, true));
	}
}

static void numbers_have_room_however_large_they_are(void **state)
{
	static const struct {
		uint64_t number;
		const char *text;
	} cases[] = {
		{ 0, "" },
		{ 1, "_0" },
		{ 11, "_10" },
		{ UINT32_MAX, "_4294967294" },
	};
	uint8_t out[NAME_NUMBER_MAX + 1] = { 0 };

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		assert_int_equal(name_put_number(cases[i].number, out), strlen(cases[i].text));
		assert_memory_equal(out, cases[i].text, strlen(cases[i].text));
	}
	/* no file has a larger one: it is cut */
	assert_int_equal(name_put_number(UINT64_MAX, out), NAME_NUMBER_MAX);
	assert_int_equal(out[NAME_NUMBER_MAX], 0);
}

static void duplicates_are_looked_for_if_asked(void **state)
{
	static const char *const names[] = { "A", "B", "A", "a" };
	struct state *s = *state;

	separated(s, names, 4);
	assert_true(names_find(&s->b, held(s), 0) && names_read(&s->b, &s->arena, false));
	assert_int_equal(s->b.seen, 0);
	assert_true(names_find(&s->b, held(s), 0) && names_read(&s->b, &s->arena, true));
	assert_true(s->b.traits[2] == NAME_REPEATED && s->b.traits[3] == 0 && s->b.traits[0] == 0);
}

static void a_hash_of_another_algorithm_is_not_compared(void **state)
{
	static const char *const names[] = { "A" };
	struct state *s = *state;

	separated(s, names, 1);
	s->bytes[8]++;
	s->bytes[16]++;
	assert_true(names_find(&s->b, held(s), 0) && names_read(&s->b, &s->arena, true));
	assert_true(s->b.seen == 0 && s->b.defects == BATCH_ALGORITHM);
}

/* ---- Paths ----------------------------------------------------------------------------------- */

static uint64_t latin_hash(const char *text)
{
	return cityhash64_wide((const uint8_t *)text, strlen(text));
}

static void paths_are_made_from_their_end(void **state)
{
	static const char *const names[] = { "/Script/Foo", "Actor", "Made.By:Me", "\xE9" };
	struct state *s = *state;
	struct object_path p;
	uint64_t id;

	separated(s, names, 4);
	assert_true(names_find(&s->b, held(s), 0) && names_read(&s->b, &s->arena, true));
	object_path_start(&p);
	assert_true(object_path_add(&p, &s->b, 2, 12, true));
	assert_true(object_path_hash(&p) == latin_hash("made/by/me_11"));
	assert_true(object_path_add(&p, &s->b, 1, 0, true));
	assert_true(object_path_add(&p, &s->b, 0, 1, true));
	assert_true(object_path_hash(&p) == latin_hash("/script/foo_0/actor/made/by/me_11"));
	object_path_start(&p);
	assert_true(object_path_add(&p, &s->b, 2, 0, false));
	assert_true(object_path_hash(&p) == latin_hash("made.by:me"));
	assert_false(object_path_add(&p, &s->b, 3, 0, false));
	assert_false(object_path_add(&p, &s->b, 1, 0, false));
	assert_true(names_package_id(&s->b, 0, UINT32_MAX, &id));
	assert_true(id == latin_hash("/script/foo_4294967294"));
	assert_false(names_package_id(&s->b, 3, 0, &id));
}

/* Each name but the first makes a path longer, empty ones too: it is full after so many. */
static void a_path_is_full_at_its_length(void **state)
{
	static const char *const names[] = { "", "aaaaaaa" };
	struct state *s = *state;
	struct object_path p;
	unsigned n = 0;

	separated(s, names, 2);
	assert_true(names_find(&s->b, held(s), 0) && names_read(&s->b, &s->arena, true));
	object_path_start(&p);
	while (object_path_add(&p, &s->b, 0, 0, true))
		n++;
	assert_int_equal(n, OBJECT_PATH_MAX + 1);
	assert_true(p.is_unknown);
	object_path_start(&p);
	assert_true(object_path_add(&p, &s->b, 0, 0, true));
	for (n = 0; object_path_add(&p, &s->b, 1, 0, true); n++)
		;
	assert_int_equal(n, OBJECT_PATH_MAX / 8);
}

static void indexes_of_objects_say_what_they_are(void **state)
{
	(void)state;
	assert_true(object_kind(OBJECT_IS_NULL) == OBJECT_NULL && object_kind(5) == OBJECT_EXPORT);
	assert_true(object_index(OBJECT_SCRIPT, UINT64_MAX) == 0x7FFFFFFFFFFFFFFF);
	assert_true(object_kind(object_index(OBJECT_PACKAGE, 7)) == OBJECT_PACKAGE);
	assert_true(object_value(object_index(OBJECT_PACKAGE, 7)) == 7);
}

#define WITH_STATE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_STATE(a_batch_of_ue5_may_begin_anywhere),
		WITH_STATE(a_batch_that_is_cut_anywhere_is_outside),
		WITH_STATE(names_of_ue4_end_where_their_bytes_do),
		WITH_STATE(memory_that_ends_leaves_no_names),
		WITH_STATE(the_fast_way_overlooks_nothing),
		WITH_STATE(hashes_are_the_same_in_either_way),
		WITH_STATE(numbers_have_room_however_large_they_are),
		WITH_STATE(duplicates_are_looked_for_if_asked),
		WITH_STATE(a_hash_of_another_algorithm_is_not_compared),
		WITH_STATE(paths_are_made_from_their_end),
		WITH_STATE(a_path_is_full_at_its_length),
		WITH_STATE(indexes_of_objects_say_what_they_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
