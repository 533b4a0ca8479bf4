/* A reference reading of a container header, slow and from the specification. Source:
 * conformance/spec/iostore.md, 8 and 9. */
#ifndef UVET_FUZZ_REFERENCE_REFERENCE_CONTAINER_HEADER_H
#define UVET_FUZZ_REFERENCE_REFERENCE_CONTAINER_HEADER_H

#include <stdbool.h>
#include <stdint.h>

/* The longest chunk that is read, and the most names and maps that one can have: two bytes are a
 * name, eight a culture. */
enum {
	CONTAINER_LEN_MAX = 1 << 16,
	CONTAINER_NAMES_MAX = CONTAINER_LEN_MAX / 2,
	CONTAINER_MAPS_MAX = CONTAINER_LEN_MAX / 8 + 2
};

/* Where a count led out of the chunk. */
enum reference_cut { CUT_NOWHERE, CUT_COUNT, CUT_NAMES, CUT_CULTURE };

/* Rows: where the first stands, and how many there are. */
struct reference_rows {
	uint64_t at, n;
};

/* Packages: their ids, and the bytes of their store entries, `each` for one. */
struct reference_packages {
	struct reference_rows ids, entries;
	uint64_t each;
	bool is_read; /* both lists, to their ends */
};

struct reference_name {
	uint64_t at, n, hash; /* the characters: where, how many; and the hash that is stored */
	bool wide;
};

/* What a map's rows are: a source alone or with a target, and with a name or not. */
struct reference_map {
	struct reference_rows rows;
	uint64_t each;
	bool has_target, has_name;
};

struct reference_container_header {
	const uint8_t *p;
	uint64_t len, end; /* end: after what was read */
	uint64_t limit;    /* where reading has to end */
	enum reference_cut cut;
	bool magic, known; /* known: the head is whole, and of a form that there is */
	int form; /* -1: of UE4, with short entries; 0: with long ones; 1 to 5: the version */
	uint64_t claimed, container, package_count;
	bool fork;
	bool has_packages, has_names, has_maps, has_soft, has_end; /* all of it lies in the chunk */
	struct reference_packages packages, optional;
	struct reference_rows name_bytes, hashes; /* of UE4 */
	/* of UE4: the names end where their bytes do; the hashes are whole ones, and one is
	 * there */
	bool names_end, hashes_fit;
	/* of UE5: the characters' bytes, as the batch says, and as the names say */
	uint64_t names_len, names_sum;
	uint64_t algorithm, n_names, n_hashes;
	bool names_good; /* names are those of n_names */
	struct reference_name names[CONTAINER_NAMES_MAX];
	uint64_t n_maps;
	struct reference_map maps[CONTAINER_MAPS_MAX];
	uint64_t flag;                  /* of soft references */
	bool soft_astray, soft_overrun; /* their place is none; they need more than their size */
	uint64_t soft_end, soft_used;   /* where they end by their size, and by their counts */
	struct reference_rows soft_ids, soft_entries;
};

/* reference_container_header_read reads a chunk of at most CONTAINER_LEN_MAX bytes, of a .utoc of
 * that version. */
void reference_container_header_read(struct reference_container_header *h, const uint8_t *p,
				     uint64_t len, uint64_t toc_version);

/* A view of a store entry: n rows, `start` bytes after where the first entry begins. */
struct reference_view {
	uint64_t n, offset, start;
	bool inside; /* after all entries, and in their bytes */
};

/* reference_view_of returns the view that stands `in` bytes into entry i, to rows of `each`
 * bytes. */
struct reference_view reference_view_of(const struct reference_container_header *h,
					const struct reference_packages *l, uint64_t i, uint64_t in,
					uint64_t each);

/* Where in an entry of that form the views of imports and of shader maps stand, and its counts;
 * UINT64_MAX: it has none. */
uint64_t reference_imports_in(int form);
uint64_t reference_hashes_in(int form);
uint64_t reference_counts_in(int form);

#endif
