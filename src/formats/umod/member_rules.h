/* What the rules about members have in common. */
#ifndef UVET_FORMATS_UMOD_MEMBER_RULES_H
#define UVET_FORMATS_UMOD_MEMBER_RULES_H

#include "formats/umod/umod.h"
#include "rule/finding.h"

/* ENTRY_AT is AT for the entry of a member. bytes_place is the place of its offset and its size,
 * which stand together. */
#define ENTRY_AT(c, m, field) \
	check_place(c, &umod_entry_layout, m, umod_entry_at((c)->facts, m), \
		    umod_entry_field_##field)
static inline struct place bytes_place(struct check *c, const struct umod_member *m)
{
	struct place place = ENTRY_AT(c, m, offset);

	place.span.len += 4;
	return place;
}

/* member_number and member_name are a member's number and its name, for a message. */
static inline struct arg member_number(const struct check *c, const struct umod_member *m)
{
	const struct umod *u = c->facts;

	return DEC((uint64_t)(m - u->members));
}
static inline struct arg member_name(const struct check *c, const struct umod_member *m)
{
	return TEXT(umod_name(c->facts, m).ref);
}

/* report_member reports a member whose message has nothing but its number and its name. */
static inline void report_member(struct check *c, const struct umod_member *m, struct place place)
{
	report(c, place, member_number(c, m), member_name(c, m));
}

/* report_name reports the name of a member, in a few words. */
static inline void report_name(struct check *c, const struct umod_member *m, const char *words)
{
	report(c, ENTRY_AT(c, m, name), member_number(c, m), WORD(words), member_name(c, m));
}

#endif
