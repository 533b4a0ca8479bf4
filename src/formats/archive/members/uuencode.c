/* What uuencode writes, by its first lines. Source: conformance/spec/zip.md, 1.12. */
#include "formats/archive/members/members.h"

#include <string.h>

/* A line of n bytes: a letter says how many it stands for, three of them in four letters. */
static bool is_encoded(struct held line)
{
	const uint64_t first = held_u8(line, 0), n = (first + 32) & 63,
		       letters = 1 + (n + 2) / 3 * 4;

	return line.len > 0 && first >= ' ' && first <= '`' &&
	       (line.len == letters || line.len == letters + 1);
}

static bool has_mode(struct held line, uint64_t at)
{
	for (uint64_t i = 0; i < 3; i++)
		if (!held_has(line, at + i, 1) || held_u8(line, at + i) < '0' ||
		    held_u8(line, at + i) > '7')
			return false;
	return held_u8(line, at + 3) == ' ';
}

/* Takes a line off *rest, without what ends it. */
static struct held take_line(struct held *rest)
{
	const uint64_t n = held_find(*rest, '\n'), next = n < rest->len ? n + 1 : rest->len;
	struct held line = held_part(*rest, 0, n);

	if (n > 0 && held_u8(line, n - 1) == '\r')
		line = held_part(line, 0, n - 1);
	*rest = held_part(*rest, next, rest->len - next);
	return line;
}

static bool is_text(struct held line)
{
	for (uint64_t i = 0; i < line.len; i++)
		if (held_u8(line, i) < ' ' && held_u8(line, i) != '\t')
			return false;
	return true;
}

/* Whether a line says that what is in those after it is encoded, in one of both forms. */
static bool is_begin(struct held line, struct held after)
{
	static const char plain[] = "begin ", base64[] = "begin-base64 ";

	if (held_starts(line, base64, sizeof base64 - 1) && has_mode(line, sizeof base64 - 1))
		return true;
	return held_starts(line, plain, sizeof plain - 1) && has_mode(line, sizeof plain - 1) &&
	       is_encoded(take_line(&after));
}

bool arc_has_uuencoded(struct held text)
{
	struct held rest = text;

	while (rest.len > 0) {
		const struct held line = take_line(&rest);

		if (!is_text(line))
			return false;
		if (is_begin(line, rest))
			return true;
	}
	return false;
}

bool arc_is_uuencoded(struct held first)
{
	struct held rest = first;
	const struct held line = take_line(&rest);

	return is_begin(line, rest);
}
