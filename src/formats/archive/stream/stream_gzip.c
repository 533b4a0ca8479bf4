/* What of gzip programs read in different ways. Source: conformance/spec/tar.md, 4.4 and 4.7. */
#include "formats/archive/stream/stream_gzip.h"

#include <string.h>

#include "core/path.h"
#include "core/rows.h"

/* ---- The stored name ------------------------------------------------------------------------- */

enum { FLAGS_AT = 3, HEAD_LEN = 10, HAS_EXTRA = 4, HAS_NAME = 8, RESERVED = 0xE0 };
enum { NAME_LONGEST = 1024 };

/* Where the name begins; *at is 0 if there is none. */
static bool find_name(struct decode *d, const struct stream *u, uint64_t *at)
{
	uint8_t bytes[HEAD_LEN + 2] = { 0 };
	const struct held head = { bytes, sizeof bytes };

	*at = 0;
	if (u->size < sizeof bytes)
		return true;
	if (!decode_copy(d, STREAM_STREAM, (struct span){ 0, sizeof bytes }, bytes))
		return false;
	if ((held_u8(head, FLAGS_AT) & (HAS_NAME | RESERVED)) != HAS_NAME)
		return true;
	*at = HEAD_LEN;
	if (held_u8(head, FLAGS_AT) & HAS_EXTRA)
		*at += 2 + held_u16(head, HEAD_LEN);
	return true;
}

static uint32_t own_formats(struct text name)
{
	return format_set(path_extension(name)) & ~FORMATS_SHARED;
}

/* The name of the file is of an encoding that nobody says, as the stored one is: the same bytes are
 * the same name. */
static bool is_called(const struct stream *u, struct held stored, struct text name)
{
	return path_compare(u->stored_name, name) == 0 ||
	       (name.ref.n_units == stored.len &&
		memcmp(name.data, stored.bytes, (size_t)stored.len) == 0);
}

/* Bytes decide where extensions are shared, whatever the name is. */
static void compare(struct stream *u, struct held stored, struct text whole)
{
	const struct text name = u->stored_name, last = path_last(name), kept = arc_name_cut(last);

	if (is_called(u, stored, u->content.name) || is_called(u, stored, whole))
		return;
	if (own_formats(kept) & ~own_formats(u->content.name))
		u->content.further = kept;
	if (u->content.further.ref.n_units > 0 || last.ref.n_units < name.ref.n_units ||
	    members_is_program(kept))
		u->defects |= STREAM_OTHER_NAME;
	else if (u->file.promised != ARC_NO_ARCHIVE)
		u->defects |= STREAM_RENAMED;
}

/* Of a name that no system has room for the beginning counts. */
static bool read_name(struct decode *d, struct stream *u, uint64_t at)
{
	uint32_t traits = 0;
	const uint64_t left = u->size - at, len = left < NAME_LONGEST ? left : NAME_LONGEST;
	uint8_t *bytes = decode_alloc(d, STREAM_STREAM, len, 1);
	struct held name = { bytes, len };

	if (!bytes || !decode_copy(d, STREAM_STREAM, (struct span){ at, len }, bytes))
		return false;
	name.len = held_find(name, 0);
	if (name.len == 0)
		return true;
	u->name_at = (struct span){ at, name.len };
	if (!members_name(d, STREAM_STREAM, name, at, ARC_UNSAID, &traits, &u->stored_name))
		return false;
	compare(u, name, path_last(text_from(d->source->name)));
	return true;
}

bool stream_take_stored_name(struct decode *d, struct stream *u)
{
	uint64_t at;

	if (u->file.is != ARC_IS_GZIP)
		return true;
	return find_name(d, u, &at) && (at == 0 || at >= u->size || read_name(d, u, at));
}

/* ---- Streams behind zeros -------------------------------------------------------------------- */

/* How many of the bytes from `at` on are zeros, up to the first piece with another one. */
static bool skip_zeros(struct decode *d, const struct stream *u, uint64_t *at)
{
	uint8_t bytes[4096];

	while (*at < u->size) {
		const uint64_t left = u->size - *at;
		struct held piece = { bytes, left < sizeof bytes ? left : sizeof bytes };
		uint64_t n = 0;

		if (!decode_copy(d, STREAM_CONTENT, (struct span){ *at, piece.len }, bytes))
			return false;
		while (n < piece.len && bytes[n] == 0)
			n++;
		*at += n;
		if (n < piece.len)
			return true;
	}
	return true;
}

bool stream_find_resumed(struct decode *d, struct stream *u)
{
	enum { MAGIC_LEN = 2 };
	uint64_t at = u->end.n_used;
	uint8_t magic[MAGIC_LEN];

	if (u->file.is != ARC_IS_GZIP || u->second.is != ARC_NO_ARCHIVE)
		return true;
	if (!skip_zeros(d, u, &at))
		return false;
	if (at == u->end.n_used || u->size - at < MAGIC_LEN)
		return true;
	if (!decode_copy(d, STREAM_CONTENT, (struct span){ at, MAGIC_LEN }, magic))
		return false;
	if (magic[0] == 0x1F && magic[1] == 0x8B)
		u->second = (struct arc_second){ .is = ARC_IS_GZIP, .at = { at, MAGIC_LEN } };
	return true;
}
