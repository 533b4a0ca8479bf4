/* What the POSIX parts of the platform share. */
#ifndef UVET_PLATFORM_POSIX_H
#define UVET_PLATFORM_POSIX_H

#include <fcntl.h>
#include <sys/stat.h>

#include "platform/platform.h"

/* How an input is opened: a FIFO does not block, a terminal does not become ours, a child does not inherit it. */
#define POSIX_OPEN_FLAGS (O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

/* posix_identity takes an identity from what fstat says. */
struct platform_identity posix_identity(const struct stat *st);

/* posix_file_take makes a file of a descriptor that was just opened (negative: that failed); it closes what is no regular
 * file. */
UVET_MUST_USE bool posix_file_take(int fd, struct platform_file *out);

#endif
