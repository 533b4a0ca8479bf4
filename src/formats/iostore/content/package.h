/* Reads the headers of packages while a container is checked: a worker collects them from the
 * blocks that it decodes. */
#ifndef UVET_FORMATS_IOSTORE_CONTENT_PACKAGE_H
#define UVET_FORMATS_IOSTORE_CONTENT_PACKAGE_H

#include "core/arena.h"
#include "core/rows.h"
#include "formats/iostore/zen_package/zen.h"

/* The longest header that a worker reads. A package with a longer one is judged as a file in the
 * container. */
#define PACKAGE_HEADER_MAX UINT64_C(1048576)

/* How many of its first bytes tell how long a package's header is, and how many last ones are
 * read. */
enum { PACKAGE_FIRST = ZEN_SUMMARY_MOST, PACKAGE_LAST = 4 };

/* A package_reader collects what of one package after the other is read. */
struct package_reader {
	struct arena arena;
	struct arena_mark start;
	const struct package_claims *form; /* of any package of the container */
	uint64_t length;                   /* of the package */
	uint8_t first[PACKAGE_FIRST];
	uint64_t n_first;
	const uint8_t *header; /* NULL: not all of it has been there */
	uint64_t header_len;
	uint8_t *copy; /* of a header of several blocks, of which n_copied bytes came */
	uint64_t n_copied;
	uint8_t last[PACKAGE_LAST];
	uint64_t n_last;
	bool goes_on;   /* every block was decoded so far, and the header is not too long */
	bool no_memory; /* for the copy */
};

/* package_reader_open makes a reader; no more than `budget` bytes are held for a package at a
 * time. package_reader_close frees them. */
void package_reader_open(struct package_reader *r, struct allocator allocator, uint64_t budget,
			 const struct package_claims *form);
void package_reader_close(struct package_reader *r);

/* package_reader_begin begins a package of a length. package_reader_add takes the next bytes of
 * it, which stay where they are until the next call; none: they could not be decoded. */
void package_reader_begin(struct package_reader *r, uint64_t length);
void package_reader_add(struct package_reader *r, struct held bytes);

#endif
