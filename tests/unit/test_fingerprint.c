/* Tests of fingerprints: what they are made of, and how equal ones are told apart. */
#include "report_writer_state.h"

/* What stays the same wherever a file lies and however it is called. */
static void test_fingerprints(void **state)
{
	static struct bench b;
	struct report *r = &b.report;
	uint64_t plain;

	(void)state;
	bench_open(&b, "x/a.umod", 1, SEVERITY_ERROR);
	plain = fingerprint_of(r, &b.findings[0]);
	r->name = "..\\y\\b.umod";
	assert_int_equal(fingerprint_of(r, &b.findings[0]), plain);
	b.findings[0].place.span.at = 77;
	assert_int_equal(fingerprint_of(r, &b.findings[0]), plain);
	b.findings[0].place.record = "chunk";
	b.findings[0].place.index = 2;
	assert_true(fingerprint_of(r, &b.findings[0]) != plain);
	b.findings[0].place.record = NULL;
	b.findings[0].args[0] = text_arg("other", false);
	assert_true(fingerprint_of(r, &b.findings[0]) != plain);
	bench_close(&b);
}

/* Nested files have their path inside the outermost one; what was decompressed has its number. */
static void test_fingerprints_inside(void **state)
{
	static struct bench b;
	struct report outer = { .name = "x.umod" }, *r = &b.report;
	uint64_t plain, inside, decoded;

	(void)state;
	bench_open(&b, "x.umod!a.u", 1, SEVERITY_ERROR);
	plain = fingerprint_of(r, &b.findings[0]);
	r->parent = &outer;
	r->own_name = "a.u";
	inside = fingerprint_of(r, &b.findings[0]);
	r->own_name = "b.u";
	assert_true(inside != plain && inside != fingerprint_of(r, &b.findings[0]));
	r->is_namesake = true;
	decoded = fingerprint_of(r, &b.findings[0]);
	r->own_name = "a.u";
	assert_int_equal(fingerprint_of(r, &b.findings[0]), decoded);
	assert_true(decoded != inside);
	r->place = 1;
	assert_true(fingerprint_of(r, &b.findings[0]) != decoded);
	bench_close(&b);
}

/* Names of the input and of files beside it are values of messages too. */
static void test_fingerprints_of_names(void **state)
{
	static const struct {
		const char *input, *companion;
	} spellings[] = { { "x/a.utoc", "a_s1.ucas" }, { "./Bcd.utoc", "Bcd_s1.ucas" } };
	static struct bench b;
	uint64_t beside[2], own[2], said[2];

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct report_companion companion = { .name = spellings[i].companion };

		bench_open(&b, spellings[i].input, 1, SEVERITY_ERROR);
		b.report.companions = &companion;
		b.report.n_companions = 1;
		b.findings[0].place.file = 1;
		beside[i] = fingerprint_of(&b.report, &b.findings[0]);
		b.findings[0].args[0] = text_arg(strchr(spellings[i].input, '/') + 1, false);
		own[i] = fingerprint_of(&b.report, &b.findings[0]);
		b.findings[0].args[0] = text_arg(spellings[i].companion, false);
		said[i] = fingerprint_of(&b.report, &b.findings[0]);
		b.findings[0].args[0].text_len--;
		b.findings[0].args[0].cut = true;
		assert_int_equal(fingerprint_of(&b.report, &b.findings[0]), said[i]);
		bench_close(&b);
	}
	assert_int_equal(beside[0], beside[1]);
	assert_int_equal(own[0], own[1]);
	assert_int_equal(said[0], said[1]);
	assert_true(own[0] != said[0] && beside[0] != own[0]);
}

/* In a run no two findings have the same, and the first of equal ones has the plain one. */
static void test_fingerprints_of_a_run(void **state)
{
	static struct bench b;
	static uint64_t all[20 * FINDINGS_MAX];
	struct report_writer *w = &b.writer;
	const uint64_t *made;
	size_t n = 0;

	(void)state;
	bench_open(&b, "a.umod", FINDINGS_MAX, SEVERITY_ERROR);
	for (size_t run = 0; run < 20; run++) {
		for (size_t i = 0; i < FINDINGS_MAX / 2; i++)
			b.findings[i].args[0] = (struct finding_arg){
				.kind = ARG_DEC, .number = run * FINDINGS_MAX + i / 2
			};
		made = fingerprints_make(&w->seen, &w->arena, &w->scratch, &b.report, FINDINGS_MAX);
		assert_non_null(made);
		assert_int_equal(made[0], fingerprint_of(&b.report, &b.findings[0]));
		assert_true(made[1] != made[0]);
		memcpy(all + n, made, FINDINGS_MAX * sizeof *made);
		n += FINDINGS_MAX;
	}
	for (size_t i = 1; i < n; i++)
		for (size_t k = 0; k < i; k++)
			if (all[k] == all[i])
				fail_msg("%zu and %zu have the same", k, i);
	bench_close(&b);
}

/* A value without any text is no name of an input that has none. */
static void test_fingerprints_without_a_name(void **state)
{
	static struct bench b;
	uint64_t named;

	(void)state;
	bench_open(&b, "x/a.umod", 1, SEVERITY_ERROR);
	b.findings[0].args[0] = text_arg("", false);
	named = fingerprint_of(&b.report, &b.findings[0]);
	b.report.name = "x/";
	assert_int_equal(fingerprint_of(&b.report, &b.findings[0]), named);
	bench_close(&b);
}

/* Where a file was made to have fingerprints that lie at one place of the table, the search ends,
 * and each has its own all the same. */
static void test_fingerprints_that_collide(void **state)
{
	enum { COLLIDING = 260, SLOTS = 1024 };
	static struct bench b;
	static uint64_t all[COLLIDING + 1];
	struct report_writer *w = &b.writer;
	uint64_t number = 0;

	(void)state;
	bench_open(&b, "a.umod", 1, SEVERITY_ERROR);
	for (size_t n = 0; n < LENGTH(all); n++) {
		const uint64_t *made;

		/* the last is the one before it once more */
		while (n < COLLIDING && fingerprint_of(&b.report, &b.findings[0]) % SLOTS != 0)
			b.findings[0].args[0] = (struct finding_arg){ .kind = ARG_DEC,
								      .number = number++ };
		made = fingerprints_make(&w->seen, &w->arena, &w->scratch, &b.report, 1);
		assert_non_null(made);
		all[n] = *made;
		if (n + 1 < COLLIDING)
			b.findings[0].args[0].number = number++;
	}
	for (size_t i = 1; i < LENGTH(all); i++)
		for (size_t k = 0; k < i; k++)
			assert_true(all[k] != all[i]);
	bench_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fingerprints),
		cmocka_unit_test(test_fingerprints_inside),
		cmocka_unit_test(test_fingerprints_of_names),
		cmocka_unit_test(test_fingerprints_of_a_run),
		cmocka_unit_test(test_fingerprints_without_a_name),
		cmocka_unit_test(test_fingerprints_that_collide),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
