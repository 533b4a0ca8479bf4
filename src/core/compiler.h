/* What uvet asks of a compiler beyond C11. */
#ifndef UVET_CORE_COMPILER_H
#define UVET_CORE_COMPILER_H

/* UVET_MUST_USE marks a function whose result may not be ignored.
 * UVET_UNUSED marks a declaration that some builds leave unused. */
#if defined(__GNUC__)
#define UVET_MUST_USE __attribute__((warn_unused_result))
#define UVET_UNUSED __attribute__((unused))
#else
#define UVET_MUST_USE
#define UVET_UNUSED
#endif

/* ALWAYS(x) and NEVER(x) guard against what is believed impossible. A debug
 * build stops there, a release keeps the guard, and a coverage build drops
 * it, so that a branch which no test can take is not counted. */
#if defined(UVET_COVERAGE)
#define ALWAYS(x) (1)
#define NEVER(x) (0)
#elif defined(UVET_DEBUG)
#include <assert.h>
#define ALWAYS(x) ((x) ? 1 : (assert(!"ALWAYS(" #x ")"), 0))
#define NEVER(x) ((x) ? (assert(!"NEVER(" #x ")"), 1) : 0)
#else
#define ALWAYS(x) (x)
#define NEVER(x) (x)
#endif

#endif
