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

/* Room for the path of an import: names have 64 characters at most, of up to three bytes. */
enum { SET_PATH_MAX = 600 };

/* set_rule_import writes the path of an import, from its package on, with a dot between names, to
 * room; of one too long for that the end. */
static inline struct arg set_rule_import(const struct set *u, const struct set_flaw *flaw,
					 char room[SET_PATH_MAX])
{
	const struct summary_package *p = u->in->files[flaw->file]->package;
	size_t at = SET_PATH_MAX;

	for (uint32_t i = flaw->row, n = 0; n < 64; n++) {
		const struct package_text t = set_text(u, flaw->file, p->imports[i].name);

		if (t.len + 1 > at)
			break;
		if (n > 0)
			room[--at] = '.';
		at -= t.len;
		memcpy(room + at, t.chars, t.len);
		if (p->imports[i].outer >= 0)
			break;
		i = (uint32_t) - (p->imports[i].outer + 1);
	}
	return UTF8(room + at, SET_PATH_MAX - at);
}

static inline struct arg set_rule_name(struct package_text t)
{
	return UTF8(t.chars, t.len);
}

#endif
