/* What the processor can do beyond what the compiler may assume. */
#ifndef UVET_CODEC_CPU_H
#define UVET_CODEC_CPU_H

#include <stdbool.h>

/* CPU_AVX2 marks a function that may be called only if cpu_has_avx2 says so. It is not defined
 * for other processors, and then cpu_has_avx2 says no. On a virtual machine asking takes as long
 * as reading 100 KB, so it does not pay for a small file. */
#if defined(__GNUC__) && defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

#define CPU_AVX2 __attribute__((target("avx2")))

/* A processor whose system saves the wide registers (OSXSAVE) has all leaves that are asked for
 * here. Source: Intel SDM, CPUID. */
static inline bool cpu_has_avx2(void)
{
	unsigned a, b, c, d, saved, high;

	__cpuid(1, a, b, c, d);
	if (!(c & bit_OSXSAVE))
		return false;
	__asm__ volatile("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
	if ((saved & 6) != 6)
		return false;
	__cpuid_count(7, 0, a, b, c, d);
	return b & bit_AVX2;
}

#else

static inline bool cpu_has_avx2(void)
{
	return false;
}

#endif
#endif
