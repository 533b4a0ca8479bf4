/* Tests of what a POSIX system has for us, and may refuse: memory, libraries and processors. */
#define _GNU_SOURCE 1
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

#include "api/api.h"
#include "cli/oodle.h"
#include "scratch.h"
#include "system.h"

/* ---- Memory ------------------------------------------------------------------------------- */

static size_t misplaced_by;

/* Maps a block that begins misplaced_by bytes after a huge page. */
static void *map_misplaced(size_t size)
{
	const size_t all = size + 2 * ARENA_HUGE_PAGE;
	const int zeros = open("/dev/zero", O_RDWR);
	unsigned char *p = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE, zeros, 0), *at;

	close(zeros);
	assert_ptr_not_equal(p, MAP_FAILED);
	at = p + (ARENA_HUGE_PAGE - (uintptr_t)p % ARENA_HUGE_PAGE) + misplaced_by;
	munmap(p, (size_t)(at - p));
	munmap(at + size, all - size - (size_t)(at - p));
	return at;
}

static void large_blocks_begin_with_a_huge_page(void **state)
{
	static const size_t places[] = { 0, 4096, ARENA_HUGE_PAGE - 4096 };
	unsigned char *p;

	(void)state;
	if (SANITIZED) /* all memory is malloc's */
		skip();
	system_mmap = map_misplaced;
	for (size_t i = 0; i < LENGTH(places); i++) {
		misplaced_by = places[i];
		p = platform_alloc(NULL, ARENA_HUGE_PAGE + 1);
		assert_non_null(p);
		assert_int_equal((uintptr_t)p % ARENA_HUGE_PAGE, 0);
		memset(p, 0xA5, ARENA_HUGE_PAGE + 1);
		platform_release(NULL, p, ARENA_HUGE_PAGE + 1);
	}
	system_reset();
	assert_null(platform_alloc(NULL, SIZE_MAX));
	system_fail(SYSTEM_MMAP, 1, ENOMEM);
	assert_null(platform_alloc(NULL, ARENA_HUGE_PAGE));
	assert_int_equal(system_faults[SYSTEM_MMAP].n, 1);
}

static void nothing_is_given_back(void **state)
{
	(void)state;
	platform_release(NULL, NULL, 1);
	platform_release(NULL, NULL, ARENA_HUGE_PAGE);
}

static void a_cancellation_needs_memory(void **state)
{
	uvet_cancellation *c = NULL;

	(void)state;
	system_fail(SYSTEM_MALLOC, 1, ENOMEM);
	assert_int_equal(uvet_cancellation_new(&c), UVET_NO_MEMORY);
	assert_null(c);
	assert_int_equal(uvet_cancellation_new(&c), UVET_OK);
	uvet_cancellation_free(c);
}

/* ---- Libraries ---------------------------------------------------------------------------- */

static void a_library_is_called_as_unreal_calls_it(void **state)
{
	struct platform_library library = { NULL, NULL };
	uvet_options *options;
	struct oodle oodle;
	char out[8];

	(void)state;
	assert_int_equal(uvet_options_new(&options), UVET_OK);
	assert_true(oodle_open(options, OODLE_LIBRARY, &library));
	oodle = options->settings.oodle;
	assert_int_equal(oodle.decode(oodle.ctx, "bytes", 5, out, 5), 5);
	assert_memory_equal(out, "setyb", 5);
	assert_int_equal(oodle.decode(oodle.ctx, "bytes", 5, out, 4), 0);
	assert_int_equal(oodle.decode(oodle.ctx, "bytes", SIZE_MAX, out, 5), -1);
	assert_int_equal(oodle.decode(oodle.ctx, "bytes", 5, out, SIZE_MAX), -1);
	uvet_options_free(options);
	platform_library_close(&library);
	assert_null(library.handle);
	platform_library_close(&library);
}

static void a_name_alone_is_of_this_folder(void **state)
{
	struct platform_library library = { NULL, NULL };

	(void)state;
	assert_int_equal(symlink(OODLE_LIBRARY, "library.so"), 0);
	system_fail(SYSTEM_MALLOC, 1, ENOMEM);
	assert_int_equal(platform_library_open("library.so", "OodleLZ_Decompress", &library),
			 PLATFORM_LIBRARY_FAILED);
	assert_int_equal(platform_library_open("library.so", "OodleLZ_Compress", &library),
			 PLATFORM_LIBRARY_FOREIGN);
	assert_int_equal(platform_library_open("library.so", "OodleLZ_Decompress", &library),
			 PLATFORM_LIBRARY_OPEN);
	assert_true(library.function != NULL);
	platform_library_close(&library);
	unlink("library.so");
	assert_int_equal(platform_library_open("library.so", "OodleLZ_Decompress", &library),
			 PLATFORM_LIBRARY_FAILED);
}

/* ---- Processors --------------------------------------------------------------------------- */

static long processors;

static long say_processors(void)
{
	return processors;
}

static void there_is_a_processor_at_least(void **state)
{
	static const struct {
		long said;
		unsigned n, threads;
	} cases[] = { { -1, 1, 1 }, { 0, 1, 1 }, { 3, 3, 3 }, { 64, 64, 64 }, { 300, 300, 64 } };
	uvet_options *options;

	(void)state;
	system_sysconf = say_processors;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		processors = cases[i].said;
		assert_int_equal(platform_processors(), cases[i].n);
		assert_int_equal(uvet_options_new(&options), UVET_OK);
		assert_int_equal(uvet_options_set(options, "jobs", "0"), UVET_OK);
		assert_int_equal(options->settings.threads.n, cases[i].threads);
		uvet_options_free(options);
	}
}

int main(void)
{
#define T(name) cmocka_unit_test_teardown(name, system_end)
	const struct CMUnitTest tests[] = {
		T(large_blocks_begin_with_a_huge_page), T(nothing_is_given_back),
		T(a_cancellation_needs_memory),         T(a_library_is_called_as_unreal_calls_it),
		T(a_name_alone_is_of_this_folder),      T(there_is_a_processor_at_least),
	};
#undef T

	return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
