/* A package inside a container (Epic: a zen package): what its chunk says of its exports and
 * imports. Source: conformance/spec/iostore.md, 8.21, 8.38 and 9. */
#ifndef UVET_FORMATS_IOSTORE_ZEN_PACKAGE_ZEN_PACKAGE_H
#define UVET_FORMATS_IOSTORE_ZEN_PACKAGE_ZEN_PACKAGE_H

#include "formats/iostore/toc/toc.h"

/* The forms. A package does not say which one it has; the container header's version does. */
enum zen_form {
	ZEN_INITIAL, /* 4.26 and 4.27: its graph has the ids of the packages it imports */
	ZEN_COUNTED, /* 5.0 to 5.2: export bundles, and no imported packages */
	ZEN_NAMED,   /* since 5.3: the names of the packages it imports */
};

/* ---- Names ----------------------------------------------------------------------------------- */

#define ZEN_NAME_MAX 1023u /* characters of a name; the engine's buffer has one more */

/* A zen_name is what the two bytes of an FSerializedNameHeader say. */
struct zen_name {
	uint64_t n_units; /* its characters */
	bool wide;        /* they have two bytes each */
};

/* zen_name_of reads the head of a name, zen_name_len is how many bytes its characters have. */
struct zen_name zen_name_of(struct zen_name_head_row head);
uint64_t zen_name_len(struct zen_name name);

/* zen_lower is an ASCII letter in lower case; any other byte stays. */
static inline uint8_t zen_lower(uint8_t c)
{
	return c >= 'A' && c <= 'Z' ? (uint8_t)(c + 32) : c;
}

/* zen_id_of_name computes the id of the package of a name: its characters, of two bytes each if it
 * is wide, and a mapped name's number. false: the id is not known, because the name has letters
 * outside ASCII or is longer than ZEN_NAME_MAX. */
bool zen_id_of_name(struct held name, bool wide, uint64_t number, uint64_t *id);

/* ---- Exports --------------------------------------------------------------------------------- */

/* The numbers of exports and of export bundles. */
struct zen_counts {
	/* these numbers are valid; those of bundles only if those of exports are */
	bool has_exports, has_bundles;
	uint64_t exports, bundles;
};

/* The state of counting the bundles of ZEN_COUNTED, whose blocks come one after another. */
struct zen_bundles {
	uint64_t before; /* bytes still to come before the bundles begin */
	/* entries of the bundles so far, and of all; 0: there is nothing to count */
	uint64_t entries, wanted;
	uint8_t row[16]; /* a bundle's record, of which `held` bytes have come */
	uint64_t held;
};

/* zen_count_exports reads the counts of ZEN_INITIAL or ZEN_COUNTED from the first n bytes of a
 * package of `length`: ZEN_SUMMARY_MAX bytes are enough. zen_count_bundles goes on with the bytes
 * that follow. */
enum { ZEN_SUMMARY_MAX = 64 };
void zen_count_exports(enum zen_form form, const uint8_t *bytes, uint64_t n, uint64_t length,
		       struct zen_counts *out, struct zen_bundles *w);
void zen_count_bundles(struct zen_bundles *w, struct held bytes, struct zen_counts *out);

/* ---- Imports --------------------------------------------------------------------------------- */

/* The ids of the packages that it imports: of ZEN_INITIAL sorted, of ZEN_NAMED in its order. */
struct zen_imports {
	/* one for each ZEN_IMPORT_LEAST bytes that are read; NULL: they are not wanted */
	uint64_t *ids;
	uint64_t n;
	bool are_known; /* what the package says is valid */
};
#define ZEN_IMPORT_LEAST 12u

/* zen_read_imports reads them from the first n bytes of a package of ZEN_INITIAL or ZEN_NAMED.
 * out->ids has space for n / ZEN_IMPORT_LEAST. */
void zen_read_imports(enum zen_form form, const uint8_t *bytes, uint64_t n,
		      struct zen_imports *out);

/* zen_imports_have tells whether a sorted list has an id. */
bool zen_imports_have(const struct zen_imports *x, uint64_t id);

#endif
