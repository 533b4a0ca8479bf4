/* Toy shops: the facts that decoding gives.
 *
 * Format facts: conformance/spec/toy.md. */
#ifndef UVET_FORMATS_TOY_TOY_H
#define UVET_FORMATS_TOY_TOY_H

#define TOY_MAGIC 0x21594F54u
#define TOY_VERSION_LAST 2u
#define TOY_HAS_SHOP 1u
#define TOY_HAS_AGES 2u

#define FORMAT toy
#define FORMAT_DEF "formats/toy/toy.def"
#include "formats/declare.h"

/* A toy_row is an item. Where it lies follows from its number. */
struct toy_row {
	uint32_t id, price;
	uint32_t traits; /* enum toy_item_trait */
};

struct toy {
	uint64_t size; /* of the file */
	struct toy_tag tag;
	struct toy_header header;
	uint64_t context;  /* its version and flags, on which its records depend (core/layout.h) */
	uint64_t end;      /* where the header ends; if it was truncated, where it begins */
	uint64_t item_len; /* bytes of an item */
	bool is_truncated; /* too few bytes lie at `end` */
	struct toy_row *rows;
	uint64_t n_rows;
	uint32_t traits; /* that any item has */
	struct toy_trailer trailer;
	const struct group *groups; /* the stops of these facts */
};

#define FORMAT toy
#define FORMAT_DEF "formats/toy/toy.def"
#include "formats/declare_tables.h"

extern const struct format toy_format;

#endif
