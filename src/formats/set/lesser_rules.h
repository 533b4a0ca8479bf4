/* What the rules of sets say of files and imports. */
#ifndef UVET_FORMATS_SET_LESSER_RULES_H
#define UVET_FORMATS_SET_LESSER_RULES_H

#include "formats/set/set.h"
#include "rule/finding.h"

/* set_rule_file is the name of a file, from the folder on in which all lie that were given, or all
 * of the game. */
static inline struct arg set_rule_file(const struct set *u, uint32_t file)
{
	const struct set_file *f = u->in->files[file];

	return file_name(f->name + f->shown_at);
}

/* set_rule_place is where a flaw is: its import, or else the file as a whole. */
static inline struct place set_rule_place(const struct set *u, const struct set_flaw *flaw)
{
	struct place p = AT_IN(flaw->file + 1, 0, 0);

	if (flaw->row != SET_NONE) {
		const struct package_import *i =
			&u->in->files[flaw->file]->package->imports[flaw->row];

		p.span = (struct span){ i->at, i->len };
		p.record = "import_entry";
		p.index = flaw->row;
	}
	return counted(p, flaw->n_more);
}

/* set_rule_guid_place is where a package has its GUID. */
static inline struct place set_rule_guid_place(const struct set *u, const struct set_flaw *flaw)
{
	struct place p = set_rule_place(u, flaw);
	const struct summary_package *of = u->in->files[flaw->file]->package;

	p.span = of ? of->guid_at : p.span;
	return p;
}

/* set_rule_import is the path of the import that a flaw is about, in room. */
static inline struct arg set_rule_import(const struct set *u, const struct set_flaw *flaw,
					 char room[PACKAGE_PATH_MAX])
{
	const struct summary_package *p = u->in->files[flaw->file]->package;
	const size_t at = package_import_path(p, flaw->row, room);

	return UTF8(room + at, PACKAGE_PATH_MAX - at);
}

static inline struct arg set_rule_name(struct package_text t)
{
	return UTF8(t.chars, t.len);
}

#endif
