/* Evidence: what is known of a file when its findings are to be explained. */
#ifndef UVET_DIAGNOSIS_EVIDENCE_H
#define UVET_DIAGNOSIS_EVIDENCE_H

#include "diagnosis/census.h"
#include "diagnosis/diagnosis.h"

/* A part is the file itself or one beside it that is open. */
struct part {
	struct source *source;
	struct extent extent; /* as far as the format says */
	struct census census;
	struct probe probes[PROBES_MAX]; /* places of findings */
	uint32_t n_probes, n_head;
	uint8_t head[64]; /* its first bytes */
};

/* Companions after these are not looked at. */
enum { PARTS_MAX = 8 };

struct evidence {
	const struct patient *patient;
	/* found with the severities error and undetermined; by the rules of the format alone */
	uint64_t n_errors;
	uint64_t n_data;        /* of these by rules with SIGN_DATA */
	uint64_t n_warned_data; /* likewise, found with the severity warning in such a part */
	unsigned signs;         /* a bit for each enum rule_sign of a rule that found an error */
	bool data_alone;   /* every error is SIGN_DATA or SIGN_SUM, or lies in a part of the file
			    * or a companion with another digest than it should have */
	bool packer_alone; /* every error is SIGN_PACKER */
	unsigned packers;  /* enum rule_packer: those that make all that was found */
	bool is_summed;    /* a checksum over all of it is right, and its frame */
	/* every error is one of which somebody may be suspected, but for those of payload, of files
	 * beside it and of what follows its end */
	bool attack_alone;
	const struct rule *attack; /* the first of these that only an attacker makes */
	const struct rule *shared; /* the first with SIGN_SHARED that found anything */
	bool escapes;              /* a path with SIGN_NAME or SIGN_MOUNT does */
	/* payload is a whole zlib stream that gives more than any part of such a file may: somebody
	 * made it */
	bool has_bomb;
	size_t n_parts;
	struct part parts[PARTS_MAX]; /* last: those that are not used stay as they are */
};

/* evidence_begin fills in what the findings say, evidence_read what the bytes are like; false: a
 * read failed or the check was interrupted. */
void evidence_begin(struct evidence *e, const struct patient *p);
UVET_MUST_USE bool evidence_read(struct evidence *e);

/* evidence_has tells whether an error is of that sign. */
static inline bool evidence_has(const struct evidence *e, enum rule_sign sign)
{
	return e->signs & 1u << sign;
}

#endif
