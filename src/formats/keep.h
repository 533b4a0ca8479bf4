/* Keeping: lists of defects that take no more rows than findings will be kept for. */
#ifndef UVET_FORMATS_KEEP_H
#define UVET_FORMATS_KEEP_H

#include "formats/decode.h"

/* A keep counts the defects of one sort in a list. The first ones, as many as findings are kept
 * of a rule, have rows of their own; the rest are counted in the last of these, in its member
 * n_more. One rule reports all of a sort, at one severity. */
struct keep {
	uint32_t n;    /* rows */
	uint32_t last; /* the last row, by its place in the list */
};

/* keep_most is how many rows n defects of `sorts` sorts need at most. */
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

/* keep_row tells what to do with a defect. true: it gets row number `place` of the list; false:
 * row k->last counts it. */
UVET_MUST_USE static inline bool keep_row(const struct decode *d, struct keep *k, uint64_t place)
{
	if (keep_is_full(d, k))
		return false;
	k->n++;
	k->last = (uint32_t)place;
	return true;
}

/* A pair is two rows of one table that conflict, as by having the same name. */
struct pair {
	uint32_t first, second; /* the second is the one that is reported */
	uint32_t n_more;        /* as in struct keep */
};

/* Pairs of a table, of up to PAIR_SORTS sorts. */
enum { PAIR_SORTS = 3 };
struct pairs {
	struct pair *rows;
	uint32_t n;
	struct keep keeps[PAIR_SORTS];
};

/* pairs_make makes space for n pairs, which pairs_add adds; false: memory ended, which is noted
 * for the group. */
UVET_MUST_USE bool pairs_make(struct decode *d, uint32_t group, struct pairs *pairs, uint64_t n);
void pairs_add(const struct decode *d, struct pairs *pairs, unsigned sort, uint32_t first,
	       uint32_t second);

#endif
