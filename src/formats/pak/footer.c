/* Finding and reading the footer of a .pak. */
#include "core/mutant.h"
#include "formats/pak/footer.h"

/* A bit for each version from the first to the last. */
#define VERSIONS(first, last) ((2u << (last)) - (1u << (first)))

/* How far before the end of the file the magic is where n names of methods follow it. */
#define BEFORE_NAMES(n) (PAK_MAGIC_LEN + (n)*PAK_METHOD_LEN)

/* Where the magic can be, in bytes before the end, and which versions have it there. In version 8
 * first four names of methods follow the footer, later five; in version 9 a byte comes before
 * them. No real file confirms what versions 13 and 14 have, so that no version is read in their
 * place. */
static const struct pak_place {
	uint32_t from_end, versions;
} places[] = {
	{ BEFORE_NAMES(5) + PAK_END_LEN, VERSIONS(15, 15) },
	{ BEFORE_NAMES(5) + 4, 0 },
	{ BEFORE_NAMES(5) + 1, VERSIONS(9, 9) },
	{ BEFORE_NAMES(5), VERSIONS(8, 8) | VERSIONS(10, 12) },
	{ BEFORE_NAMES(4), VERSIONS(8, 8) },
	{ BEFORE_NAMES(0), VERSIONS(1, 7) },
};

enum { N_PLACES = sizeof places / sizeof places[0] };

static bool has_version(const struct pak_place *place, uint64_t version)
{
	return version < 32 && (place->versions >> version & 1);
}

/* Games put numbers of their own, above those that engines had when they were made, into a place
 * that the engine's version of that number does not have. */
static bool may_be_own(const struct pak_place *place, uint64_t version)
{
	return version > PAK_UTF8 && !has_version(place, version);
}

/* What stands before the magic. */
static uint64_t lock_len(uint64_t version)
{
	return version < PAK_ENCRYPTED ? 0 : version < PAK_KEY_GUID ? 1 : PAK_LOCK_LEN;
}

/* The magic is at `at` of `end`. false: what stands before it does not fit. */
static bool read_fields(struct held end, uint64_t at, struct pak_tail *t)
{
	const uint64_t lock = lock_len(t->version);

	if (at + (uint64_t)MUTANT(308) < lock) /* mutant: a byte before the file is the footer's */
		return false;
	t->at = t->magic_at - lock;
	t->index_offset = held_u64(end, at + PAK_AT_OFFSET);
	t->index_size = held_u64(end, at + PAK_AT_SIZE);
	memcpy(t->hash, held_part(end, at + PAK_AT_HASH, sizeof t->hash).bytes, sizeof t->hash);
	if (lock > 0)
		t->encrypted = (uint8_t)held_u8(end, at - 1);
	if (lock == PAK_LOCK_LEN)
		memcpy(t->guid, held_part(end, at - lock, sizeof t->guid).bytes, sizeof t->guid);
	if (t->version == PAK_FROZEN)
		t->frozen = (uint8_t)held_u8(end, at + PAK_MAGIC_LEN);
	return true;
}

static void read_methods(struct held end, uint64_t at, struct pak_tail *t)
{
	const uint64_t skip = PAK_MAGIC_LEN + (t->version == PAK_FROZEN ? 1u : 0u);
	const uint64_t after = t->version >= PAK_FLAT ? PAK_END_LEN : 0u;
	const uint64_t len = end.len - at - skip - after;

	if (t->version < PAK_METHOD_NAMES)
		return;
	t->methods_at = t->magic_at + skip;
	t->n_methods = (unsigned)(len / PAK_METHOD_LEN);
	memcpy(t->methods, held_part(end, at + skip, len).bytes, (size_t)len);
}

static void read_end(struct held end, struct pak_tail *t)
{
	const uint64_t at = end.len - PAK_END_LEN;

	if (t->version < PAK_FLAT)
		return;
	t->end_at = t->size - PAK_END_LEN;
	memcpy(t->vectors, held_part(end, at + 5, sizeof t->vectors).bytes, sizeof t->vectors);
}

/* Each engine tries the footers that it knows from the longest to the shortest, and takes the
 * first with the magic. If there are several, engines do not agree. */
bool pak_tail_read(struct held end, uint64_t size, struct pak_tail *out)
{
	const struct pak_place *place = NULL;
	uint64_t at;

	*out = (struct pak_tail){ .size = size };
	for (size_t i = 0; i < N_PLACES; i++) {
		if (places[i].from_end > end.len ||
		    held_u32(end, end.len - places[i].from_end) != PAK_MAGIC)
			continue;
		if (!place)
			place = &places[i];
		out->n_magics++;
	}
	if (!place)
		return false;
	at = end.len - place->from_end;
	out->magic_at = out->at = size - place->from_end;
	out->version = held_u32(end, at + PAK_AT_VERSION);
	out->is_judged = !may_be_own(place, out->version);
	out->is_known = out->n_magics == 1 && has_version(place, out->version) &&
			read_fields(end, at, out);
	if (!out->is_known)
		return false;
	read_methods(end, at, out);
	read_end(end, out);
	return true;
}

/* Tells whether five names of methods follow, or the file ends in them; the last of them is not
 * used by any packer. */
static bool has_long_names(struct held from)
{
	const uint64_t at = PAK_MAGIC_LEN + (PAK_METHODS_MAX - 1) * PAK_METHOD_LEN;
	const uint64_t left = from.len > at ? from.len - at : 0;

	return left > 0 &&
	       held_is_zero(held_part(from, at, left < PAK_METHOD_LEN ? left : PAK_METHOD_LEN));
}

/* Tells whether the bytes from a magic on are those of a footer whose index lies before it. */
static bool has_fields(struct held from, uint64_t at)
{
	const uint64_t version = held_u32(from, PAK_AT_VERSION),
		       offset = held_u64(from, PAK_AT_OFFSET), len = held_u64(from, PAK_AT_SIZE),
		       lock = lock_len(version);

	return version > 0 && version <= PAK_NEWEST &&
	       held_has(from, PAK_AT_OFFSET, PAK_AT_HASH - PAK_AT_OFFSET) && at >= lock &&
	       offset <= at - lock && len <= at - lock - offset;
}

uint64_t pak_tail_end(struct held from, uint64_t at, uint64_t size)
{
	const uint64_t version = held_u32(from, PAK_AT_VERSION);
	uint64_t found = 0;

	if (!has_fields(from, at))
		return 0;
	for (size_t i = 0; i < N_PLACES; i++) {
		if (at + places[i].from_end == size && may_be_own(&places[i], version))
			return size;
		if (has_version(&places[i], version) && (found == 0 || !has_long_names(from)))
			found = at + places[i].from_end;
	}
	return found;
}

uint64_t pak_tail_distance(uint64_t version)
{
	uint64_t found = 0;

	for (size_t i = 0; i < N_PLACES && found == 0; i++)
		if (has_version(&places[i], version))
			found = places[i].from_end;
	return found;
}

struct held pak_tail_method(const struct pak_tail *t, uint64_t number, bool *is_unterminated)
{
	const struct held all = { t->methods, (uint64_t)t->n_methods * PAK_METHOD_LEN };
	const struct held slot = held_part(all, (number - 1) * PAK_METHOD_LEN, PAK_METHOD_LEN);
	const uint64_t n = held_find(slot, 0);

	*is_unterminated = n == PAK_METHOD_LEN;
	return held_part(slot, 0, n);
}
