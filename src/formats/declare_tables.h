/* Declares the tables that a format's .def lists. Included once per format, by its header, after
 * the types of its facts; FORMAT and FORMAT_DEF as in formats/declare.h. In the rows `u` is the
 * facts, and `row` a row:
 *
 *     LIST(UMOD_GAPS, struct umod_gap, UMOD_DIRECTORY, "gap", u->gaps, u->n_gaps)
 *
 * is a table: its enumerator, the type of a row, the group that holds it, what a place calls a row,
 * the rows, and how many there are.
 *
 *     TABLE(UMOD_MEMBERS, struct umod_member, UMOD_DIRECTORY, "entry", u->members, u->n_members,
 *           umod_member, row->traits, u->traits)
 *
 * is one whose rows have traits: the name of the set, the bits of a row, and the bits that any row
 * has. A DEFECT_RULE for other bits does not go over the rows.
 *
 *     VIEW(UTOC_BLOCK_ROWS, struct toc_block_row, UTOC_BLOCKS, "block",
 *          toc_view_blocks, u->toc.n_blocks, toc_block, row->traits, u->toc.block_traits)
 *
 * is one whose rows are made for each block of rows that is judged, by the function (struct table,
 * view). None is made if no rule has anything to ask of them.
 *
 *     FILE_DEFECTS(uz_file, u->defects)
 *
 * says which set of defects and traits the file as a whole has, and where its bits are. */
#include "formats/format.h"

/* The numbers of the tables: 0 is none. */
#define LIST(number, type, owner, name, list, count) number,
#define TABLE(number, type, owner, name, list, count, set, has, seen) number,
#define VIEW(number, type, owner, name, make, count, set, has, seen) number,
enum FORMAT_(_tables) {
	FORMAT_(_no_table),
#include FORMAT_DEF
	FORMAT_(_n_tables)
};
#undef LIST
#undef TABLE
#undef VIEW

_Static_assert((int)FORMAT_(_n_tables) <= (int)TABLES_MAX, "an engine has room for the tables");

/* What rules ask of a table: the type of its rows, its group, and the traits of a row. */
#define LIST(number, type, owner, name, list, count) \
	typedef type number##_ROW; \
	enum { number##_GROUP = owner };
#define TABLE(number, type, owner, name, list, count, set, has, seen) \
	LIST(number, type, owner, name, list, count) \
	static inline uint64_t number##_HAS(const struct FORMAT *u, const type *row) \
	{ \
		_Static_assert(8 * sizeof(seen) >= (size_t)set##_room, \
			       #number " is summed up in a narrower word"); \
		_Static_assert(8 * sizeof((has) + 0) >= (size_t)set##_room, \
			       #number " has narrower rows"); \
		(void)u; \
		return has; \
	}
#define VIEW(number, type, owner, name, make, count, set, has, seen) \
	TABLE(number, type, owner, name, make, count, set, has, seen)
#include FORMAT_DEF
#undef LIST
#undef TABLE
#undef VIEW

/* What rules ask of the file. */
#define FILE_DEFECTS(set, has) \
	static inline uint64_t FORMAT_(_FILE_HAS)(const struct FORMAT *u) \
	{ \
		_Static_assert(8 * sizeof(has) >= (size_t)set##_room, \
			       "the file has a narrower word"); \
		return has; \
	}
#include FORMAT_DEF
#undef FILE_DEFECTS

#undef FORMAT
#undef FORMAT_DEF
