/* Keeping: lists of defects that take no more rows than findings will be kept for. */
#ifndef UVET_FORMATS_KEEP_H
#define UVET_FORMATS_KEEP_H

#include "formats/decode.h"

/* A keep counts the defects of one sort in a list. As many as findings are kept for have rows;
 * the others are counted in the last of these, in a member that is called n_more. What is of one
 * sort is told by one rule, at one severity. */
struct keep {
	uint32_t n;    /* rows */
	uint32_t last; /* the last row, by its place in the list */
};

/* keep_most is how many rows n defects of so many sorts need at most. */
static inline uint64_t keep_most(const struct decode *d, uint64_t n, uint64_t sorts)
{
	const uint64_t keep = d->limits->of[LIMIT_rule_findings] > 0
				      ? d->limits->of[LIMIT_rule_findings]
				      : 1;

	return n / sorts < keep ? n : keep * sorts;
}

/* keep_is_full tells whether the next defect is only counted. */
static inline bool keep_is_full(const struct decode *d, const struct keep *k)
{
	return k->n > 0 && k->n >= d->limits->of[LIMIT_rule_findings];
}

/* keep_row tells what to do with a defect: true, it gets the row at this place of the list; false,
 * k->last is the row that counts it. */
UVET_MUST_USE static inline bool keep_row(const struct decode *d, struct keep *k, uint64_t place)
{
	if (keep_is_full(d, k))
		return false;
	k->n++;
	k->last = (uint32_t)place;
	return true;
}

/* A pair is two rows of one table that get in each other's way. */
struct pair {
	uint32_t first, second; /* second is the one to blame */
	uint32_t n_more;        /* as in struct keep */
};

/* Pairs of a table, of up to so many sorts that are told apart. */
enum { PAIR_SORTS = 3 };
struct pairs {
	struct pair *rows;
	uint32_t n;
	struct keep keeps[PAIR_SORTS];
};

/* pairs_make makes room for n pairs that are to be added; false: memory ended, which is noted for
 * the group. pairs_add adds one. */
UVET_MUST_USE bool pairs_make(struct decode *d, uint32_t group, struct pairs *pairs, uint64_t n);
void pairs_add(const struct decode *d, struct pairs *pairs, unsigned sort, uint32_t first,
	       uint32_t second);

#endif
