/* Decoding a folder: its bytes go to a sink, in order. */
#ifndef UVET_FORMATS_ARCHIVE_SEVENZIP_UNPACK_H
#define UVET_FORMATS_ARCHIVE_SEVENZIP_UNPACK_H

#include "formats/archive/sevenzip/graph.h"

/* How decoding a folder ended. */
enum sevenzip_outcome {
	OUTCOME_WHOLE,
	OUTCOME_SHORT,  /* the stream ended early, soundly */
	OUTCOME_LONG,   /* it goes on after as many bytes as the folder should have */
	OUTCOME_BROKEN, /* it cannot be decoded, or is cut off */
	OUTCOME_LACKS,  /* libarchive does not read such a chain of coders */
	OUTCOME_FAILED, /* memory, work or the input ended, which is noted for the group */
};

/* A sevenzip_sink takes the next n bytes; false: memory or work ended, which it has noted. */
typedef bool sevenzip_sink(void *ctx, const uint8_t *bytes, uint64_t n);

/* A sevenzip_unpack is the decoding of one folder. */
struct sevenzip_unpack {
	struct decode *d;
	uint32_t group; /* for which lacks of memory, work and input are noted */
	const struct sevenzip_streams *streams;
	const struct sevenzip_folder *folder;
	sevenzip_sink *sink;
	void *ctx;
	unsigned work_out; /* units of work for a byte that comes out; 0: as reading costs */
	uint64_t n_out;    /* bytes so far */
	bool is_left_over; /* the stream ended before its packed bytes did */
};

/* sevenzip_unpack decodes a folder that has a route. What it takes of the arena is given back. */
enum sevenzip_outcome sevenzip_unpack(struct sevenzip_unpack *u);

#endif
