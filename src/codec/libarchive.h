/* Reading archives through libarchive, where it is there: one format at a time, and no filter.
 *
 * The structure of an archive is judged by readers of our own; libarchive decodes what they have
 * found to be there. Its names are not asked for: they depend on the locale. */
#ifndef UVET_CODEC_LIBARCHIVE_H
#define UVET_CODEC_LIBARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/compiler.h"

enum unarchive_format { UNARCHIVE_7Z, UNARCHIVE_RAR4, UNARCHIVE_RAR5, UNARCHIVE_ZIP };

enum unarchive_result {
	UNARCHIVE_FINE,
	UNARCHIVE_END,    /* there are no more members, or no more bytes of this one */
	UNARCHIVE_BROKEN, /* this member cannot be decoded; the next may be */
	UNARCHIVE_OVER,   /* nor can what follows it */
	UNARCHIVE_NO_MEMORY,
	UNARCHIVE_STOPPED,     /* the input said so */
	UNARCHIVE_UNSUPPORTED, /* libarchive says that it does not read what this is */
	UNARCHIVE_UNAVAILABLE, /* this build has no libarchive */
};

/* An unarchive_input is the bytes of an archive. read_at puts exactly len bytes from offset at,
 * which are all before `size`, into buf; false: it cannot, and nothing more is asked. */
struct unarchive_input {
	bool (*read_at)(void *ctx, uint64_t at, uint8_t *buf, size_t len);
	void *ctx;
	uint64_t size;
};

/* An unarchive_member is what libarchive says of one. */
struct unarchive_member {
	uint64_t header_at; /* where its header begins, for rar */
	uint64_t size;      /* as its header says; UINT64_MAX: it does not */
	bool is_encrypted;
};

/* An unarchive is an archive that is read, from its first member to its last. It is closed in the
 * call of a format that opened it: nothing else would free what libarchive has allocated. */
struct unarchive;

/* unarchive_open begins. libarchive takes memory of its own, and no more than `memory` bytes by
 * what the caller knows of the archive: these count as the arena's until unarchive_close. On any
 * result but UNARCHIVE_FINE there is nothing to close. */
UVET_MUST_USE enum unarchive_result unarchive_open(struct arena *arena,
						   enum unarchive_format format,
						   struct unarchive_input input, uint64_t memory,
						   struct unarchive **out);

/* unarchive_next goes to the next member; what is left of the one before is passed over, in a solid
 * archive by decoding it. */
UVET_MUST_USE enum unarchive_result unarchive_next(struct unarchive *u,
						   struct unarchive_member *out);

/* unarchive_read sets *bytes to the next bytes of the member, which stay until the next call, and
 * *n to how many there are, at least 1. *zeros is how many zeros come before them, 0 but for files
 * with holes. */
UVET_MUST_USE enum unarchive_result unarchive_read(struct unarchive *u, const uint8_t **bytes,
						   uint64_t *n, uint64_t *zeros);

/* unarchive_used tells how many bytes of the input were used. */
uint64_t unarchive_used(const struct unarchive *u);

void unarchive_close(struct unarchive *u);

/* unarchive_is_available tells whether this build has libarchive. */
bool unarchive_is_available(void);

#endif
