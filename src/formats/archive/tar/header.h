/* A header of a tar: 512 bytes of text and numbers. Source: conformance/spec/tar.md, chapter 2. */
#ifndef UVET_FORMATS_ARCHIVE_TAR_HEADER_H
#define UVET_FORMATS_ARCHIVE_TAR_HEADER_H

#include "formats/archive/tar/tar.h"

/* What a number of a header is. Without any digit it is 0. */
enum tar_number { TAR_NUMBER, TAR_NO_NUMBER, TAR_NEGATIVE };

/* tar_read_number reads octal digits with spaces before them and spaces or NULs after them, or base
 * 256. *out is set for TAR_NUMBER, and has 63 bits. */
enum tar_number tar_read_number(struct held field, uint64_t *out);

/* tar_read_decimal reads a number in a pax record, which has nothing but digits. */
enum tar_number tar_read_decimal(struct held value, uint64_t *out);

/* A tar_header is one that lies in memory. The parts of it end at their first NUL. */
struct tar_header {
	uint64_t at;
	struct held name, prefix, link;
	uint64_t size; /* if size_is is TAR_NUMBER */
	uint64_t mode; /* 0 if it is no number */
	enum tar_number size_is;
	enum tar_form form;
	uint8_t type;
	bool is_extended;   /* of an old sparse member: a block with more of its map follows */
	uint64_t real_size; /* of an old sparse member */
};

struct tar_header tar_read_header(struct held block, uint64_t at);

/* A tar_field is a number in a header of which nothing else is made here. */
struct tar_field {
	uint16_t at, len;
	const char *name;
};

/* tar_find_malformed returns the first field of a header that should be a number and is none; NULL:
 * there is none. The size is looked at as well if with_size; the checksum was found to be right. */
const struct tar_field *tar_find_malformed(struct held block, bool with_size);

/* A tar_odd is a number in a header that some program does not take, and what it is. */
struct tar_odd {
	const struct tar_field *field; /* NULL: there is none */
	const char *how;
};

/* tar_find_odd returns the first of those of which tar_find_malformed finds nothing wrong. */
struct tar_odd tar_find_odd(struct held block);

/* tar_find_unused says what a header has that its form or its type has no field for, and that some
 * programs use all the same; NULL: nothing. *may_be_time: it may be a time, which GNU tar writes
 * there in backups. */
const char *tar_find_unused(struct held block, bool *may_be_time);

/* tar_map_goes_on tells whether a block of a sparse member's map is followed by another. */
bool tar_map_goes_on(struct held block);

#endif
