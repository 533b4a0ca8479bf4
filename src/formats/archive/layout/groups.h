/* Groups of files: those of one name, or of one folder. */
#ifndef UVET_FORMATS_ARCHIVE_LAYOUT_GROUPS_H
#define UVET_FORMATS_ARCHIVE_LAYOUT_GROUPS_H

#include "core/order.h"
#include "formats/archive/layout/tree.h"

/* A picked is a file with what it is compared by; a picks is a list of them. */
struct lay_picked {
	struct lay_member x;
	struct text key;
};
struct lay_picks {
	struct lay_picked *of;
	uint64_t n, max;
};

/* A lay_group is those of one key, letters compared without case, in the order of the archive. */
struct lay_group {
	const struct lay_picks *picks;
	const struct order *order;
	uint32_t from, n;
};

/* lay_pick adds a file to a list. lay_at gives file i < n of a group. lay_judge_groups passes each
 * group to a function, which returns false if memory ended. */
UVET_MUST_USE bool lay_pick(struct lay_tree *t, struct lay_picks *p, const struct lay_member *x,
			    struct text key);
const struct lay_picked *lay_at(const struct lay_group *g, uint32_t i);
typedef bool lay_group_judge(struct lay_tree *t, const struct lay_group *g);
UVET_MUST_USE bool lay_judge_groups(struct lay_tree *t, const struct lay_picks *p,
				    lay_group_judge *judge);

/* lay_judge_redirect finds what clients of a server do not get. */
UVET_MUST_USE bool lay_judge_redirect(struct lay_tree *t);

/* lay_judge_all_groups finds what is to be told of groups, after all files were looked at. */
UVET_MUST_USE bool lay_judge_all_groups(struct lay_tree *t);

#endif
