/* What else a file is, by its first bytes. */
#ifndef UVET_DIAGNOSIS_OTHER_FORMAT_H
#define UVET_DIAGNOSIS_OTHER_FORMAT_H

#include <stddef.h>
#include <stdint.h>

/* Which texts are named: none where the file has characters that texts do not have; only such as
 * begin in a way of their own (a page, JSON) where sound files may begin with a text. */
enum texts { TEXTS_NONE, TEXTS_KNOWN, TEXTS_ALL };

/* other_format names what begins with these n bytes, with an article ("a zip archive"), or returns
 * NULL. own is the name of the format that the file should be of, which is not named; NULL: of
 * none. */
const char *other_format(const uint8_t *head, size_t n, enum texts texts, const char *own);

#endif
