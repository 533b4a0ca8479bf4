/* Archives that begin somewhere in a file. Source: conformance/spec/archive.md, 1.15. */
#include "formats/archive/members/second.h"

#include <string.h>

#include "codec/crc32.h"

/* ---- 7z and rar, whose first bytes prove themselves ------------------------------------------ */

/* As many bytes as are read to see whether one begins there. */
enum { PROOF_LEN = 1024, SEVENZIP_START_LEN = 32 };

static uint32_t sum_of(struct held b)
{
	return crc32_add(0, b.bytes, b.len);
}

static bool is_sevenzip(struct held b)
{
	return held_has(b, 0, SEVENZIP_START_LEN) && held_u8(b, 6) == 0 &&
	       sum_of(held_part(b, 12, 20)) == held_u32(b, 8);
}

/* The archive header of rar 4. With a comment in it, its checksum is of the first 13 bytes. */
static bool is_rar4(struct held b)
{
	enum { HEAD_AT = 7, ARCHIVE = 0x73, LEAST = 13, HAS_COMMENT = 2 };
	const struct held head = held_part(b, HEAD_AT, b.len - HEAD_AT);
	const uint64_t flags = held_u16(head, 3), whole = held_u16(head, 5),
		       len = flags & HAS_COMMENT ? LEAST : whole;

	return held_u8(head, 2) == ARCHIVE && whole >= LEAST && held_has(head, 0, len) &&
	       (sum_of(held_part(head, 2, len - 2)) & 0xFFFF) == held_u16(head, 0);
}

/* The first block of rar 5, of which the size has one or two bytes: the archive's header, or that
 * of encryption. */
static bool is_rar5(struct held b)
{
	enum { HEAD_AT = 8, SIZE_AT = 12, ARCHIVE = 1, ENCRYPTION = 4 };
	const uint64_t low = held_u8(b, SIZE_AT), high = held_u8(b, SIZE_AT + 1),
		       n = low < 128 ? 1 : 2, size = n == 1 ? low : low % 128 + high * 128,
		       type = held_u8(b, SIZE_AT + n);

	return (n == 1 || high < 128) && (type == ARCHIVE || type == ENCRYPTION) && size > 0 &&
	       held_has(b, SIZE_AT, n + size) &&
	       sum_of(held_part(b, SIZE_AT, n + size)) == held_u32(b, HEAD_AT);
}

static bool is_proved(struct held b, enum arc_signature is)
{
	switch (is) {
	case ARC_IS_7Z:
		return is_sevenzip(b);
	case ARC_IS_RAR4:
		return is_rar4(b);
	case ARC_IS_RAR5:
		return is_rar5(b);
	default:
		return false;
	}
}

bool arc_begins_at(struct decode *d, uint32_t group, uint64_t at, enum arc_signature *is)
{
	const uint64_t size = d->source->io.size, left = at < size ? size - at : 0;
	uint8_t bytes[PROOF_LEN];
	const struct held b = { bytes, left < PROOF_LEN ? left : PROOF_LEN };

	*is = ARC_NO_ARCHIVE;
	if (!decode_copy(d, group, (struct span){ at, b.len }, bytes))
		return false;
	*is = arc_signature_of(b);
	if (!is_proved(b, *is))
		*is = ARC_NO_ARCHIVE;
	return true;
}

/* ---- Somewhere in a span --------------------------------------------------------------------- */

/* How much of a span is searched: programs that unpack self-extracting archives look no further. */
#define WITHIN_MAX ((uint64_t)8 << 20)

enum { PIECE_LEN = 65536, MAGIC_LEN = 6 };

/* Whether the bytes can be the first of a 7z or a rar. */
static bool seems_to_begin(struct held b, uint64_t at)
{
	static const char rar[] = "Rar!\x1A\7", sevenzip[] = "7z\xBC\xAF\x27\x1C";
	const struct held first = held_part(b, at, MAGIC_LEN);

	return first.len > 0 && (memcmp(first.bytes, rar, MAGIC_LEN) == 0 ||
				 memcmp(first.bytes, sevenzip, MAGIC_LEN) == 0);
}

static bool look_at(struct decode *d, uint32_t group, uint64_t at, struct arc_second *out)
{
	enum arc_signature is;

	if (!arc_begins_at(d, group, at, &is))
		return false;
	if (is != ARC_NO_ARCHIVE)
		*out = (struct arc_second){ .is = is, .at = { at, MAGIC_LEN } };
	return true;
}

static bool look_through(struct decode *d, uint32_t group, struct held piece, uint64_t at,
			 struct arc_second *out)
{
	for (uint64_t i = 0; i < piece.len && out->is == ARC_NO_ARCHIVE; i++)
		if (seems_to_begin(piece, i) && !look_at(d, group, at + i, out))
			return false;
	return true;
}

bool arc_second_within(struct decode *d, uint32_t group, struct span span, struct arc_second *out)
{
	const uint64_t size = d->source->io.size;
	const uint64_t len = span.len < WITHIN_MAX ? span.len : WITHIN_MAX;
	const uint64_t longest = (len < PIECE_LEN ? len : PIECE_LEN) + MAGIC_LEN;
	uint8_t *bytes;

	if (len == 0 || out->is != ARC_NO_ARCHIVE)
		return true;
	bytes = decode_alloc(d, group, longest, 1);
	for (uint64_t n = 0; bytes && n < len && out->is == ARC_NO_ARCHIVE; n += PIECE_LEN) {
		const uint64_t at = span.at + n, left = size - at,
			       want = (len - n < PIECE_LEN ? len - n : PIECE_LEN) + MAGIC_LEN - 1;
		const struct held piece = { bytes, left < want ? left : want };

		if (!decode_copy(d, group, (struct span){ at, piece.len }, bytes) ||
		    !look_through(d, group, piece, at, out))
			return false;
	}
	return bytes != NULL;
}

/* ---- At a place ------------------------------------------------------------------------------ */

static bool are_alike(enum arc_signature a, enum arc_signature b)
{
	return a == b || (a == ARC_IS_RAR4 && b == ARC_IS_RAR5) ||
	       (a == ARC_IS_RAR5 && b == ARC_IS_RAR4);
}

/* A second archive of the same kind is read by no program, and only bytes that follow. What is no
 * more than two or three bytes counts where the first archive ends alone. */
bool arc_second_after(struct decode *d, uint32_t group, uint64_t at, enum arc_signature is,
		      struct arc_second *out)
{
	const uint64_t size = d->source->io.size, left = at < size ? size - at : 0;
	struct arc_second found = { .is = ARC_NO_ARCHIVE };
	uint8_t bytes[ARC_SIGNATURE_LEN];
	const struct held first = { bytes, left < sizeof bytes ? left : sizeof bytes };

	if (left == 0 || out->is != ARC_NO_ARCHIVE)
		return true;
	if (!decode_copy(d, group, (struct span){ at, first.len }, bytes))
		return false;
	found.is = arc_signature_of(first);
	found.at = (struct span){ at, first.len < MAGIC_LEN ? first.len : MAGIC_LEN };
	if (found.is == ARC_NO_ARCHIVE || found.is == ARC_IS_7Z || found.is == ARC_IS_RAR4 ||
	    found.is == ARC_IS_RAR5 || found.is == ARC_IS_ZIP ||
	    found.is == ARC_IS_UNREAD) { /* which have to prove it */
		found.is = ARC_NO_ARCHIVE;
		if (!arc_second_within(d, group, (struct span){ at, left }, &found))
			return false;
	}
	if (found.is != ARC_NO_ARCHIVE && !are_alike(found.is, is))
		*out = found;
	return true;
}

bool arc_second_tar(struct decode *d, uint32_t group, enum arc_signature is, struct arc_second *out)
{
	uint8_t bytes[ARC_TAR_HEADER];
	const struct held header = { bytes, sizeof bytes };
	struct arc_tar_sum sum;

	if (is == ARC_IS_TAR || d->source->io.size < sizeof bytes || out->is != ARC_NO_ARCHIVE)
		return true;
	if (!decode_copy(d, group, (struct span){ 0, sizeof bytes }, bytes))
		return false;
	sum = arc_tar_sum_of(header);
	if (arc_tar_sum_is_right(&sum))
		*out = (struct arc_second){ .is = ARC_IS_TAR, .at = { 0, sizeof bytes } };
	return true;
}
