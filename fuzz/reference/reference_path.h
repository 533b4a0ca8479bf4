/* A reference reading of the path policy, unit by unit. */
#ifndef UVET_FUZZ_REFERENCE_REFERENCE_PATH_H
#define UVET_FUZZ_REFERENCE_REFERENCE_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/path.h"

enum { REFERENCE_UNITS = 8192 };

/* A slow text is its code units, decoded once into an array. */
struct reference_path {
	uint32_t units[REFERENCE_UNITS];
	size_t n;
	bool wide;
};

/* reference_path_decode takes n <= REFERENCE_UNITS units. */
void reference_path_decode(struct reference_path *s, const uint8_t *p, size_t n,
			   enum text_encoding e);

/* reference_path_traits returns what path_examine finds, of enum path_trait. */
uint32_t reference_path_traits(const struct reference_path *s);

bool reference_is_separator(uint32_t c);

#endif
