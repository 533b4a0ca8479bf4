/* Tests of maps as they are written, over regions of the test's own: the linker puts its engine_map
 * in the place of the real one. */
#include "report/map.h"
#include "unit/taken.h"

/* 16 bytes of numbers, and a text of 600 letters: more than there is room for where it is shown. */
enum { TEXT_AT = 16, TEXT_LEN = 600, INPUT_LEN = TEXT_AT + TEXT_LEN };
static uint8_t input[INPUT_LEN] = { 0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4,
				    0xFE, 0xFF, 0xFF, 0xFF, 7, 0, 0, 0 };

static const struct layout_field fields[] = {
	{ "place", LAYOUT_i32, LAYOUT_OFFSET, ALL, "", LAYOUT_ALWAYS, 0, 0 },
	{ "flags", LAYOUT_u32, LAYOUT_FLAGS, ALL, "", LAYOUT_ALWAYS, 0, 0 },
	{ "count", LAYOUT_i32, LAYOUT_COUNT, ALL, "", LAYOUT_ALWAYS, 0, 0 },
	{ "size", LAYOUT_u32, LAYOUT_SIZE, ALL, "", LAYOUT_ALWAYS, 0, 0 },
};
static const struct layout record = { "record", "", fields, LENGTH(fields), 16 };
static const struct layout_field old_fields[] = { { "name", LAYOUT_zstring, LAYOUT_NAME, ALL, "",
						    LAYOUT_ALWAYS, 0, 0 } };
static const struct layout old_record = { "old", "", old_fields, LENGTH(old_fields), 0 };
static const struct format format = { .name = "own", .title = "own format" };

static const struct region *regions;
static size_t n_regions, n_told;
static enum map_result outcome;

enum map_result __wrap_engine_map(struct engine *e, const struct check_input *in,
				  engine_map_sink *sink, void *ctx);
enum map_result __wrap_engine_map(struct engine *e, const struct check_input *in,
				  engine_map_sink *sink, void *ctx)
{
	struct fault_memory memory;
	struct arena arena = unit_arena(&memory, UNIT_PLENTY);
	struct source source;
	struct decode decode = { .source = &source };

	(void)e;
	source_init_memory(&source, input, INPUT_LEN, in->name, &arena);
	n_told = 0;
	while (n_told < n_regions && sink(ctx, &decode, &format, 2, &regions[n_told]))
		n_told++;
	arena_free(&arena);
	return outcome;
}

static int begin(void **state)
{
	(void)state;
	memset(input + TEXT_AT, 'x', TEXT_LEN);
	regions = NULL;
	n_regions = 0;
	outcome = MAP_OK;
	return 0;
}

/* ---- What is written ------------------------------------------------------------------------- */

typedef enum map_result map_writer(struct engine *e, const struct check_input *in, struct out *o);

static void write_map(map_writer *writer, const struct region *list, size_t n)
{
	const struct check_input in = { .name = "a.own", .io.size = INPUT_LEN };
	struct out o;

	taken.n = 0;
	regions = list;
	n_regions = n;
	out_init(&o, take, NULL);
	assert_int_equal(writer(NULL, &in, &o), outcome);
	out_flush(&o);
}

static void expect(map_writer *writer, const struct region *list, size_t n, const char *text)
{
	write_map(writer, list, n);
	if (!strstr(taken.bytes, text))
		fail_msg("%s lacks %s", taken.bytes, text);
}

/* Numbers that say where or what are hexadecimal, unless they are negative: that no such number may
 * be. */
static void numbers_have_their_form(void **state)
{
	static const struct region r[] = { { .span = { 0, 16 },
					     .kind = "header",
					     .label = "record",
					     .index = 3,
					     .layout = &record } };

	(void)state;
	expect(map_text, r, 1,
	       "\n0x00000000 +16          header      record[3]\n"
	       "  0x00000000 +4         place         = -1\n  0x00000004 +4         flags         "
	       "= 0x4030201\n"
	       "  0x00000008 +4         count         = -2\n  0x0000000C +4         size          "
	       "= 7\n"
	       "\n616 bytes, 0 unexplained\n");
	expect(map_json, r, 1,
	       "\"fields\":[{\"length\":4,\"name\":\"place\",\"offset\":0,\"value\":-1},"
	       "{\"length\":4,\"name\":\"flags\",\"offset\":4,\"value\":\"0x4030201\"},"
	       "{\"length\":4,\"name\":\"count\",\"offset\":8,\"value\":-2},"
	       "{\"length\":4,\"name\":\"size\",\"offset\":12,\"value\":7}],\"index\":3,\"kind\":"
	       "\"header\",\"label\":\"record\",\"length\":16,");
}

#define X16 "xxxxxxxxxxxxxxxx"
#define X64 X16 X16 X16 X16

/* 64 characters are shown, however long the text is. */
static void texts_are_cut(void **state)
{
	static struct region r[] = { { .span = { TEXT_AT, TEXT_LEN },
				       .kind = "payload",
				       .label = "member",
				       .index = UINT64_MAX,
				       .name = { .at = TEXT_AT } } };

	(void)state;
	r[0].name.n_units = 64;
	expect(map_text, r, 1, "payload     member \"" X64 "\"\n");
	r[0].name.n_units = 65;
	expect(map_text, r, 1, "payload     member \"" X64 "\"...\n");
	r[0].name.n_units = TEXT_LEN;
	expect(map_text, r, 1, "payload     member \"" X64 "\"...\n");
	expect(map_json, r, 1, "\"length\":600,\"name\":\"" X64 "\",\"offset\":16}");
	r[0].name.at = INPUT_LEN - 1; /* it cannot be read */
	expect(map_text, r, 1, "payload     member \"\"...\n");
	expect(map_json, r, 1, "\"length\":600,\"name\":\"\",\"offset\":16}");
}

static void texts_of_fields_are_cut_too(void **state)
{
	static const struct region r[] = { { .span = { TEXT_AT, TEXT_LEN },
					     .kind = "index",
					     .label = "old",
					     .index = 0,
					     .layout = &old_record } };

	(void)state;
	input[TEXT_AT + 100] = '\0';
	expect(map_text, r, 1, " +101       name          = \"" X64 "\"...\n");
	expect(map_json, r, 1,
	       "\"fields\":[{\"cut\":true,\"length\":101,\"name\":\"name\",\"offset\":16,\"value\":"
	       "\"" X64 "\"}]");
	input[TEXT_AT + 3] = '\0';
	expect(map_text, r, 1, " +4         name          = \"xxx\"\n");
	expect(map_json, r, 1,
	       "\"fields\":[{\"length\":4,\"name\":\"name\",\"offset\":16,\"value\":\"xxx\"}]");
}

/* A record that cannot be read has its place, and no fields. */
static void fields_that_cannot_be_read_are_left_out(void **state)
{
	static const struct region r[] = { { .span = { INPUT_LEN - 4, 16 },
					     .kind = "header",
					     .label = "record",
					     .index = UINT64_MAX,
					     .layout = &record } };

	(void)state;
	expect(map_text, r, 1, "0x00000264 +16          header      record\n\n616 bytes");
	expect(map_json, r, 1,
	       "{\"depth\":0,\"kind\":\"header\",\"label\":\"record\",\"length\":16,\"offset\":"
	       "612}");
}

/* What is wider than its column is followed by a space all the same. */
static void wide_places_and_names(void **state)
{
	static const struct region r[] = {
		{ .span = { 0x1234567890, 1234567890123 },
		  .kind = "payload",
		  .label = "chunk",
		  .index = 1,
		  .depth = 2 },
		{ .span = { 7, 9 },
		  .kind = "unexplained",
		  .label = "unexplained",
		  .index = UINT64_MAX },
		{ .span = { 16, 1 },
		  .kind = "a kind of its own",
		  .label = "thing",
		  .index = UINT64_MAX },
	};

	(void)state;
	expect(map_text, r, 3,
	       "\n    0x1234567890 +1234567890123 payload     chunk[1]\n0x00000007 +9           "
	       "UNEXPLAINED \n"
	       "0x00000010 +1           a kind of its own thing\n\n616 bytes, 9 unexplained\n");
	expect(map_json, r, 3, "\"unexplained\":9,\"unreadable\":false}\n");
}

/* Nothing more is asked for once the sink has refused. */
static void a_sink_that_refuses_ends_the_map(void **state)
{
	static struct region r[2000];

	(void)state;
	for (size_t i = 0; i < LENGTH(r); i++)
		r[i] = (struct region){
			.span = { 0, 1 }, .kind = "padding", .label = "padding", .index = i
		};
	outcome = MAP_STOPPED;
	taken.refuses = true;
	write_map(map_text, r, LENGTH(r));
	assert_true(n_told < LENGTH(r));
	write_map(map_json, r, LENGTH(r));
	assert_true(n_told < LENGTH(r));
	take_anew();
}

static void maps_of_nothing(void **state)
{
	(void)state;
	outcome = MAP_UNREADABLE;
	expect(map_text, NULL, 0, "unreadable  a.own\n");
	expect(map_json, NULL, 0,
	       "\"regions\":[],\"schema\":\"uvet-map/"
	       "1\",\"size\":616,\"truncated\":false,\"unexplained\":616,\"unreadable\":true}\n");
	outcome = MAP_UNKNOWN_FORMAT;
	expect(map_text, NULL, 0,
	       "no known format  a.own   616 bytes\n\n616 bytes, 616 unexplained\n");
	outcome = MAP_CUT;
	expect(map_text, NULL, 0, "616 bytes, 0 unexplained\ncut: a limit was reached;");
	expect(map_json, NULL, 0, "\"truncated\":true,");
}

int main(void)
{
#define T(name) cmocka_unit_test_setup(name, begin)
	const struct CMUnitTest tests[] = {
		T(numbers_have_their_form),
		T(texts_are_cut),
		T(texts_of_fields_are_cut_too),
		T(fields_that_cannot_be_read_are_left_out),
		T(wide_places_and_names),
		T(a_sink_that_refuses_ends_the_map),
		T(maps_of_nothing),
	};
#undef T

	return cmocka_run_group_tests(tests, NULL, NULL);
}
