/* What packages need: the words for it. */
#include "report/deps.h"

#include <string.h>

const char *deps_state(enum set_found found)
{
	static const char *const words[] = {
		[SET_FOUND_NOT_YET] = "not_judged",  [SET_FOUND_OWN] = "own",
		[SET_FOUND_GIVEN] = "given",         [SET_FOUND_PACKED] = "packed",
		[SET_FOUND_IN_GAME] = "game",        [SET_FOUND_ELSEWHERE] = "elsewhere",
		[SET_FOUND_UNSEEN] = "unseen",       [SET_FOUND_MISSING] = "missing",
		[SET_FOUND_NOT_GIVEN] = "not_given", [SET_OBJECT_FOUND] = "found",
		[SET_OBJECT_MISSING] = "missing",    [SET_OBJECT_MOVED] = "moved",
		[SET_OBJECT_NATIVE] = "native",      [SET_OBJECT_OTHER_CLASS] = "other_class",
		[SET_OBJECT_PRIVATE] = "private",    [SET_OBJECT_NOT_JUDGED] = "not_judged",
	};

	return words[found];
}

bool deps_is_package(enum set_found found)
{
	return found < SET_OBJECT_FOUND;
}

enum { LEVELS_MAX = 64 };

size_t deps_path(const struct set_import *i, char room[DEPS_PATH_MAX])
{
	const struct summary_package *p = i->file->package;
	size_t at = DEPS_PATH_MAX;
	uint32_t row = i->row;

	for (unsigned n = 0; n < LEVELS_MAX; n++) {
		const struct package_text t = package_text_of(p, p->imports[row].name);

		if (t.len + 1 > at)
			break;
		if (n > 0)
			room[--at] = '.';
		at -= t.len;
		memcpy(room + at, t.chars, t.len);
		if (p->imports[row].outer >= 0)
			break;
		row = (uint32_t) - (p->imports[row].outer + 1);
	}
	return at;
}

struct package_text deps_class(const struct set_import *i)
{
	const struct summary_package *p = i->file->package;

	return package_text_of(p, p->imports[i->row].class_name);
}

/* What lies in a file is named after it, with a ! behind. */
size_t deps_archive_len(const struct set_file *f)
{
	return f->outer_len;
}
