/* Digits: hexadecimal and base64. */
#include "cli/digits.h"

#include <string.h>

static int hex_value(char c)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)((at - digits) % 16) : -1;
}

bool digits_hex(const char *s, size_t len, uint8_t *out, size_t n)
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

/* The length without the padding, which is up to two =. */
static size_t without_padding(const char *s, size_t len)
{
	for (unsigned i = 0; i < 2 && len > 0 && s[len - 1] == '='; i++)
		len--;
	return len;
}

size_t digits_base64(const char *s, size_t len, uint8_t *out, size_t max)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const size_t n = without_padding(s, len);
	uint32_t bits = 0;
	unsigned n_bits = 0;
	size_t n_out = 0;

	if (len % 4 != 0 || n * 6 / 8 > max)
		return 0;
	for (size_t i = 0; i < n; i++) {
		const char *at = s[i] ? strchr(digits, s[i]) : NULL;

		if (!at)
			return 0;
		bits = (bits << 6 | (uint32_t)(at - digits)) & 0x3FFF;
		n_bits += 6;
		if (n_bits < 8)
			continue;
		n_bits -= 8;
		out[n_out++] = (uint8_t)(bits >> n_bits);
	}
	return n_out;
}
