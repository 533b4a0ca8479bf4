/* Baselines: read strictly, because a line that is misunderstood accepts what nobody accepted. */
#include "cli/baseline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/grow.h"
#include "cli/message.h"
#include "core/mutant.h"

/* ---- Words of a line ------------------------------------------------------------------------- */

bool baseline_fingerprint(const char *digits, size_t len, uint64_t *out)
{
	static const char of[] = "0123456789abcdef";
	uint64_t n = 0;
	const char *digit;

	if (len != 16)
		return false;
	for (size_t i = 0; i < len; i++) {
		digit = memchr(of, digits[i], 16);
		if (!digit)
			return false;
		n = n << 4 | (uint64_t)(digit - of);
	}
	*out = n;
	return true;
}

static bool is_rule(const char *s, size_t len)
{
	if (len != BASELINE_RULE_LEN)
		return false;
	for (size_t i = 0; i < len; i++)
		/* mutant: a colon is a digit */
		if (i < 3 ? s[i] < 'A' || s[i] > 'Z' : s[i] < '0' || s[i] > '9' + MUTANT(255))
			return false;
	return true;
}

static uint32_t read_digits(const char *s, size_t n)
{
	uint32_t number = 0;

	for (size_t i = 0; i < n; i++)
		number = number * 10 + (uint32_t)(s[i] - '0');
	return number;
}

static uint32_t days_in(uint32_t year, uint32_t month)
{
	static const uint8_t days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	/* mutant: each fourth year has a leap day */
	const bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0 || MUTANT(254));

	return month == 2 && is_leap ? 29 : days[month - 1];
}

bool baseline_date(const char *text, size_t len, uint32_t *out)
{
	uint32_t year, month, day;

	if (len != BASELINE_DATE_LEN)
		return false;
	for (size_t i = 0; i < len; i++)
		if (i == 4 || i == 7 ? text[i] != '-' : text[i] < '0' || text[i] > '9')
			return false;
	year = read_digits(text, 4);
	month = read_digits(text + 5, 2);
	day = read_digits(text + 8, 2);
	if (year == 0 || month == 0 || month > 12 || day == 0 || day > days_in(year, month))
		return false;
	*out = (year * 100 + month) * 100 + day;
	return true;
}

void baseline_date_text(char out[BASELINE_DATE_LEN + 1], uint32_t date)
{
	for (size_t i = BASELINE_DATE_LEN; i > 0; i--) {
		if (i == 5 || i == 8) {
			out[i - 1] = '-';
			continue;
		}
		out[i - 1] = (char)('0' + date % 10);
		date /= 10;
	}
	out[BASELINE_DATE_LEN] = '\0';
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t';
}

const char *baseline_reason_trouble(const char *reason, size_t len)
{
	if (len == 0 || is_space(reason[0]) || is_space(reason[len - 1]))
		return len == 0 ? "there is no reason" : "the reason begins or ends with a space";
	if (len > BASELINE_REASON_MAX)
		return "the reason is longer than 1000 bytes";
	for (size_t i = 0; i < len; i++)
		/* mutant: DEL is a letter */
		if ((unsigned char)reason[i] < 0x20 || (reason[i] == 0x7F && !MUTANT(256)))
			return "the reason has a control character";
	return NULL;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

bool baseline_add(struct baseline *b, struct baseline_line line)
{
	struct baseline_line *lines = grow(b->lines, &b->max, b->n + 1, sizeof *lines);

	if (!lines)
		return false;
	b->lines = lines;
	lines[b->n++] = line;
	return true;
}

/* A text that is read from its beginning. */
struct words {
	const char *at, *end;
};

static size_t next_word(struct words *w, const char **out)
{
	while (w->at < w->end && is_space(*w->at))
		w->at++;
	*out = w->at;
	while (w->at < w->end && !is_space(*w->at))
		w->at++;
	return (size_t)(w->at - *out);
}

/* What follows, without the spaces around it. */
static size_t take_rest(struct words *w, const char **out)
{
	while (w->at < w->end && is_space(*w->at))
		w->at++;
	while (w->end > w->at && is_space(w->end[-1]))
		w->end--;
	*out = w->at;
	return (size_t)(w->end - w->at);
}

/* Returns what is the matter, or NULL. The reason still lacks its NUL. */
static const char *read_line(struct words *w, struct baseline_line *out, size_t *reason_len)
{
	const char *word;
	size_t len = next_word(w, &word);

	if (!baseline_fingerprint(word, len, &out->fingerprint))
		return "it does not begin with a fingerprint: 16 digits of 0-9 and a-f";
	len = next_word(w, &word);
	if (!is_rule(word, len))
		return "no rule's id, as UMD006, follows the fingerprint";
	memcpy(out->rule, word, len);
	len = next_word(w, &word);
	if (!(len == 1 && *word == '-') && !baseline_date(word, len, &out->expires))
		return "after the rule's id comes neither a day, YYYY-MM-DD, nor -";
	*reason_len = take_rest(w, &out->reason);
	return baseline_reason_trouble(out->reason, *reason_len);
}

static bool is_nothing(struct words w)
{
	const char *word;

	return next_word(&w, &word) == 0 || *word == '#';
}

static bool take_line(struct baseline *b, char *at, size_t len, struct baseline_trouble *trouble)
{
	struct baseline_line line = { .number = trouble->number };
	struct words w = { at, at + len };
	size_t reason_len = 0;

	if (is_nothing(w))
		return true;
	trouble->words = read_line(&w, &line, &reason_len);
	if (trouble->words)
		return false;
	at[(size_t)(line.reason - at) + reason_len] = '\0';
	return baseline_add(b, line);
}

static bool is_first(const char *at, size_t len)
{
	return len == strlen(BASELINE_FIRST) && memcmp(at, BASELINE_FIRST, len) == 0;
}

static bool take_lines(struct baseline *b, struct baseline_trouble *trouble)
{
	char *at = b->text.bytes, *end = at + b->text.len, *next;
	size_t len;

	for (; at < end; at = next + 1) {
		next = memchr(at, '\n', (size_t)(end - at));
		next = next ? next : end;
		len = (size_t)(next - at);
		len -= len > 0 && at[len - 1] == '\r';
		trouble->number++;
		if (trouble->number == 1 && !is_first(at, len))
			break;
		if (trouble->number > BASELINE_LINES_MAX) {
			trouble->words = "there are more than 1,000,000 lines";
			return false;
		}
		if (trouble->number > 1 && !take_line(b, at, len, trouble))
			return false;
	}
	if (at >= end && trouble->number > 0)
		return true;
	*trouble = (struct baseline_trouble){ 1, 0, "it is not " BASELINE_FIRST };
	return false;
}

bool baseline_take(struct baseline *b, struct baseline_trouble *trouble)
{
	const struct baseline_line *first = NULL, *second;

	*trouble = (struct baseline_trouble){ 0 };
	if (!take_lines(b, trouble))
		return false;
	trouble->words = NULL;
	if (!baseline_settle(b))
		return false;
	second = baseline_repeated(b, &first);
	if (!second)
		return true;
	*trouble = (struct baseline_trouble){ second->number, first->number,
					      "it has the fingerprint of line" };
	return false;
}

/* ---- Order ----------------------------------------------------------------------------------- */

typedef int compare_lines(const struct baseline_line *a, const struct baseline_line *b);

static int compare_fingerprints(const struct baseline_line *a, const struct baseline_line *b)
{
	return (a->fingerprint > b->fingerprint) - (a->fingerprint < b->fingerprint);
}

static int compare_places(const struct baseline_line *a, const struct baseline_line *b)
{
	int order = strcmp(a->path ? a->path : "", b->path ? b->path : "");

	order = order ? order : strcmp(a->rule, b->rule);
	return order ? order : compare_fingerprints(a, b);
}

/* Merges two runs of `from` that follow one another, [at, middle) and [middle, end). */
static void merge(struct baseline_line **to, struct baseline_line *const *from, size_t at,
		  size_t middle, size_t end, compare_lines *compare)
{
	size_t a = at, b = middle;

	for (; at < end; at++)
		to[at] = a < middle && (b >= end || compare(from[a], from[b]) <= 0) ? from[a++]
										    : from[b++];
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* A stable merge sort. false: memory ended. */
static bool sort(struct baseline_line **lines, size_t n, compare_lines *compare)
{
	struct baseline_line **spare = calloc(n + 1, sizeof *spare), **from = lines, **to = spare,
			     **last;

	if (!spare)
		return false;
	for (size_t run = 1; run < n; run *= 2) {
		for (size_t at = 0; at < n; at += 2 * run)
			merge(to, from, at, least(at + run, n), least(at + 2 * run, n), compare);
		last = from;
		from = to;
		to = last;
	}
	if (from != lines)
		memcpy(lines, from, n * sizeof *lines);
	free(spare);
	return true;
}

bool baseline_settle(struct baseline *b)
{
	free(b->sorted);
	b->n_sorted = 0;
	b->sorted = calloc(b->n + 1, sizeof *b->sorted);
	if (!b->sorted)
		return false;
	for (size_t i = 0; i < b->n; i++)
		b->sorted[i] = &b->lines[i];
	b->n_sorted = b->n;
	return sort(b->sorted, b->n, compare_fingerprints);
}

const struct baseline_line *baseline_repeated(const struct baseline *b,
					      const struct baseline_line **first)
{
	/* mutant: the first two may be alike */
	for (size_t i = 1 + (size_t)MUTANT(264); i < b->n_sorted; i++) {
		if (b->sorted[i - 1]->fingerprint != b->sorted[i]->fingerprint)
			continue;
		*first = b->sorted[i - 1];
		return b->sorted[i];
	}
	return NULL;
}

/* Two findings have one fingerprint where that of one was made to be the other's. */
static void drop_repeated(struct baseline *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n_sorted; i++)
		/* mutant: lines of one fingerprint stay */
		if (i == 0 || b->sorted[n - 1]->fingerprint != b->sorted[i]->fingerprint ||
		    MUTANT(258))
			b->sorted[n++] = b->sorted[i];
	b->n_sorted = n;
}

struct baseline_line *baseline_find(const struct baseline *b, uint64_t fingerprint)
{
	size_t low = 0, high = b->n_sorted;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (b->sorted[middle]->fingerprint == fingerprint)
			return b->sorted[middle];
		if (b->sorted[middle]->fingerprint < fingerprint)
			low = middle + 1 + (size_t)MUTANT(257); /* mutant: a line is passed over */
		else
			high = middle;
	}
	return NULL;
}

/* ---- Files ----------------------------------------------------------------------------------- */

static void complain(const char *what, const char *path, const struct baseline_trouble *trouble)
{
	char number[24], other[24];

	snprintf(number, sizeof number, "%llu", (unsigned long long)trouble->number);
	snprintf(other, sizeof other, " %llu", (unsigned long long)trouble->other);
	if (trouble->words)
		message("%t: '%s', line %t: %t%t", what, path, number, trouble->words,
			trouble->other > 0 ? other : "");
	else
		message("out of memory");
}

bool baseline_read(struct baseline *b, const char *what, const char *path)
{
	struct baseline_trouble trouble;

	*b = (struct baseline){ .n = 0 };
	if (!buffer_read(&b->text, path, BASELINE_BYTES_MAX)) {
		message("%t: '%s' cannot be read: %t", what, path,
			b->text.len > BASELINE_BYTES_MAX ? "longer than 16 MiB" : b->text.trouble);
		return false;
	}
	if (baseline_take(b, &trouble))
		return true;
	complain(what, path, &trouble);
	baseline_free(b);
	return false;
}

void baseline_free(struct baseline *b)
{
	buffer_free(&b->text);
	free(b->lines);
	free(b->sorted);
	*b = (struct baseline){ .n = 0 };
}

/* ---- Writing --------------------------------------------------------------------------------- */

static const char HEAD[] = BASELINE_FIRST
	"\n# Findings that are accepted: fingerprint, rule, last day or -, reason. See: uvet help "
	"baseline\n";

/* A file's name is a stranger's: no byte of it ends the line or controls a terminal. */
static bool write_path(const char *path, uvet_sink *sink, void *ctx)
{
	char shown[8];
	int len;

	if (sink(ctx, "# ", 2) != 0)
		return false;
	for (; *path; path++) {
		const unsigned char c = (unsigned char)*path;

		len = snprintf(shown, sizeof shown,
			       c < 0x20 || c >= 0x7F || c == '\\' ? "\\x%02X" : "%c", c);
		if (sink(ctx, shown, (size_t)len) != 0)
			return false;
	}
	return sink(ctx, "\n", 1) == 0;
}

static bool write_line(const struct baseline_line *l, uvet_sink *sink, void *ctx)
{
	char date[BASELINE_DATE_LEN + 1] = "-", head[64];
	int len;

	if (l->expires > 0)
		baseline_date_text(date, l->expires);
	len = snprintf(head, sizeof head, "%016llx %s %s ", (unsigned long long)l->fingerprint,
		       l->rule, date);
	return sink(ctx, head, (size_t)len) == 0 && sink(ctx, l->reason, strlen(l->reason)) == 0 &&
	       sink(ctx, "\n", 1) == 0;
}

bool baseline_write(struct baseline *b, uvet_sink *sink, void *ctx)
{
	const char *path = "";
	bool ok;

	drop_repeated(b);
	ok = sort(b->sorted, b->n_sorted, compare_places) && sink(ctx, HEAD, strlen(HEAD)) == 0;
	for (size_t i = 0; i < b->n_sorted && ok; i++) {
		const struct baseline_line *l = b->sorted[i];

		if (l->path && strcmp(l->path, path) != 0) {
			path = l->path;
			ok = write_path(path, sink, ctx);
		}
		ok = ok && write_line(l, sink, ctx);
	}
	return ok;
}
