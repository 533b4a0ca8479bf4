/* What lies beside a file that is to be explained. Source: conformance/spec/run.md, 5.1. */
#ifndef UVET_DIAGNOSIS_BESIDE_H
#define UVET_DIAGNOSIS_BESIDE_H

#include "diagnosis/evidence.h"

/* beside_missing returns the absent file that an error is about; NULL: no error is about one. */
const struct companion *beside_missing(const struct evidence *e);

/* beside_renamed returns the one file in the folder that the missing one may be, under another
 * name. NULL: none may, or several may. */
const char *beside_renamed(const struct evidence *e, const struct companion *missing);

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
