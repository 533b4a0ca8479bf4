/* Is it JSON: a strict reader that keeps nothing (RFC 8259), for UTF-8 without a byte order mark. */
#include <string.h>

#include "sweep.h"

enum { DEPTH_MAX = 64 };

struct json {
	const char *p, *end;
};

static bool take(struct json *j, char c)
{
	if (j->p == j->end || *j->p != c)
		return false;
	j->p++;
	return true;
}

static void skip_blanks(struct json *j)
{
	while (j->p < j->end && strchr(" \t\r\n", *j->p) && *j->p)
		j->p++;
}

static bool digits(struct json *j)
{
	const char *from = j->p;

	while (j->p < j->end && *j->p >= '0' && *j->p <= '9')
		j->p++;
	return j->p > from;
}

static bool number(struct json *j)
{
	take(j, '-');
	if (!take(j, '0') && !digits(j))
		return false;
	if (take(j, '.') && !digits(j))
		return false;
	if (!take(j, 'e') && !take(j, 'E'))
		return true;
	if (!take(j, '+'))
		take(j, '-');
	return digits(j);
}

static bool escape(struct json *j)
{
	if (take(j, 'u')) {
		for (int i = 0; i < 4; i++, j->p++)
			if (j->p == j->end || !*j->p || !strchr("0123456789abcdefABCDEF", *j->p))
				return false;
		return true;
	}
	if (j->p == j->end || !*j->p || !strchr("\"\\/bfnrt", *j->p))
		return false;
	j->p++;
	return true;
}

/* One character of more than one byte: no overlong form, no surrogate, nothing above U+10FFFF. */
static bool wide(struct json *j, unsigned first)
{
	unsigned n = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1, c = first & (0x3Fu >> n);

	if (first < 0xC2 || first > 0xF4)
		return false;
	for (unsigned i = 0; i < n; i++) {
		if (j->p == j->end || ((unsigned char)*j->p & 0xC0) != 0x80)
			return false;
		c = c * 64 + ((unsigned char)*j->p++ & 0x3F);
	}
	return n == 1 || (n == 2 ? c >= 0x800 && (c < 0xD800 || c > 0xDFFF) : c >= 0x10000 && c <= 0x10FFFF);
}

static bool string(struct json *j)
{
	if (!take(j, '"'))
		return false;
	while (!take(j, '"')) {
		unsigned char c;

		if (j->p == j->end)
			return false;
		c = (unsigned char)*j->p++;
		if (c < 0x20 || (c == '\\' && !escape(j)) || (c >= 0x80 && !wide(j, c)))
			return false;
	}
	return true;
}

static bool word(struct json *j, const char *w)
{
	for (; *w; w++)
		if (!take(j, *w))
			return false;
	return true;
}

static bool scalar(struct json *j)
{
	if (j->p == j->end)
		return false;
	switch (*j->p) {
	case '"': return string(j);
	case 't': return word(j, "true");
	case 'f': return word(j, "false");
	case 'n': return word(j, "null");
	default: return number(j);
	}
}

static bool key(struct json *j)
{
	skip_blanks(j);
	if (!string(j))
		return false;
	skip_blanks(j);
	return take(j, ':');
}

/* Opens as many lists and objects as begin here, and reads the value inside; closed: the last one was empty. */
static bool open_value(struct json *j, char *stack, size_t *depth, bool *closed)
{
	*closed = false;
	for (;;) {
		char end;

		skip_blanks(j);
		if (take(j, '['))
			end = ']';
		else if (take(j, '{'))
			end = '}';
		else
			return scalar(j);
		skip_blanks(j);
		if (take(j, end)) {
			*closed = true;
			return true;
		}
		if (*depth == DEPTH_MAX || (end == '}' && !key(j)))
			return false;
		stack[(*depth)++] = end;
	}
}

bool json_is_well_formed(const char *text, size_t n)
{
	struct json j = { text, text + n };
	char stack[DEPTH_MAX];
	size_t depth = 0;
	bool closed;

	do {
		if (!open_value(&j, stack, &depth, &closed))
			return false;
		for (skip_blanks(&j); depth > 0 && take(&j, stack[depth - 1]); skip_blanks(&j))
			depth--;
		if (depth > 0 && (!take(&j, ',') || (stack[depth - 1] == '}' && !key(&j))))
			return false;
	} while (depth > 0);
	return j.p == j.end;
}
