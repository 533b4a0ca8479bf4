/* Strict readers, written without a look at the writers, so that they do not share a mistake. */
#include "support/strict.h"

#include <string.h>

/* ---- UTF-8 ----------------------------------------------------------------------------------- */

static bool is_tail(uint8_t b)
{
	return b >= 0x80 && b <= 0xBF;
}

/* The length of the sequence at p, 0 if it is ill-formed. Source: The Unicode Standard, table
 * 3-7. */
static size_t sequence(const uint8_t *p, size_t n)
{
	if (p[0] < 0x80)
		return 1;
	if (n >= 2 && p[0] >= 0xC2 && p[0] <= 0xDF && is_tail(p[1]))
		return 2;
	if (n >= 3 && p[0] >= 0xE0 && p[0] <= 0xEF && is_tail(p[1]) && is_tail(p[2]))
		return (p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] > 0x9F) ? 0 : 3;
	if (n >= 4 && p[0] >= 0xF0 && p[0] <= 0xF4 && is_tail(p[1]) && is_tail(p[2]) &&
	    is_tail(p[3]))
		return (p[0] == 0xF0 && p[1] < 0x90) || (p[0] == 0xF4 && p[1] > 0x8F) ? 0 : 4;
	return 0;
}

bool strict_utf8(const uint8_t *bytes, size_t n)
{
	size_t len;

	for (size_t i = 0; i < n; i += len) {
		len = sequence(bytes + i, n - i);
		if (len == 0)
			return false;
	}
	return true;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

enum { DEPTH_MAX = 32, KEYS_MAX = 64, KEY_LEN = 32 };

struct level {
	bool object;
	size_t n_keys;
	const uint8_t *keys[KEYS_MAX];
	size_t key_lens[KEYS_MAX];
};

struct reader {
	const uint8_t *at, *end;
	struct level levels[DEPTH_MAX];
	size_t depth;
};

static void skip_space(struct reader *r)
{
	while (r->at < r->end &&
	       (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
		r->at++;
}

static bool eat(struct reader *r, uint8_t byte)
{
	if (r->at == r->end || *r->at != byte)
		return false;
	r->at++;
	return true;
}

static int hex_digit(uint8_t b)
{
	if (b >= '0' && b <= '9')
		return b - '0';
	if (b >= 'a' && b <= 'f')
		return b - 'a' + 10;
	return b >= 'A' && b <= 'F' ? b - 'A' + 10 : -1;
}

static bool read_unit(struct reader *r, unsigned *out)
{
	*out = 0;
	for (int i = 0; i < 4; i++) {
		int digit = r->at < r->end ? hex_digit(*r->at++) : -1;

		if (digit < 0)
			return false;
		*out = *out * 16 + (unsigned)digit;
	}
	return true;
}

static bool read_escape(struct reader *r)
{
	unsigned unit, low;

	if (r->at == r->end)
		return false;
	if (*r->at != 'u')
		return memchr("\"\\/bfnrt", *r->at++, 8) != NULL;
	r->at++;
	if (!read_unit(r, &unit) || (unit >= 0xDC00 && unit < 0xE000))
		return false;
	if (unit < 0xD800 || unit >= 0xDC00)
		return true;
	return eat(r, '\\') && eat(r, 'u') && read_unit(r, &low) && low >= 0xDC00 && low < 0xE000;
}

static bool read_string(struct reader *r)
{
	size_t len;

	if (!eat(r, '"'))
		return false;
	while (r->at < r->end && *r->at != '"') {
		if (*r->at < 0x20)
			return false;
		if (*r->at == '\\') {
			r->at++;
			if (!read_escape(r))
				return false;
			continue;
		}
		len = sequence(r->at, (size_t)(r->end - r->at));
		if (len == 0)
			return false;
		r->at += len;
	}
	return eat(r, '"');
}

static bool is_digit(const struct reader *r)
{
	return r->at < r->end && *r->at >= '0' && *r->at <= '9';
}

static bool read_digits(struct reader *r)
{
	if (!is_digit(r))
		return false;
	while (is_digit(r))
		r->at++;
	return true;
}

static bool read_number(struct reader *r)
{
	eat(r, '-');
	if (!eat(r, '0') && !read_digits(r))
		return false;
	if (eat(r, '.') && !read_digits(r))
		return false;
	if (!eat(r, 'e') && !eat(r, 'E'))
		return true;
	if (!eat(r, '+'))
		eat(r, '-');
	return read_digits(r);
}

static bool read_word(struct reader *r, const char *word)
{
	for (; *word; word++)
		if (!eat(r, (uint8_t)*word))
			return false;
	return true;
}

static bool read_scalar(struct reader *r)
{
	switch (r->at < r->end ? *r->at : 0) {
	case '"':
		return read_string(r);
	case 't':
		return read_word(r, "true");
	case 'f':
		return read_word(r, "false");
	case 'n':
		return read_word(r, "null");
	default:
		return read_number(r);
	}
}

/* libFuzzer watches memcmp, which costs more than comparing. */
static bool same_key(const uint8_t *a, const uint8_t *b, size_t n)
{
	while (n > 0 && a[n - 1] == b[n - 1])
		n--;
	return n == 0;
}

/* Reads a key and its colon. */
static bool read_key(struct reader *r)
{
	struct level *l = &r->levels[r->depth - 1];
	const uint8_t *from = r->at;
	size_t len;

	if (!read_string(r))
		return false;
	len = (size_t)(r->at - from);
	for (size_t i = 0; i < l->n_keys; i++)
		if (l->key_lens[i] == len && same_key(l->keys[i], from, len))
			return false;
	if (l->n_keys < KEYS_MAX && len < KEY_LEN) {
		l->keys[l->n_keys] = from;
		l->key_lens[l->n_keys++] = len;
	}
	skip_space(r);
	return eat(r, ':');
}

/* Opens a container; *empty says that it was closed at once. */
static bool open_container(struct reader *r, bool object, bool *empty)
{
	if (r->depth == DEPTH_MAX)
		return false;
	r->at++;
	skip_space(r);
	*empty = eat(r, object ? '}' : ']');
	if (*empty)
		return true;
	r->levels[r->depth++] = (struct level){ .object = object };
	return !object || read_key(r);
}

/* After a value: closes what ends here, until another value must follow; *done says that none
 * does. */
static bool close_containers(struct reader *r, bool *done)
{
	for (;;) {
		skip_space(r);
		*done = r->depth == 0;
		if (*done)
			return true;
		if (eat(r, ',')) {
			skip_space(r);
			return !r->levels[r->depth - 1].object || read_key(r);
		}
		if (!eat(r, r->levels[r->depth - 1].object ? '}' : ']'))
			return false;
		r->depth--;
	}
}

bool strict_json(const uint8_t *bytes, size_t n)
{
	struct reader r = { .at = bytes, .end = bytes + n };
	bool done = false, empty;

	while (!done) {
		skip_space(&r);
		if (r.at < r.end && (*r.at == '{' || *r.at == '[')) {
			if (!open_container(&r, *r.at == '{', &empty))
				return false;
			if (!empty)
				continue;
		} else if (!read_scalar(&r)) {
			return false;
		}
		if (!close_containers(&r, &done))
			return false;
	}
	return r.at == r.end;
}

bool strict_lines(const uint8_t *bytes, size_t n)
{
	while (n > 0) {
		const uint8_t *end = memchr(bytes, '\n', n);

		if (!end || !strict_json(bytes, (size_t)(end - bytes)))
			return false;
		n -= (size_t)(end - bytes) + 1;
		bytes = end + 1;
	}
	return true;
}

/* ---- Text ------------------------------------------------------------------------------------ */

static uint32_t code_point(const uint8_t *p, size_t len)
{
	static const uint8_t lead_bits[] = { 0, 0x7F, 0x1F, 0x0F, 0x07 };
	uint32_t c = p[0] & lead_bits[len];

	for (size_t i = 1; i < len; i++)
		c = c << 6 | (p[i] & 0x3F);
	return c;
}

/* Characters that reorder, hide or end text. Source: Unicode's Bidi_Control, zero-width characters,
 * Zl and Zp. */
static bool is_deceptive(uint32_t c)
{
	static const uint32_t list[] = { 0x061C, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2028,
					 0x2029, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2060,
					 0x2066, 0x2067, 0x2068, 0x2069, 0xFEFF };

	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (list[i] == c)
			return true;
	return false;
}

/* A sequence that sets a colour: ESC [ digits and semicolons m. */
static size_t colour_sequence(const uint8_t *p, size_t n)
{
	size_t i = 2;

	if (n < 3 || p[0] != 0x1B || p[1] != '[')
		return 0;
	while (i < n && ((p[i] >= '0' && p[i] <= '9') || p[i] == ';'))
		i++;
	return i < n && p[i] == 'm' ? i + 1 : 0;
}

static bool starts(const uint8_t *p, size_t n, const char *word)
{
	size_t i = 0;

	while (i < n && word[i] && p[i] == (uint8_t)word[i])
		i++;
	return !word[i];
}

static bool is_build_command(const uint8_t *p, size_t n, bool line_start)
{
	if (*p != '#' && *p != ':')
		return false;
	return starts(p, n, "##vso[") || starts(p, n, "##[") || starts(p, n, "##teamcity[") ||
	       (line_start && starts(p, n, "::"));
}

/* How many characters from here on need no closer look, as most do not. */
static size_t plain_letters(const uint8_t *p, size_t n)
{
	size_t i = 0;

	while (i < n && p[i] >= 0x20 && p[i] < 0x7F && p[i] != '#' && p[i] != ':')
		i++;
	return i;
}

const char *strict_text(const uint8_t *bytes, size_t n, bool color)
{
	bool line_start = true;
	size_t len;

	for (size_t i = 0; i < n; i += len) {
		uint32_t c;

		len = plain_letters(bytes + i, n - i);
		line_start = line_start && len == 0;
		if (len > 0)
			continue;
		len = color ? colour_sequence(bytes + i, n - i) : 0;
		if (len > 0)
			continue;
		if (is_build_command(bytes + i, n - i, line_start))
			return "a command for a build server";
		len = sequence(bytes + i, n - i);
		if (len == 0)
			return "bytes that are not UTF-8";
		c = code_point(bytes + i, len);
		if ((c < 0x20 && c != '\n') || (c >= 0x7F && c < 0xA0))
			return "a control character";
		if (is_deceptive(c))
			return "a character that hides or reorders others";
		line_start = c == '\n';
	}
	return NULL;
}
