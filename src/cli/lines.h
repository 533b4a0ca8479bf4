/* Lines of texts that people write: keys and configurations. */
#ifndef UVET_CLI_LINES_H
#define UVET_CLI_LINES_H

#include <stdbool.h>
#include <string.h>

/* text_after_mark returns what follows the byte order mark with which editors on Windows begin a
 * text. */
static inline const char *text_after_mark(const char *text)
{
	static const char mark[] = "\xEF\xBB\xBF";

	return strncmp(text, mark, sizeof mark - 1) == 0 ? text + sizeof mark - 1 : text;
}

/* is_blank is true of what may stand around the words of a line. */
static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* trimmed is the length of s without the blanks at its end. */
static inline size_t trimmed(const char *s, size_t len)
{
	while (len > 0 && is_blank(s[len - 1]))
		len--;
	return len;
}

#endif
