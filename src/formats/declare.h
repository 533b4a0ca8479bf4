/* Declares what a format's .def lists of what its facts are made of: records, fact groups and
 * traits. Included once per format, before the types of its facts; FORMAT is the format's name,
 * FORMAT_DEF its file. Records are those of core/layout.h; the other rows are:
 *
 *     EXTENSION("umod")
 *     SHARED_EXTENSION("run")
 *
 * are extensions of file names that promise the format, in lower case. Where other files have the
 * extension, too, it is a SHARED_EXTENSION, and the bytes decide.
 *
 * Records that several formats share are declared by a header of their own; under SHARED_RECORD,
 * which formats/define.h defines where it lists layouts, one of these formats lists them.
 *
 *     GROUP(UMOD_TRAILER, "trailer", "the last 20 bytes", UMOD_FILE)
 *
 * is a fact group: its enumerator, its name in reports, what it holds, and the groups that it
 * needs, or NOTHING: if one of them is missing, so is this one.
 *
 *     DEFECTS(uz2_part, 0, 32)
 *     DEFECT (UZ2_BROKEN, "the stream is not a whole one")
 *     TRAIT  (UZ2_STORED, "the stream is not compressed")
 *     DEFECTS_END(uz2_part)
 *
 * are bits that a row of a table, or the file as a whole, can have in a word. DEFECTS says the
 * number of the first one, and how many bits of the word are kept, which the compiler holds. A
 * DEFECT is reported by a rule (DEFECT_RULE, for the file FILE_DEFECT_RULE), a TRAIT is not. */
#include "formats/format.h"

#define LAYOUT_FILE FORMAT_DEF
#include "core/layout_declare.h"
#undef LAYOUT_FILE

#define GROUP(group, name, meaning, ...) group,
enum FORMAT_(_group) {
#include FORMAT_DEF
	FORMAT_(_n_groups)
};
#undef GROUP

_Static_assert((int)FORMAT_(_n_groups) <= (int)GROUPS_MAX, "a decode has room for the groups");

#define DEFECTS_FILE FORMAT_DEF
#include "formats/declare_defects.h"

#undef FORMAT
#undef FORMAT_DEF
