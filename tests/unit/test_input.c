/* Tests of inputs as hosts give them: the files beside them, and who closes what. */
#include <stdio.h>

#include "api/api.h"
#include "unit.h"

static struct host {
	struct fault_input file;
	int answer;
	bool is_empty; /* it says that it opened a file, and has no function to read it */
	unsigned n_closed;
	const char *asked;
} host;

static void close_file(void *ctx)
{
	assert_ptr_equal(ctx, &host.file);
	host.n_closed++;
}

static int open_file(void *ctx, const char *name, uvet_io *out)
{
	assert_ptr_equal(ctx, &host);
	assert_null(out->close);
	host.asked = name;
	if (host.is_empty)
		return host.answer;
	*out = (uvet_io){ .read_at = fault_read_at,
			  .unchanged = fault_unchanged,
			  .ctx = &host.file,
			  .size = host.file.size,
			  .close = close_file };
	return host.answer;
}

static int read_nothing(void *ctx, uint64_t at, void *buf, size_t len, size_t *n_read)
{
	(void)ctx;
	(void)at;
	(void)buf;
	(void)len;
	*n_read = 0;
	return 0;
}

static int begin(void **state)
{
	(void)state;
	host = (struct host){ .file = { .bytes = (const uint8_t *)"beside", .size = 6 } };
	return 0;
}

static _Alignas(max_align_t) unsigned char room[COMPANION_ROOM];

static void a_host_opens_and_closes(void **state)
{
	const uvet_io io = {
		.struct_size = sizeof(uvet_io),
		.read_at = read_nothing,
		.ctx = &host,
		.open_sibling = open_file,
		.close = close_file,
	};
	struct api_input input;
	struct source_io opened;
	uint8_t got[8];
	size_t n;

	(void)state;
	api_input_of_io(&input, "a.umod", &io);
	assert_int_equal(input.in.siblings->open(input.in.siblings->ctx, "b.bin", room, &opened),
			 COMPANION_OPEN);
	assert_string_equal(host.asked, "b.bin");
	assert_int_equal(opened.size, 6);
	assert_true(opened.read_at(opened.ctx, 2, got, sizeof got, &n));
	assert_int_equal(n, 4);
	assert_memory_equal(got, "side", 4);
	assert_true(opened.unchanged(opened.ctx));
	host.file.changed = true;
	assert_false(opened.unchanged(opened.ctx));
	assert_int_equal(host.n_closed, 0);
	input.in.siblings->close(input.in.siblings->ctx, &opened);
	assert_int_equal(host.n_closed, 1);
}

static void a_host_says_why_not(void **state)
{
	static const struct {
		int answer;
		bool is_empty;
		enum companion_state state;
	} cases[] = {
		{ UVET_SIBLING_ABSENT, true, COMPANION_ABSENT },
		{ UVET_SIBLING_ABSENT, false, COMPANION_ABSENT },
		{ UVET_SIBLING_UNREADABLE, true, COMPANION_UNREADABLE },
		{ UVET_SIBLING_CROWDED, true, COMPANION_CROWDED },
		{ UVET_SIBLING_SPELT_OTHERWISE, true, COMPANION_UNREADABLE },
		{ -1, true, COMPANION_UNREADABLE },
		{ UVET_SIBLING_OPEN, true, COMPANION_UNREADABLE },
	};
	const uvet_io io = { .struct_size = sizeof(uvet_io),
			     .read_at = read_nothing,
			     .ctx = &host,
			     .open_sibling = open_file };
	struct api_input input;
	struct source_io opened;

	(void)state;
	api_input_of_io(&input, "a.umod", &io);
	for (size_t i = 0; i < LENGTH(cases); i++) {
		host.answer = cases[i].answer;
		host.is_empty = cases[i].is_empty;
		assert_int_equal(
			input.in.siblings->open(input.in.siblings->ctx, "b", room, &opened),
			cases[i].state);
	}
	assert_int_equal(host.n_closed, 0);
}

static int find_file(void *ctx, const char *name, char spelling[UVET_SPELLING_SIZE])
{
	assert_ptr_equal(ctx, &host);
	assert_string_equal(name, "b");
	memcpy(spelling, "B", 2);
	return host.answer;
}

static void a_host_knows_other_spellings(void **state)
{
	static const struct {
		int answer;
		enum companion_state state;
	} cases[] = {
		{ UVET_SIBLING_SPELT_OTHERWISE, COMPANION_OPEN },
		{ UVET_SIBLING_ABSENT, COMPANION_ABSENT },
		{ UVET_SIBLING_CROWDED, COMPANION_CROWDED },
		{ UVET_SIBLING_UNREADABLE, COMPANION_UNREADABLE },
		{ UVET_SIBLING_OPEN, COMPANION_UNREADABLE },
		{ -1, COMPANION_UNREADABLE },
	};
	const uvet_io blind = { .struct_size = sizeof(uvet_io),
				.read_at = read_nothing,
				.ctx = &host,
				.open_sibling = open_file };
	uvet_io io = blind;
	struct api_input input;
	char spelling[SPELLING_SIZE];

	(void)state;
	api_input_of_io(&input, "a.umod", &blind);
	assert_null(input.in.siblings->find);
	io.find_sibling = find_file;
	api_input_of_io(&input, "a.umod", &io);
	for (size_t i = 0; i < LENGTH(cases); i++) {
		host.answer = cases[i].answer;
		assert_int_equal(input.in.siblings->find(input.in.siblings->ctx, "b", spelling),
				 cases[i].state);
		assert_string_equal(spelling, "B");
	}
}

/* What a host lists, and how many names it says there are. */
static const struct {
	const char *names[4];
	size_t n, kept;
	const char *first;
} lists[] = {
	{ { "a.ucas", "b.UCAS" }, 2, 2, "a.ucas" },
	{ { "nodot", "", "b.ucas", "c.pak" }, 4, 1, "b.ucas" },
	{ { ".ucas", "d/e.ucas", "d\\e.ucas", "d:e.ucas" }, 4, 0, "" },
	{ { NULL }, 3, 0, "" }, /* it fills in none of them */
	{ { "a.ucas" }, 1, 1, "a.ucas" },
	{ { "a.ucas", "nodot" },
	  SIZE_MAX,
	  SIZE_MAX - 3,
	  "a.ucas" }, /* more than there is room for */
};
static size_t list_at; /* LENGTH(lists): names without a NUL */

static size_t list_files(void *ctx, const char *ending, char names[][UVET_SPELLING_SIZE],
			 size_t max)
{
	assert_ptr_equal(ctx, &host);
	assert_string_equal(ending, ".ucas");
	assert_int_equal(max, 4);
	if (list_at == LENGTH(lists)) {
		memset(names, 'x', max * sizeof *names);
		return max;
	}
	for (size_t i = 0; i < max && lists[list_at].names[i]; i++)
		memcpy(names[i], lists[list_at].names[i], strlen(lists[list_at].names[i]) + 1);
	return lists[list_at].n;
}

/* What is no name of a file of that kind in the folder does not come through. */
static void a_host_lists_anything(void **state)
{
	const uvet_io io = { .struct_size = sizeof(uvet_io),
			     .read_at = read_nothing,
			     .ctx = &host,
			     .open_sibling = open_file,
			     .list_siblings = list_files };
	struct api_input input;
	char names[4][SPELLING_SIZE];

	(void)state;
	api_input_of_io(&input, "a.utoc", &io);
	for (list_at = 0; list_at < LENGTH(lists); list_at++) {
		assert_int_equal(input.in.siblings->list(input.in.siblings->ctx, ".ucas", names, 4),
				 lists[list_at].kept);
		if (lists[list_at].kept > 0)
			assert_string_equal(names[0], lists[list_at].first);
	}
	assert_int_equal(input.in.siblings->list(input.in.siblings->ctx, ".ucas", names, 4), 0);
}

static void some_hosts_have_none(void **state)
{
	const uvet_io io = { .struct_size = sizeof(uvet_io), .read_at = read_nothing };
	const uvet_io opens = { .struct_size = sizeof(uvet_io),
				.read_at = read_nothing,
				.ctx = &host,
				.open_sibling = open_file };
	struct api_input input;

	(void)state;
	api_input_of_io(&input, "a.umod", &io);
	assert_null(input.in.siblings);
	assert_null(input.in.io.unchanged);
	api_input_of_io(&input, "folder/a.umod", &opens);
	assert_non_null(input.in.siblings);
	/* a folder where the system says so, else a name */
	api_input_of_io(&input, "folder\\a.umod", &opens);
	assert_int_equal(input.in.siblings != NULL, platform_folder_len("folder\\a.umod") > 0);
	api_input_of_io(&input, "a.umod", NULL);
	assert_true(input.in.unreadable);
	assert_null(input.in.siblings);
	api_input_of_path(&input, "no/such/file.umod");
	assert_true(input.in.unreadable);
	assert_null(input.in.siblings);
	api_input_close(&input);
}

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(name, "wb");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void paths_have_a_folder(void **state)
{
	struct api_input input;
	struct source_io opened;
	uint8_t got[8];
	size_t n;

	(void)state;
	write_file("test_input.one", "input");
	write_file("test_input.two", "beside");
	api_input_of_path(&input, "test_input.one");
	assert_int_equal(input.in.io.size, 5);
	assert_int_equal(
		input.in.siblings->open(input.in.siblings->ctx, "test_input.two", room, &opened),
		COMPANION_OPEN);
	assert_true(opened.read_at(opened.ctx, 0, got, sizeof got, &n));
	assert_int_equal(n, 6);
	input.in.siblings->close(input.in.siblings->ctx, &opened);
	assert_int_equal(
		input.in.siblings->open(input.in.siblings->ctx, "test_input.three", room, &opened),
		COMPANION_ABSENT);
	assert_int_equal(input.in.siblings->open(input.in.siblings->ctx, ".", room, &opened),
			 COMPANION_UNREADABLE);
	api_input_close(&input);
	remove("test_input.one");
	remove("test_input.two");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_host_opens_and_closes, begin),
		cmocka_unit_test_setup(a_host_says_why_not, begin),
		cmocka_unit_test_setup(a_host_knows_other_spellings, begin),
		cmocka_unit_test_setup(a_host_lists_anything, begin),
		cmocka_unit_test_setup(some_hosts_have_none, begin),
		cmocka_unit_test_setup(paths_have_a_folder, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
