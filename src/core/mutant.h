/* Mutants: planted bugs that prove that the alarms ring. */
#ifndef UVET_CORE_MUTANT_H
#define UVET_CORE_MUTANT_H

/* MUTANT(n) is 0, unless the build asks for bug n with -DUVET_MUTANT=n. Each stands on one line
 * marked "mutant"; fuzz/mutants/run.sh builds them one by one and holds the harnesses to finding
 * them. */
#if defined(UVET_MUTANT)
#define MUTANT(n) ((n) == UVET_MUTANT)
#else
#define MUTANT(n) 0
#endif

#endif
