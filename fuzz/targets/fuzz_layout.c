/* Layouts: every record of every format, read over any bytes in three ways that must agree. */
#include <stdlib.h>
#include <string.h>

#include "formats/umod/umod.h"
#include "reference/reference.h"
#include "support/buffers.h"
#include "support/must.h"
#include "targets/harness.h"

/* What a record's decoder gave: whether it worked, and how far it went. */
struct outcome {
	bool ok;
	uint64_t len;
};

#define READS(record) \
	static struct outcome read_##record(struct cursor c, uint64_t version) \
	{ \
		struct record v; \
		uint64_t from = c.pos; \
		bool ok; \
		memset(&v, 0x77, sizeof v); \
		ok = record##_read(&c, version, &v); \
		MUST(ok || c.pos == from, "a record that cannot be read moves nothing"); \
		MUST(!ok || v.at == c.origin + from, "a record knows where it is"); \
		return (struct outcome){ ok, c.pos - from }; \
	}

READS(umod_trailer)
READS(umod_directory)
READS(umod_entry)
READS(umod_dos_header)
READS(umod_pe_header)
READS(umod_pe_section)
READS(umod_security_directory)

static const struct record {
	const struct layout *layout;
	struct outcome (*read)(struct cursor c, uint64_t version);
} records[] = {
	{ &umod_trailer_layout, read_umod_trailer },
	{ &umod_directory_layout, read_umod_directory },
	{ &umod_entry_layout, read_umod_entry },
	{ &umod_dos_header_layout, read_umod_dos_header },
	{ &umod_pe_header_layout, read_umod_pe_header },
	{ &umod_pe_section_layout, read_umod_pe_section },
	{ &umod_security_directory_layout, read_umod_security_directory },
};

static uint64_t wire_width(enum layout_wire w)
{
	return w == LAYOUT_u8    ? 1
	       : w == LAYOUT_u16 ? 2
	       : w == LAYOUT_u24 ? 3
	       : w == LAYOUT_u32 ? 4
	       : w == LAYOUT_u40 ? 5
	       : w == LAYOUT_u64 ? 8
				 : 0;
}

/* A counted text, by our own reading: the units, without one NUL at the end. */
static void check_string(const uint8_t *p, const struct layout_value *v)
{
	int64_t count = 0;
	uint64_t head = reference_index(p, v->at.len, &count), width = count < 0 ? 2 : 1,
		 n = count < 0 ? (uint64_t)-count : (uint64_t)count;
	bool nul = n > 0 && p[head + n * width - 1] == 0 && p[head + (n - 1) * width] == 0;

	MUST(head > 0 && head + n * width == v->at.len, "a text is its count and its units");
	MUST(v->text.at == v->at.at + head && v->text.head_len == head,
	     "a text begins after its count");
	MUST(v->text.n_units == n - nul, "a text ends before its NUL");
	MUST(v->text.encoding == (count < 0 ? TEXT_UTF16LE : TEXT_CP1252),
	     "a negative count means two bytes a unit");
	MUST(!(v->text.flags & TEXT_UNTERMINATED) == (nul || n == 0),
	     "a text without NUL is known");
	MUST(!(v->text.flags & TEXT_COUNT_ZERO) == (n != 0), "a text of length 0 is known");
}

static void check_value(const uint8_t *bytes, uint64_t origin, const struct layout_value *v)
{
	const uint8_t *p = bytes + (v->at.at - origin);
	uint64_t width = wire_width(v->field->wire), n = 0;
	int64_t index = 0;

	if (v->field->wire == LAYOUT_string) {
		check_string(p, v);
	} else if (v->field->wire == LAYOUT_index) {
		MUST(reference_index(p, v->at.len, &index) == v->at.len && index == v->number,
		     "an index is itself");
	} else {
		for (uint64_t i = width; i > 0; i--)
			n = n << 8 | p[i - 1];
		MUST(v->at.len == width && (uint64_t)v->number == n, "a number is itself");
	}
}

/* Walks the record, with each field found once more by its number. */
static struct outcome walk(const struct layout *l, const uint8_t *bytes, struct cursor start,
			   uint64_t version)
{
	struct cursor c = start;
	struct layout_value v;
	struct span place;
	size_t i = 0;

	while (layout_walk(l, version, &c, &i, &v)) {
		MUST(v.field == &l->fields[i - 1], "fields come in their order");
		MUST(span_end(v.at) == cursor_at(&c), "fields tile the record");
		MUST(layout_place(l, version, start, i - 1, &place),
		     "a field that was walked has a place");
		MUST(place.at == v.at.at && place.len == v.at.len, "a field has one place");
		check_value(bytes, start.origin, &v);
	}
	return (struct outcome){ i == l->n_fields, c.pos - start.pos };
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct record *r;
	struct outcome a, b;
	struct cursor c;
	uint8_t *bytes;

	if (size < 1)
		return 0;
	r = &records[data[0] % (sizeof records / sizeof *records)];
	bytes = buffer_copy(data + 1, size - 1);
	c = cursor_init(bytes, size - 1, 1000);
	a = r->read(c, 1);
	b = walk(r->layout, bytes, c, 1);
	MUST(a.ok == b.ok, "a record is read where its fields are");
	MUST(!a.ok || a.len == b.len, "a record is as long as its fields");
	MUST(!a.ok || r->layout->fixed_len == 0 || a.len == r->layout->fixed_len,
	     "a fixed record has its length");
	free(bytes);
	return 0;
}
