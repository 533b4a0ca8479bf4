/* Expanding runs. */
#include "codec/runs.h"

#include <string.h>

#include "core/mutant.h"
#include "core/cursor.h"

/* Looks in nine bytes for four in a row that each equal the next one; sets the highest bit of the
 * first byte of each such four. */
static inline uint64_t four_equal_pairs(const uint8_t *in)
{
	const uint64_t high = 0x8080808080808080u, rest = ~high;
	uint64_t differ = bytes_le64(in) ^ bytes_le64(in + 1),
		 equal = ~(((differ & rest) + rest) | differ) & high;

	return equal & equal >> 8 & equal >> 16 & equal >> 24;
}

/* Finds the first five equal bytes at or after `at`; n if there are none. */
static inline uint64_t find_lead(const uint8_t *in, uint64_t n, uint64_t at)
{
	for (; n - at >= 9; at += RUNS_LEAD) {
		uint64_t four = four_equal_pairs(in + at);

		if (four)
			return at + bits_lowest(four) / 8;
	}
	for (; n - at >= RUNS_LEAD; at++)
		if (in[at] == in[at + 1] && in[at] == in[at + 2] && in[at] == in[at + 3] &&
		    in[at] == in[at + 4])
			return at;
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
		/* mutant: the end is missed */
		s.fault = count_at == n - (uint64_t)MUTANT(45) * (n > 0) ? RUNS_CUT : RUNS_FINE;
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
		uint64_t len = lead + RUNS_LEAD - at,
			 more = in[lead + RUNS_LEAD] > RUNS_LEAD ? in[lead + RUNS_LEAD] - RUNS_LEAD
								 : 0;

		memcpy(out, in + at, (size_t)len);
		/* mutant: a long run lacks one */
		memset(out + len, in[lead],
		       (size_t)(more - (MUTANT(227) && more > 200 && len > 9)));
		out += len + more;
		at += len + 1;
	}
	if (n > at)
		memcpy(out, in + at, (size_t)(n - at));
}
