/* The header of a tar. */
#include "formats/archive/tar/header.h"

#include "core/mutant.h"

/* ---- Numbers --------------------------------------------------------------------------------- */

#define NUMBER_MAX ((uint64_t)INT64_MAX)

/* The first byte of a number in base 256 has bit 7, and bit 6 is its sign. */
enum { BASE_256 = 0x80, SIGN = 0x40, FIRST_BITS = 0x3F };

static enum tar_number base_256(struct held field, uint64_t *out)
{
	uint64_t n = held_u8(field, 0) & FIRST_BITS;

	if (held_u8(field, 0) & SIGN)
		return TAR_NEGATIVE;
	for (uint64_t i = 1; i < field.len; i++) {
		if (n > NUMBER_MAX >> 8)
			return TAR_NEGATIVE;
		n = n << 8 | held_u8(field, i);
	}
	*out = n;
	return TAR_NUMBER;
}

static bool is_filling(uint64_t c)
{
	return c == ' ' || c == 0;
}

static bool is_octal(uint64_t c)
{
	return c >= '0' && c <= '7';
}

enum tar_number tar_read_number(struct held field, uint64_t *out)
{
	uint64_t i = 0, n = 0;

	if (held_u8(field, 0) & BASE_256)
		return base_256(field, out);
	while (i < field.len && held_u8(field, i) == ' ')
		i++;
	for (; i < field.len && is_octal(held_u8(field, i)); i++)
		n = n * 8 + (held_u8(field, i) - '0'); /* at most 12 digits: 36 bits */
	while (i < field.len && is_filling(held_u8(field, i)))
		i++;
	if (i < field.len)
		return TAR_NO_NUMBER;
	*out = n;
	return TAR_NUMBER;
}

enum tar_number tar_read_decimal(struct held value, uint64_t *out)
{
	uint64_t n = 0;

	for (uint64_t i = 0; i < value.len; i++) {
		const uint64_t c = held_u8(value, i);

		if (i == 0 && c == '-')
			return TAR_NEGATIVE;
		if (c < '0' || c > '9')
			return TAR_NO_NUMBER;
		if (n > (NUMBER_MAX - (c - '0')) / 10)
			return TAR_NEGATIVE;
		n = n * 10 + (c - '0');
	}
	*out = n;
	return value.len > 0 ? TAR_NUMBER : TAR_NO_NUMBER;
}

/* ---- Fields ---------------------------------------------------------------------------------- */

/* Where the fields are, and how long. */
enum {
	NAME = 0,
	NAME_LEN = 100,
	MODE = 100,
	MODE_LEN = 8,
	OWNER = 108,
	GROUP_AT = 116,
	SIZE_AT = 124,
	SIZE_LEN = 12,
	TIME = 136,
	TIME_LEN = 12,
	TYPE = 156,
	LINK = 157,
	LINK_LEN = 100,
	MAGIC = 257,
	MAGIC_LEN = 8,
	PREFIX = 345,
	PREFIX_LEN = 155,
	PIECES = 386,   /* of an old sparse member */
	EXTENDED = 482, /* likewise */
	REAL_SIZE = 483,
	GOES_ON = 504, /* in a block of its map */
};

static struct held text_field(struct held block, uint64_t at, uint64_t len)
{
	const struct held field = held_part(block, at, len);

	return held_part(field, 0, held_find(field, 0));
}

static enum tar_form form_of(struct held block)
{
	const struct held magic = held_part(block, MAGIC, MAGIC_LEN);

	if (memcmp(magic.bytes, "ustar  ", MAGIC_LEN) == 0)
		return TAR_GNU;
	return memcmp(magic.bytes, "ustar", sizeof "ustar") == 0 ? TAR_USTAR : TAR_V7;
}

static uint64_t number_or_0(struct held field)
{
	uint64_t n;

	return tar_read_number(field, &n) == TAR_NUMBER ? n : 0;
}

struct tar_header tar_read_header(struct held block, uint64_t at)
{
	struct tar_header h = { .at = at };

	h.form = form_of(block);
	h.name = text_field(block, NAME, NAME_LEN);
	h.link = text_field(block, LINK, LINK_LEN);
	h.type = (uint8_t)held_u8(block, TYPE);
	h.mode = number_or_0(held_part(block, MODE, MODE_LEN));
	h.size_is = tar_read_number(held_part(block, SIZE_AT, SIZE_LEN), &h.size);
	if (h.form == TAR_USTAR)
		h.prefix = text_field(block, PREFIX, PREFIX_LEN);
	h.is_extended = h.form == TAR_GNU && held_u8(block, EXTENDED) != 0;
	h.real_size = number_or_0(held_part(block, REAL_SIZE, SIZE_LEN));
	return h;
}

/* ---- What programs see differently ----------------------------------------------------------- */

/* Programs take 0xFF as the beginning of a negative number, and nothing else but octal digits. */
static bool is_number(struct held field)
{
	uint64_t n;

	if (held_u8(field, 0) & BASE_256)
		return held_u8(field, 0) == BASE_256 || held_u8(field, 0) == 0xFF;
	return tar_read_number(field, &n) == TAR_NUMBER;
}

static const struct tar_field fields[] = {
	{ MODE, MODE_LEN, "mode" },
	{ OWNER, 8, "number of the owner" },
	{ GROUP_AT, 8, "number of the group" },
	{ TIME, TIME_LEN, "time" },
	{ 148, 8, "checksum" },
	/* v7 does not have these two, and CPython reads them all the same */
	{ 329, 8, "first number of a device" },
	{ 337, 8, "second number of a device" },
};

enum { N_FIELDS = sizeof fields / sizeof *fields };

const struct tar_field *tar_find_malformed(struct held block, bool with_size)
{
	static const struct tar_field size = { SIZE_AT, SIZE_LEN, "size" };

	for (size_t i = 0; i < N_FIELDS; i++)
		if (!is_number(held_part(block, fields[i].at, fields[i].len)))
			return &fields[i];
	return with_size && !is_number(held_part(block, size.at, size.len)) ? &size : NULL;
}

static bool is_blank(struct held field)
{
	uint64_t n = 0;

	while (n < field.len && (held_u8(field, n) == ' ' || held_u8(field, n) == 0))
		n++;
	return n == field.len && held_u8(field, 0) == ' ';
}

/* Whether a number in base 256 is of 64 bits: what comes before these repeats the sign. */
static bool has_64_bits(struct held field)
{
	const uint64_t sign = held_u8(field, 0) == 0xFF ? 0xFF : 0, before = field.len - 8;

	for (uint64_t i = 1; i < before; i++)
		if (held_u8(field, i) != sign)
			return false;
	return (held_u8(field, before) & BASE_256) == (sign & BASE_256);
}

/* What a number in base 256 is that some program does not take; NULL: nothing. */
static const char *odd_in_base_256(struct held field, uint64_t at)
{
	uint64_t n;

	if (at == TIME)
		return has_64_bits(field) ? NULL : "a number of more than 64 bits";
	if (at != OWNER && at != GROUP_AT)
		return "in base 256";
	return tar_read_number(field, &n) == TAR_NUMBER && n <= UINT32_MAX ? NULL
									   : "no number of 32 bits";
}

struct tar_odd tar_find_odd(struct held block)
{
	for (size_t i = 0; i < N_FIELDS; i++) {
		const struct held field = held_part(block, fields[i].at, fields[i].len);
		const char *how = is_blank(field) ? "blank" : NULL;

		if (held_u8(field, 0) & BASE_256)
			how = odd_in_base_256(field, fields[i].at);
		if (how && is_number(field))
			return (struct tar_odd){ &fields[i], how };
	}
	return (struct tar_odd){ NULL, NULL };
}

const char *tar_find_unused(struct held block, bool *may_be_time)
{
	const uint64_t type = held_u8(block, TYPE);
	const enum tar_form form = form_of(block);
	uint64_t time;

	*may_be_time = false;
	if (form == TAR_V7 && held_u8(block, PREFIX) != 0)
		return "a prefix of the name, and no mark of a form that has one";
	if (form != TAR_GNU || type == 'S' || type == 'M')
		return NULL;
	if (held_u8(block, PIECES) != 0 || held_u8(block, REAL_SIZE) != 0)
		return "a map of holes, and is of no type that has them";
	if (held_u8(block, PREFIX) == 0)
		return NULL;
	*may_be_time = tar_read_number(held_part(block, PREFIX, TIME_LEN), &time) == TAR_NUMBER;
	return "bytes where GNU tar has times and others the prefix of the name";
}

bool tar_map_goes_on(struct held block)
{
	return held_u8(block, GOES_ON) != 0;
}
