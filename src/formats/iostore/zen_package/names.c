/* The names of packages. Source: conformance/spec/iostore.md, 8.38 and 9. */
#include "codec/cityhash.h"
#include "formats/iostore/zen_package/zen_package.h"

#define WIDE 0x8000u   /* of a name's length: two bytes per character */
#define NUMBER_MAX 11u /* characters of "_" and a number */

struct zen_name zen_name_of(struct zen_name_head_row head)
{
	const uint64_t units = zen_name_head_get_high(head) << 8 | zen_name_head_get_low(head);

	return (struct zen_name){ units & (WIDE - 1), units >= WIDE };
}

uint64_t zen_name_len(struct zen_name name)
{
	return name.wide ? 2 * name.n_units : name.n_units;
}

/* Writes a name to buf in lower case, with one byte per character; false if it has characters
 * outside ASCII. */
static bool put_lower(struct held name, uint64_t n, bool wide, uint8_t *buf)
{
	uint64_t all = 0;

	for (uint64_t i = 0; i < n; i++) {
		const uint64_t c = wide ? held_u16(name, 2 * i) : held_u8(name, i);

		all |= c;
		buf[i] = zen_lower((uint8_t)c);
	}
	return all < 0x80;
}

/* Writes "_N" to buf; a mapped name's number is one more than the number that is shown. Returns the
 * number of characters. */
static uint64_t put_number(uint64_t number, uint8_t *buf)
{
	uint8_t digits[NUMBER_MAX];
	uint64_t n = 0, len = 0;

	if (number == 0)
		return 0;
	for (number--; n == 0 || number > 0; number /= 10)
		digits[n++] = (uint8_t)('0' + number % 10);
	buf[len++] = '_';
	while (n > 0)
		buf[len++] = digits[--n];
	return len;
}

bool zen_id_of_name(struct held name, bool wide, uint64_t number, uint64_t *id)
{
	UVET_FILLED_LATER uint8_t buf[ZEN_NAME_MAX + NUMBER_MAX];
	const uint64_t n = wide ? name.len / 2 : name.len;

	if (n > ZEN_NAME_MAX || !put_lower(name, n, wide, buf))
		return false;
	*id = cityhash64_wide(buf, n + put_number(number, &buf[n]));
	return true;
}
