/* Tests of summaries: of installers and what lies in them, where memory ends, and of what is not
 * sound. */
#include "formats/summary.h"
#include "nested_state.h"

/* ---- A check that leaves summaries ----------------------------------------------------------- */

struct kept {
	struct fault_memory memory;
	struct arena arena;
	struct summaries all;
	struct report *report;
};

/* The arena of summaries refuses what does not fit its budget, and its nth request if that is not
 * 0. */
static void check_within(struct kept *k, uint64_t budget, uint64_t refused)
{
	k->arena = unit_arena(&k->memory, budget);
	k->arena.chunk_len = 64;
	k->memory.fail_at = refused;
	k->all = (struct summaries){ .arena = &k->arena };
	k->report = engine_check(&engine, &(struct check_input){
						  .io.size = file.n,
						  .memory = file.bytes,
						  .name = "a.umod",
						  .summaries = &k->all,
					  });
	assert_non_null(k->report);
}

static void check_kept(struct kept *k)
{
	check_within(k, UNIT_PLENTY, 0);
}

static void let_go(struct kept *k)
{
	report_free(k->report);
	arena_free(&k->arena);
	assert_int_equal(k->memory.n_live, 0);
}

static void assert_text(const struct summary_text *t, const char *text)
{
	assert_int_equal(t->len, strlen(text));
	assert_memory_equal(t->utf8, text, t->len);
	assert_int_equal(t->hash, summary_hash(text_from(text)));
}

/* ---- Texts ----------------------------------------------------------------------------------- */

static void test_texts_are_cut_between_characters(void **state)
{
	static uint8_t wide[2 * 100];
	const struct text t = { wide, { .n_units = 100, .encoding = TEXT_UTF16LE } };
	struct summary_text s;

	(void)state;
	for (size_t i = 0; i < 100; i++)
		wide[2 * i] = 0xAC, wide[2 * i + 1] = 0x20; /* a euro sign, three bytes of UTF-8 */
	s = summary_text_of(t);
	assert_int_equal(s.len, 63);
	assert_false(s.whole);
	s = summary_text_of(text_sub(t, 0, 21));
	assert_int_equal(s.len, 63);
	assert_true(s.whole);
	wide[0] = 'a', wide[1] = 0;
	assert_int_equal(summary_text_of(t).len, 64);
	wide[2] = 'b', wide[3] = 0;
	assert_int_equal(summary_text_of(t).len, 62);
	assert_int_equal(summary_text_of(text_sub(t, 0, 0)).len, 0);
}

static void test_hashes_are_of_what_names_mean(void **state)
{
	static const uint8_t wide[] = { 'c', 0, '/', 0, 'D', 0 };
	static char long_name[SUMMARY_HASHED + 3];
	const uint64_t hash = summary_hash(text_from("C\\d"));

	(void)state;
	assert_int_equal(
		summary_hash((struct text){ wide, { .n_units = 3, .encoding = TEXT_UTF16LE } }),
		hash);
	assert_int_not_equal(summary_hash(text_from("C\\e")), hash);
	assert_int_not_equal(summary_hash(text_from("C\\d ")), hash);
	assert_int_not_equal(summary_hash(text_from("d\\C")), hash);
	memset(long_name, 'x', SUMMARY_HASHED + 1);
	assert_int_not_equal(summary_hash(text_from(long_name)),
			     summary_hash(text_from(long_name + 1)));
}

/* ---- Lists ----------------------------------------------------------------------------------- */

static void test_the_order_of_rows_does_not_count(void **state)
{
	struct fault_memory m;
	struct arena arena = unit_arena(&m, UNIT_PLENTY);
	struct summary s = { .arena = &arena };
	struct summary_list list[3];

	(void)state;
	for (size_t i = 0; i < LENGTH(list); i++)
		summary_open(&s, &list[i], true, 3);
	summary_add_id(&list[0], 1, 0), summary_add_name(&list[0], text_from("a"), 0),
		summary_add_id(&list[0], 1, 0);
	summary_add_name(&list[1], text_from("A"), 0), summary_add_id(&list[1], 1, 0),
		summary_add_id(&list[1], 1, 0);
	summary_add_id(&list[2], 1, 0), summary_add_name(&list[2], text_from("a"), 0);
	assert_int_equal(list[0].hash, list[1].hash);
	assert_int_not_equal(list[0].hash, list[2].hash);
	summary_add_id(&list[2], 1, 7);
	assert_int_not_equal(list[0].hash, list[2].hash);
	assert_int_equal(s.gaps, 0);
	arena_free(&arena);
}

static void test_more_rows_are_counted(void **state)
{
	struct fault_memory m;
	struct arena arena = unit_arena(&m, UNIT_PLENTY);
	struct summary s = { .arena = &arena };
	struct summary_list list;

	(void)state;
	summary_open(&s, &list, true, UINT64_MAX);
	for (uint64_t i = 0; i < 1000; i++)
		summary_add_id(&list, i, 0);
	assert_int_equal(list.n, 1000);
	assert_int_equal(list.n_rows, SUMMARY_ROWS);
	assert_int_equal(list.rows[SUMMARY_ROWS - 1].id, SUMMARY_ROWS - 1);
	assert_true(arena.held <= (uint64_t)2 * ARENA_CHUNK);
	arena_free(&arena);
}

/* ---- Installers ------------------------------------------------------------------------------ */

static const char requires_ini[] =
	"[Setup]\r\nProduct=Mod\r\nVersion=100\r\nGroup=Files\r\nRequires=Game\r\nRequires="
	"Other\r\n\r\n"
	"[Game]\r\nProduct=Unreal Tournament\r\nVersion=400\r\n\r\n"
	"[Other]\r\nVersion=1\r\n\r\n"
	"[Files]\r\n"
	"Copy=(Src=System\\Manifest.ini,Master=System\\Manifest.ini,Flags=3)\r\n"
	"Copy=(Src=System\\Manifest.int,Master=System\\Manifest.int,Flags=3)\r\n";

static void test_an_installer_needs_and_offers(void **state)
{
	const struct build_member members[] = { { "System\\Manifest.ini", requires_ini, 3 },
						{ "System\\Manifest.int", build_int, 3 } };
	const struct summary *s;
	struct kept k;

	(void)state;
	build_installer(&file, members, LENGTH(members));
	check_kept(&k);
	s = k.all.first;
	assert_int_equal(k.all.n, 1);
	assert_ptr_equal(s->format, k.report->format);
	assert_text(&s->name, "a.umod");
	assert_int_equal(s->version, 1);
	assert_int_equal(s->identity, SUMMARY_ANONYMOUS);
	assert_int_equal(s->digest, SUMMARY_CRC32);
	assert_int_equal(s->crc, build_crc(file.bytes, file.trailer_at));
	assert_true(s->needs.is_known && s->offers.is_known);
	assert_int_equal(s->needs.n, 2);
	assert_text(&s->needs.rows[0].name, "Unreal Tournament");
	assert_text(&s->needs.rows[1].name, "Other");
	assert_int_equal(s->offers.n, 2);
	assert_text(&s->offers.rows[0].name, "System\\Manifest.ini");
	assert_text(&s->offers.rows[1].name, "System\\Manifest.int");
	let_go(&k);
}

/* The summary of a file inside another is that of the file by itself. */
static void test_files_inside_have_summaries(void **state)
{
	struct summary_list alone;
	struct kept k;

	(void)state;
	put_in(NULL);
	check_kept(&k);
	assert_int_equal(k.all.n, 2);
	assert_int_equal(k.all.first->gaps, 0);
	assert_int_equal(k.all.last->gaps, 0);
	assert_int_equal(k.all.first->depth, 0);
	assert_int_equal(k.all.last->depth, 1);
	assert_text(&k.all.last->name, "System\\Inner.umod");
	alone = k.all.last->offers;
	let_go(&k);
	file = inner;
	check_kept(&k);
	assert_int_equal(k.all.first->offers.n, alone.n);
	assert_int_equal(k.all.first->offers.hash, alone.hash);
	let_go(&k);
}

static void test_nobody_asks(void **state)
{
	struct report *with, *without;
	struct kept k;

	(void)state;
	put_in(break_crc);
	check_kept(&k);
	with = k.report;
	without = check();
	assert_int_equal(with->work, without->work);
	assert_int_equal(with->verdict, without->verdict);
	assert_int_equal(with->memory, without->memory);
	report_free(without);
	let_go(&k);
}

/* ---- What is not complete -------------------------------------------------------------------- */

static void test_a_broken_file_is_doubted(void **state)
{
	struct kept k;

	(void)state;
	put_in(break_crc);
	check_kept(&k);
	assert_int_equal(k.all.first->gaps, 0);
	assert_int_equal(k.all.last->gaps, SUMMARY_DOUBTED);
	assert_int_equal(k.all.last->offers.n, 3);
	let_go(&k);
}

static void test_no_beginning_is_complete(void **state)
{
	const size_t whole = file.n;

	(void)state;
	for (file.n = 0; file.n < whole; file.n++) {
		struct kept k;

		check_kept(&k);
		assert_int_equal(k.all.n, 1);
		assert_int_not_equal(k.all.first->gaps, 0);
		let_go(&k);
	}
}

/* Also where the rules that would tell of it are off, and the level asks for less. */
static void test_rules_that_are_off_hide_no_stop(void **state)
{
	struct kept k;

	(void)state;
	for (size_t i = 0; i < engine.n_rules; i++)
		if (!(engine.rules[i]->flags & RULE_MANDATORY))
			engine.profile.rules[i].ignored = true;
	profile_settle(&engine.profile);
	file.n -= 3;
	check_kept(&k);
	assert_int_equal(k.all.first->gaps, SUMMARY_UNREAD | SUMMARY_DOUBTED);
	assert_false(k.all.first->offers.is_known);
	assert_null(k.all.first->offers.rows);
	let_go(&k);
}

static void test_each_reason_to_doubt(void **state)
{
	static const struct {
		enum stop_why why;
		unsigned gaps;
	} whys[] = {
		{ STOP_NOT, 0 },
		{ STOP_MALFORMED, SUMMARY_DOUBTED },
		{ STOP_UNSUPPORTED, SUMMARY_DOUBTED },
		{ STOP_NEEDS, 0 },
		{ STOP_LIMIT, SUMMARY_DOUBTED },
		{ STOP_MEMORY, SUMMARY_DOUBTED },
		{ STOP_INPUT, SUMMARY_DOUBTED },
		{ STOP_LEVEL, 0 },
		{ STOP_UNVERIFIED, 0 },
		{ STOP_CODEC, 0 },
		{ STOP_COMPANION, 0 },
		{ STOP_KEY, 0 },
	};
	static struct decode d;

	(void)state;
	for (size_t i = 0; i < LENGTH(whys); i++) {
		struct summary s = { .format = formats[0] };

		d.groups[s.format->n_groups - 1].why = whys[i].why;
		summary_note_stops(&s, &d);
		assert_int_equal(s.gaps, whys[i].gaps);
	}
}

/* A download has none, what comes out of it has one. */
static void test_a_download(void **state)
{
	static const uint8_t bytes[] = {
		/* T.u, which is no package */
		0xD2, 4, 0,    0,    4,    'T',  '.',  'u',  0,    0x18, 0,
		0,    0, 0x0B, 0x38, 0x29, 0x44, 0x8A, 0x66, 0x60, 0xA0, 0x20,
		0x0B, 0, 0x3C, 0x1B, 0x7E, 0x27, 0x85, 0x62, 0xAF, 1,
	};
	struct kept k;

	(void)state;
	memcpy(file.bytes, bytes, sizeof bytes);
	file.n = sizeof bytes;
	k.arena = unit_arena(&k.memory, UNIT_PLENTY);
	k.all = (struct summaries){ .arena = &k.arena };
	k.report = engine_check(&engine, &(struct check_input){
						 .io.size = file.n,
						 .memory = file.bytes,
						 .name = "T.u.uz",
						 .summaries = &k.all,
					 });
	assert_non_null(k.report->format);
	assert_null(k.report->format->summary);
	assert_int_equal(k.report->n_nested, 1);
	assert_int_equal(k.all.n, 1);
	assert_int_equal(k.all.first->depth, 1);
	assert_int_equal(k.all.first->gaps, SUMMARY_UNREAD | SUMMARY_DOUBTED);
	let_go(&k);
}

static void test_a_check_that_is_cut_short(void **state)
{
	const struct build_member members[] = { { "System\\Manifest.ini", requires_ini, 3 },
						{ "System\\Manifest.int", build_int, 3 } };
	struct kept k;

	(void)state;
	build_installer(&file, members, LENGTH(members));
	check_kept(&k);
	engine.limits.of[LIMIT_work] = k.report->work;
	let_go(&k);
	check_kept(&k);
	assert_int_equal(k.all.first->gaps, 0);
	let_go(&k);
	engine.limits.of[LIMIT_work]--;
	check_kept(&k);
	assert_int_equal(k.all.first->gaps, SUMMARY_UNREAD | SUMMARY_DOUBTED);
	let_go(&k);
}

/* ---- Memory that ends ------------------------------------------------------------------------ */

static bool is_whole(const struct summary_list *list)
{
	return list->n_rows == list->n;
}

/* Says what is missing: a summary, or rows of one. The lists count and hash all rows
 * nevertheless. */
static void assert_honest(const struct summaries *all, uint64_t n_files, uint64_t hash)
{
	const struct summary *s = all->first;

	assert_int_equal(all->n + all->n_lost, n_files);
	for (uint64_t i = 0; i < all->n; i++, s = s->next) {
		const bool is_short = !is_whole(&s->needs) || !is_whole(&s->offers);

		assert_true(is_short ? s->gaps == SUMMARY_NO_MEMORY
				     : (s->gaps & ~(unsigned)SUMMARY_NO_MEMORY) == 0);
		if (s->depth == 0) {
			assert_int_equal(s->offers.n, 3);
			assert_int_equal(s->offers.hash, hash);
		}
	}
	assert_null(s);
}

static void test_a_full_arena_is_told(void **state)
{
	uint64_t budget = 0, peak, hash, n_short = 0;
	struct kept k;

	(void)state;
	put_in(NULL);
	check_kept(&k);
	peak = k.arena.peak;
	hash = k.all.first->offers.hash;
	let_go(&k);
	for (; budget <= peak; budget += 16) {
		check_within(&k, budget, 0);
		assert_int_equal(k.report->verdict, VERDICT_VALID);
		assert_honest(&k.all, 2, hash);
		n_short += k.all.first && k.all.first->gaps & SUMMARY_NO_MEMORY;
		let_go(&k);
	}
	assert_true(n_short > 0);
}

/* Memory of the check itself: its summary is in doubt wherever the report says that memory
 * ended. */
static void test_a_check_without_memory(void **state)
{
	uint64_t n, n_doubted = 0;
	struct kept k;

	(void)state;
	engine.chunk_len = 64;
	break_crc(&file);
	memory.n_asked = 0;
	check_kept(&k);
	n = memory.n_asked;
	let_go(&k);
	build_good(&file);
	for (uint64_t at = 1; at <= n; at++) {
		k.arena = unit_arena(&k.memory, UNIT_PLENTY);
		k.all = (struct summaries){ .arena = &k.arena };
		memory = (struct fault_memory){ .fail_at = at };
		k.report = engine_check(&engine, &(struct check_input){
							 .io.size = file.n,
							 .memory = file.bytes,
							 .name = "a.umod",
							 .summaries = &k.all,
						 });
		if (k.report && k.all.first && k.all.first->gaps == 0)
			assert_true(k.report->verdict == VERDICT_VALID ||
				    n_found(k.report, "RUN005") > 0);
		n_doubted += k.all.first && k.all.first->gaps & SUMMARY_DOUBTED;
		report_free(k.report);
		arena_free(&k.arena);
	}
	assert_true(n_doubted > 0);
}

static void test_each_request_is_refused(void **state)
{
	uint64_t n, hash;
	struct kept k;

	(void)state;
	put_in(NULL);
	check_kept(&k);
	n = k.memory.n_asked;
	hash = k.all.first->offers.hash;
	assert_true(n >= 4);
	let_go(&k);
	for (uint64_t at = 1; at <= n; at++) {
		check_within(&k, UNIT_PLENTY, at);
		assert_int_equal(k.report->verdict, VERDICT_VALID);
		assert_honest(&k.all, 2, hash);
		assert_true(k.all.n_lost > 0 || k.all.first->gaps || k.all.last->gaps);
		let_go(&k);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_texts_are_cut_between_characters),
		TEST(test_hashes_are_of_what_names_mean),
		TEST(test_the_order_of_rows_does_not_count),
		TEST(test_more_rows_are_counted),
		TEST(test_an_installer_needs_and_offers),
		TEST(test_files_inside_have_summaries),
		TEST(test_nobody_asks),
		TEST(test_a_broken_file_is_doubted),
		TEST(test_no_beginning_is_complete),
		TEST(test_rules_that_are_off_hide_no_stop),
		TEST(test_each_reason_to_doubt),
		TEST(test_a_download),
		TEST(test_a_check_that_is_cut_short),
		TEST(test_a_full_arena_is_told),
		TEST(test_a_check_without_memory),
		TEST(test_each_request_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
