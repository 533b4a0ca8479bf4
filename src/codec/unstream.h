/* Decoding a file that is compressed as a whole: gzip (RFC 1952), xz, Zstandard (RFC 8878), bzip2.
 * It is one stream or several, one after the other; bytes may follow them. */
#ifndef UVET_CODEC_UNSTREAM_H
#define UVET_CODEC_UNSTREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/compiler.h"

enum unstream_form { UNSTREAM_GZIP, UNSTREAM_XZ, UNSTREAM_ZSTD, UNSTREAM_BZIP2 };

/* The largest window, or dictionary, that a stream may ask for. */
#define UNSTREAM_WINDOW_MAX ((uint64_t)1 << 27)

enum unstream_result {
	UNSTREAM_DONE,        /* all streams ended, and their checks are right */
	UNSTREAM_BROKEN,      /* one cannot be decoded, or a check of xz or bzip2 is wrong */
	UNSTREAM_WRONG_SUM,   /* a checksum is wrong; of gzip `said` and `found` are set */
	UNSTREAM_WRONG_SIZE,  /* gzip says another size; likewise */
	UNSTREAM_CUT,         /* the input ends before the stream does */
	UNSTREAM_FULL,        /* there are more than max_out bytes */
	UNSTREAM_WINDOW,      /* it asks for a larger window; `said` is how large, or 0 */
	UNSTREAM_UNKNOWN,     /* it asks for what `lacks` says, and nothing here has that */
	UNSTREAM_UNAVAILABLE, /* this build has no decoder: `lacks` names it */
	UNSTREAM_NO_MEMORY,
	UNSTREAM_STOPPED, /* the input or the pulse said so */
};

struct unstream {
	enum unstream_result result;
	uint64_t n_out, n_used; /* bytes of all streams, as far as it came */
	uint64_t n_streams; /* that ended, or failed; those that say to be skipped do not count */
	uint64_t said, found;
	const char *lacks; /* a constant */
	/* of UNSTREAM_DONE: what follows the last stream, if anything does, is zeros */
	bool tail_is_zero;
};

/* An unstream_io is where compressed bytes come from, and how the caller sees that it goes on. */
struct unstream_io {
	uint64_t size; /* of the input */
	/* read puts n bytes from `at` on into buf; they lie in the input. false stops */
	bool (*read)(void *ctx, uint64_t at, uint8_t *buf, uint64_t n);
	bool (*pulse)(void *ctx); /* after each UNSTREAM_PIECE of output, or stream; false stops */
	void *ctx;
};
#define UNSTREAM_PIECE ((uint64_t)65536)

/* unstream_whole decodes the input to at most max_out bytes at out; out NULL: they are only
 * counted. Its memory comes from the arena. */
struct unstream unstream_whole(struct arena *arena, enum unstream_form form,
			       const struct unstream_io *io, uint8_t *out, uint64_t max_out);

/* unstream_first decodes the first stream alone, whatever follows it: n_used is where it ends. */
struct unstream unstream_first(struct arena *arena, enum unstream_form form,
			       const struct unstream_io *io, uint8_t *out, uint64_t max_out);

/* unstream_lack names the library that this build would need for a form; NULL: it has it. */
const char *unstream_lack(enum unstream_form form);

/* unbzip2_is_available tells whether this build has libbz2. */
bool unbzip2_is_available(void);

#endif
