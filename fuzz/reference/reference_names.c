/* Batches of names, a name at a time, and their hashes, a byte at a time. */
#include "reference/reference_names.h"

#include "codec/cityhash.h"
#include "reference/reference_utoc.h"

/* ---- One name -------------------------------------------------------------------------------- */

static struct reference_text head_of(const uint8_t *p)
{
	const uint64_t v = reference_read_be(p, 2);

	return (struct reference_text){ .n = v % 0x8000, .wide = v >= 0x8000 };
}

uint64_t reference_text_len(const struct reference_text *t)
{
	return t->wide ? 2 * t->n : t->n;
}

uint64_t reference_text_unit(const uint8_t *p, const struct reference_text *t, uint64_t i)
{
	if (i >= t->n)
		return 0;
	return t->wide ? reference_read(p + t->at + 2 * i, 2) : p[t->at + i];
}

bool reference_text_is_ascii(const uint8_t *p, const struct reference_text *t)
{
	for (uint64_t i = 0; i < t->n; i++)
		if (reference_text_unit(p, t, i) >= 0x80)
			return false;
	return true;
}

/* ---- Batches --------------------------------------------------------------------------------- */

void reference_batch_read(struct reference_batch *b, const uint8_t *p, uint64_t size, uint64_t at)
{
	uint64_t bytes, text;

	b->p = p;
	b->fits = b->adds_up = false;
	b->n = b->end = b->n_hashes = b->hashes_at = 0;
	if (at > size || size - at < 4)
		return;
	b->n = reference_read(p + at, 4);
	b->end = at + 4;
	b->fits = b->adds_up = b->n == 0;
	if (b->n == 0 || size - at < 16)
		return;
	bytes = reference_read(p + at + 4, 4);
	b->n_hashes = b->n;
	b->hashes_at = at + 16;
	b->fits = b->n <= size && 10 * b->n + bytes <= size - at - 16;
	if (!b->fits)
		return;
	text = at + 16 + 10 * b->n;
	b->end = text + bytes;
	for (uint64_t i = 0; i < b->n; i++) {
		struct reference_text *name = &b->names[i];

		*name = head_of(p + at + 16 + 8 * b->n + 2 * i);
		name->at = text;
		text += reference_text_len(name);
	}
	b->adds_up = text == b->end;
}

void reference_batch_read_old(struct reference_batch *b, const uint8_t *p, uint64_t names,
			      uint64_t hashes)
{
	uint64_t at = 0;

	b->p = p;
	b->n = 0;
	b->end = names;
	b->hashes_at = names + 8;
	b->n_hashes = hashes < 8 ? 0 : hashes / 8 - 1;
	while (names - at >= 2) {
		struct reference_text name = head_of(p + at);

		name.at = at + 2 + (name.wide && at % 2 != 0);
		if (name.at + reference_text_len(&name) > names)
			break;
		b->names[b->n++] = name;
		at = name.at + reference_text_len(&name);
	}
	b->fits = b->adds_up = at == names;
}

/* ---- Hashes ---------------------------------------------------------------------------------- */

static uint8_t lower(uint8_t c)
{
	return c >= 'A' && c <= 'Z' ? (uint8_t)(c + 32) : c;
}

uint64_t reference_text_hash(const uint8_t *p, const struct reference_text *t)
{
	static uint8_t bytes[2 * 0x8000];

	for (uint64_t i = 0; i < reference_text_len(t); i++) {
		const bool is_half = t->wide && (i % 2 != 0 || p[t->at + i + 1] != 0);

		bytes[i] = is_half ? p[t->at + i] : lower(p[t->at + i]);
	}
	return cityhash64(bytes, reference_text_len(t));
}

void reference_batch_repair(const struct reference_batch *b, uint8_t *p)
{
	for (uint64_t i = 0; i < b->n && i < b->n_hashes; i++)
		reference_write(p + b->hashes_at + 8 * i, 8, reference_text_hash(p, &b->names[i]));
}

uint64_t reference_path_hash(const char *path, size_t n)
{
	uint8_t wide[2 * REFERENCE_PATH_MAX];

	for (size_t i = 0; i < n; i++) {
		wide[2 * i] = lower((uint8_t)path[i]);
		wide[2 * i + 1] = 0;
	}
	return cityhash64(wide, 2 * n);
}
