/* Ranges of bytes in a source. */
#ifndef UVET_CORE_SPAN_H
#define UVET_CORE_SPAN_H

#include <stdint.h>

/* A span is a range of bytes in a source, by absolute offset. It may have been read from the
 * file, and then may lie outside of it. */
struct span {
	uint64_t at, len;
};

/* span_end returns the first offset after s, or UINT64_MAX where the sum
 * would wrap. */
/*@ assigns \nothing;
    ensures s.at + s.len <= UINT64_MAX ==> \result == s.at + s.len;
    ensures s.at + s.len > UINT64_MAX ==> \result == UINT64_MAX;
 */
static inline uint64_t span_end(struct span s)
{
	return s.len > UINT64_MAX - s.at ? UINT64_MAX : s.at + s.len;
}

#endif
