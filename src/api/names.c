/* The names of statuses, verdicts, severities and libraries, and the versions. */
#include "api/api.h"

#include <string.h>

#include "codec/aes.h"
#include "codec/blake3.h"
#include "codec/crc.h"
#include "codec/libarchive.h"
#include "codec/lzma.h"
#include "codec/sha1.h"
#include "codec/zstd.h"

#define RULESET "2026.1"

/* Where the rules are described, as whoever builds uvet says: UVET_RULES_URI of CMake. */
#ifdef UVET_RULES_URI
#define RULES_URI UVET_RULES_URI
#else
#define RULES_URI NULL
#endif

_Static_assert((int)UVET_NOT_APPLICABLE == (int)VERDICT_NOT_APPLICABLE,
	       "verdicts have the same numbers inside and outside");
_Static_assert((int)UVET_SEVERITY_ERROR == (int)SEVERITY_ERROR,
	       "severities have the same numbers inside and outside");

const char *uvet_status_name(uvet_status status)
{
	static const char *const names[] = { "ok",         "no_memory",    "bad_option",
					     "bad_call",   "write_failed", "unknown_format",
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

unsigned uvet_version_number(void)
{
	return UVET_VERSION_NUMBER;
}

const char *uvet_ruleset(void)
{
	return RULESET;
}

struct tool api_tool(void)
{
	return (struct tool){ UVET_VERSION, RULESET, RULES_URI };
}

const char *uvet_library(const char *task)
{
	static const struct {
		const char *task, *name;
		bool (*is_available)(void);
	} libraries[] = {
		{ "lzma", "liblzma", unlzma_is_available },
		{ "zstd", "libzstd", unzstd_is_available },
		{ "archive", "libarchive", unarchive_is_available },
		{ "sha1", "nettle", sha1_is_available },
		{ "aes", "nettle", aes_is_available },
		{ "blake3", "blake3", blake3_is_available },
	};

	if (!task)
		return NULL;
	if (strcmp(task, "crc") == 0)
		return crc_library();
	if (strcmp(task, "deflate") == 0)
		return "zlib";
	if (strcmp(task, "lz4") == 0 || strcmp(task, "rsa") == 0)
		return "uvet";
	for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
		if (strcmp(task, libraries[i].task) == 0)
			return libraries[i].is_available() ? libraries[i].name : "none";
	return NULL;
}
