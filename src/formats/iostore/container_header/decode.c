/* The container header: its bytes, its head, and the order in which its parts are decoded. Source:
 * conformance/spec/iostore.md, 8. */
#include "formats/iostore/container_header/walk.h"

#include "core/mutant.h"

/* Bytes of the chunk that cost one unit of work to walk. */
#define WALK_WORK 16u

/* ---- The head -------------------------------------------------------------------------------- */

static bool read_new_head(struct decode *d, struct container_header *h)
{
	struct container_head head;

	if (!container_head_read(&h->walk.c, 0, &head))
		return walk_cut(&h->walk, PART_HEAD, 0, container_head_fixed_len);
	h->claimed = head.version;
	h->container_id = head.container_id;
	if (head.version < CONTAINER_LOCALIZED_PACKAGES ||
	    head.version > CONTAINER_SOFT_REFERENCES_OFFSET)
		return decode_stop(d, CONTAINER_HEAD, STOP_UNSUPPORTED, h->id_at);
	h->version = (int)head.version;
	return true;
}

static bool read_old_head(struct container_header *h)
{
	struct container_old_head head;

	if (!container_old_head_read(&h->walk.c, 0, &head))
		return walk_cut(&h->walk, PART_HEAD, 0, container_old_head_fixed_len);
	h->container_id = head.container_id;
	h->package_count = head.n_packages;
	return true;
}

/* The magic tells which engine wrote the chunk, the version of the .utoc which one should have. */
static bool read_head(struct decode *d, struct container_header *h, const struct toc *t)
{
	struct cursor peek = h->walk.c;
	uint64_t magic = 0;

	h->has_magic = cursor_u32(&peek, &magic) && magic == CONTAINER_MAGIC;
	if (h->has_magic)
		return read_new_head(d, h);
	if (t->version >= TOC_OVERFLOW && h->held.len >= container_count_fixed_len)
		return decode_stop(d, CONTAINER_HEAD, STOP_MALFORMED, h->id_at);
	return read_old_head(h);
}

static void walk_chunk(struct decode *d, struct container_header *h, const struct toc *t)
{
	struct container_walk *w = &h->walk;

	if (!decode_spend(d, CONTAINER_HEAD, h->held.len / WALK_WORK + 1) ||
	    !walk_ends(w, CONTAINER_HEAD, read_head(d, h, t))) {
		w->blocked = CONTAINER_HEAD;
	} else {
		w->parts[PART_HEAD] = (struct container_part){ .len = cursor_at(&w->c),
							       .is_there = true };
		if (h->has_magic)
			walk_ue5(h);
		else
			walk_ue4(h);
	}
	if (!(w->groups & 1u << CONTAINER_END) || h->soft.overrun)
		decode_stop(d, w->blocked, STOP_MALFORMED, h->id_at);
}

/* ---- The parts ------------------------------------------------------------------------------- */

static bool was_walked(const struct container_header *h, enum utoc_group group)
{
	return (h->walk.groups & 1u << group) != 0;
}

static void read_end(struct container_header *h)
{
	h->trailing = (struct span){ h->walk.end, h->held.len - h->walk.end };
	h->trailing_used = h->held.len - MUTANT(93); /* mutant: the last byte may be anything */
	while (h->trailing_used > h->walk.end && held_u8(h->held, h->trailing_used - 1) == 0)
		h->trailing_used--;
}

static void read_parts(struct decode *d, struct container_header *h, const struct toc *t)
{
	if (was_walked(h, CONTAINER_PACKAGES) && container_read_packages(d, h))
		container_match_chunks(d, h, t);
	if (was_walked(h, CONTAINER_NAMES))
		container_read_names(d, h);
	if (was_walked(h, CONTAINER_MAPS))
		container_read_maps(d, h);
	if (was_walked(h, CONTAINER_SOFT))
		container_read_soft(d, h);
	if (was_walked(h, CONTAINER_END))
		read_end(h);
}

static void read_chunk(struct decode *d, const struct toc *t, struct container_header *h)
{
	const struct cursor start = cursor_init(h->held.bytes, h->held.len, 0);

	h->walk = (struct container_walk){ .c = start, .cut = PART_N };
	walk_chunk(d, h, t);
	container_measure_packages(h);
	read_parts(d, h, t);
	for (uint32_t g = CONTAINER_HEAD; g <= CONTAINER_END; g++)
		if (!was_walked(h, (enum utoc_group)g) && g != h->walk.blocked)
			decode_stop_needs(d, g, h->walk.blocked);
}

/* ---- The chunk ------------------------------------------------------------------------------- */

static void stop_from(struct decode *d, uint32_t first, uint32_t on)
{
	for (uint32_t g = first; g <= CONTAINER_END; g++)
		decode_stop_needs(d, g, on);
}

static bool may_be_read(struct decode *d, const struct toc *t, const struct container_header *h,
			uint64_t most)
{
	if (toc_length(t, h->chunk) == 0)
		return decode_stop(d, CONTAINER_BYTES, STOP_MALFORMED, h->id_at);
	if (toc_length(t, h->chunk) > most)
		return decode_stop_limit(d, CONTAINER_BYTES, LIMIT_unpacked, h->id_at);
	return true;
}

bool container_header_open(struct decode *d, const struct toc *t, struct container_header *h,
			   uint64_t *most)
{
	*most = d->limits->of[LIMIT_unpacked] < UINT32_MAX ? d->limits->of[LIMIT_unpacked]
							   : UINT32_MAX;
	h->chunk = TOC_NONE;
	if (!decode_has(d, UTOC_CHUNKS)) {
		stop_from(d, CONTAINER_BYTES, UTOC_CHUNKS);
		return false;
	}
	h->chunk = t->header_chunk;
	if (h->chunk == TOC_NONE)
		return false;
	h->id_at.at = t->sections[SECTION_IDS].at.at + (uint64_t)h->chunk * utoc_chunk_id_fixed_len;
	h->id_at.len = utoc_chunk_id_fixed_len;
	if (may_be_read(d, t, h, *most))
		return true;
	stop_from(d, CONTAINER_HEAD, CONTAINER_BYTES);
	return false;
}

void container_header_decode(struct decode *d, const struct toc *t, struct container_header *h)
{
	if (h->held.bytes)
		read_chunk(d, t, h);
	else
		stop_from(d, CONTAINER_HEAD, CONTAINER_BYTES);
}

/* ---- What rules and map ask ------------------------------------------------------------------ */

struct span container_header_field(const struct container_header *h, const struct layout *l,
				   uint64_t at, size_t field)
{
	struct span place = { at, 0 };
	struct cursor c = cursor_init(h->held.bytes, h->held.len, 0);

	if (!cursor_seek(&c, at) || !layout_place(l, 0, c, field, &place))
		return (struct span){ at, 0 };
	return place;
}
