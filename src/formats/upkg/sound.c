/* Sounds and music: the file that lies inside. */
#include "formats/upkg/body.h"

#include "core/canary.h"

/* The first bytes of a payload, as far as it has them. */
enum { HEAD_LEN = 64 };
struct head {
	uint8_t bytes[HEAD_LEN];
	size_t n;
};

static bool read_head(struct body *b, uint64_t n, struct head *h)
{
	uint64_t at = body_at(b);
	const uint8_t *p;

	h->n = n < HEAD_LEN ? (size_t)n : HEAD_LEN;
	if (!body_has(b, h->n) || !cursor_bytes(&b->window, h->n, &p))
		return body_cut(b);
	memcpy(h->bytes, p, h->n);
	return body_move(b, at);
}

static bool has(const struct head *h, size_t at, const char *bytes, size_t len)
{
	return at + len <= h->n && memcmp(h->bytes + at, bytes, len) == 0;
}

#define HAS(h, at, literal) has(h, at, literal, sizeof(literal) - 1)

/* Programs and packages have no business in a sound. */
static bool is_smuggled(const struct head *h)
{
	return HAS(h, 0, "MZ") || HAS(h, 0, "\x7F" "ELF") || HAS(h, 0, "\xFE\xED\xFA\xCE") || HAS(h, 0, "\xCE\xFA\xED\xFE") ||
	       HAS(h, 0, "\xFE\xED\xFA\xCF") || HAS(h, 0, "\xCF\xFA\xED\xFE") || HAS(h, 0, "\xC1\x83\x2A\x9E") ||
	       HAS(h, 0, "\xC2\x83\x2A\x9E");
}

static bool name_is(const struct body *b, int32_t name, const char *word)
{
	return text_is(upkg_text_of(b->u, name), word);
}

/* ---- RIFF --------------------------------------------------------------------------------------------------------- */

/* What a RIFF file says of itself. */
struct riff {
	bool has_format, has_data, rate_is_zero, data_is_cut;
};

/* Goes over the chunks of a RIFF file of n bytes that begins here. */
static bool read_chunks(struct body *b, uint64_t n, struct riff *r)
{
	const uint64_t end = body_at(b) + n;
	uint64_t id, len, rate, at;

	if (!body_skip(b, 12))
		return body_cut(b);
	while (end - body_at(b) >= 8) {
		if (!decode_spend(b->d, UPKG_SOUNDS, 1) || !body_u32(b, &id) || !body_u32(b, &len))
			return body_cut(b);
		at = body_at(b);
		if (id == 0x20746D66) {                 /* "fmt " */
			r->has_format = true;
			if (len >= 8 && end - at >= 8 && body_skip(b, 4) && body_u32(b, &rate))
				r->rate_is_zero = rate == 0;
		} else if (id == 0x61746164) {          /* "data" */
			r->has_data = true;
			r->data_is_cut = len > end - at;
		}
		if (len > end - at || !body_move(b, at + len + (len & 1 && len < end - at ? 1 : 0)))
			break;
	}
	return body_move(b, end);
}

static bool read_riff(struct body *b, uint64_t n, const struct head *h)
{
	uint64_t at = body_at(b), size = h->n >= 8 ? bytes_le32(h->bytes + 4) : 0;
	struct riff r = { false };

	if (!HAS(h, 0, "RIFF") || !HAS(h, 8, "WAVE") || size + 8 > n) {
		body_flaw(b, FLAW_SOUND_TYPE, at, n, 1, 0);
		return body_skip(b, n) || body_cut(b);
	}
	if (!read_chunks(b, n, &r))
		return false;
	if (!r.has_format || !r.has_data || r.rate_is_zero || r.data_is_cut)
		body_flaw(b, FLAW_SOUND_FORM, at, n, !r.has_format ? 0 : !r.has_data ? 1 : r.data_is_cut ? 2 : 3, 0);
	return true;
}

bool body_sound(struct body *b)
{
	const uint64_t licensee = b->u->tag.licensee;
	uint64_t at = body_at(b), n;
	struct head h;
	int32_t type;

	if (!body_name(b, FLAW_NATIVE_REFERENCE, &type) || (licensee >= 26 && licensee <= 29 && !body_skip(b, 4)))
		return body_cut(b);
	if (b->u->era == UPKG_UE1 && !name_is(b, type, "WAV"))
		body_flaw(b, FLAW_SOUND_TYPE, at, 1, 0, type);
	if (!body_lazy(b, &n) || !read_head(b, n, &h))
		return false;
	if (is_smuggled(&h))
		body_flaw(b, FLAW_SMUGGLED, body_at(b), n, 0, 0);
	if (name_is(b, type, "WAV"))
		return read_riff(b, n, &h) && body_end(b);
	return (body_skip(b, n) || body_cut(b)) && body_end(b);
}

/* ---- Music -------------------------------------------------------------------------------------------------------- */

static bool is_music(const struct body *b, int32_t type)
{
	static const char *const types[] = { "it", "s3m", "xm", "mod", "stm", "far", "mtm", "ogg", "umx" };

	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
		if (name_is(b, type, types[i]))
			return true;
	return false;
}

/* Three kinds of modules say what they are in their first bytes. */
static bool contradicts(const struct body *b, int32_t type, const struct head *h)
{
	if (name_is(b, type, "it"))
		return !HAS(h, 0, "IMPM");
	if (name_is(b, type, "s3m"))
		return !HAS(h, 44, "SCRM");
	return name_is(b, type, "xm") && !HAS(h, 0, "Extended Module:");
}

bool body_music(struct body *b)
{
	uint64_t at = body_at(b), n;
	struct head h;
	int32_t type;

	if (!body_name(b, FLAW_NATIVE_REFERENCE, &type))
		return body_cut(b);
	if (!is_music(b, type))
		body_flaw(b, FLAW_MUSIC_TYPE, at, body_at(b) - at, type, 0);
	if (!body_lazy(b, &n) || !read_head(b, n, &h))
		return false;
	if (is_smuggled(&h))
		body_flaw(b, FLAW_SMUGGLED, body_at(b), n, 0, 0);
	else if (contradicts(b, type, &h))
		body_flaw(b, FLAW_MUSIC_FORM, body_at(b), n, type, 0);
	return (body_skip(b, n) || body_cut(b)) && body_end(b);
}
