/* What lies beside a file that is to be explained. Source: conformance/spec/run.md, 5.1. */
#ifndef UVET_DIAGNOSIS_BESIDE_H
#define UVET_DIAGNOSIS_BESIDE_H

#include "core/ending.h"
#include "diagnosis/evidence.h"

/* How many other files of one kind in a folder are looked at. */
enum { BESIDE_MAX = 8 };

/* beside_own_name is the name of the file that is judged, without its folder. */
static inline const char *beside_own_name(const struct decode *d)
{
	return d->source->name + folder_len(d->source->name);
}

/* How many bytes after its last block a .ucas may have: it is filled up to a whole block of a
 * cipher. */
enum { BESIDE_PADDING_MAX = 15 };

/* beside_reaches tells whether a file of that size is as long as the extent says. */
static inline bool beside_reaches(const struct extent *x, uint64_t size)
{
	return size >= x->needs && size - x->needs <= BESIDE_PADDING_MAX;
}

/* beside_missing returns the absent file that an error is about, of several a .ucas before a .pak;
 * *n gets how many there are. NULL: no error is about one. */
const struct companion *beside_missing(const struct evidence *e, uint64_t *n);

/* beside_missing_container returns the name of the .utoc that a .ucas of no format lacks. NULL: it
 * is no .ucas, or there is a .utoc in the folder, or that cannot be known, or memory ended. */
const char *beside_missing_container(const struct patient *p);

/* beside_renamed returns the one file in the folder that the missing one may be, under another
 * name. NULL: none may, or several may. *is_unfinished: it is a download of it that has not ended.
 */
const char *beside_renamed(const struct evidence *e, const struct companion *missing,
			   bool *is_unfinished);

/* beside_is_foreign tells whether nearly no chunk in a file beside the input is what the input
 * says. */
bool beside_is_foreign(const struct part *part);

/* beside_is_foreign_at_once tells whether that is so from the first chunk on: a file that was
 * truncated, or that something follows, begins as it should. */
bool beside_is_foreign_at_once(const struct part *part);

/* beside_has_foreign_blocks tells whether other data lies where blocks of a file beside the input
 * should begin, as far as their methods tell. */
bool beside_has_foreign_blocks(const struct part *part);

/* beside_has_length tells whether a file beside the input is as long as the input says. */
bool beside_has_length(const struct part *part);

/* beside_is_contradicted tells whether a file beside the input is not what the input says, though
 * no rule finds an error. */
bool beside_is_contradicted(const struct part *part);

/* beside_owner returns the one container of the folder that a file beside the input belongs to, if
 * it is not the input's by its length or its chunks; *n_same gets how many chunks are as that
 * container says. NULL: there is none, there are several, or it cannot be told. It decodes other
 * containers, within bounds of its own. The name lies in the decoder's arena. */
const char *beside_owner(const struct evidence *e, const struct part *part, uint64_t *n_same);

#endif
