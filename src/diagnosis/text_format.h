/* What a text is, by its beginning. */
#ifndef UVET_DIAGNOSIS_TEXT_FORMAT_H
#define UVET_DIAGNOSIS_TEXT_FORMAT_H

#include "diagnosis/glimpse.h"

/* Which texts are named: none where the file has characters that texts do not have; only such as
 * begin in a way of their own (a page, JSON) where a text need not be of any format; all but
 * settings, with which sound files may begin; or all. */
enum texts { TEXTS_NONE, TEXTS_KNOWN, TEXTS_NO_SETTINGS, TEXTS_ALL };

/* text_format names it, with an article, or returns NULL. */
const char *text_format(const struct glimpse *g, enum texts texts);

/* A wrapper is what a server or script put before a file: as one thing with what follows, and
 * alone. */
struct wrapper {
	const char *whole, *before;
};

/* text_wrapper returns what the file begins with; NULL: no wrapper. */
const struct wrapper *text_wrapper(const struct glimpse *g);

#endif
