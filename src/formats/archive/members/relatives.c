/* Members that get in each other's way: of one name, of names that Windows takes for one, and files
 * that others would have to be folders of. */
#include "core/mutant.h"
#include "formats/archive/members/keys.h"

#include <string.h>

#include "core/path.h"

/* ---- Members of one name --------------------------------------------------------------------- */

/* Where the last counts, some programs write a file through a link that it should replace. */
static uint32_t repeat(const struct arc_member *first, const struct arc_member *second)
{
	if (!second->may_repeat)
		return members_have_same_content(first, second) ? ARC_TWICE_ALIKE : ARC_TWICE;
	return first->kind != ARC_FILE && second->kind == ARC_FILE ? ARC_TWICE : ARC_TWICE_ALIKE;
}

/* What the second of two members of one key has. */
static uint32_t kin(const struct name_index *k, uint32_t a, uint32_t b)
{
	const struct arc_member *first = &k->m->rows[a], *second = &k->m->rows[b];
	const bool is_folder = first->kind == ARC_DIRECTORY;

	if (is_folder && second->kind == ARC_DIRECTORY)
		return 0;
	if (is_folder || second->kind == ARC_DIRECTORY)
		return ARC_BELOW_FILE;
	return member_paths_compare(member_path(k, a), member_path(k, b)) != 0
		       ? (uint32_t)ARC_TWIN
		       : repeat(first, second);
}

/* Of names that are decoded, where no encoding is declared, one is and the other is not. */
static bool may_relate(const struct name_index *k, uint32_t a, uint32_t b)
{
	return k->likeness != ARC_ALIKE_DECODED ||
	       member_is_undeclared(&k->m->rows[a]) != member_is_undeclared(&k->m->rows[b]);
}

/* Nothing may be left of a name; that of the folder itself is left out. */
static bool are_empty(const struct name_index *k, uint32_t a, uint32_t b)
{
	return member_key(k, a).ref.n_units == 0 &&
	       (k->m->rows[a].kind == ARC_DIRECTORY || k->m->rows[b].kind == ARC_DIRECTORY);
}

/* Those are left out that are alike to Windows, too. */
static bool are_alike(const struct name_index *k, uint32_t a, uint32_t b)
{
	if (k->hashes[a] != k->hashes[b] ||
	    member_keys_compare(member_key(k, a), member_key(k, b)) != 0)
		return false;
	if (!k->plain)
		return true;
	return may_relate(k, a, b) && !are_empty(k, a, b) &&
	       member_keys_compare(member_key(k->plain, a), member_key(k->plain, b)) != 0;
}

/* What is known of a row by its plain name stays. */
static void relate_rows(const struct name_index *k, uint32_t first, uint32_t second)
{
	struct arc_member *m = &k->m->rows[second];

	if (k->plain && m->traits & MEMBER_KINSHIPS)
		return;
	m->relative = first;
	m->likeness = k->likeness;
	m->why |= k->m->rows[first].why;
}

static void note_pair(const struct name_index *k, uint32_t a, uint32_t b)
{
	const uint32_t first = a < b ? a : b, second = a < b ? b : a;
	const uint32_t traits = kin(k, first, second);

	if (traits)
		relate_rows(k, first, second);
	/* mutant: of two members of one name the first is told */
	k->m->rows[MUTANT(376) ? first : second].traits |= traits;
	if (traits & (ARC_TWICE | ARC_TWICE_ALIKE) && !k->plain)
		k->m->rows[first].is_replaced = true;
}

static bool find_twins(struct decode *d, uint32_t group, struct name_index *k)
{
	const uint32_t n = (uint32_t)k->m->n;
	struct order suspects;

	if (!order_suspects(d->arena, k->hashes, n, k, member_names_compare, &suspects))
		return decode_stop(d, group, STOP_MEMORY, (struct span){ 0, 0 });
	for (uint32_t i = 1; i < suspects.n; i++) {
		const uint32_t a = order_row(&suspects, i - 1), b = order_row(&suspects, i);

		if (are_alike(k, a, b))
			note_pair(k, a, b);
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
		if (f.found == ORDER_NONE || !may_relate(k, f.found, i))
			continue;
		relate_rows(k, f.found, i);
		k->m->rows[i].traits |= ARC_BELOW_FILE;
	}
	return true;
}

bool members_find_relatives(struct decode *d, uint32_t group, struct name_index *k)
{
	struct sieve sieve;

	return find_twins(d, group, k) && make_sieve(d, group, k, &sieve) &&
	       find_below(d, group, k, &sieve);
}
