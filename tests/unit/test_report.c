/* Tests of the reports' parts: escaping for each medium, messages, JSON, hex dumps. */
#include "report/escape.h"
#include "report/text/hexdump.h"
#include "report/json/json.h"
#include "report/message.h"
#include "report/sarif/sarif_rules.h"
#include "report/deferred.h"
#include "core/utf8.h"
#include "sample_rule.h"
#include "unit.h"

static void assert_out(const struct out *o, const char *expected, size_t len)
{
	if (o->n != len || memcmp(o->buf, expected, len) != 0)
		print_message("expected %.*s\n     got %.*s\n", (int)len, expected, (int)o->n,
			      (const char *)o->buf);
	assert_int_equal(o->n, len);
	assert_memory_equal(o->buf, expected, len);
}

static int hash_sink(void *ctx, const void *bytes, size_t len)
{
	uint64_t *hash = ctx;
	const uint8_t *p = bytes;

	for (size_t i = 0; i < len; i++)
		*hash = (*hash * 31 + p[i]) % 1000000007;
	return 0;
}

#define ASSERT_OUT(o, literal) assert_out(o, literal, sizeof(literal) - 1)

/* ---- UTF-8 ----------------------------------------------------------------------------------- */

#define BYTES(literal) (const uint8_t *)(literal), sizeof(literal) - 1

static void test_utf8_bounds(void **state)
{
	static const struct {
		const uint8_t *bytes;
		size_t len;
		uint32_t c;
	} good[] = {
		{ BYTES("\x00"), 0 },
		{ BYTES("\x7F"), 0x7F },
		{ BYTES("\xC2\x80"), 0x80 },
		{ BYTES("\xDF\xBF"), 0x7FF },
		{ BYTES("\xE0\xA0\x80"), 0x800 },
		{ BYTES("\xED\x9F\xBF"), 0xD7FF },
		{ BYTES("\xEE\x80\x80"), 0xE000 },
		{ BYTES("\xEF\xBF\xBF"), 0xFFFF },
		{ BYTES("\xF0\x90\x80\x80"), 0x10000 },
		{ BYTES("\xF4\x8F\xBF\xBF"), 0x10FFFF },
	};
	uint32_t c;

	(void)state;
	for (size_t i = 0; i < LENGTH(good); i++) {
		assert_int_equal(utf8_next(good[i].bytes, good[i].len, &c), good[i].len);
		assert_int_equal(c, good[i].c);
		for (size_t n = 1; n < good[i].len; n++)
			assert_int_equal(utf8_next(good[i].bytes, n, &c), 0);
	}
}

static void test_utf8_malformed(void **state)
{
	static const struct {
		const uint8_t *bytes;
		size_t len;
	} bad[] = { { BYTES("\x80") },
		    { BYTES("\xBF") },
		    { BYTES("\xC0\x80") },
		    { BYTES("\xC1\xBF") },
		    { BYTES("\xE0\x9F\xBF") },
		    { BYTES("\xED\xA0\x80") },
		    { BYTES("\xED\xBF\xBF") },
		    { BYTES("\xF0\x8F\xBF\xBF") },
		    { BYTES("\xF4\x90\x80\x80") },
		    { BYTES("\xF5\x80\x80\x80") },
		    { BYTES("\xFE") },
		    { BYTES("\xFF") },
		    { BYTES("\xC2\x41") },
		    { BYTES("\xE2\x82\x41") } };
	uint32_t c;

	(void)state;
	for (size_t i = 0; i < LENGTH(bad); i++) {
		assert_int_equal(utf8_next(bad[i].bytes, bad[i].len, &c), 0);
		assert_false(utf8_valid(bad[i].bytes, bad[i].len));
	}
	assert_true(utf8_valid(BYTES("a\xC3\xA9\xE2\x82\xAC")));
}

/* ---- Escaping -------------------------------------------------------------------------------- */

static const struct {
	enum escape medium;
	const char *in;
	size_t in_len;
	const char *out;
} escapes[] = {
#define CASE(medium, in, out) \
	{ \
		ESCAPE_##medium, in, sizeof(in) - 1, out \
	}
	CASE(TERMINAL, "DM-Sky[1].umod", "DM-Sky[1].umod"),
	CASE(TERMINAL, "Gr\xC3\xBC\xC3\x9F\x65 \xE6\x97\xA5\xE6\x9C\xAC.u",
	     "Gr\xC3\xBC\xC3\x9F\x65 \xE6\x97\xA5\xE6\x9C\xAC.u"),
	CASE(TERMINAL, "\x1b[31mred\x1b]0;t\x07", "\\x1B[31mred\\x1B]0;t\\x07"),
	CASE(TERMINAL, "a\nb\r\tc\0d\x7F", "a\\x0Ab\\x0D\\x09c\\x00d\\x7F"),
	CASE(TERMINAL,
	     "\xC2\x9B"
	     "31m",
	     "\\u{009B}31m"),
	CASE(TERMINAL,
	     "\xE2\x80\xAE"
	     "cod.exe",
	     "\\u{202E}cod.exe"),
	CASE(TERMINAL,
	     "a\xE2\x80\x8B"
	     "b\xE2\x80\xA8"
	     "c\xEF\xBB\xBF",
	     "a\\u{200B}b\\u{2028}c\\u{FEFF}"),
	CASE(TERMINAL, "\xD8\x9C\xE2\x81\xA9\xE2\x81\xA0", "\\u{061C}\\u{2069}\\u{2060}"),
	CASE(TERMINAL, "\xF3\xA0\x81\x81\xF0\x9F\x98\x80", "\\u{E0041}\xF0\x9F\x98\x80"),
	CASE(TERMINAL, "\xF0\x9F\xBF\xBE\xEF\xBF\xBF", "\\u{1FFFE}\\u{FFFF}"),
	CASE(TERMINAL, "\xFF\xC0\xAF\xED\xA0\x80z", "\\xFF\\xC0\\xAF\\xED\\xA0\\x80z"),
	CASE(TERMINAL, "cut\xE2\x82", "cut\\xE2\\x82"),
	CASE(TERMINAL, "System\\Foo.u", "System\\Foo.u"),
	CASE(TERMINAL, "a\\x41 b\\u{41} c\\xZZ d\\u0041 e\\x4",
	     "a\\x5Cx41 b\\x5Cu{41} c\\xZZ d\\u0041 e\\x4"),
	CASE(TERMINAL, "\\", "\\"),
	CASE(TERMINAL, "\\x41", "\\x5Cx41"),
	CASE(TERMINAL, "\\u{", "\\x5Cu{"),
	CASE(TERMINAL, "\\\x1B\\x4", "\\\\x1B\\x4"),
	CASE(TERMINAL, "##vso[task.complete] ##[error] #1 ###",
	     "#\\x23vso[task.complete] #\\x23[error] #1 #\\x23\\x23"),
	CASE(TERMINAL, "::error::x", "::error::x"),
	CASE(TERMINAL, "say \"hi\"", "say \"hi\""),
	CASE(QUOTED, "say \"hi\"", "say \\x22hi\\x22"),
	CASE(LINE, "::error::x", "\\x3A:error::x"),
	CASE(LINE, "  ::error::x", "\\x20 ::error::x"),
	CASE(LINE, "##vso[x]", "\\x23\\x23vso[x]"),
	CASE(LINE, "\x1b[0m", "\\x1B[0m"),
	CASE(LINE, "./a", "./a"),
	CASE(LINE, "\xC3\xA9", "\xC3\xA9"),
	CASE(LINE, "", ""),
	CASE(LINE, "a: b:c:", "a\\x3A b:c:"),
	CASE(NAME, ":: a: ", ":\\x3A a\\x3A "),
	CASE(TERMINAL, "a: b", "a: b"),
	CASE(JSON, "a\"b\\c/d", "a\\\"b\\\\c/d"),
	CASE(JSON, "\0\n\x1b\x7F", "\\u0000\\u000A\\u001B\\u007F"),
	CASE(JSON, "</script><!--&", "\\u003C/script\\u003E\\u003C!--\\u0026"),
	CASE(JSON, "\xE2\x80\xA8\xE2\x80\xA9\xC2\x9B\xE2\x80\xAE", "\\u2028\\u2029\\u009B\\u202E"),
	CASE(JSON, "\xF3\xA0\x81\x81", "\\uDB40\\uDC41"),
	CASE(JSON, "\xF0\x9F\x98\x80\xC3\xA9", "\xF0\x9F\x98\x80\xC3\xA9"),
	CASE(JSON, "x\xFFy\xED\xA0\x80z", "x\xEF\xBF\xBDy\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDz"),
	CASE(JSON, "##[x", "#\\u0023[x"),
	CASE(MARKDOWN, "a|b\nc", "a\\|b c"),
	CASE(MARKDOWN, "<b>&*[x](y)`~\\", "&lt;b\\>&amp;\\*\\[x\\](y)\\`\\~\\\\"),
	CASE(MARKDOWN, "crc_mismatch\xE2\x80\x8B\xFF", "crc_mismatch \xEF\xBF\xBD"),
	CASE(URI, "maps/DM-Sky_1.2~.umod", "maps/DM-Sky_1.2~.umod"),
	CASE(URI, "C:\\x y?#%", "C%3A%5Cx%20y%3F%23%25"),
	CASE(URI, "//host/x//y", "/%2Fhost/x//y"),
	CASE(URI, "\xC3\xA9\xFF\n", "%C3%A9%FF%0A"),
	CASE(MARKUP, "a<b>&\"c'</a>]]>", "a&lt;b&gt;&amp;&quot;c&#39;&lt;/a&gt;]]&gt;"),
	CASE(MARKUP, "\x01\t\n\xEF\xBF\xBE\xE2\x80\xAE\xFF",
	     "\\x01\\x09\\x0A\\u{FFFE}\\u{202E}\\xFF"),
	CASE(MARKUP, "\\x0A \\ ##[", "\\x5Cx0A \\ #\\x23["),
	CASE(MARKUP_AGAIN, "\"\\x0A\" \\ <", "&quot;\\x0A&quot; \\ &lt;"),
	CASE(COMMAND, "a:b,c%0A\r\n::d", "a%3Ab%2Cc%250A%0D%0A%3A%3Ad"),
	CASE(COMMAND, "\0\x1b##[e]\\x0A", "\\x00\\x1B#\\x23[e]\\x0A"),
	CASE(COMMAND_MESSAGE, "a:b,c%\n", "a:b,c%25%0A"),
	CASE(CSV, "a\"b\",c\r\n", "a\"\"b\"\",c\\x0D\\x0A"),
	CASE(CSV, "=1+1", "'=1+1"),
	CASE(CSV, "-1", "'-1"),
	CASE(CSV, "+1", "'+1"),
	CASE(CSV, "@a", "'@a"),
	CASE(CSV, "a=1", "a=1"),
	CASE(CSV,
	     "\xEF\xBC\x9D"
	     "1",
	     "'\xEF\xBC\x9D"
	     "1"),
	CASE(CSV, "\xEF\xBC\x8B", "'\xEF\xBC\x8B"),
	CASE(CSV, "\xEF\xBC\x8D", "'\xEF\xBC\x8D"),
	CASE(CSV, "\xEF\xBC\xA0", "'\xEF\xBC\xA0"),
	CASE(CSV, "\xEF\xBC\xA1", "\xEF\xBC\xA1"),
	CASE(CSV, "\\x09", "\\x5Cx09"),
	CASE(CSV_AGAIN, "-\\x09\"", "'-\\x09\"\""),
	CASE(CODE, "`a` | <b> [c](d) @e\n", "\\x60a\\x60 \\x7C <b> [c](d) @e\\x0A"),
	CASE(CODE, "\\x60", "\\x5Cx60"),
	CASE(CODE_AGAIN, "\\x60`", "\\x60\\x60"),
#undef CASE
};

static void test_escapes(void **state)
{
	struct out o;

	(void)state;
	for (size_t i = 0; i < LENGTH(escapes); i++) {
		out_init(&o, NULL, NULL);
		escape_write(&o, escapes[i].medium, escapes[i].in, escapes[i].in_len);
		assert_out(&o, escapes[i].out, strlen(escapes[i].out));
	}
}

/* Whatever goes in, what comes out is valid UTF-8 that no medium's reader mistakes for something
 * else. */
static void test_escapes_of_everything(void **state)
{
	uint64_t seed = 1;
	uint8_t in[64];
	struct out o;

	(void)state;
	for (unsigned round = 0; round < 20000; round++) {
		for (size_t i = 0; i < sizeof in; i++)
			in[i] = (uint8_t)(unit_random(&seed) >> 32);
		for (int medium = ESCAPE_TERMINAL; medium < N_ESCAPES; medium++) {
			out_init(&o, NULL, NULL);
			escape_write(&o, (enum escape)medium, in, sizeof in);
			assert_true(utf8_valid(o.buf, o.n));
			for (size_t i = 0; i < o.n; i++)
				assert_true(o.buf[i] >= 0x20 && o.buf[i] != 0x7F);
		}
	}
}

/* ---- Messages -------------------------------------------------------------------------------- */

static void test_message_kinds(void **state)
{
	struct finding f = {
		.rule = &sample_rule,
		.n_args = 5,
		.args = { { .kind = ARG_HEX, .number = 0x3DABEDAD },
			  { .kind = ARG_DEC, .number = UINT64_MAX },
			  { .kind = ARG_SIZE, .number = 962 },
			  { .kind = ARG_SIGNED, .number = (uint64_t)-5 },
			  { .kind = ARG_WORD, .word = "the member" } },
	};
	struct out o;

	(void)state;
	message_render(&o, &f);
	ASSERT_OUT(&o, "0x3DABEDAD|18446744073709551615|962 bytes|-5|the member");
	f.args[0].number = 0;
	f.args[2].number = 1;
	f.args[3].number = (uint64_t)1 << 63;
	f.args[1] = text_arg("a\"\n\x1b", false);
	f.args[4] = text_arg("System\\", true);
	message_render(&o, &f);
	ASSERT_OUT(&o, "0x00|\"a\\x22\\x0A\\x1B\"|1 byte|-9223372036854775808|\"System\\\"...");
	f.n_args = 1;
	message_render(&o, &f);
	ASSERT_OUT(&o, "0x00||||");
}

static void test_message_braces(void **state)
{
	struct rule rule = { .message = "{ {5} {a} {/} { } {:} {0 {0}} {" };
	struct finding f = { .rule = &rule,
			     .n_args = 1,
			     .args = { { .kind = ARG_DEC, .number = 7 } } };
	struct out o;

	(void)state;
	message_render(&o, &f);
	ASSERT_OUT(&o, "{ {5} {a} {/} { } {:} {0 7} {");
}

static void test_message_agrees(void **state)
{
	static const struct {
		const char *message;
		struct finding_arg arg;
		const char *out;
	} rows[] = {
		{ "{0} {0:chunk|chunks}", { .kind = ARG_DEC, .number = 1 }, "1 chunk" },
		{ "{0} {0:chunk|chunks}", { .kind = ARG_DEC, .number = 0 }, "0 chunks" },
		{ "{0} {0:chunk|chunks}", { .kind = ARG_DEC, .number = 2 }, "2 chunks" },
		{ "{0} {0:chunk|chunks}",
		  { .kind = ARG_SIGNED, .number = UINT64_MAX },
		  "-1 chunks" },
		{ "{0} {0:is|are} left", { .kind = ARG_SIZE, .number = 1 }, "1 byte is left" },
		{ "{0} {0:is|are} left", { .kind = ARG_SIZE, .number = 11 }, "11 bytes are left" },
		{ "{0:is|are} {0}", { .kind = ARG_WORD, .word = "many", .number = 1 }, "are many" },
		{ "{0:|s}{0:x|}.", { .kind = ARG_DEC, .number = 1 }, "x." },
		{ "{0:|s}{0:x|}.", { .kind = ARG_DEC, .number = 3 }, "s." },
		{ "a{1:is|are}b", { .kind = ARG_DEC, .number = 1 }, "ab" },
		{ "{0:a}{0:a|b{0:", { .kind = ARG_DEC, .number = 1 }, "{0:a}{0:a|b{0:" },
	};
	struct rule rule = { .id = "TST001" };
	struct finding f = { .rule = &rule, .n_args = 1 };
	struct out o;

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		rule.message = rows[i].message;
		f.args[0] = rows[i].arg;
		message_render(&o, &f);
		assert_out(&o, rows[i].out, strlen(rows[i].out));
	}
}

/* A message is one line, however hostile its text. */
static void test_message_is_one_line(void **state)
{
	static const char *const hostile[] = { "a\nb", "\r\n::error::x", "\xE2\x80\xA8", "\xC2\x85",
					       "\x0B\x0C" };
	struct finding f = { .rule = &sample_rule, .n_args = 1 };
	struct out o;

	(void)state;
	for (size_t i = 0; i < LENGTH(hostile); i++) {
		f.args[0] = text_arg(hostile[i], false);
		message_render(&o, &f);
		assert_null(memchr(o.buf, '\n', o.n));
		assert_null(memchr(o.buf, '\r', o.n));
		assert_null(memchr(o.buf, 0xE2, o.n));
	}
}

static void test_field_paths(void **state)
{
	static const struct {
		struct place place;
		const char *path;
	} cases[] = {
		{ { .known = true, .record = "trailer", .field = "crc", .index = PLACE_NO_INDEX },
		  "trailer.crc" },
		{ { .known = true, .record = "entry", .field = "size", .index = 3 },
		  "entry[3].size" },
		{ { .known = true, .record = "entry", .index = 0 }, "entry[0]" },
		{ { .known = true, .record = "gap", .index = PLACE_NO_INDEX }, "gap" },
	};
	struct out o;

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		assert_true(message_has_field(&cases[i].place));
		out_init(&o, NULL, NULL);
		message_field(&o, &cases[i].place);
		assert_out(&o, cases[i].path, strlen(cases[i].path));
	}
	assert_false(message_has_field(&NOWHERE));
	assert_false(message_has_field(&AT_SPAN(0, 4)));
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void test_json_values(void **state)
{
	struct out o;
	struct json j;

	(void)state;
	out_init(&o, NULL, NULL);
	json_init(&j, &o);
	json_object(&j, NULL);
	json_array(&j, "a");
	json_number(&j, NULL, 0);
	json_number(&j, NULL, ((uint64_t)1 << 53) - 1);
	json_number(&j, NULL, (uint64_t)1 << 53);
	json_signed(&j, NULL, -1);
	json_signed(&j, NULL, -((int64_t)1 << 53));
	json_signed(&j, NULL, INT64_MIN);
	json_bool(&j, NULL, true);
	json_array(&j, NULL);
	json_end(&j);
	json_object(&j, NULL);
	json_end(&j);
	json_end(&j);
	json_hex(&j, "h", 5);
	json_bytes(&j, "x", (const uint8_t *)"\x00\xAB", 2);
	json_text(&j, "t", "a\"\n", 3);
	json_end(&j);
	ASSERT_OUT(&o, "{\"a\":[0,9007199254740991,\"0x20000000000000\",-1,\"-0x20000000000000\","
		       "\"-0x8000000000000000\",true,[],{}],"
		       "\"h\":\"0x05\",\"x\":\"00ab\",\"t\":\"a\\\"\\u000A\"}");
}

static void test_json_base64(void **state)
{
	static const char *const expected[] = {
		"\"\"",         "\"Zg==\"",     "\"Zm8=\"",     "\"Zm9v\"",
		"\"Zm9vYg==\"", "\"Zm9vYmE=\"", "\"Zm9vYmFy\"",
	};
	struct out o;
	struct json j;

	(void)state;
	for (size_t n = 0; n < LENGTH(expected); n++) {
		out_init(&o, NULL, NULL);
		json_init(&j, &o);
		json_base64(&j, NULL, (const uint8_t *)"foobar", n);
		assert_out(&o, expected[n], strlen(expected[n]));
	}
}

/* Commas depend on the container, however deep. */
static void test_json_depth(void **state)
{
	char expected[4 * JSON_DEPTH];
	struct out o;
	struct json j;
	size_t n = 0;

	(void)state;
	out_init(&o, NULL, NULL);
	json_init(&j, &o);
	for (unsigned i = 0; i < JSON_DEPTH; i++) {
		json_array(&j, NULL);
		json_number(&j, NULL, 1);
		memcpy(expected + n, "[1,", 3);
		n += 3;
	}
	n--;
	for (unsigned i = 0; i < JSON_DEPTH; i++) {
		json_end(&j);
		expected[n++] = ']';
	}
	assert_out(&o, expected, n);
}

static void test_sarif_text(void **state)
{
	static const char in[] = "a{0}b [x](http://h) \\u{202E}\"";
	struct out o;
	struct json j;

	(void)state;
	out_init(&o, NULL, NULL);
	json_init(&j, &o);
	sarif_text(&j, NULL, in, sizeof in - 1, false);
	ASSERT_OUT(&o, "\"a{{0}}b [x]\\\\x28http://h) \\\\u{{202E}}\\\"\"");
	out_init(&o, NULL, NULL);
	json_init(&j, &o);
	sarif_text(&j, NULL, in, sizeof in - 1, true);
	ASSERT_OUT(&o, "\"a{0}b [x]\\\\x28http://h) \\\\u{202E}\\\"\"");
}

/* ---- Deferred output ------------------------------------------------------------------------- */

/* Bytes come back as they went in, whatever the pieces. */
static void test_deferred(void **state)
{
	static uint8_t in[3000];
	struct fault_memory memory;
	struct arena arena = unit_arena(&memory, UNIT_PLENTY);
	uint64_t seed = 7, hash_in = 0, hash_out = 0;
	struct deferred deferred;
	struct out o;

	(void)state;
	deferred_init(&deferred, &arena);
	for (size_t n = 0; n < sizeof in; n += 7) {
		for (size_t i = 0; i < n; i++) {
			in[i] = (uint8_t)unit_random(&seed);
			hash_in = (hash_in * 31 + in[i]) % 1000000007;
		}
		assert_int_equal(deferred_sink(&deferred, in, n), 0);
	}
	out_init(&o, hash_sink, &hash_out);
	deferred_write(&deferred, &o);
	out_flush(&o);
	assert_int_equal(hash_out, hash_in);
	arena_free(&arena);
}

/* ---- Hex dumps ------------------------------------------------------------------------------- */

static struct finding snippet(uint64_t at, uint64_t len, uint64_t from, size_t n)
{
	struct finding f = { .rule = &sample_rule,
			     .severity = SEVERITY_ERROR,
			     .place = AT_SPAN(at, len),
			     .snippet_at = from };

	f.snippet_len = n;
	for (size_t i = 0; i < n; i++)
		f.snippet[i] = (uint8_t)(0x3A + i);
	return f;
}

static void assert_dump(struct finding f, const char *expected)
{
	struct out o;

	out_init(&o, NULL, NULL);
	hexdump_write(&o, &f);
	assert_out(&o, expected, strlen(expected));
}

#define HALF "3a 3b 3c 3d 3e 3f 40 41"

static void test_hexdump_edges(void **state)
{
	(void)state;
	assert_dump(
		snippet(0x20, 1, 0x20, 16),
		"    20 |[3a]3b 3c 3d 3e 3f 40 41  42 43 44 45 46 47 48 49 | :;<=>?@ABCDEFGHI\n");
	assert_dump(snippet(0x2F, 1, 0x20, 16),
		    "    20 | " HALF "  42 43 44 45 46 47 48[49]| :;<=>?@ABCDEFGHI\n");
	assert_dump(
		snippet(0x27, 1, 0x20, 16),
		"    20 | 3a 3b 3c 3d 3e 3f 40[41] 42 43 44 45 46 47 48 49 | :;<=>?@ABCDEFGHI\n");
	assert_dump(snippet(0x28, 1, 0x20, 16),
		    "    20 | " HALF " [42]43 44 45 46 47 48 49 | :;<=>?@ABCDEFGHI\n");
	assert_dump(
		snippet(0x27, 2, 0x20, 16),
		"    20 | 3a 3b 3c 3d 3e 3f 40[41  42]43 44 45 46 47 48 49 | :;<=>?@ABCDEFGHI\n");
	assert_dump(snippet(0x20, 16, 0x20, 16),
		    "    20 |[" HALF "  42 43 44 45 46 47 48 49]| :;<=>?@ABCDEFGHI\n");
	assert_dump(snippet(0x2E, 4, 0x20, 18),
		    "    20 | " HALF "  42 43 44 45 46 47[48 49 | :;<=>?@ABCDEFGHI\n"
		    "    30 | 4a 4b]                                           | JK\n");
	assert_dump(snippet(0, 0, 0, 1),
		    "     0 | 3a                                               | :\n");
	assert_dump(snippet(0, 3, 0, 1),
		    "     0 |[3a                                               | :\n"
		    "   ... | 2 more bytes\n");
	assert_dump(snippet(0, 0, 0, 0), "");
	assert_dump(snippet(0x123456780, 1, 0x123456780, 1),
		    "123456780 |[3a]                                              | :\n");
}

static void test_hexdump_hides(void **state)
{
	struct finding f = snippet(0, 1, 0, 8);

	(void)state;
	memcpy(f.snippet, "\x1b##[\x7F\xC2\x9B ", 8);
	assert_dump(f, "     0 |[1b]23 23 5b 7f c2 9b 20                          | .#.[... \n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_utf8_bounds),    cmocka_unit_test(test_utf8_malformed),
		cmocka_unit_test(test_escapes),        cmocka_unit_test(test_escapes_of_everything),
		cmocka_unit_test(test_message_kinds),  cmocka_unit_test(test_message_braces),
		cmocka_unit_test(test_message_agrees), cmocka_unit_test(test_message_is_one_line),
		cmocka_unit_test(test_field_paths),    cmocka_unit_test(test_json_values),
		cmocka_unit_test(test_json_base64),    cmocka_unit_test(test_json_depth),
		cmocka_unit_test(test_sarif_text),     cmocka_unit_test(test_deferred),
		cmocka_unit_test(test_hexdump_edges),  cmocka_unit_test(test_hexdump_hides),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
