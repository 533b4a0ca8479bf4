/* Keys: as text, from a file or the environment, to options. */
#ifndef UVET_CLI_KEYS_H
#define UVET_CLI_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include <uvet/uvet.h>

/* keys_add_text adds the keys of a text to options, one a line: KEY for any container, or GUID=KEY. KEY is 64 hexadecimal digits, perhaps
 * behind 0x, or base64; GUID is 32 digits as Unreal writes it, perhaps with hyphens. Behind # is a comment. On failure it returns what is
 * wrong, in a few words of ours, with the line's number; else NULL. */
const char *keys_add_text(uvet_options *options, const char *text, unsigned *line);

/* keys_from_file and keys_from_env add what a file or an environment variable holds; false after a message, which never shows a key. */
bool keys_from_file(uvet_options *options, const char *path);
bool keys_from_env(uvet_options *options, const char *name);

#endif
