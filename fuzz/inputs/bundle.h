/* Inputs that are several files: a container's, one behind the other, after a header that says how long each is. */
#ifndef UVET_FUZZ_SPLIT_H
#define UVET_FUZZ_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The files. The last one has what is left of the input. */
enum split_part { SPLIT_TOC, SPLIT_CAS, SPLIT_CAS_1, SPLIT_CAS_2, SPLIT_PAK, SPLIT_PARTS };

/* The header: flags, a bit for each file that is not there, one for each that cannot be opened, a byte of no meaning, and four bytes for
 * the length of each file but the last. With SPLIT_KEY the bytes of a key follow. Any bytes are a split: lengths end where the input does. */
enum { SPLIT_HEADER = 4 + 4 * (SPLIT_PARTS - 1), SPLIT_KEY_LEN = 32 };
enum split_flags { SPLIT_KEY = 1, SPLIT_KEY_NAMED = 2, SPLIT_NO_SIBLINGS = 4 };

struct split {
	uint8_t flags;
	const uint8_t *key;             /* NULL: none */
	struct {
		size_t at, len;
		bool absent, unreadable;
	} part[SPLIT_PARTS];
};

/* split_read reads an input; one that is too short for a header is a .utoc alone. */
struct split split_read(const uint8_t *data, size_t size);

/* split_name is the file's name, beside one that is called Mod.utoc. */
const char *split_name(enum split_part part);

/* split_set_len says in the header how long a file is. */
void split_set_len(uint8_t *data, enum split_part part, size_t len);

#endif
