/* What the POSIX parts of the platform share. */
#ifndef UVET_PLATFORM_POSIX_H
#define UVET_PLATFORM_POSIX_H

#include <fcntl.h>
#include <sys/stat.h>

#include "platform/platform.h"

/* How an input is opened: a FIFO does not block, a terminal does not become the controlling one, a
 * child does not inherit it. */
#define POSIX_OPEN_FLAGS (O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

/* posix_identity takes an identity from what fstat says. */
struct platform_identity posix_identity(const struct stat *st);

/* posix_file_take makes a file of a descriptor that was just opened (negative: that failed); it
 * closes what is no regular file. */
UVET_MUST_USE bool posix_file_take(int fd, struct platform_file *out);

/* posix_folder_of opens the folder that a path's last component lies in, with these flags and
 * O_DIRECTORY; negative if that fails. */
int posix_folder_of(const char *path, int flags);

/* posix_open_beneath opens what has this name in a folder, which is one component of a path, with
 * these flags: never through a link, nor outside the folder. */
int posix_open_beneath(int folder, const char *name, int flags);

/* posix_names_descriptor tells whether a path names a descriptor, as /dev/stdin and /dev/fd/3
 * do. *out is that descriptor, or -1 if the process did not inherit it. */
bool posix_names_descriptor(const char *path, int *out);

/* posix_again tells whether a read or write that failed should be tried again. The standard
 * streams may be non-blocking because the parent made them so; then it first waits for the
 * stream. */
bool posix_again(int fd, short events);

#endif
