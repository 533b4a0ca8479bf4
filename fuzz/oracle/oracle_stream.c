/* Files of gzip, once more, with zlib reading the frame as well. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "formats/archive/stream/stream.h"
#include "oracle/oracle_format.h"
#include "support/must.h"

enum { FORM_GZIP = 31 };

/* Whether the bytes are one member of gzip and nothing else, that decompresses to these. */
static bool is_member(const struct trial *t, const struct stream *u)
{
	const uint64_t len = u->content.len;
	uint8_t *out = malloc((size_t)len + 1);
	bool is_same = false;
	z_stream z;

	memset(&z, 0, sizeof z);
	MUST(out && inflateInit2(&z, FORM_GZIP) == Z_OK, "there is memory for an oracle");
	z.next_in = (z_const Bytef *)t->subject->data;
	z.avail_in = (uInt)t->subject->size;
	z.next_out = out;
	z.avail_out = (uInt)len + 1;
	is_same = inflate(&z, Z_FINISH) == Z_STREAM_END && z.avail_in == 0 && z.avail_out == 1 &&
		  (len == 0 || memcmp(out, u->content.bytes, (size_t)len) == 0);
	inflateEnd(&z);
	free(out);
	return is_same;
}

static void compare_facts(const struct trial *t, const void *facts)
{
	const struct stream *u = facts;

	if (u->groups[STREAM_CONTENT].why != STOP_NOT || u->file.is != ARC_IS_GZIP ||
	    u->defects != 0)
		return;
	MUST(is_member(t, u), "zlib reads the same out of a sound file of gzip");
}

const struct oracle_format oracle_stream = {
	.names = { "Mod.tar.gz", "Mod.tgz", "Mod.tar.xz", "Mod.tar.zst", "a/M od%n.bz2", "download",
		   "b.txt" },
	.compare_facts = compare_facts,
};
