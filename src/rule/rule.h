/* Rules: what a rule is, and how its body speaks.
 *
 *     RULE(UMD005, directory_outside_file, ERROR, UMOD_TRAILER,
 *          .title   = "The directory offset shall lie before the trailer.",
 *          .message = "directory offset {0} is not before the trailer at {1}",
 *          .data    = "dir_offset trailer_at",
 *          .why     = "...", .fix = "...", .spec = "umod.md#2.5")
 *     {
 *             const struct umod *u = c->facts;
 *
 *             if (u->trailer.dir_offset >= u->trailer.at)
 *                     report(c, AT(c, umod_trailer, &u->trailer, dir_offset), HEX(...), HEX(...));
 *     }
 *
 * A rule sees facts and nothing else; `c` is the check. RULE judges a file, EACH one row of a
 * table, DEFECT_RULE one row that has a defect, FILE_DEFECT_RULE a file that has one. Each
 * paragraph defines a constant ID_rule, which a file of rule/ids lists: a rule that is not
 * listed does not compile. */
#ifndef UVET_RULE_RULE_H
#define UVET_RULE_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/compiler.h"
#include "core/layout.h"
#include "core/span.h"
#include "core/text.h"
#include "rule/ids.h"

struct check;

/* Severities, mildest first. UNDETERMINED is apart: it says that we cannot judge. */
enum severity {
	SEVERITY_NONE,
	SEVERITY_NOTE,
	SEVERITY_WARNING,
	SEVERITY_UNDETERMINED,
	SEVERITY_ERROR
};

/* Classes say whom a defect concerns; pipelines gate on them. */
enum rule_class {
	CLASS_CORRUPTION,
	CLASS_SECURITY,
	CLASS_COMPATIBILITY,
	CLASS_HYGIENE,
	CLASS_RESOURCE
};

enum rule_flags {
	RULE_MANDATORY = 1, /* a profile may neither ignore nor lower it */
	RULE_HEURISTIC = 2, /* judges by likelihood */
};

/* What a finding of a rule is a sign of, when a file's findings are to be explained as a whole. */
enum rule_sign {
	SIGN_NONE,
	SIGN_OTHER_FILE,  /* the bytes that say what a file is are others */
	SIGN_ABSENT_FILE, /* a file that belongs beside this one is not there */
	SIGN_DATA,        /* payload is not what was packed, as a checksum or its decoder says */
	SIGN_SUM,         /* the file is not what was packed, as a checksum over all of it says */
	SIGN_TAIL,        /* something follows the end */
	SIGN_PACKER,      /* a mistake that a packer is known for */
	/* asks for what no accident of storage or transfer asks for, but a mistake of its author
	 * may */
	SIGN_INTENT,
	SIGN_PATH,   /* likewise, by a path, which may escape from its folder */
	SIGN_ATTACK, /* likewise, and no mistake makes it either */
	/* a name, which an accident may have garbled, or which is a path that escapes */
	SIGN_NAME,
	SIGN_MOUNT, /* likewise a mount point, which has three folders ".." at its beginning */
	/* a number of which no file is long enough, which an accident makes only where no checksum
	 * over the file is right */
	SIGN_COUNT,
	SIGN_SHARED, /* the same bytes are claimed many times */
	/* tables end elsewhere than what says where they begin, which no checksum protects */
	SIGN_FRAME,
};

/* Packers that are known for mistakes, as bits. Source: REZ and UEC in conformance/spec/iostore.md.
 */
enum rule_packer { PACKER_REZ = 1 << 0, PACKER_UEC = 1 << 1 };

/* BIT makes a set of fact groups, or of other small numbers, out of one. */
#define BIT(g) (UINT64_C(1) << (g))

/* What evaluation needs comes first, so that it shares cache lines; the rest is for reports. */
struct rule {
	void (*judge)(struct check *c);
	void (*judge_rows)(struct check *c, const void *rows, uint64_t n);
	uint32_t table;       /* of an EACH rule, else 0 */
	uint64_t needs, also; /* fact groups without which the rule is not evaluated */
	/* the defects that a DEFECT_RULE or FILE_DEFECT_RULE reports; 0: another rule */
	uint64_t tells;
	struct layout_versions versions; /* format versions it applies to; {0, 0} means all */
	uint64_t uploads;  /* it is asked of these (core/upload.h), as bits; 0: whatever it is */
	uint64_t explains; /* fact groups whose stop this rule's finding explains */
	uint32_t flags;    /* enum rule_flags */
	enum rule_class class;
	enum rule_sign sign;
	unsigned packers; /* enum rule_packer: of those that make this mistake; 0: none is known */
	enum severity severity, lesser; /* lesser: SEVERITY_NONE if there is only one */
	const char *id;                 /* three letters and three digits; never reused */
	bool is_again;                  /* a further body of a rule of that id (rule/ids.h) */
	const char *name;               /* the defect, in snake_case */
	const char *title;              /* the requirement, one sentence with "shall" or "should" */
	/* what was found, lower case; {0}..{4} are the arguments of report, {0:is|are} agrees with
	 * one */
	const char *message;
	const char *data;        /* the arguments' names in reports, separated by spaces */
	const char *why;         /* who is hurt */
	const char *fix;         /* what to do */
	const char *spec;        /* the clause: page.md#number */
	const char *lesser_when; /* when the lesser severity applies */
};

/* rule_is_meant tells whether what a rule finds is somebody's doing, and no accident of storage or
 * transfer. */
static inline bool rule_is_meant(const struct rule *r)
{
	return r->sign >= SIGN_INTENT && r->sign <= SIGN_MOUNT;
}

/* RULE_LISTED is what rule/ids says of a rule: the id of NAM006_zen is NAM006. Tests have rules of
 * their own. */
#ifndef RULE_LISTED
#define RULE_LISTED(ID) .id = RULE_NUMBER_##ID < N_RULES ? ID##_id : NULL, .is_again = ID##_is_again
#endif

#define RULE(ID, NAME, SEVERITY, NEEDS, ...) \
	static void ID##_##NAME(struct check *c); \
	const struct rule ID##_rule = { \
		RULE_LISTED(ID),     .name = #NAME,        .severity = SEVERITY_##SEVERITY, \
		.needs = BIT(NEEDS), .judge = ID##_##NAME, __VA_ARGS__ \
	}; \
	static void ID##_##NAME(struct check *c)

/* EACH's TABLE is an enumerator of the format, not 0; TABLE_ROW names the type of its rows,
 * TABLE_GROUP the fact group that holds it, and TABLE_HAS tells the traits of a row. The loop is
 * in the macro, so that the rule's body is inlined in it. */
#define EACH(ID, NAME, SEVERITY, TABLE, ROW, ...) \
	RULE_OF_ROWS(ID, NAME, SEVERITY, TABLE, ROW, true, .tells = 0, __VA_ARGS__)

/* DEFECT_RULE judges the rows that have one of DEFECTS, traits of the table's set. */
#define DEFECT_RULE(ID, NAME, SEVERITY, TABLE, ROW, DEFECTS, ...) \
	RULE_OF_ROWS(ID, NAME, SEVERITY, TABLE, ROW, TABLE##_HAS(c->facts, row) & (DEFECTS), \
		     .tells = (DEFECTS), __VA_ARGS__)

/* FILE_DEFECT_RULE judges a file that has one of DEFECTS, of the set that FORMAT's .def says; FACTS
 * are the format's. */
#define FILE_DEFECT_RULE(ID, NAME, SEVERITY, NEEDS, FORMAT, FACTS, DEFECTS, ...) \
	static void ID##_##NAME(struct check *c, const struct FORMAT *FACTS); \
	static void ID##_file(struct check *c) \
	{ \
		const struct FORMAT *facts = c->facts; \
		if (FORMAT##_FILE_HAS(facts) & (DEFECTS)) \
			ID##_##NAME(c, facts); \
	} \
	const struct rule ID##_rule = { \
		RULE_LISTED(ID),     .name = #NAME,      .severity = SEVERITY_##SEVERITY, \
		.needs = BIT(NEEDS), .judge = ID##_file, .tells = (DEFECTS), \
		__VA_ARGS__ \
	}; \
	static void ID##_##NAME(struct check *c, const struct FORMAT *FACTS)

#define RULE_OF_ROWS(ID, NAME, SEVERITY, TABLE, ROW, CONDITION, ...) \
	static inline void ID##_##NAME(struct check *c, const TABLE##_ROW *ROW); \
	static void ID##_rows(struct check *c, const void *rows, uint64_t n) \
	{ \
		const TABLE##_ROW *row = rows; \
		for (const TABLE##_ROW *end = row + n; row < end; row++) \
			if (CONDITION) \
				ID##_##NAME(c, row); \
	} \
	const struct rule ID##_rule = { RULE_LISTED(ID), \
					.name = #NAME, \
					.severity = SEVERITY_##SEVERITY, \
					.needs = BIT(TABLE##_GROUP), \
					.table = TABLE, \
					.judge_rows = ID##_rows, \
					__VA_ARGS__ }; \
	static inline void ID##_##NAME(struct check *c, const TABLE##_ROW *ROW)

/* A place is where a finding points: bytes, and the path of the field that lies there. */
struct place {
	struct span span;
	uint32_t file;      /* the number of the source that they lie in; 0: the input */
	const char *record; /* "trailer", "entry"; NULL: no field, only bytes */
	const char *field;  /* NULL: the whole record */
	uint64_t index;     /* of the record in its table, or PLACE_NO_INDEX */
	bool known;         /* false: there is no place, as in RUN002 */
	/* other places with the same defect, which are only counted: no finding of theirs will be
	 * kept */
	uint32_t n_more;
};

#define PLACE_NO_INDEX UINT64_MAX

/* An arg is a value in a message. Reporters turn it into words and escape it. */
enum arg_kind { ARG_HEX, ARG_DEC, ARG_SIZE, ARG_SIGNED, ARG_WORD, ARG_BYTES, ARG_TEXT };

struct arg {
	enum arg_kind kind;
	uint64_t number;      /* HEX, DEC, SIZE (bytes), SIGNED (two's complement) */
	const char *word;     /* WORD: ours, ASCII, static */
	struct text_ref text; /* TEXT: the file's; copied, cut at ARG_TEXT_MAX code points */
	/* TEXT: its units, if they are at hand; NULL: they are read from the source. BYTES: the
	 * bytes */
	const uint8_t *units;
	bool is_utf8; /* TEXT: they are bytes of UTF-8, of which ARG_NAME_MAX are copied */
};

#define ARG_TEXT_MAX 64
#define ARG_BYTES_MAX ((size_t)4 * ARG_TEXT_MAX)

/* Names of files are never cut: no file system has one of more than 255 units, which are 765 bytes
 * of UTF-8. A message with such a name, all its bytes escaped, still has room in an out. */
#define ARG_NAME_MAX ((size_t)1024)
#define ARG_MAX 5
#define RELATED_MAX 4

#define HEX(n) ((struct arg){ .kind = ARG_HEX, .number = (n) })
#define DEC(n) ((struct arg){ .kind = ARG_DEC, .number = (n) })
#define SIZE(n) ((struct arg){ .kind = ARG_SIZE, .number = (n) })
#define SIGNED(n) ((struct arg){ .kind = ARG_SIGNED, .number = (uint64_t)(n) })
#define WORD(w) ((struct arg){ .kind = ARG_WORD, .word = (w) })
#define TEXT(t) ((struct arg){ .kind = ARG_TEXT, .text = (t) })

/* TEXT_OF is TEXT for a text that is in memory, and not in the source in this form; UTF8 is for
 * bytes of UTF-8; file_name for the name of a companion, as the host spells it. */
#define TEXT_OF(t) ((struct arg){ .kind = ARG_TEXT, .text = (t).ref, .units = (t).data })
#define UTF8(bytes, n) \
	((struct arg){ .kind = ARG_TEXT, \
		       .text = { .n_units = (uint32_t)(n) }, \
		       .units = (const uint8_t *)(bytes), \
		       .is_utf8 = true })

/* HEX_BYTES is an id or a digest, n <= ARG_BYTES_MAX bytes of it, which are shown in the order in
 * which they are stored. */
#define HEX_BYTES(bytes, n) \
	((struct arg){ .kind = ARG_BYTES, .text = { .n_units = (uint32_t)(n) }, .units = (bytes) })

static inline struct arg file_name(const char *name)
{
	return UTF8(name, strlen(name));
}

/* either is one word or another. */
static inline struct arg either(bool first, const char *a, const char *b)
{
	return WORD(first ? a : b);
}

/* A defect_words is a defect and what a rule says of it. words_for returns the words for the
 * first of the n in the list that is among `defects`; NULL: none is. */
struct defect_words {
	uint64_t defect;
	const char *words;
};
static inline const char *words_for(uint64_t defects, const struct defect_words *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (defects & list[i].defect)
			return list[i].words;
	return NULL;
}
#define WORDS_FOR(defects, list) words_for(defects, list, sizeof(list) / sizeof *(list))

/* AT is the place of a field of a record; `rec` points to the record's host struct. AT_SPAN is a
 * place that is only bytes, AT_IN one in a companion, by the number of its source. NOWHERE is
 * for what has no place. */
#define AT(c, record, rec, field) \
	check_place(c, &record##_layout, rec, (rec)->at, record##_field_##field)
#define AT_SPAN(at, len) \
	((struct place){ .span = { (at), (len) }, .index = PLACE_NO_INDEX, .known = true })
#define AT_IN(n, at, len) \
	((struct place){ \
		.span = { (at), (len) }, .file = (n), .index = PLACE_NO_INDEX, .known = true })
#define NOWHERE ((struct place){ .index = PLACE_NO_INDEX })

/* counted is a place that stands for n_more others as well. */
UVET_COLD struct place counted(struct place p, uint32_t n_more);

/* check_place finds the bytes of a field, and the record's number if rec is a row of a table. */
UVET_COLD struct place check_place(struct check *c, const struct layout *l, const void *rec,
				   uint64_t rec_at, size_t field);

/* report makes a finding of the rule being evaluated, at its own severity; report_lesser at its
 * lesser one; report_as at the one or the other. The arguments after the place are values for
 * the message. relate adds a second place to the last finding of this rule; words, a constant,
 * say what lies there. */
#define report(c, place, ...) report_as(c, false, place, __VA_ARGS__)
#define report_lesser(c, place, ...) report_as(c, true, place, __VA_ARGS__)
#define report_as(c, lesser, place, ...) \
	report_finding(c, lesser, place, (const struct arg[]){ __VA_ARGS__ }, \
		       ARG_COUNT(__VA_ARGS__))

/* How many arguments there are. More than ARG_MAX do not compile: the size of an array would be
 * negative. */
#define ARG_COUNT(...) \
	(ARG_COUNT_ANY(__VA_ARGS__) + \
	 0 * sizeof(char[ARG_COUNT_ANY(__VA_ARGS__) > ARG_MAX ? -1 : 1]))
#define ARG_COUNT_ANY(...) (sizeof((const struct arg[]){ __VA_ARGS__ }) / sizeof(struct arg))

/* report_plain is report for a message without values. */
#define report_plain(c, place) report_finding(c, false, place, NULL, 0)

UVET_COLD void report_finding(struct check *c, bool lesser, struct place place,
			      const struct arg *args, size_t n_args);
void relate(struct check *c, struct place place, const char *words);

#endif
