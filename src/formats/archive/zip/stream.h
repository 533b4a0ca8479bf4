/* Reading a long deflated member where it is asked for, without its bytes in memory. */
#ifndef UVET_FORMATS_ARCHIVE_ZIP_STREAM_H
#define UVET_FORMATS_ARCHIVE_ZIP_STREAM_H

#include "formats/archive/zip/zip.h"

/* A zip_pass is what one look at all bytes of a member found. */
struct zip_pass {
	uint32_t crc;
	uint64_t n_out;
	unsigned traits; /* enum arc_payload_trait */
};

/* zip_stream_open looks at all bytes of the member m once, notes where its stream can be taken up
 * again, and sets *out to how its m->size bytes are read from then on. d is that of the zip, whose
 * source is read, and `user` pays. Its memory, which does not depend on the member's size, is the
 * arena's. false: memory, work or the input ended, which is noted for ZIP_PAYLOAD of d or
 * shows in user->work, or the stream is not whole, as pass->traits says. */
UVET_MUST_USE bool zip_stream_open(struct decode *d, const struct arc_member *m,
				   struct arena *arena, struct decode *user, struct zip_pass *pass,
				   struct source_io *out);

#endif
