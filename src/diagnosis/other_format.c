/* What else a file is: signatures that formats begin with, and what texts look like. Sources of
 * the signatures: each format's own specification (PKWARE APPNOTE, 7zFormat.txt, RFC 1952, RFC
 * 2083, JFIF, Microsoft's DDS and PE pages, RFC 3533), and conformance/spec for those of ours. */
#include "diagnosis/other_format.h"

#include <stdbool.h>
#include <string.h>

struct signature {
	const char *name;
	size_t at, len;
	const char *bytes;
	const char *format; /* of ours, else NULL */
};

static const struct signature signatures[] = {
	{ "a zip archive", 0, 4, "PK\x03\x04", NULL },
	{ "an empty zip archive", 0, 4, "PK\x05\x06", NULL },
	{ "a 7z archive", 0, 6, "7z\xBC\xAF\x27\x1C", NULL },
	{ "a rar archive", 0, 6, "Rar!\x1A\x07", NULL },
	{ "a gzip file", 0, 3, "\x1F\x8B\x08", NULL },
	{ "an xz file", 0, 6,
	  "\xFD"
	  "7zXZ\0",
	  NULL },
	{ "a bzip2 file", 0, 3, "BZh", NULL },
	{ "a Zstandard file", 0, 4, "\x28\xB5\x2F\xFD", NULL },
	{ "a Windows program", 0, 2, "MZ", NULL },
	{ "a Linux program", 0, 4,
	  "\x7F"
	  "ELF",
	  NULL },
	{ "a PNG image", 0, 8, "\x89PNG\r\n\x1A\n", NULL },
	{ "a JPEG image", 0, 3, "\xFF\xD8\xFF", NULL },
	{ "a GIF image", 0, 4, "GIF8", NULL },
	{ "a DDS texture", 0, 4, "DDS ", NULL },
	{ "an MP3 file", 0, 3, "ID3", NULL },
	{ "an Ogg file", 0, 4, "OggS", NULL },
	{ "a WAV file", 8, 4, "WAVE", NULL },
	{ "a PDF document", 0, 5, "%PDF-", NULL },
	{ "a Git LFS pointer", 0, 39, "version https://git-lfs.github.com/spec", NULL },
	{ "an Unreal package", 0, 4, "\xC1\x83\x2A\x9E", "upkg" },
	{ "an IoStore container", 0, 16, "-==--==--==--==-", "utoc" },
	{ "a .uz download", 0, 4, "\xD2\x04\0\0", "uz" },
	{ "a .uz download", 0, 4, "\x2E\x16\0\0", "uz" },
	{ "an LZMA stream", 0, 3, "\x5D\0\0", "lzma" },
};

static bool begins_with(const uint8_t *head, size_t n, const struct signature *s)
{
	return s->len > 0 && n >= s->at + s->len && memcmp(head + s->at, s->bytes, s->len) == 0;
}

static size_t skip_blank(const uint8_t *head, size_t n)
{
	size_t i = n >= 3 && memcmp(head, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;

	while (i < n && (head[i] == ' ' || head[i] == '\t' || head[i] == '\r' || head[i] == '\n'))
		i++;
	return i;
}

static bool is_word(const uint8_t *head, size_t n, const char *word)
{
	size_t i = 0;

	for (; word[i] && i < n; i++) {
		const uint8_t c = head[i] >= 'A' && head[i] <= 'Z' ? head[i] + 32 : head[i];

		if (c != (uint8_t)word[i])
			return false;
	}
	return !word[i];
}

static bool is_printable(const uint8_t *head, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (head[i] < 0x20 && head[i] != '\t' && head[i] != '\r' && head[i] != '\n')
			return false;
	return true;
}

static bool is_base64(const uint8_t *head, size_t n)
{
	static const char others[] = "+/=\r\n";

	for (size_t i = 0; i < n; i++) {
		const uint8_t c = head[i];

		if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') &&
		    (c == 0 || !strchr(others, c)))
			return false;
	}
	return n >= 16;
}

/* What a text is, by its first word; a text that is nothing else is one if plain counts. */
static const char *text_format(const uint8_t *head, size_t n, bool plain_counts)
{
	const size_t skip = skip_blank(head, n);
	const uint8_t *first = head + skip;
	const size_t left = n - skip;

	if (is_word(first, left, "<!doctype html") || is_word(first, left, "<html") ||
	    is_word(first, left, "<head") || is_word(first, left, "<!--"))
		return "an HTML page";
	if (is_word(first, left, "<?xml"))
		return "an XML document";
	if (!is_printable(head, n) || left == 0)
		return NULL;
	if (first[0] == '{' || (first[0] == '[' && left > 1 && strchr("{[\"\n\r ", first[1])))
		return "a JSON document";
	if (is_base64(head, n))
		return "base64, the text form of a binary file";
	return plain_counts && n >= 16 ? "a text file" : NULL;
}

/* A .uz3 begins as some .uz do. */
static bool is_own(const struct signature *s, const char *own)
{
	return s->format && own &&
	       (strcmp(s->format, own) == 0 ||
		(strcmp(s->format, "uz") == 0 && strcmp(own, "uz3") == 0));
}

const char *other_format(const uint8_t *head, size_t n, enum texts texts, const char *own)
{
	for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++)
		if (begins_with(head, n, &signatures[i]) && !is_own(&signatures[i], own))
			return signatures[i].name;
	return texts == TEXTS_NONE ? NULL : text_format(head, n, texts == TEXTS_ALL);
}
