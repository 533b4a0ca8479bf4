/* UMOD installers: sniffing, the trailer, the content, and the format as the engine sees it. */
#include "formats/umod/umod.h"

#include "codec/crc.h"
#include "core/mutant.h"

#define FORMAT umod
#define FORMAT_DEF "formats/umod/umod.def"
#define FORMAT_RULES "rule/ids/umod.def"
#include "formats/define.h"

/* Up to seven bytes may stand between the trailer and a signature, which starts at a multiple of
 * eight. Source: FFileManagerArc.h. */
#define SIGNATURE_PADDING_MAX 7u

static bool magic_at(const struct cursor *window, uint64_t at)
{
	struct cursor c = *window;
	uint64_t magic = 0;
	const bool is_there = cursor_seek(&c, at);
	const bool is_read = cursor_u32(&c, &magic) & is_there;

	return ALWAYS(is_read) && magic == UMOD_MAGIC;
}

/* The bytes in which the trailer is looked for: the last 20 of the file, or the last 27 before a
 * signature. The span is empty where a file has no such place, and may be shorter than 20 bytes. */
static struct span place_range(const struct umod *u, enum umod_place place)
{
	const struct umod_stub *stub = &u->stub;
	uint64_t end = u->size, len = UMOD_TRAILER_LEN;

	if (place == PLACE_END && (!stub->is_signed || stub->security.offset >= u->size))
		return (struct span){ 0, 0 };
	if (place == PLACE_OTHER && stub->other_offset == 0)
		return (struct span){ 0, 0 };
	if (place == PLACE_OTHER || (place == PLACE_OWN && stub->is_signed)) {
		end = place == PLACE_OTHER ? stub->other_offset : stub->security.offset;
		len += SIGNATURE_PADDING_MAX;
	}
	if (len > end)
		len = end;
	return (struct span){ end - len, len };
}

/* Searches a range of at least 20 bytes backwards from its end. It returns whether there is a
 * trailer, and where. */
static bool find_trailer(const struct cursor *window, struct span range, uint64_t *at)
{
	for (*at = span_end(range) - UMOD_TRAILER_LEN;; --*at) {
		if (magic_at(window, *at))
			return true;
		if (*at == range.at)
			return false;
	}
}

static bool padding_is_zero(struct cursor window, uint64_t from)
{
	uint64_t byte;

	if (!cursor_seek(&window, from))
		return true;
	while (cursor_u8(&window, &byte))
		if (byte != 0)
			return false;
	return true;
}

/* The first trailer that is found is the file's. One in another place is a stray, and so is the
 * only one if it is not where it belongs. */
static void note_trailer(struct umod *u, const struct cursor *window, enum umod_place place,
			 uint64_t at, bool *found)
{
	const struct span trailer = { at, UMOD_TRAILER_LEN };

	if (place != PLACE_OWN && u->stray.len == 0 && !(*found && at == u->trailer_place.at)) {
		u->stray = trailer;
		u->stray_place = place;
		u->defects |= UMOD_STRAY_TRAILER;
	}
	if (*found)
		return;
	*found = true;
	u->trailer_place = trailer;
	u->end = span_end(trailer);
	if (place == PLACE_OWN && !padding_is_zero(*window, u->end))
		u->defects |= UMOD_PADDING_NONZERO;
}

static bool find_trailers(struct decode *d, struct umod *u, struct cursor *window, bool *found)
{
	for (enum umod_place place = PLACE_OWN; place < UMOD_N_PLACES; place++) {
		const struct span range = place_range(u, place);
		const bool had = *found;
		struct cursor c;
		uint64_t at;

		if (range.len < UMOD_TRAILER_LEN)
			continue;
		if (!decode_window(d, UMOD_TRAILER, range, &c))
			return false;
		if (find_trailer(&c, range, &at))
			note_trailer(u, &c, place, at, found);
		if (*found && !had)
			*window = c;
	}
	return true;
}

/* If no magic number is found, the place of the trailer is the last 20 bytes of where it
 * belongs. */
bool umod_decode_trailer(struct decode *d, struct umod *u)
{
	const struct span range = place_range(u, PLACE_OWN);
	struct cursor window = { 0 }; /* gcc 14 does not see that a trailer that is found sets it */
	bool found = false, is_there, is_read;

	u->trailer_place = range;
	if (!find_trailers(d, u, &window, &found))
		return false;
	if (!found && range.len >= UMOD_TRAILER_LEN) {
		u->trailer_place = (struct span){ span_end(range) - UMOD_TRAILER_LEN,
						  UMOD_TRAILER_LEN };
		u->end = span_end(range);
	}
	if (!found)
		return decode_stop(d, UMOD_TRAILER, STOP_MALFORMED, u->trailer_place);
	is_there = cursor_seek(&window, u->trailer_place.at);
	is_read = umod_trailer_read(&window, 0, &u->trailer) & is_there;
	return ALWAYS(is_read) || decode_stop(d, UMOD_TRAILER, STOP_MALFORMED, u->trailer_place);
}

/* The state of the pass over the content. */
struct content {
	struct decode *d;
	struct umod *u;
	struct crc crc;
	uint32_t gap; /* the first gap that does not lie wholly before the bytes seen */
};

/* Gaps are in the order of the file: each byte of a gap is looked at as it is read. */
static void look_at_gaps(struct content *c, uint64_t at, struct held bytes)
{
	const uint64_t n = bytes.len;

	while (c->gap < c->u->n_gaps) {
		struct umod_gap *g = &c->u->gaps[c->gap];
		uint64_t from = g->span.at > at ? g->span.at : at;
		uint64_t to = span_end(g->span) < at + n ? span_end(g->span) : at + n;

		if (from < to)
			g->nonzero = g->nonzero ||
				     !held_is_zero(held_part(bytes, from - at, to - from));
		/* mutant: the rest of a gap is not looked at */
		if (span_end(g->span) > at + n && !MUTANT(27))
			return;
		c->gap++;
	}
}

static bool take_content(void *ctx, uint64_t at, const uint8_t *bytes, uint64_t n)
{
	struct content *c = ctx;

	crc_add(&c->crc, bytes, n);
	look_at_gaps(c, at, (struct held){ bytes, n });
	return true;
}

bool umod_decode_content(struct decode *d, struct umod *u)
{
	struct content c = { .d = d, .u = u };
	struct span all = { 0, u->trailer.at };

	if (d->level == LEVEL_STRUCTURE)
		return decode_stop(d, UMOD_CONTENT, STOP_LEVEL, all);
	if (!decode_stream(d, UMOD_CONTENT, all, take_content, &c))
		return false;
	u->crc = c.crc.value;
	return true;
}

/* Ubisoft's format has the same magic number and other contents: only the version can be
 * trusted. */
static void refuse_ubisoft(struct decode *d, const struct umod *u)
{
	struct span version = { u->trailer.at, UMOD_TRAILER_LEN };

	decode_stop(d, UMOD_DIRECTORY, STOP_UNSUPPORTED, version);
	decode_stop(d, UMOD_CONTENT, STOP_UNSUPPORTED, version);
}

static void decode_parts(struct decode *d, struct umod *u)
{
	if (!umod_decode_stub(d, u) || !umod_decode_trailer(d, u))
		return;
	if (u->trailer.version == UMOD_VERSION_UBISOFT) {
		refuse_ubisoft(d, u);
		return;
	}
	if (umod_decode_directory(d, u))
		umod_decode_manifests(d, u);
	umod_decode_content(d, u);
}

static const void *umod_decode(struct decode *d)
{
	struct umod *u = arena_alloc(d->arena, 1, sizeof *u);

	if (!u)
		return NULL;
	*u = (struct umod){ .groups = d->groups };
	decode_parts(d, u);
	decode_spread(d, umod_groups, umod_n_groups);
	return u;
}

/* Recognises an installer by its name or by a trailer. It is not called for files with the
 * extension of another format. */
static bool umod_sniff(struct decode *d)
{
	const struct text extension = path_extension(text_from(d->source->name));
	struct umod u = { 0 };
	struct cursor window;
	uint64_t at;

	if (format_has_extension(&umod_format, extension))
		return true;
	if (!umod_decode_stub(d, &u))
		return false;
	for (enum umod_place place = PLACE_OWN; place < UMOD_N_PLACES; place++) {
		const struct span range = place_range(&u, place);

		if (range.len >= UMOD_TRAILER_LEN && source_window(d->source, range, &window) &&
		    find_trailer(&window, range, &at))
			return true;
	}
	return false;
}

static uint64_t umod_version(const void *facts)
{
	const struct umod *u = facts;

	return u->trailer.version;
}

/* How many of the bytes from <= at < to lie beyond the executable at the start. */
static uint64_t beyond_code(const struct umod *u, uint64_t from, uint64_t to)
{
	uint64_t code = u->stub.is_pe ? u->stub.image_end : 0;

	if (from < code)
		from = code;
	return from < to ? to - from : 0;
}

static uint64_t umod_explained(const void *facts)
{
	const struct umod *u = facts;
	uint64_t unexplained;

	if (u->groups[UMOD_FILE].why != STOP_NOT)
		return 0;
	if (u->groups[UMOD_TRAILER].why != STOP_NOT)
		return u->size - beyond_code(u, 0, u->end);
	if (u->groups[UMOD_DIRECTORY].why != STOP_NOT)
		return u->size - beyond_code(u, 0, u->trailer.at);
	unexplained = beyond_code(u, u->directory_end, u->trailer.at);
	for (uint32_t i = 0; i < u->n_gaps; i++)
		if (!umod_is_padding(&u->gaps[i]))
			unexplained += u->gaps[i].span.len;
	return u->size - unexplained;
}

static void umod_info(const void *facts, info_sink *sink, void *ctx)
{
	const struct umod *u = facts;

	if (u->groups[UMOD_DIRECTORY].why == STOP_NOT)
		sink(ctx, &(struct info){ .name = "members", .number = u->n_members });
	if (u->groups[UMOD_TRAILER].why == STOP_NOT)
		sink(ctx,
		     &(struct info){ .name = "crc_stored", .number = u->trailer.crc, .hex = true });
	if (u->groups[UMOD_CONTENT].why == STOP_NOT)
		sink(ctx, &(struct info){ .name = "crc_computed", .number = u->crc, .hex = true });
	if (u->stub.is_pe)
		sink(ctx, &(struct info){ .name = "self_extracting",
					  .word = u->stub.is_signed ? "signed" : "unsigned" });
}

static const struct nested_files umod_nested_files = { .next = umod_next_member };

/* How much more than they are its bytes may be claimed by members: a damaged directory claims most
 * of them some times. */
enum { CLAIMS_MAX = 32 };

static bool is_claimed_often(const struct umod *u)
{
	uint64_t claimed = 0;

	if (u->overlaps.n < CLAIMS_MAX)
		return false;
	for (uint32_t i = 0; i < u->n_members; i++)
		if (!(u->members[i].traits & UMOD_OUTSIDE))
			claimed += u->members[i].size;
	return claimed / CLAIMS_MAX > u->size;
}

/* Tells whether the file begins as installers do, with a manifest, or with a package. */
static bool begins_well(struct source *s)
{
	static const char *const starts[] = { "[Setup]", "\xC1\x83\x2A\x9E" };
	uint8_t bytes[8];

	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
		const uint64_t whole = strlen(starts[i]),
			       len = s->io.size < whole ? s->io.size : whole;

		if (source_copy(s, (struct span){ 0, len }, bytes) &&
		    memcmp(bytes, starts[i], (size_t)len) == 0)
			return true;
	}
	return false;
}

/* Tells whether the trailer stands where it says that the file ends, too. */
static bool is_there_twice(struct source *s, uint64_t end)
{
	uint8_t first[UMOD_TRAILER_LEN], last[UMOD_TRAILER_LEN];
	const uint64_t len = UMOD_TRAILER_LEN;

	return end >= len && end + len <= s->io.size &&
	       source_copy(s, (struct span){ end - len, len }, first) &&
	       source_copy(s, (struct span){ s->io.size - len, len }, last) &&
	       memcmp(first, last, sizeof last) == 0;
}

/* Without its trailer nothing says how long an installer was, or that it is one. */
static void umod_extent(const void *facts, const struct decode *d, uint32_t file,
			struct extent *out)
{
	const struct umod *u = facts;

	(void)file; /* an installer has no companions */
	out->ends_early = d->groups[UMOD_TRAILER].why == STOP_MALFORMED && begins_well(d->source);
	out->is_bomb = decode_has(d, UMOD_DIRECTORY) && is_claimed_often(u);
	if (!decode_has(d, UMOD_TRAILER) || u->stub.is_signed)
		return;
	out->needs = u->trailer.file_size;
	out->is_end = true;
	out->is_proved = is_there_twice(d->source, u->trailer.file_size);
}

/* A trailer says how long the file is. */
static uint64_t umod_marked_end(struct source *s, uint64_t at)
{
	uint8_t bytes[4];
	uint64_t size;

	if (!source_copy(s, (struct span){ at + 8, sizeof bytes }, bytes))
		return 0;
	size = held_u32((struct held){ bytes, sizeof bytes }, 0);
	return size == at + UMOD_TRAILER_LEN ? size : 0;
}

const struct format umod_format = {
	.name = "umod",
	.title = "UMOD installer",
	.groups = umod_groups,
	.n_groups = umod_n_groups,
	.traits = umod_traits,
	.n_tables = umod_n_tables,
	.layouts = umod_layouts,
	.rules = umod_rules,
	.extensions = umod_extensions,
	.shared = umod_shared,
	.sniff = umod_sniff,
	.decode = umod_decode,
	.version = umod_version,
	.tables = umod_tables,
	.explained = umod_explained,
	.map = umod_map,
	.info = umod_info,
	.nested = &umod_nested_files,
	.summary = umod_summary,
	.extent = umod_extent,
	.end_magic = UMOD_MAGIC,
	.marked_end = umod_marked_end,
};
