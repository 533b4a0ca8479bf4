/* Keys: as text, from a file or the environment, to options. */
#ifndef UVET_CLI_KEYS_H
#define UVET_CLI_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include <uvet/uvet.h>

/* keys_add_text adds the keys of a text to options, one a line: KEY for any container, or
 * GUID=KEY. KEY is 64 hexadecimal digits, with or without 0x, or base64; GUID is 32 digits as
 * Unreal writes it, with or without hyphens. # begins a comment. On failure it returns what is
 * wrong, in a few words of ours, and sets *line; else NULL. */
const char *keys_add_text(uvet_options *options, const char *text, unsigned *line);

/* keys_add_signing gives options the public key of the lines SigningModulus= and
 * SigningPublicExponent=, both base64, as a project's DefaultCrypto.ini has them; other lines
 * are skipped. It refuses a file with bEnablePakSigning=False: such a project does not sign, and
 * each of its containers would be called unsigned. On failure it returns what is wrong, with the
 * name of the line or NULL; else NULL. */
const char *keys_add_signing(uvet_options *options, const char *text, const char **which);

/* keys_from_file and keys_from_env add what a file or an environment variable holds; false after
 * a message, which never shows a key. The variable is empty afterwards, so that nobody else
 * reads it. From then on the process leaves no memory dump. */
bool keys_from_file(uvet_options *options, const char *path);
bool keys_from_env(uvet_options *options, const char *name);

/* signing_key_from_file gives options the public key of a file; false after a message. */
bool signing_key_from_file(uvet_options *options, const char *path);

#endif
