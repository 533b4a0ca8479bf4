/* Telling: for each diagnosis the function that finds out whether it is the one, and the words that
 * it needs. Each is asked about a part of the evidence; true: *out is filled in. false: it is
 * another, or memory ended, which *lost of the patient says. */
#ifndef UVET_DIAGNOSIS_TELL_H
#define UVET_DIAGNOSIS_TELL_H

#include "diagnosis/diagnosis.h"
#include "diagnosis/evidence.h"

enum tell_number {
#define DIAGNOSIS(number, id, explains, message, player, author) KIND_##number,
#include "diagnosis/diagnoses.def"
#undef DIAGNOSIS
};

/* tell_kind is the row of a number. */
const struct diagnosis_kind *tell_kind(enum tell_number number);

/* tell_begin begins a diagnosis with the file that it is about; the others add values, in the order
 * in which the message names them. A name is copied: companions are gone when the report is read.
 */
UVET_MUST_USE bool tell_begin(const struct evidence *e, const struct part *part,
			      enum tell_number number, enum confidence confidence,
			      struct diagnosis *out);
void tell_add_number(struct diagnosis *out, enum arg_kind kind, uint64_t number);
void tell_add_word(struct diagnosis *out, const char *word);
UVET_MUST_USE bool tell_add_name(struct diagnosis *out, const struct patient *p, const char *name);

/* tell_one tells a likely diagnosis of one value. */
UVET_MUST_USE bool tell_one(const struct evidence *e, const struct part *part,
			    enum tell_number number, enum arg_kind kind, uint64_t value,
			    struct diagnosis *out);

/* tell_known_end is where a part ends by what it says itself; 0: it does not say.
 * tell_missing_bytes is how many bytes it lacks; 0: none, or it is not known. tell_worst_zeros is
 * the longest run of zeros that a finding is about. */
uint64_t tell_known_end(const struct evidence *e, const struct part *part);
uint64_t tell_missing_bytes(const struct part *part);
struct span tell_worst_zeros(const struct part *part);

typedef bool tell(const struct evidence *e, const struct part *part, struct diagnosis *out);

/* The whole file, in tell_whole.c. */
tell tell_empty, tell_all_zeros;

/* A text that was made of it, in tell_text.c; the last of them only what makes a file longer. */
tell tell_reencoded, tell_transfer, tell_grown_text;

/* What else it is, in tell_other.c. */
tell tell_other_format, tell_prefixed, tell_exchanged;

/* Its end, in tell_end.c. */
tell tell_shorter, tell_surplus, tell_truncated, tell_appended;
tell tell_changed; /* asked where no error was found */

tell tell_unchecked; /* asked where no error was found, in tell_findings.c */

/* Holes in it, in tell_hole.c: what an error points at, and what several warnings do. */
enum { WARNINGS_MIN = 3 };
tell tell_zeros, tell_warned_zeros;

/* What lies beside it, in tell_beside.c. */
tell tell_missing, tell_swapped, tell_foreign_text, tell_foreign, tell_wrong_companion;

/* What all findings have in common, in tell_findings.c: asked once, not for each part. What only an
 * attacker makes is asked before everything else, the rest last. */
bool tell_hostile(const struct evidence *e, struct diagnosis *out);
bool tell_findings(const struct evidence *e, struct diagnosis *out);

#endif
