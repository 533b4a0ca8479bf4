/* Styles are SGR codes: bold, and a colour of the basic eight. */
#include "report/text/style.h"

static void write_styled(struct writer *w, const char *style, const char *words)
{
	if (w->type->color)
		out_string(&w->out, style);
	out_string(&w->out, words);
	if (w->type->color)
		out_string(&w->out, "\x1b[0m");
}

void style_verdict(struct writer *w, enum verdict v, const char *words)
{
	static const char *const styles[] = { "\x1b[1;32m", "\x1b[1;31m", "\x1b[1;35m", "\x1b[1m" };

	write_styled(w, styles[v], words);
}

void style_severity(struct writer *w, enum severity s, const char *words)
{
	static const char *const styles[] = { "\x1b[1m", "\x1b[1;36m", "\x1b[1;33m", "\x1b[1;35m",
					      "\x1b[1;31m" };

	write_styled(w, styles[s], words);
}

void style_advice(struct writer *w, const char *label, const char *words)
{
	struct out *o = style_line(w, STYLE_INDENT, 0);

	out_string(o, "   = ");
	out_string(o, label);
	out_string(o, words);
	style_end(w);
}
