/* Names of files and directories that not every system can have, or that people read otherwise than
 * programs do. Source: conformance/spec/pak.md, 4. */
#include "core/path_plain.h"
#include "core/utf8.h"
#include "formats/pak/parts.h"

enum {
	NOT_PORTABLE = PATH_COLON | PATH_REFUSED | PATH_DECEPTIVE | PATH_SELF |
		       PATH_EMPTY_COMPONENT,
};

bool pak_is_text(const struct text *name, bool is_utf8)
{
	return !is_utf8 || utf8_valid(name->data, name->ref.n_units);
}

/* Whether a name in UTF-8 has a character beyond ASCII that is not seen. */
static bool has_unseen(struct held name)
{
	while (name.len > 0) {
		uint32_t c;
		const size_t n = utf8_next(name.bytes, (size_t)name.len, &c);

		if (c >= 0x80 && text_is_unseen(c))
			return true;
		name = held_part(name, n, name.len - n);
	}
	return false;
}

static uint32_t portable_traits(const struct text *name, bool is_utf8)
{
	struct path path;

	path_examine_at(name, &path);
	if (!is_utf8)
		return path.traits & NOT_PORTABLE;
	/* its bytes are no characters of their own */
	path.traits &= ~(uint32_t)PATH_DECEPTIVE;
	if (has_unseen((struct held){ name->data, name->ref.n_units }))
		path.traits |= PATH_DECEPTIVE;
	return path.traits & NOT_PORTABLE;
}

const char *pak_portable_defect(const struct text *name, bool is_utf8)
{
	uint32_t traits;

	if (name->ref.n_units == 0)
		return "is empty";
	if (name->ref.encoding == TEXT_CP1252 && path_is_plain(name)) {
		PLAIN(portable_traits(name, is_utf8) == 0);
		return NULL;
	}
	if (!pak_is_text(name, is_utf8))
		return NULL;
	traits = portable_traits(name, is_utf8);
	if (traits == 0 || pak_name_traits(name) & (PAK_NAME_INVALID | PAK_NAME_ESCAPES))
		return NULL;
	return path_defect(traits);
}

struct text pak_bare_directory(const struct pak *p, uint32_t directory)
{
	const struct text t = pak_directory_name(p, directory);
	const uint32_t n = t.ref.n_units;

	return n > 0 && text_unit(t, n - 1) == '/' ? text_sub(t, 0, n - 1) : t;
}
