/* What the oracle knows of one format. */
#ifndef UVET_FUZZ_ORACLE_ORACLE_FORMAT_H
#define UVET_FUZZ_ORACLE_ORACLE_FORMAT_H

#include "oracle/oracle_trial.h"

enum { ORACLE_NAMES = 7 };

struct oracle_format {
	/* Names of inputs that are to be of the format: one that is listed twice is drawn twice as
	 * often. If there are none, names follow from its extensions. */
	const char *names[ORACLE_NAMES];

	/* A second, slow reading of a file agrees with its report; NULL: there is none. */
	void (*compare_report)(const struct trial *t, const struct report *r);

	/* The same with the facts; NULL: there is none. */
	void (*compare_facts)(const struct trial *t, const void *facts);

	/* what could not be read lies in companions, and may be more than the file */
	bool content_is_elsewhere;

	/* a key is at hand: mostly that of the vectors */
	bool has_key;
};

#endif
