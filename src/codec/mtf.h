/* The move-to-front code of Epic's .uz. */
#ifndef UVET_CODEC_MTF_H
#define UVET_CODEC_MTF_H

#include <stdbool.h>
#include <stdint.h>

/* From this many bytes on it pays to ask what the processor can do. */
#define MTF_LARGE ((uint64_t)65536)

/* An mtf is the list of all byte values, with the one used last in front. */
struct mtf {
	uint8_t list[256];
	bool wide; /* AVX2 is used */
};

/* mtf_start makes the list for the beginning of a stream of n bytes. mtf_decode replaces n
 * places in the list, which are all or some of the stream, by the bytes at these places. */
void mtf_start(struct mtf *m, uint64_t n);
void mtf_decode(struct mtf *m, uint8_t *bytes, uint64_t n);

#endif
