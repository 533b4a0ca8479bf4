/* Oodle: a library that uvet does not have and that the user names. */
#ifndef UVET_CLI_OODLE_H
#define UVET_CLI_OODLE_H

#include <stdbool.h>

#include <uvet/uvet.h>

#include "platform/platform.h"

/* oodle_open loads the library at path and gives its decoder to options; false after a message.
 * Until platform_library_close of *out, options and engines may use it. */
bool oodle_open(uvet_options *options, const char *path, struct platform_library *out);

#endif
