/* The runs of equal bytes of Epic's .uz. */
#ifndef UVET_CODEC_RUNS_H
#define UVET_CODEC_RUNS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/compiler.h"

/* After five equal bytes stands the length of the run: 5 to 255 as the engine writes it. A count
 * of 2 to 4 adds nothing; below 2 the engine stops. Source: FCodec.h. */
enum { RUNS_LEAD = 5, RUNS_COUNT_MIN = 2 };

enum runs_fault {
	RUNS_FINE,
	RUNS_CUT,   /* the bytes end where a count should be */
	RUNS_COUNT, /* a count below RUNS_COUNT_MIN */
};

/* A runs_size is what runs expand to. With a fault, n_out is what the bytes before it expand to. */
struct runs_size {
	enum runs_fault fault;
	uint64_t at;     /* offset of the count that is missing or wrong */
	uint8_t count;   /* RUNS_COUNT: its value */
	uint64_t n_out;  /* bytes */
	uint64_t odd_at; /* offset of the first count of 2 to 4; n: there is none */
};

/* runs_measure computes what n bytes expand to. runs_expand expands bytes in which runs_measure
 * found no fault. */
struct runs_size runs_measure(const uint8_t *in, uint64_t n);
void runs_expand(const uint8_t *in, uint64_t n, uint8_t *out);

#endif
