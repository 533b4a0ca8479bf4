/* UTF-8: decoding by the Unicode standard's table of well-formed sequences. */
#include "core/utf8.h"

static size_t sequence_len(uint8_t lead)
{
	if (lead < 0x80)
		return 1;
	if (lead < 0xC2 || lead > 0xF4)
		return 0;
	return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

size_t utf8_next(const uint8_t *bytes, size_t n, uint32_t *out)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t len = sequence_len(bytes[0]);
	uint32_t c;

	if (len == 0 || len > n)
		return 0;
	c = len == 1 ? bytes[0] : bytes[0] & (0x7Fu >> len);
	for (size_t i = 1; i < len; i++) {
		if ((bytes[i] & 0xC0) != 0x80)
			return 0;
		c = (c << 6) + (bytes[i] & 0x3Fu);
	}
	if (c < least[len] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
		return 0;
	*out = c;
	return len;
}

bool utf8_valid(const uint8_t *bytes, size_t n)
{
	size_t len;
	uint32_t c;

	for (size_t i = 0; i < n; i += len) {
		len = utf8_next(bytes + i, n - i, &c);
		if (len == 0)
			return false;
	}
	return true;
}
