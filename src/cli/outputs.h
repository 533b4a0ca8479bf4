/* Outputs: where reports go. */
#ifndef UVET_CLI_OUTPUTS_H
#define UVET_CLI_OUTPUTS_H

#include "cli/inputs.h"
#include "platform/platform.h"

struct output {
	struct platform_output to;
	const char *file; /* NULL: standard output */
	bool failed;
	/* once nobody reads it, it is written no more, and the run goes on for other outputs */
	bool may_hang_up;
	int error; /* the first, as platform_error gives it */
};

struct outputs {
	struct output of[OUTPUTS_MAX];
	int n;
};

/* output_format returns the format that the first len bytes of name name, as a static string, or
 * NULL. */
const char *output_format(const char *name, size_t len);

/* output_is_for_people tells whether --quiet and colours have an effect on a format. */
bool output_is_for_people(const char *format);

/* output_open_stdout makes an output of standard output. output_sink is a uvet_sink over a struct
 * output. */
struct output output_open_stdout(void);
int output_sink(void *ctx, const void *bytes, size_t len);

/* output_close closes an output. It returns STATUS_DONE, STATUS_TROUBLE with a message if it failed
 * now or before, or STATUS_HUNG_UP without one if nobody reads standard output any more. */
int output_close(struct output *o);

/* outputs_open opens all outputs. An existing file is replaced only if it is no input, no link,
 * and nothing that uvet checks; until outputs_close it stays as it is. It returns STATUS_DONE,
 * or the exit code after a message, and then all are closed. */
int outputs_open(struct outputs *o, const struct settings *settings, const struct inputs *inputs);

/* outputs_has tells whether a file is a report that will be replaced, or that is being written. */
bool outputs_has(const struct outputs *o, const struct platform_identity *file);

/* outputs_close closes all, and returns what output_close does; of an output that may hang up
 * STATUS_DONE. If is_complete is not set or an output failed, no report replaces its file. */
int outputs_close(struct outputs *o, bool is_complete);

#endif
