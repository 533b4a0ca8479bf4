/* The coders of 7z: which there are, who decodes them, and what memory they need. Source:
 * conformance/spec/sevenzip.md, 3.5. */
#include "codec/coder_work.h"
#include "codec/libarchive.h"
#include "core/checked.h"
#include "formats/archive/sevenzip/graph.h"

enum coder_kind {
	CODER_STRANGE,
	CODER_COPY,
	CODER_LINK, /* of a chain: `link` */
	CODER_LIBRARY,
	CODER_ENCRYPTION,
};

#define ID_BCJ2 UINT64_C(0x0303011B)
#define ID_PPMD UINT64_C(0x030401)
#define ID_BZIP2 UINT64_C(0x040202)
#define ID_LZMA UINT64_C(0x030101)
#define ID_LZMA2 UINT64_C(0x21)

/* Those that the current 7-Zip, its forks and libarchive know. */
static const struct coder_row {
	uint64_t id;
	const char *name;
	enum coder_kind kind;
	enum chain_method link;
} coders[] = {
	{ 0x00, "copy", CODER_COPY, 0 },
	{ 0x03, "delta", CODER_LINK, CHAIN_DELTA },
	{ 0x04, "BCJ", CODER_LINK, CHAIN_X86 },
	{ 0x05, "BCJ of PowerPC", CODER_LINK, CHAIN_POWERPC },
	{ 0x06, "BCJ of IA-64", CODER_LINK, CHAIN_IA64 },
	{ 0x07, "BCJ of ARM", CODER_LINK, CHAIN_ARM },
	{ 0x08, "BCJ of ARM Thumb", CODER_LINK, CHAIN_ARM_THUMB },
	{ 0x09, "BCJ of SPARC", CODER_LINK, CHAIN_SPARC },
	{ 0x0A, "BCJ of ARM64", CODER_LINK, CHAIN_ARM64 },
	{ 0x0B, "BCJ of RISC-V", CODER_LINK, CHAIN_RISCV },
	{ ID_LZMA2, "LZMA2", CODER_LINK, CHAIN_LZMA2 },
	{ ID_LZMA, "LZMA", CODER_LINK, CHAIN_LZMA },
	{ 0x03030103, "BCJ", CODER_LINK, CHAIN_X86 },
	{ ID_BCJ2, "BCJ2", CODER_LIBRARY, 0 },
	{ 0x03030205, "BCJ of PowerPC", CODER_LINK, CHAIN_POWERPC },
	{ 0x03030401, "BCJ of IA-64", CODER_LINK, CHAIN_IA64 },
	{ 0x03030501, "BCJ of ARM", CODER_LINK, CHAIN_ARM },
	{ 0x03030701, "BCJ of ARM Thumb", CODER_LINK, CHAIN_ARM_THUMB },
	{ 0x03030805, "BCJ of SPARC", CODER_LINK, CHAIN_SPARC },
	{ ID_PPMD, "PPMd", CODER_LIBRARY, 0 },
	{ 0x040108, "deflate", CODER_LIBRARY, 0 },
	{ ID_BZIP2, "bzip2", CODER_LIBRARY, 0 },
	{ 0x06F10701, "AES", CODER_ENCRYPTION, 0 },
	{ 0x020302, "a swap of 2 bytes", CODER_STRANGE, 0 },
	{ 0x020304, "a swap of 4 bytes", CODER_STRANGE, 0 },
	{ 0x03030301, "BCJ of Alpha", CODER_STRANGE, 0 },
	{ 0x03030605, "BCJ of M68", CODER_STRANGE, 0 },
	{ 0x040109, "deflate64", CODER_STRANGE, 0 },
	{ 0x04F71101, "Zstandard", CODER_STRANGE, 0 },
	{ 0x04F71102, "Brotli", CODER_STRANGE, 0 },
	{ 0x04F71104, "LZ4", CODER_STRANGE, 0 },
	{ 0x04F71105, "LZ5", CODER_STRANGE, 0 },
	{ 0x04F71106, "Lizard", CODER_STRANGE, 0 },
};

static const struct coder_row *row_of(uint64_t id)
{
	static const struct coder_row unknown = { 0, "a coder that is not known", CODER_STRANGE,
						  0 };

	for (size_t i = 0; i < sizeof coders / sizeof *coders; i++)
		if (coders[i].id == id)
			return &coders[i];
	/* all of them in this range are encryption: of archives, of zip, of rar */
	return id >> 16 == 0x06F1 || id >> 8 == 0x06F1 ? row_of(UINT64_C(0x06F10701)) : &unknown;
}

const char *sevenzip_coder_name(uint64_t id)
{
	return row_of(id)->name;
}

/* ---- Properties ------------------------------------------------------------------------------ */

/* LZMA2 says the size of its dictionary in a byte: 2 or 3 times a power of two; 40 is 4 GiB - 1. */
enum { LZMA2_LARGEST = 40 };

static bool read_lzma2(struct held p, struct chain_link *link)
{
	const uint64_t byte = held_u8(p, 0);

	if (p.len != 1 || byte > LZMA2_LARGEST)
		return false;
	link->dictionary = byte == LZMA2_LARGEST
				   ? UINT32_MAX
				   : (uint32_t)((UINT64_C(2) | (byte & 1)) << (byte / 2 + 11));
	return true;
}

static bool read_link(const struct sevenzip_coder *c, uint64_t size, struct chain_link *link)
{
	const struct held p = c->properties;

	link->size = size;
	switch (link->method) {
	case CHAIN_LZMA:
		link->properties = (uint8_t)held_u8(p, 0);
		link->dictionary = (uint32_t)held_u32(p, 1);
		return p.len == 5;
	case CHAIN_LZMA2:
		return read_lzma2(p, link);
	case CHAIN_DELTA:
		link->properties = (uint8_t)held_u8(p, 0);
		return p.len == 1;
	default: /* a filter may say at which address it begins; nobody writes that */
		return p.len == 0;
	}
}

/* What libarchive takes for a coder beyond the buffers that it always has. */
static uint64_t library_memory(const struct sevenzip_coder *c)
{
	if (c->id == ID_PPMD)
		return held_u32(c->properties, 1);
	return 0;
}

/* ---- The plan -------------------------------------------------------------------------------- */

/* The links of a chain stand in the order in which the encoder went: from the folder's bytes to the
 * packed ones. */
static bool chain_up(const struct sevenzip_graph *g, const uint64_t *sizes, struct sevenzip_plan *p)
{
	uint8_t coder = g->main;

	for (size_t i = 0; i < g->n_coders; i++) {
		const struct sevenzip_coder *c = &g->coders[coder];
		const struct coder_row *row = row_of(c->id);

		if (row->kind != CODER_LINK || c->n_in != 1 || i >= CHAIN_MAX)
			return false;
		p->links[i] = (struct chain_link){ .method = row->link };
		if (!read_link(c, sizes[coder], &p->links[i]))
			return false;
		p->n_links++;
		coder = g->source[c->first_in];
	}
	return unchain_knows(p->links, p->n_links);
}

/* The dearest coder counts, however many there are. */
static void add_work(const struct sevenzip_coder *c, struct sevenzip_plan *p)
{
	switch (c->id) {
	case ID_PPMD:
		p->work_out = PPMD_WORK_OUT;
		return;
	case ID_BZIP2:
		if (p->work_out < BZIP2_WORK_OUT)
			p->work_out = BZIP2_WORK_OUT;
		return;
	case ID_LZMA:
	case ID_LZMA2:
		p->work_in = LZMA_WORK_IN;
		return;
	default:
		return;
	}
}

/* Finds what no decoder knows, and sums up the memory. */
static void look_at_coders(const struct sevenzip_graph *g, struct sevenzip_plan *p,
			   bool *is_strange)
{
	for (uint8_t i = 0; i < g->n_coders; i++) {
		const struct sevenzip_coder *c = &g->coders[i];
		const struct coder_row *row = row_of(c->id);
		struct chain_link link = { .method = row->link };

		if (row->kind == CODER_STRANGE && !*is_strange) {
			*is_strange = true;
			p->strange = c->id;
		}
		p->is_encrypted = p->is_encrypted || row->kind == CODER_ENCRYPTION;
		if (row->kind == CODER_LINK && read_link(c, 0, &link))
			p->memory = capped_add(p->memory, link.dictionary);
		p->memory = capped_add(p->memory, library_memory(c));
		add_work(c, p);
	}
}

static bool is_chain(const struct sevenzip_graph *g)
{
	for (uint8_t i = 0; i < g->n_coders; i++)
		if (row_of(g->coders[i].id)->kind != CODER_LINK)
			return false;
	return true;
}

/* What a chain has that older versions of liblzma, or all of them, do not decode. */
static const char *lacking_link(const struct sevenzip_coder *c)
{
	struct chain_link link = { .method = row_of(c->id)->link };

	if (link.method == CHAIN_ARM64 || link.method == CHAIN_RISCV)
		return "a newer liblzma";
	if (link.method == CHAIN_LZMA && read_link(c, 0, &link) && link.properties <= 224 &&
	    link.properties % 9 + link.properties / 9 % 5 > 4)
		return "lzma with lc + lp above 4";
	return NULL;
}

static const char *lacking_chain(const struct sevenzip_graph *g)
{
	static const struct chain_link usual = { .method = CHAIN_LZMA2 };
	const char *lacks = NULL;

	if (!unchain_knows(&usual, 1))
		return "liblzma";
	for (uint8_t i = 0; i < g->n_coders && !lacks; i++)
		lacks = lacking_link(&g->coders[i]);
	return lacks;
}

struct sevenzip_plan sevenzip_plan_folder(const struct sevenzip_graph *g, const uint64_t *sizes)
{
	struct sevenzip_plan p = { .route = ROUTE_NONE };
	bool is_strange = false;

	look_at_coders(g, &p, &is_strange);
	p.is_strange = is_strange;
	if (is_strange || p.is_encrypted)
		return p;
	if (g->n_coders == 1 && row_of(g->coders[0].id)->kind == CODER_COPY) {
		p.route = ROUTE_COPY;
		return p;
	}
	if (chain_up(g, sizes, &p)) {
		p.route = ROUTE_CHAIN;
		return p;
	}
	p.lacks = is_chain(g) ? lacking_chain(g) : NULL;
	if (!p.lacks && !unarchive_is_available())
		p.lacks = "libarchive";
	if (!p.lacks)
		p.route = ROUTE_LIBRARY;
	return p;
}
