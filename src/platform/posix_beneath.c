/* Opening what lies in a folder, so that no link leads out of it: by the call that Linux has for it
 * since 5.6, else by one component at a time, none of which may be a link. */
#define _GNU_SOURCE 1
#define _FILE_OFFSET_BITS 64

#include "platform/posix.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#if defined(__linux__) && defined(__has_include)
#if __has_include(<linux/openat2.h>)
#include <linux/openat2.h>
#include <sys/syscall.h>
#endif
#endif

#if defined(SYS_openat2) && defined(RESOLVE_BENEATH)

#ifndef O_LARGEFILE
#define O_LARGEFILE 0
#endif

/* An older kernel, or a sandbox that does not know the call. */
static bool is_unknown(int error)
{
	return error == ENOSYS || error == EPERM || error == EINVAL || error == E2BIG;
}

int posix_open_beneath(int folder, const char *name, int flags)
{
	struct open_how how = {
		.flags = (unsigned)(flags | O_NOFOLLOW | O_LARGEFILE),
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
	};
	const long fd = syscall(SYS_openat2, folder, name, &how, sizeof how);

	return fd >= 0 || !is_unknown(errno) ? (int)fd : openat(folder, name, flags | O_NOFOLLOW);
}

#else

int posix_open_beneath(int folder, const char *name, int flags)
{
	return openat(folder, name, flags | O_NOFOLLOW);
}

#endif
