/* A batch of names, in the form of Unreal Engine 4 and in that of 5. Source:
 * conformance/spec/iostore.md, 9. */
#include "formats/iostore/names/names.h"

#include "codec/cityhash.h"
#include "core/mutant.h"
#include "core/order.h"
#include "core/text.h"

#define LAYOUT_FILE "formats/iostore/names/names.def"
#include "core/layout_define.h"
#undef LAYOUT_FILE

#define EACH_HASH zen_name_hash_fixed_len
#define EACH_HEAD zen_name_head_fixed_len
#define COUNT_LEN 4u
#define WIDE 0x8000u /* of a name's length: two bytes per character */

/* ---- One name -------------------------------------------------------------------------------- */

struct zen_name zen_name_of(struct zen_name_head_row head)
{
	const uint64_t units = zen_name_head_get_high(head) << 8 | zen_name_head_get_low(head);

	return (struct zen_name){ units & (WIDE - 1), units >= WIDE };
}

uint64_t zen_name_len(struct zen_name name)
{
	return name.wide ? 2 * name.n_units : name.n_units;
}

static struct zen_name head_at(const struct name_batch *b, uint64_t at)
{
	return zen_name_of(
		zen_name_head_at(zen_name_head_in(held_part(b->held, at, EACH_HEAD)), 0));
}

/* Where the characters of a name begin whose head is at `at`: in UE4 characters of two bytes are
 * aligned to an even offset from the first name on. */
static uint64_t text_start(const struct name_batch *b, struct zen_name head, uint64_t at)
{
	const uint64_t start = at + EACH_HEAD;

	/* mutant: they stand where they are */
	return start + (head.wide && (start - b->bytes_at) % 2 != 0 && !MUTANT(337));
}

void names_row(const struct name_batch *b, uint64_t i, struct name_row *out)
{
	const uint64_t here = b->interleaved ? b->at[i] : b->heads_at + i * EACH_HEAD;
	const struct zen_name head = head_at(b, here);

	*out = (struct name_row){
		.batch = b,
		.index = i,
		.head_at = here,
		.hash_at = b->hashes_at + i * EACH_HASH,
		.n_units = head.n_units,
		.wide = head.wide,
		.at = b->interleaved ? text_start(b, head, here) : b->at[i],
		.hash = held_u64(b->hashes, i * EACH_HASH),
		.traits = b->traits[i],
	};
}

void names_view(const struct name_batch *b, uint64_t first, uint64_t n, void *rows)
{
	struct name_row *out = rows;

	for (uint64_t i = 0; i < n; i++)
		names_row(b, first + i, &out[i]);
}

struct held name_bytes(const struct name_row *n)
{
	return held_part(n->batch->held, n->at, n->wide ? 2 * n->n_units : n->n_units);
}

bool names_package_id(const struct name_batch *b, uint64_t index, uint64_t number, uint64_t *id)
{
	struct name_row name;

	names_row(b, index, &name);
	return zen_id_of_name(name_bytes(&name), name.wide, number, id);
}

/* ---- What is the matter with a name ---------------------------------------------------------- */

#define EACH_BYTE(b) ((b)*UINT64_C(0x0101010101010101))

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
	return (all >= 0x80 ? NAME_ENCODING : 0u) | (nul ? NAME_BROKEN : 0u);
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
			traits |= NAME_BROKEN;
		/* mutant: the second half of a pair is a character */
		i += text_between(unit, 0xD800, 0xDBFF) && !is_half(unit, next) && !MUTANT(336);
	}
	*ascii = all < 0x80;
	return traits | (all < 0x80 ? NAME_ENCODING : 0u);
}

/* The top bits of eight characters, each set where it is NUL or not ASCII. */
static inline uint64_t not_plain(uint64_t w)
{
	return (w | ~((w & EACH_BYTE(0x7Fu)) + EACH_BYTE(0x7Fu))) & EACH_BYTE(0x80u);
}

/* Tells whether a name has characters of one byte that are ASCII and not NUL, eight at a time. The
 * last eight overlap those before; a shorter name is looked at by the character. */
static bool is_plain(struct held name)
{
	uint64_t found = 0, i = 0;

	for (; i + 8 < name.len; i += 8)
		found |= not_plain(held_u64(name, i));
	if (name.len >= 8)
		found |= not_plain(held_u64(name, name.len - 8));
	else
		for (; i < name.len; i++)
			found |= not_plain(EACH_BYTE(1u) - 1 + held_u8(name, i));
	/* mutant: letters that are not ASCII are plain at the end of a name of nine */
	return found == 0 || (MUTANT(324) && name.len == 9);
}

/* The hash of a name is not compared if it has letters outside ASCII: it is not known which of them
 * the engine lowers. */
static uint32_t examine(const struct name_batch *b, uint64_t i, struct held name,
			struct zen_name head, uint32_t *digest)
{
	bool ascii = true;
	uint32_t traits;
	uint64_t hash;

	if (head.n_units == 0) {
		*digest = 0;
		return NAME_EMPTY;
	}
	traits = head.wide ? look_wide(name, &ascii) : look_narrow(name);
	/* mutant: a name may be a character longer */
	if (head.n_units > ZEN_NAME_MAX + MUTANT(90)) {
		*digest = (uint32_t)cityhash64(name.bytes, name.len);
		return traits | NAME_LONG;
	}
	ascii = ascii && (head.wide || !(traits & NAME_ENCODING));
	hash = name_hash(name, head.wide);
	PLAIN(hash == name_hash_slowly(name, head.wide));
	*digest = (uint32_t)hash;
	if (ascii && i < b->n_hashes && hash != held_u64(b->hashes, i * EACH_HASH) &&
	    b->algorithm == NAME_ALGORITHM)
		traits |= NAME_HASH;
	return traits;
}

/* Nearly all names are plain and have the hash that is stored. */
static uint32_t look_at_name(const struct name_batch *b, uint64_t i, struct held name,
			     struct zen_name head, uint32_t *digest)
{
	UVET_UNUSED uint32_t same;
	uint64_t hash;

	if (head.wide || head.n_units == 0 || head.n_units > ZEN_NAME_MAX || !is_plain(name))
		return examine(b, i, name, head, digest);
	hash = name_hash(name, false);
	*digest = (uint32_t)hash;
	if (i < b->n_hashes && hash != held_u64(b->hashes, i * EACH_HASH))
		return examine(b, i, name, head, digest);
	PLAIN(examine(b, i, name, head, &same) == 0 && same == *digest);
	return 0;
}

/* ---- Where each name lies -------------------------------------------------------------------- */

static bool cut(struct name_batch *b, uint64_t at, uint64_t wants)
{
	b->cut_at = at;
	b->cut_wants = wants;
	b->cut_left = b->held.len - at;
	b->defects |= BATCH_OUTSIDE;
	return false;
}

static void note_algorithm(struct name_batch *b, uint64_t algorithm, uint64_t at)
{
	b->algorithm = algorithm;
	b->algorithm_at = at;
	if (algorithm != NAME_ALGORITHM)
		b->defects |= BATCH_ALGORITHM;
}

/* A batch without names is only its count. */
bool names_find(struct name_batch *b, struct held held, uint64_t at)
{
	struct cursor c = cursor_init(held.bytes, held.len, 0);
	struct zen_name_batch head;
	uint64_t len;
	bool is_there;

	*b = (struct name_batch){ .held = held, .is_there = true, .start = at };
	if (!held_has(held, at, COUNT_LEN))
		return cut(b, at, COUNT_LEN);
	b->n = held_u32(held, at);
	b->end = at + COUNT_LEN;
	b->hashes_at = b->heads_at = b->bytes_at = b->end;
	if (b->n == 0)
		return true;
	is_there = cursor_seek(&c, at);
	if (NEVER(!is_there) || !zen_name_batch_read(&c, 0, &head))
		return cut(b, at, zen_name_batch_fixed_len);
	b->hashes_at = cursor_at(&c);
	/* mutant: the names may be a byte longer than the batch */
	len = b->n * (EACH_HASH + EACH_HEAD) + head.n_bytes - MUTANT(87);
	if (!held_has(held, b->hashes_at, len))
		return cut(b, b->hashes_at, len);
	b->n_hashes = b->n;
	b->hashes = held_part(held, b->hashes_at, b->n * EACH_HASH);
	b->heads_at = b->hashes_at + b->n * EACH_HASH;
	b->bytes_at = b->heads_at + b->n * EACH_HEAD;
	b->n_bytes = head.n_bytes;
	b->end = b->bytes_at + b->n_bytes;
	note_algorithm(b, head.algorithm, b->hashes_at - sizeof head.algorithm);
	return true;
}

/* The heads of UE5 come first, all together; their lengths must add up to the batch's bytes. */
static bool place_separated(struct name_batch *b)
{
	const struct zen_name_head_rows heads = zen_name_head_in(
		held_part(b->held, b->heads_at, b->n * EACH_HEAD));
	uint64_t at = b->bytes_at;

	for (uint64_t i = 0; i < b->n; i++) {
		b->at[i] = (uint32_t)at;
		at += zen_name_len(zen_name_of(zen_name_head_at(heads, i)));
	}
	b->sum = at - b->bytes_at;
	if (b->sum != b->n_bytes)
		b->defects |= BATCH_SUM;
	return b->sum == b->n_bytes;
}

/* Walks the names of UE4, and notes where each begins if `at` is not NULL. Returns how many come
 * before the first that does not fit. */
static uint64_t walk_interleaved(struct name_batch *b, uint32_t *at)
{
	uint64_t here = b->start, n = 0;

	while (here < b->end) {
		struct zen_name head = { 0, false };
		uint64_t next = b->end + 1;

		if (b->end - here >= EACH_HEAD) {
			head = head_at(b, here);
			next = text_start(b, head, here) + zen_name_len(head);
		}
		/* mutant: a name may end a byte after the names */
		if (next > b->end + MUTANT(322))
			break;
		if (at)
			at[n] = (uint32_t)here;
		n++;
		here = next;
	}
	b->walk_end = here;
	return n;
}

/* The hashes of UE4 are the algorithm's id and one for each name. */
bool names_find_interleaved(struct name_batch *b, struct held held, struct span all,
			    struct held hashes, uint64_t hashes_at)
{
	*b = (struct name_batch){
		.held = held,
		.is_there = true,
		.interleaved = true,
		.start = all.at,
		.bytes_at = all.at,
		.n_bytes = all.len,
		.end = all.at + all.len,
		.algorithm_at = hashes_at,
		.hashes_at = hashes_at + EACH_HASH,
	};
	b->n = walk_interleaved(b, NULL);
	if (hashes.len >= EACH_HASH) {
		note_algorithm(b, held_u64(hashes, 0), hashes_at);
		b->n_hashes = hashes.len / EACH_HASH - 1;
		b->hashes = held_part(hashes, EACH_HASH, b->n_hashes * EACH_HASH);
	}
	if (b->walk_end < b->end)
		b->defects |= BATCH_OVERRUN;
	else if (b->n_hashes != b->n)
		b->defects |= BATCH_HASHES;
	return b->walk_end == b->end;
}

/* ---- Names that are the same ----------------------------------------------------------------- */

static int compare_names(const void *table, uint32_t a, uint32_t b)
{
	struct name_row x, y;

	names_row(table, a, &x);
	names_row(table, b, &y);
	if (x.wide != y.wide || x.n_units != y.n_units)
		return x.wide != y.wide ? (x.wide ? 1 : -1) : x.n_units < y.n_units ? -1 : 1;
	return memcmp(name_bytes(&x).bytes, name_bytes(&y).bytes, (size_t)name_bytes(&x).len);
}

static bool find_repeated(struct name_batch *b, struct arena *arena, const uint32_t *digests)
{
	struct order o;

	if (!order_suspects(arena, digests, (uint32_t)b->n, b, compare_names, &o))
		return false;
	for (uint32_t i = 1; o.n_ties > 0 && i < o.n; i++) {
		if (compare_names(b, order_row(&o, i - 1), order_row(&o, i)) != 0)
			continue;
		b->traits[order_row(&o, i)] |= NAME_REPEATED;
		b->seen |= NAME_REPEATED;
	}
	return true;
}

/* ---- All names ------------------------------------------------------------------------------- */

static void look_at_all(struct name_batch *b, uint32_t *digests)
{
	for (uint64_t i = 0; i < b->n; i++) {
		const uint64_t here = b->interleaved ? b->at[i] : b->heads_at + i * EACH_HEAD;
		const struct zen_name head = head_at(b, here);
		const uint64_t at = b->interleaved ? text_start(b, head, here) : b->at[i];
		uint32_t digest;

		b->traits[i] = (uint8_t)look_at_name(
			b, i, held_part(b->held, at, zen_name_len(head)), head, &digest);
		b->seen |= b->traits[i];
		if (digests)
			digests[i] = digest;
	}
}

static bool judge(struct name_batch *b, struct arena *arena, bool once)
{
	const struct arena_mark mark = arena_mark(arena);
	/* mutant: of two names that may be alike one has no digest */
	const uint64_t n = b->n - (MUTANT(323) && b->n > 1);
	uint32_t *digests = once ? arena_alloc(arena, n, sizeof *digests) : NULL;
	bool done = !once || digests;

	if (done)
		look_at_all(b, digests);
	done = done && (!once || find_repeated(b, arena, digests));
	arena_rewind(arena, mark);
	return done;
}

bool names_read(struct name_batch *b, struct arena *arena, bool once)
{
	/* mutant: of four names one has no place */
	b->at = arena_alloc(arena, b->n - (MUTANT(320) && b->n > 3), sizeof *b->at);
	/* mutant: of five names one has no place for its traits */
	b->traits = arena_alloc(arena, b->n - (MUTANT(321) && b->n > 4), sizeof *b->traits);
	if (b->at && b->traits) {
		if (b->interleaved)
			walk_interleaved(b, b->at);
		if (!b->interleaved && !place_separated(b)) {
			b->traits = NULL;
			return true;
		}
		if (judge(b, arena, once))
			return true;
	}
	b->traits = NULL;
	return false;
}
