/* What of gzip programs read in different ways: the name that a stream stores, and streams behind
 * zeros. Source: conformance/spec/tar.md, 4.4 and 4.7. */
#ifndef UVET_FORMATS_ARCHIVE_STREAM_STREAM_GZIP_H
#define UVET_FORMATS_ARCHIVE_STREAM_STREAM_GZIP_H

#include "formats/archive/stream/stream.h"

/* stream_take_stored_name reads the name that the first stream stores, and notes where it is
 * another than the content's. false: the bytes cannot be read, or memory or work ended, which is
 * noted. */
UVET_MUST_USE bool stream_take_stored_name(struct decode *d, struct stream *u);

/* stream_find_resumed looks behind zeros that follow the streams for another one. false: as
 * above. */
UVET_MUST_USE bool stream_find_resumed(struct decode *d, struct stream *u);

#endif
