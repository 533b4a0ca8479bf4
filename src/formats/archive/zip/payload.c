/* The bytes of a zip's members: each is read once, when it is opened as a file or at the end.
 * Source: conformance/spec/archive.md, chapter 3. */
#include "codec/crc32.h"
#include "core/mutant.h"
#include "core/checked.h"
#include "formats/archive/members/reparse.h"
#include "formats/archive/zip/stream.h"

/* ---- What can be decoded --------------------------------------------------------------------- */

/* The methods by number, as they are called; NULL: nobody has seen it. */
static const char *method_name(uint64_t method)
{
	static const struct {
		uint16_t method;
		const char *name;
	} names[] = {
		{ 1, "Shrink" },     { 2, "Reduce" },  { 3, "Reduce" },    { 4, "Reduce" },
		{ 5, "Reduce" },     { 6, "Implode" }, { 9, "Deflate64" }, { 10, "PKWARE DCL" },
		{ 18, "IBM TERSE" }, { 94, "MP3" },    { 96, "JPEG" },     { 97, "WavPack" },
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].method == method)
			return names[i].name;
	return "decoder of that method";
}

/* Its bytes are not where its header says, or are another member's. */
static bool is_lost(const struct zip_entry *e)
{
	return e->traits &
	       (ZIP_LOCAL_MISSING | ZIP_REACHES_INTO_DIRECTORY | ZIP_OVERLAPS | ZIP_METHOD_DIFFERS |
		ZIP_STORED_SIZE | ZIP_IMPOSSIBLE | ZIP_ZIP64_MISSING);
}

static bool can_decode(const struct arc_member *m, const struct zip_entry *e)
{
	return !(m->traits & ARC_ENCRYPTED) && !(m->traits & ARC_UNKNOWN_METHOD) && !is_lost(e) &&
	       zip_has_decoder(m->method);
}

static struct span bytes_of(const struct arc_member *m)
{
	return (struct span){ m->at, m->packed };
}

/* All members together may decompress to so many times what one compressed file may. */
#define ALL_UNPACKED 32u

static bool is_within_limits(struct decode *d, const struct zip *z, const struct arc_member *m)
{
	const uint64_t ratio = d->limits->of[LIMIT_ratio], most = d->limits->of[LIMIT_unpacked];

	if (m->method == ZIP_STORED)
		return true;
	if (m->size > UNPACKED_FREE && m->size / (ratio > 0 ? ratio : 1) > m->packed)
		return decode_stop_limit(d, ZIP_CONTENT, LIMIT_ratio, bytes_of(m));
	z->payload->unpacked = capped_add(z->payload->unpacked, m->size);
	if (z->payload->unpacked / ALL_UNPACKED > most ||
	    (m->method != ZIP_DEFLATE && m->size > most))
		return decode_stop_limit(d, ZIP_CONTENT, LIMIT_unpacked, bytes_of(m));
	return true;
}

/* What of a member's bytes is in the file: they need not be where its headers say. */
static struct span bytes_within(const struct zip *z, const struct arc_member *m)
{
	const uint64_t left = m->at < z->size ? z->size - m->at : 0;

	return (struct span){ z->size - left, m->packed < left ? m->packed : left };
}

/* false: it cannot be read, which is noted. */
static bool plan_member(struct decode *d, struct zip *z, uint64_t row)
{
	struct arc_member *m = &z->members->rows[row];
	const struct span bytes = bytes_within(z, m);

	if (m->traits & ARC_ENCRYPTED)
		decode_stop_key(d, ZIP_CONTENT, DECODE_PASSWORD, bytes);
	else if (m->traits & ARC_UNKNOWN_METHOD || !zip_has_decoder(m->method))
		decode_stop_codec(
			d, ZIP_CONTENT,
			zip_lack(m->method) ? zip_lack(m->method) : method_name(m->method), bytes);
	else if (is_lost(&z->entries[row]))
		decode_stop(d, ZIP_CONTENT, STOP_MALFORMED, bytes);
	else if (!is_within_limits(d, z, m))
		z->payload->states[row] = ZIP_IS_UNREAD;
	else
		return zip_peek(d, z, row);
	return true;
}

bool zip_plan_payload(struct decode *d, struct zip *z)
{
	const uint64_t n = z->members->n;

	if (d->level == LEVEL_STRUCTURE)
		return decode_stop(d, ZIP_PAYLOAD, STOP_LEVEL, (struct span){ 0, z->directory_at });
	z->payload->inflater.arena = d->arena;
	z->payload->states = decode_alloc(d, ZIP_PAYLOAD, n, 1);
	if (!z->payload->states)
		return false;
	memset(z->payload->states, 0, (size_t)n); /* they are asked for, wherever this stops */
	z->payload->buffer = decode_alloc(d, ZIP_PAYLOAD, ZIP_BUFFER, 1);
	if (!z->payload->buffer || !decode_spend(d, ZIP_PAYLOAD, n))
		return false;
	for (uint64_t i = 0; i < n; i++)
		if (!plan_member(d, z, i))
			return false;
	return true;
}

/* ---- Decoding one ---------------------------------------------------------------------------- */

/* A member_stream is the decoding of one member, into memory or nowhere. */
struct member_stream {
	struct decode *d;
	const struct zip *z;
	uint64_t row;
	struct zip_payload *payload;
	const struct arc_member *m;
	uint8_t *out;   /* m->size bytes; NULL: what comes out is only looked at */
	uint64_t n_out; /* bytes so far */
	uint64_t n_in;  /* of what is deflated, bytes of the stream so far */
	uint32_t crc;
	unsigned traits;
	bool has_marker; /* of LZMA: its stream has a mark where it ends */
	bool has_ended;  /* the stream has */
	bool failed;     /* memory or work ended */
	bool is_unread;  /* it is in a form that is not decoded, which is noted */
};

/* Takes n more bytes that came out. */
static bool take_output(struct member_stream *s, const uint8_t *bytes, uint64_t n)
{
	if (!decode_spend(s->d, ZIP_PAYLOAD, work_of_bytes(n))) {
		s->failed = true;
		return false;
	}
	s->crc = crc32_add(s->crc, bytes, n);
	s->n_out += n;
	if (s->n_out <= s->m->size)
		return true;
	s->traits |= ARC_TOO_LONG;
	return false;
}

static bool take_stored(void *ctx, uint64_t at, const uint8_t *bytes, uint64_t n)
{
	struct member_stream *s = ctx;

	(void)at;
	if (s->out && n <= s->m->size - s->n_out)
		memcpy(s->out + s->n_out, bytes, (size_t)n);
	return take_output(s, bytes, n);
}

/* Where the next bytes go: into memory while there is room, and else into the buffer. */
static uint8_t *next_room(const struct member_stream *s, uint64_t *n)
{
	if (s->out && s->n_out < s->m->size) {
		const uint64_t left = s->m->size - s->n_out;

		/* mutant: a byte behind what a member has in memory is written */
		*n = left < ZIP_BUFFER ? left + (MUTANT(377) ? 1 : 0) : ZIP_BUFFER;
		return s->out + s->n_out;
	}
	*n = ZIP_BUFFER;
	return s->payload->buffer;
}

/* The stream may end with a piece of the member, so that what is left is in pieces that nobody
 * reads. */
static bool take_result(struct member_stream *s, struct inflated r)
{
	s->n_in += r.n_used;
	if (r.result == INFLATE_NO_MEMORY)
		s->failed = !decode_stop(s->d, ZIP_PAYLOAD, STOP_MEMORY, bytes_of(s->m));
	if (r.result == INFLATE_BROKEN)
		s->traits |= ARC_BROKEN;
	s->has_ended = r.result == INFLATE_DONE;
	if (s->has_ended && s->n_in < s->m->packed)
		s->traits |= ARC_LEFT_OVER;
	return r.result == INFLATE_GOES_ON || r.result == INFLATE_FULL;
}

static bool take_deflated(void *ctx, uint64_t at, const uint8_t *bytes, uint64_t n)
{
	struct member_stream *s = ctx;
	struct held in = { bytes, n };

	(void)at;
	while (!s->has_ended) {
		struct inflated r;
		uint64_t room;
		uint8_t *out = next_room(s, &room);

		r = inflate_some(&s->payload->inflater, in.bytes, in.len, out, room);
		if (!take_output(s, out, r.n_out) || !take_result(s, r))
			return false;
		in = held_part(in, r.n_used, in.len - r.n_used);
		if (r.result == INFLATE_GOES_ON)
			return true;
	}
	return false;
}

/* What came out, held against what the archive says. A stream that is cut off does not tell how
 * long it is. */
static void settle(struct member_stream *s)
{
	const struct arc_member *m = s->m;

	if (m->method == ZIP_DEFLATE && !s->has_ended && !(s->traits & (ARC_BROKEN | ARC_TOO_LONG)))
		s->traits |= ARC_BROKEN;
	if (s->traits & (ARC_BROKEN | ARC_TOO_LONG))
		return;
	if (s->n_out < m->size)
		s->traits |= ARC_TOO_SHORT;
	else if (m->has_crc && s->crc != m->crc)
		s->traits |= ARC_WRONG_SUM;
}

/* What a file begins with that zip_peek did not decode. */
static void see_first(const struct member_stream *s, const uint8_t *bytes)
{
	const uint64_t n = s->n_out < s->m->size ? s->n_out : s->m->size;

	if (s->m->kind == ARC_FILE && n > 0)
		zip_see_first(
			s->z, s->row,
			(struct held){ bytes, n < ARC_SIGNATURE_LEN ? n : ARC_SIGNATURE_LEN });
}

/* Decodes a member of a method that is decoded as a whole. */
static bool decode_whole(struct member_stream *s)
{
	struct zip_whole w = { .d = s->d, .m = s->m, .out = s->out, .has_marker = s->has_marker };

	if (!zip_decode_whole(&w))
		return false;
	s->is_unread = w.is_unread;
	s->traits |= w.traits;
	s->n_out = w.n_out;
	s->has_ended = true;
	if (s->is_unread)
		return true;
	s->crc = crc32_add(0, w.out, w.n_out);
	see_first(s, w.out);
	return true;
}

/* Decodes a member; false: memory, work or the input ended, which is noted. */
static bool decode_member(struct member_stream *s)
{
	const struct arena_mark mark = arena_mark(s->d->arena);
	bool is_done = true;

	if (s->m->method == ZIP_STORED)
		(void)!decode_stream(s->d, ZIP_PAYLOAD, bytes_of(s->m), take_stored, s);
	else if (s->m->method != ZIP_DEFLATE)
		is_done = decode_whole(s);
	else if (inflate_begin(&s->payload->inflater))
		(void)!decode_stream(s->d, ZIP_PAYLOAD, bytes_of(s->m), take_deflated, s);
	else
		is_done = decode_stop(s->d, ZIP_PAYLOAD, STOP_MEMORY, bytes_of(s->m));
	if (s->m->method != ZIP_STORED && s->m->method != ZIP_DEFLATE)
		arena_rewind(s->d->arena, mark);
	if (!is_done || s->failed || !decode_has(s->d, ZIP_PAYLOAD))
		return false;
	if (!s->is_unread)
		settle(s);
	return true;
}

static void note(const struct zip *z, uint64_t row, unsigned traits)
{
	members_note_payload(z->members, &z->members->rows[row], traits | ARC_IS_READ);
}

static void note_stream(const struct member_stream *s)
{
	if (s->is_unread)
		s->payload->states[s->row] |= ZIP_IS_UNREAD;
	else
		note(s->z, s->row, s->traits);
}

static bool is_unread(const struct zip *z, uint64_t row)
{
	const struct arc_member *m = &z->members->rows[row];

	return !(m->payload & ARC_IS_READ) && m->kind != ARC_DIRECTORY &&
	       can_decode(m, &z->entries[row]) && !(z->payload->states[row] & ZIP_IS_UNREAD);
}

/* ---- As the engine asks ---------------------------------------------------------------------- */

static struct member_stream stream_of(const struct zip *z, struct decode *d, uint64_t row)
{
	return (struct member_stream){ .d = d,
				       .z = z,
				       .row = row,
				       .payload = z->payload,
				       .m = &z->members->rows[row],
				       .has_marker = z->entries[row].flags & ZIP_HAS_MARKER };
}

bool zip_may_open(const struct zip *z, uint64_t row)
{
	const struct arc_member *m = &z->members->rows[row];

	return m->kind == ARC_FILE && can_decode(m, &z->entries[row]) &&
	       z->groups[ZIP_PAYLOAD].why == STOP_NOT && !(z->payload->states[row] & ZIP_IS_UNREAD);
}

const uint8_t *zip_open(const void *facts, struct decode *d, const struct nested *n,
			struct arena *arena)
{
	const struct zip *z = facts;
	struct member_stream s = stream_of(z, d, n->row);

	d->is_undecodable = !zip_may_open(z, n->row);
	if (d->is_undecodable)
		return NULL;
	s.out = arena_alloc(arena, s.m->size, 1);
	if (!s.out || !decode_member(&s))
		return NULL;
	note_stream(&s);
	d->is_undecodable = s.is_unread || s.traits & (ARC_BROKEN | ARC_TOO_LONG | ARC_TOO_SHORT);
	return d->is_undecodable ? NULL : s.out;
}

bool zip_stream(const void *facts, struct decode *d, const struct nested *n, struct arena *arena,
		struct decode *user, struct source_io *out)
{
	const struct zip *z = facts;
	struct zip_pass pass;
	bool is_open;

	d->is_undecodable = !zip_may_open(z, n->row);
	if (d->is_undecodable)
		return false;
	is_open = zip_stream_open(d, &z->members->rows[n->row], arena, user, &pass, out);
	d->is_undecodable = pass.traits & (ARC_BROKEN | ARC_TOO_LONG | ARC_TOO_SHORT);
	if (is_open || d->is_undecodable)
		note(z, n->row, pass.traits);
	return is_open;
}

static bool may_read(const void *facts, uint64_t row)
{
	return zip_may_open(facts, row);
}

static bool is_short_reparse(const struct zip *z, uint64_t row)
{
	enum { DATA_MAX = 16384 };

	return z->entries[row].traits & ZIP_REPARSE && z->members->rows[row].size <= DATA_MAX;
}

/* The target of a link that zip_peek did not decode stays in memory. */
static bool read_whole_link(struct member_stream *s)
{
	struct arc_member *m = &s->z->members->rows[s->row];
	struct held bytes;
	s->out = decode_alloc(s->d, ZIP_PAYLOAD, s->m->size, 1);
	if (!s->out || !decode_member(s))
		return false;
	if (s->is_unread || s->n_out != m->size)
		return true;
	bytes = (struct held){ s->out, s->n_out };
	return m->kind == ARC_SYMLINK
		       ? zip_take_link(s->d, s->z, m, bytes)
		       : members_note_reparse(s->d, ZIP_PAYLOAD, s->z->members, m, bytes);
}

static bool read_unread(const struct zip *z, struct decode *d, uint64_t row)
{
	struct member_stream s = stream_of(z, d, row);
	const bool is_link = s.m->traits & ARC_UNCOMMON_METHOD &&
			     (s.m->kind == ARC_SYMLINK || is_short_reparse(z, row));

	if (!(is_link ? read_whole_link(&s) : decode_member(&s)))
		return false;
	note_stream(&s);
	return true;
}

void zip_finish(const void *facts, struct decode *d)
{
	const struct zip *z = facts;
	const struct lay_source source = { facts,    &zip_nested_files, z->members,
					   ZIP_SITE, ZIP_PAYLOAD,       may_read };

	lay_read(d, &source, z->layout);
	for (uint64_t i = 0; decode_has(d, ZIP_PAYLOAD) && i < z->members->n; i++)
		if (is_unread(z, i) && !read_unread(z, d, i))
			break;
	if (decode_has(d, ZIP_PAYLOAD))
		(void)!members_follow_targets(d, ZIP_PAYLOAD, z->members);
	if (!decode_has(d, ZIP_PAYLOAD) && decode_has(d, ZIP_CONTENT))
		decode_stop_with(d, ZIP_CONTENT, ZIP_PAYLOAD);
}
