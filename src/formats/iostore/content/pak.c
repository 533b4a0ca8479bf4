/* The footer of the .pak, by which games recognise it. The rest of the .pak is not read. */
#include <string.h>

#include "core/container_parts.h"
#include "core/work.h"
#include "formats/iostore/content/parts.h"

#define PAK_MAGIC 0x5A6F12E1u

/* Versions in which something changed. */
enum { PAK_ENCRYPTED = 4, PAK_KEY_GUID = 7, PAK_FROZEN = 9, PAK_RELEASED = 12 };

/* The first bytes of an index, by which one that is not encrypted is recognised: the length of
 * its mount point, and nine characters of it. */
enum { INDEX_BEGIN = 13 };

/* Where footers can be, in bytes before the end, and which versions have them there, a bit each.
 * In version 8 first four names of methods follow the footer, later five; version 15 is of an
 * engine that is not released. */
static const struct pak_place {
	uint32_t from_end, versions;
} places[] = {
	{ PAK_FOOTER_MAX, 1u << 15 },
	{ 205, 1u << 9 },
	{ 204, 1u << 8 | 1u << 10 | 1u << 11 | 1u << 12 },
	{ 172, 1u << 8 },
	{ PAK_FOOTER_MIN, 0xFE },
};

/* `end` holds the last bytes of the file. */
static bool has_magic(struct cursor end, uint32_t from_end, struct pak_footer *f)
{
	if (from_end > end.len)
		return false;
	end.pos = end.len - from_end;
	return pak_footer_read(&end, 0, f) && f->magic == PAK_MAGIC;
}

/* Reads what surrounds the footer, whose magic is at `at`. Engines check that it fits before they
 * read a footer. */
static bool read_around(struct held end, uint64_t at, struct content *p)
{
	const uint64_t version = p->pak_footer.version;

	if (version < PAK_ENCRYPTED)
		return true;
	if (at < (version < PAK_KEY_GUID ? 1 : PAK_LOCK_LEN))
		return false;
	p->pak_encrypted = (uint8_t)held_u8(end, at - 1);
	if (version < PAK_KEY_GUID)
		return true;
	memcpy(p->pak_guid, held_part(end, at - PAK_LOCK_LEN, sizeof p->pak_guid).bytes,
	       sizeof p->pak_guid);
	p->pak_is_frozen = version == PAK_FROZEN && held_u8(end, at + pak_footer_fixed_len) != 0;
	return true;
}

/* Only of versions up to PAK_RELEASED is it known what follows; of those before 8 nothing does. */
static void look_at_methods(struct held names, uint64_t at, struct content *p)
{
	p->pak_methods_at = at;
	for (uint64_t i = 0; i < names.len / PAK_METHOD_LEN; i++)
		p->pak_method_is_open[i] = held_find(held_part(names, i * PAK_METHOD_LEN,
							       PAK_METHOD_LEN),
						     0) == PAK_METHOD_LEN;
}

/* Each engine tries the footers that it knows from the longest to the shortest, and takes the
 * first with the magic. If there are several, engines do not agree. */
static void find_footer(struct held bytes, struct cursor end, struct content *p)
{
	struct pak_footer other;
	const struct pak_place *place = NULL;
	unsigned n = 0;

	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		if (!has_magic(end, places[i].from_end, place ? &other : &p->pak_footer))
			continue;
		if (!place)
			place = &places[i];
		n++;
	}
	p->n_pak_magics = n;
	if (n != 1 || p->pak_footer.version >= 32 ||
	    !(place->versions >> p->pak_footer.version & 1))
		return;
	p->pak_is_known = read_around(bytes, end.len - place->from_end, p);
	if (p->pak_is_known && p->pak_footer.version <= PAK_RELEASED) {
		/* whether it is frozen */
		const uint64_t len = place->from_end - pak_footer_fixed_len,
			       skip = len % PAK_METHOD_LEN;

		look_at_methods(held_part(bytes, end.len - len + skip, len - skip),
				p->pak_footer.at + pak_footer_fixed_len + skip, p);
	}
}

/* An index begins with the length of its mount point and the mount point, which leads out of the
 * folder of the program. */
static void look_at_index(struct decode *d, struct source *s, struct content *p)
{
	static const char begins[] = "../../../";
	const struct pak_footer *f = &p->pak_footer;
	uint8_t bytes[INDEX_BEGIN];
	const struct span at = { f->index_offset, sizeof bytes };

	if (!p->pak_is_known || p->pak_encrypted == 0 || f->index_size < at.len ||
	    f->index_size > f->at || at.at > f->at - f->index_size)
		return;
	if (source_copy(s, at, bytes))
		p->pak_index_is_plain = memcmp(&bytes[4], begins, sizeof begins - 1) == 0;
	else
		decode_stop_in(d, UTOC_PAK, STOP_INPUT, s, at);
}

void content_open_pak(struct decode *d, struct content *p)
{
	uint8_t bytes[PAK_LOCK_LEN + PAK_FOOTER_MAX];
	struct source s;
	struct span end;

	if (p->pak->state != COMPANION_OPEN)
		return;
	s = p->pak->source;
	end.len = s.io.size < sizeof bytes ? s.io.size : sizeof bytes;
	end.at = s.io.size - end.len;
	if (!decode_spend(d, UTOC_PAK, work_of_bytes(end.len + INDEX_BEGIN)))
		return;
	if (source_copy(&s, end, bytes))
		find_footer((struct held){ bytes, end.len }, cursor_init(bytes, end.len, end.at),
			    p);
	else
		decode_stop_in(d, UTOC_PAK, STOP_INPUT, &s, end);
	look_at_index(d, &s, p);
}

/* A container's .pak holds next to nothing before its index. */
enum { ALMOST_NOTHING = 4096 };

enum likeness content_likeness(struct source *s, const char *name)
{
	uint8_t bytes[PAK_LOCK_LEN + PAK_FOOTER_MAX];
	struct content p = { .n_pak_magics = 0 };
	const struct pak_footer *f = &p.pak_footer;
	struct span end;

	if (!ending_is(name, PART_PAK))
		return LIKE_KIND;
	end.len = s->io.size < sizeof bytes ? s->io.size : sizeof bytes;
	end.at = s->io.size - end.len;
	if (!source_copy(s, end, bytes))
		return LIKE_NOTHING;
	find_footer((struct held){ bytes, end.len }, cursor_init(bytes, end.len, end.at), &p);
	if (!p.pak_is_known || f->index_size > f->at || f->index_offset > f->at - f->index_size)
		return LIKE_NOTHING;
	return f->index_offset <= ALMOST_NOTHING ? LIKE_COMPANION : LIKE_KIND;
}
