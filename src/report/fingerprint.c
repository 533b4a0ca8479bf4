/* Fingerprints: hashing, and ordinals for equal ones. */
#include "report/fingerprint.h"

#include <string.h>

#include "core/path.h"
#include "report/message.h"

#define FNV_BASIS 0xCBF29CE484222325u
#define FNV_PRIME 0x00000100000001B3u

UVET_WRAPS static int hash_sink(void *ctx, const void *bytes, size_t len)
{
	uint64_t *hash = ctx;
	const uint8_t *p = bytes;

	for (size_t i = 0; i < len; i++)
		*hash = (*hash ^ p[i]) * FNV_PRIME;
	return 0;
}

/* ---- What a fingerprint is made of ----------------------------------------------------------- */

/* What a download decompresses to is named after the download, and the .pak beside a container
 * after the container, so its place stands for it. */
static void write_member(struct out *o, const struct report *r)
{
	out_byte(o, '!');
	if (r->is_namesake)
		out_dec(o, r->place);
	else
		out_string(o, r->own_name);
}

/* From the innermost file outwards. */
static void write_path_inside(struct out *o, const struct report *r)
{
	for (; r->parent; r = r->parent)
		write_member(o, r);
	out_byte(o, 0);
}

static size_t stem_len(const struct report *r)
{
	return path_stem(text_from(r->name)).ref.n_units;
}

/* A companion is called like its input, with something after it: "_s1.ucas". */
static void write_companion(struct out *o, const struct report *r, const char *name)
{
	const size_t len = strlen(name), stem = stem_len(r);

	out_byte(o, '/');
	out_string(o, len > stem ? name + stem : name);
}

static bool is_text(const struct finding_arg *a, const char *name, size_t len)
{
	return a->cut ? len > a->text_len && memcmp(a->text, name, a->text_len) == 0
		      : len == a->text_len && memcmp(a->text, name, len) == 0;
}

/* Of nested files the name is a part of what they lie in. */
static bool is_own_name(const struct finding_arg *a, const struct report *r)
{
	const struct text last = path_last(text_from(r->name));
	const char *name = (const char *)last.data;

	return !r->parent && last.ref.n_units > 0 &&
	       (is_text(a, name, last.ref.n_units) || is_text(a, name, stem_len(r)));
}

static bool is_of_set(const struct report *r)
{
	return r->format && r->format->takes_sets;
}

/* Names of the input and of files beside it change with the folder or the spelling, but the files
 * of a set are told apart by theirs. */
static void write_text(struct out *o, const struct report *r, const struct finding_arg *a)
{
	if (is_own_name(a, r)) {
		out_byte(o, '/');
		return;
	}
	for (size_t i = 0; !is_of_set(r) && i < r->n_companions; i++) {
		const char *name = r->companions[i].name;

		if (is_text(a, name, strlen(name))) {
			write_companion(o, r, name);
			return;
		}
	}
	out_dec(o, a->text_len);
	out_bytes(o, a->text, a->text_len);
}

static void write_value(struct out *o, const struct report *r, const struct finding_arg *a)
{
	if (a->kind == ARG_WORD)
		out_string(o, a->word);
	else if (a->kind == ARG_TEXT || a->kind == ARG_BYTES)
		write_text(o, r, a);
	else
		out_dec(o, a->number);
	out_byte(o, 0);
}

uint64_t fingerprint_of(const struct report *r, const struct finding *f)
{
	const char *file = report_file(r, f->place.file);
	uint64_t hash = FNV_BASIS;
	struct out o;

	out_init(&o, hash_sink, &hash);
	out_string(&o, f->rule->id);
	out_byte(&o, 0);
	write_path_inside(&o, r);
	if (*file)
		write_companion(&o, r, file);
	out_byte(&o, 0);
	if (message_has_field(&f->place))
		message_field(&o, &f->place);
	out_byte(&o, 0);
	for (size_t i = 0; i < f->n_args; i++)
		write_value(&o, r, &f->args[i]);
	out_flush(&o);
	return hash;
}

void fingerprint_digits(char out[FINGERPRINT_LEN + 1], uint64_t fingerprint)
{
	for (size_t i = 0; i < FINGERPRINT_LEN; i++)
		out[i] = "0123456789abcdef"[fingerprint >> (60 - 4 * i) & 15];
	out[FINGERPRINT_LEN] = '\0';
}

void fingerprint_write(struct out *o, uint64_t fingerprint)
{
	char digits[FINGERPRINT_LEN + 1];

	fingerprint_digits(digits, fingerprint);
	out_bytes(o, digits, FINGERPRINT_LEN);
}

/* ---- Equal ones ------------------------------------------------------------------------------ */

struct fingerprint_seen {
	uint64_t hash;
	uint64_t n; /* how often; 0: the slot is free */
};

/* PROBES_MAX bounds the search where a file was made to have fingerprints that collide. */
enum { SLOTS_MIN = 64, PROBES_MAX = 256 };

static uint64_t with_ordinal(uint64_t hash, uint64_t ordinal)
{
	struct out o;

	out_init(&o, hash_sink, &hash);
	out_byte(&o, '#');
	out_dec(&o, ordinal);
	out_flush(&o);
	return hash;
}

/* Finds the slot of a hash, or a free one for it; NULL: there is none nearby. */
static struct fingerprint_seen *find_slot(const struct fingerprints_seen *seen, uint64_t hash)
{
	for (size_t i = 0; i < PROBES_MAX; i++) {
		struct fingerprint_seen *slot =
			&seen->slots[((hash & (seen->n_slots - 1)) + i) & (seen->n_slots - 1)];

		if (slot->n == 0 || slot->hash == hash)
			return slot;
	}
	return NULL;
}

static void move_slot(const struct fingerprints_seen *to, const struct fingerprint_seen *from)
{
	struct fingerprint_seen *slot = from->n > 0 ? find_slot(to, from->hash) : NULL;

	if (slot)
		*slot = *from;
}

/* At most half of the slots are taken. */
static bool make_room(struct fingerprints_seen *seen, struct arena *keep)
{
	struct fingerprints_seen more = { NULL, seen->n_slots > 0 ? 2 * seen->n_slots : SLOTS_MIN,
					  seen->n };

	if (seen->n < seen->n_slots / 2)
		return true;
	more.slots = arena_alloc(keep, more.n_slots, sizeof *more.slots);
	if (!more.slots)
		return false;
	memset(more.slots, 0, more.n_slots * sizeof *more.slots);
	for (size_t i = 0; i < seen->n_slots; i++)
		move_slot(&more, &seen->slots[i]);
	*seen = more;
	return true;
}

/* Where a count was lost or has no slot, the number of all that were given before is as good. */
static uint64_t count(struct fingerprints_seen *seen, uint64_t hash)
{
	struct fingerprint_seen *slot = find_slot(seen, hash);

	seen->n++;
	if (!slot)
		return with_ordinal(hash, seen->n);
	slot->hash = hash;
	slot->n++;
	return slot->n > 1 ? with_ordinal(hash, slot->n) : hash;
}

const uint64_t *fingerprints_make(struct fingerprints_seen *seen, struct arena *keep,
				  struct arena *scratch, const struct report *r, size_t n)
{
	uint64_t *hashes = arena_alloc(scratch, n, sizeof *hashes);

	if (!hashes)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		if (!make_room(seen, keep))
			return NULL;
		hashes[i] = count(seen, fingerprint_of(r, r->findings[i]));
	}
	return hashes;
}
