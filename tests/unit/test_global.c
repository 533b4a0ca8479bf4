/* Script objects, as bytes: chains and cycles of outers of any length, and memory that ends. */
#include "unit.h"

#include "codec/cityhash.h"
#include "formats/iostore/global/global.h"
#include "formats/iostore/names/object_path.h"
#include "formats/iostore/utoc.h"

enum { MANY = 100000, ROW = 32 };

struct state {
	struct fault_memory memory;
	struct arena arena;
	struct limits limits;
	struct source source;
	struct decode d;
	struct global g;
	uint8_t names[64], *rows;
	size_t n_names;
	uint32_t n;
};

static void put(uint8_t *p, unsigned width, uint64_t v)
{
	for (unsigned i = 0; i < width; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

/* The names are one, `a`. */
static int set_up(void **state)
{
	static struct state s;
	static uint8_t rows[MANY * ROW];

	memset(&s, 0, sizeof s);
	s.arena = unit_arena(&s.memory, UNIT_PLENTY);
	s.limits = limits_standard();
	s.rows = rows;
	put(s.names, 4, 1);
	put(s.names + 4, 4, 1);
	put(s.names + 8, 8, NAME_ALGORITHM);
	put(s.names + 16, 8, cityhash64((const uint8_t *)"a", 1));
	put(s.names + 24, 2, 0x0100);
	s.names[26] = 'a';
	s.d = (struct decode){
		.source = &s.source, .arena = &s.arena, .limits = &s.limits, .work.max = UINT64_MAX
	};
	*state = &s;
	return 0;
}

static int tear_down(void **state)
{
	struct state *s = *state;

	arena_free(&s->arena);
	return 0;
}

/* Ids are not the hashes of paths, which is told of each path that is compared. */
static uint64_t id_of(uint64_t i)
{
	return object_index(OBJECT_SCRIPT, 1000 + i);
}

static void set(struct state *s, uint32_t i, uint64_t id, uint64_t outer)
{
	put(s->rows + i * ROW, 4, 2u << 30);
	put(s->rows + i * ROW + 4, 4, 0);
	put(s->rows + i * ROW + 8, 8, id);
	put(s->rows + i * ROW + 16, 8, outer);
	put(s->rows + i * ROW + 24, 8, OBJECT_IS_NULL);
}

static bool judge(struct state *s)
{
	const struct held names = { s->names, 27 };

	memset(s->d.groups, 0, sizeof s->d.groups);
	arena_free(&s->arena);
	s->g = (struct global){
		.n = s->n, .rows = script_object_in((struct held){ s->rows, (uint64_t)s->n * ROW })
	};
	return names_find(&s->g.names, names, 0) && names_read(&s->g.names, &s->arena, true) &&
	       global_judge_objects(&s->d, &s->g);
}

/* ---- Chains ---------------------------------------------------------------------------------- */

static void chains_are_followed_in_any_order(void **state)
{
	struct state *s = *state;

	s->n = MANY;
	for (int is_reversed = 0; is_reversed < 2; is_reversed++) {
		for (uint32_t i = 0; i < MANY; i++)
			set(s, is_reversed ? MANY - 1 - i : i, id_of(i),
			    i == 0 ? OBJECT_IS_NULL : id_of(i - 1));
		assert_true(judge(s));
		assert_int_equal(s->g.seen, SCRIPT_HASH_DIFFERS);
		for (uint32_t i = 0; i < MANY; i++)
			assert_int_equal(s->g.traits[is_reversed ? MANY - 1 - i : i],
					 i < 64 ? SCRIPT_HASH_DIFFERS : 0);
		assert_int_equal(s->g.sorted.n, MANY);
		assert_true(script_objects_have(&s->g.sorted, id_of(MANY - 1)) &&
			    script_objects_have(&s->g.sorted, id_of(0)));
		assert_false(script_objects_have(&s->g.sorted, id_of(MANY)) ||
			     script_objects_have(&s->g.sorted, 0));
	}
}

/* Rows that lead into a cycle are not in it. */
static void a_cycle_is_all_of_its_rows(void **state)
{
	struct state *s = *state;

	s->n = MANY;
	for (uint32_t i = 0; i < MANY; i++)
		set(s, i, id_of(i), id_of(i < MANY - 1 ? i + 1 : MANY / 2));
	assert_true(judge(s));
	assert_int_equal(s->g.seen, SCRIPT_OUTER_CYCLE);
	for (uint32_t i = 0; i < MANY; i++)
		assert_int_equal(s->g.traits[i], i < MANY / 2 ? 0 : SCRIPT_OUTER_CYCLE);
}

static void a_path_that_is_the_id_is_right(void **state)
{
	const uint64_t a = cityhash64_wide((const uint8_t *)"a", 1),
		       aa = cityhash64_wide((const uint8_t *)"a/a", 3);
	struct state *s = *state;

	s->n = 3;
	set(s, 0, object_index(OBJECT_SCRIPT, aa), object_index(OBJECT_SCRIPT, a));
	set(s, 1, object_index(OBJECT_SCRIPT, a), OBJECT_IS_NULL);
	set(s, 2, object_index(OBJECT_PACKAGE, a), OBJECT_IS_NULL);
	assert_true(judge(s));
	assert_true(s->g.traits[0] == 0 && s->g.traits[1] == 0 && s->g.traits[2] == SCRIPT_ID_KIND);
	s->n = 2;
	assert_true(judge(s));
	assert_int_equal(s->g.seen, 0);
}

/* ---- What ends it ---------------------------------------------------------------------------- */

static void memory_and_work_end(void **state)
{
	struct state *s = *state;
	bool done = false;

	s->n = 300;
	for (uint32_t i = 0; i < s->n; i++)
		set(s, i, id_of(s->n - i), OBJECT_IS_NULL);
	s->arena.chunk_len = 64;
	for (uint64_t i = 1; !done; i++) {
		s->memory.fail_at = s->memory.n_asked + i;
		done = judge(s);
		assert_true(done || s->g.names.traits == NULL ||
			    s->d.groups[GLOBAL_OBJECTS].why == STOP_MEMORY);
	}
	s->memory.fail_at = 0;
	done = false;
	for (uint64_t most = 0; !done; most++) {
		s->d.work = (struct work){ .max = most };
		done = judge(s);
		assert_true(done || s->d.groups[GLOBAL_OBJECTS].why == STOP_LIMIT);
	}
	assert_int_equal(s->g.seen, SCRIPT_HASH_DIFFERS);
}

#define WITH_STATE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_STATE(chains_are_followed_in_any_order),
		WITH_STATE(a_cycle_is_all_of_its_rows),
		WITH_STATE(a_path_that_is_the_id_is_right),
		WITH_STATE(memory_and_work_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
