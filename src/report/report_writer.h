/* A report writer: the reports of many files, counted and passed to every output. */
#ifndef UVET_REPORT_REPORT_WRITER_H
#define UVET_REPORT_REPORT_WRITER_H

#include "report/fingerprint.h"
#include "report/writer.h"

/* A report writer outlives neither its engine nor the sinks of its outputs. */
struct report_writer {
	const struct engine *engine;
	struct tool tool;
	struct arena arena;   /* writers, and what they keep for the end */
	struct arena scratch; /* of one report */
	struct writer *first, *last;
	bool wants_fingerprints;
	report_accept *accept; /* NULL: nothing is accepted */
	void *accept_ctx;
	uint64_t n_entries, n_planned; /* entries made, and their findings to be shown */
	struct fingerprints_seen seen; /* those that were given */
	bool no_memory;                /* an output is incomplete because memory ended */
	bool ended;
	struct totals totals;
};

enum writer_result {
	WRITER_OK,
	WRITER_NO_MEMORY,
	WRITER_REFUSED,
	WRITER_NO_SUCH_FORMAT,
	WRITER_TOO_LATE
};

void report_writer_init(struct report_writer *rw, const struct engine *engine, struct tool tool);
void report_writer_free(struct report_writer *rw);

/* report_writer_output adds an output before the first report. */
enum writer_result report_writer_output(struct report_writer *rw, const char *format,
					out_sink *sink, void *ctx);

/* report_writer_accept asks that function, before the first report, of every finding that will be
 * shown whether it is accepted; NULL: nobody is asked. It is not asked of what says that something
 * was not judged. */
enum writer_result report_writer_accept(struct report_writer *rw, report_accept *accept, void *ctx);

/* report_writer_add counts and writes a report and those nested in it, each before those that
 * lie in it. Counting goes on when an output has failed. report_writer_add_alone leaves out the
 * nested ones. */
enum writer_result report_writer_add(struct report_writer *rw, const struct report *r);
enum writer_result report_writer_add_alone(struct report_writer *rw, const struct report *r);

/* report_writer_left_out notes what was left out in folders; it replaces what was noted before. */
enum writer_result report_writer_left_out(struct report_writer *rw, struct left_out left_out);

/* report_writer_end writes what stands at the end of each output. A second call only repeats the
 * result. */
enum writer_result report_writer_end(struct report_writer *rw);

/* report_writer_exit_code is 1 when any finding fails the run (fail-on), else 2 when anything is
 * undetermined, else 0. */
int report_writer_exit_code(const struct report_writer *rw);

#endif
