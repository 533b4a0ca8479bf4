/* The list of members: names, attributes, and which of them have bytes. Source:
 * conformance/spec/sevenzip.md, chapter 4. */
#include "core/checked.h"
#include "formats/archive/members/reparse.h"
#include "formats/archive/sevenzip/reader.h"

/* Attributes of Windows. */
enum {
	ATTRIBUTE_REPARSE = ARC_ATTRIBUTE_REPARSE,
};

/* The properties of all members, as far as they count. */
struct files {
	uint64_t n, n_empty;
	struct held no_stream, empty_file, anti;
	struct held names;
	uint64_t names_at; /* in the header */
	struct sevenzip_bits has_attributes;
	struct held attributes; /* of those that have any */
	uint32_t seen;          /* a bit for each property */
};

/* ---- Properties ------------------------------------------------------------------------------ */

static bool read_no_stream(struct sevenzip_reader *r, struct files *f)
{
	if (!reader_bits(r, f->n, &f->no_stream))
		return false;
	for (uint64_t i = 0; i < f->n; i++)
		f->n_empty += sevenzip_bit(f->no_stream, i);
	return true;
}

static bool read_not_external(struct sevenzip_reader *r)
{
	uint64_t is_external;

	return reader_byte(r, &is_external) &&
	       (is_external == 0 || reader_fails(r, SEVENZIP_EXTERNAL));
}

static bool read_names(struct sevenzip_reader *r, struct files *f)
{
	if (!read_not_external(r))
		return false;
	f->names_at = cursor_at(&r->c);
	return reader_part(r, cursor_left(&r->c), &f->names);
}

static void note_odd(struct sevenzip_reader *r, enum sevenzip_odd odd, uint64_t at)
{
	struct sevenzip *z = r->z;

	if (z->odd == SEVENZIP_ODD_NOT || odd < z->odd) {
		z->odd = odd;
		z->odd_at = at;
	}
	z->defects |= SEVENZIP_ODD;
}

/* Whether one of the attributes is the mode of something else than a file or a folder. */
static bool has_special(struct held attributes)
{
	for (uint64_t at = 0; at < attributes.len; at += 4) {
		const enum arc_kind kind = arc_mode_kind(held_u32(attributes, at) >> 16);

		if (kind != ARC_FILE && kind != ARC_DIRECTORY)
			return true;
	}
	return false;
}

/* libarchive looks for the bits a byte later than 7-Zip, and goes on after as many attributes as
 * it finds there. */
static void look_at_bits(struct sevenzip_reader *r, const struct files *f, uint64_t at)
{
	if (f->has_attributes.all)
		return;
	if (!(f->seen & 1u << ID_NAMES))
		note_odd(r, SEVENZIP_ODD_BITS_BEFORE_NAMES, at);
	else if (has_special(f->attributes))
		note_odd(r, SEVENZIP_ODD_BITS_OF_LINKS, at);
	else
		note_odd(r, SEVENZIP_ODD_BITS, at);
}

/* 7-Zip unpacks nothing of an archive that says where members lie in a file that is unpacked. */
static bool read_places(struct sevenzip_reader *r)
{
	note_odd(r, SEVENZIP_ODD_PLACES, cursor_at(&r->c));
	r->c.pos = r->c.len;
	return true;
}

static bool read_padding(struct sevenzip_reader *r)
{
	const uint64_t at = cursor_at(&r->c);
	struct held bytes;

	if (!reader_part(r, cursor_left(&r->c), &bytes))
		return false;
	if (!held_is_zero(bytes))
		note_odd(r, SEVENZIP_ODD_PADDING, at);
	return true;
}

static bool read_attributes(struct sevenzip_reader *r, struct files *f)
{
	const uint64_t at = cursor_at(&r->c);
	uint64_t n = 0;

	if (!reader_all_or_bits(r, f->n, &f->has_attributes) || !read_not_external(r))
		return false;
	for (uint64_t i = 0; i < f->n; i++)
		n += sevenzip_has(f->has_attributes, i);
	if (!reader_part(r, n * 4, &f->attributes))
		return false;
	look_at_bits(r, f, at);
	return true;
}

/* Times do not matter, but programs refuse the header if they are not as many as they say. */
static bool read_times(struct sevenzip_reader *r, const struct files *f)
{
	struct sevenzip_bits has;
	struct held times;
	uint64_t n = 0;

	if (!reader_all_or_bits(r, f->n, &has) || !read_not_external(r))
		return false;
	for (uint64_t i = 0; i < f->n; i++)
		n += sevenzip_has(has, i);
	return reader_part(r, n * 8, &times);
}

/* What is not known does not matter. */
static bool read_property(struct sevenzip_reader *r, struct files *f, uint64_t id)
{
	switch (id) {
	case ID_NO_STREAM:
		return read_no_stream(r, f);
	case ID_EMPTY_FILE:
		return reader_bits(r, f->n_empty, &f->empty_file);
	case ID_ANTI:
		return reader_bits(r, f->n_empty, &f->anti);
	case ID_NAMES:
		return read_names(r, f);
	case ID_CREATED:
	case ID_READ:
	case ID_WRITTEN:
		return read_times(r, f);
	case ID_ATTRIBUTES:
		return read_attributes(r, f);
	case ID_PLACES:
		return read_places(r);
	case ID_PADDING:
		return read_padding(r);
	default:
		r->c.pos = r->c.len;
		return true;
	}
}

static bool read_properties(struct sevenzip_reader *r, struct files *f)
{
	uint64_t id, len;

	while (reader_number(r, &id)) {
		struct sevenzip_reader part = *r;
		struct held bytes;
		uint64_t at;

		if (id == ID_END)
			return true;
		if (!reader_number(r, &len))
			return false;
		at = cursor_at(&r->c);
		if (!reader_part(r, len, &bytes))
			return false;
		if (id < 32 && id >= ID_NO_STREAM && id <= ID_ATTRIBUTES && f->seen & 1u << id)
			return reader_fails_by(r, SEVENZIP_UNKNOWN_ID, id, ID_END);
		f->seen |= id < 32 ? 1u << id : 0;
		part.c = cursor_init(bytes.bytes, bytes.len, at);
		if (!read_property(&part, f, id))
			return false;
		if (cursor_left(&part.c) > 0)
			return reader_fails(&part, SEVENZIP_BITS);
	}
	return false;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* What a file is besides by its name and its mode, for which 7-Zip writes a file all the same. */
static uint8_t other_kinds(const struct arc_member *m, enum arc_kind by_mode)
{
	uint8_t traits = 0;

	if (by_mode == ARC_DIRECTORY || by_mode == ARC_CHARACTER_DEVICE ||
	    by_mode == ARC_BLOCK_DEVICE)
		traits |= SEVENZIP_UNLIKE;
	if (arc_name_is_slashed(m->name))
		traits |= SEVENZIP_SLASHED;
	return traits;
}

/* A pipe is what p7zip makes of its standard input, and writes as a file. */
static enum arc_kind kind_of(enum arc_kind by_mode, struct arc_member *m)
{
	if (by_mode == ARC_DIRECTORY)
		return ARC_FILE;
	if (by_mode != ARC_FIFO && by_mode != ARC_SOCKET)
		return by_mode;
	m->traits |= ARC_PIPE;
	return ARC_FILE;
}

/* What has no bytes says itself whether it is a folder, and a mode does not. The upper half of the
 * attributes is a mode, whether bit 8000 says so or not. */
static void set_kind(struct arc_member *m, struct sevenzip_entry *e, bool is_folder,
		     uint32_t attributes)
{
	const uint32_t mode = attributes >> 16;
	const enum arc_kind kind = arc_mode_kind(mode);

	m->kind = (uint8_t)(is_folder ? ARC_DIRECTORY : kind_of(kind, m));
	e->traits |= is_folder ? 0 : other_kinds(m, kind);
	if (m->kind != ARC_FILE)
		return;
	if (mode & ARC_MODE_SETS_USER || attributes & ATTRIBUTE_REPARSE)
		m->traits |= ARC_SETS_USER;
	if (attributes & ATTRIBUTE_REPARSE)
		e->traits |= SEVENZIP_REPARSE;
}

/* The next name ends in a NUL of two bytes. */
static bool next_name(struct sevenzip_reader *r, const struct files *f, uint64_t *at,
		      struct held *out)
{
	uint64_t end = *at;

	while (held_has(f->names, end, 2) && held_u16(f->names, end) != 0)
		end += 2;
	if (!held_has(f->names, end, 2))
		return reader_fails_by(r, SEVENZIP_NAME_COUNT, 0, f->n);
	*out = held_part(f->names, *at, end - *at);
	*at = end + 2;
	return true;
}

static bool name_member(struct sevenzip_reader *r, const struct files *f, uint64_t *at,
			struct arc_member *m)
{
	const uint64_t here = f->names_at + *at;
	const bool has_place = r->z->n_levels == 0;
	struct held name;

	if (!next_name(r, f, at, &name))
		return false;
	if (name.len / 2 >= UINT32_MAX)
		return decode_stop_limit(r->d, r->group, LIMIT_text, r->z->header);
	m->head_at = has_place ? here : 0;
	m->head_len = has_place ? (uint32_t)name.len + 2 : 0;
	return members_name(r->d, r->group, name, m->head_at, ARC_UTF16, &m->traits, &m->name);
}

/* How far the streams of the folders were given to members. */
struct giving {
	uint64_t folder, part, in_folder, offset;
};

/* Gives a member the next part of a folder. */
static bool give_part(struct sevenzip_reader *r, struct giving *g, uint64_t row)
{
	const struct sevenzip_streams *s = &r->z->streams;
	struct arc_member *m = &r->z->members->rows[row];
	const struct sevenzip_part *p;
	struct sevenzip_folder *f;

	while (g->folder < s->n_folders && g->in_folder >= s->folders[g->folder].n_rows) {
		g->folder++;
		g->in_folder = g->offset = 0;
	}
	if (g->folder >= s->n_folders)
		return reader_fails_by(r, SEVENZIP_STREAM_COUNT, s->n_parts, s->n_parts + 1);
	f = &s->folders[g->folder];
	p = &s->parts[g->part++];
	if (g->in_folder++ == 0)
		f->first_row = (uint32_t)row;
	m->size = p->size;
	m->crc = p->has_crc ? p->crc : f->crc;
	m->has_crc = p->has_crc;
	m->at = f->packed.at;
	m->packed = f->packed.len;
	if (f->traits & FOLDER_STORED && f->packed.len == f->size) {
		m->at = capped_add(f->packed.at, g->offset);
		m->packed = m->size;
	}
	if (f->traits & FOLDER_ENCRYPTED)
		m->traits |= ARC_ENCRYPTED;
	if (!p->has_crc && !f->has_crc)
		f->traits |= FOLDER_NO_SUM;
	g->offset += p->size;
	r->z->entries[row].folder = (uint32_t)g->folder;
	return true;
}

static void set_empty(struct sevenzip_reader *r, const struct files *f, uint64_t row,
		      uint64_t empty, uint32_t attributes)
{
	struct sevenzip_entry *e = &r->z->entries[row];
	const bool is_anti = sevenzip_bit(f->anti, empty);

	set_kind(&r->z->members->rows[row], e, !sevenzip_bit(f->empty_file, empty), attributes);
	if (is_anti)
		e->traits |= SEVENZIP_ANTI;
}

static bool fill_rows(struct sevenzip_reader *r, const struct files *f)
{
	struct giving g = { .folder = 0 };
	uint64_t name_at = 0, attribute = 0, empty = 0;

	for (uint64_t i = 0; i < f->n; i++) {
		struct arc_member *m = &r->z->members->rows[i];
		const bool has = sevenzip_has(f->has_attributes, i);
		const uint32_t attributes = has ? (uint32_t)held_u32(f->attributes, attribute) : 0;

		attribute += has ? 4 : 0;
		*m = (struct arc_member){ .kind = ARC_FILE };
		r->z->entries[i] = (struct sevenzip_entry){ .folder = UINT32_MAX };
		if (!decode_goes_on(r->d, r->group, i) || !name_member(r, f, &name_at, m))
			return false;
		if (sevenzip_bit(f->no_stream, i)) {
			set_empty(r, f, i, empty++, attributes);
		} else {
			set_kind(m, &r->z->entries[i], false, attributes);
			if (!give_part(r, &g, i))
				return false;
		}
		r->z->entry_traits |= r->z->entries[i].traits;
	}
	if (name_at < f->names.len)
		return reader_fails_by(r, SEVENZIP_NAME_COUNT, 1, f->n);
	return g.part == r->z->streams.n_parts ||
	       reader_fails_by(r, SEVENZIP_STREAM_COUNT, r->z->streams.n_parts, g.part);
}

bool sevenzip_read_files(struct sevenzip_reader *r)
{
	struct files f = { .n = 0 };
	struct sevenzip *z = r->z;

	f.no_stream = f.empty_file = f.anti = f.names = f.attributes = f.has_attributes.bits =
		(struct held){ rows_zeros, 0 };
	if (!reader_count(r, 2, &f.n) || !read_properties(r, &f))
		return false;
	z->members->rows = decode_alloc(r->d, r->group, f.n, sizeof *z->members->rows);
	z->entries = decode_alloc(r->d, r->group, f.n, sizeof *z->entries);
	if (!z->members->rows || !z->entries || !fill_rows(r, &f))
		return false;
	z->members->n = f.n;
	return true;
}
