/* Progress: a line on standard error that says how far a run is, while that is a terminal. */
#ifndef UVET_CLI_PROGRESS_H
#define UVET_CLI_PROGRESS_H

#include <stdatomic.h>

#include "cli/settings.h"

/* A progress is one run's. Any thread may count bytes, which draws the line anew from time to time;
 * the other functions are for the thread that writes reports and messages, which must not do so
 * between progress_show and progress_hide. */
struct progress {
	const struct settings *settings;
	uint64_t started;
	unsigned columns; /* of the terminal; 0: nothing is drawn */
	bool is_counted;  /* how much there is was found out, if it can be */
	/* files and bytes that there are; 0: not known */
	uint64_t all_files, all_bytes;
	atomic_uint_fast64_t files, bytes; /* checked, and read */
	atomic_uint_fast64_t drawn_at;     /* when the line was drawn last */
	atomic_flag is_busy;               /* somebody draws, or looks at what follows */
	bool may_draw;
	size_t drawn; /* characters of the line that is there; 0: none is */
};

/* progress_open begins. Where there is nothing to draw the others do nothing. */
void progress_open(struct progress *p, const struct settings *settings);

/* progress_active tells whether there may be something to draw. */
static inline bool progress_active(const struct progress *p)
{
	return p && p->columns > 0;
}

/* progress_show lets the line be drawn; progress_hide takes it away. Both may be called at any
 * time. */
void progress_show(struct progress *p);
void progress_hide(struct progress *p);

/* These count bytes that were read, and a file that was checked. */
void progress_bytes(struct progress *p, uint64_t n);
void progress_file(struct progress *p);

#endif
