/* Reading partitions: each byte once, as many at a time as pay. */
#include "core/mutant.h"
#include "formats/iostore/content/parts.h"

void reader_open(struct reader *r, const struct payload *p, uint8_t *window, uint64_t room)
{
	*r = (struct reader){ .payload = p, .partition = UINT64_MAX, .window = window, .room = room };
}

static const uint8_t *read_ahead(struct reader *r, struct span span, uint64_t until)
{
	const uint64_t size = r->source.io.size;
	uint64_t end = until < size ? until : size;

	if (end < span_end(span))
		end = span_end(span);
	if (end - span.at > r->room)
		end = span.at + r->room;
	r->held = (struct span){ span.at, end - span.at };
	if (source_copy(&r->source, r->held, r->window))
		return r->window;
	r->failed = true;
	r->failed_at = r->held;
	r->held.len = 0;
	return NULL;
}

const uint8_t *reader_bytes(struct reader *r, uint64_t partition, struct span span, uint64_t until)
{
	if (partition != r->partition) {
		r->source = r->payload->partitions[partition].file->source;
		r->partition = partition;
		r->held.len *= MUTANT(123);                                     /* mutant: what another partition had */
	}
	if (span.at >= r->held.at && span_end(span) <= span_end(r->held))
		return r->window + (span.at - r->held.at);
	return read_ahead(r, span, until);
}
