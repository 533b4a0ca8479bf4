/* The inverse of move-to-front. The moves are cheap; mispredicted branches on the places are
 * not, because the places come in no order. So few cases are distinguished, and each does more
 * than it must. */
#include "codec/mtf.h"

#include <string.h>

#include "codec/cpu.h"
#include "core/mutant.h"
#include "core/compiler.h"

/* ---- In words -------------------------------------------------------------------------------- */

/* The first places of the list are kept in words, the first lowest: shifting one moves eight of
 * them. */
enum { WORDS = 2, NEAR = 8 * WORDS };

struct front {
	uint64_t word[WORDS];
};

static inline struct front load_front(const uint8_t *list)
{
	struct front f = { { 0 } };

	for (unsigned i = 0; i < NEAR; i++)
		f.word[i / 8] |= (uint64_t)list[i] << 8 * (i % 8);
	return f;
}

static inline void store_front(uint8_t *list, const struct front *f)
{
	for (unsigned i = 0; i < NEAR; i++)
		list[i] = (uint8_t)(f->word[i / 8] >> 8 * (i % 8));
}

/* Shifts the places of a word that are below a place up by one, which overwrites the byte at the
 * place, and puts a byte at the bottom. */
UVET_WRAPS static inline uint64_t shift_part(uint64_t word, unsigned place, uint64_t byte)
{
	uint64_t below = ((uint64_t)1 << 8 * place) - 1;

	return (word & ~(below << 8 | 255u)) | (word & below) << 8 | byte;
}

/* Shifts a whole word up by one place, and returns the byte that was at its top. */
UVET_WRAPS static inline uint64_t shift_word(uint64_t *word, uint64_t byte)
{
	uint64_t top = *word >> 56;

	*word = *word << 8 | byte;
	return top;
}

/* Moves the byte at a place in the words to the front. */
static inline void move_near(struct front *f, unsigned place)
{
	unsigned last = place / 8;
	uint64_t byte = f->word[last] >> 8 * (place % 8) & 255u;

	for (unsigned k = 0; k < last; k++)
		byte = shift_word(&f->word[k], byte);
	f->word[last] = shift_part(f->word[last], place % 8, byte);
}

/* The same for the places after the words. */
static inline void move_far(uint8_t *list, struct front *f, unsigned place)
{
	uint64_t byte = list[place];

	/* mutant: the last place stays */
	memmove(list + NEAR + 1, list + NEAR, place - NEAR - (MUTANT(207) && place == 255));
	for (unsigned k = 0; k < WORDS; k++)
		byte = shift_word(&f->word[k], byte);
	/* mutant: from one place another byte comes */
	list[NEAR] = (uint8_t)(byte ^ (MUTANT(232) && place == 219));
}

static void decode_plain(uint8_t *list, uint8_t *bytes, uint64_t n)
{
	struct front f = load_front(list);

	for (uint64_t i = 0; i < n; i++) {
		unsigned place = bytes[i];

		/* 0 too: a branch that is often mispredicted costs more than the shift */
		if (place < 8)
			f.word[0] = shift_part(f.word[0], place, f.word[0] >> 8 * place & 255u);
		else if (place < NEAR + (unsigned)MUTANT(44)) /* mutant: one place too many */
			move_near(&f, place);
		else
			move_far(list, &f, place);
		bytes[i] = (uint8_t)f.word[0];
	}
	store_front(list, &f);
}

/* ---- In vectors ------------------------------------------------------------------------------ */

#if defined(CPU_AVX2)

enum { WIDE = 32, TURN = 16 };

static inline __m256i *wide_at(uint8_t *bytes)
{
	return (void *)bytes;
}

/* Turn p brings place p of sixteen to the front. */
static void make_turns(uint8_t turns[TURN][TURN])
{
	for (unsigned p = 0; p < TURN; p++)
		for (unsigned i = 0; i < TURN; i++)
			turns[p][i] = (uint8_t)(i == 0 ? p : i <= p ? i - 1 : i);
}

/* Of 32 places, shifts those up by one that are not above a place; the last of the 32 before
 * them becomes the first. It does without _mm256_blendv_epi8: where plain char is unsigned, gcc
 * 12 compiles that wrongly, and nothing moves. */
CPU_AVX2 static inline __m256i shift_wide(__m256i bytes, __m256i before, __m256i places,
					  __m256i place)
{
	__m256i shifted = _mm256_alignr_epi8(bytes, _mm256_permute2x128_si256(before, bytes, 0x21),
					     15);
	__m256i moves = _mm256_cmpeq_epi8(_mm256_max_epu8(places, place), place);

	return _mm256_or_si256(_mm256_and_si256(moves, shifted), _mm256_andnot_si256(moves, bytes));
}

/* Moves the byte at a place after the first sixteen to the front, and returns those. It goes
 * over the whole list, because such a place may be anywhere in it. */
CPU_AVX2 static inline __m128i move_far_wide(uint8_t *list, __m128i front, unsigned far)
{
	const __m256i step = _mm256_set1_epi8(WIDE), place = _mm256_set1_epi8((char)far);
	__m256i places = _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
					  17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
					  31);
	__m256i before = _mm256_set1_epi8((char)list[far]), bytes, first;

	bytes = _mm256_inserti128_si256(_mm256_loadu_si256(wide_at(list)), front, 0);
	first = shift_wide(bytes, before, places, place);
	_mm256_storeu_si256(wide_at(list), first);
	for (unsigned i = WIDE; i < 256; i += WIDE) {
		before = bytes;
		bytes = _mm256_loadu_si256(wide_at(list + i));
		places = _mm256_add_epi8(places, step);
		_mm256_storeu_si256(wide_at(list + i), shift_wide(bytes, before, places, place));
	}
	return _mm256_castsi256_si128(first);
}

CPU_AVX2 static void decode_wide(uint8_t *list, uint8_t *bytes, uint64_t n)
{
	uint8_t turns[TURN][TURN];
	__m128i front = _mm_loadu_si128((const void *)list);

	make_turns(turns);
	for (uint64_t i = 0; i < n; i++) {
		unsigned place = bytes[i];

		if (place < TURN)
			front = _mm_shuffle_epi8(front,
						 _mm_loadu_si128((const void *)turns[place]));
		else
			front = move_far_wide(list, front, place);
		bytes[i] = (uint8_t)_mm_cvtsi128_si32(front);
	}
	_mm_storeu_si128((void *)list, front);
}

#else

static void decode_wide(uint8_t *list, uint8_t *bytes, uint64_t n)
{
	(void)list, (void)bytes, (void)n; /* cpu_has_avx2 said no */
}

#endif

/* ---- Either ---------------------------------------------------------------------------------- */

void mtf_start(struct mtf *m, uint64_t n)
{
	m->wide = n >= MTF_LARGE && cpu_has_avx2();
	for (unsigned i = 0; i < 256; i++)
		m->list[i] = (uint8_t)i;
}

void mtf_decode(struct mtf *m, uint8_t *bytes, uint64_t n)
{
	if (m->wide)
		decode_wide(m->list, bytes, n);
	else
		decode_plain(m->list, bytes, n);
}
