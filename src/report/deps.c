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
