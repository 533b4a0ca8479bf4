/* Index strings: how engines write texts into tables, as an FString: a signed length, its
 * characters, and a NUL. */
#ifndef UVET_FORMATS_BLOCKS_INDEX_STRING_H
#define UVET_FORMATS_BLOCKS_INDEX_STRING_H

#include "core/cursor.h"
#include "core/text.h"

/* The bytes of a length. */
enum { INDEX_STRING_HEAD = 4 };

/* index_string_units is how many units a length stands for, the NUL among them; below 0 they have
 * two bytes each, of UTF-16. */
static inline uint32_t index_string_units(int64_t length)
{
	return (uint32_t)(length < 0 ? -length : length);
}

/* index_string_len is how many bytes these units have. */
static inline uint64_t index_string_len(int64_t length)
{
	return (uint64_t)index_string_units(length) * (length < 0 ? 2u : 1u);
}

/* index_string_encoding is an enum text_encoding, as struct text_ref keeps it. */
static inline uint8_t index_string_encoding(int64_t length)
{
	return length < 0 ? TEXT_UTF16LE : TEXT_CP1252;
}

/* index_string_read reads a string at c and moves c past it. *text is the string without its
 * NUL; TEXT_UNTERMINATED: it has none. *length is what stands before it. false: the bytes end
 * before the string does, with a *length of 0 if they end in the length; c and *text are
 * unchanged. */
UVET_MUST_USE bool index_string_read(struct cursor *c, struct text *text, int64_t *length);

#endif
