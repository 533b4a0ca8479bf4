/* Streams, one after the other, whatever decodes one. */
#include "codec/unstream.h"

#include <string.h>

#include "codec/lzma.h"
#include "codec/unstream_parts.h"
#include "codec/zstd.h"
#include "core/mutant.h"
#include "core/rows.h"

/* ---- Input and output ------------------------------------------------------------------------ */

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

bool feed_fill(struct feed *f)
{
	const uint64_t left = f->io->size - f->at;

	if (f->n > 0)
		return true;
	if (left == 0 || f->is_stopped)
		return false;
	f->n = least(left, UNSTREAM_PIECE);
	f->next = f->piece;
	f->is_stopped = !f->io->read(f->io->ctx, f->at, f->piece, f->n);
	if (f->is_stopped)
		f->n = 0;
	return !f->is_stopped;
}

bool feed_byte(struct feed *f, uint8_t *out)
{
	if (!feed_fill(f))
		return false;
	*out = f->next[0];
	feed_took(f, 1);
	return true;
}

uint64_t feed_peek(struct feed *f, uint8_t *buf, uint64_t n)
{
	n = least(n, f->io->size - f->at);
	if (n <= f->n)
		memcpy(buf, f->next, (size_t)n);
	else
		f->is_stopped = f->is_stopped || !f->io->read(f->io->ctx, f->at, buf, n);
	return f->is_stopped ? 0 : n;
}

void drain_open(struct drain *o)
{
	const uint64_t left = o->max - o->n;

	o->room = left == 0 || !o->bytes ? o->scratch : o->bytes + o->n;
	o->n_room = left == 0 ? 1 : least(left, UNSTREAM_PIECE);
}

enum unstream_result drain_take(struct drain *o, uint64_t n)
{
	MEMORY_WRITTEN(o->room, n);
	if (n > 0 && o->n == o->max && !MUTANT(401)) /* mutant: bytes behind the room */
		return UNSTREAM_FULL;
	o->n += n;
	return n == 0 || o->io->pulse(o->io->ctx) ? UNSTREAM_DONE : UNSTREAM_STOPPED;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* The smallest piece that is free and large enough; NULL: there is none. */
static struct kept *find_kept(struct unstreaming *u, uint64_t n)
{
	struct kept *best = NULL;

	for (size_t i = 0; i < u->n_kept; i++) {
		struct kept *k = &u->kept[i];

		if (!k->is_used && k->size >= n && (!best || k->size < best->size))
			best = k;
	}
	return best;
}

void *kept_take(void *ctx, uint64_t n)
{
	struct unstreaming *u = ctx;
	struct kept *k = find_kept(u, n);
	void *memory;

	if (k) {
		k->is_used = true;
		return k->memory;
	}
	memory = arena_alloc(u->arena, n, 1);
	if (memory && u->n_kept < KEPT_MAX)
		u->kept[u->n_kept++] = (struct kept){ memory, n, true };
	return memory;
}

void kept_leave(void *ctx, void *memory)
{
	struct unstreaming *u = ctx;

	for (size_t i = 0; i < u->n_kept; i++)
		if (u->kept[i].memory == memory)
			u->kept[i].is_used = false;
}

/* ---- One after the other --------------------------------------------------------------------- */

static const struct {
	unstream_one *one;
	const uint8_t magic[6];
	uint8_t n_magic;
} forms[] = {
	[UNSTREAM_GZIP] = { ungzip_one, { 0x1F, 0x8B }, 2 },
	[UNSTREAM_XZ] = { unxz_one, { 0xFD, '7', 'z', 'X', 'Z', 0 }, 6 },
	[UNSTREAM_ZSTD] = { unzstd_one, { 0x28, 0xB5, 0x2F, 0xFD }, 4 },
	[UNSTREAM_BZIP2] = { unbzip2_one, { 'B', 'Z', 'h' }, 3 },
};

/* Whether another stream comes next, and how far the file was used until there. Between streams of
 * xz, and after the last, there may be zeros, four by four. */
static bool goes_on(struct feed *f, enum unstream_form form, uint64_t *n_used)
{
	const uint64_t n_magic = forms[form].n_magic;
	uint64_t n_zeros = 0, n_next;
	bool is_one;
	uint8_t next[6];

	*n_used = f->at;
	for (; form == UNSTREAM_XZ && feed_fill(f) && f->next[0] == 0; n_zeros++)
		feed_took(f, 1);
	if (n_zeros % 4 != 0)
		return false;
	n_next = feed_peek(f, next, n_magic);
	is_one = n_next == n_magic && (memcmp(next, forms[form].magic, (size_t)n_magic) == 0 ||
				       (form == UNSTREAM_ZSTD && unstream_is_skipped(next)));
	if (is_one || n_next == 0)
		*n_used = f->at;
	return is_one;
}

/* Whether only zeros follow; it reads no further than to the first piece with another byte. */
static bool has_zeros_only(struct feed *f)
{
	while (feed_fill(f)) {
		if (!held_is_zero((struct held){ f->next, f->n }))
			return false;
		feed_took(f, f->n);
	}
	return true;
}

static bool counts(struct feed *f, enum unstream_form form)
{
	uint8_t first[4];

	return form != UNSTREAM_ZSTD || feed_peek(f, first, sizeof first) < sizeof first ||
	       !unstream_is_skipped(first);
}

static bool begin(struct unstreaming *u, const struct unstream_io *io, uint8_t *out,
		  uint64_t max_out)
{
	u->in = (struct feed){ .io = io, .piece = arena_alloc(u->arena, UNSTREAM_PIECE, 1) };
	u->out = (struct drain){ .bytes = out, .max = max_out, .io = io };
	u->out.scratch = arena_alloc(u->arena, UNSTREAM_PIECE, 1);
	return u->in.piece && u->out.scratch;
}

static struct unstream settle(const struct unstreaming *u)
{
	struct unstream end = *u->end;

	if (u->in.is_stopped)
		end.result = UNSTREAM_STOPPED;
	end.n_out = u->out.n;
	return end;
}

struct unstream unstream_first(struct arena *arena, enum unstream_form form,
			       const struct unstream_io *io, uint8_t *out, uint64_t max_out)
{
	struct unstream end = { .result = UNSTREAM_DONE, .n_streams = 1 };
	struct unstreaming u = { .arena = arena, .end = &end };

	if (!begin(&u, io, out, max_out))
		return (struct unstream){ .result = UNSTREAM_NO_MEMORY };
	end.result = forms[form].one(&u);
	end.n_used = u.in.at;
	return settle(&u);
}

struct unstream unstream_whole(struct arena *arena, enum unstream_form form,
			       const struct unstream_io *io, uint8_t *out, uint64_t max_out)
{
	struct unstream end = { .result = UNSTREAM_DONE };
	struct unstreaming u = { .arena = arena, .end = &end };

	if (!begin(&u, io, out, max_out))
		return (struct unstream){ .result = UNSTREAM_NO_MEMORY };
	do {
		end.n_streams += counts(&u.in, form);
		end.result = forms[form].one(&u);
		if (end.result == UNSTREAM_DONE && !io->pulse(io->ctx))
			end.result = UNSTREAM_STOPPED;
		end.n_used = u.in.at;
	} while (end.result == UNSTREAM_DONE && goes_on(&u.in, form, &end.n_used));
	end.tail_is_zero = end.result == UNSTREAM_DONE && has_zeros_only(&u.in);
	return settle(&u);
}

const char *unstream_lack(enum unstream_form form)
{
	switch (form) {
	case UNSTREAM_XZ:
		return unlzma_is_available() ? NULL : "liblzma";
	case UNSTREAM_ZSTD:
		return unzstd_is_available() ? NULL : "Zstd";
	case UNSTREAM_BZIP2:
		return unbzip2_is_available() ? NULL : "libbz2";
	default:
		return NULL;
	}
}
