/* JSON: written as it comes, without spaces. */
#ifndef UVET_REPORT_JSON_H
#define UVET_REPORT_JSON_H

#include "report/out.h"

/* A json writes one value. Every function takes the key of its value, or NULL in an array and at
 * the top. Keys are our own words; sorting them is the caller's duty. */
struct json {
	struct out *out;
	uint64_t filled, arrays; /* one bit for each open container */
	unsigned depth;          /* how many are open; at most JSON_DEPTH */
};

enum { JSON_DEPTH = 63 };

/* json_init starts a value. */
void json_init(struct json *j, struct out *out);

/* json_object and json_array open a container, json_end closes the one opened last. */
void json_object(struct json *j, const char *key);
void json_array(struct json *j, const char *key);
void json_end(struct json *j);

/* json_string writes a string of ours. json_text writes bytes that should be UTF-8: what is not
 * becomes U+FFFD. json_base64 and json_bytes write bytes as such, the latter as pairs of
 * lower-case hexadecimal digits. */
void json_string(struct json *j, const char *key, const char *s);
void json_text(struct json *j, const char *key, const void *bytes, size_t len);
void json_base64(struct json *j, const char *key, const uint8_t *bytes, size_t len);
void json_bytes(struct json *j, const char *key, const uint8_t *bytes, size_t len);

/* json_number and json_signed write a number, or a string of hexadecimal digits where it is
 * beyond 2^53-1, which many readers cannot hold. json_hex writes that string always. */
void json_number(struct json *j, const char *key, uint64_t n);
void json_signed(struct json *j, const char *key, int64_t n);
void json_hex(struct json *j, const char *key, uint64_t n);
void json_bool(struct json *j, const char *key, bool b);
void json_null(struct json *j, const char *key);

/* json_open_string starts a string whose bytes the caller escapes by itself, json_close_string ends
 * it. */
void json_open_string(struct json *j, const char *key);
void json_close_string(struct json *j);

#endif
