/* Tests of what is found in the folder of a container: a file that is missing under another name,
 * and whose a file is. */
#include "diagnosis/beside.h"
#include "diagnosis/tell.h"
#include "unit.h"

enum { NEEDS = 1000 };

/* A file of the folder. */
struct file {
	const char *name;
	uint64_t size;
	enum likeness like;
};

static struct {
	struct fault_memory memory, of_words;
	struct arena arena, words;
	struct decode decode;
	struct source source;
	struct siblings siblings;
	const struct file *files;
	struct format format;
	struct patient patient;
	struct evidence e;
	bool lost;
	/* what the other containers say: how long the file is, and how many chunks are right */
	struct extent theirs;
	bool is_interrupted;
	unsigned n_open;
} made;

/* ---- The folder ------------------------------------------------------------------------------ */

static const struct file *file_of(const char *name)
{
	const struct file *f = made.files;

	while (f->name && strcmp(f->name, name) != 0)
		f++;
	return f->name ? f : NULL;
}

static bool read_zeros(void *ctx, uint64_t at, void *buf, size_t len, size_t *n_read)
{
	(void)ctx;
	(void)at;
	memset(buf, 0, len);
	*n_read = len;
	return true;
}

static enum companion_state open_file(void *ctx, const char *name, void *room,
				      struct source_io *out)
{
	const struct file *f = file_of(name);

	(void)ctx;
	(void)room;
	if (!f)
		return COMPANION_ABSENT;
	*out = (struct source_io){ .read_at = read_zeros, .size = f->size };
	made.n_open++;
	return COMPANION_OPEN;
}

static void close_file(void *ctx, const struct source_io *io)
{
	(void)ctx;
	(void)io;
	made.n_open--;
}

/* Gives all that have the ending, and those of which a test says so by no ending at all. */
static size_t list_files(void *ctx, const char *ending, char names[][SPELLING_SIZE], size_t max)
{
	size_t n = 0;

	(void)ctx;
	for (const struct file *f = made.files; f->name; f++) {
		if (strchr(f->name, '.') && !strstr(f->name, ending))
			continue;
		if (n < max)
			strcpy(names[n], f->name);
		n++;
	}
	return n;
}

static enum likeness like(struct source *s, const char *name)
{
	(void)name;
	return file_of(s->name)->like;
}

static void give_extent(const void *facts, const struct decode *d, uint32_t file,
			struct extent *out)
{
	(void)file;
	*out = facts == d ? made.theirs : (struct extent){ .needs = NEEDS, .is_end = true };
}

/* The tables of another container speak of three files, of which one is absent. */
static const void *decode_other(struct decode *d)
{
	static const char *const names[] = { "a.ucas", "other.ucas", "a.ucas" };
	static struct companion list[LENGTH(names)];

	if (made.is_interrupted)
		d->work.interrupted = INTERRUPTED_CANCELLED;
	for (uint32_t i = 0; i < LENGTH(names); i++) {
		list[i] = (struct companion){ .name = names[i],
					      .state = i == 0 ? COMPANION_ABSENT : COMPANION_OPEN,
					      .number = i + 1,
					      .source.io.size = NEEDS };
		list[i].next = i + 1 < LENGTH(names) ? &list[i + 1] : NULL;
	}
	made.n_open += 2;
	d->companions = list;
	return d;
}

static int set_up(void **state)
{
	static const struct file none[] = { { NULL, 0, LIKE_NOTHING } };

	(void)state;
	memset(&made, 0, sizeof made);
	made.files = none;
	made.arena = unit_arena(&made.memory, UNIT_PLENTY);
	made.words = unit_arena(&made.of_words, UNIT_PLENTY);
	made.words.chunk_len = 1;
	made.siblings = (struct siblings){ open_file, close_file, NULL, list_files, NULL };
	made.format = (struct format){
		.name = "utoc", .extent = give_extent, .likeness = like, .decode = decode_other
	};
	source_init_memory(&made.source, (const uint8_t *)"", 0, "mods/a.utoc", &made.arena);
	made.decode = (struct decode){ .source = &made.source,
				       .arena = &made.arena,
				       .level = LEVEL_CONTENT,
				       .siblings = &made.siblings };
	made.patient = (struct patient){ .decode = &made.decode,
					 .format = &made.format,
					 .facts = &made,
					 .arena = &made.words,
					 .lost = &made.lost };
	made.e.patient = &made.patient;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	arena_free(&made.arena);
	arena_free(&made.words);
	return made.n_open + made.memory.n_live + made.of_words.n_live != 0;
}

/* ---- Another name ---------------------------------------------------------------------------- */

/* The file that the missing .ucas may be; NULL: none. */
static const char *renamed(const struct file *files, bool *is_unfinished)
{
	static const struct companion missing = { .name = "a.ucas",
						  .state = COMPANION_ABSENT,
						  .number = 1 };

	made.files = files;
	return beside_renamed(&made.e, &missing, is_unfinished);
}

static void names_are_what_programs_make_of_them(void **state)
{
	static const struct file copy[] = { { "a (1).ucas", NEEDS, LIKE_KIND }, { NULL, 0, 0 } },
				 part[] = { { "a.ucas.part", NEEDS - 1, LIKE_KIND },
					    { NULL, 0, 0 } },
				 longer[] = { { "a.ucas.part", NEEDS + 16, LIKE_KIND },
					      { NULL, 0, 0 } },
				 both[] = { { "a (1).ucas", NEEDS, LIKE_KIND },
					    { "a.ucas.part", NEEDS - 1, LIKE_KIND },
					    { NULL, 0, 0 } };
	bool is_unfinished;

	(void)state;
	assert_string_equal(renamed(copy, &is_unfinished), "a (1).ucas");
	assert_false(is_unfinished);
	assert_string_equal(renamed(part, &is_unfinished), "a.ucas.part");
	assert_true(is_unfinished);
	assert_null(renamed(longer, &is_unfinished)); /* no download is longer than its file */
	assert_string_equal(renamed(both, &is_unfinished), "a (1).ucas");
	assert_false(is_unfinished);
}

/* A file without a stem, or without an ending, has no container that could miss it. */
static void other_files_need_a_name(void **state)
{
	static const struct file named[] = { { "b.ucas", NEEDS, LIKE_KIND }, { NULL, 0, 0 } },
				 nameless[] = { { ".ucas", NEEDS, LIKE_KIND }, { NULL, 0, 0 } },
				 endless[] = { { "ucas", NEEDS, LIKE_KIND }, { NULL, 0, 0 } },
				 taken[] = { { "b.ucas", NEEDS, LIKE_KIND },
					     { "b.utoc", 1, LIKE_KIND },
					     { NULL, 0, 0 } };
	bool is_unfinished;

	(void)state;
	assert_string_equal(renamed(named, &is_unfinished), "b.ucas");
	assert_null(renamed(nameless, &is_unfinished));
	assert_null(renamed(endless, &is_unfinished));
	assert_null(renamed(taken, &is_unfinished));
}

static void looking_for_names_needs_memory(void **state)
{
	static const struct file named[] = { { "b.ucas", NEEDS, LIKE_KIND }, { NULL, 0, 0 } };
	bool is_unfinished, is_refused = true;
	size_t n = 0;

	(void)state;
	for (; is_refused; n++) {
		const char *name;

		arena_free(&made.words);
		made.of_words = (struct fault_memory){ .fail_at = n + 1 };
		made.lost = false;
		name = renamed(named, &is_unfinished);
		is_refused = made.of_words.n_asked > n;
		assert_int_equal(made.lost, is_refused);
		assert_true(name || is_refused);
	}
	assert_true(n > 12); /* a name for each way to spoil one, and the list */
	made.of_words.fail_at = 0;
}

/* ---- Another owner --------------------------------------------------------------------------- */

static const struct file containers[] = { { "a.utoc", 0, LIKE_KIND },
					  { "b.utoc", 1, LIKE_KIND },
					  { NULL, 0, 0 } };

/* The container to which the file beside the input belongs. */
static const char *owner(uint64_t *n_same)
{
	static struct source s;
	struct part *part = &made.e.parts[0];

	s = (struct source){ .name = "a.ucas", .number = 1, .io.size = NEEDS };
	*part = (struct part){ .source = &s, .extent = { .needs = NEEDS + 100, .is_end = true } };
	made.e.n_parts = 1;
	made.files = containers;
	return beside_owner(&made.e, part, n_same);
}

static void a_file_is_known_by_its_length_and_chunks(void **state)
{
	uint64_t n_same = 0;

	(void)state;
	made.theirs = (struct extent){ .needs = NEEDS, .is_end = true, .n_same = 7 };
	assert_string_equal(owner(&n_same), "b.utoc");
	assert_int_equal(n_same, 7);
	made.theirs.n_differ = 1;
	assert_null(owner(&n_same));
	made.theirs = (struct extent){ .needs = NEEDS + 1, .is_end = true, .n_same = 7 };
	assert_null(owner(&n_same));
}

/* Each name that is told needs memory: of the file, and of what it is or belongs to. */
static void names_that_are_told_need_memory(void **state)
{
	static const struct file named[] = { { "a (1).ucas", NEEDS, LIKE_KIND }, { NULL, 0, 0 } };
	static const uint8_t name[] = "a.ucas";
	static struct companion missing = { .name = "a.ucas",
					    .state = COMPANION_ABSENT,
					    .number = 1 };
	static const struct rule rule = { .sign = SIGN_ABSENT_FILE };
	static const struct rule *const rules[] = { &rule };
	struct finding finding = { .args = { { .kind = ARG_TEXT, .text = name, .text_len = 6 } },
				   .n_args = 1 };
	struct rule_result own = { .status = RULE_FAIL, .first = &finding, .last = &finding };
	struct results_notes notes = { .own = &own };
	uint8_t status[] = { RULE_FAIL }, why[1];
	const struct results results = { status, why, &notes };
	struct diagnosis out;

	(void)state;
	made.patient.rules = rules;
	made.patient.n_rules = 1;
	made.patient.results = &results;
	made.decode.companions = &missing;
	made.e.signs = 1u << SIGN_ABSENT_FILE;
	made.theirs = (struct extent){ .needs = NEEDS, .is_end = true, .n_same = 7 };
	for (int is_owner = 0; is_owner < 2; is_owner++) {
		bool is_told = false;
		uint64_t n_same, at = 0;

		for (; !is_told; at++) {
			arena_free(&made.words);
			made.of_words = (struct fault_memory){ .fail_at = at + 1 };
			made.lost = false;
			(void)owner(&n_same); /* makes the part */
			made.files = is_owner ? containers : named;
			if (!is_owner)
				made.e.parts[0].source = &made.source;
			is_told = (is_owner ? tell_swapped : tell_missing)(&made.e,
									   &made.e.parts[0], &out);
			assert_int_equal(made.lost, made.of_words.n_asked > at);
			is_told = is_told && !made.lost;
		}
		assert_ptr_equal(out.kind, tell_kind(is_owner ? KIND_SWAPPED : KIND_RENAMED));
		assert_true(at > 2);
		made.of_words.fail_at = 0;
	}
}

static void who_is_interrupted_says_nothing(void **state)
{
	uint64_t n_same = 0;

	(void)state;
	made.theirs = (struct extent){ .needs = NEEDS, .is_end = true, .n_same = 7 };
	made.is_interrupted = true;
	assert_null(owner(&n_same));
	assert_int_equal(made.decode.work.interrupted, INTERRUPTED_CANCELLED);
	/* nor is any other container opened then */
	made.is_interrupted = false;
	assert_null(owner(&n_same));
}

#define T(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(names_are_what_programs_make_of_them),
		T(other_files_need_a_name),
		T(looking_for_names_needs_memory),
		T(a_file_is_known_by_its_length_and_chunks),
		T(names_that_are_told_need_memory),
		T(who_is_interrupted_says_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
