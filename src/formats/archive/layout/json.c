/* Reading JSON. As Python's json does, it takes NaN, Infinity and -Infinity for numbers. */
#include "formats/archive/layout/json.h"

#include <string.h>

void json_begin(struct json_scan *s, struct text text)
{
	*s = (struct json_scan){ .text = text };
}

static uint32_t unit_at(const struct json_scan *s, uint32_t at)
{
	return at < s->text.ref.n_units ? text_unit(s->text, at) : 0;
}

static uint32_t next_unit(const struct json_scan *s)
{
	return unit_at(s, s->at);
}

static bool is_at_end(const struct json_scan *s)
{
	return s->at >= s->text.ref.n_units;
}

static void skip_blanks(struct json_scan *s)
{
	while (!is_at_end(s) && (next_unit(s) == ' ' || next_unit(s) == '\t' ||
				 next_unit(s) == '\n' || next_unit(s) == '\r'))
		s->at++;
}

static enum json_token fail(struct json_scan *s, const char *what)
{
	s->what = what;
	return JSON_ERROR;
}

/* ---- What is open ---------------------------------------------------------------------------- */

static bool is_in_object(const struct json_scan *s)
{
	const uint32_t i = s->open - 1;

	return s->open > 0 && s->in_object[i / 8] >> (i % 8) & 1;
}

static enum json_token open_one(struct json_scan *s, bool is_object)
{
	const uint32_t i = s->open;
	const uint8_t bit = (uint8_t)(1u << (i % 8));

	if (s->open == JSON_DEPTH_MAX)
		return fail(s, "has values more than 512 deep at character");
	s->in_object[i / 8] = (uint8_t)(is_object ? s->in_object[i / 8] | bit
						  : s->in_object[i / 8] & ~bit);
	s->depth = s->open++;
	s->at++;
	s->has_value = s->has_key = false;
	return is_object ? JSON_OBJECT : JSON_ARRAY;
}

static enum json_token close_one(struct json_scan *s)
{
	s->depth = --s->open;
	s->at++;
	s->has_value = true;
	return JSON_CLOSE;
}

/* ---- Values ---------------------------------------------------------------------------------- */

static enum json_token done(struct json_scan *s, uint32_t from, uint32_t to, enum json_token token)
{
	s->token = text_sub(s->text, from, to - from);
	s->depth = s->open;
	s->has_value = token != JSON_KEY;
	s->has_key = token == JSON_KEY;
	return token;
}

static bool is_hex(uint32_t c)
{
	return text_between(c, '0', '9') || text_between(c, 'a', 'f') || text_between(c, 'A', 'F');
}

/* How many units an escape has, from its backslash on; 0: it is none. */
static uint32_t escape_units(const struct json_scan *s, uint32_t at)
{
	const uint32_t c = unit_at(s, at + 1);

	if (c == 'u')
		return is_hex(unit_at(s, at + 2)) && is_hex(unit_at(s, at + 3)) &&
				       is_hex(unit_at(s, at + 4)) && is_hex(unit_at(s, at + 5))
			       ? 6
			       : 0;
	return c != 0 && c < 0x80 && strchr("\"\\/bfnrt", (int)c) ? 2 : 0;
}

static enum json_token read_string(struct json_scan *s, enum json_token token)
{
	const uint32_t from = s->at + 1;

	for (uint32_t at = from; at < s->text.ref.n_units;) {
		const uint32_t c = unit_at(s, at);

		if (c == '"') {
			s->at = at + 1;
			return done(s, from, at, token);
		}
		s->at = at;
		if (c < 0x20)
			return fail(s, "has a control character in a string at character");
		if (c == '\\' && escape_units(s, at) == 0)
			return fail(s, "has an escape that does not exist at character");
		at += c == '\\' ? escape_units(s, at) : 1;
	}
	s->at = s->text.ref.n_units;
	return fail(s, "lacks the end of a string at character");
}

static uint32_t skip_digits(const struct json_scan *s, uint32_t at)
{
	while (text_between(unit_at(s, at), '0', '9'))
		at++;
	return at;
}

/* Where a number ends that begins with a digit at `at`; `at` itself: it is none. */
static uint32_t number_end(const struct json_scan *s, uint32_t from)
{
	uint32_t at = unit_at(s, from) == '0' ? from + 1 : skip_digits(s, from), end;

	if (at == from)
		return from;
	if (unit_at(s, at) == '.') {
		end = skip_digits(s, at + 1);
		if (end == at + 1)
			return at;
		at = end;
	}
	if (unit_at(s, at) == 'e' || unit_at(s, at) == 'E') {
		const uint32_t sign = unit_at(s, at + 1) == '+' || unit_at(s, at + 1) == '-';

		end = skip_digits(s, at + 1 + sign);
		at = end == at + 1 + sign ? at : end;
	}
	return at;
}

static enum json_token read_number(struct json_scan *s)
{
	const uint32_t from = s->at, digits = from + (next_unit(s) == '-'),
		       end = number_end(s, digits);

	if (end == digits)
		return fail(s, "lacks a value at character");
	s->at = end;
	return done(s, from, end, JSON_NUMBER);
}

static const struct {
	const char *word;
	enum json_token token;
} words[] = {
	{ "true", JSON_TRUE },  { "false", JSON_FALSE },     { "null", JSON_NULL },
	{ "NaN", JSON_NUMBER }, { "Infinity", JSON_NUMBER }, { "-Infinity", JSON_NUMBER },
};

static bool stands(const struct json_scan *s, const char *word)
{
	for (uint32_t i = 0; word[i]; i++)
		if (unit_at(s, s->at + i) != (uint8_t)word[i])
			return false;
	return true;
}

static enum json_token read_value(struct json_scan *s)
{
	const uint32_t from = s->at;

	if (next_unit(s) == '{' || next_unit(s) == '[')
		return open_one(s, next_unit(s) == '{');
	if (next_unit(s) == '"')
		return read_string(s, JSON_STRING);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (stands(s, words[i].word)) {
			s->at += (uint32_t)strlen(words[i].word);
			return done(s, from, s->at, words[i].token);
		}
	return read_number(s);
}

/* ---- One after the other --------------------------------------------------------------------- */

static enum json_token after_outermost(struct json_scan *s)
{
	return is_at_end(s) ? JSON_END : fail(s, "should end, and goes on at character");
}

/* Behind a value: a comma, or the end of what is open. */
static bool take_comma(struct json_scan *s)
{
	if (next_unit(s) != ',')
		return false;
	s->at++;
	skip_blanks(s);
	s->has_value = false;
	return true;
}

static enum json_token next_in_array(struct json_scan *s)
{
	const bool is_first = !s->has_value;
	const bool has_comma = !is_first && take_comma(s);

	if (!has_comma && next_unit(s) == ']')
		return close_one(s);
	return is_first || has_comma ? read_value(s) : fail(s, "lacks a comma or ] at character");
}

static enum json_token next_in_object(struct json_scan *s)
{
	const bool is_first = !s->has_value;
	const bool has_comma = !is_first && take_comma(s);

	if (!has_comma && next_unit(s) == '}')
		return close_one(s);
	if (!is_first && !has_comma)
		return fail(s, "lacks a comma or } at character");
	return next_unit(s) == '"' ? read_string(s, JSON_KEY)
				   : fail(s, "lacks a name in quotes at character");
}

static enum json_token next_value_of_key(struct json_scan *s)
{
	if (next_unit(s) != ':')
		return fail(s, "lacks a colon at character");
	s->at++;
	skip_blanks(s);
	return read_value(s);
}

enum json_token json_next(struct json_scan *s)
{
	if (s->what)
		return JSON_ERROR;
	skip_blanks(s);
	if (s->open == 0)
		return s->has_value ? after_outermost(s) : read_value(s);
	if (s->has_key)
		return next_value_of_key(s);
	return is_in_object(s) ? next_in_object(s) : next_in_array(s);
}

/* ---- Strings --------------------------------------------------------------------------------- */

static uint32_t hex_value(struct text t, uint64_t from)
{
	uint32_t v = 0;

	for (uint64_t i = from; i < from + 4; i++) {
		const uint32_t c = text_unit(t, i);

		v = v * 16 + (c <= '9' ? c - '0' : (c & 0xDF) - 'A' + 10);
	}
	return v;
}

static uint32_t escaped(uint32_t c)
{
	switch (c) {
	case 'b':
		return '\b';
	case 'f':
		return '\f';
	case 'n':
		return '\n';
	case 'r':
		return '\r';
	case 't':
		return '\t';
	default:
		return c;
	}
}

struct text json_unescape(struct text string, uint8_t *out)
{
	struct text t = { out, { .at = string.ref.at, .encoding = TEXT_UTF16LE } };

	for (uint64_t i = 0; i < string.ref.n_units;) {
		uint32_t c = text_unit(string, i++);

		if (c == '\\') {
			c = text_unit(string, i++);
			if (c == 'u') {
				c = hex_value(string, i);
				i += 4;
			} else {
				c = escaped(c);
			}
		}
		out[(size_t)2 * t.ref.n_units] = (uint8_t)c;
		out[(size_t)2 * t.ref.n_units + 1] = (uint8_t)(c >> 8);
		t.ref.n_units++;
	}
	return t;
}
