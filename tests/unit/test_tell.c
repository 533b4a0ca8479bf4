/* Tests of what is told from evidence: around the numbers from which each diagnosis is the one, of
 * the input and of a file beside it, and where there is no memory for its words.
 * conformance/damage tests diagnoses of whole files. */
#include "diagnosis/beside.h"
#include "diagnosis/tell.h"
#include "engine/report.h"
#include "unit.h"

enum { SIZE = 1 << 16, BESIDE_GROUP = 4 };

/* A container and its .ucas. */
static struct {
	struct fault_memory memory;
	struct arena arena;
	struct decode decode;
	struct source sources[2];
	struct siblings siblings;
	struct format format;
	struct patient patient;
	struct evidence e;
	struct diagnosis out;
	bool lost;
	uint8_t bytes[2][SIZE];
} made;

static struct part *const input = &made.e.parts[0], *const beside = &made.e.parts[1];

static int set_up(void **state)
{
	static const char *const names[] = { "mods/a.utoc", "a.ucas" };
	static const char *const extensions[] = { "utoc", NULL };

	(void)state;
	memset(&made, 0, sizeof made);
	memset(made.bytes, 0x90, sizeof made.bytes);
	made.arena = unit_arena(&made.memory, UNIT_PLENTY);
	made.arena.chunk_len = 1; /* each request is one for memory */
	made.format = (struct format){ .name = "utoc",
				       .title = "IoStore container",
				       .extensions = extensions,
				       .shared = extensions + 1,
				       .beside = UINT64_C(1) << BESIDE_GROUP };
	made.decode = (struct decode){ .source = &made.sources[0], .arena = &made.arena };
	made.patient = (struct patient){ .decode = &made.decode,
					 .format = &made.format,
					 .arena = &made.arena,
					 .lost = &made.lost };
	made.e.patient = &made.patient;
	made.e.n_parts = 2;
	for (uint32_t i = 0; i < 2; i++) {
		source_init_memory(&made.sources[i], made.bytes[i], SIZE, names[i], &made.arena);
		made.sources[i].number = i;
		made.e.parts[i].source = &made.sources[i];
		made.e.parts[i].census = (struct census){ .n = SIZE,
							  .n_high = 1,
							  .mark_at = UINT64_MAX };
	}
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	arena_free(&made.arena);
	return 0;
}

static void expect(tell *ask, const struct part *part, enum tell_number kind)
{
	assert_true(ask(&made.e, part, &made.out));
	assert_ptr_equal(made.out.kind, tell_kind(kind));
	assert_int_equal(made.out.groups, part == beside ? made.format.beside : 0);
	assert_false(made.lost);
}

static void expect_nothing(tell *ask, const struct part *part)
{
	assert_false(ask(&made.e, part, &made.out));
	assert_false(made.lost);
}

/* Each request for memory is refused in turn: then nothing is told, and the report will say why. */
static void expect_refusal(tell *ask, const struct part *part, enum tell_number kind)
{
	size_t n = 0;

	expect(ask, part, kind);
	for (bool is_told = false; !is_told; n++) {
		arena_free(&made.arena);
		made.memory = (struct fault_memory){ .fail_at = n + 1 };
		made.lost = false;
		is_told = ask(&made.e, part, &made.out);
		assert_true(is_told != made.lost);
		assert_int_equal(!made.out.kind, !is_told);
	}
	assert_true(n > 1);
	made.memory.fail_at = 0;
}

/* ---- Zeros ----------------------------------------------------------------------------------- */

static void zeros_of_a_summed_file_are_a_hole_if_many(void **state)
{
	(void)state;
	made.e.signs = 1u << SIGN_SUM;
	for (int i = 0; i < 2; i++) {
		made.e.parts[i].census.n = 1 << 20;
		made.e.parts[i].census.most_zeros = (struct span){ 8192, (1 << 20) / 32 };
	}
	expect(tell_zeros, input, KIND_ZEROS);
	expect_nothing(tell_zeros, beside); /* the checksum is of the input alone */
	input->census.most_zeros.len--;
	expect_nothing(tell_zeros, input);
	input->census.n = SIZE;
	input->census.most_zeros.len = 4096;
	expect(tell_zeros, input, KIND_ZEROS);
	input->census.most_zeros.len--;
	expect_nothing(tell_zeros, input);
}

static void zeros_in_front_are_those_of_the_input(void **state)
{
	(void)state;
	made.e.signs = 1u << SIGN_OTHER_FILE;
	input->census.head_zeros = beside->census.head_zeros = 16;
	expect(tell_zeros, input, KIND_ZEROS);
	expect_nothing(tell_zeros, beside);
	input->census.head_zeros--;
	expect_nothing(tell_zeros, input);
}

static void warnings_in_one_hole_are_no_accident(void **state)
{
	(void)state;
	input->n_probes = WARNINGS_MIN;
	for (uint32_t i = 0; i < input->n_probes; i++)
		input->probes[i].zeros = (struct span){ 4096, 4096 };
	expect(tell_warned_zeros, input, KIND_ZEROS);
	input->probes[0].zeros.at = 12288;
	expect_nothing(tell_warned_zeros, input);
	input->probes[0].zeros.at = 4096;
	for (uint32_t i = 0; i < input->n_probes; i++)
		input->probes[i].zeros.len--;
	expect_nothing(tell_warned_zeros, input);
}

static void zeros_of_hashed_bytes_are_a_hole(void **state)
{
	(void)state;
	input->n_probes = 1;
	input->probes[0] = (struct probe){ .of = PROBE_HASHED };
	expect_nothing(tell_warned_zeros, input);
	input->probes[0].zeros = (struct span){ 4096, 512 };
	expect(tell_warned_zeros, input, KIND_ZEROS);
	input->probes[0].unpacked = 9; /* a whole stream has them by itself */
	expect_nothing(tell_warned_zeros, input);
	input->probes[0] = (struct probe){ .of = PROBE_NEAR, .zeros = { 4096, 512 } };
	expect_nothing(tell_warned_zeros, input);
}

/* ---- Texts ----------------------------------------------------------------------------------- */

/* The census of a file that is no text. */
static void make_binary(struct part *part)
{
	part->census.n_controls = SIZE / 16;
	part->census.n_control_kinds = 16;
}

/* A few characters may be one by accident, unless the file is a binary one. */
static void one_character_of_utf8_needs_a_binary_file(void **state)
{
	(void)state;
	make_binary(input);
	input->census.is_utf8 = true;
	input->census.n_high = 2;
	expect_nothing(tell_reencoded, input);
	input->census.n_sequences = 1;
	expect(tell_reencoded, input, KIND_REENCODED);
	assert_int_equal(made.out.confidence, CONFIDENCE_CERTAIN);
	input->census.n_controls--;
	expect_nothing(tell_reencoded, input);
	input->census.n_sequences = 8;
	expect(tell_reencoded, input, KIND_REENCODED);
}

static void a_text_is_longer_than_what_it_was(void **state)
{
	(void)state;
	make_binary(beside);
	beside->census.is_utf8 = true;
	beside->census.n_sequences = 1;
	beside->extent = (struct extent){ .needs = SIZE - 1, .is_end = true };
	expect(tell_grown_text, beside, KIND_REENCODED);
	beside->extent.needs = SIZE;
	expect_nothing(tell_grown_text, beside);
	beside->extent.needs = SIZE - 1;
	beside->census.is_utf8 = false;
	expect_nothing(tell_grown_text, beside);
	beside->census.n_lf = beside->census.n_pairs = 8;
	beside->census.n_binary_lf = 5;
	expect(tell_grown_text, beside, KIND_LF_TO_CRLF);
}

/* Of a file beside the input more must be due, because it may be another one. */
static void carriage_returns_are_due(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		made.e.parts[i].census.n_binary_lf = 3;
		made.e.parts[i].census.n_lf = 48;
		made.e.parts[i].census.cr_due = (struct due){ 16, 32 };
		made.e.parts[i].census.lf_due = (struct due){ 20, 40 };
	}
	expect(tell_transfer, input, KIND_CR_REMOVED);
	expect(tell_transfer, beside, KIND_CR_REMOVED);
	beside->census.n_lf--;
	expect_nothing(tell_transfer, beside);
	beside->census.n_lf++;
	beside->census.cr_due.most++;
	expect_nothing(tell_transfer, beside);
	input->census.cr_due = beside->census.cr_due = (struct due){ 15, 16 };
	expect(tell_transfer, input, KIND_CR_REMOVED);
	expect_nothing(tell_transfer, beside);
	/* many more bytes are missing than a transfer takes */
	input->extent = (struct extent){ .needs = SIZE + SIZE / 16 };
	expect(tell_transfer, input, KIND_CR_REMOVED);
	input->extent.needs++;
	expect_nothing(tell_transfer, input);
}

static void the_highest_bit_is_lost(void **state)
{
	(void)state;
	make_binary(input);
	make_binary(beside);
	input->census.n_high = beside->census.n_high = 0;
	beside->census.n_control_kinds = 26;
	expect(tell_transfer, input, KIND_SEVEN_BITS);
	expect(tell_transfer, beside, KIND_SEVEN_BITS);
	beside->census.n_control_kinds--;
	expect_nothing(tell_transfer, beside);
}

/* ---- What lies beside ------------------------------------------------------------------------ */

static void foreign_blocks_are_known(void **state)
{
	struct extent *x = &beside->extent;

	(void)state;
	*x = (struct extent){ .needs = SIZE, .is_end = true, .n_places = 16, .n_unlike = 14 };
	assert_true(beside_has_foreign_blocks(beside));
	x->n_moved = 3;
	assert_true(beside_has_foreign_blocks(beside));
	x->n_moved = 4; /* they only lie elsewhere */
	assert_false(beside_has_foreign_blocks(beside));
	x->n_moved = 0;
	x->n_unlike = 8; /* half are enough if the length is another */
	assert_false(beside_has_foreign_blocks(beside));
	x->needs = SIZE + 1;
	assert_true(beside_has_foreign_blocks(beside));
	x->n_unlike = 7;
	assert_false(beside_has_foreign_blocks(beside));
	*x = (struct extent){ .n_places = 3, .n_unlike = 3 };
	assert_false(beside_has_foreign_blocks(beside));
}

/* Blocks that begin as they should, but earlier by what is missing. */
static void what_was_lost_before_its_blocks_is_told(void **state)
{
	struct extent *x = &beside->extent;

	(void)state;
	*x = (struct extent){ .needs = SIZE + 7, .n_places = 4, .n_unlike = 3, .n_moved = 2 };
	expect(tell_shorter, beside, KIND_MOVED);
	x->n_moved = 1;
	expect(tell_shorter, beside, KIND_TRUNCATED_BY);
	*x = (struct extent){ .needs = SIZE + 7, .n_places = 4, .n_unlike = 2, .n_moved = 2 };
	expect(tell_shorter, beside, KIND_TRUNCATED_BY);
	*x = (struct extent){ .needs = SIZE + 7, .n_places = 3, .n_unlike = 3, .n_moved = 3 };
	expect(tell_shorter, beside, KIND_TRUNCATED_BY);
	*x = (struct extent){ .n_surplus = 7 };
	expect(tell_surplus, beside, KIND_SURPLUS);
	x->n_surplus = 0;
	expect_nothing(tell_surplus, beside);
}

static void a_foreign_file_is_so_from_its_beginning(void **state)
{
	struct extent *x = &beside->extent;

	(void)state;
	*x = (struct extent){ .n_compared = 8, .n_differ = 7, .n_same = 1 };
	assert_true(beside_is_foreign_at_once(beside));
	x->n_before = 1;
	assert_false(beside_is_foreign_at_once(beside));
	x->n_before = 0;
	beside->census.most_zeros.len = SIZE / 2;
	assert_true(beside_is_foreign_at_once(beside));
	beside->census.most_zeros.len++;
	assert_false(beside_is_foreign_at_once(beside));
	beside->census.most_zeros.len = 0;
	x->n_places = 4;
	x->n_unlike = 2;
	assert_false(beside_is_foreign_at_once(beside));
	x->n_unlike = 3;
	assert_true(beside_is_foreign_at_once(beside));
	assert_true(beside_is_contradicted(beside));
	*x = (struct extent){ .n_compared = 1, .n_differ = 1 };
	assert_false(beside_is_foreign(beside));
}

/* The folder of the container has these names, and each file the bytes of the .ucas. */
static const char *const *listed;
static bool opens_all;

static enum companion_state open_beside(void *ctx, const char *name, void *room,
					struct source_io *out)
{
	static struct source s;

	(void)ctx;
	(void)name;
	(void)room;
	s = made.sources[1];
	*out = s.io;
	return opens_all ? COMPANION_OPEN : COMPANION_ABSENT;
}

static void close_beside(void *ctx, const struct source_io *io)
{
	(void)ctx;
	(void)io;
}

static bool read_beside(void *ctx, uint64_t at, void *buf, size_t len, size_t *n_read)
{
	(void)ctx;
	*n_read = at < SIZE ? (len < SIZE - at ? len : (size_t)(SIZE - at)) : 0;
	memcpy(buf, made.bytes[1] + at, *n_read);
	return true;
}

static size_t list_beside(void *ctx, const char *ending, char names[][SPELLING_SIZE], size_t max)
{
	size_t n = 0;

	(void)ctx;
	(void)ending;
	for (; listed && listed[n]; n++)
		if (n < max)
			strcpy(names[n], listed[n]);
	return n;
}

static void make_siblings(bool opens)
{
	opens_all = opens;
	listed = NULL;
	made.siblings = (struct siblings){ open_beside, close_beside, NULL, list_beside, NULL };
	made.sources[1].io = (struct source_io){ .read_at = read_beside, .size = SIZE };
	made.decode.siblings = &made.siblings;
}

/* A .utoc that is missing is named only if the folder can be looked at and has no other. */
static void a_container_is_missed(void **state)
{
	static const char *const others[] = { "b.utoc", NULL };

	(void)state;
	made.patient.format = NULL;
	made.sources[0].name = "mods/a_s1.ucas";
	expect_nothing(tell_missing, input);
	make_siblings(false);
	expect_refusal(tell_missing, input, KIND_MISSING);
	assert_memory_equal(made.out.args[0].text, "a.utoc", 6);
	made.lost = true; /* what was lost before stays so */
	assert_string_equal(beside_missing_container(&made.patient), "a.utoc");
	assert_true(made.lost);
	made.lost = false;
	listed = others;
	expect_nothing(tell_missing, input);
	made.siblings.list = NULL;
	expect_nothing(tell_missing, input);
	make_siblings(true);
	expect_nothing(tell_missing, input);
}

static void names_that_are_too_long_are_not_asked_for(void **state)
{
	static char name[2 * SPELLING_SIZE];

	(void)state;
	memset(name, 'n', sizeof name - 6);
	memcpy(name + sizeof name - 6, ".utoc", 6);
	make_siblings(true);
	memcpy(made.bytes[1], "-==--==--==--==-", 16);
	made.e.signs = 1u << SIGN_OTHER_FILE;
	expect_refusal(tell_exchanged, input, KIND_EXCHANGED);
	made.sources[0].name = name + sizeof name - SPELLING_SIZE;
	expect(tell_exchanged, input, KIND_EXCHANGED);
	made.sources[0].name--;
	expect_nothing(tell_exchanged, input);
	made.sources[0].name++;
	made.sources[0].role = SOURCE_MEMBER;
	expect_refusal(tell_exchanged, input, KIND_EXCHANGED);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static void words_need_memory(void **state)
{
	(void)state;
	beside->extent = (struct extent){ .n_places = 4, .n_unlike = 4 };
	expect_refusal(tell_foreign, beside, KIND_FOREIGN_BLOCKS);
	beside->extent = (struct extent){ .is_changed = true };
	expect_refusal(tell_changed, beside, KIND_DECOMPRESSES_TO_OTHER);
	beside->extent = (struct extent){ .needs = 0 };
	beside->census.head_zeros = SIZE;
	expect_refusal(tell_all_zeros, beside, KIND_ALL_ZEROS);
	beside->census.head_zeros = 0;
	beside->n_probes = 1;
	beside->probes[0].zeros = (struct span){ 4096, 512 };
	expect_refusal(tell_zeros, beside, KIND_ZEROS);
	beside->census.n_controls = 16;
	beside->census.n_lines = 24;
	expect_refusal(tell_transfer, beside, KIND_PAIRS_REMOVED);
	make_binary(beside);
	beside->census.n_questions = 32;
	expect_refusal(tell_reencoded, beside, KIND_QUESTIONS);
	beside->census.is_utf8 = true;
	beside->census.n_sequences = 8;
	expect_refusal(tell_reencoded, beside, KIND_REENCODED);
}

/* A file that lies in another has a name to keep, too. */
static void members_are_named(void **state)
{
	(void)state;
	made.sources[0].role = SOURCE_MEMBER;
	made.sources[0].name = "mods/b.umod!a.utoc";
	made.e.signs = 1u << SIGN_OTHER_FILE;
	memcpy(made.bytes[0] + 7, "-==--==--==--==-", 16);
	expect_refusal(tell_prefixed, input, KIND_PREFIXED);
	assert_int_equal(made.out.args[0].text_len, 6);
	assert_memory_equal(made.out.args[0].text, "a.utoc", 6);
	memcpy(made.bytes[0], "HTTP/1.", 7);
	expect_refusal(tell_other_format, input, KIND_WRAPPED);
}

static bool ask_findings(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	(void)part;
	return tell_findings(e, out);
}

static void packers_are_named(void **state)
{
	static const char *const words[] = { "UnrealReZen", "UEcastoc", "UnrealReZen or UEcastoc" };

	(void)state;
	made.e.n_errors = 1;
	made.e.packer_alone = true;
	for (unsigned packers = 1; packers <= 3; packers++) {
		made.e.packers = packers;
		expect(ask_findings, input, KIND_REPACKED);
		assert_string_equal(made.out.args[1].word, words[packers - 1]);
	}
	made.sources[0].role = SOURCE_MEMBER;
	expect_refusal(ask_findings, input, KIND_REPACKED);
}

/* ---- What they excuse ------------------------------------------------------------------------ */

/* A finding in a file that lies in the input is excused by what became of the input, and not by
 * what became of a file beside it. */
static void what_lies_within_is_excused_by_its_own(void **state)
{
	static const struct diagnosis_kind all = { .id = "truncated", .explains = EXPLAINS_ALL };
	const struct diagnosis of_input = { .kind = &all },
			       of_companion = { .kind = &all, .groups = BIT(4) };
	const struct rule rule = { .class = CLASS_SECURITY, .needs = BIT(4) };
	struct report outer = { .diagnosis = &of_companion }, within = { .parent = &outer };

	(void)state;
	assert_int_equal(report_class(&outer, &rule), CLASS_CORRUPTION);
	assert_int_equal(report_class(&within, &rule), CLASS_SECURITY);
	outer.diagnosis = &of_input;
	assert_int_equal(report_class(&within, &rule), CLASS_CORRUPTION);
}

#define T(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(zeros_of_a_summed_file_are_a_hole_if_many),
		T(zeros_in_front_are_those_of_the_input),
		T(warnings_in_one_hole_are_no_accident),
		T(zeros_of_hashed_bytes_are_a_hole),
		T(one_character_of_utf8_needs_a_binary_file),
		T(a_text_is_longer_than_what_it_was),
		T(carriage_returns_are_due),
		T(the_highest_bit_is_lost),
		T(foreign_blocks_are_known),
		T(what_was_lost_before_its_blocks_is_told),
		T(a_foreign_file_is_so_from_its_beginning),
		T(a_container_is_missed),
		T(names_that_are_too_long_are_not_asked_for),
		T(words_need_memory),
		T(members_are_named),
		T(packers_are_named),
		T(what_lies_within_is_excused_by_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
