/* How much work a check may take, from the bytes of the file. */
#ifndef UVET_FUZZ_ORACLE_WORK_BOUND_H
#define UVET_FUZZ_ORACLE_WORK_BOUND_H

#include <stdint.h>

#include "oracle/oracle_trial.h"

/* work_bound is what the check of one file may cost at most, without those in it. Each of the two
 * manifests may be the whole file and have a line for every two bytes, which costs two steps of
 * decoding and one for each rule of lines; members and what lies below a line cost less. Of what is
 * unpacked the redirects of a container's header cost most: half a step for each byte, and a
 * sixteenth for the walk over it. The file is of format f, NULL if of none, in or beside the
 * subject. */
uint64_t work_bound(const struct subject *s, const struct format *f, uint64_t size);

#endif
