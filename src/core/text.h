/* Untrusted text: where it lies, how it is encoded, and comparisons that do not depend on a locale. */
#ifndef UVET_CORE_TEXT_H
#define UVET_CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/compiler.h"
#include "core/cursor.h"
#include "core/span.h"

enum text_encoding {
	TEXT_CP1252,            /* one byte a unit; the engine's "ANSI" text */
	TEXT_UTF16LE,
	TEXT_UTF16BE,
};

/* A text_ref says where a text lies in its source. Its units are bytes or 16-bit units, by its encoding. */
struct text_ref {
	uint64_t at;            /* absolute offset of the first unit */
	uint32_t n_units;       /* without a terminating NUL */
	uint8_t encoding;       /* enum text_encoding */
	uint8_t flags;          /* TEXT_UNTERMINATED, TEXT_COUNT_... */
	uint16_t head_len;      /* bytes of the length that stands before it, if any */
};

enum {
	TEXT_UNTERMINATED = 1,          /* its last unit is not NUL although it should be */
	TEXT_COUNT_OVERLONG = 2,        /* its length is not written in the shortest form */
	TEXT_COUNT_ZERO = 4,            /* its length is 0, so it has no NUL either */
};

/* A text is a text_ref with its bytes at hand. It owns nothing. */
struct text {
	const uint8_t *data;
	struct text_ref ref;
};

/* text_between tells whether first <= c <= last. */
static inline bool text_between(uint32_t c, uint32_t first, uint32_t last)
{
	return c >= first && c <= last;
}

/* text_width returns the bytes of one unit: 1 or 2. */
static inline uint64_t text_width(enum text_encoding encoding)
{
	return encoding == TEXT_CP1252 ? 1 : 2;
}

/* text_span returns the place of the text's units (without length and NUL). */
struct span text_span(struct text_ref ref);

/* text_at gives the text behind ref, read through a cursor whose window covers it; an empty text if it does not. */
struct text text_at(const struct cursor *window, struct text_ref ref);

/* text_from returns an ASCII text of our own, for comparisons. */
struct text text_from(const char *ascii);

/* text_sub returns n units of t from unit `from` on, cut at the end of t. */
struct text text_sub(struct text t, uint64_t from, uint64_t n);

/* text_prefixed writes an ASCII prefix and then the units of t to buf, in t's encoding, and returns them as a text. buf has room
 * for (the prefix's length + t's units) * text_width. */
struct text text_prefixed(const char *ascii, struct text t, uint8_t *buf);

/* text_trim returns t without spaces and tabs at either end. */
struct text text_trim(struct text t);

/* text_unit returns unit i, which lies inside t, as a Unicode code point (or a surrogate). */
uint32_t text_unit(struct text t, uint64_t i);

/* text_next returns the code point that starts at unit *i and moves *i behind it. A surrogate without its
 * partner is returned as it is. */
uint32_t text_next(struct text t, uint64_t *i);

/* text_find returns the index of the first unit equal to c at or after from, or t's length. */
uint64_t text_find(struct text t, uint32_t c, uint64_t from);

/* text_fold returns c in upper case, for ASCII and the letters of Latin-1 and CP1252; other characters are
 * returned unchanged. The engine folds ASCII only; Windows folds at least these. */
uint32_t text_fold(uint32_t c);

/* text_is tells whether t equals an ASCII word, letters compared without case. */
UVET_MUST_USE bool text_is(struct text t, const char *ascii);

/* text_starts tells whether t begins with an ASCII word, letters compared without case. */
UVET_MUST_USE bool text_starts(struct text t, const char *ascii);

/* text_compare orders texts by their folded units; 0 means equal without case. */
int text_compare(struct text a, struct text b);

/* text_number reads t as an unsigned decimal number: digits only, at most 2^63-1. */
UVET_MUST_USE bool text_number(struct text t, uint64_t *out);

/* text_utf8 writes at most max code points of t to buf as UTF-8, and returns the bytes written; buf has room for 4 * max.
 * A surrogate without its partner becomes U+FFFD. *whole says whether all of t was written. */
size_t text_utf8(struct text t, size_t max, uint8_t *buf, bool *whole);

#endif
