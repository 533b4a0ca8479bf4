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

/* Which zeros are a hole at a place. */
enum probe_of {
	PROBE_NEAR, /* those that overlap it, or end right before it */
	/* it is compressed, and has few zeros by itself: those that fill a part of it */
	PROBE_STREAM,
	/* it may be of zeros by itself: likewise, and they reach from a sector's start to another's
	 * end, or to that of the file, or are all of it, or CENSUS_RUN_RARE */
	PROBE_HASHED,
};

/* So many bytes of a stream, or of payload, are the hole and not its padding. */
#define CENSUS_PART_MIN 256u
/* So long a run of zeros is in no sound file that is known. */
#define CENSUS_RUN_RARE 65536u
enum { CENSUS_SECTOR = 512 };

/* A probe is a place that a finding is about, and the longest run of zeros there. */
enum { PROBES_MAX = 12 };
struct probe {
	struct span place;
	enum probe_of of;
	bool is_error;     /* the finding is one, or undetermined */
	bool is_data;      /* likewise, of a rule with SIGN_DATA */
	uint64_t unpacked; /* what it decompresses to, if it is one whole zlib stream; else 0 */
	struct span zeros; /* len 0: there are none */
};

/* How many of a byte a file should have: about as many as of the four whose values are nearest. A
 * transfer has changed a file that has none of it. */
struct due {
	uint32_t least, most;
};

struct census {
	uint64_t n;                   /* bytes that were looked at */
	uint32_t n_cr, n_lf, n_pairs; /* pairs: a LF right after a CR */
	uint32_t n_twice;             /* of these after two CRs */
	/* line feeds, or pairs, that are no end of a line: the bytes before and after are not of
	 * a text */
	uint32_t n_binary_lf;
	uint32_t n_lines; /* line feeds, or pairs, at the end of a line of text that is no markup */
	struct due cr_due, lf_due;
	uint32_t pairs_due, zeros_due; /* as of their neighbours */
	uint32_t n_controls;           /* characters of ASCII that no text has; 0: it is all text */
	uint32_t n_zeros;              /* of these */
	unsigned n_control_kinds;      /* of the others, how many different ones */
	uint32_t n_high;               /* bytes above 0x7F */
	uint32_t n_questions;          /* question marks, which some programs put for such bytes */
	uint32_t n_by_questions;       /* bytes that differ from these by one */
	uint32_t n_odd_zeros;          /* zeros at odd offsets */
	bool is_utf8;         /* all of it is valid, but for a character that the end cuts */
	uint32_t n_sequences; /* of UTF-8 with two bytes or more */
	uint32_t n_replaced;  /* of these U+FFFD, which programs put for what they cannot read */
	uint64_t head_zeros, tail_zeros;
	struct span most_zeros; /* the longest run of them */
	/* the longest that reaches from a sector's start to another's end, but for a few bytes that
	 * are zeros beside it by themselves */
	struct span sector_zeros;
	uint64_t mark_at; /* where the number `mark` was found last, or UINT64_MAX */
};

/* census_take reads up to CENSUS_MAX bytes of s and fills *out and the zeros of n probes. mark is a
 * number of 32 bits that is looked for; 0: none is. false: a read failed, or the check was
 * interrupted, as s->interrupted says. */
UVET_MUST_USE bool census_take(struct source *s, uint32_t mark, struct probe *probes, size_t n,
			       struct census *out);

#endif
