/* The bytes of members: stored ones are read where they lie, compressed ones decoded by
 * libarchive. */
#include "formats/archive/rar/rar_payload.h"

#include "codec/crc32.h"
#include "core/mutant.h"
#include "core/checked.h"
#include "core/path.h"
#include "formats/archive/members/reparse.h"

/* ---- What they turn out to be ---------------------------------------------------------------- */

bool rar_sink_take(struct rar_sink *s, const uint8_t *bytes, uint64_t n)
{
	const uint64_t left = s->size - s->n, taken = n < left ? n : left;

	if (s->n < sizeof s->first) {
		const uint64_t room = sizeof s->first - s->n, part = taken < room ? taken : room;

		memcpy(s->first + s->n, bytes, (size_t)part);
	}
	if (s->out)
		/* mutant: one byte more than there is room for */
		memcpy(s->out + s->n, bytes, (size_t)(MUTANT(425) ? n : taken));
	s->crc = crc32_add(s->crc, bytes, taken);
	s->n += taken;
	s->is_long = n > taken;
	return !s->is_long;
}

void rar_note_read(const struct rar *r, uint64_t row, const struct rar_sink *s, bool is_broken)
{
	struct members *all = r->members;
	struct arc_member *m = &all->rows[row];
	const bool is_whole = s->n == s->size && !s->is_long;
	const bool differs = m->has_crc && s->crc != m->crc;
	const struct held first = { s->first, s->n < sizeof s->first ? s->n : sizeof s->first };
	unsigned traits = ARC_IS_READ;

	if (s->is_long)
		traits |= ARC_TOO_LONG;
	else if (is_whole && differs)
		traits |= ARC_WRONG_SUM;
	else if (is_broken)
		traits |= ARC_BROKEN;
	else if (!is_whole)
		traits |= ARC_TOO_SHORT;
	members_note_payload(all, m, traits);
	if (r->entries[row].first)
		memcpy(r->entries[row].first, first.bytes, (size_t)first.len);
	r->work->n_read++;
	members_note_content(m, first);
	if (m->size > 0 && arc_is_checked(first))
		r->entries[row].traits |= RAR_SEEN;
	all->traits |= m->traits;
}

/* ---- What cannot be decoded ------------------------------------------------------------------ */

/* What a build would need to decode a compressed member. */
static const char *missing_codec(const struct arc_member *m, const struct rar_member *e)
{
	if (m->traits & ARC_UNKNOWN_METHOD)
		return "decoder for that method of rar";
	if (e->traits & RAR_VERSION_UNKNOWN)
		return "decoder for that version of rar";
	if (e->traits & (RAR_NEEDS_OTHERS | RAR_HAS_FILTERS))
		return "decoder for solid rar 4 and its filters";
	if (e->traits & RAR_DICTIONARY_LARGE)
		return "decoder for dictionaries of rar above 64 MiB";
	return e->traits & RAR_STORED || unarchive_is_available() ? NULL : "libarchive";
}

/* A member that is empty, or has no bytes but those of another, needs no decoder. */
bool rar_has_bytes(const struct rar *r, uint64_t row)
{
	const struct arc_member *m = &r->members->rows[row];

	return rar_has_payload(r, m) && (m->packed > 0 || m->size > 0);
}

bool rar_is_openable(const struct rar *r, uint64_t row)
{
	const struct arc_member *m = &r->members->rows[row];
	const struct rar_member *e = &r->entries[row];

	return rar_has_payload(r, m) && !(m->traits & ARC_ENCRYPTED) &&
	       !(e->traits & (RAR_SPLIT | RAR_CUT)) && !missing_codec(m, e);
}

/* Of a member that is cut off, the bytes that are there. */
static struct span packed_in_file(const struct rar *r, const struct arc_member *m)
{
	const uint64_t left = m->at < r->size ? r->size - m->at : 0;

	return (struct span){ m->at, m->packed < left ? m->packed : left };
}

/* Notes why a member cannot be decoded. */
void rar_stop_member(const struct rar *r, struct decode *d, uint64_t row)
{
	const struct arc_member *m = &r->members->rows[row];
	const struct rar_member *e = &r->entries[row];
	const struct span at = packed_in_file(r, m);
	const char *codec = missing_codec(m, e);

	if (m->traits & ARC_ENCRYPTED)
		decode_stop_key(d, RAR_CONTENT, DECODE_PASSWORD, at);
	else if (e->traits & RAR_SPLIT)
		decode_stop(d, RAR_CONTENT, STOP_UNSUPPORTED, at); /* ARC009 */
	else if (codec && !(e->traits & RAR_CUT))
		decode_stop_codec(d, RAR_CONTENT, codec, at);
}

/* ---- First bytes ----------------------------------------------------------------------------- */

bool rar_peek(const struct rar *r, struct decode *d)
{
	uint8_t bytes[ARC_SIGNATURE_LEN];

	for (uint64_t i = 0; i < r->members->n; i++) {
		const struct arc_member *m = &r->members->rows[i];
		const uint64_t len = m->packed < sizeof bytes ? m->packed : sizeof bytes;

		if (m->kind != ARC_FILE || !(r->entries[i].traits & RAR_STORED) || len == 0 ||
		    m->packed != m->size || !rar_is_openable(r, i))
			continue;
		if (!decode_copy(d, RAR_PAYLOAD, (struct span){ m->at, len }, bytes))
			return false;
		if (arc_is_checked((struct held){ bytes, len }))
			r->entries[i].traits |= RAR_SEEN;
	}
	return true;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static bool take_stored(void *ctx, uint64_t at, const uint8_t *bytes, uint64_t n)
{
	struct rar_sink *s = ctx;

	(void)at;
	return rar_sink_take(s, bytes, n);
}

/* false: the input failed, or work ended. */
static bool read_stored(const struct rar *r, struct decode *d, uint64_t row)
{
	const struct arc_member *m = &r->members->rows[row];
	struct rar_sink s = { .size = m->size };

	if (!decode_stream(d, RAR_PAYLOAD, rar_packed(m), take_stored, &s) && !s.is_long)
		return false;
	rar_note_read(r, row, &s, false);
	if (!m->has_crc && r->entries[row].traits & RAR_HAS_BLAKE2)
		decode_stop_codec(d, RAR_CONTENT, "BLAKE2sp", rar_packed(m));
	return true;
}

static bool read_member(const struct rar *r, struct decode *d, uint64_t row)
{
	if (r->members->rows[row].payload & ARC_IS_READ || !rar_has_bytes(r, row))
		return true;
	if (!rar_is_openable(r, row)) {
		rar_stop_member(r, d, row);
		return true;
	}
	return r->entries[row].traits & RAR_STORED ? read_stored(r, d, row)
						   : rar_check_run(r, d, row);
}

/* Where a member leads by its first bytes. false: memory ended. */
static bool look_at_target(const struct rar *r, struct decode *d, uint64_t row)
{
	struct arc_member *m = &r->members->rows[row];
	const struct held first = { r->entries[row].first,
				    m->size < ARC_REPARSE_LEN ? m->size : ARC_REPARSE_LEN };
	uint32_t unused = 0;

	if (!first.bytes || !(m->payload & ARC_IS_READ) ||
	    m->payload & (ARC_BROKEN | ARC_TOO_SHORT | ARC_WRONG_SUM))
		return true;
	if (m->kind != ARC_SYMLINK)
		return members_note_reparse(d, RAR_PAYLOAD, r->members, m, first);
	if (!members_name(d, RAR_PAYLOAD, first, 0, ARC_UNSAID, &unused, &m->target))
		return false;
	members_note_target(r->members, m, m->size <= ARC_REPARSE_LEN);
	return true;
}

void rar_read_payload(const struct rar *r, struct decode *d)
{
	for (uint64_t i = 0; i < r->members->n; i++)
		if (!read_member(r, d, i) || !look_at_target(r, d, i))
			return;
	(void)!members_follow_targets(d, RAR_PAYLOAD, r->members);
}
