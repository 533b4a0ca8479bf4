/* Digits: bytes that stand in a text. */
#ifndef UVET_CLI_DIGITS_H
#define UVET_CLI_DIGITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* digits_hex reads n bytes from 2 n hexadecimal digits, with or without 0x before them; false if
 * the text is something else. */
bool digits_hex(const char *s, size_t len, uint8_t *out, size_t n);

/* digits_base64 decodes base64, padded with = to a multiple of four characters, to at most max
 * bytes. It returns how many there are, or 0 if the text is something else or decodes to more. */
size_t digits_base64(const char *s, size_t len, uint8_t *out, size_t max);

#endif
