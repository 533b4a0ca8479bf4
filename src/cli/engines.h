/* Judging: one input in, one report out. */
#ifndef UVET_CLI_ENGINES_H
#define UVET_CLI_ENGINES_H

#include "cli/inputs.h"

/* Judges are the engines of a run, and what ends their checks early. Any thread may use them. */
struct judges {
	uvet_engine *named;             /* of what the user named */
	uvet_engine *walked;            /* of what lies in folders; NULL if there are none */
	uvet_cancellation *cancellation;        /* ends all their checks */
	uint64_t memory;                /* that one check may have */
};

/* judges_open makes the engines that the settings ask for, whose checks may have so much memory each; a status other than UVET_OK leaves
 * nothing to close. */
uvet_status judges_open(struct judges *j, const struct settings *settings, uint64_t memory);
void judges_close(struct judges *j);

/* judge checks an input, which stays open. *out is NULL for a link whose name promises nothing. */
uvet_status judge(const struct judges *j, struct input *in, uvet_report **out);

/* input_discard closes an input's file if it is the input's to close. */
void input_discard(struct input *in);

/* An input_reader makes a uvet_io of an input; NULL for one that could not be opened. Both outlive the io. */
struct input_reader {
	struct source_io source;
	const char *path;               /* siblings lie in its folder */
	uvet_io io;
};
const uvet_io *input_io(struct input *in, struct input_reader *reader);

#endif
