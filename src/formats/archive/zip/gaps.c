/* What lies between the members of a zip. Source: conformance/spec/zip.md, 3.8 and 3.9. */
#include "core/mutant.h"
#include "formats/archive/zip/zip.h"

/* The end of a block that Android's signer puts before the central directory. */
static const char apk_magic[] = "APK Sig Block 42";
enum { APK_MAGIC_LEN = sizeof apk_magic - 1 };

/* A scan goes through the bytes of a gap. It keeps the last ones of each piece, in which a header
 * may begin. */
struct scan {
	struct zip_gap *gap;
	uint8_t kept[zip_local_fixed_len];
	uint64_t n_kept;
	bool is_zero;
};

/* A header that could be one: its name lies in the gap and is not empty, and its method is a small
 * number. */
static bool is_member(const struct zip_gap *gap, uint64_t at, const struct zip_local *h)
{
	enum { METHOD_LAST = 99 };
	const uint64_t name_at = at + zip_local_fixed_len, end = gap->span.at + gap->span.len;

	return h->magic == ZIP_LOCAL_MAGIC && h->name_len > 0 && h->method <= METHOD_LAST &&
	       name_at <= end && h->name_len <= end - name_at;
}

/* Whether the bytes of a member before all that are listed reach over these. */
static bool covers(const struct zip_gap *gap, uint64_t at, const struct zip_local *h)
{
	const uint64_t end = gap->span.at + gap->span.len,
		       data_at = at + zip_local_fixed_len + h->name_len + h->extra_len;

	return gap->span.at == 0 && data_at <= end && h->packed > end - data_at;
}

static bool is_found(const struct zip_gap *gap)
{
	return gap->traits & ZIP_GAP_COVERS || (gap->traits & ZIP_GAP_MEMBER && gap->span.at > 0);
}

static void note_member(struct zip_gap *gap, uint64_t at, const struct zip_local *h)
{
	const uint32_t trait = covers(gap, at, h) ? ZIP_GAP_COVERS : ZIP_GAP_MEMBER;

	if (trait == ZIP_GAP_MEMBER && gap->traits & ZIP_GAP_MEMBER)
		return;
	gap->traits = trait;
	gap->found_at = at;
	gap->name = (struct span){ at + zip_local_fixed_len, h->name_len };
}

/* Looks for a header in bytes that lie at `at`. */
static void search(struct scan *s, struct held bytes, uint64_t at)
{
	struct held rest = bytes;

	while (rest.len >= zip_local_fixed_len && !is_found(s->gap)) {
		const uint64_t skipped = held_find(rest, 'P');
		struct zip_local h;
		struct cursor c;

		rest = held_part(rest, skipped, rest.len - skipped);
		at += skipped;
		c = cursor_init(rest.bytes, rest.len, at);
		if (zip_local_read(&c, 0, &h) && is_member(s->gap, at, &h))
			note_member(s->gap, at, &h);
		rest = held_part(rest, 1, rest.len > 0 ? rest.len - 1 : 0);
		at++;
	}
}

/* A header that lies in two pieces: the last bytes of the one, and the first of the next. */
static void search_seam(struct scan *s, struct held bytes, uint64_t at)
{
	uint8_t seam[2 * zip_local_fixed_len];
	const uint64_t n = bytes.len < zip_local_fixed_len ? bytes.len : zip_local_fixed_len;

	memcpy(seam, s->kept, (size_t)s->n_kept);
	memcpy(seam + s->n_kept, bytes.bytes, (size_t)n);
	search(s, (struct held){ seam, s->n_kept + n }, at - s->n_kept);
}

/* Pieces may be shorter than a header. */
static void keep_last(struct scan *s, struct held bytes)
{
	enum { KEPT = zip_local_fixed_len - 1 };
	const uint64_t n = bytes.len < KEPT ? bytes.len : KEPT,
		       old = s->n_kept < KEPT - n ? s->n_kept : KEPT - n;

	memmove(s->kept, s->kept + (s->n_kept - old), (size_t)old);
	memcpy(s->kept + old, held_part(bytes, bytes.len - n, n).bytes, (size_t)n);
	s->n_kept = old + n;
}

static bool scan_piece(void *ctx, uint64_t at, const uint8_t *bytes, uint64_t n)
{
	struct scan *s = ctx;
	const struct held piece = { bytes, n };

	/* mutant: zeros are told if there is one of them */
	s->is_zero = s->is_zero && held_is_zero(piece) && !(n == 1 && MUTANT(374));
	if (s->n_kept > 0)
		search_seam(s, piece, at);
	search(s, piece, at);
	keep_last(s, piece);
	return true;
}

/* What a file begins with that was once one of several volumes. */
static bool is_span_mark(uint64_t magic)
{
	return magic == ZIP_DESCRIPTOR_MAGIC || magic == ZIP_SPAN_MAGIC;
}

/* Whether a gap ends in the magic of the block of an APK's signer. */
static bool is_apk_block(struct decode *d, const struct zip_gap *gap, bool *is_one)
{
	uint8_t last[APK_MAGIC_LEN];
	struct span span = { gap->span.at, sizeof last };

	*is_one = false;
	if (gap->span.len < sizeof last)
		return true;
	span.at += gap->span.len - sizeof last;
	if (!decode_copy(d, ZIP_LOCALS, span, last))
		return false;
	*is_one = memcmp(last, apk_magic, sizeof last) == 0;
	return true;
}

/* Whether bytes of a gap are ones that a writer is known for: the mark at the beginning of a file,
 * the block of an APK's signer, or the record that comes before an encrypted directory. */
static bool is_known(struct decode *d, const struct zip_gap *gap, bool *known)
{
	uint8_t first[4];
	uint64_t magic;

	*known = false;
	if (gap->span.len < sizeof first)
		return true;
	if (!decode_copy(d, ZIP_LOCALS, (struct span){ gap->span.at, sizeof first }, first))
		return false;
	magic = held_u32((struct held){ first, sizeof first }, 0);
	*known = magic == ZIP_EXTRA_DATA_MAGIC ||
		 (gap->span.at == 0 && gap->span.len == sizeof first && is_span_mark(magic));
	return *known || is_apk_block(d, gap, known);
}

bool zip_look_at_gap(struct decode *d, struct zip_gap *gap)
{
	struct scan s = { .gap = gap, .is_zero = true };
	bool known;

	if (!decode_stream(d, ZIP_LOCALS, gap->span, scan_piece, &s) || !is_known(d, gap, &known))
		return false;
	if (s.is_zero || known)
		gap->traits |= ZIP_GAP_KNOWN;
	else if (!(gap->traits & (ZIP_GAP_MEMBER | ZIP_GAP_COVERS)))
		gap->traits |= ZIP_GAP_BYTES;
	return true;
}
