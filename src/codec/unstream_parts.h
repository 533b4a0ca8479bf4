/* What the decoders of streams share: one at a time, from a feed to a drain. */
#ifndef UVET_CODEC_UNSTREAM_PARTS_H
#define UVET_CODEC_UNSTREAM_PARTS_H

#include "codec/unstream.h"

/* A feed is the input, a piece at a time. */
struct feed {
	const struct unstream_io *io;
	uint8_t *piece;
	const uint8_t *next; /* n bytes are left of the piece */
	uint64_t n, at;      /* `at` in the input */
	bool is_stopped;
};

/* feed_fill makes bytes of the input come next; false: there are none left, or it was stopped.
 * feed_byte takes one. feed_took says how many were used. feed_peek copies up to n bytes that come
 * next, and returns how many; 0 if it was stopped. */
UVET_MUST_USE bool feed_fill(struct feed *f);
UVET_MUST_USE bool feed_byte(struct feed *f, uint8_t *out);
uint64_t feed_peek(struct feed *f, uint8_t *buf, uint64_t n);
static inline void feed_took(struct feed *f, uint64_t n)
{
	f->next += n;
	f->n -= n;
	f->at += n;
}

/* feed_why tells why there is no more. */
static inline enum unstream_result feed_why(const struct feed *f)
{
	return f->is_stopped ? UNSTREAM_STOPPED : UNSTREAM_CUT;
}

/* A drain is the output. After the last byte that is allowed there is one spare byte, which tells
 * whether the stream goes on. */
struct drain {
	uint8_t *bytes; /* NULL: they are counted */
	uint64_t n, max;
	uint8_t *scratch; /* UNSTREAM_PIECE bytes */
	uint8_t *room;    /* where the next bytes go, */
	uint64_t n_room;  /* as many as that */
	const struct unstream_io *io;
};

/* drain_open sets the room. drain_take says that n bytes of it were written; UNSTREAM_DONE: it goes
 * on. */
void drain_open(struct drain *o);
UVET_MUST_USE enum unstream_result drain_take(struct drain *o, uint64_t n);

/* Memory that libraries take for one stream, and that the next may have: some take megabytes for a
 * stream of no bytes at all, of which a file may have very many. No library has as many pieces. */
enum { KEPT_MAX = 24 };
struct kept {
	void *memory;
	uint64_t size;
	bool is_used;
};

/* An unstreaming is one decoder at work. */
struct unstreaming {
	struct arena *arena;
	struct feed in;
	struct drain out;
	struct unstream *end; /* what it finds out */
	struct kept kept[KEPT_MAX];
	size_t n_kept;
	void *state; /* a decoder's own, that all streams have; NULL: there is none yet */
};

/* kept_take and kept_leave are how libraries take memory, and leave it; ctx is the unstreaming. */
void *kept_take(void *ctx, uint64_t n);
void kept_leave(void *ctx, void *memory);

/* Each decodes the one stream that comes next. */
typedef enum unstream_result unstream_one(struct unstreaming *u);
unstream_one ungzip_one, unxz_one, unzstd_one, unbzip2_one;

/* unzstd_is_skipped tells of the first four bytes of a frame that it is one to be skipped. */
static inline bool unstream_is_skipped(const uint8_t first[4])
{
	return first[0] / 16 == 5 && first[1] == 0x2A && first[2] == 0x4D && first[3] == 0x18;
}

#endif
