/* Hashes of names: of their characters, and of the packages that they name. Source:
 * conformance/spec/iostore.md, 8.28 and 9. */
#include "formats/iostore/names/hash.h"

#include "codec/cityhash.h"
#include "core/mutant.h"

#define DIGITS_MAX (NAME_NUMBER_MAX - 1) /* of a number of 32 bits */

/* ---- Characters ------------------------------------------------------------------------------ */

uint64_t name_hash(struct held name, bool wide)
{
	return wide ? cityhash64_lower_units(name.bytes, name.len / 2)
		    /* mutant: a byte is left out of names of 23 */
		    : cityhash64_lower(name.bytes, name.len - (MUTANT(325) && name.len == 23));
}

uint64_t name_hash_slowly(struct held name, bool wide)
{
	UVET_FILLED_LATER uint8_t buf[2 * ZEN_NAME_MAX];
	const uint64_t step = wide ? 2 : 1;

	if (NEVER(name.len > sizeof buf))
		return 0;
	for (uint64_t i = 0; i < name.len; i += step) {
		const uint8_t low = (uint8_t)held_u8(name, i),
			      high = wide ? (uint8_t)held_u8(name, i + 1) : 0;

		buf[i] = high == 0 ? zen_lower(low) : low;
		if (wide)
			buf[i + 1] = high;
	}
	return cityhash64(buf, name.len);
}

/* The last eight bytes overlap those before. */
bool name_is_ascii(struct held name, bool wide)
{
	uint64_t all = 0, i = 0;

	for (; i + 8 < name.len; i += 8)
		all |= held_u64(name, i);
	if (name.len >= 8)
		all |= held_u64(name, name.len - 8);
	else
		for (; i < name.len; i++)
			all |= held_u8(name, i) << (wide && i % 2 ? 8 : 0);
	return (all & (wide ? UINT64_C(0xFF80FF80FF80FF80) : UINT64_C(0x8080808080808080))) == 0;
}

uint64_t name_put_number(uint64_t number, uint8_t out[NAME_NUMBER_MAX])
{
	uint8_t digits[DIGITS_MAX];
	uint64_t n = 0, len = 0;

	if (number == 0)
		return 0;
	for (number--; n == 0 || (number > 0 && n < DIGITS_MAX); number /= 10)
		digits[n++] = (uint8_t)('0' + number % 10);
	out[len++] = '_';
	while (n > 0)
		out[len++] = digits[--n];
	return len;
}

/* ---- Packages -------------------------------------------------------------------------------- */

bool zen_id_of_name(struct held name, bool wide, uint64_t number, uint64_t *id)
{
	UVET_FILLED_LATER uint8_t buf[ZEN_NAME_MAX + NAME_NUMBER_MAX];
	const uint64_t n = wide ? name.len / 2 : name.len;

	if (n > ZEN_NAME_MAX || !name_is_ascii(name, wide))
		return false;
	if (!wide)
		memcpy(buf, name.bytes, (size_t)n);
	for (uint64_t i = 0; wide && i < n; i++)
		buf[i] = (uint8_t)held_u8(name, 2 * i);
	*id = cityhash64_lower_wide(buf, n + name_put_number(number, &buf[n]));
	return true;
}
