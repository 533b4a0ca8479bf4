/* Manifests of other languages. They are read like Manifest.int, one after another into the same
 * memory, since there may be many. */
#include "formats/umod/install.h"

/* Tells whether a member is a manifest other than Manifest.ini and Manifest.int, and the first of
 * its name. */
static bool is_other(const struct umod *u, uint32_t i)
{
	return (u->members[i].traits & (UMOD_IS_MANIFEST | UMOD_NAME_REPEATED)) ==
		       UMOD_IS_MANIFEST &&
	       i != u->manifest_member && i != u->locale_member;
}

static bool note_unreadable(struct decode *d, struct umod *u, uint32_t member)
{
	const struct umod_member *e = &u->members[member];

	decode_stop(d, UMOD_TRANSLATIONS, STOP_MALFORMED, (struct span){ e->offset, e->size });
	return manifest_note_line(d, &u->manifest, DEFECT_UNREADABLE,
				  &(struct manifest_note){ .member = member });
}

/* Bytes of a manifest that cost a unit of work. Counting lines is not enough, because many
 * manifests may share bytes and have few lines. */
enum { BYTES_A_UNIT = 8 };

/* How many of these manifests the source keeps, so that their bytes are read only once. Together
 * they may not be longer than all members, though they may overlap. Each span that the source keeps
 * slows down reading the content. The others are copied to one buffer. */
enum { OTHERS_HELD = 8 };

struct others {
	uint8_t *bytes; /* a buffer as long as the longest */
	uint32_t n_held;
	uint64_t held; /* their bytes */
};

static bool open_window(struct decode *d, const struct umod *u, struct others *o, struct span span,
			struct cursor *out)
{
	if (o->n_held < OTHERS_HELD && o->held + span.len <= u->trailer.dir_offset) {
		o->n_held++;
		o->held += span.len;
		return decode_window(d, UMOD_TRANSLATIONS, span, out);
	}
	*out = cursor_init(o->bytes, span.len, span.at);
	return decode_copy(d, UMOD_TRANSLATIONS, span, o->bytes);
}

/* Reads a manifest. If it cannot be read, the others still are; false: memory ended. */
static bool read_other(struct decode *d, struct umod *u, uint32_t member, struct others *o)
{
	struct cursor *window = &u->manifest.windows[MANIFEST_OTHER];
	const struct umod_member *e = &u->members[member];
	const struct span span = { e->offset, e->size };

	if (e->traits & UMOD_OUTSIDE)
		return note_unreadable(d, u, member);
	if (e->size > d->limits->of[LIMIT_text]) {
		decode_stop_limit(d, UMOD_TRANSLATIONS, LIMIT_text, span);
		return true;
	}
	if (!decode_spend(d, UMOD_TRANSLATIONS, e->size / BYTES_A_UNIT) ||
	    !open_window(d, u, o, span, window))
		return true;
	if (!install_take_text(&u->manifest, MANIFEST_OTHER, span))
		return note_unreadable(d, u, member);
	return manifest_read_other(d, u);
}

/* Bytes of the longest that is read. */
static uint64_t longest_other(const struct decode *d, const struct umod *u)
{
	uint64_t longest = 0;

	for (uint32_t i = 0; i < u->n_members; i++) {
		const struct umod_member *e = &u->members[i];

		if (is_other(u, i) && !(e->traits & UMOD_OUTSIDE) &&
		    e->size <= d->limits->of[LIMIT_text] && e->size > longest)
			longest = e->size;
	}
	return longest;
}

bool install_read_others(struct decode *d, struct umod *u)
{
	struct others o = { 0 };
	uint64_t n;

	if (!install_has_others(u))
		return true;
	n = longest_other(d, u);
	o.bytes = decode_alloc(d, UMOD_MANIFEST, n, 1);
	if (!o.bytes || !manifest_make_numbers(d, &u->manifest, MANIFEST_OTHER, n) ||
	    !decode_spend(d, UMOD_MANIFEST, UINT64_C(2) * u->n_members))
		return false;
	for (uint32_t i = 0; i < u->n_members; i++)
		if (is_other(u, i) && !read_other(d, u, i, &o))
			return false;
	return true;
}

void install_leave_others(struct decode *d, const struct umod *u)
{
	for (uint32_t i = 0; install_has_others(u) && i < u->n_members; i++)
		if (is_other(u, i))
			decode_stop_needs(d, UMOD_TRANSLATIONS, UMOD_MANIFEST);
}
