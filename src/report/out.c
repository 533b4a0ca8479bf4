/* The out: buffering, and numbers in digits. */
#include "report/out.h"

struct out *out_init(struct out *o, out_sink *sink, void *ctx)
{
	o->sink = sink;
	o->ctx = ctx;
	o->total = 0;
	o->n = 0;
	o->failed = false;
	return o;
}

void out_flush(struct out *o)
{
	if (!o->sink)
		return;
	if (o->n > 0 && !o->failed)
		o->failed = o->sink(o->ctx, o->buf, o->n) != 0;
	o->n = 0;
}

void out_bytes_on(struct out *o, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;

	o->total += len;
	while (len > OUT_LEN - o->n) {
		size_t part = OUT_LEN - o->n;

		memcpy(o->buf + o->n, p, part);
		o->n = OUT_LEN;
		if (!o->sink)
			return;
		out_flush(o);
		p += part;
		len -= part;
	}
	memcpy(o->buf + o->n, p, len);
	o->n += len;
}

void out_repeat(struct out *o, uint8_t byte, size_t n)
{
	for (; n > 0; n--)
		out_byte(o, byte);
}

void out_dec(struct out *o, uint64_t n)
{
	uint8_t digits[20];
	size_t i = sizeof digits;

	do {
		digits[--i] = (uint8_t)('0' + n % 10);
		n /= 10;
	} while (n > 0);
	out_bytes(o, digits + i, sizeof digits - i);
}

void out_signed(struct out *o, int64_t n)
{
	if (n < 0)
		out_byte(o, '-');
	out_dec(o, out_magnitude(n));
}

void out_hex(struct out *o, uint64_t n, unsigned digits)
{
	uint8_t text[16];
	size_t i = sizeof text;

	while (i > 0 && (n > 0 || sizeof text - i < digits)) {
		text[--i] = (uint8_t) "0123456789ABCDEF"[n % 16];
		n /= 16;
	}
	out_bytes(o, text + i, sizeof text - i);
}

void out_hex_bytes(struct out *o, const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		out_byte(o, (uint8_t) "0123456789abcdef"[bytes[i] / 16]);
		out_byte(o, (uint8_t) "0123456789abcdef"[bytes[i] % 16]);
	}
}

void out_address(struct out *o, uint64_t at)
{
	out_string(o, "0x");
	out_hex(o, at, 2);
}

void out_count(struct out *o, uint64_t n, const char *word)
{
	out_dec(o, n);
	out_byte(o, ' ');
	out_string(o, word);
	if (n != 1)
		out_byte(o, 's');
}
