/* Messages: one line each. No byte from outside can begin another line or control a terminal. */
#include "cli/message.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A line that fits is written in one call, so that lines of several processes do not mix. */
struct line {
	size_t n;
	char buf[4096];
};

static void line_flush(struct line *l)
{
	(void)fwrite(l->buf, 1, l->n, stderr); /* there is nobody else to tell */
	l->n = 0;
}

static void line_byte(struct line *l, char c)
{
	if (l->n == sizeof l->buf)
		line_flush(l);
	l->buf[l->n++] = c;
}

static void line_string(struct line *l, const char *s)
{
	for (; *s; s++)
		line_byte(l, *s);
}

/* A backslash is escaped where it could be mistaken for one of ours; ## is a command to some build
 * servers. */
static bool needs_escape(const char *start, const char *at)
{
	unsigned char c = (unsigned char)*at;

	if (c < 0x20 || c >= 0x7f || c == '\'')
		return true;
	if (c == '\\')
		return at[1] == 'x';
	return c == '#' && at > start && at[-1] == '#';
}

static void line_escaped(struct line *l, const char *s)
{
	static const char digits[] = "0123456789ABCDEF";

	for (const char *at = s; *at; at++) {
		if (!needs_escape(s, at)) {
			line_byte(l, *at);
			continue;
		}
		line_string(l, "\\x");
		line_byte(l, digits[(unsigned char)*at >> 4]);
		line_byte(l, digits[(unsigned char)*at & 15]);
	}
}

void message(const char *format, ...)
{
	struct line line = { .n = 0 };
	va_list args;

	va_start(args, format);
	line_string(&line, "uvet: ");
	for (const char *at = format; *at; at++) {
		if (at[0] == '%' && at[1] == 's')
			line_escaped(&line, va_arg(args, const char *));
		else if (at[0] == '%' && at[1] == 't')
			line_string(&line, va_arg(args, const char *));
		else
			line_byte(&line, *at);
		if (at[0] == '%' && (at[1] == 's' || at[1] == 't'))
			at++;
	}
	va_end(args);
	line_byte(&line, '\n');
	line_flush(&line);
}
