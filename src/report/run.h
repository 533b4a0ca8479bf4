/* A run: the reports of many files, counted and passed to every output. */
#ifndef UVET_REPORT_RUN_H
#define UVET_REPORT_RUN_H

#include "report/writer.h"

/* A run outlives neither its engine nor the sinks of its outputs. */
struct run {
	const struct engine *engine;
	struct tool tool;
	struct arena arena;             /* writers, and what they keep for the end */
	struct arena scratch;           /* of one report */
	struct writer *first, *last;
	bool wants_fingerprints;
	bool no_memory;                 /* an output lacks something */
	bool ended;
	struct totals totals;
};

enum run_result { RUN_OK, RUN_NO_MEMORY, RUN_WRITE_FAILED, RUN_NO_SUCH_FORMAT, RUN_TOO_LATE };

void run_init(struct run *run, const struct engine *engine, struct tool tool);
void run_free(struct run *run);

/* run_output adds an output before the first report. */
enum run_result run_output(struct run *run, const char *format, out_sink *sink, void *ctx);

/* run_add counts and writes a report and those nested in it, each before those that lie in it. Counting goes on when an output has
 * failed. run_add_alone leaves out the nested ones. */
enum run_result run_add(struct run *run, const struct report *r);
enum run_result run_add_alone(struct run *run, const struct report *r);

/* run_left_out notes what was left out in folders, in place of what was noted before. */
enum run_result run_left_out(struct run *run, struct left_out left_out);

/* run_end writes what stands at the end of each output. A second call only repeats the result. */
enum run_result run_end(struct run *run);

/* run_exit_code is 1 when any finding is at or above the severity that fails a run, else 2 when anything is undetermined, else 0. */
int run_exit_code(const struct run *run);

#endif
