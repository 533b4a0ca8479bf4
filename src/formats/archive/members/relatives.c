/* Members that get in each other's way: of one name, of names that Windows takes for one, and files
 * that others would have to be folders of. */
#include "core/mutant.h"
#include "formats/archive/members/keys.h"

#include <string.h>

#include "core/path.h"

/* ---- Members of one name --------------------------------------------------------------------- */

static bool have_same_content(const struct arc_member *a, const struct arc_member *b)
{
	return a->kind == b->kind && a->size == b->size && a->has_crc && b->has_crc &&
	       a->crc == b->crc;
}

/* Where the last counts, some programs write a file through a link that it should replace. */
static uint32_t repeat(const struct arc_member *first, const struct arc_member *second)
{
	if (!second->may_repeat)
		return have_same_content(first, second) ? ARC_TWICE_ALIKE : ARC_TWICE;
	return first->kind != ARC_FILE && second->kind == ARC_FILE ? ARC_TWICE : ARC_TWICE_ALIKE;
}

/* What the second of two members of one key has. */
static uint32_t kin(const struct arc_member *first, const struct arc_member *second)
{
	const bool a = first->kind == ARC_DIRECTORY, b = second->kind == ARC_DIRECTORY;

	if (a && b)
		return 0;
	if (a || b)
		return ARC_BELOW_FILE;
	return member_paths_compare(first->name, second->name) != 0 ? (uint32_t)ARC_TWIN
								    : repeat(first, second);
}

static void note_pair(struct members *m, uint32_t a, uint32_t b)
{
	const uint32_t first = a < b ? a : b, second = a < b ? b : a;
	const uint32_t traits = kin(&m->rows[first], &m->rows[second]);

	/* mutant: of two members of one name the first is told */
	m->rows[MUTANT(376) ? first : second].traits |= traits;
	if (traits)
		m->rows[second].relative = first;
	if (traits & (ARC_TWICE | ARC_TWICE_ALIKE))
		m->rows[first].is_replaced = true;
}

static bool find_twins(struct decode *d, uint32_t group, struct name_index *k)
{
	const uint32_t n = (uint32_t)k->m->n;
	struct order suspects;

	if (!order_suspects(d->arena, k->hashes, n, k, member_names_compare, &suspects))
		return decode_stop(d, group, STOP_MEMORY, (struct span){ 0, 0 });
	for (uint32_t i = 1; i < suspects.n; i++) {
		const uint32_t a = order_row(&suspects, i - 1), b = order_row(&suspects, i);

		if (k->hashes[a] == k->hashes[b] &&
		    member_keys_compare(member_key(k, a), member_key(k, b)) == 0)
			note_pair(k->m, a, b);
	}
	return true;
}

/* ---- Files that are folders ------------------------------------------------------------------ */

/* A sieve tells of most hashes that no file or link has them: a bit for each of the lowest bits
 * that a hash of one has. */
struct sieve {
	uint8_t *bits;
	uint32_t mask;
};

static bool make_sieve(struct decode *d, uint32_t group, const struct name_index *k,
		       struct sieve *s)
{
	uint64_t n = 64;

	while (n < 8 * k->m->n)
		n *= 2;
	s->mask = (uint32_t)(n - 1);
	s->bits = decode_alloc(d, group, n / 8, 1);
	if (!s->bits)
		return false;
	memset(s->bits, 0, (size_t)(n / 8));
	for (uint32_t i = 0; i < k->m->n; i++)
		if (k->m->rows[i].kind != ARC_DIRECTORY)
			s->bits[(k->hashes[i] & s->mask) / 8] |= (uint8_t)(1u
									   << (k->hashes[i] & 7));
	return true;
}

static bool may_be_file(const struct sieve *s, uint32_t hash)
{
	return s->bits[(hash & s->mask) / 8] >> (hash & 7) & 1;
}

static bool is_file(const struct name_index *k, uint32_t row)
{
	return k->m->rows[row].kind != ARC_DIRECTORY;
}

/* The search for a file among the folders of one member. */
struct folders {
	struct decode *d;
	uint32_t group;
	struct name_index *keys;
	const struct sieve *sieve;
	struct text key;
	uint32_t found; /* a row; ORDER_NONE: none yet */
	bool failed;
};

/* Of rows with one key a folder may come first. */
static uint32_t find_file(const struct name_index *k, uint32_t hash, const struct text *folder)
{
	const uint64_t row = member_keys_find(k, hash, *folder, NULL);

	return row != MEMBER_NONE && is_file(k, (uint32_t)row) ? (uint32_t)row : ORDER_NONE;
}

static bool look_for_folder(void *ctx, uint32_t n_units, uint32_t hash)
{
	struct folders *f = ctx;
	const struct text folder = text_sub(f->key, 0, n_units);

	if (!may_be_file(f->sieve, hash))
		return true;
	if (!member_keys_order(f->d, f->group, f->keys)) {
		f->failed = true;
		return false;
	}
	f->found = find_file(f->keys, hash, &folder);
	return f->found == ORDER_NONE;
}

/* How many units come before the last separator; 0: there is none. */
static uint32_t folder_units(struct text key)
{
	const uint32_t last = path_last_at(&key);

	return last > 0 ? last - 1 : 0;
}

static bool same_folder(struct text a, uint32_t n, struct text b, uint32_t m)
{
	return n == m && a.ref.encoding == b.ref.encoding &&
	       memcmp(a.data, b.data, (size_t)(n * text_width(a.ref.encoding))) == 0;
}

/* Most members lie in the folder of the one before them. */
static bool find_below(struct decode *d, uint32_t group, struct name_index *k,
		       const struct sieve *sieve)
{
	struct folders f = { d, group, k, sieve, { NULL, { 0 } }, ORDER_NONE, false };
	uint32_t last = 0;

	for (uint32_t i = 0; i < k->m->n; i++) {
		const struct text key = member_key(k, i);
		const uint32_t n = folder_units(key);

		if (n == 0)
			continue;
		if (!same_folder(key, n, f.key, last)) {
			f.key = key;
			f.found = ORDER_NONE;
			last = n;
			path_folders(key, look_for_folder, &f);
			if (f.failed)
				return false;
		}
		if (f.found == ORDER_NONE)
			continue;
		k->m->rows[i].traits |= ARC_BELOW_FILE;
		k->m->rows[i].relative = f.found;
	}
	return true;
}

bool members_find_relatives(struct decode *d, uint32_t group, struct name_index *k)
{
	struct sieve sieve;

	return find_twins(d, group, k) && make_sieve(d, group, k, &sieve) &&
	       find_below(d, group, k, &sieve);
}
