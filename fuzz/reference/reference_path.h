/* A second reading of the path policy, unit by unit. */
#ifndef UVET_FUZZ_SECOND_PATH_H
#define UVET_FUZZ_SECOND_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/path.h"

enum { SECOND_UNITS = 8192 };

/* A slow text is its code units, decoded once into an array. */
struct second_path {
	uint32_t units[SECOND_UNITS];
	size_t n;
	bool wide;
};

/* second_path_decode takes n <= SECOND_UNITS units. */
void second_path_decode(struct second_path *s, const uint8_t *p, size_t n, enum text_encoding e);

/* second_path_traits gives what path_examine finds, of enum path_trait. */
uint32_t second_path_traits(const struct second_path *s);

bool second_is_separator(uint32_t c);

#endif
