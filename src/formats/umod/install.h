/* The parts of reading manifests as instructions; only the files of this folder include it. */
#ifndef UVET_FORMATS_UMOD_INSTALL_H
#define UVET_FORMATS_UMOD_INSTALL_H

#include "formats/umod/umod.h"

/* install_value gives the value of a line. */
static inline struct text install_value(const struct manifest *m, const struct manifest_line *l)
{
	return manifest_text(m, l->file, l->value);
}

/* install_product finds a known product by name; NULL if it is not known. */
const struct manifest_product *install_product(struct text name);

/* install_is_pair tells whether a line is key=value in a section of file f. */
static inline bool install_is_pair(const struct manifest_line *l, enum manifest_file f)
{
	return l->kind == LINE_PAIR && l->file == f && l->section != MANIFEST_NONE;
}

/* Copies: File= and Copy= lines. install_read_copy adds one; install_find_meetings compares them all. */
bool install_read_copy(struct decode *d, struct umod *u, const struct manifest_line *l);
bool install_find_meetings(struct decode *d, struct manifest *m);

/* install_find_aliases lists the members that are files of another format where they are installed. */
bool install_find_aliases(struct decode *d, struct umod *u);

/* Sections: Group= and Requires= lines, the cycles that they make, and the requirements. */
void install_read_reference(struct manifest *m, const struct manifest_line *l);
bool install_find_cycles(struct decode *d, struct manifest *m);
bool install_find_requirements(struct decode *d, struct manifest *m);

/* Actions: what changes something other than by copying a member. */
void install_read_action(struct manifest *m, const struct manifest_line *l);
bool install_find_missing_packages(struct decode *d, struct umod *u);

#endif
