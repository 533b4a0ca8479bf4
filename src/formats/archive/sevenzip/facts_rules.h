/* Places in a 7z, for its rules. */
#ifndef UVET_FORMATS_ARCHIVE_SEVENZIP_FACTS_RULES_H
#define UVET_FORMATS_ARCHIVE_SEVENZIP_FACTS_RULES_H

#include "formats/archive/sevenzip/sevenzip.h"
#include "rule/finding.h"

/* sevenzip_header_place is the place of n bytes at `at` of the header: of its packed form, if it is
 * compressed. */
static inline struct place sevenzip_header_place(const struct sevenzip *z, uint64_t at, uint64_t n)
{
	return z->n_levels == 0 ? AT_SPAN(at, n) : AT_SPAN(z->header.at, z->header.len);
}

/* sevenzip_member_place is that of a member's name. */
static inline struct place sevenzip_member_place(const struct check *c, const struct arc_member *m)
{
	const struct sevenzip *z = c->facts;
	struct place p = sevenzip_header_place(z, m->head_at, m->head_len);

	p.record = "member";
	p.index = (uint64_t)(m - z->members->rows);
	return p;
}

/* sevenzip_folder_place is that of a folder's description. */
static inline struct place sevenzip_folder_place(const struct check *c,
						 const struct sevenzip_folder *f)
{
	const struct sevenzip *z = c->facts;
	struct place p = sevenzip_header_place(z, f->form_at, f->form_len);

	p.record = "folder";
	p.index = (uint64_t)(f - z->folders);
	return p;
}

#endif
