/* Reading the header of a 7z: numbers, lists of bits, and how it says that the header is wrong. */
#ifndef UVET_FORMATS_ARCHIVE_SEVENZIP_READER_H
#define UVET_FORMATS_ARCHIVE_SEVENZIP_READER_H

#include "formats/archive/sevenzip/sevenzip.h"

/* What stands in a header before each of its parts. */
enum sevenzip_id {
	ID_END = 0,
	ID_HEADER = 1,
	ID_ARCHIVE_PROPERTIES = 2,
	ID_ADDITIONAL_STREAMS = 3,
	ID_MAIN_STREAMS = 4,
	ID_FILES = 5,
	ID_PACKS = 6,
	ID_FOLDERS = 7,
	ID_PARTS = 8,
	ID_SIZE = 9,
	ID_CRC = 0x0A,
	ID_FOLDER = 0x0B,
	ID_FOLDER_SIZES = 0x0C,
	ID_PART_COUNTS = 0x0D,
	ID_NO_STREAM = 0x0E,
	ID_EMPTY_FILE = 0x0F,
	ID_ANTI = 0x10,
	ID_NAMES = 0x11,
	ID_CREATED = 0x12,
	ID_READ = 0x13,
	ID_WRITTEN = 0x14,
	ID_ATTRIBUTES = 0x15,
	ID_ENCODED_HEADER = 0x17,
	ID_PLACES = 0x18,
	ID_PADDING = 0x19,
};

/* A reader goes over a header. */
struct sevenzip_reader {
	struct decode *d;
	struct sevenzip *z;
	struct cursor c;
	uint32_t group; /* that stops where the header is wrong */
};

/* reader_fails notes what is wrong at where the reader stands, and returns false. */
UVET_COLD bool reader_fails(struct sevenzip_reader *r, uint32_t defect);
UVET_COLD bool reader_fails_by(struct sevenzip_reader *r, uint32_t defect, uint64_t found,
			       uint64_t wanted);

/* reader_number reads a number of one to nine bytes, reader_byte a byte, reader_u32 four of
 * them, and reader_part takes n bytes. reader_count reads a number of things of which each has
 * at least `each` bytes in what is left. */
UVET_MUST_USE bool reader_number(struct sevenzip_reader *r, uint64_t *out);
UVET_MUST_USE bool reader_byte(struct sevenzip_reader *r, uint64_t *out);
UVET_MUST_USE bool reader_u32(struct sevenzip_reader *r, uint32_t *out);
UVET_MUST_USE bool reader_part(struct sevenzip_reader *r, uint64_t n, struct held *out);
UVET_MUST_USE bool reader_count(struct sevenzip_reader *r, uint64_t each, uint64_t *out);

/* reader_bits takes n bits, the first of a byte is its highest; reader_all_or_bits a byte that says
 * that all are set, or 0 and the bits: then *out has no bytes for `all`. */
UVET_MUST_USE bool reader_bits(struct sevenzip_reader *r, uint64_t n, struct held *out);
struct sevenzip_bits {
	struct held bits;
	bool all;
};
UVET_MUST_USE bool reader_all_or_bits(struct sevenzip_reader *r, uint64_t n,
				      struct sevenzip_bits *out);
static inline bool sevenzip_bit(struct held bits, uint64_t i)
{
	return held_u8(bits, i / 8) >> (7 - i % 8) & 1;
}
static inline bool sevenzip_has(struct sevenzip_bits b, uint64_t i)
{
	return b.all || sevenzip_bit(b.bits, i);
}

/* reader_skip passes over what has an id that is not known: a length, and as many bytes. */
UVET_MUST_USE bool reader_skip(struct sevenzip_reader *r);

/* sevenzip_read_streams reads the lists of streams and folders. sevenzip_read_files reads that
 * of the members, which takes the parts of the folders. */
UVET_MUST_USE bool sevenzip_read_streams(struct sevenzip_reader *r, struct sevenzip_streams *out);
UVET_MUST_USE bool sevenzip_read_files(struct sevenzip_reader *r);

/* sevenzip_decode_header reads start header and header, decompresses the latter and reads it. */
void sevenzip_decode_header(struct decode *d, struct sevenzip *z);

#endif
