/* Chooses the implementation of BLAKE3 for the processor, in place of the library's own dispatch,
 * which keeps its choice in a global. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#if defined(UVET_BLAKE3_X86) && __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#endif

#include <blake3_impl.h>

#if defined(UVET_BLAKE3_X86)

/* The C library asked the processor when the program began; the compiler's runtime would ask
 * again. */
#if defined(CPU_FEATURE_ACTIVE)
#define HAS_SSE41 is_active(x86_cpu_SSE4_1)
#define HAS_AVX2 is_active(x86_cpu_AVX2)
#define HAS_AVX512 (is_active(x86_cpu_AVX512F) && is_active(x86_cpu_AVX512VL))

/* The same as CPU_FEATURE_ACTIVE, which shifts an int by 31 for AVX512VL, and that is undefined. */
static inline bool is_active(unsigned feature)
{
	const struct cpuid_feature *leaf = __x86_get_cpuid_feature_leaf(feature / 128);

	return leaf->active_array[feature / 32 % 4] >> feature % 32 & 1;
}

#else
#define HAS_SSE41 __builtin_cpu_supports("sse4.1")
#define HAS_AVX2 __builtin_cpu_supports("avx2")
#define HAS_AVX512 (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl"))
#endif

void blake3_compress_in_place(uint32_t cv[8], const uint8_t block[BLAKE3_BLOCK_LEN],
			      uint8_t block_len, uint64_t counter, uint8_t flags)
{
	if (HAS_AVX512)
		blake3_compress_in_place_avx512(cv, block, block_len, counter, flags);
	else if (HAS_SSE41)
		blake3_compress_in_place_sse41(cv, block, block_len, counter, flags);
	else
		blake3_compress_in_place_sse2(cv, block, block_len, counter, flags);
}

void blake3_compress_xof(const uint32_t cv[8], const uint8_t block[BLAKE3_BLOCK_LEN],
			 uint8_t block_len, uint64_t counter, uint8_t flags, uint8_t out[64])
{
	if (HAS_AVX512)
		blake3_compress_xof_avx512(cv, block, block_len, counter, flags, out);
	else if (HAS_SSE41)
		blake3_compress_xof_sse41(cv, block, block_len, counter, flags, out);
	else
		blake3_compress_xof_sse2(cv, block, block_len, counter, flags, out);
}

void blake3_hash_many(const uint8_t *const *inputs, size_t num_inputs, size_t blocks,
		      const uint32_t key[8], uint64_t counter, bool increment_counter,
		      uint8_t flags, uint8_t flags_start, uint8_t flags_end, uint8_t *out)
{
	if (HAS_AVX512)
		blake3_hash_many_avx512(inputs, num_inputs, blocks, key, counter, increment_counter,
					flags, flags_start, flags_end, out);
	else if (HAS_AVX2)
		blake3_hash_many_avx2(inputs, num_inputs, blocks, key, counter, increment_counter,
				      flags, flags_start, flags_end, out);
	else if (HAS_SSE41)
		blake3_hash_many_sse41(inputs, num_inputs, blocks, key, counter, increment_counter,
				       flags, flags_start, flags_end, out);
	else
		blake3_hash_many_sse2(inputs, num_inputs, blocks, key, counter, increment_counter,
				      flags, flags_start, flags_end, out);
}

size_t blake3_simd_degree(void)
{
	return HAS_AVX512 ? 16 : HAS_AVX2 ? 8 : 4;
}

#else

#if BLAKE3_USE_NEON == 1
#define HASH_MANY blake3_hash_many_neon
#define DEGREE 4
#else
#define HASH_MANY blake3_hash_many_portable
#define DEGREE 1
#endif

void blake3_compress_in_place(uint32_t cv[8], const uint8_t block[BLAKE3_BLOCK_LEN],
			      uint8_t block_len, uint64_t counter, uint8_t flags)
{
	blake3_compress_in_place_portable(cv, block, block_len, counter, flags);
}

void blake3_compress_xof(const uint32_t cv[8], const uint8_t block[BLAKE3_BLOCK_LEN],
			 uint8_t block_len, uint64_t counter, uint8_t flags, uint8_t out[64])
{
	blake3_compress_xof_portable(cv, block, block_len, counter, flags, out);
}

void blake3_hash_many(const uint8_t *const *inputs, size_t num_inputs, size_t blocks,
		      const uint32_t key[8], uint64_t counter, bool increment_counter,
		      uint8_t flags, uint8_t flags_start, uint8_t flags_end, uint8_t *out)
{
	HASH_MANY(inputs, num_inputs, blocks, key, counter, increment_counter, flags, flags_start,
		  flags_end, out);
}

size_t blake3_simd_degree(void)
{
	return DEGREE;
}

#endif

/* Only digests of more than 64 bytes are made with it, and there are none: one block after another
 * will do. */
#if defined(UVET_BLAKE3_XOF_MANY)
void blake3_xof_many(const uint32_t cv[8], const uint8_t block[BLAKE3_BLOCK_LEN], uint8_t block_len,
		     uint64_t counter, uint8_t flags, uint8_t out[64], size_t outblocks)
{
	for (size_t i = 0; i < outblocks; i++)
		blake3_compress_xof(cv, block, block_len, counter + i, flags, out + 64 * i);
}
#endif
