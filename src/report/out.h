/* The out: a buffer before whoever takes a report's bytes. */
#ifndef UVET_REPORT_OUT_H
#define UVET_REPORT_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* An out_sink takes len bytes; it returns 0 if it took them all. */
typedef int out_sink(void *ctx, const void *bytes, size_t len);

enum { OUT_LEN = 8192 };

/* An out passes its bytes to the sink in runs of OUT_LEN. Once the sink has refused any, it is
 * not asked again. Without a sink the out keeps what fits in its buffer and drops the rest. */
struct out {
	out_sink *sink;
	void *ctx;
	uint64_t total; /* bytes written, taken or not */
	size_t n;       /* bytes in the buffer */
	bool failed;    /* the sink refused; the report is incomplete */
	uint8_t buf[OUT_LEN];
};

/* out_init makes an empty out, and returns it; sink may be NULL. */
struct out *out_init(struct out *o, out_sink *sink, void *ctx);

/* out_flush passes on what the buffer holds. */
void out_flush(struct out *o);

/* out_bytes writes len bytes; out_bytes_on is what it calls when they do not fit in the buffer. */
void out_bytes_on(struct out *o, const void *bytes, size_t len);
static inline void out_bytes(struct out *o, const void *bytes, size_t len)
{
	if (len > OUT_LEN - o->n) {
		out_bytes_on(o, bytes, len);
		return;
	}
	if (len > 0)
		memcpy(o->buf + o->n, bytes, len);
	o->n += len;
	o->total += len;
}

static inline void out_byte(struct out *o, uint8_t byte)
{
	if (o->n == OUT_LEN) {
		out_bytes(o, &byte, 1);
		return;
	}
	o->buf[o->n++] = byte;
	o->total++;
}

static inline void out_string(struct out *o, const char *s)
{
	out_bytes(o, s, strlen(s));
}

/* out_repeat writes one byte n times. */
void out_repeat(struct out *o, uint8_t byte, size_t n);

/* out_dec and out_signed write decimal numbers; out_hex upper-case digits, at least `digits` of
 * them, without "0x". */
void out_dec(struct out *o, uint64_t n);
void out_signed(struct out *o, int64_t n);
void out_hex(struct out *o, uint64_t n, unsigned digits);

/* out_hex_bytes writes each byte as two lower-case digits. */
void out_hex_bytes(struct out *o, const uint8_t *bytes, size_t len);

/* out_magnitude returns n without its sign. */
static inline uint64_t out_magnitude(int64_t n)
{
	return n < 0 ? (uint64_t) - (n + 1) + 1 : (uint64_t)n;
}

/* out_address writes a number as reports show offsets and magic numbers: "0x" and at least two
 * digits. */
void out_address(struct out *o, uint64_t at);

/* out_count writes "1 file" or "2 files": n, a space, the word, and an s unless n is 1. */
void out_count(struct out *o, uint64_t n, const char *word);

#endif
