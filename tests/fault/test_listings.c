/* Tests of what uvet tells of itself, over formats and libraries of the test's own: the linker puts
 * them in the place of the real ones. */
#include "report/rules.h"
#include "unit/taken.h"
#include "uvet/uvet.h"

static void judge_nothing(struct check *c)
{
	(void)c;
}

/* clang-format off */
#define RULE_OF(ID, DATA, ...) { \
	.judge = judge_nothing, .id = ID, .data = DATA, .title = "It shall be.", .message = "{0} is not", .why = "It hurts.", \
	.fix = "Mend it.", .spec = "own.md#1", .class = CLASS_SECURITY, .severity = SEVERITY_ERROR, __VA_ARGS__ }
/* clang-format on */

static const struct rule rules[] = {
	RULE_OF("OWN001", "number", .name = "guessed", .flags = RULE_HEURISTIC, .versions = ALL),
	RULE_OF("OWN002", "a  b c", .name = "milder", .lesser = SEVERITY_NOTE,
		.lesser_when = "it is *old*", .versions = BETWEEN(3, 3)),
	RULE_OF("OWN003", "number", .name = "fixed", .flags = RULE_MANDATORY | RULE_HEURISTIC,
		.versions = BETWEEN(1, 3)),
	RULE_OF("OWN004", "", .name = "later", .versions = SINCE(4)),
};
static const struct rule *const list[] = { &rules[0], &rules[1], &rules[2], &rules[3], NULL };

static const struct layout_field fields[] = {
	{ "magic", LAYOUT_u32, LAYOUT_MAGIC, ALL, "Magic: a number", LAYOUT_ALWAYS, 0, 0 },
	{ "early", LAYOUT_u8, LAYOUT_VALUE, ALL, "Early", LAYOUT_FOR, 0, 4 },
	{ "once", LAYOUT_u8, LAYOUT_MAGIC, BETWEEN(3, 3), "Once: in one version", LAYOUT_ALWAYS, 0,
	  0 },
	{ "some", LAYOUT_u8, LAYOUT_MAGIC, BETWEEN(2, 4), "Some: in a few", LAYOUT_ALWAYS, 0, 0 },
	{ "since", LAYOUT_u16, LAYOUT_MAGIC, SINCE(5), "Since: from one on", LAYOUT_ALWAYS, 0, 0 },
	{ "bits", LAYOUT_u8, LAYOUT_FLAGS, ALL, "Bits", LAYOUT_ALWAYS, 0, 0 },
	{ "let_in", LAYOUT_u8, LAYOUT_VALUE, ALL, "In", LAYOUT_IF, 5, 0x12 },
	{ "left_out", LAYOUT_u8, LAYOUT_VALUE, SINCE(2), "Out", LAYOUT_UNLESS, 5, 1 },
	{ "own", LAYOUT_u8, LAYOUT_VALUE, ALL, "Own", LAYOUT_FOR, 0, 2 },
	{ "others", LAYOUT_u8, LAYOUT_VALUE, ALL, "Others", LAYOUT_NOT_FOR, 0, 0xA0 },
};
static const struct layout layout = { "own_head", "The <head>", fields, LENGTH(fields), 0 };
static const struct layout *const layouts[] = { &layout, NULL };
static const struct format format = {
	.name = "own", .title = "own format", .layouts = layouts, .rules = list
};

extern const struct format *const __wrap_formats[];
const struct format *const __wrap_formats[] = { &format, NULL };

/* A build without any library. */
#define WITHOUT(name) \
	bool __wrap_##name(void); \
	bool __wrap_##name(void) \
	{ \
		return false; \
	}
WITHOUT(unlzma_is_available)
WITHOUT(unbzip2_is_available)
WITHOUT(unzstd_is_available)
WITHOUT(sha1_is_available)
WITHOUT(aes_is_available)
WITHOUT(blake3_is_available)

/* ---- What is written ------------------------------------------------------------------------- */

/* Expects these texts, one after another. */
static void expect(const char *const *texts, size_t n)
{
	const char *at = taken.bytes;

	for (size_t i = 0; i < n; i++) {
		const char *found = strstr(at, texts[i]);

		if (!found)
			fail_msg("%s is not there or comes too early", texts[i]);
		at = found + strlen(texts[i]);
	}
	take_anew();
}

static void rules_for_people(void **state)
{
	static const char *const texts[] = {
		"| [OWN001](#OWN001) | guessed | error | security |\n",
		"### <a id=\"OWN001\"></a>OWN001 guessed\n\n",
		"error · security · heuristic · [own.md#1](spec/own.md#1)\n\nIt shall be.\n\n",
		"**Message:** {0} is not\n\n",
		"**Why:** It hurts.\n\n**Fix:** Mend it.\n\n",
		"OWN002 milder\n\nerror; note when it is \\*old\\* · security · [own",
		"OWN003 fixed\n\nerror · security · mandatory · heuristic · [own",
		"OWN004 later\n\nerror · security · [own",
		"## RUN\n",
	};

	(void)state;
	assert_int_equal(uvet_rules_write("md", take, NULL), UVET_OK);
	expect(texts, LENGTH(texts));
}

static void rules_for_tools(void **state)
{
	static const char *const texts[] = {
		"{\"rules\":[{\"aliases\":[],\"class\":\"security\",\"data\":[\"number\"],"
		"\"family\":\"OWN\","
		"\"fix\":\"Mend it.\",\"heuristic\":true,\"id\":\"OWN001\","
		"\"layouts\":[],\"lesser\":\"none\",\"lesser_when\":\"\","
		"\"mandatory\":false,\"message\":\"{0} is "
		"not\",\"name\":\"guessed\",\"severity\":\"error\","
		"\"spec\":\"own.md#1\",\"title\":\"It shall "
		"be.\",\"versions\":\"all\",\"why\":\"It hurts.\"},",
		"\"data\":[\"a\",\"b\",\"c\"],",
		"\"lesser\":\"note\",\"lesser_when\":\"it is *old*\",",
		"\"versions\":\"3\",",
		"\"mandatory\":true,",
		"\"versions\":\"1-3\",",
		"\"data\":[],\"family\":\"OWN\"",
		"\"versions\":\"4+\",",
		"\"id\":\"RUN001\"",
		"\"versions\":\"all\",",
	};

	(void)state;
	assert_int_equal(uvet_rules_write("json", take, NULL), UVET_OK);
	expect(texts, LENGTH(texts));
}

static void records(void **state)
{
	static const char *const texts[] = {
		"## own_head\n\nThe &lt;head\\>\n\n<!-- layout:own_head -->\n",
		"| 0 | u32 | magic | all | Magic: a number |\n| 4 | u8 | early | all, if "
		"the file has 0x4 | Early |\n| - | u8 | once | 3 | Once: in one "
		"version |\n| - | u8 | some | 2-4 | Some: in a few |\n"
		"| - | u16 | since | 5+ | Since: from one on |\n| - | u8 | bits | all | Bits |\n| "
		"- | u8 | let_in | all, if bits has 0x12 | In |\n"
		"| - | u8 | left_out | 2+, unless bits has 0x1 | Out |\n| - | u8 | own | all, if "
		"the file has 0x2 | Own |\n"
		"| - | u8 | others | all, unless the file has 0xA0 | Others |\n<!-- /layout -->\n",
	};

	(void)state;
	assert_int_equal(uvet_rules_write("layouts", take, NULL), UVET_OK);
	expect(texts, LENGTH(texts));
}

static void one_rule_explained(void **state)
{
	static const char *const guessed[] = {
		"OWN001 guessed\n\nrule      It shall be.\nseverity  error\nclass     "
		"security\nnote      This rule judges by likelihood.\n"
		"message   {0} is not\nwhy       It hurts.\nfix       Mend it.\nclause    "
		"own.md#1\n",
	};
	static const char *const milder[] = {
		"severity  error; note when it is *old*\nclass     security\nmessage"
	};
	static const char *const fixed[] = {
		"\nnote      This rule can be neither ignored nor lowered.\nnote      This rule "
		"judges by likelihood.\n",
	};

	(void)state;
	assert_int_equal(uvet_explain("guessed", take, NULL), UVET_OK);
	expect(guessed, 1);
	assert_int_equal(uvet_explain("OWN002", take, NULL), UVET_OK);
	expect(milder, 1);
	assert_int_equal(uvet_explain("OWN003", take, NULL), UVET_OK);
	expect(fixed, 1);
}

/* Hosts see the same; a family that has no string of its own has an empty one. */
static void rules_for_hosts(void **state)
{
	uvet_rule rule = UVET_RULE_INIT;

	(void)state;
	assert_int_equal(uvet_rule_at(0, &rule), 1);
	assert_string_equal(rule.id, "OWN001");
	assert_string_equal(rule.family, "");
	assert_string_equal(rule.lesser_when, "");
	assert_true(rule.heuristic && !rule.mandatory);
	assert_int_equal(uvet_rule_find("fixed", &rule), 1);
	assert_true(rule.heuristic && rule.mandatory);
	assert_int_equal(uvet_rule_find("RUN001", &rule), 1);
	assert_string_equal(rule.family, "RUN");
	assert_true(!rule.heuristic && rule.mandatory);
}

static void libraries_that_are_not_there(void **state)
{
	static const char *const tasks[] = { "lzma", "bzip2", "zstd", "sha1", "aes", "blake3" };

	(void)state;
	for (size_t i = 0; i < LENGTH(tasks); i++)
		assert_string_equal(uvet_library(tasks[i]), "none");
	assert_string_equal(uvet_library("lz4"), "uvet");
	assert_string_equal(uvet_library("rsa"), "uvet");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules_for_people), cmocka_unit_test(rules_for_tools),
		cmocka_unit_test(records),          cmocka_unit_test(one_rule_explained),
		cmocka_unit_test(rules_for_hosts),  cmocka_unit_test(libraries_that_are_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
