/* The compression methods of containers, by the names that containers give them. */
#ifndef UVET_CODEC_METHODS_H
#define UVET_CODEC_METHODS_H

#include <stdbool.h>
#include <stdint.h>

#include "codec/inflate.h"
#include "codec/oodle.h"
#include "codec/unpack.h"
#include "codec/zstd.h"
#include "core/arena.h"

enum method {
	METHOD_NONE,
	METHOD_ZLIB,
	METHOD_GZIP,
	METHOD_LZ4,
	METHOD_ZSTD,
	METHOD_OODLE,
	METHOD_UNKNOWN
};

/* method_of is the method of a name, as the engine compares names: without case. */
enum method method_of(const uint8_t *name, uint64_t n);

/* method_name is a method's name as the engine writes it; "" for METHOD_UNKNOWN. method_names are
 * all of them. */
extern const char *const method_names[METHOD_UNKNOWN + 1];
const char *method_name(enum method m);

/* An unpacker decodes blocks, one after the other, with states that it keeps and that lie in the
 * arena. Each thread has its own. */
struct unpacker {
	const struct oodle *oodle;
	struct inflater inflater;
	struct unzstd zstd;
};

/* unpacker_open makes an unpacker; oodle is not NULL and outlives it. */
void unpacker_open(struct unpacker *u, struct arena *arena, const struct oodle *oodle);

/* unpacker_has tells whether this build, and for Oodle this user, has a decoder. */
bool unpacker_has(const struct unpacker *u, enum method m);

/* method_unpack decodes a block of n_in bytes to at most max_out bytes at out. The two do not
 * overlap. Bytes after a stream of Zlib or Gzip are no fault: n_used says where it ended.
 * METHOD_NONE copies. */
struct unpack method_unpack(struct unpacker *u, enum method m, const uint8_t *in, uint64_t n_in,
			    uint8_t *out, uint64_t max_out);

#endif
