/* Reading the description of a folder. Source: conformance/spec/sevenzip.md, 3.3. */
#include "formats/archive/sevenzip/graph.h"

/* Bits of the byte before a coder. */
enum {
	CODER_ID_LEN = 0x0F,
	CODER_IS_COMPLEX = 0x10,
	CODER_HAS_PROPERTIES = 0x20,
	CODER_RESERVED = 0xC0
};

static bool read_id(struct sevenzip_reader *r, uint64_t len, uint64_t *id)
{
	struct held bytes;

	if (len > 8)
		return reader_fails(r, SEVENZIP_FORM);
	if (!reader_part(r, len, &bytes))
		return false;
	*id = 0;
	for (uint64_t i = 0; i < len; i++)
		*id = *id << 8 | held_u8(bytes, i);
	return true;
}

/* Decoders have one stream of output. */
static bool read_stream_counts(struct sevenzip_reader *r, uint64_t *n_in)
{
	uint64_t n_out;

	if (!reader_number(r, n_in) || !reader_number(r, &n_out))
		return false;
	return (*n_in <= SEVENZIP_INS_MAX && n_out == 1) || reader_fails(r, SEVENZIP_FORM);
}

static bool read_coder(struct sevenzip_reader *r, struct sevenzip_graph *g)
{
	struct sevenzip_coder *coder = &g->coders[g->n_coders];
	uint64_t flags, n_in = 1, len = 0;

	if (!reader_byte(r, &flags))
		return false;
	if (flags & CODER_RESERVED)
		return reader_fails(r, SEVENZIP_FORM);
	if (!read_id(r, flags & CODER_ID_LEN, &coder->id) ||
	    (flags & CODER_IS_COMPLEX && !read_stream_counts(r, &n_in)) ||
	    (flags & CODER_HAS_PROPERTIES && !reader_number(r, &len)) ||
	    !reader_part(r, len, &coder->properties))
		return false;
	if (n_in > SEVENZIP_INS_MAX - (uint64_t)g->n_in)
		return reader_fails(r, SEVENZIP_FORM);
	coder->first_in = g->n_in;
	coder->n_in = (uint8_t)n_in;
	g->n_in = (uint8_t)(g->n_in + n_in);
	g->n_coders++;
	return true;
}

/* ---- What leads where ------------------------------------------------------------------------ */

static uint8_t owner_of(const struct sevenzip_graph *g, uint64_t in)
{
	uint8_t i = 0;

	while (i + 1 < g->n_coders && in >= (uint64_t)g->coders[i].first_in + g->coders[i].n_in)
		i++;
	return i;
}

static bool read_bond(struct sevenzip_reader *r, struct sevenzip_graph *g)
{
	uint64_t in, out;

	if (!reader_number(r, &in) || !reader_number(r, &out))
		return false;
	if (in >= g->n_in || out >= g->n_coders || g->source[in] != SOURCE_NONE ||
	    g->into[out] != SOURCE_NONE) {
		g->is_tree = false;
		return true;
	}
	g->source[in] = (uint8_t)out;
	g->into[out] = owner_of(g, in);
	return true;
}

/* One packed stream is not listed: it is that of the input that nothing else leads to. */
static bool find_only_pack(struct sevenzip_graph *g)
{
	for (uint8_t i = 0; i < g->n_in; i++)
		if (g->source[i] == SOURCE_NONE) {
			g->source[i] = SOURCE_PACKED;
			return true;
		}
	return false;
}

static bool read_packs(struct sevenzip_reader *r, struct sevenzip_graph *g)
{
	for (uint8_t i = 0; i < g->n_packs; i++) {
		uint64_t in;

		if (!reader_number(r, &in))
			return false;
		if (in < g->n_in && g->source[in] == SOURCE_NONE)
			g->source[in] = (uint8_t)(SOURCE_PACKED | i);
		else
			g->is_tree = false;
	}
	return true;
}

/* Whether the output of each coder gets to the main one. It does so in fewer steps than there are
 * coders, or never. */
static bool leads_to_main(const struct sevenzip_graph *g, uint8_t coder)
{
	for (uint8_t steps = 0; steps < g->n_coders; steps++) {
		if (coder == g->main)
			return true;
		coder = g->into[coder];
		if (coder >= g->n_coders)
			return false;
	}
	return false;
}

static void judge(struct sevenzip_graph *g)
{
	for (uint8_t i = 0; i < g->n_coders; i++)
		if (g->into[i] == SOURCE_NONE)
			g->main = i;
	for (uint8_t i = 0; i < g->n_coders; i++)
		g->is_tree = g->is_tree && leads_to_main(g, i);
	for (uint8_t i = 0; i < g->n_in; i++)
		g->is_tree = g->is_tree && g->source[i] != SOURCE_NONE;
}

static bool read_bonds(struct sevenzip_reader *r, struct sevenzip_graph *g)
{
	const uint8_t n = (uint8_t)(g->n_coders > 0 ? g->n_coders - 1 : 0);

	memset(g->source, SOURCE_NONE, sizeof g->source);
	memset(g->into, SOURCE_NONE, sizeof g->into);
	for (uint8_t i = 0; i < n; i++)
		if (!read_bond(r, g))
			return false;
	g->is_tree = g->is_tree && g->n_in > n;
	g->n_packs = (uint8_t)(g->n_in > n ? g->n_in - n : 0);
	if (g->n_packs == 1) {
		if (!find_only_pack(g))
			g->is_tree = false;
	} else if (!read_packs(r, g)) {
		return false;
	}
	judge(g);
	return true;
}

bool sevenzip_read_graph(struct sevenzip_reader *r, struct sevenzip_graph *out)
{
	uint64_t n;

	out->n_coders = out->n_in = out->n_packs = out->main = 0;
	if (!reader_number(r, &n))
		return false;
	if (n > SEVENZIP_CODERS_MAX)
		return reader_fails(r, SEVENZIP_FORM);
	out->is_tree = n > 0;
	while (out->n_coders < n)
		if (!read_coder(r, out))
			return false;
	return read_bonds(r, out);
}
