/* The blocks of rar 5. Source: conformance/spec/rar.md, chapter 3. */
#include "codec/crc32.h"
#include "core/checked.h"
#include "core/mutant.h"
#include "formats/archive/rar/rar5.h"
#include "formats/archive/rar/rar_walk.h"

enum {
	REDIRECTION_SYMBOLIC_LAST = 3,
	REDIRECTION_LAST = 5,

	HOST_UNIX = 1, /* the last, too */
	METHOD_LAST = 5,
	DICTIONARY_LAST = 9, /* 64 MiB */

	HEAD_MIN = 7,            /* of a whole header */
	HEAD_START = 14,         /* up to the longest size of a header */
	HEAD_SIZE_MIN = 2,       /* as it says itself, */
	HEAD_SIZE_MAX = 2097152, /* up to this */
	VINT_LAST_SHIFT = 63,
	VINT_MAX = 10 /* bytes */
};

/* A header while it is read. */
struct reading {
	struct rar_walk *w;
	struct rar_block row;
	struct rar5_block head;
	struct cursor c; /* in the header, without its extra area */
	struct cursor extra;
	uint64_t type, flags, data_len;
	bool is_sound; /* its checksum is right */
	bool is_short; /* a field is not all there, or too long */
};

/* ---- Numbers --------------------------------------------------------------------------------- */

bool rar5_vint(struct cursor *c, uint64_t *out)
{
	uint64_t n = 0, byte = 0x80;

	for (unsigned shift = 0; byte & 0x80; shift += 7) {
		/* mutant: a number of any length */
		if (!cursor_u8(c, &byte) || (shift == VINT_LAST_SHIFT && byte > 1 && !MUTANT(424)))
			return false;
		n |= (byte & 0x7F) << shift;
	}
	*out = n;
	return true;
}

static uint64_t next_vint(struct reading *b)
{
	uint64_t n = 0;

	b->is_short |= !rar5_vint(&b->c, &n);
	return n;
}

static uint64_t next_u32(struct reading *b)
{
	uint64_t n = 0;

	b->is_short |= !cursor_u32(&b->c, &n);
	return n;
}

/* ---- The extra area -------------------------------------------------------------------------- */

/* A member while its header is read. */
struct file {
	struct arc_member m;
	struct rar_member e;
	struct held name;
	uint64_t name_at;
	uint64_t host, flags, attributes;
	uint32_t seen; /* a bit for each type of extra record */
	bool is_redirected;
};

/* *is_there: all of the record is; *is_known: programs follow its type, as far as it is there.
 * false: memory ended. */
static bool take_redirection(struct rar_walk *w, struct cursor *c, struct file *f, bool *is_there,
			     bool *is_known)
{
	uint64_t kind, flags, len, at = 0;
	uint32_t ignored = 0;
	struct held target;

	*is_there = rar5_vint(c, &kind) && rar5_vint(c, &flags) && rar5_vint(c, &len);
	if (*is_there) {
		at = cursor_at(c);
		*is_there = held_take(c, len, &target);
	}
	if (!*is_there)
		return true;
	if (kind == 0 || kind > REDIRECTION_LAST) {
		*is_known = false;
		return true;
	}
	f->is_redirected = true;
	f->m.kind = kind <= REDIRECTION_SYMBOLIC_LAST ? ARC_SYMLINK : ARC_HARD_LINK;
	return members_name(w->d, RAR_MEMBERS, target, at, ARC_UTF8_SAID, &ignored, &f->m.target);
}

/* Where services are, counted from the header of the archive; 0: the place is not known. */
static bool take_places(const struct reading *b, struct cursor *c)
{
	uint64_t flags, at = 0;

	if (!rar5_vint(c, &flags) || (flags & PLACE_OF_COPIES && !rar5_vint(c, &at)))
		return false;
	b->w->r->copies_at = at > 0 ? capped_add(b->row.at, at) : 0;
	return true;
}

/* A record of a member; f is NULL for those of services, whose types are the same. */
static bool take_record(struct reading *b, uint64_t type, struct cursor *c, struct file *f)
{
	bool is_there = true, is_known = true;
	uint64_t kind;

	if (!f) {
		if (b->type == TYPE_ARCHIVE && type == EXTRA_PLACES)
			b->row.traits |= take_places(b, c) ? 0 : RAR_EXTRA_BROKEN;
		return true;
	}
	if (type == EXTRA_ENCRYPTION)
		f->m.traits |= ARC_ENCRYPTED;
	if (type == EXTRA_VERSION)
		f->m.may_repeat = true;
	if (type == EXTRA_HASH && rar5_vint(c, &kind) && kind == 0 && cursor_left(c) == BLAKE2_LEN)
		f->e.traits |= RAR_HAS_BLAKE2;
	if (type == EXTRA_REDIRECTION && !take_redirection(b->w, c, f, &is_there, &is_known))
		return false;
	b->row.traits |= f->seen & 1u << type ? RAR_RECORD_TWICE : 0;
	f->seen |= 1u << type;
	b->row.traits |= is_known ? 0 : RAR_EXTRA_UNKNOWN;
	b->row.traits |= is_there ? 0 : RAR_EXTRA_BROKEN;
	return true;
}

static bool next_record(struct cursor *extra, struct cursor *record, uint64_t *type)
{
	uint64_t len;

	return rar5_vint(extra, &len) && len <= cursor_left(extra) &&
	       cursor_window(extra, (struct span){ cursor_at(extra), len }, record) &&
	       cursor_seek(extra, cursor_at(extra) + len) && rar5_vint(record, type);
}

static bool take_extra(struct reading *b, uint64_t last_type, struct file *f)
{
	while (cursor_left(&b->extra) > 0) {
		struct cursor record;
		uint64_t type;

		if (!next_record(&b->extra, &record, &type)) {
			b->row.traits |= RAR_EXTRA_BROKEN;
			return true;
		}
		if (type == 0 || type > last_type) {
			b->row.traits |= RAR_EXTRA_UNKNOWN;
			continue;
		}
		if (!rar5_record_ends(record, b->type == TYPE_ARCHIVE, type))
			b->row.traits |= RAR_EXTRA_BROKEN;
		if (!take_record(b, type, &record, f))
			return false;
	}
	return true;
}

/* ---- Members --------------------------------------------------------------------------------- */

static void read_method(struct reading *b, struct file *f)
{
	const uint64_t method = next_vint(b);

	f->e.version = (uint8_t)(method & 0x3F);
	f->e.traits |= method & 0x40 ? RAR_IS_SOLID : 0;
	f->m.method = (uint16_t)(method >> 7 & 7);
	f->e.dictionary = (uint8_t)(method >> 10 & 15);
}

static void read_file(struct reading *b, struct file *f)
{
	uint64_t len;

	f->flags = next_vint(b);
	f->m.size = next_vint(b);
	f->attributes = next_vint(b);
	if (f->flags & MEMBER_TIME)
		(void)next_u32(b);
	f->m.has_crc = f->flags & MEMBER_CRC;
	f->m.crc = f->m.has_crc ? (uint32_t)next_u32(b) : 0;
	read_method(b, f);
	f->host = next_vint(b);
	len = next_vint(b);
	f->name_at = cursor_at(&b->c);
	b->is_short |= !held_take(&b->c, len, &f->name);
}

/* What a record says goes before flags and attributes. */
static void look_at_kind(const struct reading *b, struct file *f)
{
	const bool is_unix = f->host == HOST_UNIX;
	const struct rar_kind kind = {
		.attributes = f->attributes,
		.is_folder = f->flags & MEMBER_FOLDER,
		.is_unix = is_unix,
		.has_bytes = b->data_len > 0 || f->m.size > 0,
	};

	f->e.traits |= f->host > HOST_UNIX ? RAR_HOST_UNKNOWN : 0;
	if (f->is_redirected) {
		f->e.traits |= b->data_len > 0 ? RAR_LINK_WITH_BYTES : 0;
		return;
	}
	f->m.kind = (uint8_t)rar_kind_of(&kind, &f->e.traits);
	f->e.traits |= f->m.kind == ARC_SYMLINK && b->data_len > 0 ? RAR_LINK_WITH_BYTES : 0;
	if (is_unix)
		f->m.traits |= rar_mode_traits(f->attributes);
	else
		rar_look_at_attributes(f->attributes, &f->m, &f->e.traits);
}

/* Of a link by its mode alone 7-Zip takes the bytes for the target. */
static bool read_target(struct rar_walk *w, struct file *f)
{
	if (f->m.kind != ARC_SYMLINK || f->is_redirected || f->m.method != 0 ||
	    f->m.traits & ARC_ENCRYPTED)
		return true;
	return rar_read_target(w, (struct span){ f->m.at, f->m.packed }, &f->m.target);
}

/* What the bytes of a member need to be decoded. */
static void look_at_method(const struct reading *b, struct file *f)
{
	f->e.traits |= b->flags & FLAG_SPLIT ? RAR_SPLIT : 0;
	f->e.traits |= f->flags & MEMBER_SIZE_UNKNOWN ? RAR_SIZE_UNKNOWN : 0;
	if (f->m.method == 0) {
		f->e.traits |= RAR_STORED;
		if (f->e.traits & RAR_SIZE_UNKNOWN)
			f->m.size = f->m.packed;
		return;
	}
	if (f->m.kind != ARC_FILE)
		return;
	if (f->m.method > METHOD_LAST)
		f->m.traits |= ARC_UNKNOWN_METHOD;
	else if (f->e.version > 0)
		f->e.traits |= RAR_VERSION_UNKNOWN;
	else if (f->e.dictionary > DICTIONARY_LAST || f->e.traits & RAR_SIZE_UNKNOWN)
		f->e.traits |= RAR_DICTIONARY_LARGE;
}

/* A header that is too short for its fields has no member. After the fields the extra area begins;
 * libarchive does not look where. */
static bool end_fields(struct reading *b)
{
	const uint64_t len = b->row.head_len;

	if (!b->is_short) {
		if (cursor_left(&b->c) > 0 && b->type != TYPE_END)
			b->row.traits |= RAR_EXTRA_BROKEN;
		return true;
	}
	rar_note_fault(b->w, (struct rar_fault){ .what = "a header with its fields",
						 .at = { b->row.at, len },
						 .has = len,
						 .needs = len + 1 });
	b->row.kind = RAR_OTHER;
	return false;
}

static bool add_member(struct reading *b, struct file *f)
{
	struct rar_walk *w = b->w;

	f->m.head_at = b->row.at;
	f->m.head_len = b->row.head_len;
	f->m.at = b->row.at + b->row.head_len;
	f->m.packed = b->data_len;
	look_at_kind(b, f);
	look_at_method(b, f);
	f->e.traits |= w->is_over ? RAR_CUT : 0;
	return read_target(w, f) &&
	       members_name(w->d, RAR_MEMBERS, f->name, f->name_at, ARC_UTF8_SAID, &f->m.traits,
			    &f->m.name) &&
	       rar_add_member(w, &f->m, f->e);
}

static bool take_file(struct reading *b)
{
	const bool is_member = b->type == TYPE_MEMBER;
	struct file f = { .host = 0 };

	read_file(b, &f);
	if (!end_fields(b))
		return rar_add_block(b->w, b->row, b->data_len, b->is_sound);
	if (!is_member) {
		rar_note_service(b->w->r, f.name, &b->row);
		if (f.m.method == 0 && rar_service_is(f.name, "QO"))
			b->row.traits |= RAR_HAS_COPIES;
	}
	return take_extra(b, EXTRA_LAST, is_member ? &f : NULL) &&
	       rar_add_block(b->w, b->row, b->data_len, b->is_sound) &&
	       (!is_member || add_member(b, &f));
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

static bool take_archive(struct reading *b)
{
	struct rar *r = b->w->r;
	const uint64_t flags = next_vint(b);

	if (flags & ARCHIVE_NUMBERED) {
		r->volume = next_vint(b);
		r->is_numbered = true;
	}
	if (!end_fields(b))
		return true;
	r->defects |= flags & ARCHIVE_VOLUME ? RAR_VOLUME : 0;
	r->defects |= flags & ARCHIVE_LOCKED ? RAR_LOCKED : 0;
	r->defects |= flags & ARCHIVE_SOLID ? RAR_SOLID : 0;
	r->defects |= flags & ARCHIVE_RECOVERY ? RAR_RECOVERABLE : 0;
	return take_extra(b, EXTRA_ARCHIVE_LAST, NULL);
}

static bool take_other(struct reading *b)
{
	struct rar *r = b->w->r;

	switch (b->type) {
	case TYPE_ARCHIVE:
		if (!take_archive(b))
			return false;
		break;
	case TYPE_END:
		(void)next_vint(b);
		if (end_fields(b))
			r->defects |= RAR_HAS_END;
		break;
	case TYPE_ENCRYPTION:
		r->defects |= RAR_HEADERS_ENCRYPTED;
		break;
	default:
		b->row.traits |= b->flags & FLAG_MAY_SKIP ? RAR_TYPE_SKIPPED : RAR_TYPE_UNKNOWN;
	}
	if (!rar_add_block(b->w, b->row, b->data_len, b->is_sound))
		return false;
	if (b->type == TYPE_ARCHIVE)
		rar_note_archive(r);
	if (b->type == TYPE_END || b->type == TYPE_ENCRYPTION)
		b->w->is_over = true;
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

/* Leaves the extra area to another cursor; false: the header is shorter. */
static bool split_extra(struct reading *b, uint64_t len)
{
	const struct cursor rest = b->c;
	const uint64_t at = cursor_at(&rest), left = cursor_left(&rest);

	return len <= left && cursor_window(&rest, (struct span){ at, left - len }, &b->c) &&
	       cursor_window(&rest, (struct span){ at + (left - len), len }, &b->extra);
}

/* The fields that all headers have. */
static void read_head(struct reading *b, struct held head)
{
	uint64_t extra_len;

	b->c = cursor_init(head.bytes, head.len, b->row.at);
	b->is_short |= !rar5_block_read(&b->c, 0, &b->head);
	(void)next_vint(b);
	b->type = next_vint(b);
	b->flags = next_vint(b);
	extra_len = b->flags & FLAG_EXTRA ? next_vint(b) : 0;
	b->data_len = b->flags & FLAG_DATA ? next_vint(b) : 0;
	b->row.type = (uint8_t)(b->type < 255 ? b->type : 255);
	b->row.kind = (uint8_t)kind_of_block(b->type);
	b->is_short |= !split_extra(b, extra_len);
}

/* A block whose type and checksum are both wrong is none. */
static bool is_no_block(const struct reading *b)
{
	return !b->is_sound && (b->type == 0 || b->type > TYPE_END);
}

static void check_sum(struct reading *b, struct held head)
{
	const struct held summed = held_part(head, rar5_block_fixed_len,
					     head.len - rar5_block_fixed_len);

	b->is_sound = crc32_add(0, summed.bytes, summed.len) == b->head.crc;
	b->row.traits |= b->is_sound ? 0 : RAR_SUM_WRONG;
}

/* The size of a whole header; 0: it makes no sense, which is noted. */
static uint64_t head_len(struct rar_walk *w, struct held first)
{
	struct cursor c = cursor_init(first.bytes, first.len, w->at);
	struct rar_fault fault = { .what = "a header", .at = { w->at, HEAD_MIN } };
	uint64_t crc, size = 0;
	const bool is_there = cursor_u32(&c, &crc) && rar5_vint(&c, &size);

	if (is_there && size >= HEAD_SIZE_MIN && size <= HEAD_SIZE_MAX)
		return cursor_at(&c) - w->at + size;
	fault.has = size;
	fault.is_most = size > HEAD_SIZE_MAX;
	fault.needs = fault.is_most ? HEAD_SIZE_MAX : HEAD_SIZE_MIN;
	if (!is_there)
		fault = (struct rar_fault){ "a number", fault.at, VINT_MAX + 1u, VINT_MAX, true };
	w->is_over = true;
	rar_note_fault(w, fault);
	return 0;
}

static bool take_block(struct rar_walk *w, struct held first)
{
	const uint64_t len = head_len(w, first);
	struct reading b = { .w = w, .row = { .at = w->at, .head_len = (uint32_t)len } };
	struct held head;

	if (len == 0)
		return true;
	if (len > w->r->size - w->at) {
		rar_stop_truncated(w, w->at + len);
		return true;
	}
	if (!rar_take_head(w, first, len, &head))
		return false;
	read_head(&b, head);
	check_sum(&b, head);
	if (is_no_block(&b))
		return rar_stop_unsound(w, b.row);
	if (b.is_short) {
		(void)end_fields(&b);
		return rar_add_block(w, b.row, b.data_len, b.is_sound);
	}
	return b.row.kind == RAR_MEMBER || b.row.kind == RAR_SERVICE ? take_file(&b)
								     : take_other(&b);
}

bool rar5_walk(struct rar_walk *w)
{
	uint8_t bytes[HEAD_START];

	while (!w->is_over && w->at < w->r->size) {
		const uint64_t left = w->r->size - w->at;
		const struct held first = { bytes, left < sizeof bytes ? left : sizeof bytes };

		if (!decode_copy(w->d, RAR_MEMBERS, (struct span){ w->at, first.len }, bytes))
			return false;
		if (first.len < HEAD_MIN)
			rar_stop_truncated(w, w->at + HEAD_MIN);
		else if (!take_block(w, first))
			return false;
	}
	return rar5_check_copies(w);
}
