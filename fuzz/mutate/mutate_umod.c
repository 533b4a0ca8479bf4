/* Installers: the headers of their executable, and what their trailer says of the rest. */
#include "formats/umod/umod.h"
#include "mutate/mutate_format.h"
#include "reference/reference.h"

enum { TRAILER = 20 };

/* A self-extracting installer's trailer stands before its signature: such installers are not
 * repaired. */
static bool has_plain_trailer(const uint8_t *data, size_t size)
{
	return size >= TRAILER && reference_u32(data + size - TRAILER) == 0x9FE3C5A3u;
}

static void repair(uint8_t *data, size_t size, struct dice *dice)
{
	uint8_t *trailer = data + size - TRAILER;

	if (!has_plain_trailer(data, size))
		return;
	if (!dice_one_in(dice, 8))
		reference_put_u32(trailer + 8, size);
	if (!dice_one_in(dice, 16))
		reference_put_u32(trailer + 12, 1);
	if (!dice_one_in(dice, 8))
		reference_put_u32(trailer + 16, reference_crc(data, size - TRAILER));
}

/* Where the security directory lies in the two sorts of optional header. */
enum { SECURITY_PE32 = 96 + 32, SECURITY_PE32_PLUS = 112 + 32, SECTIONS_MAX = 8 };

static void tell_records(const uint8_t *data, size_t size, mutate_sink *sink, void *ctx)
{
	struct cursor c = cursor_init(data, size, 0), optional;
	struct umod_pe_header pe;
	uint64_t at, magic;

	if (size <= 4096 || data[0] != 'M' || data[1] != 'Z')
		return;
	sink(ctx, &umod_dos_header_layout, c);
	if (!cursor_seek(&c, 0x3C) || !cursor_u32(&c, &at) || !cursor_seek(&c, at))
		return;
	sink(ctx, &umod_pe_header_layout, c);
	if (!umod_pe_header_read(&c, 0, &pe))
		return;
	optional = c;
	at = cursor_at(&c);
	if (cursor_u16(&optional, &magic) &&
	    cursor_seek(&optional, at + (magic == 0x20B ? SECURITY_PE32_PLUS : SECURITY_PE32)))
		sink(ctx, &umod_security_directory_layout, optional);
	for (uint64_t i = 0; i < pe.n_sections && i < SECTIONS_MAX &&
			     cursor_seek(&c, at + pe.optional_len + 40 * i);
	     i++)
		sink(ctx, &umod_pe_section_layout, c);
}

const struct mutate_format mutate_umod = { .name = "x.umod",
					   .records = tell_records,
					   .repair = repair };
