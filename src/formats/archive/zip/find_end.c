/* Finding the end record of a zip, and the zip64 record before it. Source: conformance/spec/zip.md,
 * chapter 1. */
#include "core/checked.h"
#include "core/mutant.h"
#include "formats/archive/zip/zip.h"

/* The bytes at the end of the file, among which the end record is looked for. */
struct tail {
	struct decode *d;
	struct zip *z;
	struct held bytes;
	uint64_t at;
};

/* false: there are no four bytes there, or they cannot be read, which is noted. */
static bool has_magic(struct decode *d, uint64_t at, uint32_t magic)
{
	const uint64_t size = d->source->io.size;
	uint8_t bytes[4];

	if (size < sizeof bytes || at > size - sizeof bytes ||
	    !decode_copy(d, ZIP_END, (struct span){ at, sizeof bytes }, bytes))
		return false;
	return held_u32((struct held){ bytes, sizeof bytes }, 0) == magic;
}

static bool read_end(const struct tail *t, uint64_t i, struct zip_end *out)
{
	const struct held rest = held_part(t->bytes, i, t->bytes.len - i);
	struct cursor c = cursor_init(rest.bytes, rest.len, t->at + i);

	return held_u32(rest, 0) == ZIP_END_MAGIC && zip_end_read(&c, 0, out);
}

/* How many bytes of the file follow the end record and its comment; UINT64_MAX: the comment is
 * longer than they are. */
static uint64_t left_after(const struct tail *t, const struct zip_end *e)
{
	const uint64_t left = t->z->size - e->at - zip_end_fixed_len;

	return e->comment_len <= left ? left - e->comment_len : UINT64_MAX;
}

/* Whether there is a directory where an end record says. With an escape that is for the zip64
 * record to say. */
static bool is_plausible(const struct tail *t, const struct zip_end *e)
{
	const bool is_empty = e->n_entries == 0 && e->directory_len == 0;

	if (e->directory_len == ZIP_ESCAPE32 || e->directory_at == ZIP_ESCAPE32)
		return true;
	return (is_empty && e->directory_at <= e->at) ||
	       (e->directory_len <= e->at &&
		has_magic(t->d, e->at - e->directory_len, ZIP_CENTRAL_MAGIC)) ||
	       has_magic(t->d, e->directory_at, ZIP_CENTRAL_MAGIC);
}

/* The last end record that begins before byte i of the tail: one more than its place there; 0:
 * there is none. */
static uint64_t next_before(const struct tail *t, uint64_t i, struct zip_end *out)
{
	while (i > 0 && (held_u8(t->bytes, i - 1) != 'P' || !read_end(t, i - 1, out)))
		i--;
	return i;
}

/* The last one whose comment ends with the file, or else the last whose comment ends before it. */
static bool choose(const struct tail *t)
{
	const uint64_t from = t->bytes.len - zip_end_fixed_len + 1;
	struct zip_find *f = &t->z->find;
	bool is_found = false;
	struct zip_end e;

	for (uint64_t i = next_before(t, from, &e); i > 0; i = next_before(t, i - 1, &e)) {
		const uint64_t left = left_after(t, &e);

		if (left == 0) {
			f->end = e;
			return true;
		}
		if (!is_found && left != UINT64_MAX) {
			f->end = e;
			is_found = true;
		}
	}
	return is_found;
}

/* What other readers may take is any that follows it, or whose comment ends with the file as
 * well. */
static void look_for_other(const struct tail *t)
{
	const uint64_t from = t->bytes.len - zip_end_fixed_len + 1;
	struct zip_find *f = &t->z->find;
	struct zip_end e;

	for (uint64_t i = next_before(t, from, &e); i > 0; i = next_before(t, i - 1, &e)) {
		const bool may_count = e.at > f->end.at || left_after(t, &e) == 0;

		if (e.at == f->end.at || !may_count || !is_plausible(t, &e))
			continue;
		f->has_other = true;
		f->other_at = e.at;
		return;
	}
}

static bool has_central(struct source *s, uint64_t at)
{
	const uint64_t size = s->io.size;
	uint8_t bytes[4];

	return size >= sizeof bytes && at <= size - sizeof bytes &&
	       source_copy(s, (struct span){ at, sizeof bytes }, bytes) &&
	       held_u32((struct held){ bytes, sizeof bytes }, 0) == ZIP_CENTRAL_MAGIC;
}

bool zip_has_directory(struct source *s)
{
	struct zip z = { .size = s->io.size };
	const uint64_t len = z.size < ZIP_TAIL ? z.size : ZIP_TAIL;
	struct tail t = { .z = &z, .at = z.size - len };
	const struct zip_end *e = &z.find.end;
	struct cursor c;

	if (len < zip_end_fixed_len || !source_window(s, (struct span){ t.at, len }, &c) ||
	    !held_take(&c, len, &t.bytes) || !choose(&t) || e->n_entries == 0)
		return false;
	return has_central(s, e->directory_at) ||
	       (e->directory_len <= e->at && has_central(s, e->at - e->directory_len));
}

/* ---- zip64 ----------------------------------------------------------------------------------- */

static bool read_locator(struct decode *d, struct zip_find *f)
{
	uint8_t bytes[zip64_locator_fixed_len] = { 0 };
	struct cursor c;
	struct span span;

	if (f->end.at < sizeof bytes)
		return true;
	c = cursor_init(bytes, sizeof bytes, f->end.at - sizeof bytes);
	span = (struct span){ f->end.at - sizeof bytes, sizeof bytes };
	if (!decode_copy(d, ZIP_END, span, bytes))
		return false;
	f->has_locator = zip64_locator_read(&c, 0, &f->locator) &&
			 f->locator.magic == ZIP_LOCATOR_MAGIC;
	return true;
}

static bool read_record(struct decode *d, struct zip_find *f, uint64_t at)
{
	uint8_t bytes[zip64_record_fixed_len] = { 0 };
	struct cursor c = cursor_init(bytes, sizeof bytes, at);

	if (f->locator.at < sizeof bytes || at > f->locator.at - sizeof bytes)
		return true;
	if (!decode_copy(d, ZIP_END, (struct span){ at, sizeof bytes }, bytes))
		return false;
	f->has_record = zip64_record_read(&c, 0, &f->record) && f->record.magic == ZIP_RECORD_MAGIC;
	return true;
}

/* Bytes before an archive move the record, and not its offset: then it is the one before the
 * locator. */
static bool find_record(struct decode *d, struct zip_find *f)
{
	if (!f->has_locator)
		return true;
	if (!read_record(d, f, f->locator.record_at))
		return false;
	if (f->has_record || f->locator.at < zip64_record_fixed_len)
		return true;
	if (!read_record(d, f, f->locator.at - zip64_record_fixed_len))
		return false;
	f->has_record = f->has_record && f->record.rest_len == zip64_record_fixed_len - 12;
	return true;
}

/* The comment, and what follows it. */
static void note_rest(const struct tail *t)
{
	struct zip_find *f = &t->z->find;
	const uint64_t comment_at = f->end.at + zip_end_fixed_len - t->at;

	/* mutant: the last byte of a comment follows the archive */
	f->tail_at = f->end.at + zip_end_fixed_len + f->end.comment_len -
		     (f->end.comment_len > 0 && MUTANT(375) ? 1 : 0);
	f->tail_is_zero = held_is_zero(
		held_part(t->bytes, f->tail_at - t->at, t->bytes.len - (f->tail_at - t->at)));
	f->comment_hides = zip_has_signature(held_part(t->bytes, comment_at, f->end.comment_len));
}

bool zip_find_end(struct decode *d, struct zip *z)
{
	const uint64_t len = z->size < ZIP_TAIL ? z->size : ZIP_TAIL;
	const struct span all = { 0, z->size };
	struct tail t = { .d = d, .z = z, .at = z->size - len };

	if (!decode_bytes(d, ZIP_END, (struct span){ t.at, len }, &t.bytes))
		return false;
	if (len < zip_end_fixed_len || !choose(&t))
		return decode_stop(d, ZIP_END, STOP_MALFORMED, all);
	look_for_other(&t);
	note_rest(&t);
	return read_locator(d, &z->find) && find_record(d, &z->find) &&
	       zip_read_lock(d, &z->find) && decode_has(d, ZIP_END);
}

/* ---- The directory --------------------------------------------------------------------------- */

/* What the end record says, or the zip64 record where that has an escape. */
static void note_stated(struct zip *z)
{
	const struct zip_find *f = &z->find;
	const struct zip_end *e = &f->end;
	const bool has = f->has_record;

	z->stated_at = has && e->directory_at == ZIP_ESCAPE32 ? f->record.directory_at
							      : e->directory_at;
	z->stated_len = has && e->directory_len == ZIP_ESCAPE32 ? f->record.directory_len
								: e->directory_len;
	z->n_stated = has && e->n_entries == ZIP_ESCAPE16 ? f->record.n_entries : e->n_entries;
}

/* Likewise what they say of volumes. */
static struct zip_volume volume_of(const struct zip_find *f)
{
	const struct zip_end *e = &f->end;
	const struct zip64_record *r = &f->record;
	struct zip_volume v = { e->disk, e->start_disk, e->n_here, e->n_entries };

	if (f->has_record) {
		v.disk = e->disk == ZIP_ESCAPE16 ? r->disk : v.disk;
		v.start_disk = e->start_disk == ZIP_ESCAPE16 ? r->start_disk : v.start_disk;
		v.n_here = e->n_here == ZIP_ESCAPE16 ? r->n_here : v.n_here;
		v.n_entries = e->n_entries == ZIP_ESCAPE16 ? r->n_entries : v.n_entries;
	}
	return v;
}

/* An encrypted directory has no members on any disk, as PKWARE has it. */
static bool is_split(const struct zip_volume *v, bool has_lock)
{
	const bool has_fewer = v->n_here < v->n_entries && !(has_lock && v->n_here == 0);

	return v->disk != 0 || v->start_disk != 0 || has_fewer;
}

/* What lies after the central headers. */
static uint64_t directory_end(const struct zip_find *f)
{
	if (f->has_record)
		return f->record.at;
	return f->has_locator ? f->locator.at : f->end.at;
}

/* Where central headers are: as many bytes before what follows them as their size says, and where
 * the offset says. An empty directory is wherever it is said to be. */
struct places {
	uint64_t computed;
	bool is_there, is_stated;
};

static struct places find_places(struct decode *d, const struct zip *z)
{
	struct places p = { .computed = z->directory_end, .is_there = false };

	p.is_stated = z->stated_at < z->directory_end &&
		      has_magic(d, z->stated_at, ZIP_CENTRAL_MAGIC);
	if (z->stated_len > z->directory_end)
		return p;
	p.computed = z->directory_end - z->stated_len;
	p.is_there = z->stated_len == 0 ? z->n_stated == 0 && !p.is_stated
					: has_magic(d, p.computed, ZIP_CENTRAL_MAGIC);
	return p;
}

bool zip_find_directory(struct decode *d, struct zip *z)
{
	const struct span all = { z->find.end.at, zip_end_fixed_len };
	struct places p;

	note_stated(z);
	z->volume = volume_of(&z->find);
	z->is_split = is_split(&z->volume, z->find.has_lock);
	if (z->is_split)
		return decode_stop(d, ZIP_PLACE, STOP_UNSUPPORTED, all);
	z->directory_end = directory_end(&z->find);
	p = find_places(d, z);
	if (!decode_has(d, ZIP_END))
		return false;
	if (!p.is_stated && (!p.is_there || p.computed < z->stated_at))
		return decode_stop(d, ZIP_PLACE,
				   zip_is_locked(d, z) ? STOP_UNSUPPORTED : STOP_MALFORMED, all);
	z->computed_at = p.computed;
	z->is_twofold = p.is_there && p.is_stated && p.computed != z->stated_at;
	z->is_elsewhere = !p.is_there;
	z->directory_at = p.is_stated ? z->stated_at : p.computed;
	z->base = z->directory_at - z->stated_at;
	z->is_record_moved = z->find.has_record &&
			     z->find.record.at != capped_add(z->find.locator.record_at, z->base) &&
			     z->find.record.at != z->find.locator.record_at;
	return true;
}
