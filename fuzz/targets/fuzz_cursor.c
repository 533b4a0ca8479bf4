/* The cursor: a stream of operations, held against arithmetic that cannot wrap. */
#include <string.h>

#include "core/cursor.h"
#include "reference/reference.h"
#include "support/buffers.h"
#include "support/must.h"
#include "targets/harness.h"

__extension__ typedef unsigned __int128 wide;

/* A model knows what a cursor should know, in numbers without limits. */
struct model {
	const uint8_t *bytes;
	wide len, pos, origin;
};

/* The program is read from the front of the input, the window is the rest. */
struct program {
	const uint8_t *at, *end;
};

static uint64_t operand(struct program *p, unsigned width)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < width && p->at < p->end; i++)
		v = v << 8 | *p->at++;
	return v;
}

/* A number that is small, or near a border, or anything. */
static uint64_t number(struct program *p, uint64_t near)
{
	uint64_t kind = operand(p, 1);

	switch (kind % 4) {
	case 0:
		return kind / 4;
	case 1:
		return near + kind / 4 - 16;
	case 2:
		return UINT64_MAX - kind / 4;
	default:
		return operand(p, 8);
	}
}

static void check_state(const struct cursor *c, const struct model *m)
{
	MUST(c->pos == m->pos && c->len == m->len && c->origin == m->origin,
	     "a cursor stands where it should");
	MUST(cursor_left(c) == m->len - m->pos && cursor_at(c) == m->origin + m->pos,
	     "a cursor knows where it stands");
}

static wide little(const uint8_t *p, unsigned width)
{
	wide v = 0;

	for (unsigned i = width; i > 0; i--)
		v = v * 256 + p[i - 1];
	return v;
}

static wide big(const uint8_t *p, unsigned width)
{
	wide v = 0;

	for (unsigned i = 0; i < width; i++)
		v = v * 256 + p[i];
	return v;
}

static bool read_uint(struct cursor *c, unsigned op, unsigned width, uint64_t *out)
{
	switch (op) {
	case 0:
		return cursor_u8(c, out);
	case 1:
		return cursor_u16(c, out);
	case 2:
		return cursor_u32(c, out);
	case 3:
		return cursor_u64(c, out);
	case 4:
		return cursor_uint(c, width, out);
	default:
		return cursor_uint_be(c, width, out);
	}
}

static void do_uint(struct cursor *c, struct model *m, unsigned op, unsigned width)
{
	static const uint8_t fixed[] = { 1, 2, 4, 8 };
	uint64_t v = 0xDEADBEEF;
	bool ok, fits;

	if (op < 4)
		width = fixed[op];
	fits = width >= 1 && width <= 8 && m->len - m->pos >= width;
	ok = read_uint(c, op, width, &v);
	MUST(ok == fits, "a read succeeds where it fits");
	if (!ok) {
		MUST(v == 0xDEADBEEF, "a failed read changes nothing");
		return;
	}
	MUST(v == (op == 5 ? big : little)(m->bytes + m->pos, width), "a read returns the number");
	m->pos += width;
}

static void do_index(struct cursor *c, struct model *m)
{
	int64_t v = -99, expected = 0;
	enum index_form form = INDEX_MINIMAL;
	uint64_t len = reference_index(m->bytes + m->pos, (uint64_t)(m->len - m->pos), &expected);
	const uint8_t *p = m->bytes + m->pos;
	bool ok = cursor_index(c, &v, &form);

	MUST(ok == (len > 0), "an index is read where there is one");
	if (!ok) {
		MUST(v == -99, "a failed read changes nothing");
		return;
	}
	MUST(v == expected, "an index has its value");
	MUST((form == INDEX_NEGATIVE_ZERO) == (v == 0 && p[0] & 0x80), "a negative zero is one");
	MUST(form == INDEX_NEGATIVE_ZERO ||
		     (form == INDEX_OVERLONG) == (len > 1 && p[len - 1] == 0),
	     "a long index is one");
	m->pos += len;
}

static void do_skip(struct cursor *c, struct model *m, uint64_t n, bool bytes)
{
	struct span s = { 7, 7 };
	const uint8_t *p = NULL;
	bool ok = bytes ? cursor_bytes(c, n, &p) : cursor_skip(c, n, &s);

	MUST(ok == (n <= m->len - m->pos), "bytes are skipped where there are any");
	if (!ok) {
		MUST(bytes ? !p : s.at == 7 && s.len == 7, "a failed skip changes nothing");
		return;
	}
	if (bytes)
		MUST(n == 0 || memcmp(p, m->bytes + m->pos, (size_t)n) == 0,
		     "bytes are where they are");
	else
		MUST(s.at == m->origin + m->pos && s.len == n, "a skip says where");
	m->pos += n;
}

static void do_window(struct cursor *c, struct model *m, struct span s)
{
	struct cursor child;
	bool inside = s.at >= m->origin && (wide)s.at + s.len <= m->origin + m->len;

	MUST(cursor_window(c, s, &child) == inside, "a window is given where it is inside");
	if (!inside)
		return;
	*m = (struct model){ m->bytes + (s.at - (uint64_t)m->origin), s.len, 0, s.at };
	*c = child;
}

static void do_seek(struct cursor *c, struct model *m, uint64_t at)
{
	bool inside = at >= m->origin && at <= m->origin + m->len;

	MUST(cursor_seek(c, at) == inside, "a cursor goes where it may");
	if (inside)
		m->pos = at - m->origin;
}

static void do_fits(const struct cursor *c, const struct model *m, uint64_t count, uint64_t each)
{
	MUST(cursor_fits(c, count, each) == ((wide)count * each <= m->len - m->pos),
	     "what fits is known");
}

static void step(struct cursor *c, struct model *m, struct program *p)
{
	unsigned op = (unsigned)operand(p, 1) % 12;
	uint64_t a, b;

	switch (op) {
	case 6:
		do_index(c, m);
		break;
	case 7:
	case 8:
		do_skip(c, m, number(p, cursor_left(c)), op == 7);
		break;
	case 9:
		a = number(p, cursor_at(c));
		b = number(p, cursor_left(c));
		do_window(c, m, (struct span){ a, b });
		break;
	case 10:
		do_seek(c, m, number(p, cursor_at(c)));
		break;
	case 11:
		a = number(p, cursor_left(c));
		b = number(p, 1);
		do_fits(c, m, a, b);
		break;
	default:
		do_uint(c, m, op, op < 4 ? 0 : (unsigned)operand(p, 1) % 10);
		break;
	}
	check_state(c, m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t half = size / 2;
	struct program p = { data, data + half };
	uint8_t *window = buffer_scratch_copy(BUFFER_INPUT, data + half, size - half);
	uint64_t origin = operand(&p, 1) % 2 ? UINT64_MAX - (size - half) : operand(&p, 4);
	struct cursor c = cursor_init(size > half ? window : NULL, size - half, origin);
	struct model m = { window, size - half, 0, origin };

	while (p.at < p.end)
		step(&c, &m, &p);
	return 0;
}
