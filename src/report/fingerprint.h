/* Fingerprints: numbers that stay with a finding from run to run, for baselines and for whoever
 * follows alerts. */
#ifndef UVET_REPORT_FINGERPRINT_H
#define UVET_REPORT_FINGERPRINT_H

#include "engine/report.h"
#include "report/out.h"

/* fingerprint_of hashes with 64-bit FNV-1a what stays the same wherever the file lies and however
 * it is called: the rule, the path of a nested file inside the outermost one, what a companion's
 * name has after the input's own, the field, and the values of the message. Where the file lies,
 * its own name and the words of the message do not count. */
uint64_t fingerprint_of(const struct report *r, const struct finding *f);

/* fingerprint_write writes it as 16 hexadecimal digits, fingerprint_digits those and a NUL. */
enum { FINGERPRINT_LEN = 16 };
void fingerprint_write(struct out *o, uint64_t fingerprint);
void fingerprint_digits(char out[FINGERPRINT_LEN + 1], uint64_t fingerprint);

/* Fingerprints_seen counts how often each fingerprint was given in one run. */
struct fingerprint_seen;
struct fingerprints_seen {
	struct fingerprint_seen *slots;
	size_t n_slots; /* a power of two, or 0 */
	size_t n;       /* fingerprints given in all */
};

/* fingerprints_make gives the fingerprints of the report's first n findings, in the arena
 * `scratch`. One that was given before is told apart by how often it was; the counts are in the
 * arena `keep`. It returns NULL when memory ends. */
UVET_MUST_USE const uint64_t *fingerprints_make(struct fingerprints_seen *seen, struct arena *keep,
						struct arena *scratch, const struct report *r,
						size_t n);

#endif
