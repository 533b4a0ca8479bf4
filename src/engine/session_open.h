/* Beginning a session: of an input, or of a file that lies in another. */
#ifndef UVET_ENGINE_SESSION_OPEN_H
#define UVET_ENGINE_SESSION_OPEN_H

#include "engine/session.h"

/* session_open begins the check of an input, session_open_nested that of a file inside the one
 * that `outer` checks; false: its bytes cannot be had, and all that remains is session_discard. */
void session_open(struct session *s, struct tree *t, struct report *r,
		  const struct check_input *in);
UVET_MUST_USE bool session_open_nested(struct session *s, struct session *outer, struct report *r,
				       const struct member *m);

#endif
