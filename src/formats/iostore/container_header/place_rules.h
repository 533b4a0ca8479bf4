/* The places of findings about the container header: in the .ucas if the chunk is stored as it is,
 * else the chunk's id in the .utoc. */
#ifndef UVET_FORMATS_IOSTORE_CONTAINER_HEADER_PLACE_RULES_H
#define UVET_FORMATS_IOSTORE_CONTAINER_HEADER_PLACE_RULES_H

#include "formats/iostore/facts.h"
#include "rule/finding.h"

static inline const struct container_header *container_header_of(const struct check *c)
{
	return &((const struct utoc *)c->facts)->container_header;
}

/* header_place is where `len` bytes of the chunk are stored; `at` may be the chunk's end. */
static inline struct place header_place(const struct check *c, uint64_t at, uint64_t len)
{
	const struct utoc *u = c->facts;
	const uint64_t past_end = at > 0 && at == u->container_header.held.len;
	uint64_t stored;
	uint32_t file;

	if (content_find_byte(u, u->container_header.chunk, at - past_end, &file, &stored))
		return AT_IN(file, stored + past_end, len);
	return AT_SPAN(u->container_header.id_at.at, u->container_header.id_at.len);
}

/* header_field is where a field is stored, of a record at `at` in the chunk: row `index` of what
 * `record` names. */
static inline struct place header_field(const struct check *c, const struct layout *l, uint64_t at,
					size_t field, const char *record, uint64_t index)
{
	const struct span s = container_header_field(container_header_of(c), l, at, field);
	struct place p = header_place(c, s.at, s.len);

	p.record = record;
	p.field = l->fields[field].name;
	p.index = index;
	return p;
}

/* IN_HEADER is the place of a field of a row, IN_HEADER_ONE that of a field of a single record. */
#define IN_HEADER(c, r, at, field, record, index) \
	header_field(c, &r##_layout, at, r##_field_##field, record, index)
#define IN_HEADER_ONE(c, r, at, field, record) IN_HEADER(c, r, at, field, record, PLACE_NO_INDEX)

#endif
