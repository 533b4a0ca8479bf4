/* JSON: commas, brackets and values. */
#include "report/json/json.h"

#include <string.h>

#include "core/compiler.h"
#include "report/escape.h"

#define JSON_NUMBER_MAX (((uint64_t)1 << 53) - 1)

void json_init(struct json *j, struct out *out)
{
	*j = (struct json){ .out = out };
}

static void start(struct json *j, const char *key)
{
	uint64_t bit = (uint64_t)1 << j->depth;

	if (j->filled & bit)
		out_byte(j->out, ',');
	j->filled |= bit;
	if (!key)
		return;
	out_byte(j->out, '"');
	out_string(j->out, key);
	out_string(j->out, "\":");
}

static void open_container(struct json *j, const char *key, bool is_array)
{
	uint64_t bit;

	start(j, key);
	out_byte(j->out, is_array ? '[' : '{');
	if (NEVER(j->depth >= JSON_DEPTH))
		return;
	bit = (uint64_t)1 << ++j->depth;
	j->filled &= ~bit;
	j->arrays = is_array ? j->arrays | bit : j->arrays & ~bit;
}

void json_object(struct json *j, const char *key)
{
	open_container(j, key, false);
}

void json_array(struct json *j, const char *key)
{
	open_container(j, key, true);
}

void json_end(struct json *j)
{
	if (NEVER(j->depth == 0))
		return;
	out_byte(j->out, j->arrays >> j->depth & 1 ? ']' : '}');
	j->depth--;
}

void json_open_string(struct json *j, const char *key)
{
	start(j, key);
	out_byte(j->out, '"');
}

void json_close_string(struct json *j)
{
	out_byte(j->out, '"');
}

void json_text(struct json *j, const char *key, const void *bytes, size_t len)
{
	json_open_string(j, key);
	escape_write(j->out, ESCAPE_JSON, bytes, len);
	json_close_string(j);
}

void json_string(struct json *j, const char *key, const char *s)
{
	json_text(j, key, s, strlen(s));
}

static void write_base64(struct out *o, const uint8_t *bytes, size_t len)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint8_t four[4];

	for (size_t i = 0; i < len; i += 3) {
		uint32_t v = (uint32_t)bytes[i] << 16;

		if (i + 1 < len)
			v += (uint32_t)bytes[i + 1] << 8;
		if (i + 2 < len)
			v += bytes[i + 2];
		four[0] = (uint8_t)digits[v >> 18];
		four[1] = (uint8_t)digits[v >> 12 & 63];
		four[2] = i + 1 < len ? (uint8_t)digits[v >> 6 & 63] : '=';
		four[3] = i + 2 < len ? (uint8_t)digits[v & 63] : '=';
		out_bytes(o, four, sizeof four);
	}
}

void json_base64(struct json *j, const char *key, const uint8_t *bytes, size_t len)
{
	json_open_string(j, key);
	write_base64(j->out, bytes, len);
	json_close_string(j);
}

void json_bytes(struct json *j, const char *key, const uint8_t *bytes, size_t len)
{
	json_open_string(j, key);
	out_hex_bytes(j->out, bytes, len);
	json_close_string(j);
}

void json_hex(struct json *j, const char *key, uint64_t n)
{
	json_open_string(j, key);
	out_address(j->out, n);
	json_close_string(j);
}

void json_number(struct json *j, const char *key, uint64_t n)
{
	if (n > JSON_NUMBER_MAX) {
		json_hex(j, key, n);
		return;
	}
	start(j, key);
	out_dec(j->out, n);
}

void json_signed(struct json *j, const char *key, int64_t n)
{
	uint64_t magnitude = out_magnitude(n);

	if (magnitude > JSON_NUMBER_MAX) {
		json_open_string(j, key);
		if (n < 0)
			out_byte(j->out, '-');
		out_address(j->out, magnitude);
		json_close_string(j);
		return;
	}
	start(j, key);
	out_signed(j->out, n);
}

void json_bool(struct json *j, const char *key, bool b)
{
	start(j, key);
	out_string(j->out, b ? "true" : "false");
}

void json_null(struct json *j, const char *key)
{
	start(j, key);
	out_string(j->out, "null");
}
