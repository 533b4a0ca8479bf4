/* The cursor's readers: integers, compact indexes, spans and windows. */
#include "core/cursor.h"

#include "core/checked.h"

/*@ logic integer power256(integer n) =
      n <= 0 ? 1 : n == 1 ? 256 : n == 2 ? 65536 : n == 3 ? 16777216 :
      n == 4 ? 4294967296 : n == 5 ? 1099511627776 : n == 6 ? 281474976710656 :
      n == 7 ? 72057594037927936 : 18446744073709551616;
 */

bool cursor_uint(struct cursor *c, unsigned width, uint64_t *out)
{
	const uint8_t *p;
	uint64_t value = 0;

	if (width < 1 || width > 8 || !cursor_take(c, width, &p))
		return false;
	/*@ loop invariant 0 <= i <= width;
	    loop invariant value == le(p + i, width - i);
	    loop invariant value < power256(width - i);
	    loop assigns i, value;
	    loop variant i;
	 */
	for (unsigned i = width; i > 0; i--)
		value = value * 256 + p[i - 1];
	*out = value;
	return true;
}

bool cursor_uint_be(struct cursor *c, unsigned width, uint64_t *out)
{
	const uint8_t *p;
	uint64_t value = 0;

	if (width < 1 || width > 8 || !cursor_take(c, width, &p))
		return false;
	/*@ loop invariant 0 <= i <= width;
	    loop invariant value == be(p, i);
	    loop invariant value < power256(i);
	    loop assigns i, value;
	    loop variant width - i;
	 */
	for (unsigned i = 0; i < width; i++)
		value = value * 256 + p[i];
	*out = value;
	return true;
}

/* index_measure returns how many bytes the compact index at c takes, or one
 * more than are left where the window ends first. */
/*@ requires valid_cursor(c);
    assigns \nothing;
    ensures 1 <= \result <= 5;
    ensures \result <= index_length(here(c));
    ensures \result <= left(c) ==> \result == index_length(here(c));
 */
static uint64_t index_measure(const struct cursor *c)
{
	struct cursor ahead = *c;
	uint64_t byte, n = 1;

	/*@ loop invariant 1 <= n <= 5 && n <= index_length(here(c)) && n <= left(c) + 1;
	    loop invariant valid_cursor(&ahead) && ahead.data == c->data && ahead.len == c->len;
	    loop invariant ahead.pos == c->pos + n - 1;
	    loop assigns n, byte, ahead.pos;
	    loop variant 5 - n;
	 */
	while (n < 5 && cursor_u8(&ahead, &byte) && (n == 1 ? byte % 128 >= 64 : byte >= 128))
		n++;
	return n;
}

/* index_sum returns the magnitude of the compact index of n bytes at p. */
/*@ requires 1 <= n <= 5 && \valid_read(p + (0 .. n - 1));
    assigns \nothing;
    ensures \result == index_magnitude(p, n);
 */
static uint64_t index_sum(const uint8_t *p, uint64_t n)
{
	uint64_t sum = p[0] % 64;

	if (n > 1)
		sum += p[1] % 128 * UINT64_C(64);
	if (n > 2)
		sum += p[2] % 128 * UINT64_C(8192);
	if (n > 3)
		sum += p[3] % 128 * UINT64_C(1048576);
	if (n > 4)
		sum += p[4] * UINT64_C(134217728);
	return sum;
}

enum index_result cursor_index_form(struct cursor *c, int64_t *value, enum index_form *form)
{
	struct cursor ahead = *c;
	uint64_t n = index_measure(c), sum;
	const uint8_t *p;
	bool negative;

	if (!cursor_take(&ahead, n, &p))
		return INDEX_SHORT;
	sum = index_sum(p, n);
	negative = p[0] >= 128;
	if (sum > (negative ? 2147483648 : 2147483647))
		return INDEX_ILLEGAL;
	*value = negative ? -(int64_t)sum : (int64_t)sum;
	*form = n > 1 && p[n - 1] == 0 ? INDEX_OVERLONG : INDEX_MINIMAL;
	if (negative && sum == 0)
		*form = INDEX_NEGATIVE_ZERO;
	c->pos = ahead.pos;
	return INDEX_OK;
}

bool cursor_skip(struct cursor *c, uint64_t n, struct span *out)
{
	const uint8_t *p;
	uint64_t at = cursor_at(c);

	if (!cursor_take(c, n, &p))
		return false;
	out->at = at;
	out->len = n;
	return true;
}

bool cursor_window(const struct cursor *c, struct span s, struct cursor *out)
{
	struct cursor child = *c;
	const uint8_t *p;

	if (!cursor_seek(&child, s.at) || !cursor_take(&child, s.len, &p))
		return false;
	*out = cursor_init(p, s.len, s.at);
	return true;
}

bool cursor_fits(const struct cursor *c, uint64_t count, uint64_t each)
{
	struct cursor ahead = *c;
	const uint8_t *p;
	uint64_t need;

	return checked_mul(count, each, &need) && cursor_take(&ahead, need, &p);
}
