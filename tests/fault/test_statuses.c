/* Each status that uvet.h says a function returns, provoked. ci/statuses.py holds the table against
 * the comments of the header. */
#include <stdio.h>

#include "api/api.h"
#include "build.h"
#include "unit.h"

/* ---- What is asked --------------------------------------------------------------------------- */

static struct build good;
static struct fault_memory memory;
static struct fault_input input;
static uvet_options *options;
static uvet_engine *engine;
static uvet_writer *writer;
static uvet_report *report;
static uvet_cancellation *cancellation;
static uvet_set *set;
static bool no_memory; /* of the system's */

void *__real_platform_alloc(void *ctx, size_t size);
void *__wrap_platform_alloc(void *ctx, size_t size);
void *__wrap_platform_alloc(void *ctx, size_t size)
{
	return no_memory ? NULL : __real_platform_alloc(ctx, size);
}

static int take(void *ctx, const void *bytes, size_t len)
{
	(void)ctx, (void)bytes, (void)len;
	return 0;
}

static int keep(void *ctx, size_t index, uvet_report *of_set)
{
	(void)ctx, (void)index;
	report = of_set;
	return 0;
}

static int refuse(void *ctx, const void *bytes, size_t len)
{
	(void)ctx, (void)bytes, (void)len;
	return 1;
}

static void begin(void)
{
	build_good(&good);
	memory = (struct fault_memory){ 0 };
	input = (struct fault_input){ .bytes = good.bytes, .size = good.n };
	no_memory = false;
	writer = NULL;
	report = NULL;
	cancellation = NULL;
	set = NULL;
	assert_int_equal(uvet_options_new(&options), UVET_OK);
	uvet_options_allocator(options, fault_alloc, fault_release, &memory);
	assert_int_equal(uvet_engine_new(options, &engine), UVET_OK);
}

static void end(void)
{
	no_memory = false;
	uvet_report_free(report);
	uvet_writer_free(writer);
	uvet_set_free(set);
	uvet_engine_free(engine);
	uvet_options_free(options);
	uvet_cancellation_free(cancellation);
	assert_int_equal(memory.n_live, 0);
}

/* From now on the allocator refuses. */
static void run_out(void)
{
	memory.fail_at = memory.n_asked + 1;
	memory.forever = true;
}

static uvet_io good_io(void)
{
	return (uvet_io){ .struct_size = sizeof(uvet_io),
			  .read_at = fault_read_at,
			  .ctx = &input,
			  .size = input.size };
}

static uvet_hooks cancelled(void)
{
	assert_int_equal(uvet_cancellation_new(&cancellation), UVET_OK);
	uvet_cancellation_set(cancellation);
	return (uvet_hooks){ .struct_size = sizeof(uvet_hooks), .cancellation = cancellation };
}

/* A writer with an output, and a report for it. */
static void open_writer(const char *format, uvet_sink *sink)
{
	assert_int_equal(uvet_writer_new(engine, &writer), UVET_OK);
	assert_int_equal(uvet_writer_output(writer, format, sink, NULL), UVET_OK);
	assert_int_equal(uvet_check_io(engine, "a.umod", NULL, NULL, &report), UVET_OK);
}

/* The same, with enough reports added that the sink was called or memory ended. */
static void fill_writer(const char *format, uvet_sink *sink)
{
	open_writer(format, sink);
	for (unsigned i = 0; i < 200; i++)
		(void)uvet_writer_add_alone(writer, report);
}

static void empty_writer(void)
{
	open_writer("sarif", take);
	run_out();
}

static void ended_writer(void)
{
	open_writer("text", take);
	assert_int_equal(uvet_writer_end(writer), UVET_OK);
}

static void fill_keys(void)
{
	static const uint8_t key[32] = { 1 };

	for (unsigned i = 0; i < 64; i++)
		assert_int_equal(uvet_options_key(options, NULL, key), UVET_OK);
}

static void check_good(void)
{
	const uvet_io io = good_io();

	assert_int_equal(uvet_check_io(engine, "a.umod", &io, NULL, &report), UVET_OK);
}

/* As if it had been the global container of a game with one script object. */
static void check_global(void)
{
	static const uint64_t ids[] = { (uint64_t)1 << 62 };
	struct report *r;

	check_good();
	r = (void *)report;
	r->lists_scripts = true;
	r->scripts = (struct script_objects){ ids, 1 };
}

static void check_global_out(void)
{
	check_global();
	no_memory = true;
}

/* An engine has script objects of its own. */
static void take_global(void)
{
	uvet_engine *other;

	check_global();
	assert_int_equal(uvet_options_global(options, report), UVET_OK);
	assert_int_equal(uvet_options_global(options, report), UVET_OK);
	assert_int_equal(uvet_engine_new(options, &other), UVET_OK);
	uvet_engine_free(other);
}

static void take_global_out(void)
{
	take_global();
	memory.fail_at = memory.n_asked + 2;
}

static void check_broken(void)
{
	input.size--;
	check_good();
}

/* SAYS begins anew, prepares, calls, and wants that status. */
#define SAYS(call, status, ...) \
	do { \
		begin(); \
		__VA_ARGS__; \
		assert_int_equal(call, status); \
		end(); \
	} while (0)

/* EACH_SAYS asks the same of uvet_map_INPUT and uvet_info_INPUT, which take the same arguments. */
#define EACH_SAYS(input, arguments, status, ...) \
	do { \
		SAYS(uvet_map_##input arguments, status, __VA_ARGS__); \
		SAYS(uvet_info_##input arguments, status, __VA_ARGS__); \
	} while (0)

/* ---- Options, engines and cancellations ------------------------------------------------------ */

static void settings(void **state)
{
	static const uint8_t key[64] = { [0] = 1, [63] = 0x80 }, exponent[] = { 1, 0, 1 };
	uvet_options *made = NULL;
	uvet_engine *other = NULL;

	(void)state;
	SAYS(uvet_options_new(&made), UVET_OK, (void)0);
	uvet_options_free(made);
	SAYS(uvet_options_new(NULL), UVET_BAD_CALL, (void)0);
	SAYS(uvet_options_new(&made), UVET_NO_MEMORY, no_memory = true);
	SAYS(uvet_options_set(options, "level", "content"), UVET_OK, (void)0);
	SAYS(uvet_options_set(NULL, "level", "content"), UVET_BAD_CALL, (void)0);
	SAYS(uvet_options_set(options, "level", "deep"), UVET_BAD_OPTION, (void)0);
	SAYS(uvet_options_key(options, NULL, key), UVET_OK, (void)0);
	SAYS(uvet_options_key(options, NULL, NULL), UVET_BAD_CALL, (void)0);
	SAYS(uvet_options_key(options, NULL, key), UVET_BAD_OPTION, fill_keys());
	SAYS(uvet_options_signing_key(options, key, sizeof key, exponent, sizeof exponent), UVET_OK,
	     (void)0);
	SAYS(uvet_options_signing_key(options, NULL, sizeof key, exponent, sizeof exponent),
	     UVET_BAD_CALL, (void)0);
	SAYS(uvet_options_signing_key(options, key, 1, exponent, sizeof exponent), UVET_BAD_OPTION,
	     (void)0);
	SAYS(uvet_options_learn(options, report), UVET_OK, check_good());
	SAYS(uvet_options_learn(options, NULL), UVET_BAD_CALL, (void)0);
	SAYS(uvet_options_learn(options, report), UVET_BAD_OPTION, check_broken());
	SAYS(uvet_options_global(options, report), UVET_OK, check_global());
	SAYS(uvet_options_global(options, NULL), UVET_BAD_CALL, (void)0);
	SAYS(uvet_options_global(options, report), UVET_BAD_OPTION, check_good());
	SAYS(uvet_options_global(options, report), UVET_NO_MEMORY, check_global_out());
	SAYS(uvet_engine_new(NULL, &other), UVET_OK, (void)0);
	uvet_engine_free(other);
	SAYS(uvet_engine_new(options, NULL), UVET_BAD_CALL, (void)0);
	SAYS(uvet_engine_new(options, &other), UVET_NO_MEMORY, run_out());
	SAYS(uvet_engine_new(options, &other), UVET_NO_MEMORY, take_global_out());
	SAYS(uvet_cancellation_new(&cancellation), UVET_OK, (void)0);
	SAYS(uvet_cancellation_new(NULL), UVET_BAD_CALL, (void)0);
	SAYS(uvet_cancellation_new(&cancellation), UVET_NO_MEMORY, no_memory = true);
}

/* ---- Checks ---------------------------------------------------------------------------------- */

static int go_on(void *ctx, const uvet_finding *finding)
{
	(void)ctx, (void)finding;
	return 0;
}

static void checks(void **state)
{
	const uvet_hooks none = { .struct_size = 1 },
			 told = { .struct_size = sizeof told, .on_finding = go_on };
	const char *name = "a.umod";
	const uvet_io *const unopened = NULL;

	(void)state;
	SAYS(uvet_check_path(engine, "no such file", NULL, &report), UVET_OK, (void)0);
	SAYS(uvet_check_path(engine, "no such file", &none, &report), UVET_BAD_CALL, (void)0);
	SAYS(uvet_check_path(engine, "no such file", NULL, &report), UVET_NO_MEMORY, run_out());
	SAYS(uvet_check_memory(engine, "a", "", 0, NULL, &report), UVET_OK, (void)0);
	SAYS(uvet_check_memory(engine, "a", NULL, 1, NULL, &report), UVET_BAD_CALL, (void)0);
	SAYS(uvet_check_memory(engine, "a", "", 0, NULL, &report), UVET_NO_MEMORY, run_out());
	SAYS(uvet_check_io(engine, "a", NULL, NULL, &report), UVET_OK, (void)0);
	SAYS(uvet_check_io(engine, "a", NULL, &none, &report), UVET_BAD_CALL, (void)0);
	SAYS(uvet_check_io(engine, "a", NULL, NULL, &report), UVET_NO_MEMORY, run_out());
	SAYS(uvet_check_io(engine, "a", NULL, &told, &report), UVET_NO_MEMORY, run_out());
	SAYS(uvet_check_set(engine, &name, &unopened, 1, NULL, keep, NULL), UVET_OK, (void)0);
	SAYS(uvet_check_set(engine, &name, &unopened, 1, &none, keep, NULL), UVET_BAD_CALL,
	     (void)0);
	SAYS(uvet_check_set(engine, &name, &unopened, 1, NULL, keep, NULL), UVET_NO_MEMORY,
	     run_out());
	SAYS(uvet_check_lost(engine, "a", 0, &report), UVET_OK, (void)0);
	SAYS(uvet_check_lost(engine, NULL, 0, &report), UVET_BAD_CALL, (void)0);
	SAYS(uvet_check_lost(engine, "a", 0, &report), UVET_NO_MEMORY, run_out());
	SAYS(uvet_check_link(engine, "a.umod", &report), UVET_OK, (void)0);
	SAYS(uvet_check_link(engine, NULL, &report), UVET_BAD_CALL, (void)0);
	SAYS(uvet_check_link(engine, "a.umod", &report), UVET_NO_MEMORY, run_out());
}

/* ---- Sets ------------------------------------------------------------------------------------ */

static void open_set(void)
{
	assert_int_equal(uvet_set_new(engine, &set), UVET_OK);
	check_good();
}

/* A set of two packages, whose reports kept them. */
static void fill_set(void)
{
	static const char *const names[] = { "a.u", "b.u" };

	uvet_engine_free(engine);
	assert_int_equal(uvet_options_set(options, "sets", "yes"), UVET_OK);
	assert_int_equal(uvet_engine_new(options, &engine), UVET_OK);
	assert_int_equal(uvet_set_new(engine, &set), UVET_OK);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(uvet_check_memory(engine, names[i], "a package", 9, NULL, &report),
				 UVET_OK);
		assert_int_equal(uvet_set_add(set, report, 0), UVET_OK);
		uvet_report_free(report);
		report = NULL;
	}
}

static void checked_set(void)
{
	uvet_report *whole;

	open_set();
	assert_int_equal(uvet_set_check(set, NULL, &whole), UVET_OK);
	assert_null(whole);
}

static void full_set(void)
{
	fill_set();
	run_out();
}

static uvet_hooks late;

static void cancelled_set(void)
{
	fill_set();
	late = cancelled();
}

static void sets(void **state)
{
	const uvet_io io = good_io();
	uvet_report *whole = NULL;

	(void)state;
	SAYS(uvet_set_new(engine, &set), UVET_OK, (void)0);
	SAYS(uvet_set_new(NULL, &set), UVET_BAD_CALL, (void)0);
	SAYS(uvet_set_new(engine, &set), UVET_NO_MEMORY, run_out());
	SAYS(uvet_set_add(set, report, 0), UVET_OK, open_set());
	SAYS(uvet_set_add(set, NULL, 0), UVET_BAD_CALL, open_set());
	SAYS(uvet_set_add(set, report, 0), UVET_BAD_CALL, checked_set());
	SAYS(uvet_set_list(set, "a/b.u", 2, &io), UVET_OK, open_set());
	SAYS(uvet_set_list(set, "a/b.u", 6, &io), UVET_BAD_CALL, open_set());
	SAYS(uvet_set_list(set, NULL, 0, &io), UVET_BAD_CALL, open_set());
	SAYS(uvet_set_list(set, "a/b.u", 2, &io), UVET_BAD_CALL, checked_set());
	SAYS(uvet_set_check(set, NULL, &report), UVET_OK, fill_set());
	SAYS(uvet_set_check(set, NULL, NULL), UVET_BAD_CALL, fill_set());
	SAYS(uvet_set_check(set, NULL, &whole), UVET_BAD_CALL, checked_set());
	SAYS(uvet_set_check(set, NULL, &whole), UVET_NO_MEMORY, full_set());
	SAYS(uvet_set_imports(set, NULL, "json", take, NULL), UVET_OK, fill_set());
	SAYS(uvet_set_imports(set, NULL, NULL, take, NULL), UVET_BAD_CALL, fill_set());
	SAYS(uvet_set_imports(set, NULL, "xml", take, NULL), UVET_BAD_OPTION, fill_set());
	SAYS(uvet_set_imports(set, NULL, "json", take, NULL), UVET_NO_MEMORY, full_set());
	SAYS(uvet_set_imports(set, NULL, "json", refuse, NULL), UVET_WRITE_FAILED, fill_set());
	SAYS(uvet_set_imports(set, &late, "json", take, NULL), UVET_CUT, cancelled_set());
}

/* ---- What is written ------------------------------------------------------------------------- */

static void writers(void **state)
{
	(void)state;
	SAYS(uvet_writer_new(engine, &writer), UVET_OK, (void)0);
	SAYS(uvet_writer_new(NULL, &writer), UVET_BAD_CALL, (void)0);
	SAYS(uvet_writer_new(engine, &writer), UVET_NO_MEMORY, run_out());
	SAYS(uvet_writer_output(writer, "json", take, NULL), UVET_OK, open_writer("text", take));
	SAYS(uvet_writer_output(writer, "json", take, NULL), UVET_BAD_CALL,
	     fill_writer("text", take));
	SAYS(uvet_writer_output(writer, "xml", take, NULL), UVET_BAD_OPTION,
	     open_writer("text", take));
	SAYS(uvet_writer_output(writer, "json", take, NULL), UVET_NO_MEMORY, empty_writer());
	SAYS(uvet_writer_accept(writer, NULL, NULL), UVET_OK, open_writer("text", take));
	SAYS(uvet_writer_accept(writer, NULL, NULL), UVET_BAD_CALL, ended_writer());
	SAYS(uvet_writer_add(writer, report), UVET_OK, open_writer("text", take));
	SAYS(uvet_writer_add(writer, report), UVET_BAD_CALL, ended_writer());
	SAYS(uvet_writer_add(writer, report), UVET_NO_MEMORY, empty_writer());
	SAYS(uvet_writer_add(writer, report), UVET_WRITE_FAILED, fill_writer("json", refuse));
	SAYS(uvet_writer_add_alone(writer, report), UVET_OK, open_writer("text", take));
	SAYS(uvet_writer_add_alone(writer, report), UVET_BAD_CALL, ended_writer());
	SAYS(uvet_writer_add_alone(writer, report), UVET_NO_MEMORY, empty_writer());
	SAYS(uvet_writer_add_alone(writer, report), UVET_WRITE_FAILED, fill_writer("json", refuse));
	SAYS(uvet_writer_left_out(writer, 1, 2, 3), UVET_OK, open_writer("text", take));
	SAYS(uvet_writer_left_out(writer, 1, 2, 3), UVET_BAD_CALL, ended_writer());
	SAYS(uvet_writer_end(writer), UVET_OK, open_writer("text", take));
	SAYS(uvet_writer_end(NULL), UVET_BAD_CALL, (void)0);
	SAYS(uvet_writer_end(writer), UVET_NO_MEMORY, empty_writer();
	     (void)uvet_writer_add(writer, report));
	SAYS(uvet_writer_end(writer), UVET_WRITE_FAILED, open_writer("text", refuse));
	SAYS(uvet_report_write(engine, report, "json", take, NULL), UVET_OK,
	     open_writer("text", take));
	SAYS(uvet_report_write(engine, NULL, "json", take, NULL), UVET_BAD_CALL, (void)0);
	SAYS(uvet_report_write(engine, report, "xml", take, NULL), UVET_BAD_OPTION,
	     open_writer("text", take));
	SAYS(uvet_report_write(engine, report, "json", take, NULL), UVET_NO_MEMORY, empty_writer());
	SAYS(uvet_report_write(engine, report, "json", refuse, NULL), UVET_WRITE_FAILED,
	     open_writer("text", take));
	SAYS(uvet_rules_write("text", take, NULL), UVET_OK, (void)0);
	SAYS(uvet_rules_write("text", NULL, NULL), UVET_BAD_CALL, (void)0);
	SAYS(uvet_rules_write("xml", take, NULL), UVET_BAD_OPTION, (void)0);
	SAYS(uvet_rules_write("text", refuse, NULL), UVET_WRITE_FAILED, (void)0);
	SAYS(uvet_schema_write("report", take, NULL), UVET_OK, (void)0);
	SAYS(uvet_schema_write("report", NULL, NULL), UVET_BAD_CALL, (void)0);
	SAYS(uvet_schema_write("xml", take, NULL), UVET_BAD_OPTION, (void)0);
	SAYS(uvet_schema_write("rules", refuse, NULL), UVET_WRITE_FAILED, (void)0);
	SAYS(uvet_explain("UMD006", take, NULL), UVET_OK, (void)0);
	SAYS(uvet_explain("UMD006", NULL, NULL), UVET_BAD_CALL, (void)0);
	SAYS(uvet_explain("UMD", take, NULL), UVET_BAD_OPTION, (void)0);
	SAYS(uvet_explain("UMD006", refuse, NULL), UVET_WRITE_FAILED, (void)0);
}

/* An input of no known format. */
static void unknown_input(void)
{
	input = (struct fault_input){ .bytes = (const uint8_t *)"text", .size = 4 };
}

static void maps_and_infos(void **state)
{
	uvet_hooks hooks = UVET_HOOKS_INIT;
	uvet_io io = UVET_IO_INIT;

	(void)state;
	EACH_SAYS(io, (engine, "a.umod", &io, NULL, "text", take, NULL), UVET_OK, io = good_io());
	EACH_SAYS(io, (engine, "a.umod", &io, NULL, "text", NULL, NULL), UVET_BAD_CALL,
		  io = good_io());
	EACH_SAYS(io, (engine, "a.umod", &io, NULL, "xml", take, NULL), UVET_BAD_OPTION,
		  io = good_io());
	EACH_SAYS(io, (engine, "a.umod", &io, NULL, "text", take, NULL), UVET_NO_MEMORY,
		  io = good_io();
		  run_out());
	EACH_SAYS(io, (engine, "a.umod", &io, NULL, "text", refuse, NULL), UVET_WRITE_FAILED,
		  io = good_io());
	EACH_SAYS(io, (engine, "a.txt", &io, NULL, "text", take, NULL), UVET_UNKNOWN_FORMAT,
		  unknown_input();
		  io = good_io());
	EACH_SAYS(io, (engine, "a.umod", NULL, NULL, "text", take, NULL), UVET_UNREADABLE, (void)0);
	EACH_SAYS(io, (engine, "a.umod", &io, &hooks, "text", take, NULL), UVET_CUT, io = good_io();
		  hooks = cancelled());
}

static int count_bytes(void *ctx, const void *bytes, size_t len)
{
	(void)bytes;
	*(size_t *)ctx += len;
	return 0;
}

/* Each request for memory is refused once. The first is for the buffer of the answer, so that
 * nothing is written then. */
static void memory_ends_under_an_answer(void **state)
{
	static uvet_status (*const asked[])(uvet_engine *, const char *, const uvet_io *,
					    const uvet_hooks *, const char *, uvet_sink *,
					    void *) = {
		uvet_map_io,
		uvet_info_io,
	};

	(void)state;
	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
		uvet_status status = UVET_NO_MEMORY;
		uint64_t at;

		for (at = 1; status == UVET_NO_MEMORY; at++) {
			uvet_io io;
			size_t n = 0;

			begin();
			io = good_io();
			memory.fail_at = memory.n_asked + at;
			status = asked[i](engine, "a.umod", &io, NULL, "text", count_bytes, &n);
			assert_true(at > 1 || n == 0);
			end();
		}
		assert_int_equal(status, UVET_OK);
		assert_true(at > 2);
	}
}

/* A file with these bytes, until it is removed. */
static const char path[] = "test_statuses.bin";

static void lay(const void *bytes, size_t n)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	fclose(f);
}

static void maps_and_infos_of_paths(void **state)
{
	uvet_hooks hooks = UVET_HOOKS_INIT;

	(void)state;
	lay(good.bytes, good.n);
	EACH_SAYS(path, (engine, path, NULL, "text", take, NULL), UVET_OK, (void)0);
	EACH_SAYS(path, (engine, NULL, NULL, "text", take, NULL), UVET_BAD_CALL, (void)0);
	EACH_SAYS(path, (engine, path, NULL, "xml", take, NULL), UVET_BAD_OPTION, (void)0);
	EACH_SAYS(path, (engine, path, NULL, "text", take, NULL), UVET_NO_MEMORY, run_out());
	EACH_SAYS(path, (engine, path, NULL, "text", refuse, NULL), UVET_WRITE_FAILED, (void)0);
	EACH_SAYS(path, (engine, path, NULL, "text", take, NULL), UVET_UNKNOWN_FORMAT,
		  lay("text", 4));
	EACH_SAYS(path, (engine, "no such file", NULL, "text", take, NULL), UVET_UNREADABLE,
		  (void)0);
	EACH_SAYS(path, (engine, path, &hooks, "text", take, NULL), UVET_CUT,
		  lay(good.bytes, good.n);
		  hooks = cancelled());
	remove(path);
}

/* ---- Claims ---------------------------------------------------------------------------------- */

static int take_claim(void *ctx, uvet_claim kind, const void *bytes, size_t len)
{
	(void)ctx, (void)kind, (void)bytes, (void)len;
	return 0;
}

/* A .pak that is none by its bytes: it claims nothing, and says that it was not read. */
static void claims(void **state)
{
	uvet_hooks hooks = UVET_HOOKS_INIT;
	uvet_io io = UVET_IO_INIT;
	unsigned gaps = 0;

	(void)state;
	SAYS(uvet_claims_io(engine, "a.pak", &io, NULL, take_claim, NULL, &gaps), UVET_OK,
	     io = good_io());
	assert_int_equal(gaps, UVET_CLAIMS_UNREAD);
	SAYS(uvet_claims_io(engine, "a.pak", &io, NULL, take_claim, NULL, NULL), UVET_BAD_CALL,
	     io = good_io());
	SAYS(uvet_claims_io(engine, "a.pak", &io, NULL, take_claim, NULL, &gaps), UVET_NO_MEMORY,
	     io = good_io();
	     run_out());
	SAYS(uvet_claims_io(engine, "a.umod", &io, NULL, take_claim, NULL, &gaps),
	     UVET_UNKNOWN_FORMAT, io = good_io());
	SAYS(uvet_claims_io(engine, "a.pak", NULL, NULL, take_claim, NULL, &gaps), UVET_UNREADABLE,
	     (void)0);
	SAYS(uvet_claims_io(engine, "a.pak", &io, &hooks, take_claim, NULL, &gaps), UVET_CUT,
	     io = good_io();
	     hooks = cancelled());
}

/* The same of a file. */
static const char pak_path[] = "test_statuses.pak";

static void lay_pak(void)
{
	FILE *f = fopen(pak_path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(good.bytes, 1, good.n, f), good.n);
	fclose(f);
}

static void claims_of_paths(void **state)
{
	uvet_hooks hooks = UVET_HOOKS_INIT;
	unsigned gaps = 0;

	(void)state;
	SAYS(uvet_claims_path(engine, pak_path, NULL, take_claim, NULL, &gaps), UVET_OK, lay_pak());
	SAYS(uvet_claims_path(engine, NULL, NULL, take_claim, NULL, &gaps), UVET_BAD_CALL, (void)0);
	SAYS(uvet_claims_path(engine, pak_path, NULL, take_claim, NULL, &gaps), UVET_NO_MEMORY,
	     run_out());
	SAYS(uvet_claims_path(engine, pak_path, &hooks, take_claim, NULL, &gaps), UVET_CUT,
	     hooks = cancelled());
	remove(pak_path);
	SAYS(uvet_claims_path(engine, pak_path, NULL, take_claim, NULL, &gaps), UVET_UNREADABLE,
	     (void)0);
	SAYS(uvet_claims_path(engine, path, NULL, take_claim, NULL, &gaps), UVET_UNKNOWN_FORMAT,
	     lay("text", 4));
	remove(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(settings),
		cmocka_unit_test(checks),
		cmocka_unit_test(sets),
		cmocka_unit_test(writers),
		cmocka_unit_test(maps_and_infos),
		cmocka_unit_test(memory_ends_under_an_answer),
		cmocka_unit_test(maps_and_infos_of_paths),
		cmocka_unit_test(claims),
		cmocka_unit_test(claims_of_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
