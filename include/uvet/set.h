/* Sets of uvet: files that belong together, and what is said of them as a whole. A part of uvet.h,
 * which includes it, and whose opening says what holds for all of its functions. */
#ifndef UVET_SET_H
#define UVET_SET_H

#include "uvet/uvet.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A uvet_set is files that were checked with one engine, as far as rules about files that belong
 * together compare them: packages that import from each other. It copies what it needs of their
 * reports, which may be freed. It is made, added to and checked by one thread at a time.
 *
 * A set may hold as much memory as max-memory says, for itself and its check. What did not have
 * room makes it undetermined. The order in which reports are added changes nothing. */
typedef struct uvet_set uvet_set;

/* A uvet_sink takes bytes of an output. It returns 0 if it took all of them. */
typedef int uvet_sink(void *ctx, const void *bytes, size_t len);

/* uvet_set_new makes one.
 * Returns UVET_OK, UVET_BAD_CALL, UVET_NO_MEMORY. */
UVET_API uvet_status uvet_set_new(uvet_engine *engine, uvet_set **out);
UVET_API void uvet_set_free(uvet_set *set);

/* uvet_set_add adds the file of a report, with the files in it; the engine's option sets was yes
 * when the report was made. is_game not 0: it is a file of the game that the others are for. It is
 * not blamed, and what the others import and neither has is missing.
 * Returns UVET_OK, UVET_BAD_CALL (also after uvet_set_check). */
UVET_API uvet_status uvet_set_add(uvet_set *set, const uvet_report *report, int is_game);

/* uvet_set_list adds a file to the folder that is to be uploaded, of which the engine's option
 * layout is asked: every file of it, whatever it is. name is that under which it is checked, if it
 * is; its first folder_len bytes are the folder, with a separator, the same for all. io is read for
 * the first bytes of the file, and for the files that a site reads. Where the option is not set,
 * nothing is done. A folder that has nothing but archives is not judged: they are uploads of their
 * own.
 * Returns UVET_OK, UVET_BAD_CALL (also after uvet_set_check). */
UVET_API uvet_status uvet_set_list(uvet_set *set, const char *name, size_t folder_len,
				   const uvet_io *io);

/* uvet_set_imports writes what each package that was added imports, and what of it is there, as
 * "text" or "json". hooks may be NULL.
 * Returns UVET_OK, UVET_BAD_CALL, UVET_BAD_OPTION (there is no such format), UVET_NO_MEMORY,
 * UVET_WRITE_FAILED, UVET_CUT (a limit was reached, or the call was cancelled); with the last,
 * parts are missing, and what is known was written. No report can be added after it. */
UVET_API uvet_status uvet_set_imports(uvet_set *set, const uvet_hooks *hooks, const char *format,
				      uvet_sink *sink, void *ctx);

/* uvet_set_check makes the report of a set, once: its format is "set", it is named after the folder
 * that all its files lie in, and the files that were added, but for those of the game, are its
 * companions, to which its findings point; so are those of uvet_set_list. *out is NULL where there
 * is nothing to compare: fewer than two packages, or none and a game, and no folder that is to be
 * uploaded. hooks may be NULL.
 * Returns UVET_OK, UVET_BAD_CALL (also the second time), UVET_NO_MEMORY. */
UVET_API uvet_status uvet_set_check(uvet_set *set, const uvet_hooks *hooks, uvet_report **out);

#ifdef __cplusplus
}
#endif

#endif
