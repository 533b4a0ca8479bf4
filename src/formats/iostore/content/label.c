/* How messages call a chunk. */
#include <string.h>

#include "formats/iostore/content/parts.h"

static char hex_digit(uint64_t v)
{
	return "0123456789abcdef"[v % 16];
}

/* The type and the id, in the 16 digits with which tools show it. */
static const char *by_type(const struct utoc *u, uint64_t chunk, char buf[LABEL_MAX])
{
	const char *name = chunk_type_name(toc_type(&u->toc, chunk));
	const uint64_t id = toc_id(&u->toc, chunk);
	size_t n = strlen(name);

	if (NEVER(n > LABEL_MAX - 20))
		n = LABEL_MAX - 20;
	memcpy(buf, name, n);
	buf[n++] = ' ';
	for (unsigned i = 0; i < 16; i++)
		buf[n++] = hex_digit(id >> (60 - 4 * i));
	buf[n] = '\0';
	return buf;
}

const char *content_label(const struct utoc *u, uint64_t chunk, char buf[LABEL_MAX])
{
	if (directory_path(&u->directory, chunk, buf, LABEL_MAX) > 0)
		return buf;
	return by_type(u, chunk, buf);
}
