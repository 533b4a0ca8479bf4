/* Hashes of a name's characters, and of what is made of them. Source: conformance/spec/iostore.md,
 * 8.28 and 9. */
#ifndef UVET_FORMATS_IOSTORE_NAMES_HASH_H
#define UVET_FORMATS_IOSTORE_NAMES_HASH_H

#include "core/rows.h"

#define ZEN_NAME_MAX 1023u /* characters of a name; the engine's buffer has one more */

/* zen_lower is an ASCII letter in lower case; any other byte stays. */
static inline uint8_t zen_lower(uint8_t c)
{
	return c >= 'A' && c <= 'Z' ? (uint8_t)(c + 32) : c;
}

/* name_hash is CityHash64 of the characters of a name, of one byte each or, if it is wide, of two,
 * where the letters of ASCII are lowered. name_hash_slowly is the same, a byte at a time, for names
 * of at most ZEN_NAME_MAX characters. */
uint64_t name_hash(struct held name, bool wide);
uint64_t name_hash_slowly(struct held name, bool wide);

/* name_is_ascii tells whether all characters are ASCII. */
bool name_is_ascii(struct held name, bool wide);

/* name_put_number writes what a mapped name's number adds to its name, "_N" with N one less, or
 * nothing for 0. It returns how many characters that are. */
enum { NAME_NUMBER_MAX = 11 };
uint64_t name_put_number(uint64_t number, uint8_t out[NAME_NUMBER_MAX]);

/* zen_id_of_name computes the id of the package of a name: its characters, of two bytes each if it
 * is wide, and a mapped name's number. false: the id is not known, because the name has letters
 * outside ASCII or is longer than ZEN_NAME_MAX. */
bool zen_id_of_name(struct held name, bool wide, uint64_t number, uint64_t *id);

#endif
