/* Oodle, for which the user has to name a decoder. */
#ifndef UVET_CODEC_OODLE_H
#define UVET_CODEC_OODLE_H

#include <stddef.h>
#include <stdint.h>

#include "codec/unpack.h"

/* An oodle is the user's decoder; decode NULL: there is none. decode unpacks in_len bytes to
 * exactly out_len, and returns how many it wrote. It may be called from several threads at once. */
struct oodle {
	int64_t (*decode)(void *ctx, const void *in, size_t in_len, void *out, size_t out_len);
	void *ctx;
};

/* oodle_unpack calls it. The output is cleared first, so that older bytes are not taken for
 * decoded ones. Any answer but max_out means that the stream is broken: UNPACK_SHORT and
 * UNPACK_FULL are never returned. */
struct unpack oodle_unpack(const struct oodle *o, const uint8_t *in, uint64_t n_in, uint8_t *out,
			   uint64_t max_out);

#endif
