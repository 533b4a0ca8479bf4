/* Copies of headers that a service of rar 5 has, so that an archive can be listed without reading
 * all of it. Source: conformance/spec/rar.md, 3.6. */
#include "codec/crc32.h"
#include "core/checked.h"
#include "formats/archive/rar/rar5.h"
#include "formats/archive/rar/rar_walk.h"

enum {
	PIECE = 32768,
	SUM_LEN = 4,
	SIZE_LEN_MAX = 3,
	FIELDS_MAX = 30,  /* of three numbers */
	SERVICE_MAX = 256 /* of the header of a service, up to its name */
};

/* The copies of one service while they are read. */
struct reading {
	struct rar_walk *w;
	const struct rar_block *service;
	uint8_t *bytes, *others; /* PIECE bytes each */
};

/* A record of a service: a header, and where that is. */
struct record {
	struct span body; /* after its checksum */
	struct span copy;
	uint64_t back; /* from the service to the header */
	uint64_t crc;
};

/* The worse finding stays, and of one sort the first. */
static void note(struct rar *r, uint32_t defect, struct rar_copy copy)
{
	const uint32_t worse = RAR_COPY_DIFFERS | RAR_COPY_HIDDEN;
	const uint32_t all = worse | RAR_COPY_UNUSED;

	if (!(r->defects & all) || (defect & worse && !(r->defects & worse)))
		r->copy = copy;
	r->defects |= defect;
}

static bool read_at(const struct reading *x, struct span at, uint8_t *out)
{
	return decode_copy(x->w->d, RAR_MEMBERS, at, out);
}

/* Reads the numbers of a record that begins at a place, of `left` bytes. *is_record: they are all
 * there, and lead nowhere outside of it. false: the file cannot be read, which is noted. */
static bool read_record(const struct reading *x, struct span rest, struct record *out,
			bool *is_record)
{
	const uint64_t most = SUM_LEN + SIZE_LEN_MAX + FIELDS_MAX;
	const struct span first = { rest.at, rest.len < most ? rest.len : most };
	uint64_t size = 0, flags, start = 0;
	struct cursor c;

	*is_record = false;
	if (!read_at(x, first, x->bytes))
		return false;
	c = cursor_init(x->bytes, first.len, first.at);
	if (!cursor_u32(&c, &out->crc) || !rar5_vint(&c, &size))
		return true;
	start = cursor_at(&c);
	if (start - rest.at > SUM_LEN + SIZE_LEN_MAX || size > rest.len - (start - rest.at) ||
	    !rar5_vint(&c, &flags) || !rar5_vint(&c, &out->back) || !rar5_vint(&c, &out->copy.len))
		return true;
	out->copy.at = cursor_at(&c);
	out->body = (struct span){ rest.at + SUM_LEN, start + size - rest.at - SUM_LEN };
	*is_record = out->copy.at - start <= size && out->copy.len == size - (out->copy.at - start);
	return true;
}

static bool add_sum(void *ctx, uint64_t at, const uint8_t *bytes, uint64_t n)
{
	uint32_t *sum = ctx;

	(void)at;
	*sum = crc32_add(*sum, bytes, n);
	return true;
}

/* Compares a copy with what is in the file at a place. false: the file cannot be read. */
static bool compare(const struct reading *x, struct span copy, uint64_t at, bool *is_same)
{
	const uint64_t size = x->w->r->size;

	*is_same = at <= size && copy.len <= size - at;
	for (uint64_t done = 0; *is_same && done < copy.len; done += PIECE) {
		const uint64_t left = copy.len - done, n = left < PIECE ? left : PIECE;

		if (!read_at(x, (struct span){ copy.at + done, n }, x->bytes) ||
		    !read_at(x, (struct span){ at + done, n }, x->others))
			return false;
		*is_same = held_equal((struct held){ x->bytes, n }, (struct held){ x->others, n });
	}
	return true;
}

static bool check_record(const struct reading *x, const struct record *record)
{
	struct rar *r = x->w->r;
	const uint64_t at = x->service->at;
	uint32_t sum = 0;
	bool is_same;

	if (!decode_stream(x->w->d, RAR_MEMBERS, record->body, add_sum, &sum))
		return false;
	if (sum != record->crc || record->back > at) {
		note(r, RAR_COPY_UNUSED, (struct rar_copy){ record->copy, at });
		return true;
	}
	if (!compare(x, record->copy, at - record->back, &is_same))
		return false;
	if (!is_same)
		note(r, RAR_COPY_DIFFERS, (struct rar_copy){ record->copy, at - record->back });
	return true;
}

static bool check_service(const struct reading *x)
{
	const struct rar_block *b = x->service;
	struct span rest = { b->at + b->head_len, b->data_len };

	while (rest.len > 0) {
		struct record record = { .crc = 0 };
		bool is_record;

		if (!decode_spend(x->w->d, RAR_MEMBERS, 1) ||
		    !read_record(x, rest, &record, &is_record))
			return false;
		if (!is_record) {
			note(x->w->r, RAR_COPY_UNUSED, (struct rar_copy){ rest, b->at });
			return true;
		}
		if (!check_record(x, &record))
			return false;
		rest.len -= SUM_LEN + record.body.len;
		rest.at += SUM_LEN + record.body.len;
	}
	return true;
}

/* ---- Copies in no block ---------------------------------------------------------------------- */

static bool skip(struct cursor *c, unsigned n)
{
	uint64_t ignored;

	for (unsigned i = 0; i < n; i++)
		if (!rar5_vint(c, &ignored))
			return false;
	return true;
}

/* Whether bytes are the header of a service with copies, up to where its name ends. Its checksum is
 * not asked. */
static bool is_service(struct cursor *c)
{
	uint64_t word, type, flags, own, len;
	struct held name;

	return cursor_u32(c, &word) && skip(c, 1) && rar5_vint(c, &type) && type == TYPE_SERVICE &&
	       rar5_vint(c, &flags) &&
	       skip(c, (flags & FLAG_EXTRA ? 1 : 0) + (flags & FLAG_DATA ? 1 : 0)) &&
	       rar5_vint(c, &own) && skip(c, 2) && (!(own & MEMBER_TIME) || cursor_u32(c, &word)) &&
	       (!(own & MEMBER_CRC) || cursor_u32(c, &word)) && skip(c, 2) && rar5_vint(c, &len) &&
	       held_take(c, len, &name) && rar_service_is(name, "QO");
}

static bool is_block(const struct rar *r, uint64_t at)
{
	for (uint64_t i = 0; i < r->n_blocks; i++)
		if (r->blocks[i].at == at && r->blocks[i].traits & RAR_HAS_COPIES)
			return true;
	return false;
}

/* A program that looks for copies goes to where the archive's header says, and may find there what
 * is in the bytes of a member. */
static bool check_place(const struct reading *x)
{
	struct rar *r = x->w->r;
	const uint64_t at = r->copies_at, left = at < r->size ? r->size - at : 0;
	const uint64_t by = r->blocks ? r->blocks[0].at : 0;
	const struct span first = { at, left < SERVICE_MAX ? left : SERVICE_MAX };
	struct cursor c;

	if (at == 0 || left == 0 || is_block(r, at))
		return true;
	if (!read_at(x, first, x->bytes))
		return false;
	c = cursor_init(x->bytes, first.len, at);
	if (is_service(&c))
		note(r, RAR_COPY_HIDDEN, (struct rar_copy){ { at, cursor_at(&c) - at }, by });
	else
		note(r, RAR_COPY_UNUSED, (struct rar_copy){ { at, 0 }, by });
	return true;
}

bool rar5_check_copies(struct rar_walk *w)
{
	struct rar *r = w->r;
	struct reading x = { .w = w };
	uint32_t has_copies = 0;

	for (uint64_t i = 0; i < r->n_blocks; i++)
		has_copies |= r->blocks[i].traits & RAR_HAS_COPIES;
	if (!has_copies && r->copies_at == 0)
		return true;
	x.bytes = decode_alloc(w->d, RAR_MEMBERS, PIECE, 1);
	x.others = decode_alloc(w->d, RAR_MEMBERS, PIECE, 1);
	if (!x.bytes || !x.others)
		return false;
	for (uint64_t i = 0; i < r->n_blocks; i++) {
		x.service = &r->blocks[i];
		if (x.service->traits & RAR_HAS_COPIES && !check_service(&x))
			return false;
	}
	return r->defects & (RAR_TRUNCATED | RAR_BLOCK_MALFORMED) || check_place(&x);
}
