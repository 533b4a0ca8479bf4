/* Untrusted text: where it lies, how it is encoded, and comparisons that do not depend on a
 * locale. */
#ifndef UVET_CORE_TEXT_H
#define UVET_CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/compiler.h"
#include "core/cursor.h"
#include "core/span.h"

enum text_encoding {
	TEXT_CP1252, /* one byte a unit; the engine's "ANSI" text */
	TEXT_UTF16LE,
	TEXT_UTF16BE,
};

/* A text_ref says where a text lies in its source. Its units are bytes or 16-bit units, by its
 * encoding. */
struct text_ref {
	uint64_t at;       /* absolute offset of the first unit */
	uint32_t n_units;  /* without a terminating NUL */
	uint8_t encoding;  /* enum text_encoding */
	uint8_t flags;     /* TEXT_UNTERMINATED, TEXT_COUNT_... */
	uint16_t head_len; /* bytes of the length that stands before it, if any */
};

enum {
	TEXT_UNTERMINATED = 1,   /* its last unit is not NUL although it should be */
	TEXT_COUNT_OVERLONG = 2, /* its length is not written in the shortest form */
	TEXT_COUNT_ZERO = 4,     /* its length is 0, so it has no NUL either */
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
static inline struct span text_span(struct text_ref ref)
{
	return (struct span){ ref.at, ref.n_units * text_width(ref.encoding) };
}

/* text_at returns the text that ref describes, through a cursor whose window covers it; an empty
 * text if it does not. */
static inline struct text text_at(const struct cursor *window, struct text_ref ref)
{
	struct cursor c = *window;
	const uint8_t *data;

	if (!cursor_seek(&c, ref.at) || !cursor_bytes(&c, text_span(ref).len, &data))
		return (struct text){ NULL, { .at = ref.at } };
	return (struct text){ data, ref };
}

/* text_from returns an ASCII text of our own, for comparisons. */
struct text text_from(const char *ascii);

/* text_differs_in_case tells whether two file names differ in the case of ASCII letters, and in
 * nothing else. They may be in any encoding that has ASCII in it, as UTF-8 has. */
bool text_differs_in_case(const char *a, const char *b);

/* text_sub returns n units of t from unit `from` on, fewer where t ends before that. */
static inline struct text text_sub(struct text t, uint64_t from, uint64_t n)
{
	uint64_t left, width = text_width(t.ref.encoding);

	if (from > t.ref.n_units)
		from = t.ref.n_units;
	left = t.ref.n_units - from;
	if (from > 0)
		t.data += from * width;
	t.ref.at += from * width;
	t.ref.n_units = (uint32_t)(n < left ? n : left);
	return t;
}

/* text_prefixed writes an ASCII prefix and then the units of t to buf, in t's encoding, and
 * returns them as a text. buf has room for (the prefix's length + t's units) * text_width. */
struct text text_prefixed(const char *ascii, struct text t, uint8_t *buf);

/* text_wide_unit is text_unit for what is not ASCII in CP1252. */
uint32_t text_wide_unit(const uint8_t *data, enum text_encoding encoding, uint64_t i);

/* text_unit returns unit i, which lies inside t, as a Unicode code point (or a surrogate). */
static inline uint32_t text_unit(struct text t, uint64_t i)
{
	return t.ref.encoding == TEXT_CP1252 && t.data[i] < 0x80
		       ? t.data[i]
		       : text_wide_unit(t.data, t.ref.encoding, i);
}

/* text_next returns the code point that starts at unit *i and moves *i past it. A surrogate
 * without its partner is returned as it is. */
uint32_t text_next(struct text t, uint64_t *i);

/* text_find returns the index of the first unit equal to c at or after from, or t's length. */
static inline uint64_t text_find(struct text t, uint32_t c, uint64_t from)
{
	if (t.ref.encoding == TEXT_CP1252 && c < 0x80 && from < t.ref.n_units) {
		const uint8_t *found = memchr(t.data + from, (int)c,
					      (size_t)(t.ref.n_units - from));

		return found ? (uint64_t)(found - t.data) : t.ref.n_units;
	}
	while (from < t.ref.n_units && text_unit(t, from) != c)
		from++;
	return from < t.ref.n_units ? from : t.ref.n_units;
}

/* text_find_control returns the index of the first control character at or after from, or t's
 * length. NUL, tabs and ends of lines are among them; the bytes 0x80-0x9F are not in CP1252,
 * where they are letters and signs. */
uint64_t text_find_control(const struct text *t, uint64_t from);

static inline bool text_is_blank(uint32_t c)
{
	return c == ' ' || c == '\t';
}

/* text_part returns the units from <= i < to of t, which is not empty and has them all. */
static inline struct text text_part(const struct text *t, uint32_t from, uint32_t to)
{
	uint64_t skipped = from * text_width(t->ref.encoding);

	return (struct text){
		t->data + skipped,
		{ .at = t->ref.at + skipped, .n_units = to - from, .encoding = t->ref.encoding }
	};
}

/* text_narrow takes the spaces and tabs off both ends of the units *from <= i < *to of t. */
static inline void text_narrow(const struct text *t, uint32_t *from, uint32_t *to)
{
	const bool wide = t->ref.encoding != TEXT_CP1252;
	uint32_t first = *from, end = *to;

	if (!wide && first < end && t->data[first] > ' ' && t->data[end - 1] > ' ')
		return;
	while (first < end && text_is_blank(wide ? text_unit(*t, first) : t->data[first]))
		first++;
	while (first < end && text_is_blank(wide ? text_unit(*t, end - 1) : t->data[end - 1]))
		end--;
	*from = first;
	*to = end;
}

/* text_trim returns t without spaces and tabs at either end. */
static inline struct text text_trim(struct text t)
{
	uint32_t from = 0, to = t.ref.n_units;

	text_narrow(&t, &from, &to);
	return text_sub(t, from, to - from);
}

/* text_is_unseen tells whether a character is invisible, or changes how its neighbours look:
 * controls, direction marks, joiners, fillers, variation selectors, tags, line separators,
 * noncharacters. */
bool text_is_unseen(uint32_t c);

/* text_fold_high is text_fold for what is not ASCII. */
uint32_t text_fold_high(uint32_t c);

/* text_fold returns c in upper case, for ASCII and the letters of Latin-1 and CP1252; other
 * characters are returned unchanged. The engine folds ASCII only; Windows folds at least these. */
static inline uint32_t text_fold(uint32_t c)
{
	if (c >= 0x80)
		return text_fold_high(c);
	return text_between(c, 'a', 'z') ? c - 32 : c;
}

/* text_fold_far folds the case of a letter beyond Latin-1 (Latin, IPA, Greek, Cyrillic, Armenian
 * or fullwidth Latin), as Windows does to compare names of files (umod.md 4.4); other characters
 * are returned unchanged. No engine folds these. */
uint32_t text_fold_far(uint32_t c);

/* text_small_letter returns the small letter of a capital beyond ASCII, as Unicode has it, and
 * other characters unchanged. */
uint32_t text_small_letter(uint32_t c);

/* text_starts tells whether t begins with an ASCII word, letters compared without case. */
UVET_MUST_USE static inline bool text_starts(struct text t, const char *ascii)
{
	const bool wide = t.ref.encoding != TEXT_CP1252;

	for (uint32_t i = 0; ascii[i]; i++) {
		uint32_t c, letter = (uint8_t)ascii[i];

		if (i >= t.ref.n_units)
			return false;
		c = wide ? text_unit(t, i) : t.data[i];
		if (c != letter && text_fold(c) != text_fold(letter))
			return false;
	}
	return true;
}

/* text_is tells whether t equals an ASCII word, letters compared without case. */
UVET_MUST_USE static inline bool text_is(struct text t, const char *ascii)
{
	return t.ref.n_units == strlen(ascii) && text_starts(t, ascii);
}

/* text_is_one tells whether t equals one of n ASCII words in this way. */
UVET_MUST_USE static inline bool text_is_one(struct text t, const char *const *words, size_t n)
{
	const uint32_t first = t.ref.n_units > 0 ? text_fold(text_unit(t, 0)) : 0;

	for (size_t i = 0; i < n; i++)
		if (text_fold((uint8_t)words[i][0]) == first && text_is(t, words[i]))
			return true;
	return false;
}

/* text_ends tells whether t ends in an ASCII word, letters compared without case. */
UVET_MUST_USE static inline bool text_ends(struct text t, const char *ascii)
{
	const uint64_t n = strlen(ascii);

	return n <= t.ref.n_units && text_starts(text_sub(t, t.ref.n_units - n, n), ascii);
}

/* text_word packs a text of at most four ASCII characters, in upper case, into a number: the
 * first is the lowest byte, and missing ones are 0. For any other text it returns UINT32_MAX.
 * TEXT_WORD is such a number as a constant. */
static inline uint32_t text_word(struct text t)
{
	const bool wide = t.ref.encoding != TEXT_CP1252;
	uint32_t word = 0;

	if (t.ref.n_units > 4)
		return UINT32_MAX;
	for (uint32_t i = t.ref.n_units; i > 0; i--) {
		uint32_t c = wide ? text_unit(t, i - 1) : t.data[i - 1];

		if (!text_between(c, 1, 0x7F))
			return UINT32_MAX;
		word = word << 8 | text_fold(c);
	}
	return word;
}
#define TEXT_WORD(a, b, c, d) \
	((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

/* text_word8 does the same for at most eight characters; for any other text it returns 0, as for
 * an empty one. */
uint64_t text_word8(struct text t);
#define TEXT_WORD8(a, b, c, d, e, f, g, h) \
	((uint64_t)TEXT_WORD(a, b, c, d) | (uint64_t)TEXT_WORD(e, f, g, h) << 32)

/* text_compare orders texts by their folded units; 0 means equal without case. */
int text_compare(struct text a, struct text b);

/* text_marks returns all bits that a table has for the bytes of a CP1252 text. */
static inline uint32_t text_marks(const struct text *t, const uint32_t table[256])
{
	uint32_t marks = 0;

	for (uint32_t i = 0; i < t->ref.n_units; i++)
		marks |= table[t->data[i]];
	return marks;
}

/* text_number reads t as an unsigned decimal number: digits only, at most 2^63-1. */
UVET_MUST_USE static inline bool text_number(struct text t, uint64_t *out)
{
	uint64_t v = 0;

	if (t.ref.n_units == 0)
		return false;
	for (uint64_t i = 0; i < t.ref.n_units; i++) {
		uint32_t c = text_unit(t, i);

		if (!text_between(c, '0', '9') || v > ((uint64_t)INT64_MAX - (c - '0')) / 10)
			return false;
		v = v * 10 + (c - '0');
	}
	*out = v;
	return true;
}

/* text_utf8 writes at most max code points of t to buf as UTF-8, and returns the bytes written;
 * buf has room for 4 * max. A surrogate without its partner becomes U+FFFD. *whole says whether
 * all of t was written. */
size_t text_utf8(struct text t, size_t max, uint8_t *buf, bool *whole);

/* text_utf8_len returns how many bytes text_utf8 writes of all of t. */
size_t text_utf8_len(struct text t);

#endif
