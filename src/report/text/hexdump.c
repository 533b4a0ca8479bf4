/* Hex dumps: rows. */
#include "report/text/hexdump.h"

enum { ROW_LEN = 16, ROW_WIDTH = 3 * ROW_LEN + 2, OFFSET_DIGITS = 6 };

/* The bytes between the brackets, by their index in the snippet; end may lie beyond it. */
struct marked {
	uint64_t first, end;
};

static struct marked marked_bytes(const struct finding *f)
{
	uint64_t first = f->place.span.at - f->snippet_at;
	uint64_t len = f->place.span.len;

	return (struct marked){ first, len > UINT64_MAX - first ? UINT64_MAX : first + len };
}

static size_t offset_digits(uint64_t last)
{
	size_t n = 1;

	while (last >>= 4)
		n++;
	return n;
}

static void write_offset(struct out *o, uint64_t at, size_t width)
{
	size_t digits = offset_digits(at);

	out_repeat(o, ' ', width > digits ? width - digits : 0);
	out_hex(o, at, 1);
	out_string(o, " |");
}

/* Writes what separates byte i of a row from the one before: a space, or a bracket; in the middle
 * of the row two characters. */
static void write_gap(struct out *o, struct marked m, uint64_t byte, size_t i)
{
	bool opens = m.first == byte && m.end > m.first;
	bool closes = m.end == byte && m.end > m.first && i > 0;

	if (i == ROW_LEN / 2)
		out_byte(o, closes ? ']' : ' ');
	out_byte(o, opens ? '[' : closes && i != ROW_LEN / 2 ? ']' : ' ');
}

/* A second # in a row is not shown: a build server would obey ##[ or ##vso[. */
static void write_ascii(struct out *o, const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool is_shown = bytes[i] >= 0x20 && bytes[i] < 0x7F &&
				!(i > 0 && bytes[i] == '#' && bytes[i - 1] == '#');

		out_byte(o, is_shown ? bytes[i] : '.');
	}
}

static void write_row(struct out *o, struct marked m, const uint8_t *bytes, uint64_t from, size_t n)
{
	uint64_t before = o->total;

	for (size_t i = 0; i < n; i++) {
		write_gap(o, m, from + i, i);
		out_byte(o, (uint8_t) "0123456789abcdef"[bytes[i] / 16]);
		out_byte(o, (uint8_t) "0123456789abcdef"[bytes[i] % 16]);
	}
	out_byte(o, m.end == from + n && m.end > m.first ? ']' : ' ');
	out_repeat(o, ' ', ROW_WIDTH - (size_t)(o->total - before));
	out_string(o, "| ");
	write_ascii(o, bytes, n);
	out_byte(o, '\n');
}

void hexdump_write(struct out *o, const struct finding *f)
{
	struct marked m;
	size_t width;

	if (f->snippet_len == 0)
		return;
	m = marked_bytes(f);
	width = offset_digits(f->snippet_at + f->snippet_len);
	if (width < OFFSET_DIGITS)
		width = OFFSET_DIGITS;
	for (size_t from = 0; from < f->snippet_len; from += ROW_LEN) {
		size_t left = f->snippet_len - from;

		write_offset(o, f->snippet_at + from, width);
		write_row(o, m, f->snippet + from, from, left < ROW_LEN ? left : ROW_LEN);
	}
	if (m.end > f->snippet_len) {
		out_repeat(o, ' ', width - 3);
		out_string(o, "... | ");
		out_count(o, m.end - f->snippet_len, "more byte");
		out_byte(o, '\n');
	}
}

size_t hexdump_height(const struct finding *f)
{
	if (f->snippet_len == 0)
		return 0;
	return (f->snippet_len + ROW_LEN - 1) / ROW_LEN +
	       (marked_bytes(f).end > f->snippet_len ? 1 : 0);
}
