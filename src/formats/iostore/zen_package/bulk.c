/* The bulk data map, and what follows the header. Source: conformance/spec/zen.md, 8 and 9. */
#include "core/checked.h"
#include "formats/iostore/zen_package/parts.h"

enum { MAP_ALIGNMENT = 8, TRAILER_LEN = zen_trailer_fixed_len };

/* ---- The map --------------------------------------------------------------------------------- */

static enum claims_bulk file_of(uint64_t flags)
{
	if (flags & ZEN_BULK_MAPPED)
		return CLAIMS_MAPPED_BULK;
	return flags & ZEN_BULK_OPTIONAL ? CLAIMS_OPTIONAL_BULK : CLAIMS_BULK;
}

/* A package can have several files of bulk data; of those but the first nothing is claimed. */
static bool knows_files(const struct zen *z, const struct zen_bulk *f)
{
	return z->claims && z->claims->has_bulk && f->cooked_index == 0;
}

static bool has_limit(const struct zen *z, const struct zen_bulk_item *b)
{
	return !b->in_file || knows_files(z, &b->fields);
}

/* The engine reads the duplicate, where there is the file for it, instead of what else the row
 * says; of a row without a file it reads none. */
static bool has_duplicate(const struct zen_bulk_item *b)
{
	return b->in_file && b->fields.flags & ZEN_BULK_HAS_DUPLICATE;
}

static bool is_duplicate_out(const struct zen *z, const struct zen_bulk *f)
{
	const uint64_t limit = knows_files(z, f) ? z->claims->bulk[CLAIMS_OPTIONAL_BULK]
						 : CLAIMS_NO_CHUNK;

	return limit != CLAIMS_NO_CHUNK && f->size > 0 &&
	       (f->duplicate == ZEN_BULK_NO_DUPLICATE || f->duplicate + f->size > limit);
}

static uint32_t duplicate_traits(const struct zen *z, const struct zen_bulk_item *b)
{
	const struct zen_bulk *f = &b->fields;
	const bool is_none = f->duplicate == ZEN_BULK_NO_DUPLICATE;

	if (!(f->flags & ZEN_BULK_HAS_DUPLICATE))
		return is_none ? 0 : (uint32_t)ZEN_BULK_DUPLICATE;
	if (!has_duplicate(b) || is_negative_64(f->size))
		return 0;
	if (!is_none && (is_negative_64(f->duplicate) || is_negative_64(f->duplicate + f->size)))
		return ZEN_BULK_DUPLICATE_NEGATIVE;
	return (is_none ? (uint32_t)ZEN_BULK_DUPLICATE_NONE : 0) |
	       (is_duplicate_out(z, f) ? (uint32_t)ZEN_BULK_DUPLICATE_OUT : 0);
}

static void look_at_row(const struct zen *z, struct zen_bulk_item *b)
{
	const struct zen_bulk *f = &b->fields;

	b->in_file = f->flags & ZEN_BULK_IN_FILE;
	b->file = file_of(f->flags);
	b->traits = duplicate_traits(z, b);
	b->limit = UINT64_MAX;
	if (has_limit(z, b))
		b->limit = b->in_file ? z->claims->bulk[b->file] : z->payload;
	if (f->pad != 0)
		b->traits |= ZEN_BULK_ROW_PAD;
	if (is_negative_64(f->offset) || is_negative_64(f->size) ||
	    is_negative_64(f->offset + f->size)) {
		b->traits |= ZEN_BULK_NEGATIVE;
		return;
	}
	if (!has_limit(z, b) || f->size == 0)
		return;
	if (b->in_file && b->limit == CLAIMS_NO_CHUNK)
		b->traits |= b->file == CLAIMS_OPTIONAL_BULK ? 0 : ZEN_BULK_NO_FILE;
	else if (f->offset + f->size > b->limit)
		b->traits |= b->in_file ? ZEN_BULK_PAST_FILE : ZEN_BULK_PAST_PAYLOAD;
}

void zen_bulk_item_at(const struct zen *z, uint64_t i, struct zen_bulk_item *b)
{
	const struct zen_bulk_row row = zen_bulk_at(z->bulk, i);

	b->fields = (struct zen_bulk){
		.at = z->bulk_at + i * zen_bulk_fixed_len,
		.offset = zen_bulk_get_offset(row),
		.duplicate = zen_bulk_get_duplicate(row),
		.size = zen_bulk_get_size(row),
		.flags = zen_bulk_get_flags(row),
		.cooked_index = zen_bulk_get_cooked_index(row),
		.pad = zen_bulk_get_pad(row),
	};
	b->index = i;
	look_at_row(z, b);
}

static void reach(struct zen *z, enum claims_bulk file, uint64_t end)
{
	if (end > z->bulk_ends[file])
		z->bulk_ends[file] = end;
}

/* A negative place says nothing of how far the map reaches. */
static void check_reach(struct zen *z, const struct zen_bulk_item *b)
{
	const struct zen_bulk *f = &b->fields;

	if (!b->in_file || f->cooked_index != 0 || is_negative_64(f->size))
		return;
	if (!(b->traits & ZEN_BULK_NEGATIVE))
		reach(z, b->file, f->offset + f->size);
	if (has_duplicate(b) &&
	    !(b->traits & (ZEN_BULK_DUPLICATE_NONE | ZEN_BULK_DUPLICATE_NEGATIVE)))
		reach(z, CLAIMS_OPTIONAL_BULK, f->duplicate + f->size);
}

static void check_rows(struct zen *z)
{
	for (uint64_t i = 0; i < z->n_bulk; i++) {
		struct zen_bulk_item b;

		zen_bulk_item_at(z, i, &b);
		z->bulk_traits |= b.traits;
		check_reach(z, &b);
	}
}

bool zen_bulk_has_rest(const struct zen *z, enum claims_bulk file)
{
	const uint64_t has = z->claims && z->claims->has_bulk ? z->claims->bulk[file]
							      : CLAIMS_NO_CHUNK;

	return has != CLAIMS_NO_CHUNK && has > z->bulk_ends[file];
}

static void check_files(struct zen *z)
{
	for (unsigned i = 0; i < CLAIMS_N_BULK; i++)
		if (zen_bulk_has_rest(z, (enum claims_bulk)i))
			z->defects |= ZEN_BULK_UNUSED;
}

/* The size of the map, and before it, since 5.4, the padding. */
static bool place_map(struct zen *z)
{
	const uint64_t at = z->batches[ZEN_OWN_NAMES].end, end = z->sections[ZEN_AT_HASHES].at;
	const struct held header = held_part(z->in.header, 0, end);
	struct cursor c = cursor_init(header.bytes, header.len, 0);
	const struct span all = { at, end - at };
	struct zen_bulk_pad pad = { .pad = 0 };
	struct zen_bulk_size size;
	struct held skipped, rows;
	bool is_there = cursor_seek(&c, at);

	if (NEVER(!is_there))
		return false;
	z->sections[ZEN_AT_BULK].at = at;
	if (z->version >= ZEN_5_4 && zen_bulk_pad_read(&c, 0, &pad))
		z->bulk_pad = pad.pad;
	if (z->bulk_pad >= MAP_ALIGNMENT)
		return zen_malformed(z, ZEN_BULK, ZEN_BULK_PAD, all);
	if (!held_take(&c, pad.pad, &skipped) || !zen_bulk_size_read(&c, 0, &size))
		return zen_malformed(z, ZEN_BULK, ZEN_BULK_SIZE, all);
	z->bulk_len = size.size;
	z->bulk_at = cursor_at(&c);
	if (size.size % zen_bulk_fixed_len != 0 || !held_take(&c, size.size, &rows))
		return zen_malformed(z, ZEN_BULK, ZEN_BULK_SIZE, all);
	z->bulk_end = cursor_at(&c);
	z->bulk = zen_bulk_in(rows);
	z->n_bulk = rows.len / zen_bulk_fixed_len;
	return zen_takes(z, ZEN_BULK, z->n_bulk, (struct zen_place){ z->bulk_at, rows.len });
}

/* ---- The map and the versions ---------------------------------------------------------------- */

/* Where the version says that there is no map, engines look for none. */
static bool is_without_map(const struct zen *z, bool is_before)
{
	return z->version < ZEN_5_2 ||
	       (is_before && z->batches[ZEN_OWN_NAMES].end == z->sections[ZEN_AT_HASHES].at);
}

void zen_read_bulk(struct zen_reader *r)
{
	struct zen *z = r->z;
	const bool has_versions = z->summary.has_versions != 0,
		   is_since = zen_is_since(&z->versions, ZEN_UE5_BULK);

	if (is_without_map(z, has_versions && !is_since)) {
		z->defects |= has_versions && is_since ? (uint64_t)ZEN_BULK_ABSENT : 0;
		return;
	}
	if (!place_map(z))
		return;
	if (has_versions && !is_since)
		z->defects |= ZEN_BULK_EARLY;
	z->sections[ZEN_AT_BULK].len = z->bulk_end - z->sections[ZEN_AT_BULK].at;
	if (z->version >= ZEN_5_4 && z->bulk_at % MAP_ALIGNMENT != 0)
		z->defects |= ZEN_BULK_MISALIGNED;
	if (z->bulk_end != z->sections[ZEN_AT_HASHES].at)
		z->defects |= ZEN_BULK_END;
	check_rows(z);
	check_files(z);
}

/* ---- What follows the header ----------------------------------------------------------------- */

static uint64_t read_trailer(const struct zen *z)
{
	struct cursor c = cursor_init(z->in.tail.bytes, z->in.tail.len, z->size - z->in.tail.len);
	struct zen_trailer t = { .tag = 0 };
	const bool is_read = zen_trailer_read(&c, 0, &t);

	return ALWAYS(is_read) ? t.tag : 0;
}

/* Since 5.3 offsets count from the end of the header, and four bytes follow the last export. */
static void check_named(struct zen *z)
{
	if (z->first_offset != 0)
		z->defects |= ZEN_FIRST_NOT_ZERO;
	if (z->serial_sum > z->payload)
		return;
	if (z->serial_sum == z->payload) {
		z->defects |= ZEN_TRAILER_ABSENT;
		return;
	}
	if (z->payload - z->serial_sum != TRAILER_LEN)
		z->defects |= ZEN_PAYLOAD_SIZE;
	if (z->payload < TRAILER_LEN)
		return;
	z->trailer = read_trailer(z);
	if (z->trailer != PACKAGE_TAG)
		z->defects |= ZEN_TRAILER;
}

static void check_old(struct zen *z)
{
	if (z->n_exports > 0 && z->first_offset != z->summary.cooked_header_size)
		z->defects |= ZEN_FIRST_COOKED;
	if (z->serial_sum < z->payload)
		z->defects |= ZEN_OLD_PAYLOAD;
}

void zen_check_payload(struct zen *z)
{
	if (z->serial_sum > z->payload)
		z->defects |= ZEN_SIZES_LONG;
	if (zen_is_ue4(z))
		check_old(z);
	else if (zen_is_named(z))
		check_named(z);
	else if (z->serial_sum + MUTANT(346) < z->payload) /* mutant: a byte may follow */
		z->defects |= ZEN_PAYLOAD_EXTRA;
}
