/* Defines what a format's .def lists: the tables of the records' fields, and x_layouts,
 * x_groups, x_extensions, x_shared, x_traits, x_rules and x_tables for struct format. Included
 * once per format, by the file that defines it; FORMAT and FORMAT_DEF as in formats/declare.h,
 * and FORMAT_RULES is the list of its rules' ids. */
#include "rule/ids.h"

#define LAYOUT_FILE FORMAT_DEF
#include "core/layout_define.h"
#undef LAYOUT_FILE

#define EXTENSION(text) text,
#define SHARED_EXTENSION(text)
static const char *const FORMAT_(_extensions)[] = {
#include FORMAT_DEF
	NULL
};
#undef EXTENSION
#undef SHARED_EXTENSION

#define EXTENSION(text)
#define SHARED_EXTENSION(text) text,
static const char *const FORMAT_(_shared)[] = {
#include FORMAT_DEF
	NULL
};
#undef EXTENSION
#undef SHARED_EXTENSION

#define RECORD(r, meaning) &r##_layout,
#define FIELD(r, wire, kind, field, versions, meaning)
#define END(r, len)
#include "core/layout_alike.h"
#define SHARED_RECORD
static const struct layout *const FORMAT_(_layouts)[] = {
#include FORMAT_DEF
	NULL
};
#undef SHARED_RECORD
#include "core/layout_end.h"

#define GROUP(group, name, meaning, ...) \
	[group] = { name, meaning, { __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }) },
static const struct format_group FORMAT_(_groups)[FORMAT_(_n_groups)] = {
#include FORMAT_DEF
};
#undef GROUP

#define LIST(number, type, owner, name, list, count)
#if PLAIN_IS_CHECKED
#define TABLE(number, type, owner, name, list, count, set, has, seen) \
	static uint64_t number##_of(const void *facts, const void *row) \
	{ \
		return number##_HAS(facts, row); \
	}
#define VIEW(number, type, owner, name, make, count, set, has, seen) \
	TABLE(number, type, owner, name, make, count, set, has, seen)
#include FORMAT_DEF
#undef TABLE
#undef VIEW
#define OF(number) number##_of
#else
#define OF(number) NULL
#endif
#define TABLE(number, type, owner, name, list, count, set, has, seen) \
	[number] = { #set, set##_defects, OF(number) },
#define VIEW(number, type, owner, name, make, count, set, has, seen) \
	[number] = { #set, set##_defects, OF(number) },
#define FILE_DEFECTS(set, has) [0] = { #set, set##_defects, NULL },
static const struct format_traits FORMAT_(_traits)[FORMAT_(_n_tables) + 1] = {
	[FORMAT_(_n_tables)] = { NULL, 0, NULL },
#include FORMAT_DEF
};
#undef FILE_DEFECTS
#undef OF
#undef LIST
#undef TABLE
#undef VIEW

#define RULE_ID(id) &id##_rule,
#define RULE_AGAIN(id, user) &id##_##user##_rule,
static const struct rule *const FORMAT_(_rules)[] = {
#include FORMAT_RULES
	NULL
};
#undef RULE_ID
#undef RULE_AGAIN

/* The compound literal checks the type of the list: one of other rows does not compile. */
#define LIST(number, type, owner, name, list, count) \
	t[number] = (struct table){ .record = name, \
				    .group = owner, \
				    .n = count, \
				    .row_len = sizeof(type), \
				    .rows = (const type *){ list } };
#define TABLE(number, type, owner, name, list, count, set, has, seen) \
	LIST(number, type, owner, name, list, count) \
	t[number].absent = ~(uint64_t)(seen);
#define VIEW(number, type, owner, name, make, count, set, has, seen) \
	t[number] = (struct table){ .record = name, \
				    .group = owner, \
				    .row_len = sizeof(type), \
				    .view = make, \
				    .absent = ~(uint64_t)(seen), \
				    .n = u->groups[owner].why == STOP_NOT ? count : 0 };
static size_t FORMAT_(_tables)(const void *facts, struct table t[TABLES_MAX])
{
	const struct FORMAT *u = facts;

	(void)u, (void)t;
#include FORMAT_DEF
	return FORMAT_(_n_tables);
}
#undef LIST
#undef TABLE
#undef VIEW

#undef FORMAT
#undef FORMAT_DEF
#undef FORMAT_RULES
