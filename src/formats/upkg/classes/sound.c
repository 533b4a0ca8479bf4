/* Sounds and music: the file that lies inside. */
#include "formats/upkg/classes/readers.h"

#include "core/mutant.h"
#include "formats/upkg/body/parts.h"
#include "formats/upkg/tables/names.h"

/* The first bytes of a payload, as far as it has them. */
enum { HEAD_LEN = 64 };
struct head {
	uint8_t bytes[HEAD_LEN];
	size_t n;
};

static bool read_head(struct body *b, uint64_t n, struct head *h)
{
	uint64_t at = body_at(b);
	struct held head;

	h->n = n < HEAD_LEN ? (size_t)n : HEAD_LEN;
	if (!body_held(b, h->n, &head))
		return body_cut(b);
	if (h->n > 0)
		memcpy(h->bytes, head.bytes, h->n);
	body_move(b, at);
	return true;
}

static bool has(const struct head *h, size_t at, const char *bytes, size_t len)
{
	return at + len <= h->n && memcmp(&h->bytes[at], bytes, len) == 0;
}

#define HAS(h, at, literal) has(h, at, literal, sizeof(literal) - 1)

enum { SMUGGLED_LEN = 2 }; /* bytes of the shortest of them */

/* Whether a payload begins as a program or a package does. */
static bool is_smuggled(const struct head *h)
{
	static const struct {
		const char *magic;
		size_t len;
	} hidden[] = {
#define MUSIC(type, magic, at)
#define HIDDEN(magic) { magic, sizeof(magic) - 1 },
#include "formats/upkg/classes/payloads.def"
#undef MUSIC
#undef HIDDEN
	};

	for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
		if (has(h, 0, hidden[i].magic, hidden[i].len))
			return true;
	return false;
}

static bool name_is(const struct body *b, int32_t name, const char *word)
{
	return text_is(upkg_text_of(b->u, name), word);
}

/* ---- RIFF ------------------------------------------------------------------------------------ */

/* What can be wrong in a RIFF file that has a format and data, in the order in which it is noted,
 * and how many bytes that is about. */
enum wave_defect { DATA_CUT, RATE_ZERO, CHUNK_CUT, NO_CHANNELS, NO_BITS, N_WAVE_DEFECTS };
static const struct {
	enum upkg_flaw_kind kind;
	uint8_t len;
} wave_defects[N_WAVE_DEFECTS] = {
	[DATA_CUT] = { FLAW_WAVE_DATA_CUT, 4 },   [RATE_ZERO] = { FLAW_WAVE_RATE_ZERO, 4 },
	[CHUNK_CUT] = { FLAW_WAVE_CHUNK_CUT, 4 }, [NO_CHANNELS] = { FLAW_WAVE_NO_CHANNELS, 2 },
	[NO_BITS] = { FLAW_WAVE_NO_BITS, 2 },
};

/* What a RIFF file says of itself, with the places of what is wrong in it; 0: nothing is. */
struct riff {
	bool met_format, has_format, has_data;
	uint64_t defects_at[N_WAVE_DEFECTS];
};

/* The shortest format that has the rate, and that of plain samples, which has their bits. */
enum { RIFF_LEN = 12, FORMAT_LEN = 14, FORMAT_WITH_BITS_LEN = 16, FORMAT_PLAIN = 1 };

static bool read_format(struct body *b, uint64_t len, struct riff *r)
{
	const uint64_t at = body_at(b);
	struct held format;

	if (!body_held(b, len, &format))
		return body_cut(b);
	r->has_format = true;
	if (held_u16(format, 2) == 0)
		r->defects_at[NO_CHANNELS] = at + 2;
	if (held_u32(format, 4) == 0)
		r->defects_at[RATE_ZERO] = at + 4;
	if (len == FORMAT_WITH_BITS_LEN && held_u16(format, 0) == FORMAT_PLAIN &&
	    held_u16(format, 14) == 0)
		r->defects_at[NO_BITS] = at + 14;
	return true;
}

/* Reads the first format: the engine takes no other. */
static bool read_first_format(struct body *b, uint64_t len, uint64_t left, struct riff *r)
{
	const uint64_t n = len < left ? len : left;

	if (r->met_format)
		return true;
	r->met_format = true;
	return n < FORMAT_LEN ||
	       read_format(b, n < FORMAT_WITH_BITS_LEN ? FORMAT_LEN : FORMAT_WITH_BITS_LEN, r);
}

/* The engine adds the length of a chunk to its address, in 32 bits: from here on that leads
 * back. */
#define CHUNK_LEADS_BACK 0x7FFFFFF7u

/* Notes where a chunk is longer than what is left of its file. */
static void note_chunk_cut(struct body *b, uint64_t len_at, uint64_t len, bool is_data,
			   struct riff *r)
{
	if (len >= CHUNK_LEADS_BACK)
		body_flaw(b, FLAW_WAVE_LEADS_BACK, len_at, 4, (int64_t)len, 0);
	else
		r->defects_at[is_data ? DATA_CUT : CHUNK_CUT] = len_at;
}

enum { ID_FORMAT = 0x20746D66, ID_DATA = 0x61746164 }; /* "fmt ", "data" */

/* Reads the chunks of a RIFF file of n bytes that begins here. */
static bool read_chunks(struct body *b, uint64_t n, struct riff *r)
{
	const uint64_t end = body_at(b) + n;
	uint64_t id, len, at;

	body_pass(b, RIFF_LEN);
	while (end - body_at(b) >= 8) {
		if (!decode_spend(b->d, UPKG_SOUNDS, 1) || !body_u32(b, &id) || !body_u32(b, &len))
			return body_cut(b);
		at = body_at(b);
		if (id == ID_FORMAT && !read_first_format(b, len, end - at, r))
			return false;
		r->has_data = r->has_data || id == ID_DATA;
		if (len > end - at) {
			note_chunk_cut(b, at - 4, len, id == ID_DATA, r);
			break;
		}
		body_move(b, at + len + (len & 1 && len < end - at ? 1 : 0));
	}
	body_move(b, end);
	return true;
}

/* Notes the first thing that is wrong with a file that has a format and data. */
static void examine_wave(struct body *b, const struct riff *r)
{
	for (unsigned i = 0; i < N_WAVE_DEFECTS; i++)
		if (r->defects_at[i] > 0) {
			body_flaw_plain(b, wave_defects[i].kind, r->defects_at[i],
					wave_defects[i].len);
			return;
		}
}

/* The engine's reader of chunks asks for the letters WAVE alone. Of what is otherwise no sound
 * only the chunks are examined, and where they lead. */
static bool read_riff(struct body *b, uint64_t n, const struct head *h, bool is_wav)
{
	const uint64_t at = body_at(b), size = held_u32((struct held){ h->bytes, h->n }, 4);
	const bool is_wave = HAS(h, 0, "RIFF") && HAS(h, 8, "WAVE"),
		   is_whole = is_wave && size + 8 <= n;
	struct riff r = { false };

	if (is_wav && !is_whole)
		body_flaw_plain(b, is_wave ? FLAW_SOUND_LONGER : FLAW_SOUND_NO_WAVE,
				is_wave ? at + 4 : at,
				is_wave        ? 4
				: n < RIFF_LEN ? n
					       : RIFF_LEN);
	if (!HAS(h, 8, "WAVE"))
		return body_step(b, n);
	if (!read_chunks(b, n, &r))
		return false;
	if (!is_wav || !is_whole)
		return true;
	if (!r.has_format || !r.has_data)
		body_flaw_plain(b, r.has_format ? FLAW_WAVE_NO_DATA : FLAW_WAVE_NO_FORMAT, at,
				RIFF_LEN);
	else
		examine_wave(b, &r);
	return true;
}

bool body_sound(struct body *b)
{
	const uint64_t licensee = b->u->tag.licensee;
	struct span type_at = { body_at(b), 0 }, count;
	struct head h;
	uint64_t n;
	int32_t type;
	bool is_wav, is_ogg;

	if (!body_name(b, FLAW_NATIVE_REFERENCE, &type))
		return body_cut(b);
	type_at.len = body_at(b) - type_at.at;
	is_wav = name_is(b, type, "WAV");
	is_ogg = name_is(b, type, "OGG");
	if (b->u->era == UPKG_UE1 && upkg_name_of(b->u, type) && !is_wav && !is_ogg)
		body_flaw_plain(b, FLAW_SOUND_TYPE, type_at.at, type_at.len);
	if (licensee >= 26 && licensee <= 29 && !body_skip(b, 4))
		return body_cut(b);
	if (!body_lazy(b, &n, &count) || !read_head(b, n, &h))
		return false;
	if (b->u->era == UPKG_UE1 && is_ogg)
		body_flaw_plain(b, HAS(&h, 0, "OggS") ? FLAW_SOUND_OGG : FLAW_SOUND_TYPE,
				type_at.at, type_at.len);
	if (!is_smuggled(&h))
		return body_closed(b, read_riff(b, n, &h, is_wav));
	body_flaw_plain(b, FLAW_SMUGGLED, body_at(b), SMUGGLED_LEN);
	return body_closed(b, body_step(b, n));
}

/* ---- Sounds made of others ------------------------------------------------------------------- */

/* Both kinds were measured in UT2004 alone; what they have elsewhere is left out. */
static bool is_ut2004(const struct body *b)
{
	return b->u->tag.version == 128 && b->u->tag.licensee == 29;
}

/* A group has a list of sounds instead of a file. */
bool body_sound_group(struct body *b)
{
	int32_t sound;
	int64_t n;

	if (!is_ut2004(b))
		return body_leave_other(b);
	if (!body_count(b, 1, &n))
		return false;
	for (; n > 0; n--)
		if (!decode_spend(b->d, UPKG_SOUNDS, 1) ||
		    !body_whole(b, body_object(b, FLAW_NATIVE_REFERENCE, &sound)))
			return false;
	body_end(b);
	return true;
}

enum { LIKELIHOOD_LEN = 4, RANGES_LEN = 16 };

/* A procedural sound is another sound, and ranges of pitch and volume. */
bool body_sound_procedural(struct body *b)
{
	int32_t sound;

	if (!is_ut2004(b))
		return body_leave_other(b);
	if (!body_step(b, LIKELIHOOD_LEN) ||
	    !body_whole(b, body_object(b, FLAW_NATIVE_REFERENCE, &sound)))
		return false;
	return body_closed(b, body_step(b, RANGES_LEN));
}

/* ---- Music ----------------------------------------------------------------------------------- */

static const struct music {
	const char *type, *magic;
	uint8_t at, len;
} musics[] = {
#define MUSIC(type, magic, at) { type, magic, at, sizeof(magic) - 1 },
#define HIDDEN(magic)
#include "formats/upkg/classes/payloads.def"
#undef MUSIC
#undef HIDDEN
};

/* The type of music that a name is; NULL: none that the engine knows. */
static const struct music *find_music(const struct body *b, int32_t type)
{
	for (size_t i = 0; i < sizeof musics / sizeof musics[0]; i++)
		if (name_is(b, type, musics[i].type))
			return &musics[i];
	return NULL;
}

/* Examines whether a file has what its type has. */
static void examine_music(struct body *b, int32_t type, const struct music *m, const struct head *h)
{
	const bool is_there = m->at + m->len <= (int)h->n;

	if (!has(h, m->at, m->magic, m->len))
		body_flaw(b, FLAW_MUSIC_FORM, body_at(b) + (is_there ? m->at : 0),
			  is_there ? m->len : h->n, type, 0);
}

bool body_music(struct body *b)
{
	uint64_t at = body_at(b), n;
	const struct music *music;
	struct span count;
	struct head h;
	int32_t type;

	if (!body_name(b, FLAW_NATIVE_REFERENCE, &type))
		return body_cut(b);
	music = find_music(b, type);
	if (upkg_name_of(b->u, type) && !music)
		body_flaw(b, FLAW_MUSIC_TYPE, at, body_at(b) - at, type, 0);
	if (!body_lazy(b, &n, &count) || !read_head(b, n, &h))
		return false;
	if (is_smuggled(&h))
		body_flaw_plain(b, FLAW_SMUGGLED, body_at(b), SMUGGLED_LEN);
	else if (music)
		examine_music(b, type, music, &h);
	return body_closed(b, body_step(b, n));
}
