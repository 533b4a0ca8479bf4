/* The footer of the .pak, by which games recognise it. What else it holds is judged as a file
 * inside (inside.c). */
#include <string.h>

#include "core/container_parts.h"
#include "core/work.h"
#include "formats/iostore/content/parts.h"

/* The first bytes of an index, by which one that is not encrypted is recognised: the length of
 * its mount point, and nine characters of it. */
enum { INDEX_BEGIN = 13 };

/* The last bytes of a file: all in which a footer can be. */
static struct span tail_span(const struct source *s)
{
	const uint64_t len = s->io.size < PAK_TAIL_MAX ? s->io.size : PAK_TAIL_MAX;

	return (struct span){ s->io.size - len, len };
}

static bool has_index(const struct pak_tail *f)
{
	return f->index_size <= f->magic_at && f->index_offset <= f->magic_at - f->index_size;
}

/* An index begins with the length of its mount point and the mount point, which leads out of the
 * folder of the program. */
static void look_at_index(struct decode *d, struct source *s, struct content *p)
{
	static const char begins[] = "../../../";
	const struct pak_tail *f = &p->pak_tail;
	uint8_t bytes[INDEX_BEGIN];
	const struct span at = { f->index_offset, sizeof bytes };

	if (!f->is_known || f->encrypted == 0 || f->index_size < at.len || !has_index(f))
		return;
	if (source_copy(s, at, bytes))
		p->pak_index_is_plain = memcmp(&bytes[4], begins, sizeof begins - 1) == 0;
	else
		decode_stop_in(d, UTOC_PAK, STOP_INPUT, s, at);
}

void content_open_pak(struct decode *d, struct content *p)
{
	uint8_t bytes[PAK_TAIL_MAX];
	struct source s;
	struct span end;

	if (p->pak->state != COMPANION_OPEN)
		return;
	s = p->pak->source;
	end = tail_span(&s);
	if (!decode_spend(d, UTOC_PAK, work_of_bytes(end.len + INDEX_BEGIN)))
		return;
	if (source_copy(&s, end, bytes))
		pak_tail_read((struct held){ bytes, end.len }, s.io.size, &p->pak_tail);
	else
		decode_stop_in(d, UTOC_PAK, STOP_INPUT, &s, end);
	look_at_index(d, &s, p);
}

/* A container's .pak holds next to nothing before its index. */
enum { ALMOST_NOTHING = 4096 };

enum likeness content_likeness(struct source *s, const char *name)
{
	uint8_t bytes[PAK_TAIL_MAX];
	struct pak_tail f;
	const struct span end = tail_span(s);

	if (!ending_is(name, PART_PAK))
		return LIKE_KIND;
	if (!source_copy(s, end, bytes) ||
	    !pak_tail_read((struct held){ bytes, end.len }, s->io.size, &f) || !has_index(&f))
		return LIKE_NOTHING;
	return f.index_offset <= ALMOST_NOTHING ? LIKE_COMPANION : LIKE_KIND;
}
