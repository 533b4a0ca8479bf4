/* Names that are other units and the same name to some systems: what their characters stand for. */
#ifndef UVET_CORE_TEXT_ALIKE_H
#define UVET_CORE_TEXT_ALIKE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/text.h"

/* Why a character stands for others, or for none. */
enum text_likeness {
	TEXT_LIKE_MACOS = 1,  /* Unicode: letters with marks, and full folding of case */
	TEXT_LIKE_UNSEEN = 2, /* it is not seen, and HFS+ passes over some of these */
	TEXT_LIKE_WIDE = 4,   /* a fullwidth form, which Windows narrows where it has no Unicode */
};

/* text_stands_alone tells whether a character is the same in all of these ways, or is a letter that
 * is whole: no two different names of such alone are alike. */
bool text_stands_alone(uint32_t c);

/* text_alike_put appends what a character stands for to *n units of UTF-16 at out, with marks in
 * Unicode's order; there is room for TEXT_ALIKE_MAX more for each unit of c. It returns why (enum
 * text_likeness), or 0. */
enum { TEXT_ALIKE_MAX = 4 };
unsigned text_alike_put(uint32_t c, uint8_t *out, uint32_t *n);

/* text_cp437 returns the character of a byte in code page 437, which zip has where nothing says
 * UTF-8. */
uint32_t text_cp437(uint8_t byte);

/* text_cp437_at returns that of byte i of a text of bytes. */
static inline uint32_t text_cp437_at(struct text t, uint64_t i)
{
	return text_cp437(t.data[i]);
}

#endif
