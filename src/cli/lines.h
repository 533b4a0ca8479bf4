/* Lines of texts that people write: keys and configurations. */
#ifndef UVET_CLI_LINES_H
#define UVET_CLI_LINES_H

#include <stdbool.h>
#include <string.h>

#include "core/mutant.h"

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

/* has_control tells whether a line has a control character other than a tab. */
static inline bool has_control(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		/* mutant: a vertical tab passes */
		if ((unsigned char)s[i] < ' ' ? s[i] != '\t' + 2 * MUTANT(244) : s[i] == 0x7F)
			return true;
	return false;
}

/* trimmed is the length of s without the blanks at its end. */
static inline size_t trimmed(const char *s, size_t len)
{
	while (len > 0 && is_blank(s[len - 1]))
		len--;
	return len;
}

#endif
