/* What else a file is: signatures that formats begin with. Sources of the signatures: each format's
 * own specification (PKWARE APPNOTE, 7zFormat.txt, RFC 1952, RFC 2083, JFIF, Microsoft's DDS, PE
 * and MS-SHLLINK pages, RFC 1740, RFC 3533, sqlite.org, POSIX pax, BEP 3), and conformance/spec for
 * those of ours. */
#include "diagnosis/other_format.h"

#include <string.h>

#include "diagnosis/structure.h"

struct signature {
	const char *name;
	size_t at, len;
	const char *bytes;
	const char *format;   /* of ours, else NULL */
	structure *structure; /* NULL: the bytes are enough */
	enum in_payload in_payload;
	enum other_kind kind;
};

#define BYTES(text) .len = sizeof(text) - 1, .bytes = text

#define ASSET "a package of Unreal Engine 4 or 5 (.uasset)"
#define PAK "an archive of Unreal Engine 4 or 5 (.pak)"

/* Of two that fit the first is named. */
static const struct signature signatures[] = {
	{ "a zip archive", BYTES("PK\x03\x04"), "zip", .kind = OTHER_ARCHIVE },
	{ "an empty zip archive", BYTES("PK\x05\x06"), "zip", .kind = OTHER_ARCHIVE },
	{ "a part of a zip archive", BYTES("PK\x07\x08"), .kind = OTHER_ARCHIVE },
	{ "a 7z archive", BYTES("7z\xBC\xAF\x27\x1C"), "sevenzip", .kind = OTHER_ARCHIVE },
	{ "a rar archive", BYTES("Rar!\x1A\x07"), .kind = OTHER_ARCHIVE },
	{ "a gzip file", BYTES("\x1F\x8B\x08"), "stream", .structure = structure_gzip,
	  .in_payload = SOME_PAYLOAD, .kind = OTHER_ARCHIVE },
	{ "an xz file",
	  BYTES("\xFD"
		"7zXZ\0"),
	  "stream", .kind = OTHER_ARCHIVE },
	{ "a bzip2 file", BYTES("BZh"), "stream", .structure = structure_bzip2,
	  .kind = OTHER_ARCHIVE },
	{ "a Zstandard file", BYTES("\x28\xB5\x2F\xFD"), "stream", .in_payload = METHOD_PAYLOAD,
	  .kind = OTHER_STREAM },
	{ "a tar archive", .at = 257, BYTES("ustar"), "tar", .kind = OTHER_ARCHIVE },
	{ "a cabinet file", BYTES("MSCF\0\0\0\0"), .kind = OTHER_ARCHIVE },
	{ "a Windows program", BYTES("MZ"), .structure = structure_program },
	{ "a Linux program", BYTES("\x7F"
				   "ELF") },
	{ "an installer or document of Windows (OLE)", BYTES("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1") },
	{ "a PNG image", BYTES("\x89PNG\r\n\x1A\n"), .in_payload = SOME_PAYLOAD },
	{ "a JPEG image", BYTES("\xFF\xD8\xFF"), .structure = structure_jpeg,
	  .in_payload = SOME_PAYLOAD },
	{ "a GIF image", BYTES("GIF87a"), .in_payload = SOME_PAYLOAD },
	{ "a GIF image", BYTES("GIF89a"), .in_payload = SOME_PAYLOAD },
	{ "a BMP image", BYTES("BM"), .structure = structure_bmp, .in_payload = SOME_PAYLOAD },
	{ "a Photoshop image", BYTES("8BPS\0\1\0\0\0\0\0\0"), .in_payload = SOME_PAYLOAD },
	{ "a DDS texture", BYTES("DDS \x7C\0\0\0"), .in_payload = SOME_PAYLOAD },
	{ "a WebP image", .at = 8, BYTES("WEBP"), .structure = structure_riff,
	  .in_payload = SOME_PAYLOAD },
	{ "an MP3 file", BYTES("ID3"), .structure = structure_id3, .in_payload = SOME_PAYLOAD },
	{ "an MP3 file", BYTES("\xFF"), .structure = structure_mp3, .in_payload = SOME_PAYLOAD },
	{ "an Ogg file", BYTES("OggS\0"), .in_payload = SOME_PAYLOAD },
	{ "a FLAC file", BYTES("fLaC\0\0\0\x22"), .in_payload = SOME_PAYLOAD },
	{ "a WAV file", .at = 8, BYTES("WAVE"), .structure = structure_riff,
	  .in_payload = SOME_PAYLOAD },
	{ "an AVI file", .at = 8, BYTES("AVI "), .structure = structure_riff,
	  .in_payload = SOME_PAYLOAD },
	{ "an MP4 file", .at = 4, BYTES("ftypisom"), .in_payload = SOME_PAYLOAD },
	{ "an MP4 file", .at = 4, BYTES("ftypmp4"), .in_payload = SOME_PAYLOAD },
	{ "a tracker module (.it)", BYTES("IMPM"), .in_payload = SOME_PAYLOAD },
	{ "a tracker module (.xm)", BYTES("Extended Module: "), .in_payload = SOME_PAYLOAD },
	{ "a PDF document", BYTES("%PDF-") },
	{ "an SQLite database", BYTES("SQLite format 3\0") },
	{ "a Windows shortcut (.lnk)", BYTES("\x4C\0\0\0\x01\x14\x02\0\0\0\0\0\xC0\0\0\0") },
	{ "an AppleDouble file, which macOS puts beside another for what it knows of that",
	  BYTES("\0\x05\x16\x07\0\x02\0\0") },
	{ "an AppleSingle file", BYTES("\0\x05\x16\0\0\x02\0\0") },
	{ "a torrent", BYTES("d8:announce") },
	{ "a torrent", BYTES("d13:announce-list") },
	{ "a torrent", BYTES("d10:created by") },
	{ "a torrent", BYTES("d7:comment") },
	{ "a torrent", BYTES("d4:infod") },
	{ "a Git LFS pointer", BYTES("version https://git-lfs.github.com/spec"),
	  .kind = OTHER_POINTER },
	{ ASSET, BYTES("\xC1\x83\x2A\x9E"), .structure = structure_uasset },
	{ "an Unreal package", BYTES("\xC1\x83\x2A\x9E"), "upkg" },
	{ "an Unreal package", BYTES("\xC2\x83\x2A\x9E"), "upkg" },
	{ "an IoStore container (.utoc)", BYTES("-==--==--==--==-"), "utoc" },
	{ "a .uz download", BYTES("\xD2\x04\0\0"), "uz", .in_payload = METHOD_PAYLOAD },
	{ "a .uz download", BYTES("\x2E\x16\0\0"), "uz", .in_payload = METHOD_PAYLOAD },
	{ "a .uz2 download", .format = "uz2", .structure = structure_uz2 },
	{ "a UMOD installer", .format = "umod", .structure = structure_umod },
	{ PAK, .format = "pak", .structure = structure_pak },
	{ "a zen package", .format = "zen", .structure = structure_zen,
	  .in_payload = METHOD_PAYLOAD },
	{ "an LZMA stream", BYTES("\x5D\0\0"), "lzma", .structure = structure_lzma,
	  .in_payload = METHOD_PAYLOAD, .kind = OTHER_STREAM },
	{ "a zlib stream", BYTES("\x78"), .structure = structure_zlib, .in_payload = METHOD_PAYLOAD,
	  .kind = OTHER_STREAM },
};
enum { N_SIGNATURES = sizeof signatures / sizeof *signatures };

/* A .uz3 begins as some .uz do. */
static bool is_own(const struct signature *s, const char *own)
{
	return s->format && own &&
	       (strcmp(s->format, own) == 0 ||
		(strcmp(s->format, "uz") == 0 && strcmp(own, "uz3") == 0));
}

static bool is_of(const struct glimpse *g, const struct signature *s)
{
	return (s->len == 0 || glimpse_has(g, s->at, s->bytes, s->len)) &&
	       (!s->structure || s->structure(g));
}

/* Of a file that was cut short the signature may not be whole. */
static bool begins_as(const struct glimpse *g, const struct signature *s)
{
	return s->len > 0 && memcmp(g->head, s->bytes, g->n < s->len ? g->n : s->len) == 0;
}

struct other other_format(const struct glimpse *g, const struct other_question *q)
{
	const struct wrapper *wrapper = text_wrapper(g);

	for (size_t i = 0; i < N_SIGNATURES; i++) {
		const struct signature *s = &signatures[i];

		if (is_own(s, q->own) && begins_as(g, s))
			return (struct other){ NULL, OTHER_FILE };
		if (!is_own(s, q->own) && s->in_payload <= q->in_payload && is_of(g, s))
			return (struct other){ s->name, s->kind };
	}
	return (struct other){ wrapper ? wrapper->whole : text_format(g, q->texts), OTHER_TEXT };
}

/* A signature at the very end is that of no file. */
enum { BEHIND_MIN = 24 };

/* A signature of three bytes stands in many files by chance, but not behind nothing but zeros. */
enum { LEN_MIN = 3, LEN_ANYWHERE = 4 };

static size_t zeros_before(const struct glimpse *g)
{
	size_t n = 0;

	while (n < g->n && g->head[n] == 0)
		n++;
	return n;
}

static size_t place_of(const struct glimpse *g, const struct signature *s, size_t zeros, size_t end)
{
	const size_t from = s->len < LEN_ANYWHERE ? (zeros > 0 ? zeros : end) : 1,
		     to = s->len < LEN_ANYWHERE && zeros < end ? zeros + 1 : end;

	for (size_t at = from; at < to; at++)
		if (glimpse_has(g, at, s->bytes, s->len))
			return at;
	return 0;
}

size_t other_format_begin(const struct glimpse *g, const char *own)
{
	const size_t end = g->size < g->n + BEHIND_MIN && g->n > BEHIND_MIN ? g->n - BEHIND_MIN
									    : g->n;
	const size_t zeros = zeros_before(g);
	size_t found = 0;

	for (size_t i = 0; i < N_SIGNATURES; i++) {
		const struct signature *s = &signatures[i];

		if (!is_own(s, own) || s->len < LEN_MIN)
			continue;
		if (begins_as(g, s))
			return 0;
		if (found == 0)
			found = place_of(g, s, zeros, end);
	}
	return found;
}
