/* Descriptions: a few words on verdicts, formats and counts, the same in every text for people. */
#ifndef UVET_REPORT_DESCRIBE_H
#define UVET_REPORT_DESCRIBE_H

#include "engine/engine.h"
#include "engine/report.h"
#include "report/escape.h"

/* describe_verdict returns "VALID", "INVALID", "UNDETERMINED" or "NOT APPLICABLE". */
const char *describe_verdict(enum verdict v);

/* describe_format writes "UMOD 1 (UMOD installer)"; version 0 is left out, and no format is "no
 * known format". describe_kind writes the same of a report, of a file that could not be read
 * "cannot be read", of one whose name
 * says what else it is "not read by this version: a zip archive (.zip)". */
void describe_format(struct out *o, const struct format *f, uint64_t version);
void describe_kind(struct out *o, const struct report *r);

/* describe_path writes the path of a report's file, or of a companion by the number of its source,
 * for a medium. */
void describe_path(struct out *o, enum escape medium, const struct report *r, uint32_t number);

/* describe_diagnosis writes what explains a file's findings, and how sure that is: "most likely:
 * the file is truncated", "cause: ...". */
void describe_diagnosis(struct out *o, const struct diagnosis *d);

/* describe_advice writes what to do about it, for whoever got the file and for who made it. */
void describe_advice(struct out *o, enum escape medium, const struct diagnosis *d);

/* describe_found writes "2 errors, 1 warning", severest first, or "no findings". */
void describe_found(struct out *o, const uint64_t n_found[SEVERITY_ERROR + 1]);

/* describe_accepted writes ", 3 accepted" behind them, or nothing. */
void describe_accepted(struct out *o, uint64_t n);

/* describe_fail_on writes what fails a run, as --fail-on has it: the level, if there is one or
 * nothing else, then classes in their order. */
void describe_fail_on(struct out *o, const struct fail_on *f);

/* describe_scope writes what a verdict does not cover, " (tables only; 3 rules off)"; nothing where
 * it covers the whole. */
void describe_scope(struct out *o, const struct scope *s);

/* describe_unjudged writes one reason and its bytes: "944136 bytes: this build has no Oodle". */
void describe_unjudged(struct out *o, const struct unjudged *u, const struct limits *limits);

/* describe_guid writes a GUID as clients name downloads by it: four numbers of eight digits
 * each. */
enum { GUID_TEXT_LEN = 32 };
void describe_guid(char out[GUID_TEXT_LEN + 1], const uint32_t guid[4]);

/* describe_sha256 writes a digest as 64 small hexadecimal digits and a NUL. */
void describe_sha256(char out[2 * FILE_DIGEST_LEN + 1], const uint8_t digest[FILE_DIGEST_LEN]);

/* describe_counts writes ", 4 members" for each fact about the file that is a count. */
void describe_counts(struct out *o, const struct report *r);

/* describe_omitted writes "12 more UMD018" for each rule of which more was found than is among
 * the first n_shown findings, each between before and after. */
void describe_omitted(struct out *o, const struct report *r, size_t n_shown, const char *before,
		      const char *after);

#endif
