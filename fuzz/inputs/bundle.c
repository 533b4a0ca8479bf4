/* Inputs that are several files. */
#include "inputs/bundle.h"

#include <string.h>

#include "reference/reference.h"

struct split split_read(const uint8_t *data, size_t size)
{
	struct split s = { 0 };
	size_t at = SPLIT_HEADER, len;

	if (size < SPLIT_HEADER) {
		s.part[SPLIT_TOC].len = size;
		return s;
	}
	s.flags = data[0];
	if (s.flags & SPLIT_KEY && size >= SPLIT_HEADER + SPLIT_KEY_LEN) {
		s.key = data + SPLIT_HEADER;
		at += SPLIT_KEY_LEN;
	}
	for (unsigned i = 0; i < SPLIT_PARTS; i++) {
		len = i + 1 < SPLIT_PARTS ? (size_t)second_u32(data + 4 + 4 * (size_t)i) : size - at;
		s.part[i].at = at;
		s.part[i].len = len < size - at ? len : size - at;
		s.part[i].absent = i > 0 && (data[1] >> i & 1);
		s.part[i].unreadable = i > 0 && (data[2] >> i & 1);
		at += s.part[i].len;
	}
	return s;
}

const char *split_name(enum split_part part)
{
	static const char *const names[] = { "Mod.utoc", "Mod.ucas", "Mod_s1.ucas", "Mod_s2.ucas", "Mod.pak" };

	return names[part];
}

void split_set_len(uint8_t *data, enum split_part part, size_t len)
{
	if (part + 1 < SPLIT_PARTS)
		second_put_u32(data + 4 + 4 * (size_t)part, len);
}
