/* What the files of the public interface share: the objects behind its handles. */
#ifndef UVET_API_H
#define UVET_API_H

#include "engine/engine.h"
#include "engine/file_set.h"
#include "platform/platform.h"
#include "report/report_writer.h"
#include "uvet/uvet.h"

enum { API_ERROR_LEN = 256, API_JOBS_MAX = 64, API_WIDTH_MAX = 1000 };

struct uvet_options {
	struct engine settings;
	char error[API_ERROR_LEN]; /* ends in NUL */
};

struct uvet_engine {
	struct engine engine;
};

struct uvet_set {
	struct file_set inner;
	bool is_settled; /* nothing is added any more */
	bool is_checked;
};

struct uvet_cancellation {
	atomic_bool is_set;
};

struct uvet_writer {
	struct report_writer inner;
	uvet_accept *accept;
	void *accept_ctx;
};

/* api_engine_init is engine_init with what the system gives: its memory and its clock. */
void api_engine_init(struct engine *e);

/* api_scripts_copy copies script objects into memory of the allocator's, which api_scripts_free
 * gives back; none is copied to none. false: memory ended. */
bool api_scripts_copy(struct script_objects *to, const struct script_objects *from,
		      struct allocator a);
void api_scripts_free(struct script_objects *s, struct allocator a);

/* api_report gives the report behind a handle. */
static inline const struct report *api_report(const uvet_report *r)
{
	return (const void *)r;
}

/* api_scope gives the public flags of a scope. */
static inline unsigned api_scope(const struct scope *s)
{
	_Static_assert((int)SCOPE_TABLES == UVET_SCOPE_TABLES &&
			       (int)SCOPE_RULES == UVET_SCOPE_RULES &&
			       (int)SCOPE_VERSION == UVET_SCOPE_VERSION &&
			       (int)SCOPE_ALONE == UVET_SCOPE_ALONE,
		       "they are the same");

	return s->flags;
}

/* api_tool says who writes reports. */
struct tool api_tool(void);

/* api_profile_named returns the static name of the profile of that name; NULL: there is none. */
const char *api_profile_named(const char *name);

/* api_copy copies what an out without a sink holds to buf of size bytes, with a NUL, cut between
 * characters; it returns the length of the whole. */
size_t api_copy(const struct out *o, char *buf, size_t size);

/* api_struct_read copies to own what the library knows of a struct that a caller allocated, and
 * 0 for what the caller does not have.
 * api_struct_write fills one from own. versions are the n sizes that the struct has had, in
 * their order; the last is own's. Both begin with struct_size. false: its size is none, or the
 * caller asks for what the library does not know; nothing was written. */
bool api_struct_read(void *own, const size_t *versions, size_t n, const void *theirs);
bool api_struct_write(void *theirs, const size_t *versions, size_t n, const void *own);

/* The same for each of the public structs. theirs may be NULL for hooks: then there are none. */
bool api_io_read(uvet_io *own, const uvet_io *theirs);
bool api_hooks_read(uvet_hooks *own, const uvet_hooks *theirs);
bool api_unjudged_write(uvet_unjudged *theirs, const uvet_unjudged *own);
bool api_rule_write(uvet_rule *theirs, const uvet_rule *own);
bool api_limit_write(uvet_limit *theirs, const uvet_limit *own);

/* api_status_of is how a call ends that was asked about one input. */
uvet_status api_status_of(enum map_result result);

/* An api_input is the input of a check with what it points to, so it must not be copied. */
struct api_input {
	struct check_input in;
	struct siblings siblings;
	uvet_io io;
	struct platform_file file;
};

/* These make an input. io, which is NULL for what could not be opened, is copied, and refused
 * with false if it is no io; api_input_close closes what api_input_of_path opened. */
bool api_input_of_io(struct api_input *input, const char *name, const uvet_io *io);
void api_input_of_path(struct api_input *input, const char *path);
void api_input_close(struct api_input *input);

/* api_source_of gives what reads an io, which outlives it. */
struct source_io api_source_of(uvet_io *io);

/* api_check checks an input, whose check the hooks may end, and passes its findings to them. */
uvet_status api_check(uvet_engine *engine, struct check_input *in, const uvet_hooks *hooks,
		      uvet_report **out);

/* api_pass_findings passes the findings of a tree of reports to the hooks. */
void api_pass_findings(const uvet_report *report, const uvet_hooks *hooks);

/* api_nanoseconds gives a time in nanoseconds, the longest if they are too many. */
uint64_t api_nanoseconds(uint64_t ms);

/* api_input_hook passes to an input what ends its check early. */
void api_input_hook(struct check_input *in, const uvet_hooks *hooks);

/* api_threads_run runs a job in threads; ctx is the struct thread_pool. */
void api_threads_run(void *ctx, thread_job *job, void *work);

#endif
