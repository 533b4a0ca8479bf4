/* Undoing move-to-front and runs. */
#include "codec/uz.h"

#include <string.h>

#include "core/canary.h"

void mtf_start(struct mtf *m)
{
	for (unsigned i = 0; i < 256; i++)
		m->list[i] = (uint8_t)i;
}

/* The first eight of the list, the first lowest: most places are among them. */
static inline uint64_t load_front(const uint8_t *list)
{
	uint64_t front = 0;

	for (unsigned i = 0; i < 8; i++)
		front |= (uint64_t)list[i] << 8 * i;
	return front;
}

static inline void store_front(uint8_t *list, uint64_t front)
{
	for (unsigned i = 0; i < 8; i++)
		list[i] = (uint8_t)(front >> 8 * i);
}

/* Moves the byte at a place below eight to the front. */
UVET_WRAPS static inline uint64_t move_near(uint64_t front, unsigned place)
{
	uint64_t below = ((uint64_t)1 << 8 * place) - 1, byte = front >> 8 * place & 255u;

	return (front & ~(below << 8 | 255u)) | (front & below) << 8 | byte;
}

/* The same for the places behind them. */
UVET_WRAPS static inline uint64_t move_far(uint8_t *list, uint64_t front, unsigned place)
{
	uint8_t byte = list[place];

	memmove(list + 9, list + 8, place - 8);
	list[8] = (uint8_t)(front >> 56);
	return front << 8 | byte;
}

void mtf_decode(struct mtf *m, uint8_t *bytes, uint64_t n)
{
	uint64_t front = load_front(m->list);

	for (uint64_t i = 0; i < n; i++) {
		unsigned place = bytes[i];

		if (place > 0 && place < 8u + (unsigned)CANARY(44))     /* canary: the ninth place is taken for one of the first */
			front = move_near(front, place);
		else if (place > 0)
			front = move_far(m->list, front, place);
		bytes[i] = (uint8_t)front;
	}
	store_front(m->list, front);
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
