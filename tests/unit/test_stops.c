/* Tests of stops: what could not be decoded, for whatever reason, is told, counted and never
 * valid. */
#include "folder_state.h"

/* ---- What is missing, and limits ------------------------------------------------------------- */

static void leave_undecoded(struct decode *d)
{
	decode_stop_codec(d, 3, "first", (struct span){ 0, 100 });
	decode_stop_codec(d, 3, "second", (struct span){ 0, 20 });
	decode_stop_codec(d, 4, "first", (struct span){ 7, 3 });
	decode_stop_codec(d, 4, "third", (struct span){ 0, 0 });
	decode_stop(d, 4, STOP_MALFORMED, (struct span){ 0, 1000 });
}

/* Each thing that is missing has a finding of its own, with its own bytes, whichever parts need
 * it. */
static void every_missing_codec_is_told(void **state)
{
	static const struct {
		const char *codec;
		uint64_t n;
	} expected[] = { { "first", 103 }, { "second", 20 }, { "third", 0 } };
	struct report *r = check_with(leave_undecoded);

	(void)state;
	assert_int_equal(r->n_findings, LENGTH(expected));
	for (size_t i = 0; i < LENGTH(expected); i++) {
		assert_string_equal(r->findings[i]->rule->id, "RUN007");
		assert_int_equal(r->findings[i]->args[0].number, expected[i].n);
		assert_string_equal(r->findings[i]->args[1].word, expected[i].codec);
	}
	assert_int_equal(r->unread, 123);
	report_free(r);
}

static void leave_two_kinds(struct decode *d)
{
	decode_stop_codec(d, 3, "words", (struct span){ 0, 100 });
	decode_stop_key(d, 4, "words", (struct span){ 0, 20 });
}

/* A codec and a key are two things, whatever they are called. */
static void kinds_of_lacks_are_kept_apart(void **state)
{
	struct report *r = check_with(leave_two_kinds);

	(void)state;
	assert_int_equal(r->n_findings, 2);
	assert_string_equal(r->findings[0]->rule->id, "RUN007");
	assert_int_equal(r->findings[0]->args[0].number, 100);
	assert_string_equal(r->findings[1]->rule->id, "RUN009");
	assert_int_equal(r->findings[1]->args[0].number, 20);
	report_free(r);
}

static void leave_limited(struct decode *d)
{
	decode_stop_limit(d, 3, LIMIT_entries, (struct span){ 0, 10 });
	decode_stop_limit(d, 4, LIMIT_text, (struct span){ 0, 7 });
}

/* What was left at each limit is counted by itself. */
static void each_limit_has_its_bytes(void **state)
{
	struct report *r = check_with(leave_limited);

	(void)state;
	assert_int_equal(r->n_unjudged, 2);
	assert_int_equal(r->unjudged[0].bytes, 10);
	assert_int_equal(r->unjudged[1].bytes, 7);
	report_free(r);
}

static void leave_very_much(struct decode *d)
{
	static char words[2 * LACKS_MAX][2];

	for (size_t i = 0; i < LENGTH(words); i++) {
		words[i][0] = (char)('0' + i);
		decode_stop_codec(d, 3, words[i], (struct span){ 0, 1 });
	}
	decode_stop_codec(d, 3, words[0], (struct span){ 0, UINT64_MAX });
}

/* However much is missing, no more than the file has is counted. */
static void too_many_lacks_are_told_together(void **state)
{
	struct report *r = check_with(leave_very_much);

	(void)state;
	assert_int_equal(r->n_findings, LACKS_MAX);
	assert_int_equal(r->findings[0]->args[0].number, r->size);
	assert_int_equal(r->findings[1]->args[0].number, 1);
	assert_int_equal(r->findings[LACKS_MAX - 1]->args[0].number, LACKS_MAX + 1);
	report_free(r);
}

/* ---- No silence ------------------------------------------------------------------------------ */

static void stop_silently(struct decode *d)
{
	decode_stop(d, 3, STOP_MEMORY, (struct span){ 0, 0 });
	decode_stop(d, 4, STOP_INPUT, (struct span){ 0, 0 });
	decode_stop_limit(d, 2, LIMIT_work, (struct span){ 0, 0 });
}

/* A stop for reasons that nothing else shows, as a worker may have them, is told all the same. */
static void no_stop_is_silent(void **state)
{
	struct report *r = check_with(stop_silently);

	(void)state;
	assert_int_equal(r->n_findings, 3);
	assert_string_equal(r->findings[0]->rule->id, "RUN001");
	assert_string_equal(r->findings[1]->rule->id, "RUN002");
	assert_string_equal(r->findings[2]->rule->id, "RUN005");
	assert_int_equal(r->n_unjudged, 3);
	report_free(r);
}

static struct group said_nothing;

static void say_nothing(struct decode *d)
{
	d->groups[4] = said_nothing;
}

static struct report *check_silent(enum stop_why why, enum level level)
{
	begin(NULL);
	engine.level = level;
	said_nothing = (struct group){ .why = why, .at.len = 1 };
	return check_with(say_nothing);
}

/* Whatever a part is missing for: only what the scope says in words leaves the file valid. */
static void no_missing_part_passes(void **state)
{
	(void)state;
	for (enum stop_why why = STOP_NOT + 1; why <= STOP_NEEDS; why++)
		for (enum level level = LEVEL_STRUCTURE; level <= LEVEL_CONTENT; level++) {
			struct report *r = check_silent(why, level);
			const bool left_out = why == STOP_UNVERIFIED ||
					      (level == LEVEL_STRUCTURE &&
					       (why == STOP_LEVEL || why == STOP_COMPANION));

			assert_int_equal(r->verdict == VERDICT_VALID, left_out);
			assert_int_equal(r->n_unjudged > 0, r->verdict == VERDICT_UNDETERMINED);
			assert_true(!left_out || r->scope.flags != 0);
			report_free(r);
		}
}

static void forget_the_facts(struct decode *d)
{
	(void)d;
	session.facts = NULL;
}

/* Nor do rules that were never asked, for whatever reason. */
static void no_rule_is_left_out_in_silence(void **state)
{
	struct report *r = check_with(forget_the_facts);

	(void)state;
	assert_int_equal(r->verdict, VERDICT_UNDETERMINED);
	assert_string_equal(only_finding(r, "ENG001")->args[0].word, "rules");
	report_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(every_missing_codec_is_told, begin_folder,
						end_folder),
		cmocka_unit_test_setup_teardown(kinds_of_lacks_are_kept_apart, begin_folder,
						end_folder),
		cmocka_unit_test_setup_teardown(each_limit_has_its_bytes, begin_folder, end_folder),
		cmocka_unit_test_setup_teardown(too_many_lacks_are_told_together, begin_folder,
						end_folder),
		cmocka_unit_test_setup_teardown(no_stop_is_silent, begin_folder, end_folder),
		cmocka_unit_test_setup_teardown(no_missing_part_passes, begin_folder, end_folder),
		cmocka_unit_test_setup_teardown(no_rule_is_left_out_in_silence, begin_folder,
						end_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
