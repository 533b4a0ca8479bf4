/* Arithmetic on two 64-bit numbers of a file that says when it would wrap. */
#ifndef UVET_CORE_CHECKED_H
#define UVET_CORE_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

#include "core/compiler.h"

/* checked_add stores a + b in out. It fails, and leaves out alone, where the
 * sum does not fit. */
/*@ requires \valid(out);
    assigns *out;
    behavior success:
      assumes a + b <= UINT64_MAX;
      assigns *out;
      ensures \result == \true && *out == a + b;
    behavior failure:
      assumes a + b > UINT64_MAX;
      assigns \nothing;
      ensures \result == \false;
    complete behaviors;
    disjoint behaviors;
 */
UVET_MUST_USE static inline bool checked_add(uint64_t a, uint64_t b, uint64_t *out)
{
	if (b > UINT64_MAX - a)
		return false;
	*out = a + b;
	return true;
}

/* checked_mul stores a * b in out. It fails, and leaves out alone, where the
 * product does not fit. */
/*@ requires \valid(out);
    assigns *out;
    behavior success:
      assumes a * b <= UINT64_MAX;
      assigns *out;
      ensures \result == \true && *out == a * b;
    behavior failure:
      assumes a * b > UINT64_MAX;
      assigns \nothing;
      ensures \result == \false;
    complete behaviors;
    disjoint behaviors;
 */
UVET_MUST_USE static inline bool checked_mul(uint64_t a, uint64_t b, uint64_t *out)
{
	if (a != 0 && b > UINT64_MAX / a)
		return false;
	*out = a * b;
	return true;
}

/* capped_add is a + b, or UINT64_MAX where that does not fit: for counts that are only reported. */
/*@ assigns \nothing;
    ensures a + b <= UINT64_MAX ==> \result == a + b;
    ensures a + b > UINT64_MAX ==> \result == UINT64_MAX;
 */
UVET_MUST_USE static inline uint64_t capped_add(uint64_t a, uint64_t b)
{
	return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

/* is_negative_64 and is_negative_32 tell whether a number of so many bits is below 0 for who reads
 * it with a sign. */
/*@ assigns \nothing;
    ensures \result == \true <==> n > INT64_MAX;
 */
static inline bool is_negative_64(uint64_t n)
{
	return n > INT64_MAX;
}

/*@ assigns \nothing;
    ensures \result == \true <==> n > INT32_MAX;
 */
static inline bool is_negative_32(uint64_t n)
{
	return n > INT32_MAX;
}

#endif
