/* Tests of companions: how files beside an input are opened, and what a check says of them. */
#include "folder_state.h"

static struct decode decoder(void)
{
	struct decode d = engine_decode(&engine, &source, &arena, NULL);

	d.siblings = &siblings;
	return d;
}

/* ---- decode_companion ------------------------------------------------------------------------ */

static void the_same_name_is_the_same_companion(void **state)
{
	struct decode d = decoder();
	char name[] = "Mod.ucas";
	struct companion *first = decode_companion(&d, name),
			 *second = decode_companion(&d, "Mod_s1.ucas");
	uint8_t got[5];

	(void)state;
	assert_non_null(first);
	assert_non_null(second);
	name[0] = 'N';
	assert_string_equal(first->name, "Mod.ucas");
	assert_ptr_equal(decode_companion(&d, "Mod.ucas"), first);
	assert_int_equal(folder.n_asked, 2);
	assert_int_equal(first->source.number, 1);
	assert_int_equal(second->source.number, 2);
	assert_int_equal(first->source.role, SOURCE_COMPANION);
	assert_ptr_equal(source_numbered(&source, 0), &source);
	assert_ptr_equal(source_numbered(&source, 2), &second->source);
	assert_null(source_numbered(&source, 3));
	assert_true(source_copy(&first->source, (struct span){ 6, 5 }, got));
	assert_memory_equal(got, "bytes", 5);
	decode_close(&d);
	assert_int_equal(folder.n_closed, 2);
	assert_null(source_numbered(&source, 1));
	decode_close(&d);
	assert_int_equal(folder.n_closed, 2);
}

static void what_is_not_open_is_not_read_or_closed(void **state)
{
	static const enum companion_state states[] = { COMPANION_ABSENT, COMPANION_UNREADABLE,
						       COMPANION_NOT_ASKED };
	struct decode d = decoder();

	(void)state;
	for (size_t i = 0; i < LENGTH(states); i++) {
		char name[] = { (char)('a' + i), '\0' };
		struct companion *c;

		folder.state = states[i];
		c = decode_companion(&d, name);
		assert_non_null(c);
		assert_int_equal(c->state, states[i]);
		assert_int_equal(c->source.number, i + 1);
		assert_null(source_numbered(&source, (uint32_t)i + 1));
	}
	decode_close(&d);
	assert_int_equal(folder.n_closed, 0);
	d = decoder();
	d.siblings = NULL;
	assert_int_equal(decode_companion(&d, "a")->state, COMPANION_NOT_ASKED);
	assert_int_equal(folder.n_asked, LENGTH(states));
}

static const char *spelling; /* what the folder has; NULL: too many files are open */
static unsigned n_looked;

static enum companion_state find_spelt(void *ctx, const char *name, char out[SPELLING_SIZE])
{
	(void)ctx;
	assert_string_equal(name, "Mod_P.ucas");
	n_looked++;
	if (!spelling)
		return COMPANION_CROWDED;
	/* some hosts forget the NUL */
	memcpy(out, spelling,
	       strlen(spelling) < SPELLING_SIZE ? strlen(spelling) + 1 : SPELLING_SIZE);
	return spelling[0] != '\0' ? COMPANION_OPEN : COMPANION_ABSENT;
}

static enum companion_state open_spelt(void *ctx, const char *name, void *room,
				       struct source_io *out)
{
	return strcmp(name, "MOD_p.ucas") == 0 ? open_file(ctx, name, room, out) : COMPANION_ABSENT;
}

static void a_file_of_another_spelling_takes_the_place_of_one_that_is_absent(void **state)
{
	static const struct siblings spelt = { .open = open_spelt,
					       .close = close_file,
					       .find = find_spelt };
	static char long_name[SPELLING_SIZE + 8];
	static const struct {
		const char *spelling;
		enum companion_state state;
	} cases[] = {
		{ "MOD_p.ucas", COMPANION_OPEN },
		{ "MOD_P.ucas", COMPANION_ABSENT }, /* it is gone by now */
		{ "", COMPANION_ABSENT },
		{ "Mod_P.ucas", COMPANION_ABSENT }, /* that is the name of the one that is absent */
		{ "Mod_Q.ucas", COMPANION_ABSENT },
		{ "Mod_P.uca", COMPANION_ABSENT },
		{ long_name, COMPANION_ABSENT },
		{ NULL, COMPANION_CROWDED },
	};

	(void)state;
	memset(long_name, 'a', sizeof long_name - 1);
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct decode d = decoder();
		struct companion *absent, *c;

		d.siblings = &spelt;
		spelling = cases[i].spelling;
		absent = decode_companion(&d, "Mod_P.ucas");
		assert_int_equal(absent->state, COMPANION_ABSENT);
		c = decode_companion_spelt(&d, absent);
		assert_int_equal(c->state, cases[i].state);
		assert_int_equal(c != absent, cases[i].state == COMPANION_OPEN);
		assert_string_equal(c->name, c != absent ? spelling : "Mod_P.ucas");
		decode_close(&d);
	}
}

static void other_spellings_are_not_looked_for_without_end(void **state)
{
	static const struct siblings spelt = { .open = open_spelt,
					       .close = close_file,
					       .find = find_spelt },
				     blind = { .open = open_spelt };
	struct decode d = decoder();
	struct companion *absent;

	(void)state;
	d.siblings = &spelt;
	spelling = "";
	n_looked = 0;
	absent = decode_companion(&d, "Mod_P.ucas");
	for (unsigned i = 0; i < 20; i++)
		assert_ptr_equal(decode_companion_spelt(&d, absent), absent);
	assert_int_equal(n_looked, 16);
	d = decoder();
	d.siblings = &blind;
	absent = decode_companion(&d, "Mod_P.ucas");
	assert_ptr_equal(decode_companion_spelt(&d, absent), absent);
	assert_int_equal(n_looked, 16);
	d = decoder();
	d.siblings = &spelt;
	spelling = "MOD_p.ucas";
	engine.limits.of[LIMIT_companions] = 1;
	assert_null(decode_companion_spelt(&d, decode_companion(&d, "Mod_P.ucas")));
	decode_close(&d);
}

static void names_do_not_leave_the_folder(void **state)
{
	static const char *const names[] = { "",    ".",    "..",  "/etc/passwd", "../Mod.ucas",
					     "a/b", "a\\b", "c:b", "Mod.ucas:x" };
	struct decode d = decoder();

	(void)state;
	for (size_t i = 0; i < LENGTH(names); i++)
		assert_int_equal(decode_companion(&d, names[i])->state, COMPANION_NOT_ASKED);
	assert_int_equal(folder.n_asked, 0);
}

static void there_are_only_so_many(void **state)
{
	struct decode d = decoder();

	(void)state;
	engine.limits.of[LIMIT_companions] = 2;
	assert_non_null(decode_companion(&d, "a"));
	assert_non_null(decode_companion(&d, "b"));
	assert_null(decode_companion(&d, "c"));
	assert_non_null(decode_companion(&d, "a"));
	assert_false(decode_stop_companion(&d, 3, (struct span){ 5, 6 }));
	assert_int_equal(d.groups[3].why, STOP_LIMIT);
	assert_int_equal(d.groups[3].limit, LIMIT_companions);
	decode_close(&d);
	assert_int_equal(folder.n_closed, 2);
}

static void memory_that_ends_opens_nothing(void **state)
{
	struct decode d = decoder();

	(void)state;
	arena.chunk_len = 64;
	for (uint64_t n = 1; n <= 2; n++) {
		memory.fail_at = memory.n_asked + n;
		assert_null(decode_companion(&d, "a file whose name is too long for what is left "
						 "of a chunk that is as short as this one is"));
		assert_false(decode_stop_companion(&d, (uint32_t)n, (struct span){ 0, 0 }));
		assert_int_equal(d.groups[n].why, STOP_MEMORY);
	}
	assert_int_equal(folder.n_asked, 0);
	decode_close(&d);
}

/* A worker's copy has troubles of its own until the group says so. */
static void trouble_of_a_copy_is_taken_over(void **state)
{
	struct decode d = decoder();
	struct companion *c = decode_companion(&d, "a");
	struct source copy = c->source;
	uint8_t got[4];

	(void)state;
	folder.file.fails_over = true;
	folder.file.bad_offset = 9;
	assert_false(source_copy(&copy, (struct span){ 8, 4 }, got));
	assert_int_equal(c->source.trouble, SOURCE_FINE);
	assert_false(decode_stop_in(&d, 1, STOP_INPUT, &copy, (struct span){ 8, 4 }));
	assert_int_equal(c->source.trouble, SOURCE_UNREADABLE);
	assert_int_equal(c->source.trouble_at.at, 8);
	assert_int_equal(d.groups[1].file, 1);
	assert_false(decode_stop_key(&d, 2, "words", (struct span){ 1, 2 }));
	assert_string_equal(d.groups[2].key, "words");
	decode_close(&d);
}

/* ---- What a check says ----------------------------------------------------------------------- */

static void ask(struct decode *d)
{
	assert_non_null(decode_companion(d, "a.bin"));
	assert_non_null(decode_companion(d, "b.bin"));
}

static void read_second(struct decode *d)
{
	struct companion *c;
	uint8_t got[4];

	ask(d);
	c = decode_companion(d, "b.bin");
	assert_false(source_copy(&c->source, (struct span){ 16, 4 }, got));
	decode_stop_in(d, 2, STOP_INPUT, &c->source, (struct span){ 16, 4 });
}

static void companions_are_told(void **state)
{
	struct report *r = check_with(ask);

	(void)state;
	assert_int_equal(r->verdict, VERDICT_VALID);
	assert_int_equal(r->n_companions, 2);
	assert_string_equal(report_file(r, 2), "b.bin");
	assert_string_equal(report_file(r, 0), "");
	assert_string_equal(report_file(r, 3), "");
	assert_int_equal(r->companions[0].size, folder.file.size);
	report_free(r);
}

static void an_unreadable_companion_is_named(void **state)
{
	const struct finding *f;
	struct report *r;

	(void)state;
	folder.file.fails_over = true;
	folder.file.bad_offset = 17;
	r = check_with(read_second);
	f = only_finding(r, "RUN002");
	assert_string_equal(f->file, "b.bin");
	assert_int_equal(f->place.span.at, 16);
	assert_int_equal(r->verdict, VERDICT_UNDETERMINED);
	report_free(r);
}

static void companions_that_cannot_be_opened(void **state)
{
	struct report *r;

	(void)state;
	folder.state = COMPANION_UNREADABLE;
	r = check_with(ask);
	assert_int_equal(r->n_findings, 2);
	assert_string_equal(r->findings[1]->rule->id, "RUN002");
	assert_string_equal(r->findings[1]->file, "b.bin");
	report_free(r);
}

static void companions_that_change(void **state)
{
	struct report *r;

	(void)state;
	folder.file.changed = true;
	r = check_with(ask);
	assert_int_equal(r->n_findings, 2);
	assert_string_equal(r->findings[0]->rule->id, "RUN003");
	assert_string_equal(r->findings[0]->file, "a.bin");
	assert_int_equal(r->verdict, VERDICT_UNDETERMINED);
	report_free(r);
}

static void leave_unseen(struct decode *d)
{
	struct companion *c;

	ask(d);
	c = decode_companion(d, "b.bin");
	assert_int_equal(c->state, COMPANION_NOT_ASKED);
	decode_stop_in(d, 3, STOP_COMPANION, &c->source, (struct span){ 0, 100 });
	decode_stop_in(d, 4, STOP_COMPANION, &c->source, (struct span){ 0, 11 });
}

static void leave_locked(struct decode *d)
{
	decode_stop_key(d, 3, "there is no key", (struct span){ 0, 100 });
}

/* What was asked for and left out makes the verdict undetermined, and is counted. */
static void expect_left_out(void (*meddle)(struct decode *d), const char *id, uint64_t n,
			    const char *reason)
{
	const struct finding *f;
	struct report *r = check_with(meddle);

	f = only_finding(r, id);
	assert_int_equal(f->severity, SEVERITY_UNDETERMINED);
	assert_int_equal(f->args[0].number, n);
	assert_int_equal(r->unread, n);
	assert_int_equal(r->verdict, VERDICT_UNDETERMINED);
	assert_string_equal(results_reason(&r->results, catalog_find("UMD006", 6)), reason);
	report_free(r);
}

static void files_that_were_not_looked_at(void **state)
{
	struct report *r;

	(void)state;
	folder.state = COMPANION_NOT_ASKED;
	expect_left_out(leave_unseen, "RUN008", 111, "companion");
	engine.level = LEVEL_STRUCTURE;
	r = check_with(leave_unseen);
	assert_int_equal(r->n_findings, 0);
	assert_int_equal(r->verdict, VERDICT_VALID);
	assert_int_equal(r->unread, file.trailer_at);
	report_free(r);
}

static void bytes_without_a_key(void **state)
{
	(void)state;
	expect_left_out(leave_locked, "RUN009", 100, "key");
}

/* A table that is encrypted was asked for, whatever the level. */
static void tables_without_a_key(void **state)
{
	struct report *r;

	(void)state;
	engine.level = LEVEL_STRUCTURE;
	r = check_with(leave_locked);
	assert_int_equal(only_finding(r, "RUN009")->args[0].number, 100);
	assert_int_equal(r->verdict, VERDICT_UNDETERMINED);
	report_free(r);
}

static void no_siblings_are_asked_for(void **state)
{
	struct report *r;

	(void)state;
	engine.no_siblings = true;
	folder.state = COMPANION_NOT_ASKED;
	r = check_with(ask);
	assert_int_equal(folder.n_asked, 0);
	assert_int_equal(r->companions[0].state, COMPANION_NOT_ASKED);
	report_free(r);
}

static void stop_for_input(struct decode *d)
{
	ask(d);
	decode_stop(d, 4, STOP_INPUT, (struct span){ 0, 0 });
}

/* Where something else shows what it was, the input itself is not blamed. */
static void known_trouble_is_told_once(void **state)
{
	struct fault_input changed = { .bytes = file.bytes, .size = file.n, .changed = true };
	struct check_input in = installer();
	struct report *r;

	(void)state;
	folder.file.changed = true;
	r = check_with(stop_for_input);
	assert_int_equal(r->n_findings, 2);
	assert_string_equal(r->findings[0]->rule->id, "RUN003");
	report_free(r);
	folder.file.changed = false;
	in.memory = NULL;
	in.io = (struct source_io){ fault_source_read, fault_source_unchanged, &changed, file.n };
	r = check_input_with(&in, stop_for_input);
	assert_int_equal(only_finding(r, "RUN003")->place.file, 0);
	report_free(r);
	folder.state = COMPANION_UNREADABLE;
	folder.n_asked = folder.n_closed = 0;
	r = check_with(stop_for_input);
	assert_int_equal(r->n_findings, 2);
	assert_string_equal(r->findings[1]->file, "b.bin");
	report_free(r);
}

/* Memory that ends when companions are to be told leaves all of them closed, and a verdict that
 * says so, or none. */
static void memory_that_ends_closes_all(void **state)
{
	struct check_input in = installer();
	struct tree t;

	(void)state;
	engine.chunk_len = 64;
	for (uint64_t n = 1;; n++) {
		bool whole;

		folder.n_asked = folder.n_closed = 0;
		judge_with(&t, &in, ask);
		memory.fail_at = memory.n_asked + n;
		whole = session_close(&session);
		memory.fail_at = 0;
		assert_int_equal(folder.n_closed, 2);
		if (whole && t.root->verdict == VERDICT_VALID)
			break;
		if (whole)
			assert_string_equal(t.root->findings[0]->rule->id, "RUN005");
		report_free(t.root);
	}
	assert_int_equal(t.root->n_companions, 2);
	report_free(t.root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_same_name_is_the_same_companion, begin_folder,
						end_folder),
		cmocka_unit_test_setup_teardown(what_is_not_open_is_not_read_or_closed,
						begin_folder, end_folder),
		cmocka_unit_test_setup_teardown(names_do_not_leave_the_folder, begin_folder,
						end_folder),
		cmocka_unit_test_setup_teardown(
			a_file_of_another_spelling_takes_the_place_of_one_that_is_absent,
			begin_folder, end_folder),
		cmocka_unit_test_setup_teardown(other_spellings_are_not_looked_for_without_end,
						begin_folder, end_folder),
		cmocka_unit_test_setup_teardown(there_are_only_so_many, begin_folder, end_folder),
		cmocka_unit_test_setup_teardown(memory_that_ends_opens_nothing, begin_folder,
						end_folder),
		cmocka_unit_test_setup_teardown(trouble_of_a_copy_is_taken_over, begin_folder,
						end_folder),
		cmocka_unit_test_setup_teardown(companions_are_told, begin_folder, end_folder),
		cmocka_unit_test_setup_teardown(an_unreadable_companion_is_named, begin_folder,
						end_folder),
		cmocka_unit_test_setup_teardown(companions_that_cannot_be_opened, begin_folder,
						end_folder),
		cmocka_unit_test_setup_teardown(companions_that_change, begin_folder, end_folder),
		cmocka_unit_test_setup_teardown(files_that_were_not_looked_at, begin_folder,
						end_folder),
		cmocka_unit_test_setup_teardown(bytes_without_a_key, begin_folder, end_folder),
		cmocka_unit_test_setup_teardown(tables_without_a_key, begin_folder, end_folder),
		cmocka_unit_test_setup_teardown(no_siblings_are_asked_for, begin_folder,
						end_folder),
		cmocka_unit_test_setup_teardown(known_trouble_is_told_once, begin_folder,
						end_folder),
		cmocka_unit_test_setup_teardown(memory_that_ends_closes_all, begin_folder,
						end_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
