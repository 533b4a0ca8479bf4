/* Fingerprints: numbers that stay with a finding from run to run, for baselines and for whoever
 * follows alerts. */
#ifndef UVET_REPORT_FINGERPRINT_H
#define UVET_REPORT_FINGERPRINT_H

#include "engine/report.h"

/* fingerprint_of hashes rule, path (`\` as `/`), field and message of a finding with 64-bit FNV-1a,
 * a NUL between them. */
uint64_t fingerprint_of(const char *path, const struct finding *f);

/* fingerprints_make gives the fingerprints of the report's first n findings, in the arena; equal
 * ones are told apart by their ordinal. It returns NULL when memory ends. */
UVET_MUST_USE const uint64_t *fingerprints_make(struct arena *arena, const struct report *r,
						size_t n);

#endif
