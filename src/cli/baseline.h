/* Baselines: files of findings that somebody accepted, one a line, for people to read and edit. */
#ifndef UVET_CLI_BASELINE_H
#define UVET_CLI_BASELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uvet/uvet.h>

#include "cli/buffer.h"

/* A file begins with the line BASELINE_FIRST. Of the others each is empty, a comment, which begins
 * with #, or
 *
 *     FINGERPRINT RULE EXPIRES REASON
 *
 * with spaces or tabs between: 16 small hexadecimal digits, a rule's id, the last day in UTC on
 * which the finding is accepted, as YYYY-MM-DD, or - for ever, and words up to the end of the
 * line. */
#define BASELINE_FIRST "uvet-baseline/1"

enum {
	BASELINE_BYTES_MAX = 16 << 20,
	BASELINE_LINES_MAX = 1000000,
	BASELINE_REASON_MAX = 1000, /* bytes */
	BASELINE_RULE_LEN = 6,
	BASELINE_DATE_LEN = 10,
};

/* A baseline_line is one accepted finding. */
struct baseline_line {
	uint64_t fingerprint;
	char rule[BASELINE_RULE_LEN + 1];
	bool seen;        /* a check found it */
	uint32_t expires; /* the last day, as platform_today gives days; 0: it does not */
	const char *reason;
	size_t number;    /* of the line; 0: it is new */
	const char *path; /* of the file, for people; NULL: not known */
};

/* A baseline owns the text that its lines point into. Zeroed, it has none. */
struct baseline {
	struct buffer text;
	struct baseline_line *lines;
	size_t n, max;
	struct baseline_line **sorted; /* by fingerprints */
	size_t n_sorted;
};

/* What is the matter with a line: its number, and what, in words; of another line of the same
 * finding its number, else 0. */
struct baseline_trouble {
	size_t number, other;
	const char *words;
};

/* baseline_take reads b->text, which is changed. false: it is no baseline, with *trouble, whose
 * words are NULL where memory ended. */
bool baseline_take(struct baseline *b, struct baseline_trouble *trouble);

/* baseline_read reads the file at path; false after a message, which begins with `what`, and then b
 * has no lines. baseline_free is called either way. */
bool baseline_read(struct baseline *b, const char *what, const char *path);
void baseline_free(struct baseline *b);

/* baseline_add adds a line; false: memory ended. baseline_settle sorts the lines, after which
 * baseline_find finds one, NULL if there is none; false: memory ended. baseline_repeated gives the
 * second of two lines of one fingerprint, and the first in *first; NULL: there are none. */
bool baseline_add(struct baseline *b, struct baseline_line line);
bool baseline_settle(struct baseline *b);
const struct baseline_line *baseline_repeated(const struct baseline *b,
					      const struct baseline_line **first);
struct baseline_line *baseline_find(const struct baseline *b, uint64_t fingerprint);

/* baseline_write writes a settled baseline, in the order of paths, rules and fingerprints, and of
 * lines of one fingerprint the first. Nothing is found in it any more. false: memory ended, or the
 * sink refused. */
bool baseline_write(struct baseline *b, uvet_sink *sink, void *ctx);

/* baseline_fingerprint reads 16 digits. baseline_date reads YYYY-MM-DD; false if there is no such
 * day. baseline_date_text writes one, with a NUL. baseline_reason_trouble says what keeps len bytes
 * from being a reason, NULL: nothing. */
bool baseline_fingerprint(const char *digits, size_t len, uint64_t *out);
bool baseline_date(const char *text, size_t len, uint32_t *out);
void baseline_date_text(char out[BASELINE_DATE_LEN + 1], uint32_t date);
const char *baseline_reason_trouble(const char *reason, size_t len);

#endif
