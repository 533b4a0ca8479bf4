/* The rules for how files lie that all archives share, for a folder that is to be uploaded. */
#include "formats/set/set.h"
#include "rule/finding.h"

static struct place listed_place(const struct check *c, const struct arc_member *m)
{
	const struct set *u = c->facts;

	return AT_IN(u->in->listed[m - u->folder.rows].companion, 0, 0);
}

#define LAYOUT_ID(id) id##_set
#define LAYOUT_AGAIN(id, user) id##_##user##_set
#define LAYOUT_NAME "the folder"
#define LAYOUT_WHOLE(c) NOWHERE
#define LAYOUT_TREE SET_TREE_ROWS
#define LAYOUT_FILES SET_SITE_ROWS
#define LAYOUT_MEMBERS SET_LISTED
#define LAYOUT_CONTENT SET_TREE
#define LAYOUT_MEMBERS_OF(c) (&((const struct set *)(c)->facts)->folder)
#define LAYOUT_PLACE(c, m) listed_place(c, m)
#include "formats/archive/layout/layout_rules.h"
