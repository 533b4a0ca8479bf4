/* What headers before a member's own say of it. Source: conformance/spec/tar.md, 2.6 to 2.8. */
#ifndef UVET_FORMATS_ARCHIVE_TAR_PAX_H
#define UVET_FORMATS_ARCHIVE_TAR_PAX_H

#include "formats/archive/tar/tar.h"

/* A tar_said is one thing that such headers say: nothing, if len is 0. */
struct tar_said {
	struct held value;
	uint64_t at; /* where it is in the file */
};

/* A tar_before is all of them together, about the next member. It begins with zeros. */
struct tar_before {
	struct tar_said path, link, size;     /* of pax */
	struct tar_said sparse_path;          /* GNU.sparse.name, which goes before path */
	struct tar_said real_size;            /* GNU.sparse.size or .realsize, SCHILY.realsize */
	struct tar_said long_path, long_link; /* of GNU */
	/* the records with the keys of sparse files, and which of their forms they say */
	struct held sparse_records;
	struct tar_said sparse_major, sparse_minor;
	bool is_sparse, is_sparse_twice;
	bool is_binary;    /* hdrcharset=BINARY: names are in no encoding that is known */
	bool has_pax;      /* there is one with records about the next member alone */
	bool is_of_next;   /* there is one that is about the next member alone: */
	uint64_t at;       /* the first is there */
	uint32_t traits;   /* enum tar_header_trait: of what is wrong with them */
	uint64_t wrong_at; /* where the first header with a trait is */
};

/* tar_read_pax takes the records of a pax header. It returns what is wrong with them. */
uint32_t tar_read_pax(struct held records, uint64_t at, struct tar_before *b);

/* tar_next_record gives the next of well-formed records, from *from on. */
UVET_MUST_USE bool tar_next_record(struct held records, uint64_t *from, struct held *key,
				   struct held *value);

/* tar_say notes one thing that a header says; it returns TAR_SAID_TWICE, if another header has said
 * something else. */
uint32_t tar_say(struct tar_said *s, struct held value, uint64_t at);

/* tar_settle tells what is wrong with all of them together: where two say what a member is called,
 * and not the same. */
uint32_t tar_settle(const struct tar_before *b);

#endif
