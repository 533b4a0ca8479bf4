/* Keys: reading lines, and leaving no copy of them behind. */
#include "cli/keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "cli/slurp.h"

enum { KEY_LEN = 32, GUID_LEN = 16, BASE64_LEN = 44 };

/* Compilers leave out a memset of what nobody reads any more. */
static void wipe(void *p, size_t n)
{
	volatile unsigned char *bytes = p;

	for (size_t i = 0; i < n; i++)
		bytes[i] = 0;
}

/* ---- Digits ----------------------------------------------------------------------------------------------------------------- */

static int hex_value(char c)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)((at - digits) % 16) : -1;
}

static bool parse_hex(const char *s, size_t len, uint8_t *out, size_t n)
{
	if (len == 2 * n + 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
		s += 2;
		len -= 2;
	}
	if (len != 2 * n)
		return false;
	for (size_t i = 0; i < n; i++) {
		int high = hex_value(s[2 * i]), low = hex_value(s[2 * i + 1]);

		if (high < 0 || low < 0)
			return false;
		out[i] = (uint8_t)(high * 16 + low);
	}
	return true;
}

/* 32 bytes in base64 are 43 characters and one that fills up. */
static bool parse_base64(const char *s, size_t len, uint8_t out[KEY_LEN])
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint32_t bits = 0;
	unsigned n_bits = 0;
	size_t n = 0;

	if (len != BASE64_LEN || s[len - 1] != '=')
		return false;
	for (size_t i = 0; i < len - 1; i++) {
		const char *at = s[i] ? strchr(digits, s[i]) : NULL;

		if (!at)
			return false;
		bits = (bits << 6 | (uint32_t)(at - digits)) & 0x3FFF;
		n_bits += 6;
		if (n_bits < 8)
			continue;
		n_bits -= 8;
		out[n++] = (uint8_t)(bits >> n_bits);
	}
	return true;
}

/* A GUID is four numbers, which are written with the highest byte first and stored with the lowest. */
static bool parse_guid(const char *s, size_t len, uint8_t out[GUID_LEN])
{
	char digits[2 * GUID_LEN + 2];
	uint8_t bytes[GUID_LEN];
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		if (s[i] == '-')
			continue;
		if (n == sizeof digits)
			return false;
		digits[n++] = s[i];
	}
	if (!parse_hex(digits, n, bytes, GUID_LEN))
		return false;
	for (size_t i = 0; i < GUID_LEN; i++)
		out[i] = bytes[i / 4 * 4 + 3 - i % 4];
	return true;
}

/* ---- Lines ------------------------------------------------------------------------------------------------------------------ */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void trim(const char **s, size_t *len)
{
	while (*len > 0 && is_blank(**s)) {
		++*s;
		--*len;
	}
	while (*len > 0 && is_blank((*s)[*len - 1]))
		--*len;
}

static const char *add_key(uvet_options *options, const uint8_t *guid, const char *s, size_t len)
{
	uint8_t key[KEY_LEN];
	uvet_status status;

	trim(&s, &len);
	if (!parse_hex(s, len, key, KEY_LEN) && !parse_base64(s, len, key)) {
		wipe(key, sizeof key);
		return "a key is 64 hexadecimal digits or 44 characters of base64";
	}
	status = uvet_options_key(options, guid, key);
	wipe(key, sizeof key);
	return status == UVET_OK ? NULL : "there are more than 64 keys";
}

/* The last character of base64 is an = too, but nothing follows it. */
static const char *add_line(uvet_options *options, const char *s, size_t len)
{
	const char *equals;
	uint8_t guid[GUID_LEN];
	size_t guid_len;

	trim(&s, &len);
	if (len == 0)
		return NULL;
	equals = memchr(s, '=', len);
	guid_len = equals ? (size_t)(equals - s) : len;
	if (guid_len + 1 >= len)
		return add_key(options, NULL, s, len);
	trim(&s, &guid_len);
	if (!parse_guid(s, guid_len, guid))
		return "a GUID is 32 hexadecimal digits";
	return add_key(options, guid, equals + 1, len - (size_t)(equals + 1 - s));
}

const char *keys_add_text(uvet_options *options, const char *text, unsigned *line)
{
	const char *trouble = NULL;

	for (*line = 1; !trouble; ++*line) {
		size_t len = strcspn(text, "\n");

		trouble = add_line(options, text, strcspn(text, "#\n"));
		if (trouble || !text[len])
			break;
		text += len + 1;
	}
	return trouble;
}

/* ---- Where they come from --------------------------------------------------------------------------------------------------- */

static bool add_from(uvet_options *options, const char *option, const char *name, const char *text)
{
	char number[16];
	unsigned line;
	const char *trouble = keys_add_text(options, text, &line);

	if (!trouble)
		return true;
	snprintf(number, sizeof number, "%u", line);
	message("--%t: '%s', line %t: %t", option, name, number, trouble);
	return false;
}

bool keys_from_file(uvet_options *options, const char *path)
{
	struct slurp s;
	bool ok = slurp_read(&s, path);

	if (!ok)
		message("--aes-key-file: '%s' cannot be read: %s", path, s.trouble);
	else
		ok = add_from(options, "aes-key-file", path, s.bytes);
	wipe(s.bytes, s.len);
	slurp_free(&s);
	return ok;
}

bool keys_from_env(uvet_options *options, const char *name)
{
	const char *text = getenv(name);

	if (text)
		return add_from(options, "aes-key-env", name, text);
	message("--aes-key-env: there is no variable '%s'", name);
	return false;
}
