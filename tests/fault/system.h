/* A system that fails on demand: what the code under test asks of it goes through here (the
 * linker's --wrap), and is done as always but for the call that a test has marked. */
#ifndef UVET_TESTS_SYSTEM_H
#define UVET_TESTS_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum system_call {
	SYSTEM_STAT,
	SYSTEM_FSTAT,
	SYSTEM_FSTATAT,
	SYSTEM_OPEN,
	SYSTEM_OPENAT,
	SYSTEM_FCNTL,
	SYSTEM_READ,
	SYSTEM_WRITE,
	SYSTEM_POLL,
	SYSTEM_FCHOWN,
	SYSTEM_FCHMOD,
	SYSTEM_FDATASYNC,
	SYSTEM_CLOSE,
	SYSTEM_RENAMEAT,
	SYSTEM_RENAMEAT2,
	SYSTEM_FDOPENDIR,
	SYSTEM_READDIR,
	SYSTEM_MALLOC,
	SYSTEM_REALLOC,
	SYSTEM_MMAP,
	SYSTEM_PREAD,
	SYSTEM_SIGACTION,
	SYSTEM_CALLS
};

/* A system_fault says what becomes of the calls of one kind. */
struct system_fault {
	unsigned n;                 /* calls since system_reset */
	unsigned at;                /* the one that is struck, from 1; 0: none */
	bool forever;               /* and all after it */
	int error;                  /* it fails with this; 0: it does not fail */
	void (*before)(void);       /* happens before it */
	void (*edit)(void *result); /* changes the struct stat or struct dirent that it returns */
};
extern struct system_fault system_faults[SYSTEM_CALLS];

/* What the calls of these kinds return instead, where that is not NULL. */
extern ssize_t (*system_read)(size_t len);
extern ssize_t (*system_pread)(size_t len);
extern void *(*system_mmap)(size_t len);
extern long (*system_sysconf)(void);

/* Whether the system has openat2; else its caller has to do without. n_openat2 counts the calls. */
extern bool system_has_openat2;
extern unsigned system_n_openat2;

/* The signals that the code under test raised, which are not delivered. */
extern int system_raised;
extern unsigned system_n_raised;

/* system_reset takes all of that back; as a cmocka teardown it is system_end. */
void system_reset(void);
int system_end(void **state);

/* system_fail makes a call fail from now on: the at-th of its kind. */
void system_fail(enum system_call call, unsigned at, int error);

#endif
