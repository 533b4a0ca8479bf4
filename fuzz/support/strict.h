/* Strict readers of what uvet writes: JSON, UTF-8, and text that is safe to show. */
#ifndef UVET_FUZZ_SUPPORT_STRICT_H
#define UVET_FUZZ_SUPPORT_STRICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* strict_utf8 tells whether all bytes are well-formed UTF-8. */
bool strict_utf8(const uint8_t *bytes, size_t n);

/* strict_json tells whether the bytes are one JSON value (RFC 8259) and white space: UTF-8, no
 * control characters in strings, no half surrogate pairs, no key twice in one object where keys
 * are shorter than 32 bytes. */
bool strict_json(const uint8_t *bytes, size_t n);

/* strict_lines tells whether every line is a JSON value of its own and ends in a newline. */
bool strict_lines(const uint8_t *bytes, size_t n);

/* strict_text returns what is dangerous to show in a text: NULL, or a few words. With color, the
 * escape sequences that set colours are allowed. */
const char *strict_text(const uint8_t *bytes, size_t n, bool color);

#endif
