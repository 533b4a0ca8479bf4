/* Keys: reading lines, and leaving no copy of them behind. */
#include "cli/keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/digits.h"
#include "cli/lines.h"
#include "cli/message.h"
#include "core/wipe.h"
#include "platform/platform.h"

enum { KEY_LEN = 32, GUID_LEN = 16, BASE64_LEN = 44, NUMBER_MAX = 1024 };

/* ---- Keys of AES ----------------------------------------------------------------------------- */

static size_t without_hyphens(const char *s, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += s[i] != '-';
	return n;
}

/* A GUID is four numbers, written with the highest byte first and stored with the lowest first.
 * A longer text may be a key in the wrong place, so it is not copied. */
static bool parse_guid(const char *s, size_t len, uint8_t out[GUID_LEN])
{
	char digits[2 * GUID_LEN + 2];
	uint8_t bytes[GUID_LEN];
	const size_t n_digits = without_hyphens(s, len);
	size_t n = 0;

	if (n_digits != (size_t)2 * GUID_LEN && n_digits != sizeof digits) /* with 0x before them */
		return false;
	for (size_t i = 0; i < len; i++)
		if (s[i] != '-')
			digits[n++] = s[i];
	if (!digits_hex(digits, n, bytes, GUID_LEN))
		return false;
	for (size_t i = 0; i < GUID_LEN; i++)
		out[i] = bytes[i / 4 * 4 + 3 - i % 4];
	return true;
}

static void trim(const char **s, size_t *len)
{
	while (*len > 0 && is_blank(**s)) {
		++*s;
		--*len;
	}
	*len = trimmed(*s, *len);
}

static bool parse_key(const char *s, size_t len, uint8_t key[KEY_LEN])
{
	return digits_hex(s, len, key, KEY_LEN) ||
	       (len == BASE64_LEN && digits_base64(s, len, key, KEY_LEN) == KEY_LEN);
}

static const char *add_key(uvet_options *options, const uint8_t *guid, const char *s, size_t len)
{
	uint8_t key[KEY_LEN];
	uvet_status status;

	trim(&s, &len);
	if (!parse_key(s, len, key)) {
		memory_wipe(key, sizeof key);
		return "a key is 64 hexadecimal digits or 44 characters of base64";
	}
	status = uvet_options_key(options, guid, key);
	memory_wipe(key, sizeof key);
	return status == UVET_OK ? NULL : "there are more than 64 keys";
}

/* Base64 may end in = too, but then nothing follows it. */
static const char *add_line(uvet_options *options, const char *s, size_t len)
{
	const char *equals;
	uint8_t guid[GUID_LEN];
	size_t guid_len;

	trim(&s, &len);
	if (len == 0)
		return NULL;
	equals = memchr(s, '=', len);
	guid_len = equals ? (size_t)(equals - s) : len;
	if (guid_len + 1 >= len)
		return add_key(options, NULL, s, len);
	trim(&s, &guid_len);
	if (!parse_guid(s, guid_len, guid))
		return "a GUID is 32 hexadecimal digits";
	return add_key(options, guid, equals + 1, len - (size_t)(equals + 1 - s));
}

const char *keys_add_text(uvet_options *options, const char *text, unsigned *line)
{
	text = text_after_mark(text);
	for (*line = 1;; ++*line) {
		const size_t len = strcspn(text, "\n");
		const char *trouble = add_line(options, text, strcspn(text, "#\n"));

		if (trouble || !text[len])
			return trouble;
		text += len + 1;
	}
}

/* ---- The signing key ------------------------------------------------------------------------- */

/* The two numbers of a public key, as far as they were found. */
struct numbers {
	struct number {
		const char *name;
		uint8_t bytes[NUMBER_MAX];
		size_t n;
	} of[2];
};

/* Finds the value of the next line name=value, and moves *text after that line; false: there are
 * no more. Other lines are skipped: a project's own file has more settings. */
static bool next_value(const char **text, const char *name, const char **value, size_t *len)
{
	while (**text) {
		const char *line = *text, *end = line + strcspn(line, "\n"),
			   *equals = memchr(line, '=', (size_t)(end - line));
		size_t name_len = equals ? (size_t)(equals - line) : 0;

		*text = end + (*end == '\n');
		trim(&line, &name_len);
		if (name_len != strlen(name) || memcmp(line, name, name_len) != 0)
			continue;
		*value = equals + 1;
		*len = (size_t)(end - *value);
		trim(value, len);
		return true;
	}
	return false;
}

/* Whether a value is a word, which is given in small letters; the case of the value does not
 * matter. */
static bool is_word(const char *value, size_t len, const char *word)
{
	if (len != strlen(word))
		return false;
	for (size_t i = 0; i < len; i++)
		if (value[i] != word[i] &&
		    !(value[i] >= 'A' && value[i] <= 'Z' && value[i] - 'A' + 'a' == word[i]))
			return false;
	return true;
}

/* Whether a text says that the project does not sign what it packs, read as the engine reads
 * settings. */
static bool signs_nothing(const char *text)
{
	const char *value;
	size_t len;

	while (next_value(&text, "bEnablePakSigning", &value, &len))
		if (is_word(value, len, "false") || is_word(value, len, "no") ||
		    is_word(value, len, "0"))
			return true;
	return false;
}

static const char *read_number(struct number *number, const char *text)
{
	const char *value;
	size_t len;

	while (next_value(&text, number->name, &value, &len)) {
		if (number->n > 0)
			return "it is there twice";
		number->n = digits_base64(value, len, number->bytes, sizeof number->bytes);
		if (number->n == 0)
			return "it is not base64 of 1 to 1024 bytes";
	}
	return number->n > 0 ? NULL : "it is not there";
}

static const char *read_numbers(struct numbers *numbers, const char *text, const char **which)
{
	const char *trouble = NULL;

	*which = "bEnablePakSigning";
	if (signs_nothing(text))
		return "it is off, so that the project does not sign what this key would verify";
	for (size_t i = 0; i < 2 && !trouble; i++) {
		*which = numbers->of[i].name;
		trouble = read_number(&numbers->of[i], text);
	}
	return trouble;
}

const char *keys_add_signing(uvet_options *options, const char *text, const char **which)
{
	struct numbers numbers = { .of = { { .name = "SigningModulus" },
					   { .name = "SigningPublicExponent" } } };
	const char *trouble = read_numbers(&numbers, text_after_mark(text), which);

	if (trouble)
		return trouble;
	if (uvet_options_signing_key(options, numbers.of[0].bytes, numbers.of[0].n,
				     numbers.of[1].bytes, numbers.of[1].n) == UVET_OK)
		return NULL;
	*which = NULL;
	return uvet_options_error(options);
}

/* ---- Where they come from -------------------------------------------------------------------- */

/* Gives options what a text holds; false after a message, which names the option and the text. */
typedef bool take_text(uvet_options *options, const char *option, const char *name,
		       const char *text);

static bool take_keys(uvet_options *options, const char *option, const char *name, const char *text)
{
	char number[16];
	unsigned line;
	const char *trouble = keys_add_text(options, text, &line);

	if (!trouble)
		return true;
	snprintf(number, sizeof number, "%u", line);
	message("--%t: '%s', line %t: %t", option, name, number, trouble);
	return false;
}

static bool take_signing_key(uvet_options *options, const char *option, const char *name,
			     const char *text)
{
	const char *which, *trouble = keys_add_signing(options, text, &which);

	if (trouble && which)
		message("--%t: '%s', %t: %t", option, name, which, trouble);
	else if (trouble)
		message("--%t: '%s': %t", option, name, trouble);
	return !trouble;
}

/* A file of keys is read into one buffer that does not grow, so that no copy stays behind in freed
 * memory. */
struct secret {
	char *bytes;
	size_t len;
	char trouble[128]; /* why it could not be read, in a few words */
};

enum { SECRET_MAX = 1 << 20 };

static bool secret_fail(struct secret *s, const char *trouble)
{
	if (trouble)
		snprintf(s->trouble, sizeof s->trouble, "%s", trouble);
	else
		platform_error_text(platform_error(), s->trouble, sizeof s->trouble);
	return false;
}

static bool read_stream(struct secret *s, struct platform_stream *stream)
{
	size_t n;

	do {
		if (s->len == SECRET_MAX)
			return secret_fail(s, "longer than 1 MiB");
		if (!platform_stream_read(stream, s->bytes + s->len, SECRET_MAX - s->len, &n))
			return secret_fail(s, NULL);
		s->len += n;
	} while (n > 0);
	s->bytes[s->len] = '\0';
	return true;
}

static bool read_secret(struct secret *s, const char *path)
{
	struct platform_stream stream;
	bool ok;

	*s = (struct secret){ .bytes = malloc(SECRET_MAX + 1) };
	if (!s->bytes)
		return secret_fail(s, "out of memory");
	if (!platform_stream_open_file(path, &stream))
		return secret_fail(s, platform_error_words(platform_error()));
	ok = read_stream(s, &stream);
	platform_stream_close(&stream);
	return ok;
}

/* No copy stays behind: the private key may be in the same file as the public one. */
static bool from_file(uvet_options *options, const char *option, const char *path, take_text *take)
{
	struct secret s;
	bool ok = read_secret(&s, path);

	platform_guard_secrets();
	if (!ok)
		message("--%t: '%s' cannot be read: %s", option, path, s.trouble);
	else
		ok = take(options, option, path, s.bytes);
	if (s.bytes)
		memory_wipe(s.bytes, s.len);
	free(s.bytes);
	return ok;
}

bool keys_from_file(uvet_options *options, const char *path)
{
	return from_file(options, "aes-key-file", path, take_keys);
}

bool signing_key_from_file(uvet_options *options, const char *path)
{
	return from_file(options, "signing-key-file", path, take_signing_key);
}

bool keys_from_env(uvet_options *options, const char *name)
{
	char *text = getenv(name);
	bool ok;

	platform_guard_secrets();
	if (!text) {
		message("--aes-key-env: there is no variable '%s'", name);
		return false;
	}
	ok = take_keys(options, "aes-key-env", name, text);
	memory_wipe(text, strlen(text));
	return ok;
}
