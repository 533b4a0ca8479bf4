/* Canaries: planted bugs that prove that the alarms ring. */
#ifndef UVET_CORE_CANARY_H
#define UVET_CORE_CANARY_H

/* CANARY(n) is 0, unless the build asks for bug n with -DUVET_CANARY=n. Each stands on one line marked "canary";
 * fuzz/canaries.sh builds them one by one and holds the harnesses to finding them. */
#if defined(UVET_CANARY)
#define CANARY(n) ((n) == UVET_CANARY)
#else
#define CANARY(n) 0
#endif

#endif
