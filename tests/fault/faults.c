/* Faults on demand: memory that is refused, and input that fails. */
#include "faults.h"

#include <stdlib.h>
#include <string.h>

/* Before each piece of memory stands its size, in as many bytes as keep the piece aligned. */
#define HEADER ((size_t)16)

static bool strikes(uint64_t now, uint64_t at, bool forever)
{
	return at != 0 && (now == at || (forever && now > at));
}

void *fault_alloc(void *ctx, size_t size)
{
	struct fault_memory *m = ctx;
	unsigned char *p;

	if (strikes(++m->n_asked, m->fail_at, m->forever) || size > SIZE_MAX - HEADER)
		return NULL;
	p = malloc(size + HEADER);
	if (!p)
		return NULL;
	memcpy(p, &size, sizeof size);
	memset(p + HEADER, 0xA5, size);
	m->n_live++;
	m->bytes_live += size;
	return p + HEADER;
}

void fault_release(void *ctx, void *memory, size_t size)
{
	struct fault_memory *m = ctx;
	unsigned char *p = memory;
	size_t given;

	if (!p)
		abort();
	p -= HEADER;
	memcpy(&given, p, sizeof given);
	if (given != size || m->n_live-- == 0)
		abort();
	m->bytes_live -= size;
	free(p);
}

/* How many of n bytes a read returns when its fault strikes. */
static size_t reduced(enum fault_read fault, size_t n)
{
	switch (fault) {
	case FAULT_HALF:
		return (n + 1) / 2;
	case FAULT_ONE_BYTE:
		return n > 0;
	case FAULT_NO_BYTES:
		return 0;
	default:
		return n;
	}
}

int fault_read_at(void *ctx, uint64_t offset, void *buf, size_t len, size_t *n_read)
{
	struct fault_input *in = ctx;
	uint64_t end = in->ends_early && in->end < in->size ? in->end : in->size;
	uint64_t left = offset < end ? end - offset : 0;
	size_t n = len < left ? len : (size_t)left;

	in->n_reads++;
	if (in->fails_over && offset <= in->bad_offset && in->bad_offset - offset < len)
		return -1;
	if (strikes(in->n_reads, in->fault_at, in->forever)) {
		if (in->fault == FAULT_FAILS)
			return -1;
		n = reduced(in->fault, n);
	}
	if (n > 0)
		memcpy(buf, in->bytes + offset, n);
	*n_read = n;
	return 0;
}

int fault_unchanged(void *ctx)
{
	const struct fault_input *in = ctx;

	return !in->changed;
}

bool fault_source_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *n_read)
{
	return fault_read_at(ctx, offset, buf, len, n_read) == 0;
}

bool fault_source_unchanged(void *ctx)
{
	return fault_unchanged(ctx) != 0;
}
