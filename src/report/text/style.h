/* What the parts of a text report share: colours, and lines as wide as the terminal. */
#ifndef UVET_REPORT_STYLE_H
#define UVET_REPORT_STYLE_H

#include "report/text/line.h"
#include "report/writer.h"

/* style_verdict and style_severity write words in the colour of a verdict or a severity. */
void style_verdict(struct writer *w, enum verdict v, const char *words);
void style_severity(struct writer *w, enum severity s, const char *words);

/* style_line is line_begin with the width of the writer's engine, style_end line_end. A writer has
 * one line at a time, which is its own: it is too large for the stack. */
static inline struct out *style_line(struct writer *w, size_t indent, size_t column)
{
	return line_begin(w->own, &w->out, w->engine->width, indent, column);
}
static inline void style_end(struct writer *w)
{
	line_end(w->own);
}

/* style_advice writes a line of its own below something: "   = help: Do this." */
void style_advice(struct writer *w, const char *label, const char *words);
enum { STYLE_INDENT = 5 };

#endif
