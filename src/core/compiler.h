/* What uvet asks of a compiler beyond C11. */
#ifndef UVET_CORE_COMPILER_H
#define UVET_CORE_COMPILER_H

/* UVET_MUST_USE marks a function whose result may not be ignored.
 * UVET_UNUSED marks a declaration that some builds leave unused.
 * UVET_INLINE marks a function of a hot loop that compilers would not inline by themselves.
 * UVET_RARE marks a function that a hot loop seldom calls: it is not inlined.
 * UVET_COLD marks a function that is not called for sound files: the code that leads to a call is
 * moved out of the hot path.
 * UVET_FILLED_LATER marks a large local variable that is written before it is read: release builds
 * set all others to zero. */
#if defined(__GNUC__)
#define UVET_MUST_USE __attribute__((warn_unused_result))
#define UVET_UNUSED __attribute__((unused))
#define UVET_INLINE __attribute__((always_inline))
#define UVET_RARE __attribute__((noinline, cold))
#define UVET_COLD __attribute__((cold))
#if __GNUC__ >= 12 || defined(__clang__)
#define UVET_FILLED_LATER __attribute__((uninitialized))
#endif
#else
#define UVET_MUST_USE
#define UVET_UNUSED
#define UVET_INLINE
#define UVET_RARE
#define UVET_COLD
#endif
#if !defined(UVET_FILLED_LATER)
#define UVET_FILLED_LATER
#endif

/* UVET_WRAPS marks a function that computes modulo a power of two on purpose. */
#if defined(__clang__)
#define UVET_WRAPS __attribute__((no_sanitize("integer")))
#else
#define UVET_WRAPS
#endif

/* bits_lowest and bits_highest return the number of the lowest and of the highest bit that is set,
 * from 0; v is not 0. */
static inline unsigned bits_lowest(unsigned long long v)
{
	return (unsigned)__builtin_ctzll(v);
}
static inline unsigned bits_highest(unsigned long long v)
{
	return 63u - (unsigned)__builtin_clzll(v);
}

/* bits_product_high returns the upper 64 bits of the product of a and b. */
static inline unsigned long long bits_product_high(unsigned long long a, unsigned long long b)
{
#if defined(__SIZEOF_INT128__) && !defined(__FRAMAC__)
	__extension__ typedef unsigned __int128 wide;

	return (unsigned long long)((wide)a * b >> 64);
#else
	const unsigned long long a_low = a & 0xFFFFFFFF, a_high = a >> 32, b_low = b & 0xFFFFFFFF,
				 b_high = b >> 32;
	const unsigned long long middle = a_high * b_low + (a_low * b_low >> 32);

	return a_high * b_high + (middle >> 32) + (((middle & 0xFFFFFFFF) + a_low * b_high) >> 32);
#endif
}

/* memory_fetch prefetches the cache line at p, for a loop that reads it some iterations later.
 * It is UVET_INLINE because GCC thinks that a function which only prefetches does nothing, and
 * drops the calls. */
UVET_INLINE static inline void memory_fetch(const void *p)
{
	__builtin_prefetch(p);
}

/* Where memory is handed out in pieces of a larger allocation, the address sanitizer cannot see
 * where a piece ends. MEMORY_CLOSE tells it that n bytes at p may not be touched, MEMORY_OPEN
 * that they may; MEMORY_GAP bytes stay closed between pieces. MEMORY_WRITTEN tells the memory
 * sanitizer that a library, whose stores it does not see, wrote n bytes at p. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UVET_ASAN
#endif
#if __has_feature(memory_sanitizer)
#define UVET_MSAN
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define UVET_ASAN
#endif
#if defined(UVET_ASAN)
void __asan_poison_memory_region(const volatile void *p, __SIZE_TYPE__ n);
void __asan_unpoison_memory_region(const volatile void *p, __SIZE_TYPE__ n);
#define MEMORY_CLOSE(p, n) __asan_poison_memory_region(p, n)
#define MEMORY_OPEN(p, n) __asan_unpoison_memory_region(p, n)
#define MEMORY_GAP 16
#elif defined(UVET_MSAN)
void __msan_allocated_memory(const volatile void *p, __SIZE_TYPE__ n);
void __msan_unpoison(const volatile void *p, __SIZE_TYPE__ n);
#define MEMORY_CLOSE(p, n) ((void)0)
#define MEMORY_OPEN(p, n) __msan_allocated_memory(p, n)
#define MEMORY_WRITTEN(p, n) __msan_unpoison(p, n)
#define MEMORY_GAP 0
#else
#define MEMORY_CLOSE(p, n) ((void)0)
#define MEMORY_OPEN(p, n) ((void)0)
#define MEMORY_GAP 0
#endif
#if !defined(MEMORY_WRITTEN)
#define MEMORY_WRITTEN(p, n) ((void)0)
#endif

/* ALWAYS(x) and NEVER(x) guard against what is believed impossible. Debug, sanitizer and fuzz
 * builds stop there, a release keeps the guard, and a coverage build does not evaluate it, so that
 * a branch which no test can take is not counted. */
#if defined(UVET_COVERAGE)
#define ALWAYS(x) (1 || (x))
#define NEVER(x) (0 && (x))
#elif defined(UVET_CHECKED)
#undef NDEBUG
#include <assert.h>
#define ALWAYS(x) ((x) ? 1 : (assert(0 && "ALWAYS(" #x ")"), 0))
#define NEVER(x) ((x) ? (assert(0 && "NEVER(" #x ")"), 1) : 0)
#else
#define ALWAYS(x) (x)
#define NEVER(x) (x)
#endif

/* PLAIN(x) stands where a fast path skips a row, and says what it takes for granted: that the
 * slow path finds no defect in it. Debug, sanitizer and fuzz builds evaluate x, and stop if it
 * is false; others do not evaluate it, and have PLAIN_IS_CHECKED 0. */
#if defined(UVET_CHECKED) && !defined(UVET_COVERAGE)
#undef NDEBUG
#include <assert.h>
#define PLAIN(x) assert((x) && "a fast path takes for plain what has a defect")
#define PLAIN_IS_CHECKED 1
#else
#define PLAIN(x) ((void)(0 && (x)))
#define PLAIN_IS_CHECKED 0
#endif

#endif
