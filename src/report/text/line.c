/* Lines: a word is held until it is known whether the line has room for it. */
#include "report/text/line.h"

/* Nothing is broken before the first word, however long it is. */
static void begin_word(struct line *l)
{
	if (l->column > l->indent && l->column + l->n_spaces + l->n_columns > l->width) {
		out_byte(l->to, '\n');
		out_repeat(l->to, ' ', l->indent);
		l->column = l->indent;
	} else {
		out_repeat(l->to, ' ', l->n_spaces);
		l->column += l->n_spaces;
	}
	l->n_spaces = 0;
	l->in_word = true;
}

static void pass_word(struct line *l)
{
	if (l->n == 0)
		return;
	if (!l->in_word)
		begin_word(l);
	out_bytes(l->to, l->word, l->n);
	l->column += l->n_columns;
	l->n = l->n_columns = 0;
}

static void take_byte(struct line *l, uint8_t byte)
{
	if (byte == ' ') {
		pass_word(l);
		l->in_word = false;
		l->n_spaces++;
		return;
	}
	if (l->n == LINE_WORD_MAX)
		pass_word(l);
	l->word[l->n++] = byte;
	l->n_columns += (byte & 0xC0) != 0x80; /* bytes of UTF-8 that begin a character */
}

static int take(void *ctx, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;

	for (size_t i = 0; i < len; i++)
		take_byte(ctx, p[i]);
	return 0;
}

struct out *line_begin(struct line *l, struct out *to, size_t width, size_t indent, size_t column)
{
	l->to = to;
	l->width = width > 0 && width < LINE_WIDTH_MIN ? LINE_WIDTH_MIN : width;
	if (l->width == 0)
		return to;
	l->indent = indent;
	l->column = column;
	l->n_spaces = l->n = l->n_columns = 0;
	l->in_word = false;
	return out_init(&l->out, take, l);
}

void line_end(struct line *l)
{
	if (l->width > 0) {
		out_flush(&l->out);
		pass_word(l);
	}
	out_byte(l->to, '\n');
}
