/* A central directory that is encrypted, which programs of PKWARE write. Source:
 * conformance/spec/zip.md, clause 1.11. */
#include "formats/archive/zip/zip.h"

/* From this version on the zip64 record goes on with what a zip64_lock says. */
enum { LOCK_NEEDED = 62 };

/* Which form of a decryption header there is. */
enum { DECRYPTION_FORMAT = 3 };

/* How many bytes of the zip64 record follow its fixed part. */
static uint64_t more_len(const struct zip_find *f)
{
	const uint64_t fixed = zip64_record_fixed_len - 12;
	const uint64_t room = f->locator.at - f->record.at - 12;

	return f->record.rest_len < fixed || f->record.rest_len > room ? 0
								       : f->record.rest_len - fixed;
}

bool zip_read_lock(struct decode *d, struct zip_find *f)
{
	uint8_t bytes[zip64_lock_fixed_len] = { 0 };
	struct cursor c;
	struct span span;

	if (!f->has_record || (f->record.needed & 0xFF) < LOCK_NEEDED || more_len(f) < sizeof bytes)
		return true;
	span = (struct span){ f->record.at + zip64_record_fixed_len, sizeof bytes };
	c = cursor_init(bytes, sizeof bytes, span.at);
	if (!decode_copy(d, ZIP_END, span, bytes))
		return false;
	f->has_lock = zip64_lock_read(&c, 0, &f->lock) && f->lock.algorithm != 0 &&
		      f->lock.hash_len <= more_len(f) - sizeof bytes;
	return true;
}

/* The header before what is encrypted has a vector of any length first. */
static bool has_decryption_header(struct decode *d, const struct zip *z)
{
	const uint64_t at = z->stated_at, end = z->directory_end;
	uint8_t length[2], rest[8];
	const struct held head = { rest, sizeof rest };
	uint64_t rest_at;

	if (at > end || end - at < sizeof length + sizeof rest ||
	    !decode_copy(d, ZIP_END, (struct span){ at, sizeof length }, length))
		return false;
	rest_at = at + sizeof length + held_u16((struct held){ length, sizeof length }, 0);
	if (rest_at > end - sizeof rest ||
	    !decode_copy(d, ZIP_END, (struct span){ rest_at, sizeof rest }, rest))
		return false;
	return held_u32(head, 0) <= end - rest_at - 4 && held_u16(head, 4) == DECRYPTION_FORMAT &&
	       held_u16(head, 6) == z->find.lock.algorithm;
}

/* The local headers are masked then. If the first one is not, programs that read an archive from
 * its beginning show members that no directory lists. */
static bool begins_with_plain_header(struct decode *d)
{
	uint8_t first[12];
	const struct held bytes = { first, sizeof first };
	const struct span span = { 0, sizeof first };
	uint64_t at;

	if (d->source->io.size < sizeof first || !decode_copy(d, ZIP_END, span, first))
		return false;
	at = held_u32(bytes, 0) == ZIP_DESCRIPTOR_MAGIC || held_u32(bytes, 0) == ZIP_SPAN_MAGIC ? 4
												: 0;
	return held_u32(bytes, at) == ZIP_LOCAL_MAGIC && !(held_u16(bytes, at + 6) & ZIP_IS_MASKED);
}

bool zip_is_locked(struct decode *d, const struct zip *z)
{
	return z->find.has_lock && has_decryption_header(d, z) && !begins_with_plain_header(d);
}
