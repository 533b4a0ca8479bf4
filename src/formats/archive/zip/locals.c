/* The local headers of a zip, and how its members lie. Source: conformance/spec/zip.md, chapter
 * 3. */
#include "core/checked.h"
#include "core/mutant.h"
#include "core/order.h"
#include "formats/archive/zip/zip.h"

/* What is read at a time: a piece, where members lie close together, or else enough for most
 * headers. */
#define PIECE ((uint64_t)65536)
#define PIECE_FEW ((uint64_t)1024)

/* A walk goes through the local headers by their places, and reads each byte once or twice. */
struct local_walk {
	struct decode *d;
	struct zip *z;
	uint8_t *piece; /* 2 * PIECE bytes: a header's name and extra fields fit */
	struct span have;
	struct order by_place;
	uint64_t max_gaps;
	uint64_t reach;  /* where the members so far end */
	uint64_t second; /* how far two of them reach */
	uint32_t last;   /* the member that ends there */
};

/* The member that a walk is at. */
struct here {
	struct zip_entry *e;
	struct arc_member *m;
	struct zip_local_header local;
};

/* ---- Reading --------------------------------------------------------------------------------- */

/* Gives n <= 2 * PIECE bytes at a place. false: they cannot be read, which is noted; past the end
 * there are fewer. */
static bool look(struct local_walk *w, uint64_t at, uint64_t n, bool is_dense, struct held *out)
{
	const uint64_t left = at < w->z->size ? w->z->size - at : 0;
	uint64_t len = is_dense ? PIECE : PIECE_FEW;

	n = n < left ? n : left;
	*out = (struct held){ w->piece, 0 };
	if (n == 0)
		return true;
	if (at < w->have.at || at - w->have.at > w->have.len ||
	    n > w->have.len - (at - w->have.at)) {
		len = len > n ? len : n;
		w->have = (struct span){ at, len < left ? len : left };
		if (!decode_copy(w->d, ZIP_LOCALS, w->have, w->piece))
			return false;
	}
	*out = held_part((struct held){ w->piece, w->have.len }, at - w->have.at, n);
	return true;
}

static bool is_dense(const struct arc_member *m)
{
	return m->packed < PIECE / 4;
}

/* ---- One local header ------------------------------------------------------------------------ */

/* Names that differ in their separators alone are one name. */
static uint64_t compare_names(struct held a, struct held b)
{
	uint64_t traits = 0;

	if (a.len != b.len)
		return ZIP_NAME_DIFFERS;
	if (held_equal(a, b))
		return 0;
	/* mutant: the last letter of a name is not compared */
	for (uint64_t i = 0; i < (MUTANT(371) && a.len > 0 ? a.len - 1 : a.len); i++) {
		const uint64_t x = held_u8(a, i), y = held_u8(b, i);

		if (x == y)
			continue;
		if ((x != '/' && x != '\\') || (y != '/' && y != '\\'))
			return ZIP_NAME_DIFFERS;
		traits = ZIP_SEPARATOR_DIFFERS;
	}
	return traits;
}

static bool is_ascii(struct held name)
{
	for (uint64_t i = 0; i < name.len; i++)
		if (held_u8(name, i) >= 0x80)
			return false;
	return true;
}

static uint64_t compare_flags(const struct here *x, struct held name)
{
	const unsigned differ = (unsigned)(x->e->flags ^ x->local.flags);
	uint64_t traits = 0;

	if (differ & ZIP_IS_ENCRYPTED || x->m->method != x->local.method)
		traits |= ZIP_METHOD_DIFFERS;
	if (differ & (ZIP_HAS_DESCRIPTOR | ZIP_FLAGS_COMPARED) ||
	    (differ & ZIP_IS_TRIED && x->m->method != ZIP_DEFLATE) ||
	    (differ & ZIP_IS_UTF8 && !is_ascii(name)))
		traits |= ZIP_FLAGS_DIFFER;
	return traits;
}

/* With a descriptor the local header may have zeros, or what the writer knew already. */
static bool differs(const struct here *x, uint64_t local, uint64_t central)
{
	const bool may_lack = x->local.flags & ZIP_HAS_DESCRIPTOR;

	return local != central && !(may_lack && local == 0);
}

/* Sizes that are left to a zip64 field which lacks them are no sizes. */
static uint64_t compare_numbers(const struct here *x)
{
	uint64_t traits = 0;

	if (differs(x, x->local.crc, x->m->crc))
		traits |= ZIP_CRC_DIFFERS;
	if (x->e->traits & ZIP_ZIP64_MISSING)
		return traits;
	if (differs(x, x->local.packed, x->m->packed))
		traits |= ZIP_PACKED_DIFFERS;
	if (differs(x, x->local.size, x->m->size))
		traits |= ZIP_SIZE_DIFFERS;
	return traits;
}

/* In a local header both sizes are in the zip64 field, or none. */
static uint64_t take_header(struct here *here, const struct zip_local *h, struct zip_extras x)
{
	const uint8_t kinds = zip_other_kinds(&x, here->m->kind);

	here->e->kinds |= kinds;
	here->local = (struct zip_local_header){
		.packed = h->packed,
		.size = h->size,
		.crc = (uint32_t)h->crc,
		.flags = (uint16_t)h->flags,
		.method = (uint16_t)h->method,
		.name_len = (uint16_t)h->name_len,
		.has_zip64 = x.has_zip64,
	};
	if (!zip_take_zip64(&x, ZIP_ESCAPE32, &here->local.size) ||
	    !zip_take_zip64(&x, ZIP_ESCAPE32, &here->local.packed)) {
		here->local.size = here->m->size;
		here->local.packed = here->m->packed;
	}
	return x.defects | (kinds ? ZIP_KIND_OTHER : 0);
}

static bool keep_local(struct local_walk *w, struct here *x)
{
	struct zip *z = w->z;
	struct zip_local_header *locals;

	if (!(x->e->traits & ZIP_LOCAL_DIFFERS))
		return true;
	locals = decode_grow(w->d, ZIP_LOCALS, z->locals, z->n_locals, &z->max_locals,
			     sizeof *locals);
	if (!locals)
		return false;
	z->locals = locals;
	x->e->local = (uint32_t)z->n_locals;
	locals[z->n_locals++] = x->local;
	return true;
}

/* Bytes of a central header, which are in memory. */
static struct held central_bytes(struct local_walk *w, uint64_t at, uint64_t len)
{
	struct held bytes = { w->piece, 0 };
	struct cursor c;

	if (source_peek(w->d->source, (struct span){ at, len }, &c) && held_take(&c, len, &bytes))
		return bytes;
	return (struct held){ w->piece, 0 };
}

static struct held central_name(struct local_walk *w, const struct here *x)
{
	return central_bytes(w, x->m->head_at + zip_central_fixed_len, x->e->name_len);
}

static void central_extras(struct local_walk *w, const struct here *x, struct zip_extras *out)
{
	enum { AT_EXTRA_LEN = 30 };
	const uint64_t at = x->m->head_at,
		       len = held_u16(central_bytes(w, at + AT_EXTRA_LEN, 2), 0);

	zip_read_extras(central_bytes(w, at + zip_central_fixed_len + x->e->name_len, len), out);
}

/* Holds the Unicode path of a local header against what the central one has, and keeps it if that
 * is another name. */
static bool compare_paths(struct local_walk *w, struct here *x, const struct zip_extras *local,
			  struct held name)
{
	struct zip_extras central;
	uint32_t unused = 0;
	struct held path;
	uint64_t traits;
	uint8_t *copy;

	if (!local->has_path)
		return true;
	central_extras(w, x, &central);
	traits = zip_local_path(local, name, &central, central_name(w, x), &path);
	if (traits == 0)
		return true;
	x->e->traits |= traits;
	copy = decode_alloc(w->d, ZIP_LOCALS, path.len, 1);
	if (!copy)
		return false;
	memcpy(copy, path.bytes, (size_t)path.len);
	return members_name(w->d, ZIP_LOCALS, (struct held){ copy, path.len }, x->e->local_at,
			    ARC_UTF8_SAID, &unused, &x->local.path);
}

/* Reads a local header, and says where the member's bytes begin. Of one that is not there, they
 * begin at the end. */
static bool read_local(struct local_walk *w, struct here *x)
{
	struct zip_entry *e = x->e;
	struct arc_member *m = x->m;
	struct held bytes, name, extra;
	struct zip_extras extras;
	struct zip_local h;
	struct cursor c;

	m->at = w->z->size;
	if (!look(w, e->local_at, zip_local_fixed_len, is_dense(m), &bytes))
		return false;
	c = cursor_init(bytes.bytes, bytes.len, e->local_at);
	if (!zip_local_read(&c, 0, &h) || h.magic != ZIP_LOCAL_MAGIC) {
		e->traits |= ZIP_LOCAL_MISSING;
		return true;
	}
	if (!look(w, e->local_at + zip_local_fixed_len, h.name_len + h.extra_len, is_dense(m),
		  &bytes))
		return false;
	/* mutant: a local header may lack its last byte */
	if (bytes.len + (MUTANT(373) ? 1 : 0) < h.name_len + h.extra_len) {
		e->traits |= ZIP_LOCAL_MISSING;
		return true;
	}
	name = held_part(bytes, 0, h.name_len);
	extra = held_part(bytes, h.name_len, h.extra_len);
	zip_read_extras(extra, &extras);
	e->traits |= take_header(x, &h, extras) |
		     (zip_has_signature(extra) ? ZIP_HIDES_SIGNATURE : 0);
	e->traits |= compare_names(name, central_name(w, x)) | compare_flags(x, name) |
		     compare_numbers(x);
	m->at = e->local_at + zip_local_fixed_len + h.name_len + h.extra_len;
	return compare_paths(w, x, &extras, name) && keep_local(w, x);
}

/* ---- Data descriptors ------------------------------------------------------------------------ */

/* A form of descriptor: with or without a signature, sizes of 4 or 8 bytes. */
static bool fits(const struct arc_member *m, struct held bytes, bool is_signed, uint64_t width)
{
	const uint64_t at = is_signed ? 4 : 0;
	const bool is_wide = width == 8;

	if (!held_has(bytes, 0, at + 4 + 2 * width) ||
	    (is_signed && held_u32(bytes, 0) != ZIP_DESCRIPTOR_MAGIC))
		return false;
	if (is_wide && held_u64(bytes, at + 4) == m->packed && held_u64(bytes, at + 12) == m->size)
		return held_u32(bytes, at) == m->crc;
	return !is_wide && held_u32(bytes, at + 4) == m->packed &&
	       held_u32(bytes, at + 8) == m->size && held_u32(bytes, at) == m->crc;
}

/* The length of the descriptor, by the form that agrees with the central header; 0: none does. Of
 * an empty member both widths agree, so that the one which is due comes first. */
static uint64_t descriptor_len(const struct here *x, struct held bytes, uint64_t *width)
{
	const uint64_t due = x->local.has_zip64 ? 8 : 4, widths[] = { due, 12 - due };

	for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
		*width = widths[i];
		if (fits(x->m, bytes, true, *width))
			return 8 + 2 * *width;
		if (fits(x->m, bytes, false, *width))
			return 4 + 2 * *width;
	}
	return 0;
}

/* Some programs that encrypt write no descriptor, and a local header that is right. */
static bool may_do_without(const struct here *x, struct held bytes)
{
	const uint64_t next = held_u32(bytes, 0);

	return x->local.crc == x->m->crc && x->local.packed == x->m->packed &&
	       x->local.size == x->m->size &&
	       (next == ZIP_LOCAL_MAGIC || next == ZIP_CENTRAL_MAGIC);
}

static bool read_descriptor(struct local_walk *w, const struct here *x)
{
	enum { LONGEST = 24 };
	struct zip_entry *e = x->e;
	uint64_t len, width = 0;
	struct held bytes;

	if (!look(w, e->end, LONGEST, is_dense(x->m), &bytes))
		return false;
	len = descriptor_len(x, bytes, &width);
	if (len > 0)
		e->end += len;
	else
		e->traits |= may_do_without(x, bytes) ? ZIP_DESCRIPTOR_LEFT_OUT : ZIP_NO_DESCRIPTOR;
	if (len > 0 && (width == 8) != x->local.has_zip64)
		e->traits |= ZIP_DESCRIPTOR_WIDTH;
	return true;
}

/* ---- How members lie ------------------------------------------------------------------------- */

static uint64_t place_of(const void *zip, uint32_t i)
{
	return ((const struct zip *)zip)->entries[i].local_at;
}

static bool are_twins(const struct zip *z, uint32_t a, uint32_t b)
{
	const struct zip_entry *x = &z->entries[a], *y = &z->entries[b];
	const struct arc_member *m = &z->members->rows[a], *n = &z->members->rows[b];

	return x->local_at == y->local_at && m->crc == n->crc && m->packed == n->packed &&
	       m->size == n->size && m->method == n->method && x->flags == y->flags &&
	       x->attributes == y->attributes && m->name.ref.n_units == n->name.ref.n_units &&
	       text_compare(m->name, n->name) == 0;
}

static bool add_gap(struct local_walk *w, uint64_t from, uint64_t to)
{
	struct zip_gap gap = { .span = { from, from < to ? to - from : 0 } }, *gaps;
	struct zip *z = w->z;

	/* of a directory that is cut off nobody knows what it would have listed */
	if (from >= to || z->ends_broken)
		return true;
	gaps = decode_grow(w->d, ZIP_LOCALS, z->gaps, z->n_gaps, &w->max_gaps, sizeof gap);
	if (!gaps)
		return false;
	z->gaps = gaps;
	if (!zip_look_at_gap(w->d, &gap))
		return false;
	gaps[z->n_gaps++] = gap;
	z->gap_traits |= gap.traits;
	return true;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* What a map shows of a member: what no other has. */
static void show(struct local_walk *w, struct zip_entry *e)
{
	const uint64_t to = least(e->end, w->z->directory_at);

	e->shown_at = e->local_at > w->reach ? e->local_at : w->reach;
	if (e->shown_at < to)
		w->z->explained += to - e->shown_at;
}

/* A bomb has far more than two members at a place: two that overlap may be an accident. */
static void note_reach(struct local_walk *w, uint32_t row)
{
	const struct zip_entry *e = &w->z->entries[row];

	w->z->is_deep = w->z->is_deep || e->local_at < w->second;
	if (e->end >= w->reach) {
		w->second = w->reach;
		w->reach = e->end;
		w->last = row;
	} else if (e->end > w->second) {
		w->second = e->end;
	}
}

/* The member at a place is held against those that lie before it. */
static bool place(struct local_walk *w, uint32_t row)
{
	struct zip_entry *e = &w->z->entries[row];

	/* mutant: that a member shares its last byte is no overlap */
	if (MUTANT(372) ? e->local_at + 1 < w->reach : e->local_at < w->reach) {
		e->traits |= are_twins(w->z, w->last, row) ? ZIP_LISTED_TWICE : ZIP_OVERLAPS;
		e->other = w->last;
	} else if (!add_gap(w, w->reach, least(e->local_at, w->z->directory_at))) {
		return false;
	}
	/* mutant: a member may have the first byte of the directory */
	if (e->end > w->z->directory_at + (MUTANT(379) ? 1 : 0))
		e->traits |= ZIP_REACHES_INTO_DIRECTORY;
	show(w, e);
	note_reach(w, row);
	return true;
}

/* The first member is where the archive begins, even if its header is damaged. What comes before it
 * is no gap, unless the file begins with another. */
static void note_first(struct local_walk *w)
{
	struct zip *z = w->z;

	z->first_at = z->directory_at;
	if (z->n_entries > 0 && z->entries[order_row(&w->by_place, 0)].local_at < z->first_at)
		z->first_at = z->entries[order_row(&w->by_place, 0)].local_at;
	if (z->signature != ARC_IS_ZIP)
		w->reach = z->first_at;
}

/* A compressed size that is left to a zip64 field which lacks it may be in the local header. */
static uint64_t packed_of(const struct here *x)
{
	if (!(x->e->traits & ZIP_ZIP64_MISSING) || x->m->packed != ZIP_ESCAPE32)
		return x->m->packed;
	return x->local.packed != ZIP_ESCAPE32 ? x->local.packed : 0;
}

static bool take_member(struct local_walk *w, uint32_t row)
{
	struct zip *z = w->z;
	struct zip_entry *e = &z->entries[row];
	struct here x = { .e = e, .m = &z->members->rows[row] };

	if (!decode_spend(w->d, ZIP_LOCALS, 1) || !read_local(w, &x))
		return false;
	if (e->traits & ZIP_LOCAL_MISSING)
		return true;
	e->end = capped_add(x.m->at, packed_of(&x));
	if (e->flags & ZIP_HAS_DESCRIPTOR && e->end < z->size && !(e->traits & ZIP_ZIP64_MISSING) &&
	    !read_descriptor(w, &x))
		return false;
	return place(w, row);
}

bool zip_read_locals(struct decode *d, struct zip *z)
{
	struct local_walk w = { .d = d, .z = z, .reach = 0 };
	bool is_done;

	w.piece = decode_alloc(d, ZIP_LOCALS, 2 * PIECE, 1);
	if (!w.piece)
		return false;
	if (!order_by_key(d->arena, z, (uint32_t)z->n_entries, place_of, &w.by_place))
		return decode_stop(d, ZIP_LOCALS, STOP_MEMORY, (struct span){ 0, 0 });
	note_first(&w);
	is_done = true;
	for (uint32_t i = 0; is_done && i < z->n_entries; i++)
		is_done = take_member(&w, order_row(&w.by_place, i));
	for (uint64_t i = 0; i < z->n_entries; i++)
		z->traits |= z->entries[i].traits;
	return is_done && add_gap(&w, w.reach, z->directory_at);
}
