/* Decoding chains of filters through liblzma, where it is there. */
#include "codec/unchain.h"

#if defined(UVET_WITH_LZMA)

#include <lzma.h>

struct unchain {
	lzma_stream stream;
	lzma_allocator allocator;
	lzma_filter filters[CHAIN_MAX + 1];
	lzma_options_lzma lzma;
	lzma_options_delta delta[CHAIN_MAX];
};

static void *chain_take(void *arena, size_t count, size_t size)
{
	return arena_alloc(arena, count, size);
}

static void chain_leave(void *arena, void *memory)
{
	(void)arena, (void)memory; /* the arena is freed as a whole */
}

/* LZMA in 7z has no mark at its end. Only a decoder that knows the size tells the filters that
 * there are no more bytes; liblzma has it since 5.4, and a filter since 5.4 or 5.6. */
static lzma_vli filter_id(enum chain_method m)
{
	switch (m) {
#if defined(LZMA_FILTER_LZMA1EXT)
	case CHAIN_LZMA:
		return LZMA_FILTER_LZMA1EXT;
#endif
	case CHAIN_LZMA2:
		return LZMA_FILTER_LZMA2;
	case CHAIN_DELTA:
		return LZMA_FILTER_DELTA;
	case CHAIN_X86:
		return LZMA_FILTER_X86;
	case CHAIN_POWERPC:
		return LZMA_FILTER_POWERPC;
	case CHAIN_IA64:
		return LZMA_FILTER_IA64;
	case CHAIN_ARM:
		return LZMA_FILTER_ARM;
	case CHAIN_ARM_THUMB:
		return LZMA_FILTER_ARMTHUMB;
	case CHAIN_SPARC:
		return LZMA_FILTER_SPARC;
#if defined(LZMA_FILTER_ARM64)
	case CHAIN_ARM64:
		return LZMA_FILTER_ARM64;
#endif
#if defined(LZMA_FILTER_RISCV)
	case CHAIN_RISCV:
		return LZMA_FILTER_RISCV;
#endif
	default:
		return LZMA_VLI_UNKNOWN;
	}
}

static bool is_packer(enum chain_method m)
{
	return m == CHAIN_LZMA || m == CHAIN_LZMA2;
}

/* liblzma's decoder of LZMA has room for lc + lp up to 4. */
enum { LITERAL_BITS_MAX = 4, LZMA_PROPERTIES_MAX = 224 };

static bool is_known(const struct chain_link *l)
{
	const unsigned lc = l->properties % 9, lp = l->properties / 9 % 5;

	return filter_id(l->method) != LZMA_VLI_UNKNOWN &&
	       (l->method != CHAIN_LZMA ||
		(l->properties <= LZMA_PROPERTIES_MAX && lc + lp <= LITERAL_BITS_MAX));
}

bool unchain_knows(const struct chain_link *links, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!is_known(&links[i]) || is_packer(links[i].method) != (i + 1 == n))
			return false;
	return n > 0 && n <= CHAIN_MAX;
}

static void set_filter(struct unchain *u, size_t i, const struct chain_link *l)
{
	lzma_filter *f = &u->filters[i];

	f->id = filter_id(l->method);
	f->options = NULL;
	if (l->method == CHAIN_DELTA) {
		u->delta[i] = (lzma_options_delta){ .type = LZMA_DELTA_TYPE_BYTE,
						    .dist = l->properties + 1u };
		f->options = &u->delta[i];
	}
	if (!is_packer(l->method))
		return;
	u->lzma = (lzma_options_lzma){ .dict_size = l->dictionary };
#if defined(LZMA_FILTER_LZMA1EXT)
	if (l->method == CHAIN_LZMA) {
		u->lzma.lc = l->properties % 9u;
		u->lzma.lp = l->properties / 9u % 5u;
		u->lzma.pb = l->properties / 45u;
		u->lzma.ext_flags = LZMA_LZMA1EXT_ALLOW_EOPM;
		lzma_set_ext_size(u->lzma, l->size);
	}
#endif
	f->options = &u->lzma;
}

struct unchain *unchain_begin(struct arena *arena, const struct chain_link *links, size_t n)
{
	struct unchain *u = arena_alloc(arena, 1, sizeof *u);
	static const lzma_stream empty = LZMA_STREAM_INIT;

	if (!u)
		return NULL;
	u->stream = empty;
	u->allocator = (lzma_allocator){ chain_take, chain_leave, arena };
	u->stream.allocator = &u->allocator;
	for (size_t i = 0; i < n; i++)
		set_filter(u, i, &links[i]);
	u->filters[n].id = LZMA_VLI_UNKNOWN;
	return lzma_raw_decoder(&u->stream, u->filters) == LZMA_OK ? u : NULL;
}

static enum unchain_result result_of(const lzma_stream *s, lzma_ret ret, bool is_last)
{
	if (ret == LZMA_STREAM_END)
		return UNCHAIN_DONE;
	if (ret == LZMA_MEM_ERROR)
		return UNCHAIN_NO_MEMORY;
	if (ret != LZMA_OK && ret != LZMA_BUF_ERROR)
		return UNCHAIN_BROKEN;
	if (s->avail_out == 0)
		return UNCHAIN_FULL;
	return is_last ? UNCHAIN_BROKEN : UNCHAIN_GOES_ON;
}

struct unchained unchain_some(struct unchain *u, const uint8_t *in, uint64_t n_in, bool is_last,
			      uint8_t *out, uint64_t max_out)
{
	lzma_stream *s = &u->stream;
	struct unchained r;
	lzma_ret ret;

	s->next_in = in;
	s->avail_in = (size_t)n_in;
	s->next_out = out;
	s->avail_out = (size_t)max_out;
	ret = lzma_code(s, is_last ? LZMA_FINISH : LZMA_RUN);
	r.n_out = max_out - s->avail_out;
	r.n_used = n_in - s->avail_in;
	r.result = result_of(s, ret, is_last);
	MEMORY_WRITTEN(out, r.n_out);
	return r;
}

#else

bool unchain_knows(const struct chain_link *links, size_t n)
{
	(void)links, (void)n;
	return false;
}

struct unchain *unchain_begin(struct arena *arena, const struct chain_link *links, size_t n)
{
	(void)arena, (void)links, (void)n;
	return NULL;
}

struct unchained unchain_some(struct unchain *u, const uint8_t *in, uint64_t n_in, bool is_last,
			      uint8_t *out, uint64_t max_out)
{
	(void)u, (void)in, (void)n_in, (void)is_last, (void)out, (void)max_out;
	return (struct unchained){ UNCHAIN_BROKEN, 0, 0 };
}

#endif
