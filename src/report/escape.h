/* Escaping: bytes that a stranger chose, made harmless for the medium that shows them. */
#ifndef UVET_REPORT_ESCAPE_H
#define UVET_REPORT_ESCAPE_H

#include "report/out.h"

/* The media. All expect UTF-8 and none trusts it.
 *
 * Invisible characters are controls (C0, DEL, C1), those that reorder or hide text, zero-width
 * ones, line separators and noncharacters. TERMINAL, QUOTED and LINE write them, and bytes that
 * are not UTF-8, as \xNN or \u{NNNN}; a backslash is \x5C where it would read as the start of
 * one of these, and itself elsewhere. Every second # in a row is escaped too, because a build
 * server obeys ##[ and ##vso[ anywhere in a line. */
enum escape {
	ESCAPE_TERMINAL, /* a part of one line of a terminal or a log */
	ESCAPE_QUOTED,   /* the same, between double quotes */
	/* the same, ended by a colon and a space: a colon before a space in it is escaped */
	ESCAPE_NAME,
	ESCAPE_LINE, /* such a name at the start of a line, where :: is a command too */
	/* inside a JSON string, fit to stand in HTML; bytes that are no text become U+FFFD */
	ESCAPE_JSON,
	ESCAPE_MARKDOWN, /* text of a paragraph or a table's cell */
	ESCAPE_URI,      /* a path as a relative reference; `\` is no separator */
	/* text and attributes of XML and HTML: what is invisible, as in a terminal, which leaves
	 * nothing that XML 1.0 forbids */
	ESCAPE_MARKUP,
	ESCAPE_MARKUP_AGAIN, /* the same of a text that is escaped for a terminal already */
	/* a property of a GitHub workflow command, and its message; line breaks are %0A and %0D */
	ESCAPE_COMMAND,
	ESCAPE_COMMAND_MESSAGE,
	/* a field of CSV, between double quotes; one that a spreadsheet would compute begins with
	 * an apostrophe */
	ESCAPE_CSV,
	ESCAPE_CSV_AGAIN, /* the same of a text that is escaped for a terminal already */
	ESCAPE_CODE,      /* a code span of Markdown, in a cell of a table too */
	ESCAPE_CODE_AGAIN,
	N_ESCAPES
};

/* escape_write writes len bytes for a medium. */
void escape_write(struct out *o, enum escape medium, const void *bytes, size_t len);

/* escape_string does the same for a string that ends in NUL. */
void escape_string(struct out *o, enum escape medium, const char *s);

#endif
