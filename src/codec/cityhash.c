/* CityHash64, version 1.1 (MIT licence), over bytes, and over bytes as they would be in UTF-16. */
#include "codec/cityhash.h"

#include <stdbool.h>
#include <string.h>

#include "core/mutant.h"
#include "core/compiler.h"
#include "core/cursor.h"

#define K0 0xC3A5C85C97CB3127u
#define K1 0xB492B66FBE98F273u
#define K2 0x9AE16A3B2F90404Fu
#define MUL 0x9DDFEA08EB382D69u

/* What is hashed: bytes as they are; characters of one or two bytes (UTF-16LE), or of one that
 * takes two, all with the letters of ASCII lowered. */
enum form { BYTES, LATIN_AS_WIDE, LOWER, LOWER_WIDE, LOWER_LATIN_AS_WIDE };

/* A text is n bytes: those at p, or, if it is Latin-1 as UTF-16, n / 2 bytes at p with a zero after
 * each. The n of characters of two bytes is even, and words are read at even offsets. */
struct text {
	const uint8_t *p;
	uint64_t n;
	enum form form;
};

#define EACH_BYTE(b) ((b)*UINT64_C(0x0101010101010101))
#define EACH_UNIT(u) ((u)*UINT64_C(0x0001000100010001))

/* Lowers the letters of ASCII in eight bytes at once. Adding sets the top bit of a byte from 'A'
 * on, and of one after 'Z'; no sum leaves its byte. */
UVET_INLINE static inline uint64_t lower_bytes(uint64_t w)
{
	const uint64_t seven = w & EACH_BYTE(0x7Fu);
	const uint64_t letters = (seven + EACH_BYTE(0x80u - 'A')) ^
				 (seven + EACH_BYTE(0x7Fu - 'Z'));

	return w | (letters & ~w & EACH_BYTE(0x80u)) >> 2;
}

/* The same for four characters of two bytes, of which only those below 0x80 have letters. */
UVET_INLINE static inline uint64_t lower_units(uint64_t w)
{
	const uint64_t seven = w & EACH_UNIT(0x7Fu);
	const uint64_t letters = (seven + EACH_UNIT(0x80u - 'A')) ^
				 (seven + EACH_UNIT(0x7Fu - 'Z'));
	const uint64_t far = ((w & EACH_UNIT(0x7F80u)) + EACH_UNIT(0x7FFFu)) | w;

	return w | (letters & ~(far >> 8) & EACH_UNIT(0x80u)) >> 2;
}

UVET_INLINE static inline bool is_latin(struct text t)
{
	return t.form == LATIN_AS_WIDE || t.form == LOWER_LATIN_AS_WIDE;
}

UVET_INLINE static inline uint64_t lower(struct text t, uint64_t w)
{
	if (t.form == LOWER || t.form == LOWER_LATIN_AS_WIDE)
		return lower_bytes(w);
	return t.form == LOWER_WIDE ? lower_units(w) : w;
}

struct pair {
	uint64_t first, second;
};

/* Four characters of Latin-1 with a zero after each. */
UVET_INLINE static inline uint64_t spread(uint64_t v)
{
	v = (v | v << 16) & 0x0000FFFF0000FFFFu;
	return (v | v << 8) & 0x00FF00FF00FF00FFu;
}

/* Sixteen bytes at once, as processors from x86-64 and ARMv8 on have them. */
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && !defined(UVET_PORTABLE)
typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint64_t words16 __attribute__((vector_size(16)));

UVET_INLINE static inline bytes16 lower_16(bytes16 v)
{
	const bytes16 letters = (bytes16)((v - 'A') < 26);

	return v | (letters & 0x20);
}

UVET_INLINE static inline struct pair pair_of(bytes16 v)
{
	const words16 w = (words16)v;

	return (struct pair){ w[0], w[1] };
}

UVET_INLINE static inline struct pair lower_pair(const uint8_t *p)
{
	bytes16 v;

	memcpy(&v, p, sizeof v);
	return pair_of(lower_16(v));
}

/* Eight characters of Latin-1 with a zero after each. */
UVET_INLINE static inline struct pair wide_pair(const uint8_t *p, bool lowers)
{
	const bytes16 zeros = { 0 };
	bytes16 v = zeros;

	memcpy(&v, p, 8);
	if (lowers)
		v = lower_16(v);
	return pair_of(__builtin_shufflevector(v, zeros, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21,
					       6, 22, 7, 23));
}
#else
UVET_INLINE static inline struct pair lower_pair(const uint8_t *p)
{
	return (struct pair){ lower_bytes(bytes_le64(p)), lower_bytes(bytes_le64(p + 8)) };
}

UVET_INLINE static inline struct pair wide_pair(const uint8_t *p, bool lowers)
{
	const uint64_t all = bytes_le64(p), v = lowers ? lower_bytes(all) : all;

	return (struct pair){ spread(v & 0xFFFFFFFFu), spread(v >> 32) };
}
#endif

UVET_INLINE static inline uint64_t word(struct text t, uint64_t at)
{
	return is_latin(t) ? spread(lower(t, bytes_le32(t.p + at / 2)))
			   : lower(t, bytes_le64(t.p + at));
}

/* The words at `at` and behind it. */
UVET_INLINE static inline struct pair words(struct text t, uint64_t at)
{
	if (is_latin(t))
		/* mutant: of 137 letters one is missed */
		return wide_pair(t.p + at / 2 - (MUTANT(218) && at == t.n - 48 && t.n == 274),
				 t.form == LOWER_LATIN_AS_WIDE);
	if (t.form == LOWER)
		return lower_pair(t.p + at);
	return (struct pair){ word(t, at), word(t, at + 8) };
}

UVET_INLINE static inline uint64_t half(struct text t, uint64_t at)
{
	uint64_t v;

	if (!is_latin(t))
		return lower(t, bytes_le32(t.p + at));
	v = lower(t, bytes_le16(t.p + at / 2));
	return (v | v << 8) & 0x00FF00FFu;
}

UVET_INLINE static inline uint64_t byte(struct text t, uint64_t at)
{
	if (t.form == LOWER_WIDE)
		return lower(t, bytes_le16(t.p + at / 2 * 2)) >> at % 2 * 8 & 0xFF;
	if (!is_latin(t))
		return lower(t, t.p[at]);
	/* mutant: between narrow letters is no zero */
	return at % 2 == 0 ? lower(t, t.p[at / 2]) : (uint64_t)MUTANT(163);
}

UVET_WRAPS UVET_INLINE static inline uint64_t rotate(uint64_t v, unsigned by)
{
	return v >> by | v << (64 - by);
}

UVET_INLINE static inline uint64_t reverse(uint64_t v)
{
	return __builtin_bswap64(v);
}

UVET_INLINE static inline uint64_t mix(uint64_t v)
{
	return v ^ v >> 47;
}

UVET_WRAPS UVET_INLINE static inline uint64_t join(uint64_t u, uint64_t v, uint64_t mul)
{
	return mix((v ^ mix((u ^ v) * mul)) * mul) * mul;
}

UVET_WRAPS UVET_INLINE static inline uint64_t up_to_16(struct text t)
{
	uint64_t mul = K2 + t.n * 2, a, b;

	if (t.n >= 8) {
		a = word(t, 0) + K2;
		b = word(t, t.n - 8);
		return join(rotate(b, 37) * mul + a, (rotate(a, 25) + b) * mul, mul);
	}
	if (t.n >= 4)
		return join(t.n + (half(t, 0) << 3), half(t, t.n - 4), mul);
	if (t.n == 0)
		return K2;
	a = byte(t, 0) + (byte(t, t.n / 2) << 8);
	b = t.n + (byte(t, t.n - 1) << 2);
	return mix((a * K2) ^ (b * K0)) * K2;
}

UVET_WRAPS UVET_INLINE static inline uint64_t up_to_32(struct text t)
{
	const struct pair front = words(t, 0), back = words(t, t.n - 16);
	uint64_t mul = K2 + t.n * 2, a = front.first * K1, b = front.second, c = back.second * mul,
		 d = back.first * K2;

	return join(rotate(a + b, 43) + rotate(c, 30) + d, a + rotate(b + K2, 18) + c, mul);
}

UVET_WRAPS UVET_INLINE static inline uint64_t up_to_64(struct text t)
{
	const struct pair front = words(t, 0), next = words(t, 16), before = words(t, t.n - 32),
			  back = words(t, t.n - 16);
	uint64_t mul = K2 + t.n * 2, a = front.first * K2, b = front.second, c = before.second,
		 d = before.first;
	uint64_t e = next.first * K2, f = next.second * 9, g = back.second, h = back.first * mul;
	uint64_t u = rotate(a + g, 43) + (rotate(b, 30) + c) * 9, v = ((a + g) ^ d) + f + 1;
	uint64_t w = reverse((u + v) * mul) + h, x = rotate(e + f, 42) + c,
		 y = (reverse((v + w) * mul) + g) * mul, z = e + f + c;

	a = reverse((x + z) * mul + y) + b;
	return mix((z + a) * mul + d + h) * mul + x;
}

/* Of 32 bytes and two seeds. */
UVET_WRAPS UVET_INLINE static inline struct pair weak(struct pair front, struct pair back,
						      uint64_t a, uint64_t b)
{
	uint64_t before, last = back.second;

	a += front.first;
	before = a;
	b = rotate(b + a + last, 21);
	a += front.second + back.first;
	b += rotate(a, 44);
	return (struct pair){ a + last, b + before };
}

UVET_WRAPS UVET_INLINE static inline uint64_t long_ones(struct text t)
{
	const struct pair w64 = words(t, t.n - 64), w48 = words(t, t.n - 48),
			  w32 = words(t, t.n - 32), w16 = words(t, t.n - 16);
	uint64_t n = t.n, x = w48.second, y = w16.first + w64.second;
	uint64_t z = join(w48.first + n, w32.second, MUL), end = (n - 1) / 64 * 64, swap;
	struct pair v = weak(w64, w48, n, z), w = weak(w32, w16, y + K1, x);

	x = x * K1 + word(t, 0);
	for (uint64_t at = 0; at < end; at += 64) {
		const struct pair p0 = words(t, at), p16 = words(t, at + 16),
				  p32 = words(t, at + 32), p48 = words(t, at + 48);

		x = rotate(x + y + v.first + p0.second, 37) * K1;
		y = rotate(y + v.second + p48.first, 42) * K1;
		x ^= w.second;
		y += v.first + p32.second;
		z = rotate(z + w.first, 33) * K1;
		v = weak(p0, p16, v.second * K1, x + w.first);
		w = weak(p32, p48, z + w.second, y + p16.first);
		swap = z;
		z = x;
		x = swap;
	}
	return join(join(v.first, w.first, MUL) + mix(y) * K1 + z,
		    join(v.second, w.second, MUL) + x, MUL);
}

UVET_INLINE static inline uint64_t hash(struct text t)
{
	if (t.n <= 16)
		return up_to_16(t);
	if (t.n <= 32)
		return up_to_32(t);
	return t.n <= 64 ? up_to_64(t) : long_ones(t);
}

uint64_t cityhash64(const uint8_t *bytes, uint64_t n)
{
	return hash((struct text){ bytes, n, BYTES });
}

uint64_t cityhash64_wide(const uint8_t *latin, uint64_t n)
{
	return hash((struct text){ latin, 2 * n, LATIN_AS_WIDE });
}

uint64_t cityhash64_lower(const uint8_t *bytes, uint64_t n)
{
	return hash((struct text){ bytes, n, LOWER });
}

uint64_t cityhash64_lower_units(const uint8_t *units, uint64_t n)
{
	return hash((struct text){ units, 2 * n, LOWER_WIDE });
}

uint64_t cityhash64_lower_wide(const uint8_t *latin, uint64_t n)
{
	return hash((struct text){ latin, 2 * n, LOWER_LATIN_AS_WIDE });
}
