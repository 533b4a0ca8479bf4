/* Tests that memory is given back: by commands, however they end, and by what hosts make and
 * free. The linker counts what is taken, so that no sanitizer is needed to see what is not. */
#define _GNU_SOURCE 1

#include <fcntl.h>
#include <stdatomic.h>

#include "build.h"
#include "cli/commands.h"
#include "quiet.h"
#include "scratch.h"

static atomic_int n_live; /* what was taken and not given back */

static void *take(void *p)
{
	atomic_fetch_add(&n_live, p != NULL);
	return p;
}

static void give_back(const void *p)
{
	atomic_fetch_sub(&n_live, p != NULL);
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
	return take(__real_malloc(size));
}

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size)
{
	return take(__real_calloc(n, size));
}

void *__real_realloc(void *p, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_realloc(void *p, size_t size)
{
	void *bigger = __real_realloc(p, size);

	return p ? bigger : take(bigger);
}

void __real_free(void *p);
void __wrap_free(void *p);
void __wrap_free(void *p)
{
	give_back(p);
	__real_free(p);
}

/* Large blocks do not come from malloc. */
void *__real_platform_alloc(void *ctx, size_t size);
void *__wrap_platform_alloc(void *ctx, size_t size);
void *__wrap_platform_alloc(void *ctx, size_t size)
{
	return take(__real_platform_alloc(ctx, size));
}

void __real_platform_release(void *ctx, void *p, size_t size);
void __wrap_platform_release(void *ctx, void *p, size_t size);
void __wrap_platform_release(void *ctx, void *p, size_t size)
{
	give_back(p);
	__real_platform_release(ctx, p, size);
}

/* ---- Commands -------------------------------------------------------------------------------- */

static int begin(void **state)
{
	static struct build good;
	FILE *f = fopen("good.umod", "wb");

	(void)state;
	build_good(&good);
	if (!f || fwrite(good.bytes, 1, good.n, f) != good.n || fclose(f) != 0)
		return -1;
	assert_int_equal(mkdir("folder", 0700), 0);
	scratch_write("folder/one.umod", "text");
	scratch_write("folder/other.txt", "text");
	scratch_write("keys",
		      "0x0101010101010101010101010101010101010101010101010101010101010101\n");
	f = fopen("list", "wb");
	return !f || fwrite("good.umod\0absent.umod", 1, 22, f) != 22 || fclose(f) != 0;
}

static int end(void **state)
{
	static const char *const names[] = { "folder/one.umod", "folder/other.txt", "good.umod",
					     "keys", "list" };

	(void)state;
	for (size_t i = 0; i < LENGTH(names); i++)
		unlink(names[i]);
	unlink("out");
	return rmdir("folder");
}

enum { WORDS_MAX = 16 };

static int run(const char *const *words)
{
	char *argv[WORDS_MAX + 1] = { NULL };
	int n = 0;

	for (; words[n]; n++)
		argv[n] = (char *)(uintptr_t)words[n];
	return program_run(n, argv);
}

static void commands_give_all_back(void **state)
{
	static const struct {
		int code;
		const char *words[WORDS_MAX + 1];
	} rows[] = {
		{ 0, { "uvet", "good.umod", "-f", "json=out" } },
		{ 0,
		  { "uvet", "good.umod", "good.umod", "-j", "3", "-f", "json=out", "--aes-key-file",
		    "keys" } },
		{ 1,
		  { "uvet", "-r", "-j", "2", "-q", "-f", "json=out", "-f", "text=out2",
		    "--files0-from", "list", "folder" } },
		{ 4,
		  { "uvet", "-r", "-f", "json=out", "folder", "good.umod", "--max-memory",
		    "2000" } },
		{ 3, { "uvet", "-f", "json=out", "--files0-from", "absent" } },
		{ 3, { "uvet", "--levels" } },
		{ 0, { "uvet", "version" } },
		{ 0, { "uvet", "explain", "UMD001" } },
		{ 0, { "uvet", "rules" } },
		{ 0, { "uvet", "help" } },
		{ 3, { "uvet", "-f", "json=out", "good.umod", "--aes-key-file", "list" } },
		{ 3, { "uvet", "-f", "json=folder", "-f", "text=out2", "--files0-from", "list" } },
		{ 0, { "uvet", "map", "good.umod" } },
		{ 0, { "uvet", "info", "good.umod", "-f", "json" } },
		{ 2, { "uvet", "info", "absent" } },
	};
	int codes[LENGTH(rows)], live[LENGTH(rows)];

	(void)state;
	quiet_begin();
	for (size_t i = 0; i < LENGTH(rows); i++) {
		live[i] = -atomic_load(&n_live);
		codes[i] = run(rows[i].words);
		live[i] += atomic_load(&n_live);
	}
	quiet_end();
	unlink("out2");
	for (size_t i = 0; i < LENGTH(rows); i++) {
		if (codes[i] != rows[i].code || live[i] != 0)
			fail_msg("row %zu ends with %d and leaves %d", i, codes[i], live[i]);
	}
}

/* ---- The library ----------------------------------------------------------------------------- */

static void hosts_give_all_back(void **state)
{
	const int before = atomic_load(&n_live);
	uvet_cancellation *cancellation;
	uvet_hooks hooks = UVET_HOOKS_INIT;
	uvet_options *options;
	uvet_engine *engine;
	uvet_report *report;
	uvet_writer *writer;

	(void)state;
	assert_int_equal(uvet_options_new(&options), UVET_OK);
	assert_int_equal(uvet_engine_new(options, &engine), UVET_OK);
	assert_int_equal(uvet_cancellation_new(&cancellation), UVET_OK);
	hooks.cancellation = cancellation;
	assert_int_equal(uvet_check_path(engine, "good.umod", &hooks, &report), UVET_OK);
	assert_int_equal(uvet_writer_new(engine, &writer), UVET_OK);
	assert_int_equal(uvet_writer_add(writer, report), UVET_OK);
	assert_true(atomic_load(&n_live) >= before + 5);
	uvet_writer_free(writer);
	uvet_report_free(report);
	uvet_cancellation_free(cancellation);
	uvet_engine_free(engine);
	uvet_options_free(options);
	assert_int_equal(atomic_load(&n_live), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(commands_give_all_back, begin, end),
		cmocka_unit_test_setup_teardown(hosts_give_all_back, begin, end),
	};

	return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
