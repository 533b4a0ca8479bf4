/* Streams: what a harness of the command gives it as a file, and what the command writes to
 * standard output and standard error. */
#ifndef UVET_FUZZ_SUPPORT_STREAMS_H
#define UVET_FUZZ_SUPPORT_STREAMS_H

#include <stddef.h>

#include "support/capture.h"

/* streams_file puts bytes into a file, in place of those of the call before, and returns its
 * path. */
const char *streams_file(const void *bytes, size_t n);

/* streams_listen begins to take what is written, streams_end ends that: `shown` has what went to
 * standard output, and `said` what C code wrote to stderr. What a sanitizer says comes through.
 * Between the two nothing may be promised: nobody would see which promise was broken. */
void streams_listen(void);
void streams_end(struct capture *shown, struct capture *said);

/* streams_check_said: messages are lines that are safe to show, and each says that it is uvet's. */
void streams_check_said(const struct capture *said);

#endif
