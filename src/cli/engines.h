/* Engines: what makes a report of an input. */
#ifndef UVET_CLI_ENGINES_H
#define UVET_CLI_ENGINES_H

#include "cli/inputs.h"
#include "cli/progress.h"

/* The engines of a run, and what ends their checks early. Any thread may use them. */
struct engines {
	uvet_engine *named;              /* for what the user named */
	uvet_engine *walked;             /* for what lies in folders; NULL if there are none */
	uvet_cancellation *cancellation; /* ends all their checks */
	uint64_t memory;                 /* bytes that one check may use */
	struct progress *progress;       /* counts what is read; NULL: nobody asks */
};

/* engines_open makes the engines that the settings ask for, one of them for folders if any is
 * walked; each check may use `memory` bytes.
 * After a status other than UVET_OK there is nothing to close. */
uvet_status engines_open(struct engines *j, const struct settings *settings, bool walks,
			 uint64_t memory);
void engines_close(struct engines *j);

/* engines_check checks an input, which stays open. *out is NULL for a link whose name promises
 * nothing. */
uvet_status engines_check(const struct engines *j, struct input *in, uvet_report **out);

/* input_discard closes the file of an input if the input owns it. */
void input_discard(struct input *in);

/* An input_reader is what input_io needs to make a uvet_io of an input. progress counts what is
 * read; NULL: nobody asks. Reader and input outlive
 * the io. NULL: the input could not be opened. */
struct input_reader {
	struct source_io source;
	const char *path;          /* siblings lie in its folder */
	struct progress *progress; /* counts what is read; NULL: nobody asks */
	uvet_io io;
};
const uvet_io *input_io(struct input *in, struct progress *progress, struct input_reader *reader);

#endif
