/* Lines of text for people: what is longer than the terminal is wide goes on below. */
#ifndef UVET_REPORT_LINE_H
#define UVET_REPORT_LINE_H

#include "report/out.h"

/* The bytes of a word that are held until it is known where the word goes; of a longer one the rest
 * follows. */
enum { LINE_WORD_MAX = 1024 };

/* A line is one that is being written. Its words are separated by spaces. */
struct line {
	struct out *to;
	size_t width;  /* columns; 0: it is not wrapped */
	size_t indent; /* of what goes on below */
	size_t column;
	size_t n_spaces; /* before the next word */
	bool in_word;    /* the beginning of the word has been written */
	size_t n;        /* bytes of the word that are held, and their columns */
	size_t n_columns;
	uint8_t word[LINE_WORD_MAX];
	struct out out;
};

/* line_begin begins a line that has `column` columns already, and returns where the rest of it is
 * written. A word is never divided, and what follows a break is indented by `indent`. A width of
 * less than LINE_WIDTH_MIN counts as that many; 0: nothing is wrapped. */
enum { LINE_WIDTH_MIN = 40 };
struct out *line_begin(struct line *l, struct out *to, size_t width, size_t indent, size_t column);

/* line_end ends it. */
void line_end(struct line *l);

#endif
