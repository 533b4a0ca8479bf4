/* Inputs that are several files. */
#include "inputs/bundle.h"

#include <string.h>

#include "reference/reference.h"

struct bundle bundle_read(const uint8_t *data, size_t size)
{
	struct bundle s = { 0 };
	size_t at = BUNDLE_HEADER, len;

	if (size < BUNDLE_HEADER) {
		s.part[BUNDLE_TOC].len = size;
		return s;
	}
	s.flags = data[0];
	if (s.flags & BUNDLE_KEY && size >= BUNDLE_HEADER + BUNDLE_KEY_LEN) {
		s.key = data + BUNDLE_HEADER;
		at += BUNDLE_KEY_LEN;
	}
	for (unsigned i = 0; i < BUNDLE_PARTS; i++) {
		len = i + 1 < BUNDLE_PARTS ? (size_t)reference_u32(data + 4 + 4 * (size_t)i)
					   : size - at;
		s.part[i].at = at;
		s.part[i].len = len < size - at ? len : size - at;
		s.part[i].absent = i > 0 && (data[1] >> i & 1);
		s.part[i].unreadable = i > 0 && (data[2] >> i & 1);
		at += s.part[i].len;
	}
	return s;
}

const char *bundle_name(enum bundle_part part)
{
	static const char *const names[] = { "Mod.utoc", "Mod.ucas", "Mod_s1.ucas", "Mod_s2.ucas",
					     "Mod.pak" };

	return names[part];
}

void bundle_set_len(uint8_t *data, enum bundle_part part, size_t len)
{
	if (part + 1 < BUNDLE_PARTS)
		reference_put_u32(data + 4 + 4 * (size_t)part, len);
}
