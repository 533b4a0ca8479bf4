/* The picture of a file: a bar of what lies where, and below it where the findings point. The
 * table beside it says the same in words. */
#include "report/html/html_map.h"

#include "report/markup.h"

/* Units of the picture: one a cell. */
enum { BAR_HEIGHT = 12, MARK_HEIGHT = 4, N_COLORS = OUTLINE_KINDS };

static void write_rect(struct out *o, const char *kind, size_t color, size_t from, size_t to)
{
	out_string(o, "<rect x=\"");
	out_dec(o, from);
	out_string(o, "\" y=\"0\"");
	markup_count(o, "width", to - from);
	markup_count(o, "height", BAR_HEIGHT);
	out_string(o, " class=\"k");
	out_dec(o, color);
	out_string(o, "\"><title>");
	escape_string(o, ESCAPE_MARKUP, kind);
	out_string(o, "</title></rect>\n");
}

/* Cells of one kind that lie side by side are one rectangle. */
static void write_bar(struct out *o, const struct outline *of)
{
	size_t end;

	for (size_t i = 0; i < OUTLINE_CELLS; i = end) {
		for (end = i + 1; end < OUTLINE_CELLS && of->cells[end] == of->cells[i]; end++)
			;
		if (of->cells[i] > 0)
			write_rect(o, of->kinds[of->cells[i] - 1], of->cells[i], i, end);
	}
}

static void write_marks(struct out *o, const struct outline *of, const struct entry *e)
{
	bool marked[OUTLINE_CELLS] = { false };

	for (size_t i = 0; i < e->n_shown; i++) {
		const struct place *p = &e->report->findings[i]->place;
		const size_t cell = outline_cell(of, p->span.at);

		if (!p->known || p->file != 0 || marked[cell])
			continue;
		marked[cell] = true;
		out_string(o, "<rect");
		markup_count(o, "x", cell);
		markup_count(o, "y", BAR_HEIGHT);
		out_string(o, " width=\"1\"");
		markup_count(o, "height", MARK_HEIGHT);
		out_string(o, " class=\"mark\"/>\n");
	}
}

static void write_legend(struct out *o, const struct outline *of)
{
	out_string(o, "<table>\n<caption>What lies in the file; marks below the bar show where "
		      "findings are</caption>\n<thead><tr><th scope=\"col\">Kind</th>"
		      "<th scope=\"col\">Bytes</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < of->n_kinds; i++) {
		out_string(o, "<tr><th scope=\"row\"><span class=\"k");
		out_dec(o, i + 1);
		out_string(o, "\">\xE2\x96\xA0</span> ");
		escape_string(o, ESCAPE_MARKUP, of->kinds[i]);
		out_string(o, "</th><td>");
		out_dec(o, of->bytes[i]);
		out_string(o, "</td></tr>\n");
	}
	out_string(o, "</tbody>\n</table>\n");
}

void html_map(struct out *o, const struct entry *e)
{
	const struct outline *of = e->report->outline;

	if (!of || of->n_kinds == 0)
		return;
	out_string(o, "<svg viewBox=\"0 0 ");
	out_dec(o, OUTLINE_CELLS);
	out_byte(o, ' ');
	out_dec(o, BAR_HEIGHT + MARK_HEIGHT);
	out_string(o, "\" preserveAspectRatio=\"none\" role=\"img\" "
		      "aria-label=\"What lies where in the file; the table below says it in "
		      "words\">\n");
	write_bar(o, of);
	write_marks(o, of, e);
	out_string(o, "</svg>\n");
	write_legend(o, of);
}
