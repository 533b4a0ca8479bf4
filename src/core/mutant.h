/* Mutants: bugs planted on purpose, which prove that the tests find such bugs. */
#ifndef UVET_CORE_MUTANT_H
#define UVET_CORE_MUTANT_H

/* MUTANT(n) is 0, unless the build asks for bug n with -DUVET_MUTANT=n. A comment "mutant:" at
 * each says what the bug is. fuzz/mutants/run.sh builds them one by one, and fails if fuzzing
 * does not find one. */
#if defined(UVET_MUTANT)
#define MUTANT(n) ((n) == UVET_MUTANT)
#else
#define MUTANT(n) 0
#endif

#endif
