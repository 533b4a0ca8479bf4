/* Declares what a format's .def lists beside its records: the fact groups and the tables. Included
 * once per format, by its header, after the types of the rows; FORMAT is the format's name,
 * FORMAT_DEF its file. The rows are:
 *
 *     GROUP(UMOD_TRAILER, "trailer", "the last 20 bytes", UMOD_FILE)
 *
 * is a fact group: its enumerator, its name in reports, what it holds, and the groups without which
 * it is missing, or NOTHING.
 *
 *     LIST(UMOD_GAPS, struct umod_gap, UMOD_DIRECTORY, "gap", u->gaps, u->n_gaps)
 *
 * is a table: its enumerator, the type of a row, the group that holds it, what a place calls a row,
 * the rows, and how many there are; `u` is the format's facts.
 *
 *     TABLE(UMOD_MEMBERS, struct umod_member, UMOD_DIRECTORY, "entry",
 *           u->members, u->n_members, u->traits)
 *
 * is one whose rows have marks: the last are those that any row has, and a rule that looks for
 * others does not go over the rows.
 *
 *     VIEW(UTOC_BLOCK_ROWS, struct toc_block_row, UTOC_BLOCKS, "block",
 *          toc_view_blocks, u->toc.n_blocks, u->toc.block_traits)
 *
 * is one whose rows are made for each block of rows that is judged, by the function (struct table,
 * view); where no row has a mark it shows none. */
#include "formats/format.h"

#define FORMAT_JOIN_(a, b)              a##b
#define FORMAT_JOIN(a, b)               FORMAT_JOIN_(a, b)
#define FORMAT_(suffix)                 FORMAT_JOIN(FORMAT, suffix)

#define GROUP(group, name, meaning, ...)                        group,
enum FORMAT_(_group) {
#include FORMAT_DEF
	FORMAT_(_n_groups)
};
#undef GROUP

_Static_assert((int)FORMAT_(_n_groups) <= (int)GROUPS_MAX, "a decode has room for the groups");

/* The numbers of the tables: 0 is none. */
#define LIST(number, type, owner, name, list, count)            number,
#define TABLE(number, type, owner, name, list, count, seen)     number,
#define VIEW(number, type, owner, name, make, count, seen)      number,
enum FORMAT_(_tables) {
	FORMAT_(_no_table),
#include FORMAT_DEF
	FORMAT_(_n_tables)
};
#undef LIST
#undef TABLE
#undef VIEW

_Static_assert((int)FORMAT_(_n_tables) <= (int)TABLES_MAX, "an engine has room for the tables");

/* What EACH asks of a table: the type of its rows, and its group. */
#define LIST(number, type, owner, name, list, count) \
	typedef type number##_ROW; \
	enum { number##_GROUP = owner };
#define TABLE(number, type, owner, name, list, count, seen)     LIST(number, type, owner, name, list, count)
#define VIEW(number, type, owner, name, make, count, seen)      LIST(number, type, owner, name, make, count)
#include FORMAT_DEF
#undef LIST
#undef TABLE
#undef VIEW

#undef FORMAT
#undef FORMAT_DEF
