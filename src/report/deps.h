/* What packages need, and what of it is there: for people and for tools. */
#ifndef UVET_REPORT_DEPS_H
#define UVET_REPORT_DEPS_H

#include "engine/file_set.h"
#include "report/out.h"

/* deps_text and deps_json write it of the packages that were given to a settled set. */
enum map_result deps_text(struct file_set *s, const struct check_input *in, struct out *o);
enum map_result deps_json(struct file_set *s, const struct check_input *in, struct out *o);

/* deps_state is a word for what became of an import. deps_is_package tells whether that is one of a
 * package. */
const char *deps_state(enum set_found found);
bool deps_is_package(enum set_found found);

/* deps_class is the class that an import names. */
struct package_text deps_class(const struct set_import *i);

/* deps_archive_len is how much of a file's name is that of the file that it lies in; 0: it lies in
 * none. */
size_t deps_archive_len(const struct set_file *f);

#endif
