/* The SHA-256 of a file that was checked. */
#ifndef UVET_ENGINE_FILE_DIGEST_H
#define UVET_ENGINE_FILE_DIGEST_H

#include "core/source.h"

struct report;

/* file_digest reads all bytes of a source once more and notes their SHA-256 in the report. Where
 * they cannot be read, memory ended or the check was interrupted, the source says so, and there is
 * no digest. */
void file_digest(struct source *s, struct report *r);

#endif
