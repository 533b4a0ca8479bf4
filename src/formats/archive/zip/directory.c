/* The central headers of a zip: what they list, and what of that can be seen there. Source:
 * conformance/spec/zip.md, chapter 2. */
#include "codec/inflate.h"
#include "core/checked.h"
#include "core/mutant.h"
#include "core/utf8.h"
#include "formats/archive/members/reparse.h"
#include "formats/archive/zip/zip.h"

/* A reading is the walk through the central headers. */
struct reading {
	struct decode *d;
	struct zip *z;
	struct held bytes;
	uint64_t at; /* in these bytes */
};

/* A header with all that follows it. */
struct header {
	struct zip_central c;
	struct held name, extra, comment;
	struct zip_extras extras;
};

/* ---- What a member is ------------------------------------------------------------------------ */

/* NTFS is 10 by the note on the format, and 11 to 7-Zip. */
enum {
	HOST_DOS = 0,
	HOST_UNIX = 3,
	HOST_HPFS = 6,
	HOST_NTFS = 10,
	HOST_NTFS_7Z = 11,
	HOST_VFAT = 14,
	HOST_MAC = 19
};
enum { DOS_FOLDER = 0x10 };

static bool is_unix(const struct zip_central *c)
{
	return c->made_by >> 8 == HOST_UNIX || c->made_by >> 8 == HOST_MAC;
}

static bool is_reparse(const struct zip_central *c)
{
	const uint64_t host = c->made_by >> 8;

	return c->attributes & ARC_ATTRIBUTE_REPARSE &&
	       (host == HOST_DOS || host == HOST_NTFS || host == HOST_NTFS_7Z);
}

static uint64_t mode_of(const struct zip_central *c)
{
	return c->attributes >> 16;
}

/* Old programs for .NET write folders with a backslash. */
static bool ends_as_folder(const struct header *h)
{
	const uint64_t last = h->name.len > 0 ? held_u8(h->name, h->name.len - 1) : 0;

	return last == '/' || (last == '\\' && h->c.size == 0 && h->c.packed == 0);
}

/* Whether a mode has a kind that no system has: libarchive makes nothing of it, or a file. */
static bool is_unknown(uint64_t mode)
{
	enum { KIND = 0170000, FILE_KIND = 0100000 };

	return mode & KIND && (mode & KIND) != FILE_KIND && arc_mode_kind(mode) == ARC_FILE;
}

/* Whether 7-Zip makes a folder of it, libarchive most often, too: by the attribute of DOS in the
 * systems that have it, by the mode in Unix. */
static bool is_taken_for_folder(const struct zip_central *c)
{
	switch (c->made_by >> 8) {
	case HOST_DOS:
	case HOST_HPFS:
	case HOST_NTFS_7Z:
	case HOST_VFAT:
		return c->attributes & DOS_FOLDER;
	default:
		return c->made_by >> 8 == HOST_UNIX && arc_mode_kind(mode_of(c)) == ARC_DIRECTORY;
	}
}

/* Readers go by the slash, by the attribute of DOS, or by the mode. */
static enum arc_kind kind_of(const struct header *h, uint64_t *traits)
{
	const enum arc_kind by_mode = arc_mode_kind(mode_of(&h->c));
	const bool has_slash = ends_as_folder(h);
	const bool is_folder = h->c.attributes & DOS_FOLDER || by_mode == ARC_DIRECTORY;
	const bool is_other = by_mode != ARC_FILE && by_mode != ARC_DIRECTORY;

	if ((is_folder && !has_slash) || (is_other && (has_slash || !is_unix(&h->c))) ||
	    (is_unix(&h->c) && is_unknown(mode_of(&h->c))))
		*traits |= ZIP_KIND_UNCLEAR;
	if (has_slash)
		return ARC_DIRECTORY;
	if (h->c.size > 0 && is_taken_for_folder(&h->c))
		*traits |= ZIP_KIND_SPLIT;
	return by_mode == ARC_DIRECTORY ? ARC_FILE : by_mode;
}

/* ---- Numbers that contradict ----------------------------------------------------------------- */

enum {
	NEEDED_LAST = 63,
	NEEDED_PLAIN = 46,
	NEEDED_VMS = 2,
	ENCRYPTION_HEAD = 12,
	FOLDER_STREAM = 2
};

static bool is_encrypted(const struct zip_central *c)
{
	return c->flags & (ZIP_IS_ENCRYPTED | ZIP_IS_STRONG) || c->method == ZIP_AES;
}

static bool is_plain(const struct zip_central *c)
{
	return !is_encrypted(c) && (c->method == ZIP_STORED || c->method == ZIP_DEFLATE);
}

static uint64_t size_traits(const struct header *h, const struct arc_member *m)
{
	const uint64_t head = is_encrypted(&h->c) ? ENCRYPTION_HEAD : 0;
	const bool is_folder = m->kind == ARC_DIRECTORY;
	uint64_t traits = 0;

	if (h->extras.defects & ZIP_ZIP64_MISSING)
		return 0;
	if (is_folder && m->size > 0)
		traits |= ZIP_FOLDER_DATA;
	else if (is_folder && m->packed > 0)
		traits |= m->packed <= FOLDER_STREAM + head ? ZIP_FOLDER_STREAM : ZIP_FOLDER_DATA;
	if (is_folder && m->size == 0 && m->crc != 0)
		traits |= ZIP_FOLDER_CRC;
	if (m->method == ZIP_STORED && !(h->c.flags & ZIP_IS_STRONG) &&
	    m->packed != capped_add(m->size, head))
		traits |= ZIP_STORED_SIZE;
	/* 64 bytes more: the last match of a stream need not be whole */
	if (m->method == ZIP_DEFLATE && m->size > 64 &&
	    (m->size - 65) / INFLATE_GAIN_MAX >= m->packed)
		traits |= ZIP_IMPOSSIBLE;
	return traits;
}

/* All zeros stand for no date. */
static bool is_no_date(uint64_t date)
{
	const uint64_t month = date >> 5 & 15, day = date & 31;

	return date != 0 && (month == 0 || month > 12 || day == 0);
}

static uint64_t header_traits(const struct header *h)
{
	uint64_t traits = 0;

	if (h->c.flags & (ZIP_HAS_PATCH | ZIP_FLAGS_RESERVED))
		traits |= ZIP_FLAG_RESERVED;
	if (h->c.flags & ZIP_IS_MASKED)
		traits |= ZIP_MASKED;
	if (is_no_date(h->c.date))
		traits |= ZIP_DATE;
	if ((h->c.needed & 0xFF) > NEEDED_LAST)
		traits |= ZIP_NEEDS_NEWER;
	else if ((h->c.needed & 0xFF) > NEEDED_PLAIN && is_plain(&h->c))
		traits |= ZIP_NEEDS_MORE;
	if (h->c.needed >> 8 == NEEDED_VMS)
		traits |= ZIP_NEEDS_VMS;
	if (zip_has_signature(h->comment) || zip_has_signature(h->extra))
		traits |= ZIP_HIDES_SIGNATURE;
	return traits;
}

/* ---- Members --------------------------------------------------------------------------------- */

/* The order of the numbers in a zip64 field, which has those alone that are escaped. */
static void take_zip64(struct header *h, struct arc_member *m, uint64_t *local_at, uint32_t *volume)
{
	*volume = (uint32_t)h->c.disk;
	m->size = h->c.size;
	m->packed = h->c.packed;
	*local_at = h->c.local_at;
	if (zip_take_zip64(&h->extras, ZIP_ESCAPE32, &m->size) &&
	    zip_take_zip64(&h->extras, ZIP_ESCAPE32, &m->packed) &&
	    zip_take_zip64(&h->extras, ZIP_ESCAPE32, local_at) && *volume == ZIP_ESCAPE16 &&
	    held_has(h->extras.zip64, 0, 4)) {
		*volume = (uint32_t)held_u32(h->extras.zip64, 0);
		h->extras.zip64 = held_part(h->extras.zip64, 4, h->extras.zip64.len - 4);
	}
	if (h->extras.defects & ZIP_ZIP64_MISSING)
		m->size = m->size == ZIP_ESCAPE32 ? 0 : m->size;
	else if (h->extras.zip64.len > 0)
		h->extras.defects |= ZIP_ZIP64_LONG;
}

static struct zip_entry entry_of(const struct reading *r, struct header *h, struct arc_member *m)
{
	struct zip_entry e = {
		.attributes = (uint32_t)h->c.attributes,
		.needed = h->c.needed & 0xFF,
		.flags = (uint16_t)h->c.flags,
		.name_len = (uint16_t)h->c.name_len,
	};
	uint64_t local_at;

	take_zip64(h, m, &local_at, &e.volume);
	e.local_at = capped_add(local_at, r->z->base);
	e.traits = h->extras.defects | header_traits(h) | (e.volume > 0 ? ZIP_OTHER_VOLUME : 0) |
		   (is_reparse(&h->c) ? ZIP_REPARSE : 0);
	return e;
}

static uint32_t member_traits(const struct zip_central *c)
{
	uint32_t traits = 0;

	if (is_encrypted(c))
		traits |= ARC_ENCRYPTED;
	else if (c->method != ZIP_STORED && c->method != ZIP_DEFLATE)
		/* that the library is missing in this build is no fault of the file */
		traits |= zip_is_whole(c->method) ? ARC_UNCOMMON_METHOD : ARC_UNKNOWN_METHOD;
	if ((is_unix(c) && mode_of(c) & ARC_MODE_SETS_USER) || is_reparse(c))
		traits |= ARC_SETS_USER;
	return traits;
}

/* The name is that of the Unicode path, where that counts; programs that do not know one refuse an
 * archive for the header's own. */
static bool name_member(struct reading *r, const struct header *h, struct zip_entry *e,
			struct arc_member *m)
{
	const bool says = e->flags & ZIP_IS_UTF8;
	struct held name = h->name, path = { h->name.bytes, 0 };
	enum arc_coding coding = says ? ARC_UTF8_SAID : ARC_UNSAID;

	if (says && !utf8_valid(name.bytes, (size_t)name.len))
		m->traits |= ARC_MISCODED;
	if (h->extras.has_path)
		e->traits |= zip_unicode_path(h->extras.path, name, &path);
	if (path.len > 0) {
		name = path;
		coding = ARC_UTF8_SAID;
	}
	return members_name(r->d, ZIP_DIRECTORY, name, h->c.at + zip_central_fixed_len, coding,
			    &m->traits, &m->name);
}

static bool add(struct reading *r, struct header *h)
{
	struct zip *z = r->z;
	struct arc_member m = {
		.head_at = h->c.at,
		/* mutant: a comment of one byte is none */
		.head_len = (uint32_t)(zip_central_fixed_len + h->name.len + h->extra.len +
				       (h->comment.len == 1 && MUTANT(370) ? 0 : h->comment.len)),
		.crc = (uint32_t)h->c.crc,
		.has_crc = h->c.method != ZIP_AES,
		.method = (uint16_t)h->c.method,
		.traits = member_traits(&h->c),
	};
	struct zip_entry e = entry_of(r, h, &m);

	m.kind = (uint8_t)kind_of(h, &e.traits);
	e.kinds = zip_other_kinds(&h->extras, m.kind);
	e.traits |= size_traits(h, &m) | (e.kinds ? ZIP_KIND_OTHER : 0);
	if (m.kind == ARC_DIRECTORY)
		m.traits &= ~(uint32_t)ARC_SETS_USER;
	if (!name_member(r, h, &e, &m))
		return false;
	z->entries[z->n_entries] = e;
	z->members->rows[z->n_entries++] = m;
	z->members->n = z->n_entries;
	z->traits |= e.traits;
	return true;
}

/* ---- The walk -------------------------------------------------------------------------------- */

/* false: there is no whole central header. */
static bool read_header(const struct reading *r, struct header *h)
{
	const struct held rest = held_part(r->bytes, r->at, r->bytes.len - r->at);
	struct cursor c = cursor_init(rest.bytes, rest.len, r->z->directory_at + r->at);

	if (held_u32(rest, 0) != ZIP_CENTRAL_MAGIC || !zip_central_read(&c, 0, &h->c) ||
	    !held_take(&c, h->c.name_len, &h->name) || !held_take(&c, h->c.extra_len, &h->extra) ||
	    !held_take(&c, h->c.comment_len, &h->comment))
		return false;
	zip_read_extras(h->extra, &h->extras);
	return true;
}

/* Where a central header has the lengths of what follows it. */
enum { AT_NAME_LEN = 28 };

/* How many headers there are; the last need not be whole. */
static uint64_t count_headers(struct held bytes)
{
	uint64_t n = 0, at = 0;

	while (held_has(bytes, at, zip_central_fixed_len) &&
	       held_u32(bytes, at) == ZIP_CENTRAL_MAGIC) {
		at += zip_central_fixed_len + held_u16(bytes, at + AT_NAME_LEN) +
		      held_u16(bytes, at + AT_NAME_LEN + 2) + held_u16(bytes, at + AT_NAME_LEN + 4);
		n++;
	}
	return n;
}

static bool make_room(struct reading *r)
{
	const uint64_t n = count_headers(r->bytes);
	struct zip *z = r->z;

	if (n > r->d->limits->of[LIMIT_entries] || NEVER(n > UINT32_MAX))
		return decode_stop_limit(r->d, ZIP_DIRECTORY, LIMIT_entries,
					 (struct span){ z->directory_at, r->bytes.len });
	z->entries = decode_alloc(r->d, ZIP_DIRECTORY, n, sizeof *z->entries);
	z->members->rows = decode_alloc(r->d, ZIP_DIRECTORY, n, sizeof *z->members->rows);
	return z->entries && z->members->rows && decode_spend(r->d, ZIP_DIRECTORY, n);
}

/* A digital signature may follow the headers. */
static void note_end(struct reading *r)
{
	struct zip *z = r->z;
	const struct held rest = held_part(r->bytes, r->at, r->bytes.len - r->at);
	enum { HEAD = 6 };

	z->walk_end = z->directory_at + r->at;
	z->ends_broken = rest.len > 0 && z->n_entries < z->n_stated;
	if (held_u32(rest, 0) == ZIP_SIGNATURE_MAGIC && held_has(rest, 0, HEAD + held_u16(rest, 4)))
		z->signed_by = (struct span){ z->walk_end, HEAD + held_u16(rest, 4) };
}

bool zip_read_directory(struct decode *d, struct zip *z)
{
	struct reading r = { .d = d, .z = z };
	struct header h;

	if (!decode_bytes(d, ZIP_DIRECTORY,
			  (struct span){ z->directory_at, z->directory_end - z->directory_at },
			  &r.bytes))
		return false;
	if (!make_room(&r))
		return false;
	while (read_header(&r, &h)) {
		if (!decode_goes_on(d, ZIP_DIRECTORY, z->n_entries) || !add(&r, &h))
			return false;
		r.at += z->members->rows[z->n_entries - 1].head_len;
	}
	note_end(&r);
	return true;
}
