/* What texts begin with. Sources: RFC 7578 and 9112, the HTML standard, RFC 4648. */
#include "diagnosis/text_format.h"

#include <string.h>

#include "core/ascii.h"

/* ---- Words ----------------------------------------------------------------------------------- */

/* A piece of the head. */
struct piece {
	const uint8_t *bytes;
	size_t n;
};

static bool is_blank(uint8_t b)
{
	return b == ' ' || b == '\t' || b == '\r' || b == '\n';
}

static struct piece piece_from(const struct glimpse *g, size_t at)
{
	return (struct piece){ g->head + at, g->n - at };
}

static struct piece after_blank(const struct glimpse *g)
{
	size_t i = glimpse_has(g, 0, "\xEF\xBB\xBF", 3) ? 3 : 0;

	while (i < g->n && is_blank(g->head[i]))
		i++;
	return piece_from(g, i);
}

/* word is in lower case. */
static bool has_word(struct piece p, const char *word)
{
	const size_t len = strlen(word);
	size_t i = 0;

	while (i < len && i < p.n && ascii_lower((char)p.bytes[i]) == word[i])
		i++;
	return i == len;
}

/* ---- What is before a file ------------------------------------------------------------------- */

static const struct wrapper http = { "an HTTP response with its header", "an HTTP header" },
			    form = { "the body of a web form (multipart)",
				     "the header of a web form (multipart)" },
			    php = { "a message of PHP", "a message of PHP" };

/* Two hyphens, the rest of a line, and a field of the part's header. */
static bool is_multipart(const struct glimpse *g)
{
	size_t i = 2;

	if (!glimpse_has(g, 0, "--", 2))
		return false;
	while (i < g->n && g->head[i] > ' ' && g->head[i] < 0x7F)
		i++;
	return glimpse_has(g, i, "\r\n", 2) && has_word(piece_from(g, i + 2), "content-");
}

static bool is_php(struct piece p)
{
	static const char *const words[] = { "<br />\n<b>", "<br />\r\n<b>",    "php warning:",
					     "php notice:", "php fatal error:", "php deprecated:" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (has_word(p, words[i]))
			return true;
	return false;
}

const struct wrapper *text_wrapper(const struct glimpse *g)
{
	if (glimpse_has(g, 0, "HTTP/1.", 7) || glimpse_has(g, 0, "HTTP/2 ", 7))
		return &http;
	if (is_multipart(g))
		return &form;
	return is_php(after_blank(g)) ? &php : NULL;
}

/* ---- Texts ----------------------------------------------------------------------------------- */

static const struct {
	const char *word, *name;
} first_words[] = {
	{ "<!doctype html", "an HTML page" },
	{ "<html", "an HTML page" },
	{ "<head", "an HTML page" },
	{ "<!--", "an HTML page" },
	{ "<?xml", "an XML document" },
	{ "{\\rtf", "an RTF document" },
	{ "[internetshortcut]", "an Internet shortcut (.url)" },
	{ "data:", "a data URI, the text form of a binary file" },
};

/* p is not empty. */
static bool is_json(struct piece p)
{
	static const char after[] = { '{', '[', '"', '\n', '\r', ' ' };

	return p.bytes[0] == '{' ||
	       (p.bytes[0] == '[' && p.n > 1 && memchr(after, p.bytes[1], sizeof after));
}

static bool is_of(struct piece p, const char *others, uint8_t letters_to)
{
	for (size_t i = 0; i < p.n; i++) {
		const uint8_t lower = (uint8_t)ascii_lower((char)p.bytes[i]);

		if (!(lower >= 'a' && lower <= letters_to) && !(lower >= '0' && lower <= '9') &&
		    !memchr(others, lower, strlen(others)))
			return false;
	}
	return true;
}

/* So many characters are no word of a text. */
enum { ENCODED_MIN = 16, TEXT_MIN = 4 };

static const char *encoded(struct piece p)
{
	if (p.n < ENCODED_MIN)
		return NULL;
	if (is_of(p, " \r\n", 'f'))
		return "hexadecimal digits, the text form of a binary file";
	return is_of(p, "+/=\r\n", 'z') ? "base64, the text form of a binary file" : NULL;
}

const char *text_format(const struct glimpse *g, enum texts texts)
{
	const struct piece p = after_blank(g);
	const char *name = NULL;

	if (texts == TEXTS_NONE || p.n == 0)
		return NULL;
	for (size_t i = 0; i < sizeof first_words / sizeof *first_words; i++)
		if (has_word(p, first_words[i].word))
			return first_words[i].name;
	if (is_json(p))
		return "a JSON document";
	name = encoded(p);
	if (name || texts == TEXTS_KNOWN || p.n < TEXT_MIN)
		return name;
	return texts == TEXTS_ALL || p.bytes[0] != '[' ? "a text file" : NULL;
}
