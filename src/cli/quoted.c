/* Quoting: plain characters as they are, everything else escaped. */
#include "cli/quoted.h"

#include <string.h>

#include "core/text.h"
#include "core/utf8.h"

static const char digits[] = "0123456789ABCDEF";

static void add_escaped(struct page *p, const char *front, uint32_t c, unsigned n)
{
	page_print(p, front);
	for (unsigned i = n; i > 0; i--)
		page_add(p, &digits[c >> 4 * (i - 1) & 15], 1);
}

/* Whether a character may stand as it is: every second # in a row is a command to build servers. */
static bool is_plain(uint32_t c, bool after_hash)
{
	return !text_is_unseen(c) && c != '"' && c != '\\' && (c != '#' || !after_hash);
}

void quoted_bytes(struct page *p, const char *bytes, size_t len)
{
	const uint8_t *at = (const uint8_t *)bytes;
	uint32_t c, last = 0;

	page_print(p, "\"");
	for (size_t left = len, n; left > 0; at += n, left -= n) {
		n = utf8_next(at, left, &c);
		if (n > 0 && is_plain(c, last == '#'))
			page_add(p, (const char *)at, n);
		for (size_t i = 0; i < (n > 0 ? n : 1) && !(n > 0 && is_plain(c, last == '#')); i++)
			add_escaped(p, "\\x", at[i], 2);
		last = n > 0 ? c : 0;
		n = n > 0 ? n : 1;
	}
	page_print(p, "\"");
}

void quoted_text(struct page *p, const char *text)
{
	quoted_bytes(p, text, strlen(text));
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void add_json(struct page *p, const uint8_t *at, size_t n, uint32_t c, bool after_hash)
{
	if (is_plain(c, after_hash) && c != '<') {
		page_add(p, (const char *)at, n);
	} else if (c < 0x10000) {
		add_escaped(p, "\\u", c, 4);
	} else {
		add_escaped(p, "\\u", 0xD800 + ((c - 0x10000) >> 10), 4);
		add_escaped(p, "\\u", 0xDC00 + (c & 0x3FF), 4);
	}
}

/* Returns whether all of it was UTF-8. */
static bool write_json(struct page *p, const char *bytes, size_t len)
{
	const uint8_t *at = (const uint8_t *)bytes;
	uint32_t c, last = 0;
	bool is_text = true;

	page_print(p, "\"");
	for (size_t left = len, n; left > 0; at += n, left -= n) {
		n = utf8_next(at, left, &c);
		if (n > 0)
			add_json(p, at, n, c, last == '#');
		else
			page_print(p, UTF8_REPLACEMENT);
		is_text = is_text && n > 0;
		last = n > 0 ? c : 0;
		n = n > 0 ? n : 1;
	}
	page_print(p, "\"");
	return is_text;
}

void quoted_json(struct page *p, const char *bytes, size_t len)
{
	(void)write_json(p, bytes, len);
}

static void add_base64(struct page *p, const uint8_t *bytes, size_t len)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < len; i += 3) {
		const uint32_t b = len - i > 1 ? bytes[i + 1] : 0;
		const uint32_t c = len - i > 2 ? bytes[i + 2] : 0;
		const uint32_t all = (uint32_t)bytes[i] << 16 | b << 8 | c;

		for (unsigned k = 0; k < 4; k++)
			page_add(p, k <= len - i ? &letters[all >> (18 - 6 * k) & 63] : "=", 1);
	}
}

void quoted_path_json(struct page *p, const char *path)
{
	page_print(p, "\"path\":");
	if (write_json(p, path, strlen(path)))
		return;
	page_print(p, ",\"path_b64\":\"");
	add_base64(p, (const uint8_t *)path, strlen(path));
	page_print(p, "\"");
}
