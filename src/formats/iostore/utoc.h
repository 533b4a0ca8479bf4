/* IoStore containers: the facts that decoding gives. A container is a .utoc, the tables, and one .ucas or several, the bytes; they hold
 * chunks, which are packages and what belongs to them.
 *
 * Format facts: conformance/spec/iostore.md. */
#ifndef UVET_FORMATS_IOSTORE_UTOC_H
#define UVET_FORMATS_IOSTORE_UTOC_H

#include "formats/format.h"
#include "formats/iostore/conthdr/conthdr.h"
#include "formats/iostore/directory/directory.h"
#include "formats/iostore/payload/payload.h"
#include "formats/iostore/toc/toc.h"

enum utoc_group {
	UTOC_FILE,              /* the file's size, and its header if it is long enough */
	UTOC_VERSION,           /* the magic, and a version that we know */
	UTOC_HEADER,            /* a header from which the sections follow */
	UTOC_SECTIONS,          /* where each section lies; those that the file has whole */
	UTOC_CHUNKS,            /* ids and ranges */
	UTOC_BLOCKS,
	UTOC_METHODS,           /* the names of compression methods */
	UTOC_PERFECT_HASH,
	UTOC_METAS,
	UTOC_SIGNATURES,        /* whether the signatures verify, where there is a key for them */
	UTOC_SET,               /* the files beside it were looked for */
	UTOC_PAK,               /* the footer of the .pak */
	UTOC_PARTITIONS,        /* the .ucas files, and how long they are */
	UTOC_RANGES,            /* how blocks lie in them */
	UTOC_INDEX,             /* the bytes of the directory index, decrypted */
	UTOC_INDEX_TABLES,      /* its counts, tables and strings */
	UTOC_TREE,              /* what is reached from its root */
	UTOC_KEY,               /* whether a key fits */
	UTOC_PAYLOAD,           /* the chunks that can be decoded were */
	UTOC_HASHES,            /* and their hashes were compared */
	UTOC_CONTENT,           /* every chunk was */
	UTOC_SIGNED_BLOCKS,     /* the hash of every stored block was compared */
	CONTHDR_BYTES,          /* the container header's chunk */
	CONTHDR_HEAD,           /* its version and the container's id */
	CONTHDR_PACKAGES,       /* ids and store entries */
	CONTHDR_NAMES,          /* the names of redirects */
	CONTHDR_MAPS,           /* localized packages and redirects */
	CONTHDR_SOFT,           /* soft references */
	CONTHDR_END,            /* everything to the chunk's end */
	UTOC_N_GROUPS
};

/* The tables for EACH rules. Every module names its own; the numbers are given here once. */
enum utoc_table {
	UTOC_CHUNK_ROWS = 1,    /* toc: a chunk, its id and its range */
	UTOC_BLOCK_ROWS,        /* toc: a block */
	UTOC_METHOD_ROWS,       /* toc: a method's name */
	UTOC_SEED_ROWS,         /* toc: a seed */
	UTOC_OVERFLOW_ROWS,     /* toc: a chunk without perfect hash */
	UTOC_META_ROWS,         /* toc: a chunk's meta */
	UTOC_CHUNK_PAIR_ROWS,   /* toc: two chunks of one id */
	UTOC_STORED_ROWS,       /* payload: a block's place in its .ucas */
	UTOC_PARTITION_ROWS,    /* payload: a .ucas */
	UTOC_PLACED_ROWS,       /* payload: a .ucas or a chunk, and whether all of it is there */
	UTOC_PAYLOAD_ROWS,      /* payload: a chunk or a block whose content is not right */
	UTOC_DIRECTORY_ROWS,    /* directory: a directory */
	UTOC_FILE_ROWS,         /* directory: a file */
	UTOC_STRING_ROWS,       /* directory: a string */
	UTOC_FILE_PAIR_ROWS,    /* directory: two files or directories of one name, or of one chunk */
	CONTHDR_PACKAGE_ROWS,   /* conthdr: a package's id and store entry, then those of an optional segment */
	CONTHDR_STRAY_ROWS,     /* conthdr: a package's chunk that the header does not list */
	CONTHDR_NAME_ROWS,      /* conthdr: a name */
	CONTHDR_REDIRECT_ROWS,  /* conthdr: a localized package or a redirect */
	CONTHDR_SOFT_ROWS,      /* conthdr: a package's soft references */
	UTOC_N_TABLES
};

struct utoc {
	struct toc toc;
	struct directory directory;
	struct payload payload;
	struct conthdr conthdr;
	const struct group *groups;             /* the stops of these facts */
};

extern const struct format utoc_format;

#endif
