/* One interface to all decompressors of blocks. */
#include "codec/methods.h"

#include <string.h>

#include "codec/lz4.h"
#include "core/ascii.h"
#include "core/mutant.h"
#include "core/compiler.h"

const char *const method_names[METHOD_UNKNOWN + 1] = {
	[METHOD_NONE] = "None", [METHOD_ZLIB] = "Zlib", [METHOD_GZIP] = "Gzip",
	[METHOD_LZ4] = "LZ4",   [METHOD_ZSTD] = "Zstd", [METHOD_OODLE] = "Oodle",
	[METHOD_UNKNOWN] = "",
};

static bool is_named(const char *name, const uint8_t *bytes, uint64_t n)
{
	/* mutant: the last letter may be missing */
	if (strlen(name) - (size_t)MUTANT(168) > n || strlen(name) < n)
		return false;
	for (uint64_t i = 0; i < n; i++)
		if (ascii_lower(name[i]) != ascii_lower((char)bytes[i]))
			return false;
	return true;
}

enum method method_of(const uint8_t *name, uint64_t n)
{
	for (unsigned m = METHOD_NONE; m < METHOD_UNKNOWN; m++)
		if (is_named(method_names[m], name, n))
			return (enum method)m;
	return METHOD_UNKNOWN;
}

const char *method_name(enum method m)
{
	return method_names[m];
}

void unpacker_open(struct unpacker *u, struct arena *arena, const struct oodle *oodle)
{
	*u = (struct unpacker){ .oodle = oodle,
				.inflater = { .arena = arena },
				.zstd = { .arena = arena } };
}

bool unpacker_has(const struct unpacker *u, enum method m)
{
	switch (m) {
	case METHOD_ZSTD:
		return unzstd_is_available();
	case METHOD_OODLE:
		return u->oodle->decode != NULL;
	default:
		return m < METHOD_UNKNOWN;
	}
}

static struct unpack copy(const uint8_t *in, uint64_t n_in, uint8_t *out, uint64_t max_out)
{
	if (n_in > max_out + (uint64_t)MUTANT(169)) /* mutant: a byte more is copied */
		return (struct unpack){ UNPACK_FULL, 0, 0 };
	if (n_in > 0)
		memcpy(out, in, (size_t)n_in);
	return unpack_of(n_in, n_in, max_out);
}

static struct unpack unpack_deflate(struct unpacker *u, bool gzip, const uint8_t *in, uint64_t n_in,
				    uint8_t *out, uint64_t max_out)
{
	static const enum unpack_result results[] = {
		[INFLATE_BROKEN] = UNPACK_BROKEN,
		[INFLATE_FULL] = UNPACK_FULL,
		[INFLATE_NO_MEMORY] = UNPACK_NO_MEMORY,
	};
	struct inflated r;

	if (n_in > UNPACK_MAX || max_out > UNPACK_MAX)
		return (struct unpack){ UNPACK_NO_MEMORY, 0, 0 };
	r = gzip ? inflate_gzip(&u->inflater, in, n_in, out, max_out)
		 : inflate_whole(&u->inflater, in, n_in, out, max_out);
	if (r.result != INFLATE_DONE)
		return (struct unpack){ results[r.result], 0, 0 };
	return unpack_of(r.n_out, r.n_used, max_out);
}

struct unpack method_unpack(struct unpacker *u, enum method m, const uint8_t *in, uint64_t n_in,
			    uint8_t *out, uint64_t max_out)
{
	switch (m) {
	case METHOD_NONE:
		return copy(in, n_in, out, max_out);
	case METHOD_ZLIB:
		return unpack_deflate(u, false, in, n_in, out, max_out);
	case METHOD_GZIP:
		return unpack_deflate(u, true, in, n_in, out, max_out);
	case METHOD_LZ4:
		return unlz4(in, n_in, out, max_out);
	case METHOD_ZSTD:
		return unzstd_whole(&u->zstd, in, n_in, out, max_out);
	case METHOD_OODLE:
		return oodle_unpack(u->oodle, in, n_in, out, max_out);
	default:
		return (struct unpack){ UNPACK_UNAVAILABLE, 0, 0 };
	}
}
