/* What a test's messages say: standard error goes to a file meanwhile. POSIX systems only. */
#ifndef UVET_TESTS_SAID_H
#define UVET_TESTS_SAID_H

#include <stdio.h>
#include <unistd.h>

#include "unit/unit.h"

static int said_before = -1;
static FILE *said_file;

/* said_listen begins, said_expect ends, and expects these messages. */
static inline void said_listen(void)
{
	said_file = tmpfile();
	assert_non_null(said_file);
	said_before = dup(STDERR_FILENO);
	assert_int_equal(dup2(fileno(said_file), STDERR_FILENO), STDERR_FILENO);
}

static inline void said_expect(const char *text)
{
	static char found[1 << 16];

	fflush(stderr);
	dup2(said_before, STDERR_FILENO);
	close(said_before);
	assert_int_equal(fseek(said_file, 0, SEEK_SET), 0);
	found[fread(found, 1, sizeof found - 1, said_file)] = '\0';
	fclose(said_file);
	assert_string_equal(found, text);
}

#endif
