/* UTF-8, read strictly. */
#ifndef UVET_CORE_UTF8_H
#define UVET_CORE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/compiler.h"

/* UTF8_REPLACEMENT is U+FFFD, which stands for bytes that are no text. */
#define UTF8_REPLACEMENT "\xEF\xBF\xBD"

/* utf8_next reads the code point at the start of n > 0 bytes. It returns how many bytes it
 * takes, or 0 where the bytes are not well-formed: overlong, a surrogate, beyond U+10FFFF, cut
 * short. */
UVET_MUST_USE size_t utf8_next(const uint8_t *bytes, size_t n, uint32_t *out);

/* utf8_valid tells whether all n bytes are well-formed. */
UVET_MUST_USE bool utf8_valid(const uint8_t *bytes, size_t n);

#endif
