/* Inputs that are several files: a container's, one after another, after a header that says how
 * long each is. */
#ifndef UVET_FUZZ_INPUTS_BUNDLE_H
#define UVET_FUZZ_INPUTS_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The files. The last one has what is left of the input. */
enum bundle_part { BUNDLE_TOC, BUNDLE_CAS, BUNDLE_CAS_1, BUNDLE_CAS_2, BUNDLE_PAK, BUNDLE_PARTS };

/* The header: flags, a bit for each file that is not there, one for each that cannot be opened,
 * a byte of no meaning, and four bytes for the length of each file but the last. With BUNDLE_KEY
 * the bytes of a key follow. Any bytes are a bundle: lengths end where the input does. */
enum { BUNDLE_HEADER = 4 + 4 * (BUNDLE_PARTS - 1), BUNDLE_KEY_LEN = 32 };
enum bundle_flags { BUNDLE_KEY = 1, BUNDLE_KEY_NAMED = 2, BUNDLE_NO_SIBLINGS = 4 };

struct bundle {
	uint8_t flags;
	const uint8_t *key; /* NULL: none */
	struct {
		size_t at, len;
		bool absent, unreadable;
	} part[BUNDLE_PARTS];
};

/* bundle_read reads an input; one that is too short for a header is a .utoc alone. */
struct bundle bundle_read(const uint8_t *data, size_t size);

/* bundle_name is the file's name, beside one that is called Mod.utoc. */
const char *bundle_name(enum bundle_part part);

/* bundle_set_len says in the header how long a file is. */
void bundle_set_len(uint8_t *data, enum bundle_part part, size_t len);

#endif
