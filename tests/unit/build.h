/* Builds small installers byte by byte, without any of uvet's own code. */
#ifndef UVET_TESTS_BUILD_H
#define UVET_TESTS_BUILD_H

#include <stdint.h>
#include <string.h>

enum { BUILD_MAX = 32768, BUILD_TRAILER = 20 };

struct build {
	uint8_t bytes[BUILD_MAX];
	size_t n;
	size_t dir_at, trailer_at;
};

static inline void put_bytes(struct build *b, const void *bytes, size_t n)
{
	memcpy(b->bytes + b->n, bytes, n);
	b->n += n;
}

static inline void put_uint(struct build *b, uint64_t v, unsigned width)
{
	for (unsigned i = 0; i < width; i++)
		b->bytes[b->n++] = (uint8_t)(v >> 8 * i);
}

static inline void set_u32(struct build *b, size_t at, uint32_t v)
{
	for (unsigned i = 0; i < 4; i++)
		b->bytes[at + i] = (uint8_t)(v >> 8 * i);
}

/* put_name writes a name of up to 62 characters with its length and NUL. */
static inline void put_name(struct build *b, const char *name)
{
	size_t n = strlen(name) + 1;

	put_uint(b, n, 1);
	put_bytes(b, name, n);
}

/* build_crc is CRC-32/BZIP2 by its definition, bit by bit: the reference for the one in codec/. */
static inline uint32_t build_crc(const uint8_t *bytes, size_t n)
{
	uint32_t crc = 0xFFFFFFFF;

	for (size_t i = 0; i < n; i++)
		for (unsigned bit = 0; bit < 8; bit++) {
			uint32_t in = (uint32_t)bytes[i] >> (7 - bit) & 1, top = crc >> 31;

			crc = (crc & 0x7FFFFFFF) * 2 ^ (in ^ top ? 0x04C11DB7 : 0);
		}
	return crc ^ 0xFFFFFFFF;
}

/* put_trailer ends the file; the directory starts at dir_at. */
static inline void put_trailer(struct build *b)
{
	uint32_t crc = build_crc(b->bytes, b->n);

	b->trailer_at = b->n;
	put_uint(b, 0x9FE3C5A3, 4);
	put_uint(b, b->dir_at, 4);
	put_uint(b, b->n + 12, 4);
	put_uint(b, 1, 4);
	put_uint(b, crc, 4);
}

/* build_put_crc computes the trailer's CRC anew. */
static inline void build_put_crc(struct build *b)
{
	set_u32(b, b->trailer_at + 16, build_crc(b->bytes, b->trailer_at));
}

static const char build_ini[] =
	"[Setup]\r\nProduct=Mod\r\nVersion=100\r\nGroup=Files\r\n\r\n"
	"[Files]\r\n"
	"Copy=(Src=System\\Manifest.ini,Master=System\\Manifest.ini,Flags=3)\r\n"
	"Copy=(Src=System\\Manifest.int,Master=System\\Manifest.int,Flags=3)\r\n"
	"File=(Src=System\\Mod.txt,Size=4)\r\n";
static const char build_int[] = "[Setup]\r\nLocalProduct=Mod\r\n";

/* A build_member is a member of build_installer. */
struct build_member {
	const char *name, *content;
	uint32_t flags;
};

/* build_installer makes an installer of up to 63 members that lie one after another. */
static inline void build_installer(struct build *b, const struct build_member *members, size_t n)
{
	size_t at = 0;

	*b = (struct build){ .n = 0 };
	for (size_t i = 0; i < n; i++)
		put_bytes(b, members[i].content, strlen(members[i].content));
	b->dir_at = b->n;
	put_uint(b, n, 1);
	for (size_t i = 0; i < n; i++) {
		put_name(b, members[i].name);
		put_uint(b, at, 4);
		put_uint(b, strlen(members[i].content), 4);
		put_uint(b, members[i].flags, 4);
		at += strlen(members[i].content);
	}
	put_trailer(b);
}

/* build_good makes an installer in which nothing is wrong. */
static inline void build_good(struct build *b)
{
	build_installer(b,
			(const struct build_member[]){ { "System\\Manifest.ini", build_ini, 3 },
						       { "System\\Manifest.int", build_int, 3 },
						       { "System\\Mod.txt", "code", 0 } },
			3);
}

/* A build_inner is a member that is a file of its own. */
struct build_inner {
	const char *name;
	const struct build *file;
};

static const char build_outer_ini[] = "[Setup]\r\nProduct=Mod\r\nVersion=100\r\nGroup=Files\r\n\r\n"
				      "[Files]\r\n"
				      "Copy=(Src=System\\Manifest.ini,Flags=3)\r\n"
				      "Copy=(Src=System\\Manifest.int,Flags=3)\r\n";

static inline void put_entry(struct build *b, const char *name, size_t at, size_t n, uint32_t flags)
{
	put_name(b, name);
	put_uint(b, at, 4);
	put_uint(b, n, 4);
	put_uint(b, flags, 4);
}

/* build_around makes an installer of the manifests and up to 61 other files. Those that are the
 * same struct share their bytes. */
static inline void build_around(struct build *b, const struct build_inner *inner, size_t n)
{
	size_t int_at = sizeof build_outer_ini - 1, at[61];

	*b = (struct build){ .n = 0 };
	put_bytes(b, build_outer_ini, sizeof build_outer_ini - 1);
	put_bytes(b, build_int, sizeof build_int - 1);
	for (size_t i = 0; i < n; i++) {
		at[i] = i > 0 && inner[i].file == inner[i - 1].file ? at[i - 1] : b->n;
		if (at[i] == b->n)
			put_bytes(b, inner[i].file->bytes, inner[i].file->n);
	}
	b->dir_at = b->n;
	put_uint(b, n + 2, 1);
	put_entry(b, "System\\Manifest.ini", 0, int_at, 3);
	put_entry(b, "System\\Manifest.int", int_at, sizeof build_int - 1, 3);
	for (size_t i = 0; i < n; i++)
		put_entry(b, inner[i].name, at[i], inner[i].file->n, 0);
	put_trailer(b);
}

#endif
