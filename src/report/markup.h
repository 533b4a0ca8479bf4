/* Markup: what XML and HTML are written with. */
#ifndef UVET_REPORT_MARKUP_H
#define UVET_REPORT_MARKUP_H

#include "report/escape.h"

/* MARKUP_XML is how an XML document begins. */
#define MARKUP_XML "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

/* markup_attribute writes ` name="value"`; the value ends in NUL and may be a stranger's.
 * markup_count does so for a number, markup_rendered for a text that an out without a sink holds
 * and that is escaped as for a terminal. */
static inline void markup_attribute(struct out *o, const char *name, const char *value)
{
	out_byte(o, ' ');
	out_string(o, name);
	out_string(o, "=\"");
	escape_string(o, ESCAPE_MARKUP, value);
	out_byte(o, '"');
}

static inline void markup_count(struct out *o, const char *name, uint64_t n)
{
	out_byte(o, ' ');
	out_string(o, name);
	out_string(o, "=\"");
	out_dec(o, n);
	out_byte(o, '"');
}

static inline void markup_rendered(struct out *o, const char *name, const struct out *text)
{
	out_byte(o, ' ');
	out_string(o, name);
	out_string(o, "=\"");
	escape_write(o, ESCAPE_MARKUP_AGAIN, text->buf, text->n);
	out_byte(o, '"');
}

#endif
