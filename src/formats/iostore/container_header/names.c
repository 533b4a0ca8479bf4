/* A batch of names, in the form of Unreal Engine 4 and in that of 5. Source:
 * conformance/spec/iostore.md, 9. */
#include "codec/cityhash.h"
#include "core/mutant.h"
#include "formats/iostore/container_header/walk.h"

#define EACH_HASH zen_name_hash_fixed_len
#define EACH_HEAD zen_name_head_fixed_len

/* ---- One name -------------------------------------------------------------------------------- */

static struct zen_name name_at(const struct container_header *h, uint64_t at)
{
	return zen_name_of(
		zen_name_head_at(zen_name_head_in(held_part(h->held, at, EACH_HEAD)), 0));
}

/* Where the characters of a name begin whose head is at `at`: in UE4 characters of two bytes are
 * aligned to an even offset. */
static uint64_t text_start(const struct container_header *h, struct zen_name head, uint64_t at)
{
	const uint64_t start = at + EACH_HEAD;

	return start + (head.wide && (start - h->names.bytes_at) % 2 != 0);
}

void container_view_name(const struct container_header *h, uint64_t i, struct container_name *out)
{
	const struct container_names *b = &h->names;
	const uint64_t here = b->interleaved ? b->at[i] : b->heads_at + i * EACH_HEAD;
	const struct zen_name head = name_at(h, here);

	*out = (struct container_name){
		.index = i,
		.head_at = here,
		.hash_at = b->hashes_at + i * EACH_HASH,
		.n_units = head.n_units,
		.wide = head.wide,
		.at = b->interleaved ? text_start(h, head, b->at[i]) : b->at[i],
		.traits = b->traits[i],
	};
	if (i < b->n_hashes)
		out->hash = held_u64(h->held, out->hash_at);
}

struct held container_name_bytes(const struct container_header *h, const struct container_name *n)
{
	return held_part(h->held, n->at, n->wide ? 2 * n->n_units : n->n_units);
}

/* The traits of a name with characters of one byte. */
static uint32_t look_narrow(struct held name)
{
	uint64_t all = 0;
	bool nul = false;

	for (uint64_t i = 0; i < name.len; i++) {
		const uint64_t c = held_u8(name, i);

		all |= c;
		nul |= c == 0;
	}
	return (all >= 0x80 ? BATCH_ENCODING : 0u) | (nul ? BATCH_BROKEN : 0u);
}

static bool is_half(uint32_t unit, uint32_t next)
{
	if (text_between(unit, 0xD800, 0xDBFF))
		return !text_between(next, 0xDC00, 0xDFFF);
	return text_between(unit, 0xDC00, 0xDFFF);
}

/* The same for characters of two bytes; *ascii says whether all of them are ASCII. */
static uint32_t look_wide(struct held name, bool *ascii)
{
	uint32_t traits = 0, all = 0;

	for (uint64_t i = 0; i < name.len / 2; i++) {
		const uint32_t unit = (uint32_t)held_u16(name, 2 * i),
			       next = (uint32_t)held_u16(name, 2 * i + 2);

		all |= unit;
		if (unit == 0 || is_half(unit, next))
			traits |= BATCH_BROKEN;
		i += text_between(unit, 0xD800, 0xDBFF) && !is_half(unit, next);
	}
	*ascii = all < 0x80;
	return traits | (all < 0x80 ? BATCH_ENCODING : 0u);
}

/* The hash of a name of at most ZEN_NAME_MAX characters, in lower case. */
static uint64_t hash_small(struct held name, bool wide)
{
	UVET_FILLED_LATER uint8_t buf[2 * ZEN_NAME_MAX];
	const uint64_t step = wide ? 2 : 1;

	for (uint64_t i = 0; i < name.len; i += step) {
		const uint8_t low = (uint8_t)held_u8(name, i),
			      high = wide ? (uint8_t)held_u8(name, i + 1) : 0;

		buf[i] = high == 0 ? zen_lower(low) : low;
		if (wide)
			buf[i + 1] = high;
	}
	return cityhash64(buf, name.len);
}

/* The hash of a name with letters outside ASCII is not compared: it is not known which of them the
 * engine lowers. */
static uint32_t look_at_name(const struct container_header *h, const struct container_name *n,
			     uint32_t *digest)
{
	const struct container_names *b = &h->names;
	const struct held name = container_name_bytes(h, n);
	bool ascii = true;
	uint32_t traits;
	uint64_t hash;

	if (n->n_units == 0) {
		*digest = 0;
		return BATCH_EMPTY;
	}
	traits = n->wide ? look_wide(name, &ascii) : look_narrow(name);
	/* mutant: a name may be a character longer */
	if (n->n_units > ZEN_NAME_MAX + MUTANT(90)) {
		*digest = (uint32_t)cityhash64(name.bytes, name.len);
		return traits | BATCH_LONG;
	}
	ascii = ascii && (n->wide || !(traits & BATCH_ENCODING));
	hash = hash_small(name, n->wide);
	*digest = (uint32_t)hash;
	if (ascii && n->index < b->n_hashes && hash != n->hash &&
	    b->algorithm == CONTAINER_HASH_ALGORITHM)
		traits |= BATCH_HASH;
	return traits;
}

/* ---- Where each name lies -------------------------------------------------------------------- */

/* The heads of UE5 come first, all together; their lengths must add up to the batch's bytes. */
static bool place_ue5(struct container_header *h)
{
	struct container_names *b = &h->names;
	uint64_t at = b->bytes_at;

	for (uint64_t i = 0; i < b->n; i++) {
		b->at[i] = (uint32_t)at;
		at += zen_name_len(name_at(h, b->heads_at + i * EACH_HEAD));
	}
	b->sum = at - b->bytes_at;
	return b->sum == b->n_bytes;
}

/* Walks the names of UE4, and notes where each begins if `at` is not NULL. Returns how many come
 * before the first that does not fit. */
static uint64_t place_ue4(struct container_header *h, uint32_t *at)
{
	const struct container_part *p = &h->walk.parts[PART_NAMES];
	uint64_t here = p->at, end = p->at + p->len, n = 0;

	while (here < end) {
		struct zen_name head = { 0, false };
		uint64_t next = end + 1;

		if (end - here >= EACH_HEAD) {
			head = name_at(h, here);
			next = text_start(h, head, here) + zen_name_len(head);
		}
		if (next > end)
			break;
		if (at)
			at[n] = (uint32_t)here;
		n++;
		here = next;
	}
	h->names.walk_end = here;
	h->names.overrun = here < end;
	return n;
}

static bool alloc_names(struct decode *d, struct container_header *h)
{
	struct container_names *b = &h->names;

	if (b->n > d->limits->of[LIMIT_entries])
		return decode_stop_limit(d, CONTAINER_NAMES, LIMIT_entries, h->id_at);
	b->at = decode_alloc(d, CONTAINER_NAMES, b->n, sizeof *b->at);
	b->traits = decode_alloc(d, CONTAINER_NAMES, b->n, sizeof *b->traits);
	return b->at && b->traits;
}

static bool open_ue5(struct decode *d, struct container_header *h)
{
	const struct container_part *p = &h->walk.parts[PART_NAMES];
	struct container_names *b = &h->names;

	b->n = b->n_hashes = p->n;
	b->hashes_at = p->at;
	b->heads_at = p->at + b->n * EACH_HASH;
	b->bytes_at = b->heads_at + b->n * EACH_HEAD;
	if (!alloc_names(d, h))
		return false;
	if (!place_ue5(h))
		return decode_stop(d, CONTAINER_NAMES, STOP_MALFORMED, h->id_at);
	return true;
}

/* The hashes of UE4 are the algorithm's id and one for each name. */
static bool open_ue4(struct decode *d, struct container_header *h)
{
	const struct container_part *p = &h->walk.parts[PART_NAMES],
				    *hashes = &h->walk.parts[PART_HASHES];
	struct container_names *b = &h->names;

	b->interleaved = true;
	b->bytes_at = p->at;
	b->n = place_ue4(h, NULL);
	b->hashes_odd = hashes->len < EACH_HASH || hashes->len % EACH_HASH != 0;
	b->algorithm_at = hashes->at;
	if (hashes->len >= EACH_HASH) {
		b->algorithm = held_u64(h->held, hashes->at);
		b->n_hashes = hashes->len / EACH_HASH - 1;
	}
	b->hashes_at = hashes->at + EACH_HASH;
	if (b->overrun)
		return decode_stop(d, CONTAINER_NAMES, STOP_MALFORMED, h->id_at);
	if (!alloc_names(d, h))
		return false;
	place_ue4(h, b->at);
	return true;
}

/* ---- Names that are the same ----------------------------------------------------------------- */

static int compare_names(const void *table, uint32_t a, uint32_t b)
{
	const struct container_header *h = table;
	struct container_name x, y;

	container_view_name(h, a, &x);
	container_view_name(h, b, &y);
	if (x.wide != y.wide || x.n_units != y.n_units)
		return x.wide != y.wide ? (x.wide ? 1 : -1) : x.n_units < y.n_units ? -1 : 1;
	return memcmp(container_name_bytes(h, &x).bytes, container_name_bytes(h, &y).bytes,
		      (size_t)container_name_bytes(h, &x).len);
}

static void find_repeated(struct decode *d, struct container_header *h, const uint32_t *digests)
{
	const struct arena_mark mark = arena_mark(d->arena);
	struct order o;

	if (!order_suspects(d->arena, digests, (uint32_t)h->names.n, h, compare_names, &o)) {
		decode_stop(d, CONTAINER_NAMES, STOP_MEMORY, h->id_at);
		return;
	}
	for (uint32_t i = 1; o.n_ties > 0 && i < o.n; i++) {
		if (compare_names(h, order_row(&o, i - 1), order_row(&o, i)) != 0)
			continue;
		h->names.traits[order_row(&o, i)] |= BATCH_REPEATED;
		h->names.seen |= BATCH_REPEATED;
	}
	arena_rewind(d->arena, mark);
}

static void look_at_all(struct decode *d, struct container_header *h)
{
	struct container_names *b = &h->names;
	uint32_t *digests = decode_alloc(d, CONTAINER_NAMES, b->n, sizeof *digests);

	if (!digests)
		return;
	for (uint64_t i = 0; i < b->n; i++) {
		struct container_name n;

		b->traits[i] = 0;
		container_view_name(h, i, &n);
		b->traits[i] = (uint8_t)look_at_name(h, &n, &digests[i]);
		b->seen |= b->traits[i];
	}
	find_repeated(d, h, digests);
}

void container_read_names(struct decode *d, struct container_header *h)
{
	const bool is_ue4 = h->version <= CONTAINER_INITIAL;

	if (is_ue4 ? !open_ue4(d, h) : (h->walk.parts[PART_NAMES].n > 0 && !open_ue5(d, h)))
		return;
	if (decode_spend(d, CONTAINER_NAMES, h->names.n))
		look_at_all(d, h);
}

void container_view_names(const struct container_header *h, uint64_t first, uint64_t n, void *rows)
{
	struct container_name *out = rows;

	for (uint64_t i = 0; i < n; i++)
		container_view_name(h, first + i, &out[i]);
}
