/* What the command line asks of baselines: nothing is accepted without a reason. */
#include "cli/baseline_request.h"

#include <string.h>

#include "cli/baseline.h"
#include "cli/message.h"
#include "platform/platform.h"

bool baseline_request_file(struct baseline_request *b, const char *value)
{
	if (b->file) {
		message("--baseline: '%s' is one too many; one baseline is used", value);
		return false;
	}
	b->mode = BASELINE_USE;
	b->file = value;
	return true;
}

bool baseline_request_reason(struct baseline_request *b, const char *value)
{
	const char *trouble = baseline_reason_trouble(value, strlen(value));

	b->reason = value;
	if (trouble)
		message("--reason: %t", trouble);
	return !trouble;
}

bool baseline_request_expires(struct baseline_request *b, const char *value)
{
	if (!baseline_date(value, strlen(value), &b->expires))
		message("--expires: '%s' is not a day, as 2027-12-31", value);
	else if (b->expires < platform_today())
		message("--expires: '%s' is over; the last day is today, in UTC, or later", value);
	else
		return true;
	return false;
}

void baseline_request_fail_on(struct baseline_request *b, const char *value)
{
	b->notes = strcmp(value, "error") != 0 && strcmp(value, "warning") != 0 &&
		   strcmp(value, "never") != 0;
}

static bool is_settled(const struct baseline_request *b)
{
	if (b->mode == BASELINE_WRITE && !b->reason)
		message("baseline write: --reason is missing; nothing is accepted without one");
	else if (b->mode == BASELINE_CHECK && (b->reason || b->expires > 0))
		message("baseline check: --reason and --expires are for baseline write");
	else
		return true;
	return false;
}

bool baseline_request_deed(struct baseline_request *b, const char *deed, const char *file)
{
	if (strcmp(deed, "write") == 0)
		b->mode = BASELINE_WRITE;
	else if (strcmp(deed, "check") == 0)
		b->mode = BASELINE_CHECK;
	else {
		message("baseline: '%s' is not write or check; see: uvet help baseline", deed);
		return false;
	}
	b->file = file;
	return is_settled(b);
}
