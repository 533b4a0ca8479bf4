/* The folder that is to be uploaded: its files are the members of the archive that somebody will
 * make of it. Source: conformance/spec/layout.md, chapter 1. */
#include "formats/set/set.h"

/* ---- Its files as members -------------------------------------------------------------------- */

static bool list(struct decode *d, struct set *u)
{
	const struct set_files *in = u->in;

	if (in->n_lost > 0)
		return decode_stop(d, SET_TREE, STOP_MEMORY, (struct span){ 0, 0 });
	u->folder.rows = decode_alloc(d, SET_TREE, in->n_listed, sizeof *u->folder.rows);
	for (uint32_t i = 0; u->folder.rows && i < in->n_listed; i++) {
		const struct set_listed *f = &in->listed[i];

		u->folder.rows[i] = (struct arc_member){ .name = text_from(f->name + in->listed_at),
							 .size = f->size,
							 .packed = f->size,
							 .kind = ARC_FILE };
		if (f->is_archive)
			u->folder.rows[i].traits = ARC_ARCHIVE;
		u->folder.n++;
	}
	return u->folder.rows && members_examine(d, SET_TREE, &u->folder);
}

/* ---- Those that a site reads ----------------------------------------------------------------- */

static const uint8_t *open_kept(const void *facts, struct decode *d, const struct nested *n,
				struct arena *arena)
{
	const struct set *u = facts;

	(void)d, (void)arena;
	return u->in->listed[n->row].bytes;
}

static const struct nested_files kept_files = { .open = open_kept };

static bool is_kept(const void *facts, uint64_t row)
{
	const struct set *u = facts;

	return u->in->listed[row].bytes != NULL;
}

/* Of what was not kept its length says enough, but of a manifest. */
static void note_unread(struct decode *d, const struct set *u)
{
	for (size_t i = 0; i < N_UPLOAD_READS; i++) {
		const uint32_t row = u->layout.roots[i];
		const struct set_listed *f = row == LAY_NONE ? NULL : &u->in->listed[row];

		if (f && f->is_lost)
			decode_stop(d, SET_SITE, STOP_INPUT, (struct span){ 0, f->size });
		else if (f && !f->bytes && i == UPLOAD_READ_MANIFEST)
			decode_stop(d, SET_SITE, STOP_UNSUPPORTED, (struct span){ 0, f->size });
	}
}

void set_look_at_folder(struct decode *d, struct set *u)
{
	const struct lay_archive archive = { .members = &u->folder, .is_whole = true };
	const struct lay_source source = {
		u, &kept_files, &u->folder, SET_SITE, SET_TREE, is_kept
	};

	if (u->in->n_listed == 0 || !list(d, u) || !lay_examine(d, SET_TREE, &archive, &u->layout))
		return;
	lay_read(d, &source, &u->layout);
	note_unread(d, u);
}
