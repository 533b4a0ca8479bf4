/* Tests of the keys that were given for encrypted blocks: which one is taken, what is said where
 * none may be, and which one opens an index. */
#include "codec/aes.h"
#include "engine_state.h"
#include "formats/blocks/key_ring.h"

enum { GROUP = 3 };

static const uint8_t guid[KEY_GUID_LEN] = { 7 };

static uint8_t stored[48];
static struct source source;
static struct arena arena;
static struct keys keys;
static struct decode d;

static int begin_keys(void **state)
{
	begin(state);
	for (unsigned i = 0; i < sizeof stored; i++)
		stored[i] = (uint8_t)(i * 7);
	arena_init(&arena, engine.allocator, UNIT_PLENTY);
	source_init_memory(&source, stored, sizeof stored, "a", &arena);
	keys = (struct keys){ .n = 0 };
	d = engine_decode(&engine, &source, &arena, NULL);
	d.keys = &keys;
	return 0;
}

static int end_keys(void **state)
{
	arena_free(&arena);
	return end(state);
}

static void add_key(bool for_any, uint8_t first_of_guid, uint8_t first)
{
	keys.of[keys.n++] = (struct key){ .for_any = for_any,
					  .guid = { first_of_guid },
					  .bytes = { first } };
}

/* What is known of keys by their first byte, and the order in which they were tried. */
struct judged {
	enum key_fit fits[8];
	uint8_t tried[8];
	unsigned n;
};

static enum key_fit judge(void *ctx, const struct key *key)
{
	struct judged *j = ctx;

	j->tried[j->n++] = key->bytes[0];
	return j->fits[key->bytes[0]];
}

static void the_best_key_is_found(void **state)
{
	static const struct {
		enum key_fit fits[4], found;
		uint8_t n_tried, best;
	} cases[] = {
		{ { KEY_UNCONFIRMED, KEY_WRONG, KEY_UNCONFIRMED }, KEY_WRONG, 3, UINT8_MAX },
		{ { KEY_UNCONFIRMED, KEY_UNTOLD, KEY_WRONG }, KEY_UNTOLD, 3, UINT8_MAX },
		{ { KEY_OPENS_INDEX, KEY_UNTOLD, KEY_WRONG }, KEY_OPENS_INDEX, 3, 0 },
		{ { KEY_OPENS_INDEX, KEY_OPENS_INDEX, KEY_FITS }, KEY_FITS, 3, 2 },
		{ { KEY_WRONG, KEY_FITS, KEY_FITS }, KEY_FITS, 2, 1 },
		{ { KEY_OPENS_INDEX, KEY_UNASKED, KEY_FITS }, KEY_UNASKED, 2, UINT8_MAX },
	};
	const struct key *best;

	(void)state;
	add_key(true, 0, 2);
	add_key(false, guid[0], 0);
	add_key(false, 99, 3);
	add_key(false, guid[0], 1);
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct judged j = { .n = 0 };

		memcpy(j.fits, cases[i].fits, sizeof cases[i].fits);
		assert_int_equal(key_ring_find(&keys, guid, judge, &j, &best), cases[i].found);
		assert_int_equal(j.n, cases[i].n_tried);
		for (unsigned k = 0; k < j.n; k++)
			assert_int_equal(j.tried[k], k);
		assert_int_equal(best ? best->bytes[0] : UINT8_MAX, cases[i].best);
	}
}

static void without_keys_there_is_none(void **state)
{
	struct judged j = { .n = 0 };
	const struct key *best;

	(void)state;
	add_key(false, 99, 3);
	assert_false(key_ring_has(&keys, guid));
	assert_int_equal(key_ring_find(&keys, guid, judge, &j, &best), KEY_NONE);
	assert_true(j.n == 0 && !best);
	add_key(true, 0, 1);
	assert_true(key_ring_has(&keys, guid));
}

static void a_key_that_may_not_be_used_is_told(void **state)
{
	static const struct {
		enum key_fit fit;
		enum stop_why why;
		const char *what;
	} cases[] = {
		{ KEY_NONE, STOP_KEY, "no key was given for these bytes" },
		{ KEY_WRONG, STOP_KEY, "no key that was given fits" },
		{ KEY_UNCONFIRMED, STOP_KEY, "nothing confirms the key that was given" },
		{ KEY_UNTOLD, STOP_CODEC, "BLAKE3" },
	};

	(void)state;
	for (uint32_t i = 0; i < LENGTH(cases); i++) {
		assert_false(key_ring_stop(&d, i, cases[i].fit, "BLAKE3", 12));
		assert_int_equal(d.groups[i].why, cases[i].why);
		assert_string_equal(d.lacks[i].what, cases[i].what);
		assert_int_equal(d.lacks[i].bytes, 12);
	}
}

static bool begins_with(const void *wanted, struct held bytes)
{
	return memcmp(bytes.bytes, wanted, 16) == 0;
}

/* Of three keys one makes an index of the bytes. */
static void an_index_is_opened_by_the_key_that_makes_it_one(void **state)
{
	struct key_ring_index x = { .stored = { stored, 40 }, .parses = begins_with };
	const struct key *fitting;
	uint8_t wanted[48];
	struct aes aes;

	(void)state;
	unit_needs(aes_is_available(), "nettle");
	for (uint8_t i = 0; i < 3; i++)
		add_key(true, 0, i);
	for (x.cipher = BLOCK_ECB; x.cipher <= BLOCK_CTR; x.cipher++) {
		const uint8_t *bytes;

		memcpy(wanted, stored, sizeof wanted);
		x.vector[3] = 5;
		if (x.cipher == BLOCK_CTR) {
			aes_for_ctr(&aes, keys.of[1].bytes);
			aes_ctr(&aes, (const uint8_t[AES_BLOCK_LEN]){ 0, 0, 0, 5 }, wanted, 40);
		} else {
			aes_for_ecb(&aes, keys.of[1].bytes);
			aes_ecb(&aes, wanted, 32);
		}
		x.ctx = wanted;
		bytes = key_ring_open_index(&d, GROUP, guid, &x, &fitting);
		assert_non_null(bytes);
		assert_memory_equal(bytes, wanted, 40);
		assert_ptr_equal(fitting, &keys.of[1]);
		wanted[0] ^= 1;
		assert_null(key_ring_open_index(&d, GROUP, guid, &x, &fitting));
		assert_true(decode_has(&d, GROUP));
	}
	d.work.max = d.work.done + 2;
	assert_null(key_ring_open_index(&d, GROUP, guid, &x, &fitting));
	assert_int_equal(d.groups[GROUP].why, STOP_LIMIT);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, begin_keys, end_keys)
	const struct CMUnitTest tests[] = {
		T(the_best_key_is_found),
		T(without_keys_there_is_none),
		T(a_key_that_may_not_be_used_is_told),
		T(an_index_is_opened_by_the_key_that_makes_it_one),
	};
#undef T

	return cmocka_run_group_tests(tests, NULL, NULL);
}
