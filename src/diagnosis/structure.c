/* What formats have beside a weak signature. Sources: RFC 1950 to 1952, the bzip2 and lzma file
 * formats, Microsoft's pages of PE and BMP, ISO 11172-3, id3.org, and conformance/spec. */
#include "diagnosis/structure.h"

#include <string.h>

#include "codec/inflate.h"
#include "core/package_tag.h"

/* ---- Compressed ------------------------------------------------------------------------------ */

/* The flags above are reserved. */
enum { GZIP_FLAGS_AT = 3, GZIP_FLAGS_MAX = 0x1F };

bool structure_gzip(const struct glimpse *g)
{
	return g->n > GZIP_FLAGS_AT && g->head[GZIP_FLAGS_AT] <= GZIP_FLAGS_MAX;
}

/* After the level comes a block, or the end of no blocks. */
bool structure_bzip2(const struct glimpse *g)
{
	return g->n > 3 && g->head[3] >= '1' && g->head[3] <= '9' &&
	       (glimpse_has(g, 4, "1AY&SY", 6) || glimpse_has(g, 4, "\x17\x72\x45\x38\x50\x90", 6));
}

/* A block of deflate is stored, of fixed codes, or of codes of its own, of which there are no more
 * than 286 and 30. */
static bool is_deflate_block(const uint8_t *bytes)
{
	const unsigned type = bytes[0] >> 1 & 3, n_lengths = bytes[0] >> 3,
		       n_distances = bytes[1] & 0x1F;
	const uint64_t lens = bytes_le32(bytes + 1);

	if (type == 0)
		return (lens & 0xFFFF) == (~lens >> 16 & 0xFFFF);
	return type == 1 || (type == 2 && n_lengths <= 29 && n_distances <= 29);
}

bool structure_zlib(const struct glimpse *g)
{
	return g->n >= 8 && inflate_looks_like_zlib(g->head[0], g->head[1]) &&
	       is_deflate_block(g->head + 2);
}

/* A dictionary of two powers of two at most, as writers have it, and a size that is not known or no
 * terabyte. */
bool structure_lzma(const struct glimpse *g)
{
	uint64_t dictionary, size;

	if (g->n < 13)
		return false;
	dictionary = bytes_le32(g->head + 1);
	size = bytes_le64(g->head + 5);
	while (dictionary > 0 && dictionary % 2 == 0)
		dictionary /= 2;
	return (dictionary == 1 || dictionary == 3) && (size == UINT64_MAX || size >> 40 == 0);
}

/* ---- Programs, pictures and sounds ----------------------------------------------------------- */

/* What follows the mark in nearly all of them, or where another header is said to be. */
bool structure_program(const struct glimpse *g)
{
	uint8_t mark[4];

	if (glimpse_has(g, 2, "\x90\0\x03\0\0\0", 6))
		return true;
	return g->n >= 64 && glimpse_at(g, bytes_le32(g->head + 60), mark, 4) &&
	       (memcmp(mark, "PE\0\0", 4) == 0 || memcmp(mark, "NE", 2) == 0);
}

/* A segment follows: one for an application, a table, or a frame. */
bool structure_jpeg(const struct glimpse *g)
{
	return g->n > 3 && g->head[3] >= 0xC0 && g->head[3] < 0xFF;
}

/* Four zeros, where the pixels are, and the size of the file or that of a header that there is. */
bool structure_bmp(const struct glimpse *g)
{
	static const uint8_t headers[] = { 12, 40, 52, 56, 64, 108, 124 };
	uint64_t pixels;

	if (g->n < 26 || bytes_le32(g->head + 6) != 0)
		return false;
	pixels = bytes_le32(g->head + 10);
	return pixels >= 26 && pixels <= 4096 &&
	       (bytes_le32(g->head + 2) == g->size ||
		(bytes_le32(g->head + 14) <= UINT8_MAX &&
		 memchr(headers, g->head[14], sizeof headers) != NULL));
}

bool structure_riff(const struct glimpse *g)
{
	return glimpse_has(g, 0, "RIFF", 4);
}

/* A version that there is, and a size of four times seven bits. */
bool structure_id3(const struct glimpse *g)
{
	return g->n >= 10 && g->head[3] >= 2 && g->head[3] <= 4 &&
	       ((g->head[6] | g->head[7] | g->head[8] | g->head[9]) & 0x80) == 0;
}

/* The length of a frame of layer III by its header; 0: it is none. */
static uint64_t frame_len(const uint8_t *head)
{
	static const uint16_t rates[16] = { 0,   32,  40,  48,  56,  64,  80,  96,
					    112, 128, 160, 192, 224, 256, 320, 0 };
	static const uint16_t low_rates[16] = { 0,  8,  16, 24,  32,  40,  48,  56,
						64, 80, 96, 112, 128, 144, 160, 0 };
	static const uint32_t samples[4] = { 44100, 48000, 32000, 0 };
	const unsigned version = head[1] >> 3 & 3; /* 3: 1, 2: 2, 0: 2.5 */
	const unsigned rate = head[2] >> 4, hertz = samples[head[2] >> 2 & 3];

	if (head[0] != 0xFF || (head[1] & 0xE6) != 0xE2 || version == 1 || hertz == 0)
		return 0;
	if (version == 3)
		return 144000u * rates[rate] / hertz + (head[2] >> 1 & 1);
	return 72000u * low_rates[rate] / (version == 2 ? hertz / 2 : hertz / 4) +
	       (head[2] >> 1 & 1);
}

enum { MP3_FRAMES = 3 };

bool structure_mp3(const struct glimpse *g)
{
	uint64_t at = 0;

	for (unsigned i = 0; i < MP3_FRAMES; i++) {
		uint8_t head[4];
		uint64_t len = 0;

		if (glimpse_at(g, at, head, sizeof head))
			len = frame_len(head);
		if (len < sizeof head)
			return false;
		at += len;
	}
	return true;
}

/* ---- Of Unreal ------------------------------------------------------------------------------- */

#define UZ2_CHUNK_MAX 0x8000u
#define UZ2_STORED_MAX 0x8100u
enum { UZ2_HEAD = 10 };

/* The sizes of a chunk, and the stream that it begins with. Returns how long the chunk is; 0: it is
 * none. */
static uint64_t uz2_chunk(const uint8_t *head)
{
	const uint64_t stored = bytes_le32(head), size = bytes_le32(head + 4);

	return stored >= 8 && stored <= UZ2_STORED_MAX && size > 0 && size <= UZ2_CHUNK_MAX &&
			       inflate_looks_like_zlib(head[8], head[9])
		       ? stored + 8
		       : 0;
}

/* One chunk to the end of the file, or another behind it. */
bool structure_uz2(const struct glimpse *g)
{
	uint8_t next[UZ2_HEAD];
	const uint64_t len = g->n >= UZ2_HEAD ? uz2_chunk(g->head) : 0;

	return len > 0 &&
	       (len == g->size || (glimpse_at(g, len, next, sizeof next) && uz2_chunk(next) > 0));
}

/* A trailer that says how long the file is. Source: umod.md 2. */
bool structure_umod(const struct glimpse *g)
{
	uint8_t trailer[20];

	return g->size >= sizeof trailer &&
	       glimpse_at(g, g->size - sizeof trailer, trailer, sizeof trailer) &&
	       bytes_le32(trailer) == 0x9FE3C5A3 && bytes_le32(trailer + 8) == g->size;
}

/* A version below zero, and then that of Unreal Engine 3 that it had, or none. */
bool structure_uasset(const struct glimpse *g)
{
	return g->n >= 12 && bytes_le32(g->head + 4) >= 0xFFFFFFF0 &&
	       bytes_le32(g->head + 8) <= 1024;
}

/* A package since 5.3: whether it says its versions, which is 0 or 1, a header that ends before the
 * tag of packages, and that tag at the end of the file. Source: zen.md 2 and 9.7. */
bool structure_zen(const struct glimpse *g)
{
	enum { HEAD = 64, TAG = 4 };
	uint8_t tag[TAG];

	return g->n >= HEAD && bytes_le32(g->head) <= 1 && bytes_le32(g->head + 4) >= HEAD &&
	       bytes_le32(g->head + 4) <= g->size - TAG && glimpse_at(g, g->size - TAG, tag, TAG) &&
	       bytes_le32(tag) == PACKAGE_TAG;
}

/* Where the mark of a footer stands, counted from the end: versions 1 to 7, and the names of
 * compression methods that later ones have behind it. Source: pak.md 1. */
bool structure_pak(const struct glimpse *g)
{
	static const uint16_t from_end[] = { 44, 172, 204, 205 };

	for (size_t i = 0; i < sizeof from_end / sizeof *from_end; i++) {
		uint8_t footer[8];

		if (g->size >= from_end[i] &&
		    glimpse_at(g, g->size - from_end[i], footer, sizeof footer) &&
		    bytes_le32(footer) == 0x5A6F12E1 && bytes_le32(footer + 4) <= 16)
			return true;
	}
	return false;
}
