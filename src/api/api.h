/* What the files of the public interface share: the objects behind its handles. */
#ifndef UVET_API_H
#define UVET_API_H

#include "engine/engine.h"
#include "platform/platform.h"
#include "report/run.h"
#include "uvet/uvet.h"

enum { API_ERROR_LEN = 256 };

struct uvet_options {
	struct engine settings;
	char error[API_ERROR_LEN];      /* ends in NUL */
};

struct uvet_engine {
	struct engine engine;
};

struct uvet_run {
	struct run run;
};

/* api_report gives the report behind a handle. */
static inline const struct report *api_report(const uvet_report *r)
{
	return (const void *)r;
}

/* api_copy copies what an out without a sink holds to buf of size bytes, with a NUL, cut between characters; it returns the length
 * of the whole. */
size_t api_copy(const struct out *o, char *buf, size_t size);

/* These make the input of a check. io, which is NULL for what could not be opened, and file outlive it; api_input_close closes
 * what api_input_of_path opened. */
struct check_input api_input_of_io(const char *name, uvet_io *io);
struct check_input api_input_of_path(const char *path, struct platform_file *file);
void api_input_close(const struct check_input *in, struct platform_file *file);

#endif
