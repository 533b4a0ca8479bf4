/* Which members are decoded, held in memory, and opened as files of their own. */
#include "core/checked.h"
#include "core/path.h"
#include "formats/archive/sevenzip/payload.h"

/* ---- Folders --------------------------------------------------------------------------------- */

/* A folder that expands so much is left alone, whatever is in it. */
static bool expands_too_much(const struct decode *d, const struct sevenzip_folder *f)
{
	uint64_t most;

	return f->size > UNPACKED_FREE &&
	       checked_mul(f->packed.len, d->limits->of[LIMIT_ratio], &most) && f->size > most;
}

/* All folders together may decompress to so many times what one compressed file may. */
#define ALL_UNPACKED 32u

static bool is_within_limits(struct decode *d, struct sevenzip_payload *p,
			     const struct sevenzip_folder *f)
{
	if (f->traits & FOLDER_STORED)
		return true;
	if (expands_too_much(d, f))
		return decode_stop_limit(d, SEVENZIP_CONTENT, LIMIT_ratio, f->packed);
	p->unpacked = capped_add(p->unpacked, f->size);
	return p->unpacked / ALL_UNPACKED <= d->limits->of[LIMIT_unpacked] ||
	       decode_stop_limit(d, SEVENZIP_CONTENT, LIMIT_unpacked, f->packed);
}

/* Whether a folder is decoded; if not, that is noted. */
static bool may_decode(struct decode *d, struct sevenzip_payload *p,
		       const struct sevenzip_folder *f)
{
	const uint32_t group = SEVENZIP_CONTENT;

	if (f->traits & FOLDER_GRAPH)
		return decode_stop(d, group, STOP_MALFORMED, f->packed);
	if (f->traits & FOLDER_ENCRYPTED)
		return decode_stop_key(d, group, DECODE_PASSWORD, f->packed);
	if (f->traits & FOLDER_UNKNOWN)
		return decode_stop_codec(d, group, sevenzip_coder_name(f->strange), f->packed);
	if (f->lacks)
		return decode_stop_codec(d, group, f->lacks, f->packed);
	if (f->traits & FOLDER_MEMORY) /* the rule about it says what was not judged */
		return decode_stop(d, group, STOP_UNSUPPORTED, f->packed);
	return is_within_limits(d, p, f);
}

/* ---- Members --------------------------------------------------------------------------------- */

static bool is_promised(const struct arc_member *m)
{
	return m->kind == ARC_FILE && format_is_opened(path_extension(m->name));
}

/* Files beside a container or a package, which are asked for while that is judged. */
static bool is_companion(const struct arc_member *m)
{
	static const char *const extensions[] = { "ucas", "uexp", "ubulk", "uptnl", "sig" };

	return m->kind == ARC_FILE && text_is_one(path_extension(m->name), extensions,
						  sizeof extensions / sizeof *extensions);
}

/* A .pak may belong to a container, which is opened before it. */
static bool is_part(const struct arc_member *m)
{
	return text_ends(m->name, ".pak");
}

uint64_t sevenzip_rows_end(const struct sevenzip *z, uint64_t folder)
{
	for (uint64_t i = folder + 1; i < z->n_folders; i++)
		if (z->folders[i].n_rows > 0)
			return z->folders[i].first_row;
	return z->members->n;
}

/* Whether a member of a folder fits in memory with those that are kept already; if not, that is
 * noted. A folder is one compressed file. */
static bool fits(struct decode *d, const struct sevenzip_folder *f, uint64_t kept, uint64_t size)
{
	return decode_may_unpack(d, SEVENZIP_CONTENT, capped_add(kept, size), f->packed);
}

/* Pieces of the block begin at multiples of this. */
enum { KEPT_ALIGN = 16 };

static void keep_member(const struct sevenzip *z, uint64_t row, uint64_t *kept)
{
	struct sevenzip_entry *e = &z->entries[row];
	const uint64_t size = z->members->rows[row].size;

	e->kept_at = *kept;
	e->state |= SEVENZIP_IS_KEPT;
	*kept += size + (KEPT_ALIGN - size % KEPT_ALIGN) % KEPT_ALIGN;
	z->folders[e->folder].n_kept++;
}

/* Goes over the rows of a folder that may be kept: those that are opened, and, where there are any,
 * those that may be asked for beside them. */
static void keep_members(struct decode *d, struct sevenzip *z, uint64_t folder)
{
	struct sevenzip_folder *f = &z->folders[folder];
	const uint64_t end = sevenzip_rows_end(z, folder);
	const bool is_stored = f->traits & FOLDER_STORED;
	uint64_t kept = 0;

	d->unpacked = 0;
	for (unsigned pass = 0; pass < 2; pass++)
		for (uint64_t i = f->first_row; i < end; i++) {
			const struct arc_member *m = &z->members->rows[i];

			if (z->entries[i].folder != folder ||
			    !(pass == 0 ? is_promised(m) : is_companion(m)) ||
			    (pass == 1 && (f->n_kept == 0 || is_promised(m))))
				continue;
			if (!is_stored && !fits(d, f, kept, m->size))
				continue;
			if (!is_stored)
				keep_member(z, i, &kept);
			if (pass == 0) {
				z->entries[i].state |= SEVENZIP_IS_OPENED;
				z->payload->n_order++;
			}
		}
	if (f->n_kept > 1 && kept > z->payload->block_size)
		z->payload->block_size = kept;
}

/* Those of a folder that only decoding showed to be worth a look. */
static uint64_t keep_late(struct decode *d, const struct sevenzip *z, uint64_t folder)
{
	struct sevenzip_folder *f = &z->folders[folder];
	const uint64_t end = sevenzip_rows_end(z, folder);
	uint64_t kept = 0;

	f->n_kept = 0;
	d->unpacked = 0;
	for (uint64_t i = f->first_row; i < end; i++) {
		struct sevenzip_entry *e = &z->entries[i];

		if (e->folder != folder)
			continue;
		e->state &= (uint8_t) ~(unsigned)SEVENZIP_IS_KEPT;
		if (!(e->state & SEVENZIP_IS_SEEN) ||
		    e->state & (SEVENZIP_IS_OPENED | SEVENZIP_IS_CLAIMED))
			continue;
		if (fits(d, f, kept, z->members->rows[i].size))
			keep_member(z, i, &kept);
		else
			e->state &= (uint8_t) ~(unsigned)SEVENZIP_IS_SEEN;
	}
	return f->n_kept > 1 ? kept : 0;
}

void sevenzip_plan_late(struct decode *d, const struct sevenzip *z)
{
	struct sevenzip_payload *p = z->payload;

	p->block = NULL;
	p->block_size = 0;
	p->block_folder = UINT64_MAX;
	if (!decode_spend(d, SEVENZIP_PAYLOAD, z->members->n + z->n_folders))
		return;
	for (uint64_t i = 0; i < z->n_folders; i++) {
		const bool is_decoded = z->folders[i].n_rows > 0 &&
					!(z->folders[i].traits & FOLDER_STORED);
		const uint64_t kept = is_decoded ? keep_late(d, z, i) : 0;

		p->block_size = kept > p->block_size ? kept : p->block_size;
	}
}

/* ---- The order in which they are opened ------------------------------------------------------ */

/* Folder by folder, because each is decoded once. In one first what may have parts beside it,
 * then what may be such a part; where a .pak is the only one that is kept, it is opened after
 * all others. */
static void order_folder(const struct sevenzip *z, uint64_t folder, bool is_late, uint64_t *n)
{
	const struct sevenzip_folder *f = &z->folders[folder];
	const uint64_t end = sevenzip_rows_end(z, folder);

	for (unsigned parts = 0; parts < 2; parts++)
		for (uint64_t i = f->first_row; i < end; i++) {
			const bool is_a_part = is_part(&z->members->rows[i]);
			const bool waits = is_a_part && f->n_kept < 2;

			if (z->entries[i].folder == folder && waits == is_late &&
			    is_a_part == (parts == 1) && z->entries[i].state & SEVENZIP_IS_OPENED)
				z->payload->order[(*n)++] = (uint32_t)i;
		}
}

static void order_rows(const struct sevenzip *z)
{
	uint64_t n = 0;

	for (uint64_t i = 0; i < z->n_folders; i++)
		if (z->folders[i].n_rows > 0)
			order_folder(z, i, false, &n);
	for (uint64_t i = 0; i < z->n_folders; i++)
		if (z->folders[i].n_rows > 0)
			order_folder(z, i, true, &n);
	for (unsigned parts = 0; parts < 2; parts++)
		for (uint64_t i = 0; i < z->members->n; i++)
			if (z->entries[i].folder == UINT32_MAX &&
			    is_part(&z->members->rows[i]) == (parts == 1) &&
			    z->entries[i].state & SEVENZIP_IS_OPENED)
				z->payload->order[n++] = (uint32_t)i;
}

/* Empty files lie in no folder. */
static void open_empty(struct sevenzip *z)
{
	for (uint64_t i = 0; i < z->members->n; i++)
		if (z->entries[i].folder == UINT32_MAX && is_promised(&z->members->rows[i])) {
			z->entries[i].state |= SEVENZIP_IS_OPENED;
			z->payload->n_order++;
		}
}

/* Of a link the target is read, as far as it is no longer than a path may be, and the data of a
 * reparse point. No archive has so many links that they do not fit. */
enum { TARGET_MAX = SEVENZIP_TARGET_MAX, TARGETS_MAX = 4194304 };

static bool may_lead(const struct sevenzip *z, uint64_t row)
{
	const struct arc_member *m = &z->members->rows[row];

	return m->size > 0 && (m->kind == ARC_SYMLINK || z->entries[row].traits & SEVENZIP_REPARSE);
}

static bool make_room_for_targets(struct decode *d, struct sevenzip *z)
{
	uint64_t n = 0, size = 0;

	for (uint64_t i = 0; i < z->members->n; i++) {
		const struct arc_member *m = &z->members->rows[i];

		if (!may_lead(z, i))
			continue;
		if (size > TARGETS_MAX) {
			decode_stop_limit(d, SEVENZIP_CONTENT, LIMIT_unpacked,
					  (struct span){ m->at, m->packed });
			break;
		}
		z->entries[i].state |= SEVENZIP_IS_LINK;
		z->entries[i].target_at = (uint32_t)size;
		size += m->size < TARGET_MAX ? m->size : TARGET_MAX;
		n++;
	}
	z->payload->n_links = n;
	z->payload->targets = decode_alloc(d, SEVENZIP_PAYLOAD, size, 1);
	return z->payload->targets;
}

bool sevenzip_plan_payload(struct decode *d, struct sevenzip *z)
{
	struct sevenzip_payload *p = z->payload;

	if (d->level == LEVEL_STRUCTURE)
		return decode_stop(d, SEVENZIP_PAYLOAD, STOP_LEVEL,
				   (struct span){ 0, z->header.at });
	p->folders = decode_alloc(d, SEVENZIP_PAYLOAD, z->n_folders, 1);
	if (!p->folders || !decode_spend(d, SEVENZIP_PAYLOAD, 4 * z->members->n + z->n_folders))
		return false;
	for (uint64_t i = 0; i < z->n_folders; i++) {
		p->folders[i] = 0;
		if (z->folders[i].n_rows > 0 && !may_decode(d, p, &z->folders[i]))
			p->folders[i] = FOLDER_IS_SKIPPED;
		else if (z->folders[i].n_rows > 0)
			keep_members(d, z, i);
	}
	open_empty(z);
	p->order = decode_alloc(d, SEVENZIP_PAYLOAD, p->n_order, sizeof *p->order);
	if (!p->order || !make_room_for_targets(d, z))
		return false;
	order_rows(z);
	return true;
}
