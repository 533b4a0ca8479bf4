/* The footer of the .pak, by which games tell that it is one. What the .pak holds is not read. */
#include "core/work.h"
#include "formats/iostore/payload/parts.h"

#define PAK_MAGIC 0x5A6F12E1u

/* Where each version has its footer, in bytes before the end. Version 8 first had four names of methods behind it, then five; 15 is of an
 * engine that is not released. */
static const struct pak_place { uint32_t first, last, from_end; } places[] = {
	{ 1, 7, PAK_FOOTER_MIN }, { 8, 8, 172 }, { 8, 8, 204 }, { 9, 9, 205 }, { 10, 12, 204 }, { 15, 15, PAK_FOOTER_MAX },
};

/* `end` holds the last bytes of the file. */
static bool stands_at(const struct pak_place *place, struct cursor end, struct pak_footer *f)
{
	if (place->from_end > end.len)
		return false;
	end.pos = end.len - place->from_end;
	return pak_footer_read(&end, 0, f) && f->magic == PAK_MAGIC && f->version >= place->first && f->version <= place->last;
}

static bool find_footer(struct cursor end, struct pak_footer *f)
{
	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
		if (stands_at(&places[i], end, f))
			return true;
	return false;
}

void payload_open_pak(struct decode *d, struct payload *p)
{
	uint8_t bytes[PAK_FOOTER_MAX];
	struct source s;
	struct span end;

	if (p->pak->state != COMPANION_OPEN)
		return;
	s = p->pak->source;
	end.len = s.io.size < PAK_FOOTER_MAX ? s.io.size : PAK_FOOTER_MAX;
	end.at = s.io.size - end.len;
	if (!decode_spend(d, UTOC_PAK, work_of_bytes(end.len)))
		return;
	if (source_copy(&s, end, bytes))
		p->pak_is_known = find_footer(cursor_init(bytes, end.len, end.at), &p->pak_footer);
	else
		decode_stop_in(d, UTOC_PAK, STOP_INPUT, &s, end);
}
