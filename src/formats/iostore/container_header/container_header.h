/* The container header chunk: which packages a container has, and what they import. Source:
 * conformance/spec/iostore.md, 8 and 9. */
#ifndef UVET_FORMATS_IOSTORE_CONTAINER_HEADER_CONTAINER_HEADER_H
#define UVET_FORMATS_IOSTORE_CONTAINER_HEADER_CONTAINER_HEADER_H

#include "core/text.h"
#include "formats/iostore/names/names.h"
#include "formats/iostore/toc/toc.h"

struct zen;

#define CONTAINER_MAGIC 0x496F436Eu
#define CONTAINER_IMPORT_LEN 8u
#define CONTAINER_HASH_LEN 20u
#define CONTAINER_PAD_MAX 16u /* the chunk may be padded to a multiple of this */

/* The forms, in the order of their age. */
enum container_version {
	CONTAINER_PRE_INITIAL = -1, /* UE4, entries of 16 bytes */
	CONTAINER_INITIAL = 0,      /* UE4, entries of 32 bytes */
	CONTAINER_LOCALIZED_PACKAGES = 1,
	CONTAINER_OPTIONAL_SEGMENTS = 2,
	CONTAINER_NO_EXPORT_INFO = 3,
	CONTAINER_SOFT_REFERENCES = 4,
	CONTAINER_SOFT_REFERENCES_OFFSET = 5,
};

/* ---- Where everything lies ------------------------------------------------------------------- */

/* The parts; a form has some of them. */
enum container_part_name {
	PART_HEAD,
	PART_PACKAGE_COUNT, /* in UE4 part of the head */
	PART_FORK,          /* a number that the engine of one game adds */
	PART_NAMES,         /* the names' bytes; in UE5 the whole batch */
	PART_HASHES,        /* of UE4, the names' hashes */
	PART_IDS,
	PART_ENTRIES,
	PART_OPTIONAL_IDS,
	PART_OPTIONAL_ENTRIES,
	PART_CULTURES,  /* of UE4 */
	PART_CULTURE,   /* the culture that was read last: its name or its pairs */
	PART_LOCALIZED, /* since UE5 */
	PART_REDIRECTS,
	PART_SOFT_FLAG,
	PART_SOFT_PLACE,
	PART_SOFT_IDS,
	PART_SOFT_ENTRIES,
	PART_N
};

struct container_part {
	uint64_t count_at; /* where its count stands, or its first field */
	uint64_t at, len;  /* what follows that */
	uint64_t n;        /* the count: rows, or bytes */
	bool is_there;     /* all of it */
};

/* A walk says where the parts lie, and which is the first that the chunk is too short for. Offsets
 * are from the start of the chunk. */
struct container_walk {
	struct cursor c;
	struct container_part parts[PART_N];
	enum container_part_name cut; /* PART_N: none */
	/* where its bytes should begin, how many it needs, and how many are left */
	uint64_t cut_at, cut_wants, cut_left;
	uint32_t groups;  /* that were walked to their end, as GROUP gives them */
	uint32_t blocked; /* the group in which the walk ended */
	uint64_t end;     /* where the last part ends */
};

/* ---- Packages -------------------------------------------------------------------------------- */

/* How a store entry is laid out, as offsets in it; has_hashes and has_counts say whether the form
 * has these fields. */
struct container_shape {
	uint32_t entry_len, imports_at, hashes_at, exports_at;
	bool has_hashes, has_counts;
};

/* Two lists of packages have the same form: the container's own, and those of an optional
 * segment. */
struct container_packages {
	struct container_package_id_rows ids;
	struct held entries; /* n entries, and the rows that their views refer to */
	uint64_t n, ids_at, entries_at;
	uint16_t *traits;   /* n of enum container_package_trait */
	uint32_t seen;      /* traits that any has */
	struct order order; /* by id */
	uint64_t unsorted;  /* the first id that is below the one before it; n: none */
	bool short_entries; /* there are fewer bytes than n entries need */
	/* in the rows that views refer to, and where the first is */
	uint64_t n_gaps, n_overlaps, untidy_at;
};
KEEPS(container_package, struct container_packages, traits[0]);

struct container_view {
	uint64_t n, offset; /* relative to the view itself */
	uint64_t at, start; /* of the view and of its rows, relative to the first entry */
};

/* A package as rules see it. */
struct container_package {
	uint64_t id, id_at, entry_at;
	uint64_t index; /* in its list */
	bool optional;
	uint32_t traits;
	uint32_t chunk; /* its chunk, or TOC_NONE */
	uint64_t bundles_size, load_order, pad;
	int64_t exports, bundles;
	struct container_view imports, hashes;
};

/* What a package says of its exports and bundles. */
struct container_counts {
	bool has_bundles; /* their number is known */
	uint64_t exports, bundles;
};

/* The first import in which a store entry and its package differ. */
struct container_import {
	uint64_t index; /* in the store entry; its number of imports if the package has more */
	uint64_t id;    /* what the package imports there; 0: it imports no more */
};

/* A stray is a package's chunk that the header does not list. */
struct container_stray {
	uint32_t chunk;
};

/* ---- Localized packages and redirects -------------------------------------------------------- */

enum container_link_kind { LINK_LOCALIZED, LINK_REDIRECT, LINK_CULTURE, LINK_OLD_REDIRECT };

/* What is kept of a row, and the row as rules see it. */
struct container_link {
	uint32_t at;
	uint8_t kind, traits;
};
KEEPS(container_link, struct container_link, traits);

struct container_link_row {
	uint64_t at, index, source, target, name, number;
	enum container_link_kind kind;
	uint32_t traits;
};

/* ---- Soft references ------------------------------------------------------------------------- */

/* What is wrong with the place of the block of soft references. */
enum container_soft_fault {
	SOFT_PLACE_FINE,
	SOFT_PLACE_NEGATIVE,
	SOFT_PLACE_OUTSIDE,
	SOFT_PLACE_ELSEWHERE
};

struct container_soft {
	uint64_t n; /* packages, or 0: there are no soft references */
	uint64_t n_ids;
	uint64_t flag;
	struct container_soft_place place;
	enum container_soft_fault fault;
	uint64_t block_end, used_end; /* where the block ends, and what was read of it */
	bool overrun;                 /* it is too short for its own counts */
	uint8_t *traits;
	uint32_t seen;
};
KEEPS(container_soft, struct container_soft, traits[0]);

struct container_soft_row {
	uint64_t at, index, n, offset;
	uint32_t traits;
};

/* ---- All of it ------------------------------------------------------------------------------- */

struct container_header {
	struct held held; /* the chunk, decoded; no bytes: it could not be read, or there is none */
	uint32_t chunk;   /* its number */
	struct span id_at; /* its id in the .utoc, where stops of decoding are reported */
	int version;       /* enum container_version, where CONTAINER_HEAD was decoded */
	uint64_t n_packages;
	const uint32_t *chunk_of; /* n_packages: each one's chunk, or TOC_NONE */

	bool has_magic;
	uint64_t claimed;                     /* the version that the head names */
	uint64_t container_id, package_count; /* package_count: only in UE4 and version 1 */
	struct container_walk walk;
	struct container_shape shape;
	struct container_packages packages, optional;
	struct container_stray *strays;
	uint64_t n_strays;
	struct name_batch names; /* of localized packages and redirects */
	struct container_link *links;
	uint64_t n_links;
	uint32_t link_traits; /* that any has */
	struct container_soft soft;
	struct span trailing;   /* after the last part */
	uint64_t trailing_used; /* up to its last byte that is not 0 */
};

/* container_header_open looks for the chunk. true: the caller reads its bytes, at most *most,
 * into h->held, or sets NULL there and notes the stop of CONTAINER_BYTES; then it calls
 * container_header_decode. false: there is no chunk, or it cannot be read; the stops of the
 * groups CONTAINER_... say which. */
UVET_MUST_USE bool container_header_open(struct decode *d, const struct toc *t,
					 struct container_header *h, uint64_t *most);

/* container_header_decode reads all parts of the chunk. It notes the stops of the groups
 * CONTAINER_... */
void container_header_decode(struct decode *d, const struct toc *t, struct container_header *h);

/* container_has_counts tells whether store entries have counts of exports, container_has_imports
 * whether packages of this version say what they import; false too where CONTAINER_PACKAGES was not
 * decoded. */
bool container_has_counts(const struct decode *d, const struct container_header *h);
bool container_has_imports(const struct decode *d, const struct container_header *h);

/* container_counts_differ tells whether a store entry has other counts than its package, and which
 * the package has; container_imports_differ whether it has other imports, and which is the
 * first. */
bool container_counts_differ(const struct container_package *entry, const struct zen *package,
			     struct container_counts *out);
bool container_imports_differ(const struct container_header *h,
			      const struct container_package *entry, const struct zen *package,
			      struct container_import *out);

/* container_package_of gives the package with that id and that chunk; false: there is none.
 * CONTAINER_PACKAGES was decoded. */
bool container_package_of(const struct container_header *h, uint64_t id, uint64_t chunk,
			  struct container_package *out);

/* container_view_x makes rows of a table; see struct table. */
void container_view_packages(const struct container_header *h, uint64_t first, uint64_t n,
			     void *rows);
void container_view_links(const struct container_header *h, uint64_t first, uint64_t n, void *rows);
void container_view_soft(const struct container_header *h, uint64_t first, uint64_t n, void *rows);

/* container_header_field says where in the chunk a field is, of a record that begins at `at`. */
struct span container_header_field(const struct container_header *h, const struct layout *l,
				   uint64_t at, size_t field);

#endif
