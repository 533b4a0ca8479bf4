/* The sums of a .sig: one for each piece of the archive. Source: conformance/spec/pak.md, 6.7. */
#include "codec/crc.h"
#include "formats/pak/payload.h"

/* The sums are CRC-32 with the lowest bit first, which is CRC-32/BZIP2 of mirrored bytes,
 * mirrored. */
struct summing {
	struct decode *d;
	struct pak_signature *sig;
	uint64_t piece, len; /* the piece that is summed up, and how much of it was seen */
	struct crc crc;
	bool stopped;
};

/* Mirrors the bits of each of eight bytes. */
static uint64_t mirror_bytes(uint64_t x)
{
	x = (x >> 1 & UINT64_C(0x5555555555555555)) | (x & UINT64_C(0x5555555555555555)) << 1;
	x = (x >> 2 & UINT64_C(0x3333333333333333)) | (x & UINT64_C(0x3333333333333333)) << 2;
	return (x >> 4 & UINT64_C(0x0F0F0F0F0F0F0F0F)) | (x & UINT64_C(0x0F0F0F0F0F0F0F0F)) << 4;
}

static uint32_t mirror_word(uint32_t x)
{
	const uint64_t y = mirror_bytes(x);

	return (uint32_t)((y & 0xFF) << 24 | (y >> 8 & 0xFF) << 16 | (y >> 16 & 0xFF) << 8 |
			  (y >> 24 & 0xFF));
}

enum { MIRRORED = 1024 };

/* Eight bytes from `at` on, the last of a text filled up with zeros. */
static uint64_t take_word(struct held h, uint64_t at)
{
	uint64_t word = 0;

	if (h.len - at >= 8)
		return held_u64(h, at);
	for (uint64_t i = h.len; i > at; i--)
		word = word << 8 | held_u8(h, i - 1);
	return word;
}

/* The bytes of a word in their order, on any machine. */
static void put_word(uint8_t out[8], uint64_t word)
{
	for (unsigned i = 0; i < 8; i++)
		out[i] = (uint8_t)(word >> 8 * i);
}

static void add_mirrored(struct crc *crc, struct held h)
{
	uint8_t mirrored[MIRRORED];

	for (uint64_t at = 0, part; at < h.len; at += part) {
		part = h.len - at < MIRRORED ? h.len - at : MIRRORED;
		for (uint64_t i = 0; i < part; i += 8)
			put_word(&mirrored[i], mirror_bytes(take_word(h, at + i)));
		crc_add(crc, mirrored, part);
	}
}

/* Compares a piece with its sum. false: that cannot be read, which is noted. */
static bool end_piece(struct summing *s)
{
	const uint64_t at = s->sig->sums_at + s->piece * PAK_SIG_SUM_LEN;
	struct source *file = s->sig->source;
	uint8_t bytes[PAK_SIG_SUM_LEN];
	uint32_t sum;

	if (!decode_spend(s->d, PAK_SIGNED, 1))
		return false;
	if (!source_copy(file, (struct span){ at, sizeof bytes }, bytes))
		return decode_stop_in(s->d, PAK_SIGNED, STOP_INPUT, file,
				      (struct span){ at, sizeof bytes });
	sum = (uint32_t)held_u32((struct held){ bytes, sizeof bytes }, 0);
	if (mirror_word(s->crc.value) != sum) {
		if (s->sig->n_wrong++ == 0) {
			s->sig->wrong = s->piece;
			s->sig->sum = sum;
			s->sig->computed = mirror_word(s->crc.value);
		}
	}
	s->piece++;
	s->len = 0;
	s->crc = (struct crc){ 0 };
	return true;
}

static bool add_bytes(void *ctx, uint64_t at, const uint8_t *bytes, uint64_t n)
{
	const struct held all = { bytes, n };
	struct summing *s = ctx;
	uint64_t part;

	(void)at;
	for (uint64_t i = 0; i < n && !s->stopped; i += part) {
		part = n - i < PAK_SIG_PIECE - s->len ? n - i : PAK_SIG_PIECE - s->len;
		add_mirrored(&s->crc, held_part(all, i, part));
		s->len += part;
		if (s->len == PAK_SIG_PIECE)
			s->stopped = !end_piece(s);
	}
	return !s->stopped;
}

void pak_check_sums(struct decode *d, struct pak *p)
{
	struct pak_signature *sig = &p->content.signature;
	struct summing s = { .d = d, .sig = sig };

	if (!sig->source || sig->n_sums != sig->expected || sig->source->io.size < sig->needs)
		return;
	if (d->level == LEVEL_STRUCTURE) {
		decode_stop(d, PAK_SIGNED, STOP_LEVEL, (struct span){ 0, 0 });
		return;
	}
	if (decode_stream(d, PAK_SIGNED, (struct span){ 0, p->size }, add_bytes, &s) && s.len > 0)
		(void)end_piece(&s);
}
