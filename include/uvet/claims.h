/* Claims of uvet: what files have of which a game takes one only. A part of uvet.h, which includes
 * it, and whose opening says what holds for all of its functions. */
#ifndef UVET_CLAIMS_H
#define UVET_CLAIMS_H

#include "uvet/uvet.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A uvet_claim is something of which a game takes one only, where several files have it. */
typedef enum uvet_claim {
	UVET_CLAIM_CHUNK = 0, /* the twelve bytes of a chunk's id, as they are stored */
	UVET_CLAIM_PACKAGE,   /* the eight bytes of a package's id, of one that is in the file */
	UVET_CLAIM_PATH /* a path in UTF-8, without a NUL at its end, the mount point before it */
} uvet_claim;

/* Why a file may claim more than it tells. */
enum {
	UVET_CLAIMS_LOCKED = 1, /* a part is encrypted, and no key opens it */
	UVET_CLAIMS_UNREAD =
		2,             /* a part could not be read: it is malformed, not there, too large */
	UVET_CLAIMS_HASHED = 4 /* of some paths the hash alone is known */
};

/* A uvet_claim_callback takes a claim, whose bytes live until it returns. It returns 0 to go on;
 * anything else ends the call. */
typedef int uvet_claim_callback(void *ctx, uvet_claim kind, const void *bytes, size_t len);

/* uvet_claims_path and uvet_claims_io pass every claim of a container (.utoc) or an archive (.pak)
 * to take, in the order of the file; a claim may come more than once. *gaps is set to UVET_CLAIMS_
 * flags, 0 if all was told. They look into no other file but the .ucas beside a .utoc. name, io and
 * hooks are as for checks; no rule is asked.
 * Each returns UVET_OK (also where take ended it), UVET_BAD_CALL, UVET_NO_MEMORY,
 * UVET_UNKNOWN_FORMAT (also of a format whose files claim nothing), UVET_UNREADABLE, UVET_CUT; from
 * UVET_UNKNOWN_FORMAT on, what is known was passed. */
UVET_API uvet_status uvet_claims_path(uvet_engine *engine, const char *path,
				      const uvet_hooks *hooks, uvet_claim_callback *take, void *ctx,
				      unsigned *gaps);
UVET_API uvet_status uvet_claims_io(uvet_engine *engine, const char *name, const uvet_io *io,
				    const uvet_hooks *hooks, uvet_claim_callback *take, void *ctx,
				    unsigned *gaps);

#ifdef __cplusplus
}
#endif

#endif
