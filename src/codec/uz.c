/* Undoing move-to-front and runs. */
#include "codec/uz.h"

#include <string.h>

#include "core/canary.h"

void mtf_start(struct mtf *m)
{
	for (unsigned i = 0; i < 256; i++)
		m->list[i] = (uint8_t)i;
}

/* The first places of the list are kept in words, the first lowest: shifting one moves eight of them. */
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

/* Shifts the places of a word that lie below one of it, and lets the byte in at the bottom; what stood at the place goes. */
UVET_WRAPS static inline uint64_t shift_part(uint64_t word, unsigned place, uint64_t byte)
{
	uint64_t below = ((uint64_t)1 << 8 * place) - 1;

	return (word & ~(below << 8 | 255u)) | (word & below) << 8 | byte;
}

/* Shifts a whole word by one place, and returns what falls out at its top. */
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

/* The same for the places behind them. */
static inline void move_far(uint8_t *list, struct front *f, unsigned place)
{
	uint64_t byte = list[place];

	memmove(list + NEAR + 1, list + NEAR, place - NEAR);
	for (unsigned k = 0; k < WORDS; k++)
		byte = shift_word(&f->word[k], byte);
	list[NEAR] = (uint8_t)byte;
}

void mtf_decode(struct mtf *m, uint8_t *bytes, uint64_t n)
{
	struct front f = load_front(m->list);

	for (uint64_t i = 0; i < n; i++) {
		unsigned place = bytes[i];

		if (place < 8)                          /* 0 too: a jump that is often wrong costs more than the shift */
			f.word[0] = shift_part(f.word[0], place, f.word[0] >> 8 * place & 255u);
		else if (place < NEAR + (unsigned)CANARY(44))           /* canary: a place behind the words is taken for one in them */
			move_near(&f, place);
		else
			move_far(m->list, &f, place);
		bytes[i] = (uint8_t)f.word[0];
	}
	store_front(m->list, &f);
}

/* Finds the first five equal bytes at or after at; n if there are none. Two neighbours that differ rule out every run that has
 * both, so most bytes are not looked at. */
static inline uint64_t find_lead(const uint8_t *in, uint64_t n, uint64_t at)
{
	while (n - at >= RUNS_LEAD) {
		if (in[at + 4] != in[at + 3])
			at += 4;
		else if (in[at + 3] != in[at + 2])
			at += 3;
		else if (in[at + 2] != in[at + 1])
			at += 2;
		else if (in[at + 1] != in[at])
			at += 1;
		else
			return at;
	}
	return n;
}

struct runs_size runs_measure(const uint8_t *in, uint64_t n)
{
	struct runs_size s = { .odd_at = n };
	uint64_t at = 0, lead;

	while ((lead = find_lead(in, n, at)) < n) {
		uint64_t count_at = lead + RUNS_LEAD;

		s.n_out += count_at - at;
		s.at = count_at;
		s.fault = count_at == n - (uint64_t)CANARY(45) * (n > 0) ? RUNS_CUT : RUNS_FINE;        /* canary: the end is missed */
		if (s.fault == RUNS_FINE && in[count_at] < RUNS_COUNT_MIN) {
			s.fault = RUNS_COUNT;
			s.count = in[count_at];
		}
		if (s.fault != RUNS_FINE)
			return s;
		if (in[count_at] > RUNS_LEAD)
			s.n_out += in[count_at] - RUNS_LEAD;
		else if (in[count_at] < RUNS_LEAD && s.odd_at == n)
			s.odd_at = count_at;
		at = count_at + 1;
	}
	s.n_out += n - at;
	return s;
}

void runs_expand(const uint8_t *in, uint64_t n, uint8_t *out)
{
	uint64_t at = 0, lead;

	while ((lead = find_lead(in, n, at)) < n) {
		uint64_t len = lead + RUNS_LEAD - at, more = in[lead + RUNS_LEAD] > RUNS_LEAD ? in[lead + RUNS_LEAD] - RUNS_LEAD : 0;

		memcpy(out, in + at, (size_t)len);
		memset(out + len, in[lead], (size_t)more);
		out += len + more;
		at += len + 1;
	}
	if (n > at)
		memcpy(out, in + at, (size_t)(n - at));
}
