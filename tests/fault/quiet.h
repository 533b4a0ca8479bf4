/* A test without output: what it calls writes to /dev/null meanwhile. POSIX systems only. */
#ifndef UVET_TESTS_QUIET_H
#define UVET_TESTS_QUIET_H

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int quiet_out = -1, quiet_err = -1; /* where output went before */

/* quiet_begin discards standard output and standard error until quiet_end. */
static inline void quiet_begin(void)
{
	const int nothing = open("/dev/null", O_WRONLY);

	quiet_out = dup(STDOUT_FILENO);
	quiet_err = dup(STDERR_FILENO);
	fflush(stdout);
	dup2(nothing, STDOUT_FILENO);
	dup2(nothing, STDERR_FILENO);
	close(nothing);
}

static inline void quiet_end(void)
{
	fflush(stdout);
	dup2(quiet_out, STDOUT_FILENO);
	dup2(quiet_err, STDERR_FILENO);
	close(quiet_out);
	close(quiet_err);
}

#endif
