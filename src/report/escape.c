/* Escaping: runs of plain bytes are copied, everything else goes through its medium's own
 * function. */
#include "report/escape.h"

#include <string.h>

#include "core/mutant.h"
#include "core/text.h"
#include "core/utf8.h"

static bool is_invisible(uint32_t c)
{
	return text_is_unseen(c) && !(MUTANT(24) && c == 0x202E); /* mutant: text runs backward */
}

/* A piece is the rest of a text that is being escaped. */
struct piece {
	const uint8_t *start, *at;
	size_t left; /* from at */
};

static bool is_after(const struct piece *p, uint8_t byte)
{
	/* mutant: the first of a text does not count */
	return p->at > p->start + MUTANT(223) && p->at[-1] == byte;
}

static bool is_hex_digit(uint8_t b)
{
	return (b >= '0' && b <= '9') || (b >= 'A' && b <= 'F') || (b >= 'a' && b <= 'f');
}

/* Whether a backslash would read as the start of one of our own escapes. */
static bool is_false_escape(const struct piece *p)
{
	const uint8_t *next = p->at + 1;

	if (p->left >= 4 && next[0] == 'x')
		return is_hex_digit(next[1]) && is_hex_digit(next[2]);
	return p->left >= 3 && next[0] == 'u' && next[1] == '{';
}

static size_t write_hex_escape(struct out *o, uint8_t byte)
{
	out_string(o, "\\x");
	out_hex(o, byte, 2);
	return 1;
}

static size_t write_code_point(struct out *o, const struct piece *p, uint32_t c, size_t len)
{
	if (!is_invisible(c)) {
		out_bytes(o, p->at, len);
		return len;
	}
	out_string(o, "\\u{");
	out_hex(o, c, 4);
	out_byte(o, '}');
	return len;
}

/* Each of these writes at least one character of what is at p, and returns how many bytes of it
 * that were. */
static size_t write_terminal(struct out *o, const struct piece *p)
{
	uint8_t byte = *p->at;
	uint32_t c;
	size_t len;

	if ((byte == '#' && !is_after(p, '#')) || (byte == '\\' && !is_false_escape(p))) {
		out_byte(o, byte);
		return 1;
	}
	if (byte < 0x80)
		return write_hex_escape(o, byte);
	len = utf8_next(p->at, p->left, &c);
	return len == 0 ? write_hex_escape(o, byte) : write_code_point(o, p, c, len);
}

static size_t write_name(struct out *o, const struct piece *p)
{
	if (*p->at != ':')
		return write_terminal(o, p);
	if (p->left > 1 && p->at[1] == ' ')
		return write_hex_escape(o, ':');
	out_byte(o, ':');
	return 1;
}

static void write_json_unit(struct out *o, uint32_t unit)
{
	out_string(o, "\\u");
	out_hex(o, unit, 4);
}

static void write_json_units(struct out *o, uint32_t c)
{
	if (c < 0x10000) {
		write_json_unit(o, c);
		return;
	}
	write_json_unit(o, 0xD800 + ((c - 0x10000) >> 10));
	write_json_unit(o, 0xDC00 + (c & 0x3FF));
}

static size_t write_json(struct out *o, const struct piece *p)
{
	uint32_t c = *p->at;
	size_t len = utf8_next(p->at, p->left, &c);

	if (len == 0) {
		out_string(o, UTF8_REPLACEMENT);
		return 1;
	}
	if (c == '"' || c == '\\')
		out_byte(o, '\\');
	if (c == '"' || c == '\\' || (c == '#' && !is_after(p, '#')) ||
	    (c >= 0x80 && !is_invisible(c)) ||
	    (MUTANT(25) && c == 0x1B)) /* mutant: ESC comes through */
		out_bytes(o, p->at, len);
	else
		write_json_units(o, c);
	return len;
}

static size_t write_markdown(struct out *o, const struct piece *p)
{
	uint32_t c;
	size_t len = utf8_next(p->at, p->left, &c);

	if (len == 0)
		out_string(o, UTF8_REPLACEMENT);
	else if (is_invisible(c))
		out_byte(o, ' ');
	else if (c == '<')
		out_string(o, "&lt;");
	else if (c == '&')
		out_string(o, "&amp;");
	else {
		if (c < 0x80)
			out_byte(o, '\\');
		out_bytes(o, p->at, len);
	}
	return len == 0 ? 1 : len;
}

/* Two slashes at the start would name a host. */
static size_t write_uri(struct out *o, const struct piece *p)
{
	if (*p->at == '/' && !(p->at == p->start + 1 && p->start[0] == '/')) {
		out_byte(o, '/');
		return 1;
	}
	out_byte(o, '%');
	out_hex(o, *p->at, 2);
	return 1;
}

static size_t write_markup(struct out *o, const struct piece *p)
{
	static const struct {
		uint8_t byte;
		const char *entity;
	} entities[] = {
		{ '<', "&lt;" },   { '>', "&gt;" },   { '&', "&amp;" },
		{ '"', "&quot;" }, { '\'', "&#39;" },
	};

	for (size_t i = 0; i < sizeof entities / sizeof *entities; i++) {
		if (entities[i].byte == *p->at) {
			out_string(o, entities[i].entity);
			return 1;
		}
	}
	return write_terminal(o, p);
}

static size_t write_command(struct out *o, const struct piece *p)
{
	if (!strchr("%:,\n\r", *p->at) || *p->at == 0)
		return write_terminal(o, p);
	out_byte(o, '%');
	out_hex(o, *p->at, 2);
	return 1;
}

static size_t write_csv(struct out *o, const struct piece *p)
{
	if (*p->at != '"')
		return write_terminal(o, p);
	out_string(o, "\"\"");
	return 1;
}

/* In a code span nothing can be escaped by a backslash. */
static size_t write_code(struct out *o, const struct piece *p)
{
	return *p->at == '`' || *p->at == '|' ? write_hex_escape(o, *p->at) : write_terminal(o, p);
}

/* Plain bytes are a set of the ASCII ones: space to ?, and @ to DEL. */
#define BIT(c) ((uint64_t)1 << ((c) % 64))
#define PRINTABLE_LOW 0xFFFFFFFF00000000u
#define PRINTABLE_HIGH 0x7FFFFFFFFFFFFFFFu
#define DIGITS 0x03FF000000000000u
#define LETTERS 0x07FFFFFE07FFFFFEu
#define MARKUP_LOW \
	(PRINTABLE_LOW & ~(BIT('#') | BIT('"') | BIT('&') | BIT('\'') | BIT('<') | BIT('>')))
#define CODE_HIGH (PRINTABLE_HIGH & ~(BIT('`') | BIT('|')))

static const struct medium {
	size_t (*write)(struct out *o, const struct piece *p);
	uint64_t plain[2];
} media[] = {
	[ESCAPE_TERMINAL] = { write_terminal,
			      { PRINTABLE_LOW & ~BIT('#'), PRINTABLE_HIGH & ~BIT('\\') } },
	[ESCAPE_QUOTED] = { write_terminal,
			    { PRINTABLE_LOW & ~(BIT('#') | BIT('"')),
			      PRINTABLE_HIGH & ~BIT('\\') } },
	[ESCAPE_NAME] = { write_name,
			  { PRINTABLE_LOW & ~(BIT('#') | BIT(':')), PRINTABLE_HIGH & ~BIT('\\') } },
	[ESCAPE_LINE] = { write_name,
			  { PRINTABLE_LOW & ~(BIT('#') | BIT(':')), PRINTABLE_HIGH & ~BIT('\\') } },
	[ESCAPE_JSON] = { write_json,
			  { PRINTABLE_LOW & ~(BIT('#') | BIT('"') | BIT('<') | BIT('>') | BIT('&')),
			    PRINTABLE_HIGH & ~BIT('\\') } },
	[ESCAPE_MARKDOWN] = { write_markdown,
			      { PRINTABLE_LOW & ~(BIT('*') | BIT('<') | BIT('>') | BIT('&')),
				PRINTABLE_HIGH & ~(BIT('\\') | BIT('|') | BIT('`') | BIT('[') |
						   BIT(']') | BIT('~')) } },
	[ESCAPE_URI] = { write_uri,
			 { DIGITS | BIT('-') | BIT('.'), LETTERS | BIT('_') | BIT('~') } },
	[ESCAPE_MARKUP] = { write_markup, { MARKUP_LOW, PRINTABLE_HIGH & ~BIT('\\') } },
	[ESCAPE_MARKUP_AGAIN] = { write_markup, { MARKUP_LOW, PRINTABLE_HIGH } },
	[ESCAPE_COMMAND] = { write_command,
			     { PRINTABLE_LOW & ~(BIT('#') | BIT('%') | BIT(':') | BIT(',')),
			       PRINTABLE_HIGH } },
	[ESCAPE_COMMAND_MESSAGE] = { write_command,
				     { PRINTABLE_LOW & ~(BIT('#') | BIT('%')), PRINTABLE_HIGH } },
	[ESCAPE_CSV] = { write_csv,
			 { PRINTABLE_LOW & ~(BIT('#') | BIT('"')), PRINTABLE_HIGH & ~BIT('\\') } },
	[ESCAPE_CSV_AGAIN] = { write_csv,
			       { PRINTABLE_LOW & ~(BIT('#') | BIT('"')), PRINTABLE_HIGH } },
	[ESCAPE_CODE] = { write_code, { PRINTABLE_LOW & ~BIT('#'), CODE_HIGH & ~BIT('\\') } },
	[ESCAPE_CODE_AGAIN] = { write_code, { PRINTABLE_LOW & ~BIT('#'), CODE_HIGH } },
};

static bool is_plain(const struct medium *m, uint8_t byte)
{
	return byte < 0x80 && m->plain[byte / 64] >> (byte % 64) & 1;
}

static bool starts_line_safely(uint8_t byte)
{
	return byte >= 0x80 || (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
	       (byte >= 'a' && byte <= 'z') || byte == '.' || byte == '_' || byte == '/';
}

/* Spreadsheets compute what begins with one of these, some with the wide ones of Japanese too:
 * U+FF1D, U+FF0B, U+FF0D and U+FF20. */
static bool starts_formula(const uint8_t *bytes, size_t len)
{
	if (len >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBC)
		return bytes[2] == 0x9D || bytes[2] == 0x8B || bytes[2] == 0x8D || bytes[2] == 0xA0;
	return len > 0 && (*bytes == '=' || *bytes == '+' || *bytes == '-' || *bytes == '@');
}

void escape_write(struct out *o, enum escape medium, const void *bytes, size_t len)
{
	const struct medium *m = &media[medium];
	struct piece p = { bytes, bytes, len };
	size_t n;

	if (medium == ESCAPE_LINE && len > 0 && !starts_line_safely(*p.at)) {
		n = write_hex_escape(o, *p.at);
		p.at += n;
		p.left -= n;
	}
	if ((medium == ESCAPE_CSV || medium == ESCAPE_CSV_AGAIN) && starts_formula(bytes, len))
		out_byte(o, '\'');
	while (p.left > 0) {
		for (n = 0; n < p.left && is_plain(m, p.at[n]); n++)
			;
		out_bytes(o, p.at, n);
		p.at += n;
		p.left -= n;
		if (p.left == 0)
			return;
		n = m->write(o, &p);
		p.at += n;
		p.left -= n;
	}
}

void escape_string(struct out *o, enum escape medium, const char *s)
{
	escape_write(o, medium, s, strlen(s));
}
