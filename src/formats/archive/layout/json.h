/* JSON (RFC 8259), one token after another: no recursion, and no tree is built. */
#ifndef UVET_FORMATS_ARCHIVE_LAYOUT_JSON_H
#define UVET_FORMATS_ARCHIVE_LAYOUT_JSON_H

#include "core/text.h"

/* Deeper than this nothing is read: readers that recurse end there, too. */
enum { JSON_DEPTH_MAX = 512 };

enum json_token {
	JSON_ERROR, /* what stands there cannot; `what` says what it should be */
	JSON_END,
	JSON_OBJECT,
	JSON_ARRAY,
	JSON_CLOSE, /* of an object or an array */
	JSON_KEY,
	JSON_STRING,
	JSON_NUMBER,
	JSON_TRUE,
	JSON_FALSE,
	JSON_NULL,
};

struct json_scan {
	struct text text;
	uint32_t at;    /* the next unit */
	uint32_t depth; /* of the value that the last token is, or begins, or closes */
	uint32_t open;  /* objects and arrays that are not closed */
	uint8_t in_object[JSON_DEPTH_MAX / 8];
	bool has_value;    /* in what is open: one was read, and a comma or an end follows */
	bool has_key;      /* a key was read, and a value follows */
	const char *what;  /* of an error */
	struct text token; /* of a string without its quotes, of a number its digits */
};

/* json_begin begins with a text; json_next reads the next token. After JSON_ERROR and JSON_END it
 * returns the same again. The depth of the outermost value is 0. */
void json_begin(struct json_scan *s, struct text text);
enum json_token json_next(struct json_scan *s);

/* json_unescape writes a string that json_next gave to out, which has room for 2 * its units, as
 * UTF-16. */
struct text json_unescape(struct text string, uint8_t *out);

#endif
