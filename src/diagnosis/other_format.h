/* What else a file is, by its first bytes and what must stand elsewhere in a file of that kind. */
#ifndef UVET_DIAGNOSIS_OTHER_FORMAT_H
#define UVET_DIAGNOSIS_OTHER_FORMAT_H

#include "diagnosis/glimpse.h"
#include "diagnosis/text_format.h"

/* Whether the payload of a container may begin as a format does: no honest one does, some do, as it
 * is of pictures and sounds, or all that is compressed by its method or begins with
 * that small number. */
enum in_payload { NO_PAYLOAD, SOME_PAYLOAD, METHOD_PAYLOAD };

/* own is the name of the format that the file should be of, which is not named; NULL: of none.
 * in_payload is the last of those that are named, of a file that is no payload METHOD_PAYLOAD. */
struct other_question {
	const char *own;
	enum texts texts;
	enum in_payload in_payload;
};

/* What kind of thing a file is, by which it is known what to do about it: one that holds others; a
 * text, as sites send in place of a file; what stands for a file in a repository; or a stream with
 * which other files begin too, so that it need not be the whole. */
enum other_kind { OTHER_FILE, OTHER_ARCHIVE, OTHER_TEXT, OTHER_POINTER, OTHER_STREAM };

/* An other is named with an article: "a zip archive". */
struct other {
	const char *name;
	enum other_kind kind;
};

/* other_format tells what the file is; its name is NULL where that is not known. */
struct other other_format(const struct glimpse *g, const struct other_question *q);

/* other_format_begin returns where, after its first byte, a file of the format of that name begins
 * in these bytes; 0: nowhere, or it has no signature to be found by. */
size_t other_format_begin(const struct glimpse *g, const char *own);

#endif
