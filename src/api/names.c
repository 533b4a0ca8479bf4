/* The names of statuses, verdicts, severities and libraries, and the versions. */
#include "api/api.h"

#include <string.h>

#include "codec/crc.h"
#include "codec/inflate.h"
#include "codec/lzma.h"

#define RULESET "2026.1"

_Static_assert((int)UVET_NOT_APPLICABLE == (int)VERDICT_NOT_APPLICABLE, "verdicts have the same numbers inside and outside");
_Static_assert((int)UVET_SEVERITY_ERROR == (int)SEVERITY_ERROR, "severities have the same numbers inside and outside");

const char *uvet_status_name(uvet_status status)
{
	static const char *const names[] = { "ok", "no_memory", "bad_option", "bad_call", "write_failed", "unknown_format",
					     "unreadable", "cut" };

	return (size_t)status < sizeof names / sizeof *names ? names[status] : "";
}

const char *uvet_verdict_name(uvet_verdict verdict)
{
	return (size_t)verdict < N_VERDICTS ? verdict_name((enum verdict)verdict) : "";
}

const char *uvet_severity_name(uvet_severity severity)
{
	return (size_t)severity < N_SEVERITIES ? severity_name((enum severity)severity) : "";
}

const char *uvet_version(void)
{
	return UVET_VERSION;
}

const char *uvet_ruleset(void)
{
	return RULESET;
}

const char *uvet_library(const char *task)
{
	if (!task)
		return NULL;
	if (strcmp(task, "crc") == 0)
		return crc_library();
	if (strcmp(task, "deflate") == 0)
		return inflate_library();
	if (strcmp(task, "lzma") == 0)
		return unlzma_is_available() ? "liblzma" : "none";
	return NULL;
}
