/* A reference reading of baselines, a line at a time, from what their form is said to be. */
#ifndef UVET_FUZZ_REFERENCE_REFERENCE_BASELINE_H
#define UVET_FUZZ_REFERENCE_REFERENCE_BASELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A reference_accepted is a line FINGERPRINT RULE EXPIRES REASON; the texts point into the
 * baseline's. expires has the digits YYYYMMDD, 0 for ever. */
struct reference_accepted {
	const char *fingerprint, *rule, *reason;
	size_t reason_len;
	uint32_t expires;
	size_t line; /* from 1 */
};

enum { REFERENCE_FINGERPRINT_LEN = 16, REFERENCE_RULE_LEN = 6 };

/* reference_baseline reads a text of n bytes. It returns how many lines accept a finding, of which
 * the first max are in out, or SIZE_MAX if it is no baseline; that two lines are of one finding is
 * not looked at. */
size_t reference_baseline(const char *text, size_t n, struct reference_accepted *out, size_t max);

#endif
