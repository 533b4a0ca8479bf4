/* A census: what the bytes of a file are like as a whole, whatever its format. It tells how a
 * transfer or a program for texts has changed them, and where there are only zeros. */
#ifndef UVET_DIAGNOSIS_CENSUS_H
#define UVET_DIAGNOSIS_CENSUS_H

#include "core/source.h"

/* How many bytes of a file are looked at, from its first on. */
#define CENSUS_MAX ((uint64_t)64 << 20)

/* Runs of zeros shorter than this are found in many sound files. A sector of a disk or a piece of a
 * download has at least so many bytes. */
#define CENSUS_RUN_MIN 512u

/* A probe is a place that a finding is about, and the longest run of zeros there. */
enum { PROBES_MAX = 8 };
struct probe {
	struct span place;
	struct span zeros; /* len 0: none is as long as CENSUS_RUN_MIN */
};

struct census {
	uint64_t n;                   /* bytes that were looked at */
	uint64_t n_cr, n_lf, n_pairs; /* pairs: a LF right after a CR */
	/* line feeds, or pairs, that are no end of a line: the bytes before and after are not of
	 * a text */
	uint64_t n_binary_lf;
	uint64_t n_controls;  /* characters of ASCII that no text has; 0: it is all text */
	uint64_t n_odd_zeros; /* zeros at odd offsets */
	bool is_utf8;         /* all of it is valid */
	uint64_t n_sequences; /* of UTF-8 with two bytes or more */
	uint64_t n_replaced;  /* of these U+FFFD, which programs put for what they cannot read */
	uint64_t head_zeros, tail_zeros;
	struct span most_zeros; /* the longest run of them */
	uint64_t mark_at;       /* where the number `mark` was found last, or UINT64_MAX */
};

/* census_take reads up to CENSUS_MAX bytes of s and fills *out and the zeros of n probes. mark is a
 * number of 32 bits that is looked for; 0: none is. false: a read failed, or the check was
 * interrupted, as s->interrupted says. */
UVET_MUST_USE bool census_take(struct source *s, uint32_t mark, struct probe *probes, size_t n,
			       struct census *out);

#endif
