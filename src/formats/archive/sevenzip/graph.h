/* The coders of a folder, and how their streams lead into each other. */
#ifndef UVET_FORMATS_ARCHIVE_SEVENZIP_GRAPH_H
#define UVET_FORMATS_ARCHIVE_SEVENZIP_GRAPH_H

#include "codec/unchain.h"
#include "formats/archive/sevenzip/names.h"
#include "formats/archive/sevenzip/reader.h"

struct sevenzip_coder {
	uint64_t id; /* its bytes as one number, the first is the highest */
	struct held properties;
	uint8_t n_in, first_in; /* its streams of input, among those of the folder */
};

/* Where a stream of input comes from: the coder of that number, or SOURCE_PACKED and the number
 * of a packed stream. */
enum { SOURCE_PACKED = 0x80, SOURCE_NONE = 0xFF };

struct sevenzip_graph {
	struct sevenzip_coder coders[SEVENZIP_CODERS_MAX];
	uint8_t source[SEVENZIP_INS_MAX];  /* of each stream of input */
	uint8_t into[SEVENZIP_CODERS_MAX]; /* the coder that takes each one's output */
	uint8_t n_coders, n_in, n_packs;
	uint8_t main; /* the coder whose output is the folder's */
	bool is_tree; /* everything leads there, and all input comes from somewhere */
};

/* sevenzip_read_graph reads the description of a folder. false: it cannot be read. */
UVET_MUST_USE bool sevenzip_read_graph(struct sevenzip_reader *r, struct sevenzip_graph *out);

/* How a folder is decoded. */
enum sevenzip_route {
	ROUTE_NONE,    /* there is no decoder for one of its coders */
	ROUTE_COPY,    /* it is not compressed */
	ROUTE_CHAIN,   /* through codec/unchain.h */
	ROUTE_LIBRARY, /* through codec/libarchive.h */
};

/* A sevenzip_plan says how, and what it takes. */
struct sevenzip_plan {
	enum sevenzip_route route;
	struct chain_link links[CHAIN_MAX];
	size_t n_links;
	uint64_t memory; /* bytes that the coders say they need */
	/* units of work for a byte that goes in, and one that comes out; 0: as reading costs */
	uint8_t work_in, work_out;
	bool is_encrypted, is_strange;
	uint64_t strange;  /* is_strange: the id of the coder that nothing decodes */
	const char *lacks; /* what this build lacks for it; NULL: nothing */
};

/* sevenzip_plan_folder finds the way to decode a folder, whose graph is a tree. sizes are what its
 * coders decode to. */
struct sevenzip_plan sevenzip_plan_folder(const struct sevenzip_graph *g, const uint64_t *sizes);

#endif
