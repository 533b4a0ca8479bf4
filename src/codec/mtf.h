/* The move-to-front code of Epic's .uz. */
#ifndef UVET_CODEC_MTF_H
#define UVET_CODEC_MTF_H

#include <stdbool.h>
#include <stdint.h>

/* From so many bytes on it pays to ask what the processor can do. */
#define MTF_LARGE ((uint64_t)65536)

/* An mtf is the list of all bytes, that used last in front. */
struct mtf {
	uint8_t list[256];
	bool wide;                      /* the processor has AVX2, and it pays */
};

/* mtf_start makes the list as a stream of n bytes begins; mtf_decode replaces n places in the list, of all or of some of the stream, by
 * the bytes that stand there. */
void mtf_start(struct mtf *m, uint64_t n);
void mtf_decode(struct mtf *m, uint8_t *bytes, uint64_t n);

#endif
