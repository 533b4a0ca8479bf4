/* Copies: files that have the bytes of one that they lie in, as an archive that holds itself. */
#ifndef UVET_ENGINE_COPIES_H
#define UVET_ENGINE_COPIES_H

#include "engine/session.h"

/* copies_find gives the report of the nearest file around a session's that has the same bytes;
 * NULL: there is none, or its bytes could not be compared, which is noted in its source or in the
 * work of the decode, which the comparison is charged to. */
UVET_MUST_USE const struct report *copies_find(struct session *s);

#endif
