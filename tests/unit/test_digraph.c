/* Tests of the search for a cycle: against a naive one, for graphs chosen and random. */
#include "core/digraph.h"

#include <string.h>

#include "unit.h"

enum { MOST_NODES = 12, MOST_EDGES = 40 };

/* Edges in the order of the nodes that they leave. */
struct sample {
	uint32_t n, n_edges;
	uint8_t from[MOST_EDGES], to[MOST_EDGES];
};

static struct span edges_of(const void *table, uint32_t node)
{
	const struct sample *s = table;
	struct span run = { 0, 0 };

	for (uint32_t i = 0; i < s->n_edges; i++) {
		run.at += s->from[i] < node;
		run.len += s->from[i] == node;
	}
	return run;
}

static uint64_t target_of(const void *table, uint64_t edge)
{
	return ((const struct sample *)table)->to[edge];
}

/* The naive search: what leads to what, over one edge more each time. */
static void reach(const struct sample *s, bool leads[MOST_NODES][MOST_NODES])
{
	memset(leads, 0, sizeof(bool[MOST_NODES][MOST_NODES]));
	for (uint32_t i = 0; i < s->n_edges; i++)
		if (s->to[i] < s->n)
			leads[s->from[i]][s->to[i]] = true;
	for (uint32_t over = 0; over < s->n; over++)
		for (uint32_t a = 0; a < s->n; a++)
			for (uint32_t b = 0; b < s->n; b++)
				leads[a][b] |= leads[a][over] && leads[over][b];
}

static struct digraph_cycle search(const struct sample *s)
{
	const struct digraph g = { s->n, s, edges_of, target_of };
	struct fault_memory m;
	struct arena a = unit_arena(&m, UNIT_PLENTY);
	struct digraph_cycle found;

	assert_true(digraph_find_cycle(&a, &g, &found));
	arena_free(&a);
	assert_int_equal(m.n_live, 0);
	return found;
}

static void expect_as_naive(const struct sample *s)
{
	bool leads[MOST_NODES][MOST_NODES];
	const struct digraph_cycle found = search(s);
	bool any = false;

	reach(s, leads);
	for (uint32_t i = 0; i < s->n; i++)
		any |= leads[i][i];
	assert_int_equal(found.length > 0, any);
	if (any)
		assert_true(leads[found.node][found.node]);
	assert_true(found.length <= s->n);
}

static void graphs_without_a_cycle(void **state)
{
	const struct sample none = { .n = 0 }, chain = { 3, 2, { 0, 1 }, { 1, 2 } },
			    twice = { 3, 3, { 0, 0, 1 }, { 1, 2, 2 } },
			    outside = { 2, 2, { 0, 1 }, { 2, 255 } };

	(void)state;
	assert_int_equal(search(&none).length, 0);
	assert_int_equal(search(&chain).length, 0);
	assert_int_equal(search(&twice).length, 0);
	assert_int_equal(search(&outside).length, 0);
}

static void cycles_have_their_length(void **state)
{
	const struct sample own = { 2, 2, { 0, 1 }, { 1, 1 } }, two = { 2, 2, { 0, 1 }, { 1, 0 } },
			    behind = { 5, 5, { 0, 1, 2, 3, 4 }, { 1, 2, 3, 4, 2 } },
			    second = { 4, 4, { 0, 1, 2, 3 }, { 1, 255, 3, 2 } };

	(void)state;
	assert_int_equal(search(&own).length, 1);
	assert_int_equal(search(&own).node, 1);
	assert_int_equal(search(&two).length, 2);
	assert_int_equal(search(&behind).length, 3);
	assert_int_equal(search(&behind).node, 2);
	assert_int_equal(search(&second).length, 2);
}

/* Gives a node up to three edges; fewer if sparse is more. */
static void add_edges(struct sample *s, uint32_t from, uint32_t sparse, uint64_t *seed)
{
	for (uint32_t k = 0; k < 3; k++) {
		if (unit_random(seed) % sparse != 0)
			continue;
		s->from[s->n_edges] = (uint8_t)from;
		s->to[s->n_edges++] = (uint8_t)(unit_random(seed) % (s->n + 1));
	}
}

static void random_graphs(void **state)
{
	uint64_t seed = 20;

	(void)state;
	for (unsigned round = 0; round < 3000; round++) {
		struct sample s = { .n = 1 + (uint32_t)(unit_random(&seed) % MOST_NODES) };
		const uint32_t sparse = 1 + (uint32_t)(unit_random(&seed) % 4);

		for (uint32_t from = 0; from < s.n; from++)
			add_edges(&s, from, sparse, &seed);
		expect_as_naive(&s);
	}
}

static void memory_ends(void **state)
{
	const struct sample two = { 2, 2, { 0, 1 }, { 1, 0 } };
	const struct digraph g = { two.n, &two, edges_of, target_of };
	struct fault_memory m;
	struct arena a = unit_arena(&m, 1);
	struct digraph_cycle found;

	(void)state;
	assert_false(digraph_find_cycle(&a, &g, &found));
	assert_int_equal(found.length, 0);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(graphs_without_a_cycle),
		cmocka_unit_test(cycles_have_their_length),
		cmocka_unit_test(random_graphs),
		cmocka_unit_test(memory_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
