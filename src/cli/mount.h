/* The order in which a game mounts its files, by what their paths say. Source:
 * conformance/spec/iostore.md, 1.35. */
#ifndef UVET_CLI_MOUNT_H
#define UVET_CLI_MOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* mount_order is the order of a .pak, or of the container beside it: of two files that have the
 * same, a game takes that of the one with the higher order. */
uint64_t mount_order(const char *path);

/* mount_stem is the length of a path without the ending of its name: files of one stem are one
 * set. */
size_t mount_stem(const char *path);

/* mount_loose finds in the path of a file that is in no archive the part that a game knows it by,
 * from the project's folder on. NULL: it lies in no folder Content, or among the archives. */
const char *mount_loose(const char *path);

#endif
