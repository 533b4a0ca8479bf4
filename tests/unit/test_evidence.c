/* Tests of what findings say of a file, and of which diagnoses are asked, over a format of the
 * test's own with as many files beside it as it likes. */
#include "diagnosis/evidence.h"
#include "diagnosis/tell.h"
#include "unit.h"

enum { RULES = 4, SIZE = 4096, COMPANIONS = 12 };

static struct {
	struct fault_memory memory, of_words;
	struct arena arena, words;
	struct decode decode;
	struct source source;
	struct companion companions[COMPANIONS];
	struct format format;
	const struct rule *list[RULES];
	struct rule rules[RULES];
	struct finding findings[RULES][6];
	uint8_t status[RULES], why[RULES];
	struct rule_result own[RULES];
	struct results_notes notes;
	struct results results;
	struct patient patient;
	struct evidence e;
	struct diagnosis out;
	bool lost;
	struct extent extents[COMPANIONS + 1];
	struct span changed; /* the only part with another digest */
	bool changes_forever;
	unsigned n_changed_asked;
	uint8_t bytes[COMPANIONS + 1][SIZE];
} made;

static void give_extent(const void *facts, const struct decode *d, uint32_t file,
			struct extent *out)
{
	(void)facts;
	(void)d;
	*out = made.extents[file];
}

static bool give_changed(const void *facts, const struct decode *d, uint32_t file, uint64_t *at,
			 struct span *out)
{
	(void)facts;
	(void)d;
	(void)file;
	made.n_changed_asked++;
	*out = made.changed;
	return made.changes_forever || (*at)++ == 0;
}

static int set_up(void **state)
{
	(void)state;
	memset(&made, 0, sizeof made);
	memset(made.bytes, 0x90, sizeof made.bytes);
	made.arena = unit_arena(&made.memory, UNIT_PLENTY);
	made.words = unit_arena(&made.of_words, UNIT_PLENTY);
	made.format = (struct format){ .name = "utoc",
				       .title = "IoStore container",
				       .beside = BIT(4),
				       .extent = give_extent };
	made.decode = (struct decode){ .source = &made.source, .arena = &made.arena };
	source_init_memory(&made.source, made.bytes[0], SIZE, "a.utoc", &made.arena);
	made.notes = (struct results_notes){ .arena = &made.arena, .own = made.own };
	made.results = (struct results){ made.status, made.why, &made.notes };
	for (size_t i = 0; i < RULES; i++)
		made.list[i] = &made.rules[i];
	made.patient = (struct patient){ .decode = &made.decode,
					 .format = &made.format,
					 .facts = &made,
					 .rules = made.list,
					 .results = &made.results,
					 .n_rules = RULES,
					 .arena = &made.words,
					 .lost = &made.lost };
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	arena_free(&made.arena);
	arena_free(&made.words);
	return made.memory.n_live + made.of_words.n_live != 0;
}

/* Files beside the input, of which all are open. */
static void make_companions(uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct companion *c = &made.companions[i];

		*c = (struct companion){ .name = "a.ucas", .number = i + 1 };
		source_init_memory(&c->source, made.bytes[i + 1], SIZE, c->name, &made.arena);
		c->source.number = c->number;
		c->next = i + 1 < n ? c + 1 : NULL;
	}
	made.decode.companions = n > 0 ? made.companions : NULL;
}

static void pass(size_t i, enum rule_sign sign)
{
	made.rules[i].sign = sign;
	made.status[i] = RULE_PASS;
}

/* Lets a rule find something once more. */
static struct finding *find(size_t i, enum rule_sign sign, enum severity severity)
{
	struct rule_result *r = results_fail(&made.results, i);
	struct finding *f = &made.findings[i][r->n_kept];

	made.rules[i].sign = sign;
	*f = (struct finding){ .rule = &made.rules[i], .severity = severity };
	if (r->last)
		r->last->next = f;
	else
		r->first = f;
	r->last = f;
	r->n_kept++;
	r->n_found[severity]++;
	return f;
}

static void find_at(size_t i, enum rule_sign sign, uint32_t file, struct span span)
{
	find(i, sign, SEVERITY_ERROR)->place = (struct place){ .known = true,
							       .file = file,
							       .span = span };
}

static void forget_findings(void)
{
	memset(made.status, RULE_NOT_APPLICABLE, sizeof made.status);
	memset(made.own, 0, sizeof made.own);
}

/* ---- Findings -------------------------------------------------------------------------------- */

static void mount_points_lead_out_by_a_drive_or_a_later_folder(void **state)
{
	static const struct {
		const char *path;
		bool escapes;
	} rows[] = { { "../../../Game/", false },
		     { "../../../../Game/", true },
		     { "..", false },
		     { "../", false },
		     { "C:", true },
		     { "C:/Game/", true },
		     { "C:x", false },
		     { "Game/", false } };

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct finding *f;

		forget_findings();
		f = find(0, SIGN_MOUNT, SEVERITY_ERROR);
		f->n_args = 1;
		f->args[0] = (struct finding_arg){ .kind = ARG_TEXT,
						   .text = (const uint8_t *)rows[i].path,
						   .text_len = strlen(rows[i].path) };
		evidence_begin(&made.e, &made.patient);
		if (made.e.escapes != rows[i].escapes)
			fail_msg("%s", rows[i].path);
		assert_ptr_equal(made.e.attack, rows[i].escapes ? &made.rules[0] : NULL);
	}
}

/* A number that no file is long enough for is meant where a checksum is right. */
static void huge_numbers_are_meant_in_a_summed_file(void **state)
{
	static const struct {
		enum arg_kind kind;
		uint64_t number;
		bool is_attack;
	} rows[] = { { ARG_SIGNED, (uint64_t)-1, true },  { ARG_SIGNED, 5, false },
		     { ARG_HEX, 1u << 30, true },         { ARG_SIZE, 1u << 30, true },
		     { ARG_SIZE, (1u << 30) - 1, false }, { ARG_DEC, 1u << 30, false } };

	(void)state;
	for (size_t i = 0; i < 2 * LENGTH(rows); i++) {
		struct finding *f;

		forget_findings();
		pass(1, SIGN_SUM);
		if (i < LENGTH(rows))
			pass(2, SIGN_FRAME);
		f = find(0, SIGN_COUNT, SEVERITY_ERROR);
		f->n_args = 1;
		f->args[0] = (struct finding_arg){ .kind = rows[i % LENGTH(rows)].kind,
						   .number = rows[i % LENGTH(rows)].number };
		evidence_begin(&made.e, &made.patient);
		assert_int_equal(made.e.attack != NULL,
				 i < LENGTH(rows) && rows[i % LENGTH(rows)].is_attack);
	}
}

/* An error in bytes that are not what was packed follows from that. */
static void errors_follow_from_changed_data(void **state)
{
	(void)state;
	made.format.next_changed = give_changed;
	made.changed = (struct span){ 1000, 100 };
	make_companions(1);
	for (int i = 0; i < 4; i++)
		find_at(0, SIGN_NONE, 1, (struct span){ 1010, 10 });
	evidence_begin(&made.e, &made.patient);
	assert_true(made.e.data_alone);
	/* a few findings are enough */
	find_at(0, SIGN_NONE, 1, (struct span){ 2000, 10 });
	evidence_begin(&made.e, &made.patient);
	assert_true(made.e.data_alone);
	find_at(1, SIGN_NONE, 1, (struct span){ 1090, 11 });
	evidence_begin(&made.e, &made.patient);
	assert_false(made.e.data_alone);
	/* however many parts there are, a few thousand are compared */
	forget_findings();
	find_at(0, SIGN_NONE, 1, (struct span){ 2000, 10 });
	made.changes_forever = true;
	made.n_changed_asked = 0;
	evidence_begin(&made.e, &made.patient);
	assert_false(made.e.data_alone);
	assert_int_equal(made.n_changed_asked, 4096);
}

/* Findings in files that are not looked at have no place in the evidence. */
static void only_the_first_files_are_looked_at(void **state)
{
	(void)state;
	make_companions(PARTS_MAX);
	made.companions[2].state = COMPANION_ABSENT;
	made.companions[1].next = &made.companions[2];
	find_at(0, SIGN_DATA, 3, (struct span){ 0, 4 });
	find_at(0, SIGN_DATA, PARTS_MAX, (struct span){ 0, 4 });
	find_at(0, SIGN_DATA, PARTS_MAX + 1, (struct span){ 0, 4 });
	make_companions(PARTS_MAX + 1);
	made.companions[2].state = COMPANION_ABSENT;
	evidence_begin(&made.e, &made.patient);
	assert_int_equal(made.e.n_parts, PARTS_MAX);
	assert_int_equal(made.e.n_errors, 3);
	for (size_t k = 0; k < PARTS_MAX; k++) {
		assert_int_equal(made.e.parts[k].n_probes,
				 made.e.parts[k].source->number == PARTS_MAX);
		assert_true(made.e.parts[k].source->number != 3);
	}
}

static void the_first_rule_about_shared_bytes_counts(void **state)
{
	(void)state;
	find(1, SIGN_SHARED, SEVERITY_WARNING);
	find(3, SIGN_SHARED, SEVERITY_WARNING);
	evidence_begin(&made.e, &made.patient);
	assert_ptr_equal(made.e.shared, &made.rules[1]);
}

/* ---- Streams --------------------------------------------------------------------------------- */

static void a_whole_stream_may_be_a_bomb(void **state)
{
	/* a hundred zeros, and one byte */
	static const uint8_t many[] = { 0x78, 0x9C, 0x63, 0x60, 0xA0, 0x3D,
					0x00, 0x00, 0x00, 0x64, 0x00, 0x01 },
			     one[] = { 0x78, 0x9C, 0x63, 0x00, 0x00, 0x00, 0x01, 0x00, 0x01 };

	(void)state;
	memcpy(made.bytes[0] + 100, many, sizeof many);
	memcpy(made.bytes[0] + 200, one, sizeof one);
	made.extents[0].part_max = 100;
	find_at(0, SIGN_DATA, 0, (struct span){ SIZE - 1, 2 }); /* not all there */
	find_at(0, SIGN_DATA, 0, (struct span){ 100, sizeof many });
	find_at(0, SIGN_DATA, 0, (struct span){ 200, sizeof one });
	evidence_begin(&made.e, &made.patient);
	assert_true(evidence_read(&made.e));
	assert_int_equal(made.e.parts[0].probes[0].unpacked, 0);
	assert_int_equal(made.e.parts[0].probes[1].unpacked, 100);
	assert_int_equal(made.e.parts[0].probes[2].unpacked, 1);
	assert_false(made.e.has_bomb);
	made.extents[0].part_max = 99;
	evidence_begin(&made.e, &made.patient);
	assert_true(evidence_read(&made.e));
	assert_true(made.e.has_bomb);
}

/* ---- Asking ---------------------------------------------------------------------------------- */

static void make_foreign(uint32_t number)
{
	made.extents[number] = (struct extent){ .needs = SIZE / 2, /* it has another length */
						.is_end = true,
						.n_places = 8,
						.n_unlike = 8 };
}

static void expect(enum tell_number kind, const char *name)
{
	diagnose(&made.patient, &made.out);
	assert_ptr_equal(made.out.kind, tell_kind(kind));
	assert_int_equal(made.out.args[0].text_len, strlen(name));
	assert_memory_equal(made.out.args[0].text, name, strlen(name));
}

/* Where no rule finds an error, a file beside the input may still be another one. */
static void a_file_beside_may_be_another_without_an_error(void **state)
{
	(void)state;
	make_companions(1);
	assert_false(diagnose(&made.patient, &made.out));
	make_foreign(1);
	expect(KIND_FOREIGN_BLOCKS, "a.ucas");
	memcpy(made.bytes[1], "PK\x03\x04", 4);
	expect(KIND_OTHER_ARCHIVE, "a.ucas");
	made.patient.facts = NULL; /* then nothing says what should lie where */
	assert_false(diagnose(&made.patient, &made.out));
}

static void of_many_files_the_first_are_asked(void **state)
{
	(void)state;
	make_companions(COMPANIONS);
	make_foreign(PARTS_MAX + 1);
	assert_false(diagnose(&made.patient, &made.out));
	assert_null(made.out.kind);
	make_foreign(1);
	expect(KIND_FOREIGN_BLOCKS, "a.ucas");
}

static void without_memory_nothing_is_told(void **state)
{
	(void)state;
	make_companions(1);
	make_foreign(1);
	made.of_words = (struct fault_memory){ .fail_at = 1, .forever = true };
	assert_true(diagnose(&made.patient, &made.out));
	assert_null(made.out.kind);
	assert_true(made.lost);
}

/* What a checksum is right of did not change on the way; what lies beside it may have. */
static void a_summed_file_is_intact_and_others_may_not_be(void **state)
{
	(void)state;
	memset(made.bytes[0], 0, SIZE);
	make_companions(1);
	made.companions[0].source.io.size = 0;
	find(0, SIGN_DATA, SEVERITY_ERROR);
	expect(KIND_EMPTY, "a.ucas");
	made.companions[0].source.io.size = SIZE;
	diagnose(&made.patient, &made.out);
	assert_ptr_equal(made.out.kind, tell_kind(KIND_ALL_ZEROS));
	pass(1, SIGN_SUM);
	pass(2, SIGN_FRAME);
	made.companions[0].source.io.size = 0;
	expect(KIND_EMPTY, "a.ucas");
	made.companions[0].source.io.size = SIZE;
	diagnose(&made.patient, &made.out);
	assert_ptr_equal(made.out.kind, tell_kind(KIND_DAMAGED));
}

#define T(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(mount_points_lead_out_by_a_drive_or_a_later_folder),
		T(huge_numbers_are_meant_in_a_summed_file),
		T(errors_follow_from_changed_data),
		T(only_the_first_files_are_looked_at),
		T(the_first_rule_about_shared_bytes_counts),
		T(a_whole_stream_may_be_a_bomb),
		T(a_file_beside_may_be_another_without_an_error),
		T(of_many_files_the_first_are_asked),
		T(without_memory_nothing_is_told),
		T(a_summed_file_is_intact_and_others_may_not_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
