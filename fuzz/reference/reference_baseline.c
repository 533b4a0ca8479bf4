/* A reference reading of baselines. */
#include "reference/reference_baseline.h"

#include <string.h>

enum { DAY_LEN = 10, REASON_MAX = 1000 };

static const char first_line[] = "uvet-baseline/1";

/* ---- Words ----------------------------------------------------------------------------------- */

static bool is_space(char c)
{
	return c == ' ' || c == '\t';
}

/* Takes a word of n bytes and the spaces after it; NULL: the next word is none of that length. */
static const char *take_word(const char **at, const char *end, size_t n)
{
	const char *word = *at;
	size_t len = 0;

	while (word + len < end && !is_space(word[len]))
		len++;
	*at = word + len;
	while (*at < end && is_space(**at))
		++*at;
	return len == n ? word : NULL;
}

static bool has_only(const char *word, size_t n, const char *letters)
{
	for (size_t i = 0; i < n; i++)
		if (!memchr(letters, word[i], strlen(letters)))
			return false;
	return true;
}

static bool is_rule(const char *word)
{
	return has_only(word, 3, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") &&
	       has_only(word + 3, 3, "0123456789");
}

/* The day after the last one of February is looked at as a calendar has it. */
static bool is_day(uint32_t year, uint32_t month, uint32_t day)
{
	const bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	if (year < 1 || month < 1 || month > 12 || day < 1)
		return false;
	if (month == 2)
		return day <= (is_leap ? 29u : 28u);
	return day <= (month == 4 || month == 6 || month == 9 || month == 11 ? 30u : 31u);
}

static bool read_day(const char *word, uint32_t *out)
{
	static const size_t digits[] = { 0, 1, 2, 3, 5, 6, 8, 9 };
	uint32_t n = 0;

	for (size_t i = 0; i < sizeof digits / sizeof *digits; i++) {
		if (word[digits[i]] < '0' || word[digits[i]] > '9')
			return false;
		n = 10 * n + (uint32_t)(word[digits[i]] - '0');
	}
	*out = n;
	return word[4] == '-' && word[7] == '-' && is_day(n / 10000, n / 100 % 100, n % 100);
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static bool take_expires(const char **at, const char *end, uint32_t *out)
{
	const char *from = *at, *word = take_word(at, end, 1);

	*out = 0;
	if (word)
		return *word == '-';
	*at = from;
	word = take_word(at, end, DAY_LEN);
	return word && read_day(word, out);
}

static bool is_reason(const char *at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)at[i] < 0x20 || at[i] == 0x7F)
			return false;
	return n > 0 && n <= REASON_MAX;
}

static bool read_line(const char *at, const char *end, struct reference_accepted *out)
{
	out->fingerprint = take_word(&at, end, REFERENCE_FINGERPRINT_LEN);
	if (!out->fingerprint ||
	    !has_only(out->fingerprint, REFERENCE_FINGERPRINT_LEN, "0123456789abcdef"))
		return false;
	out->rule = take_word(&at, end, REFERENCE_RULE_LEN);
	if (!out->rule || !is_rule(out->rule) || !take_expires(&at, end, &out->expires))
		return false;
	while (end > at && is_space(end[-1]))
		end--;
	out->reason = at;
	out->reason_len = (size_t)(end - at);
	return is_reason(at, out->reason_len);
}

size_t reference_baseline(const char *text, size_t n, struct reference_accepted *out, size_t max)
{
	const char *const end_of_text = text + n;
	struct reference_accepted one = { .line = 0 };
	size_t n_lines = 0;

	for (const char *at = text, *next; at < end_of_text; at = next + 1) {
		const char *end = memchr(at, '\n', (size_t)(end_of_text - at));

		next = end = end ? end : end_of_text;
		end -= end > at && end[-1] == '\r';
		if (++one.line == 1) {
			if ((size_t)(end - at) != strlen(first_line) ||
			    memcmp(at, first_line, strlen(first_line)) != 0)
				return SIZE_MAX;
			continue;
		}
		while (at < end && is_space(*at))
			at++;
		if (at == end || *at == '#')
			continue;
		if (!read_line(at, end, &one))
			return SIZE_MAX;
		if (n_lines < max)
			out[n_lines] = one;
		n_lines++;
	}
	return one.line > 0 ? n_lines : SIZE_MAX;
}
