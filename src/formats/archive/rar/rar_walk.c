/* The way from block to block, which both versions share. */
#include "formats/archive/rar/rar_walk.h"

#include "core/checked.h"
#include "core/mutant.h"
#include "core/path.h"
#include "formats/archive/members/reparse.h"

bool rar_take_head(struct rar_walk *w, struct held first, uint64_t len, struct held *out)
{
	const uint64_t there = first.len < len ? first.len : len;
	const struct span rest = { w->at + there, len - there };
	uint8_t *bytes = decode_alloc(w->d, RAR_MEMBERS, len, 1);

	if (!bytes)
		return false;
	memcpy(bytes, first.bytes, (size_t)there);
	if (rest.len > 0 && !decode_copy(w->d, RAR_MEMBERS, rest, bytes + there))
		return false;
	*out = (struct held){ bytes, len };
	return true;
}

void rar_stop_truncated(struct rar_walk *w, uint64_t needs)
{
	struct rar *r = w->r;

	r->needs = needs;
	r->defects |= MUTANT(421) ? 0u : RAR_TRUNCATED; /* mutant: nobody says so */
	w->is_over = true;
	decode_stop(w->d, RAR_BLOCKS, STOP_MALFORMED, (struct span){ w->at, r->size - w->at });
}

void rar_note_fault(struct rar_walk *w, struct rar_fault fault)
{
	struct rar *r = w->r;

	if (!(r->defects & RAR_BLOCK_MALFORMED))
		r->fault = fault;
	r->defects |= RAR_BLOCK_MALFORMED;
	decode_stop(w->d, RAR_BLOCKS, STOP_MALFORMED, (struct span){ w->at, r->size - w->at });
}

/* What the header of a block says of data that is not in the file. */
static void stop_outside(struct rar_walk *w, const struct rar_block *b, uint64_t data_len,
			 bool is_sound)
{
	const uint64_t head_end = b->at + b->head_len;

	if (is_sound) {
		rar_stop_truncated(w, capped_add(head_end, data_len));
		return;
	}
	rar_note_fault(w, (struct rar_fault){ .what = "data",
					      .at = { b->at, b->head_len },
					      .has = data_len,
					      .needs = w->r->size - head_end,
					      .is_most = true });
	w->is_over = true;
}

bool rar_add_block(struct rar_walk *w, struct rar_block b, uint64_t data_len, bool is_sound)
{
	struct rar *r = w->r;
	const uint64_t left = r->size - b.at - b.head_len;
	struct rar_block *rows;

	if (r->n_blocks >= w->d->limits->of[LIMIT_entries])
		return decode_stop_limit(w->d, RAR_MEMBERS, LIMIT_entries,
					 (struct span){ b.at, r->size - b.at });
	if (!decode_spend(w->d, RAR_MEMBERS, 1))
		return false;
	rows = decode_grow(w->d, RAR_MEMBERS, r->blocks, r->n_blocks, &w->max_blocks, sizeof *rows);
	if (!rows)
		return false;
	b.data_len = data_len < left ? data_len : left;
	r->blocks = rows;
	r->blocks[r->n_blocks++] = b;
	r->block_traits |= b.traits;
	if (data_len > left)
		stop_outside(w, &b, data_len, is_sound);
	w->at = r->end = b.at + b.head_len + b.data_len;
	return true;
}

bool rar_stop_unsound(struct rar_walk *w, struct rar_block b)
{
	w->is_over = true;
	decode_stop(w->d, RAR_BLOCKS, STOP_MALFORMED, (struct span){ w->at, w->r->size - w->at });
	return rar_add_block(w, b, 0, true);
}

/* Where it leads is known when its bytes were read: the data of a reparse point, or the target of a
 * link that is compressed. */
static bool may_lead(const struct arc_member *m, const struct rar_member *e)
{
	if (m->packed == 0)
		return false;
	return m->kind == ARC_SYMLINK ? !(e->traits & RAR_STORED) : e->traits & RAR_REPARSE;
}

bool rar_add_member(struct rar_walk *w, const struct arc_member *m, struct rar_member e)
{
	struct rar *r = w->r;
	struct members *all = r->members;
	struct rar_member *entries = decode_grow(w->d, RAR_MEMBERS, r->entries, all->n,
						 &w->max_entries, sizeof *entries);
	struct arc_member *rows;

	if (!entries)
		return false;
	r->entries = entries;
	rows = decode_grow(w->d, RAR_MEMBERS, all->rows, all->n, &w->max_members, sizeof *rows);
	if (!rows)
		return false;
	e.block = (uint32_t)r->n_blocks - 1;
	e.traits |= rar_name_has_stream(m->name) ? RAR_STREAM_NAME : 0;
	e.traits |= m->kind == ARC_FILE && arc_name_is_slashed(m->name) ? RAR_SLASHED : 0;
	if (may_lead(m, &e)) {
		e.first = decode_alloc(w->d, RAR_MEMBERS, ARC_REPARSE_LEN, 1);
		if (!e.first)
			return false;
	}
	r->defects |= e.traits & RAR_SPLIT ? RAR_VOLUME : 0;
	r->work->traits |= e.traits;
	r->n_encrypted += (m->traits & ARC_ENCRYPTED) != 0;
	r->entries[all->n] = e;
	all->rows = rows;
	all->rows[all->n] = *m;
	if (m->kind == ARC_SYMLINK && e.traits & RAR_STORED && m->packed > RAR_TARGET_MAX)
		all->rows[all->n].traits |= ARC_LINK_OUT; /* its target is not read */
	all->n++;
	return true;
}

/* ---- Zeros ----------------------------------------------------------------------------------- */

static bool take_zeros(void *ctx, uint64_t at, const uint8_t *bytes, uint64_t n)
{
	bool *is_zero = ctx;

	(void)at;
	*is_zero = held_is_zero((struct held){ bytes, n });
	return *is_zero;
}

bool rar_is_zero(struct decode *d, uint64_t at, bool *is_zero)
{
	const struct span rest = { at, d->source->io.size - at };

	*is_zero = true;
	return decode_stream(d, RAR_MEMBERS, rest, take_zeros, is_zero) || !*is_zero;
}

void rar_note_archive(struct rar *r)
{
	if (r->defects & RAR_HAS_ARCHIVE) {
		r->blocks[r->n_blocks - 1].traits |= RAR_HEADER_TWICE;
		r->block_traits |= RAR_HEADER_TWICE;
	}
	r->defects |= RAR_HAS_ARCHIVE;
}

bool rar_needs_end(const struct rar *r)
{
	for (uint64_t i = 0; i < r->members->n; i++)
		if (r->entries[i].version >= RAR_3)
			return true;
	return r->version == RAR_5 || r->members->n == 0;
}

/* ---- Kinds ----------------------------------------------------------------------------------- */

enum { ATTRIBUTE_LABEL = 8, ATTRIBUTE_FOLDER = 0x10 };

enum arc_kind rar_kind_of(const struct rar_kind *k, uint32_t *own)
{
	const bool is_folder = !k->is_unix && k->attributes & ATTRIBUTE_FOLDER;
	const enum arc_kind kind = k->is_unix  ? arc_mode_kind(k->attributes)
				   : is_folder ? ARC_DIRECTORY
					       : ARC_FILE;

	if (!k->is_unix && k->is_labelled && k->attributes & ATTRIBUTE_LABEL)
		*own |= RAR_UNLIKE;
	if (k->is_folder) {
		*own |= k->has_bytes || kind != ARC_DIRECTORY ? RAR_FOLDER_BY_FLAG : 0;
		return k->has_bytes ? ARC_FILE : ARC_DIRECTORY;
	}
	if (kind == ARC_FILE || kind == ARC_SYMLINK)
		return kind;
	if (k->has_bytes || (kind == ARC_DIRECTORY && !k->is_old))
		*own |= RAR_UNLIKE;
	return kind == ARC_DIRECTORY && k->has_bytes ? ARC_FILE : kind;
}

/* ---- Members --------------------------------------------------------------------------------- */

bool rar_read_target(struct rar_walk *w, struct span at, struct text *out)
{
	uint32_t ignored = 0;
	uint8_t *bytes;

	if (at.len > RAR_TARGET_MAX || at.len > w->r->size || at.at > w->r->size - at.len)
		return true;
	bytes = decode_alloc(w->d, RAR_MEMBERS, at.len, 1);
	return bytes && decode_copy(w->d, RAR_MEMBERS, at, bytes) &&
	       members_name(w->d, RAR_MEMBERS, (struct held){ bytes, at.len }, at.at, ARC_UNSAID,
			    &ignored, out);
}

uint32_t rar_mode_traits(uint64_t mode)
{
	return arc_mode_kind(mode) == ARC_FILE && mode & ARC_MODE_SETS_USER ? ARC_SETS_USER : 0;
}

void rar_look_at_attributes(uint64_t attributes, struct arc_member *m, uint32_t *own)
{
	if (!(attributes & ARC_ATTRIBUTE_REPARSE))
		return;
	m->traits |= ARC_SETS_USER;
	*own |= RAR_REPARSE;
}

/* A letter and a colon at the beginning is a drive, which another rule tells. */
bool rar_name_has_stream(struct text name)
{
	const uint64_t from = path_examine(name).traits & PATH_DRIVE ? 2 : 0;
	const struct text last = path_last(text_sub(name, from, name.ref.n_units));

	return text_find(last, ':', 0) + 1 < last.ref.n_units;
}

void rar_note_service(struct rar *r, struct held name, struct rar_block *b)
{
	if (rar_service_is(name, "STM"))
		b->traits |= RAR_STREAM_SERVICE;
	if (rar_service_is(name, "RR"))
		r->defects |= RAR_RECOVERABLE;
	if (rar_service_is(name, "AV"))
		r->defects |= RAR_AUTHENTIC;
}
