/* Packages: bodies, the places in the file that they name, and versions. Tables are changed by the
 * map. */
#include <string.h>

#include "mutate/mutate_format.h"
#include "mutate/mutate_script.h"
#include "reference/reference.h"

/* Replaces n bytes at `at` by m others; the size stays within max. */
static size_t splice(uint8_t *data, size_t size, size_t max, size_t at, size_t n, const void *bytes,
		     size_t m)
{
	if (m > max - (size - n))
		return size;
	memmove(data + at + m, data + at + n, size - at - n);
	if (m > 0)
		memcpy(data + at, bytes, m);
	return size - n + m;
}

static uint64_t draw_version(struct dice *dice, const char *field)
{
	static const uint64_t versions[] = { 49,  50,  57,  58,  60,  61,  62,  63,  64,  65,
					     66,  67,  68,  69,  70,  84,  99,  106, 117, 118,
					     119, 122, 126, 127, 128, 129, 151, 177, 178 };
	static const uint64_t licensees[] = { 0, 0, 1, 2, 24, 25, 26, 28, 29, 30, 227, 0x9127 };

	if (strcmp(field, "licensee") == 0)
		return licensees[dice_below(dice, sizeof licensees / sizeof *licensees)];
	return versions[dice_below(dice, sizeof versions / sizeof *versions)];
}

/* Mips, sounds and frames say where their data ends in the file: any four bytes of a body that may
 * be such a place are adjusted. */
static void move_places(uint8_t *part, size_t len, uint64_t from, uint64_t end, uint64_t at,
			int64_t by)
{
	for (size_t i = 0; i + 4 <= len; i++) {
		uint64_t v = reference_u32(part + i);

		if (v > from && v <= end && v > at)
			reference_put_u32(part + i, (uint64_t)((int64_t)v + by));
	}
}

/* ---- Properties ------------------------------------------------------------------------------ */

enum { TYPE_BOOL = 3, TYPE_NAME = 6, TYPE_STRUCT = 10, TYPE_STR = 13, NAMES = 40, TAG_MAX = 64 };

static size_t make_size(uint8_t *out, unsigned code, uint64_t size)
{
	size_t n = code < 5 ? 0 : code == 5 ? 1 : code == 6 ? 2 : 4;

	for (size_t i = 0; i < n; i++)
		out[i] = (uint8_t)(size >> 8 * i);
	return n;
}

/* A tag of a type that is drawn, with a value of the size that it states. */
static size_t make_property(uint8_t out[TAG_MAX], struct dice *dice)
{
	static const uint8_t sizes[] = { 1, 2, 4, 12, 16 }, widths[16] = {
		[1] = 1, [2] = 4, [4] = 4, [5] = 1, [6] = 1, [9] = 3, [13] = 3
	};
	unsigned type = (unsigned)dice_below(dice, 16), code = (unsigned)dice_below(dice, 8), n = 0;
	uint64_t size = code < 5 ? sizes[code] : widths[type];
	bool array = dice_one_in(dice, 4);

	if (type == TYPE_STRUCT && dice_one_in(dice, 2))
		size = sizes[3];
	n += reference_put_index(out, 1 + (int64_t)dice_below(dice, NAMES));
	out[n++] = (uint8_t)(type | code << 4 | (array ? 0x80 : 0));
	if (type == TYPE_STRUCT)
		n += reference_put_index(out + n, 1 + (int64_t)dice_below(dice, NAMES));
	n += (unsigned)make_size(out + n, code, size);
	if (array && type != TYPE_BOOL)
		out[n++] = (uint8_t)dice_below(dice, 4);
	memset(out + n, 0, size);
	if (type == TYPE_STR && size == 3) {
		out[n] = 2;
		out[n + 1] = 'a';
	} else if (size > 0) {
		out[n] = (uint8_t)dice_below(dice, 8);
	}
	return n + size;
}

/* Structs in structs, as deep as they may be or deeper: the size of each tag covers all that is
 * inside it. */
static size_t make_nest(uint8_t *out, size_t max, struct dice *dice)
{
	enum { TAG = 7, END = 1 };
	size_t depth = (dice_one_in(dice, 4) ? 62 : 14) + (size_t)dice_below(dice, 6);

	if (max < depth * (TAG + END))
		return 0;
	for (size_t i = 0; i < depth; i++) {
		uint8_t *tag = out + i * TAG;

		tag[0] = (uint8_t)(2 + dice_below(dice, 4));
		tag[1] = TYPE_STRUCT | 7 << 4;
		tag[2] = 1;
		reference_put_u32(tag + 3, (depth - i - 1) * (TAG + END) + END);
	}
	memset(out + depth * TAG, 0, depth);
	return depth * (TAG + END);
}

/* ---- Bodies ---------------------------------------------------------------------------------- */

static size_t change_index(uint8_t *data, size_t size, size_t max, size_t at, struct dice *dice)
{
	static const int64_t numbers[] = { 0,   1,   -1,     2,         3,          -2,       255,
					   256, 257, 0x1FFF, INT32_MAX, -INT32_MAX, INT32_MIN };
	static const uint8_t illegal[5] = { 0x7F, 0xFF, 0xFF, 0xFF, 0xFF };
	uint8_t bytes[5];
	int64_t v = 0;
	size_t len = (size_t)reference_index(data + at, size - at, &v), n;

	if (len == 0)
		return size;
	if (dice_one_in(dice, 16))
		return splice(data, size, max, at, len, illegal, sizeof illegal);
	v = dice_one_in(dice, 2) ? numbers[dice_below(dice, sizeof numbers / sizeof *numbers)]
				 : v + (int64_t)dice_below(dice, 5) - 2;
	n = reference_put_index(bytes, v);
	return splice(data, size, max, at, len, bytes, n);
}

/* Four bytes: a count, a reference or a place. */
static void change_number(uint8_t *data, size_t size, size_t at, uint64_t body, struct dice *dice)
{
	static const uint64_t numbers[] = { 0,      1,          2,          4,         0xFF,
					    0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF };
	uint64_t old, v;

	if (at + 4 > size)
		return;
	old = reference_u32(data + at);
	switch (dice_below(dice, 5)) {
	case 0:
		v = numbers[dice_below(dice, sizeof numbers / sizeof *numbers)];
		break;
	case 1:
		v = size - at - 4;
		break;
	case 2:
		v = body + dice_below(dice, size + 1);
		break;
	default:
		v = old + dice_below(dice, 5) - 2;
		break;
	}
	reference_put_u32(data + at, v);
}

static size_t copy_piece(uint8_t *data, size_t size, size_t max, size_t at, struct dice *dice)
{
	uint8_t bytes[256];
	size_t n = 1 +
		   (size_t)dice_below(dice, size - at < sizeof bytes ? size - at : sizeof bytes),
	       to = (size_t)dice_below(dice, size + 1);

	memcpy(bytes, data + at, n);
	for (uint64_t times = dice_one_in(dice, 8) ? 20 : 1; times > 0; times--)
		size = splice(data, size, max, to, 0, bytes, n);
	return size;
}

static size_t change_body(uint8_t *data, size_t size, size_t max, uint64_t body, struct dice *dice)
{
	uint8_t made[1024];
	size_t at = (size_t)dice_below(dice, size), n;

	if (dice_one_in(dice, 3))
		at %= 16;
	switch (dice_below(dice, 12)) {
	case 0:
	case 1:
		return change_index(data, size, max, at % size, dice);
	case 2:
	case 3:
		change_number(data, size, at, body, dice);
		return size;
	case 4:
		data[at % size] = (uint8_t)(data[at % size] + dice_below(dice, 5) - 2);
		return size;
	case 5:
		return copy_piece(data, size, max, at % size, dice);
	case 6:
		at %= size;
		return splice(data, size, max, at,
			      (size_t)dice_below(dice, size - at < 16 ? size - at : 16), NULL, 0);
	case 7:
		n = make_property(made, dice);
		return splice(data, size, max, dice_one_in(dice, 2) ? 0 : at % size, 0, made, n);
	case 8:
		n = mutate_expression(made, sizeof made, 69, dice);
		return splice(data, size, max, at % size, 0, made, n);
	case 9:
		n = dice_one_in(dice, 4) ? make_nest(made, sizeof made, dice) : 0;
		return splice(data, size, max, 0, 0, made, n);
	default:
		return mutate_havoc(data, size, max, dice);
	}
}

static size_t change_part(uint8_t *data, size_t size, size_t max, uint64_t body, struct dice *dice)
{
	for (uint64_t times = 1 + dice_below(dice, 3); times > 0; times--)
		size = size > 0 ? change_body(data, size, max, body, dice)
				: mutate_havoc(data, size, max, dice);
	return size;
}

const struct mutate_format mutate_upkg = { .part = change_part,
					   .places = move_places,
					   .version = draw_version };
