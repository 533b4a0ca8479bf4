/* Reading the bytes of members: which can be, and what they turn out to be. */
#ifndef UVET_FORMATS_ARCHIVE_RAR_RAR_PAYLOAD_H
#define UVET_FORMATS_ARCHIVE_RAR_RAR_PAYLOAD_H

#include "codec/libarchive.h"
#include "formats/archive/rar/rar.h"

/* A rar_sink is what the bytes of a member pass through. */
struct rar_sink {
	uint64_t size; /* that the member should have; no more is taken */
	uint8_t *out;  /* has room for all of it; NULL: the bytes are only looked at */
	uint64_t n;    /* that were taken */
	uint32_t crc;  /* of these */
	bool is_long;  /* there are more */
	uint8_t first[ARC_SIGNATURE_LEN];
};

/* rar_sink_take takes the next bytes; false: there are more than there should be. */
UVET_MUST_USE bool rar_sink_take(struct rar_sink *s, const uint8_t *bytes, uint64_t n);

/* rar_note_read notes what the bytes of a member turned out to be. is_broken: they could not be
 * decoded to their end. */
void rar_note_read(const struct rar *r, uint64_t row, const struct rar_sink *s, bool is_broken);

/* rar_has_bytes tells whether a member has bytes of its own. rar_is_openable tells whether they can
 * be had at all: they are all there, not encrypted, and in a form that is decoded. rar_stop_member
 * notes why not. */
bool rar_has_bytes(const struct rar *r, uint64_t row);
bool rar_is_openable(const struct rar *r, uint64_t row);
void rar_stop_member(const struct rar *r, struct decode *d, uint64_t row);

static inline struct span rar_packed(const struct arc_member *m)
{
	return (struct span){ m->at, m->packed };
}

/* rar_open_run decodes a compressed member into out, which has room for its size, and the members
 * before it that it needs; what libarchive takes for that lies in the arena. Members after it that
 * need it are decoded, too, and those worth a look are kept. false: its bytes cannot be had, which
 * is noted. rar_check_run decodes the members from this one on that need each other, and keeps none
 * of them; false: memory or work ended, or the input failed, which is noted. */
UVET_MUST_USE bool rar_open_run(const struct rar *r, struct decode *d, uint64_t row, uint8_t *out,
				struct arena *arena);
UVET_MUST_USE bool rar_check_run(const struct rar *r, struct decode *d, uint64_t row);

/* rar_is_promised tells whether a member is worth a look as a file of its own. */
bool rar_is_promised(const struct rar *r, uint64_t row);

#endif
