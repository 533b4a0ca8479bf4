/* The tables of records, for the pages of the specification. */
#include "formats/format.h"
#include "report/escape.h"
#include "report/rules.h"

/* The length of each wire form; 0 if the file decides it. */
static const struct {
	const char *name;
	uint64_t len;
} wires[] = {
	[LAYOUT_u8] = { "u8", 1 },           [LAYOUT_u16] = { "u16", 2 },
	[LAYOUT_u24] = { "u24", 3 },         [LAYOUT_u32] = { "u32", 4 },
	[LAYOUT_u40] = { "u40", 5 },         [LAYOUT_u64] = { "u64", 8 },
	[LAYOUT_u40be] = { "u40be", 5 },     [LAYOUT_i32] = { "i32", 4 },
	[LAYOUT_index] = { "index", 0 },     [LAYOUT_string] = { "string", 0 },
	[LAYOUT_zstring] = { "zstring", 0 },
};

static bool is_always(struct layout_versions v)
{
	return v.first == 0 && v.last == UINT32_MAX;
}

static void write_versions(struct out *o, struct layout_versions v)
{
	if (is_always(v)) {
		out_string(o, "all");
		return;
	}
	out_dec(o, v.first);
	if (v.last == UINT32_MAX) {
		out_byte(o, '+');
	} else if (v.last != v.first) {
		out_byte(o, '-');
		out_dec(o, v.last);
	}
}

static void write_condition(struct out *o, const struct layout *l, const struct layout_field *f)
{
	static const char *const words[] = {
		[LAYOUT_IF] = ", if ",
		[LAYOUT_UNLESS] = ", unless ",
		[LAYOUT_FOR] = ", if the file has 0x",
		[LAYOUT_NOT_FOR] = ", unless the file has 0x",
	};

	if (f->condition == LAYOUT_ALWAYS)
		return;
	out_string(o, words[f->condition]);
	if (f->condition == LAYOUT_IF || f->condition == LAYOUT_UNLESS) {
		out_string(o, l->fields[f->on].name);
		out_string(o, " has 0x");
	}
	out_hex(o, f->mask, 1);
}

static void write_field(struct out *o, const struct layout *l, const struct layout_field *f,
			bool is_fixed, uint64_t offset)
{
	out_string(o, "| ");
	if (is_fixed)
		out_dec(o, offset);
	else
		out_byte(o, '-');
	out_string(o, " | ");
	out_string(o, wires[f->wire].name);
	out_string(o, " | ");
	out_string(o, f->name);
	out_string(o, " | ");
	write_versions(o, f->versions);
	write_condition(o, l, f);
	out_string(o, " | ");
	escape_string(o, ESCAPE_MARKDOWN, f->meaning);
	out_string(o, " |\n");
}

static void write_layout(struct out *o, const struct layout *l)
{
	bool is_fixed = true;
	uint64_t offset = 0;

	out_string(o, "## ");
	out_string(o, l->name);
	out_string(o, "\n\n");
	escape_string(o, ESCAPE_MARKDOWN, l->meaning);
	out_string(o, "\n\n<!-- layout:");
	out_string(o, l->name);
	out_string(o, " -->\n| offset | wire | field | versions | meaning |\n| --- | --- | --- | "
		      "--- | --- |\n");
	for (size_t i = 0; i < l->n_fields; i++) {
		const struct layout_field *f = &l->fields[i];

		write_field(o, l, f, is_fixed, offset);
		offset += wires[f->wire].len;
		is_fixed = is_fixed && wires[f->wire].len > 0 && is_always(f->versions) &&
			   f->condition == LAYOUT_ALWAYS;
	}
	out_string(o, "<!-- /layout -->\n\n");
}

void layouts_md(struct out *o)
{
	out_string(o, "# Records\n\nWritten by `uvet rules --format layouts`; do not edit. "
		      "Integers are little-endian.\n\n");
	for (const struct format *const *f = formats; *f; f++)
		for (const struct layout *const *l = (*f)->layouts; *l; l++)
			write_layout(o, *l);
}
