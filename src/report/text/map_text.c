/* The map for people: a line for each region, and one for each field below it. */
#include "report/describe.h"
#include "report/escape.h"
#include "report/map.h"

#include <string.h>

enum { KIND_WIDTH = 12, FIELD_WIDTH = 14 };

struct text_map {
	struct out *out;
	const struct check_input *in;
	bool begun;
	uint32_t file;              /* the number of the source whose regions are being written */
	uint64_t size, unexplained; /* bytes; of companions too */
};

static void write_head(struct text_map *m, const struct format *f, uint64_t version)
{
	describe_format(m->out, f, version);
	out_string(m->out, "  ");
	escape_string(m->out, ESCAPE_TERMINAL, m->in->name);
	out_string(m->out, "   ");
	out_count(m->out, m->in->io.size, "byte");
	out_byte(m->out, '\n');
	if (f)
		out_byte(m->out, '\n');
	m->begun = true;
}

static void write_companion(struct text_map *m, const struct source *s)
{
	out_byte(m->out, '\n');
	escape_string(m->out, ESCAPE_TERMINAL, s->name);
	out_string(m->out, "   ");
	out_count(m->out, s->io.size, "byte");
	out_string(m->out, "\n\n");
	m->file = s->number;
	m->size += s->io.size;
}

static void write_place(struct out *o, struct span at, unsigned depth)
{
	uint64_t from = o->total;

	out_repeat(o, ' ', 2 * (size_t)depth);
	out_string(o, "0x");
	out_hex(o, at.at, 8);
	out_string(o, " +");
	out_dec(o, at.len);
	out_byte(o, ' ');
	if (o->total - from < 24)
		out_repeat(o, ' ', (size_t)(24 - (o->total - from)));
}

static void write_padded(struct out *o, const char *word, size_t width)
{
	size_t len = strlen(word);

	out_string(o, word);
	out_repeat(o, ' ', len < width ? width - len : 1);
}

static void write_quoted(struct out *o, const struct map_value *v)
{
	out_byte(o, '"');
	escape_write(o, ESCAPE_QUOTED, v->text, v->text_len);
	out_byte(o, '"');
	if (v->cut)
		out_string(o, "...");
}

static void write_value(struct out *o, const struct map_value *v)
{
	switch (v->form) {
	case MAP_HEX:
		out_address(o, (uint64_t)v->number);
		return;
	case MAP_UNSIGNED:
		out_dec(o, (uint64_t)v->number);
		return;
	case MAP_SIGNED:
		out_signed(o, v->number);
		return;
	case MAP_TEXT:
		write_quoted(o, v);
		return;
	}
}

static void write_fields(struct out *o, struct source *s, uint64_t version, const struct region *r)
{
	const struct arena_mark mark = arena_mark(s->arena);
	struct layout_value field;
	struct map_value value;
	struct cursor c;
	size_t i = 0;

	if (!source_window_once(s, r->span, &c))
		return;
	while (layout_walk(r->layout, version, &c, &i, &field)) {
		write_place(o, field.at, r->depth + 1);
		write_padded(o, field.field->name, FIELD_WIDTH);
		out_string(o, "= ");
		map_value_of(s, &field, &value);
		write_value(o, &value);
		out_byte(o, '\n');
	}
	arena_rewind(s->arena, mark);
}

static bool write_region(void *ctx, struct decode *d, const struct format *f, uint64_t version,
			 const struct region *r)
{
	struct text_map *m = ctx;
	bool unexplained = strcmp(r->kind, "unexplained") == 0;
	struct source *s = source_numbered(d->source, r->file);
	struct map_value name;

	if (!m->begun)
		write_head(m, f, layout_version(version));
	if (s->number != m->file)
		write_companion(m, s);
	write_place(m->out, r->span, r->depth);
	write_padded(m->out, unexplained ? "UNEXPLAINED" : r->kind, KIND_WIDTH);
	out_string(m->out, unexplained ? "" : r->label);
	if (r->index != UINT64_MAX) {
		out_byte(m->out, '[');
		out_dec(m->out, r->index);
		out_byte(m->out, ']');
	}
	if (r->name.n_units > 0) {
		map_value_of_text(d->source, r->name, &name);
		out_byte(m->out, ' ');
		write_quoted(m->out, &name);
	}
	out_byte(m->out, '\n');
	if (unexplained)
		m->unexplained += r->span.len;
	if (r->layout)
		write_fields(m->out, s, version, r);
	return !m->out->failed;
}

enum map_result map_text(struct engine *e, const struct check_input *in, struct out *o)
{
	struct text_map m = { .out = o, .in = in, .size = in->io.size };
	enum map_result result = engine_map(e, in, write_region, &m);

	if (result == MAP_UNREADABLE)
		out_string(o, "unreadable  ");
	else if (!m.begun)
		write_head(&m, NULL, 0);
	if (result == MAP_UNREADABLE) {
		escape_string(o, ESCAPE_TERMINAL, in->name);
		out_byte(o, '\n');
		return result;
	}
	out_byte(o, '\n');
	out_count(o, m.size, "byte");
	out_string(o, ", ");
	out_dec(o, map_unexplained(result, m.unexplained, m.size));
	out_string(o, " unexplained\n");
	if (result == MAP_CUT)
		out_string(o, "cut: a limit was reached; parts are missing, their bytes count as "
			      "unexplained\n");
	return result;
}
