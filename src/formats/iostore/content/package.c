/* Collects the header and the last bytes of a package from its blocks. */
#include "formats/iostore/content/package.h"

#include <string.h>

#include "formats/iostore/zen_package/zen.h"

void package_reader_open(struct package_reader *r, struct allocator allocator, uint64_t budget,
			 const struct package_claims *form)
{
	*r = (struct package_reader){ .form = form };
	arena_init(&r->arena, allocator, budget);
	r->start = arena_mark(&r->arena);
}

void package_reader_close(struct package_reader *r)
{
	arena_free(&r->arena);
}

void package_reader_begin(struct package_reader *r, uint64_t length)
{
	arena_rewind(&r->arena, r->start);
	r->length = length;
	r->n_first = r->header_len = r->n_copied = r->n_last = 0;
	r->header = r->copy = NULL;
	r->goes_on = true;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Copies what still lacks of `all` bytes, and returns how many that were. */
static uint64_t copy_lacking(uint8_t *to, uint64_t *n_there, uint64_t all, struct held bytes)
{
	const uint64_t some = least(bytes.len, all - *n_there);

	if (some > 0)
		memcpy(to + *n_there, bytes.bytes, (size_t)some);
	*n_there += some;
	return some;
}

/* The last bytes so far may come from several short blocks. */
static void keep_last(struct package_reader *r, struct held bytes)
{
	const uint64_t some = least(bytes.len, PACKAGE_LAST),
		       kept = least(r->n_last, PACKAGE_LAST - some);

	memmove(r->last, r->last + (r->n_last - kept), (size_t)kept);
	memcpy(r->last + kept, held_part(bytes, bytes.len - some, some).bytes, (size_t)some);
	r->n_last = kept + some;
}

static void begin_copy(struct package_reader *r)
{
	r->copy = arena_alloc(&r->arena, r->header_len, 1);
	if (!r->copy)
		r->no_memory = true;
	else
		(void)copy_lacking(r->copy, &r->n_copied, r->header_len,
				   (struct held){ r->first, r->n_first });
}

/* A header that lies in the only block of its package is read there. */
static void measure(struct package_reader *r, struct held bytes)
{
	r->header_len = zen_header_size((struct held){ r->first, r->n_first }, r->length, r->form);
	if (r->header_len > PACKAGE_HEADER_MAX)
		r->goes_on = false;
	else if (bytes.len == r->length)
		r->header = bytes.bytes;
	else
		begin_copy(r);
}

void package_reader_add(struct package_reader *r, struct held bytes)
{
	const uint64_t first = least(PACKAGE_FIRST, r->length);
	uint64_t used = 0;

	r->goes_on = r->goes_on && bytes.bytes;
	if (!r->goes_on)
		return;
	if (r->n_first < first) {
		used = copy_lacking(r->first, &r->n_first, first, bytes);
		if (r->n_first == first)
			measure(r, bytes);
	}
	if (r->copy && r->n_copied < r->header_len)
		(void)copy_lacking(r->copy, &r->n_copied, r->header_len,
				   held_part(bytes, used, bytes.len - used));
	if (r->copy && r->n_copied == r->header_len)
		r->header = r->copy;
	keep_last(r, bytes);
}
