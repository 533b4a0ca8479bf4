/* What decoders cost in work, beyond what reading their bytes does. A unit of work stands for some
 * 30 nanoseconds, so that a check within the default limits ends in about a minute: bzip2 takes 28
 * to 70 for a byte that comes out, PPMd 170 to 530, LZMA 45 to 60 for a byte that goes in; deflate
 * and Zstandard cost no more than reading. Source: conformance/spec/run.md, 1.1. */
#ifndef UVET_CODEC_CODER_WORK_H
#define UVET_CODEC_CODER_WORK_H

#include "core/work.h"

/* Units for a byte. */
enum { BZIP2_WORK_OUT = 1, PPMD_WORK_OUT = 8, LZMA_WORK_IN = 1 };

/* work_of_coded is what n bytes cost at so many units each; 0: as bytes that are read do. */
static inline uint64_t work_of_coded(uint64_t n, unsigned units)
{
	if (units == 0)
		return work_of_bytes(n);
	return n <= UINT64_MAX / units ? n * units : UINT64_MAX;
}

#endif
