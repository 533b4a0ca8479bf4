/* Members: the files that lie in an input, at any depth. An explicit stack of sessions checks
 * each file before those that lie in it, and opens the next only when the one before was judged
 * and its facts are freed. */
#ifndef UVET_ENGINE_MEMBERS_H
#define UVET_ENGINE_MEMBERS_H

#include "engine/session.h"

/* members_judge_first judges a file before what lies in it, members_judge_last after that: one of
 * them does, as the format wants it (session_waits). false: memory ended, and there is no
 * report. */
UVET_MUST_USE bool members_judge_first(struct session *s);
UVET_MUST_USE bool members_judge_last(struct session *s);

/* members_begin counts the files in a session's that are to be checked: those within the limits
 * that are worth a look. */
void members_begin(struct session *s);

/* members_check checks all that lies in the root's file, and in the files there, after
 * members_begin. */
void members_check(struct session *root);

#endif
