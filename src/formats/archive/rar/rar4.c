/* The blocks of rar 4. Source: conformance/spec/rar.md, chapter 2. */
#include "codec/crc32.h"
#include "formats/archive/rar/rar_walk.h"

enum {
	TYPE_ARCHIVE = 0x73,
	TYPE_MEMBER = 0x74,
	TYPE_OLD_FIRST = 0x75, /* of programs before RAR 3, */
	TYPE_OLD_LAST = 0x79,  /* up to this one */
	TYPE_SERVICE = 0x7A,
	TYPE_END = 0x7B,
	TYPE_OLD_AUTHENTIC = 0x76,
	TYPE_OLD_RECOVERY = 0x78,
	TYPE_OLD_SIGNATURE = 0x79,

	FLAG_HAS_DATA = 0x8000,
	FLAG_MAY_SKIP = 0x4000,

	ARCHIVE_VOLUME = 1,
	ARCHIVE_COMMENT = 2,
	ARCHIVE_LOCKED = 4,
	ARCHIVE_SOLID = 8,
	ARCHIVE_ENCRYPTED = 0x80,

	MEMBER_SPLIT = 3,
	MEMBER_ENCRYPTED = 4,
	MEMBER_COMMENT = 8,
	MEMBER_SOLID = 0x10,
	MEMBER_FOLDER = 0xE0,
	MEMBER_LARGE = 0x100,
	MEMBER_UNICODE = 0x200,
	MEMBER_SALTED = 0x400,
	MEMBER_VERSION = 0x800, /* an older version of the file is kept, too */
	MEMBER_TIMES = 0x1000,
	SALT_LEN = 8,

	END_NUMBERED = 8,

	ARCHIVE_LEN = 13, /* of the header of the archive */
	MEMBER_LEN = 32,  /* of that of a member, without its name */
	ADDED_LEN = 11,   /* of a header that says how much data follows it */
	HOST_UNIX = 3,    /* and after it macOS and BeOS, whose attributes are modes, too */
	HOST_LAST = 5,
	VERSION_FLAGS = 20, /* the first whose programs have a flag for folders */
	STORED = 0x30,
	METHOD_LAST = 0x35,
	VERSION_FIRST = RAR_3, /* that libarchive decodes, */
	VERSION_LAST = 36      /* up to this one */
};

/* A block while it is read. */
struct reading {
	struct rar_walk *w;
	struct rar4_block head;
	struct held bytes; /* of the whole header */
	struct rar_block row;
	bool is_sound; /* its checksum is right */
};

static bool is_old(uint64_t type)
{
	return type >= TYPE_OLD_FIRST && type <= TYPE_OLD_LAST;
}

static bool is_known(uint64_t type)
{
	return type >= TYPE_ARCHIVE && type <= TYPE_END;
}

static uint64_t least_len(const struct rar4_block *b)
{
	if (b->type == TYPE_ARCHIVE)
		return ARCHIVE_LEN;
	if (b->type == TYPE_MEMBER || b->type == TYPE_SERVICE)
		return MEMBER_LEN;
	return b->flags & FLAG_HAS_DATA ? ADDED_LEN : rar4_block_fixed_len;
}

/* ---- The checksum ---------------------------------------------------------------------------- */

static bool has_other_sum(const struct rar4_block *b)
{
	return is_old(b->type) || (b->type == TYPE_MEMBER && b->flags & MEMBER_COMMENT);
}

static void check_sum(struct reading *b)
{
	const bool is_short = b->head.type == TYPE_ARCHIVE && b->head.flags & ARCHIVE_COMMENT;
	const struct held all = held_part(b->bytes, 2, (is_short ? ARCHIVE_LEN : b->bytes.len) - 2);

	b->is_sound = (crc32_add(0, all.bytes, all.len) & 0xFFFF) == b->head.crc;
	if (!b->is_sound && !has_other_sum(&b->head))
		b->row.traits |= RAR_SUM_WRONG;
}

/* ---- Members --------------------------------------------------------------------------------- */

/* The header of a member or service, and its name. */
struct file {
	struct rar4_file f;
	struct rar4_high high;
	struct held name;
	uint64_t name_at;
};

static uint64_t packed_len(const struct file *f)
{
	return f->f.packed + (f->high.packed << 32);
}

/* false: the name does not fit in the header. */
static bool read_file(const struct reading *b, struct file *out)
{
	struct cursor c = cursor_init(b->bytes.bytes, b->bytes.len, b->row.at);
	bool is_read = cursor_seek(&c, b->row.at + rar4_block_fixed_len);

	*out = (struct file){ .name_at = 0 };
	is_read = is_read && rar4_file_read(&c, 0, &out->f);
	if (b->head.flags & MEMBER_LARGE)
		is_read = is_read && rar4_high_read(&c, 0, &out->high);
	out->name_at = cursor_at(&c);
	return is_read && held_take(&c, out->f.name_len, &out->name);
}

static bool has_mode(const struct rar4_file *f)
{
	return f->host >= HOST_UNIX && f->host <= HOST_LAST;
}

static void look_at_kind(const struct reading *b, const struct rar4_file *f, struct arc_member *m,
			 struct rar_member *e)
{
	const struct rar_kind kind = {
		.attributes = f->attributes,
		.is_folder = (b->head.flags & MEMBER_FOLDER) == MEMBER_FOLDER,
		.is_unix = has_mode(f),
		.has_bytes = m->packed > 0 || m->size > 0,
		.is_old = f->version < VERSION_FLAGS,
		.is_labelled = true,
	};

	m->kind = (uint8_t)rar_kind_of(&kind, &e->traits);
	if (f->host > HOST_LAST)
		e->traits |= RAR_HOST_UNKNOWN;
	if (has_mode(f))
		m->traits |= rar_mode_traits(f->attributes);
	else
		rar_look_at_attributes(f->attributes, m, &e->traits);
}

/* What the bytes of a member need to be decoded. */
static void look_at_method(const struct reading *b, struct arc_member *m, struct rar_member *e)
{
	const bool is_split = b->head.flags & MEMBER_SPLIT;

	e->traits |= is_split ? RAR_SPLIT : 0;
	if (m->method == STORED) {
		e->traits |= RAR_STORED;
		return;
	}
	if (m->kind != ARC_FILE)
		return;
	if (m->method < STORED || m->method > METHOD_LAST)
		m->traits |= ARC_UNKNOWN_METHOD;
	else if (e->version < VERSION_FIRST || e->version > VERSION_LAST)
		e->traits |= RAR_VERSION_UNKNOWN;
	else if (b->head.flags & MEMBER_SOLID || b->w->r->defects & RAR_SOLID)
		e->traits |= RAR_NEEDS_OTHERS;
}

/* Four times, each with four bits that say whether it is there, and how many bytes it has beyond
 * those of DOS; the first of these stands elsewhere. */
static bool skip_times(struct cursor *c)
{
	enum { TIMES = 4, IS_THERE = 8, MORE = 3, DOS_LEN = 4 };
	uint64_t flags;

	if (!cursor_u16(c, &flags))
		return false;
	for (unsigned i = 0; i < TIMES; i++) {
		const uint64_t own = flags >> (TIMES - 1 - i) * 4,
			       len = (own & MORE) + (i > 0 ? DOS_LEN : 0);

		if (own & IS_THERE && (len > cursor_left(c) || !cursor_seek(c, cursor_at(c) + len)))
			return false;
	}
	return true;
}

/* Whether a header ends with what its flags say. A comment has a header of its own there. */
static bool ends_as_said(const struct reading *b, const struct file *f)
{
	const uint64_t flags = b->head.flags, salt = flags & MEMBER_SALTED ? SALT_LEN : 0,
		       at = f->name_at + f->name.len + salt;
	struct cursor c = cursor_init(b->bytes.bytes, b->bytes.len, b->row.at);

	if (flags & MEMBER_COMMENT)
		return true;
	return at <= b->row.at + b->bytes.len && cursor_seek(&c, at) &&
	       (!(flags & MEMBER_TIMES) || skip_times(&c)) && cursor_left(&c) == 0;
}

static bool add_member(struct reading *b, const struct file *f)
{
	struct rar_walk *w = b->w;
	const uint64_t data_at = b->row.at + b->row.head_len;
	struct arc_member m = {
		.head_at = b->row.at,
		.at = data_at,
		.packed = packed_len(f),
		.size = f->f.size + (f->high.size << 32),
		.head_len = b->row.head_len,
		.crc = (uint32_t)f->f.crc,
		.method = (uint16_t)f->f.method,
		.has_crc = true,
		.may_repeat = b->head.flags & MEMBER_VERSION,
		.traits = b->head.flags & MEMBER_ENCRYPTED ? ARC_ENCRYPTED : 0,
	};
	struct rar_member e = { .version = (uint8_t)f->f.version };

	e.traits |= ends_as_said(b, f) ? 0 : RAR_NAME_FOLLOWED;
	look_at_kind(b, &f->f, &m, &e);
	look_at_method(b, &m, &e);
	if (w->is_over)
		e.traits |= RAR_CUT;
	if (!rar4_name(w->d, f->name, f->name_at, b->head.flags & MEMBER_UNICODE, &e.traits,
		       &m.traits, &m.name))
		return false;
	if (m.kind == ARC_SYMLINK && e.traits & RAR_STORED && !(m.traits & ARC_ENCRYPTED) &&
	    !rar_read_target(w, (struct span){ data_at, m.packed }, &m.target))
		return false;
	return rar_add_member(w, &m, e);
}

static bool take_file(struct reading *b)
{
	struct rar_walk *w = b->w;
	const bool is_member = b->head.type == TYPE_MEMBER;
	struct file f;

	if (!read_file(b, &f)) {
		rar_note_fault(w,
			       (struct rar_fault){ .what = "a header with a name",
						   .at = { b->row.at, b->row.head_len },
						   .has = b->row.head_len,
						   .needs = f.name_at - b->row.at + f.f.name_len });
		b->row.kind = RAR_OTHER;
		return rar_add_block(w, b->row, packed_len(&f), b->is_sound);
	}
	if (!is_member)
		rar_note_service(w->r, f.name, &b->row);
	return rar_add_block(w, b->row, packed_len(&f), b->is_sound) &&
	       (!is_member || add_member(b, &f));
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

static void take_archive(const struct reading *b)
{
	struct rar *r = b->w->r;
	const uint64_t flags = b->head.flags;

	rar_note_archive(r);

	r->defects |= flags & ARCHIVE_VOLUME ? RAR_VOLUME : 0;
	r->defects |= flags & ARCHIVE_LOCKED ? RAR_LOCKED : 0;
	r->defects |= flags & ARCHIVE_SOLID ? RAR_SOLID : 0;
	if (flags & ARCHIVE_ENCRYPTED) {
		r->defects |= RAR_HEADERS_ENCRYPTED;
		b->w->is_over = true;
	}
}

static void take_end(const struct reading *b)
{
	struct rar *r = b->w->r;

	r->defects |= RAR_HAS_END;
	b->w->is_over = true;
	if (b->head.flags & END_NUMBERED && b->bytes.len >= rar4_block_fixed_len + 2u) {
		r->volume = held_u16(b->bytes, b->bytes.len - 2);
		r->is_numbered = true;
	}
}

static void look_at_type(struct reading *b)
{
	struct rar *r = b->w->r;
	const uint64_t type = b->head.type;

	if (!is_known(type))
		b->row.traits |= b->head.flags & FLAG_MAY_SKIP ? RAR_TYPE_SKIPPED
							       : RAR_TYPE_UNKNOWN;
	if (type == TYPE_OLD_AUTHENTIC || type == TYPE_OLD_SIGNATURE)
		r->defects |= RAR_AUTHENTIC;
	if (type == TYPE_OLD_RECOVERY)
		r->defects |= RAR_RECOVERABLE;
}

static bool take_other(struct reading *b)
{
	const uint64_t data_len = b->head.flags & FLAG_HAS_DATA
					  ? held_u32(b->bytes, rar4_block_fixed_len)
					  : 0;

	look_at_type(b);
	if (!rar_add_block(b->w, b->row, data_len, b->is_sound))
		return false;
	if (b->head.type == TYPE_ARCHIVE)
		take_archive(b);
	if (b->head.type == TYPE_END)
		take_end(b);
	return true;
}

static enum rar_block_kind kind_of_block(uint64_t type)
{
	switch (type) {
	case TYPE_ARCHIVE:
		return RAR_ARCHIVE;
	case TYPE_MEMBER:
		return RAR_MEMBER;
	case TYPE_SERVICE:
		return RAR_SERVICE;
	case TYPE_END:
		return RAR_END;
	default:
		return RAR_OTHER;
	}
}

/* A header that is too short is none. */
static bool is_no_header(const struct reading *b)
{
	const uint64_t least = least_len(&b->head);

	if (b->head.head_len >= least)
		return false;
	b->w->is_over = true;
	rar_note_fault(b->w, (struct rar_fault){ .what = "a header",
						 .at = { b->w->at, rar4_block_fixed_len },
						 .has = b->head.head_len,
						 .needs = least });
	return true;
}

/* A block whose type and checksum are both wrong is none. */
static bool is_no_block(const struct reading *b)
{
	return !is_known(b->head.type) && !b->is_sound;
}

static bool take_block(struct rar_walk *w, struct held first)
{
	struct cursor c = cursor_init(first.bytes, first.len, w->at);
	struct reading b = { .w = w };
	const bool is_read = rar4_block_read(&c, 0, &b.head);

	if (NEVER(!is_read) || is_no_header(&b))
		return true;
	if (b.head.head_len > w->r->size - w->at) {
		rar_stop_truncated(w, w->at + b.head.head_len);
		return true;
	}
	if (!rar_take_head(w, first, b.head.head_len, &b.bytes))
		return false;
	b.row = (struct rar_block){ .at = w->at,
				    .head_len = (uint32_t)b.head.head_len,
				    .type = (uint8_t)b.head.type,
				    .kind = (uint8_t)kind_of_block(b.head.type) };
	check_sum(&b);
	if (is_no_block(&b))
		return rar_stop_unsound(w, b.row);
	return b.row.kind == RAR_MEMBER || b.row.kind == RAR_SERVICE ? take_file(&b)
								     : take_other(&b);
}

/* Programs before RAR 3 wrote no end block. What they made may be padded. */
static bool look_for_padding(struct rar_walk *w)
{
	bool is_zero = false;

	if (!rar_needs_end(w->r) && !rar_is_zero(w->d, w->at, &is_zero))
		return false;
	w->is_over = is_zero;
	return true;
}

bool rar4_walk(struct rar_walk *w)
{
	uint8_t bytes[rar4_block_fixed_len];

	while (!w->is_over && w->at < w->r->size) {
		const uint64_t left = w->r->size - w->at;
		const struct held first = { bytes, left < sizeof bytes ? left : sizeof bytes };

		if (!decode_copy(w->d, RAR_MEMBERS, (struct span){ w->at, first.len }, bytes))
			return false;
		if (held_is_zero(first) && !look_for_padding(w))
			return false;
		if (w->is_over)
			return true;
		if (first.len < sizeof bytes)
			rar_stop_truncated(w, w->at + sizeof bytes);
		else if (!take_block(w, first))
			return false;
	}
	return true;
}
