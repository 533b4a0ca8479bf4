/* What the command line asks of baselines. */
#ifndef UVET_CLI_BASELINE_REQUEST_H
#define UVET_CLI_BASELINE_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

/* A baseline is used by a check, checked itself, or written anew. */
enum baseline_mode { BASELINE_NONE, BASELINE_USE, BASELINE_CHECK, BASELINE_WRITE };

/* A baseline_request points into the arguments. Zeroed, it asks for nothing. */
struct baseline_request {
	enum baseline_mode mode;
	const char *file;
	const char *reason; /* of new lines */
	uint32_t expires;   /* of new lines, as platform_today gives days; 0: they do not */
	bool notes;         /* new lines for notes, too */
};

/* These take the values of options. false after a message. */
bool baseline_request_file(struct baseline_request *b, const char *value);
bool baseline_request_reason(struct baseline_request *b, const char *value);
bool baseline_request_expires(struct baseline_request *b, const char *value);

/* baseline_request_fail_on takes a value of --fail-on that is valid: where it can count notes, new
 * lines are for notes, too. */
void baseline_request_fail_on(struct baseline_request *b, const char *value);

/* baseline_request_deed takes the first operands of the command baseline, after its options. false
 * after a message. */
bool baseline_request_deed(struct baseline_request *b, const char *deed, const char *file);

#endif
