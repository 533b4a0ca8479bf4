/* The way through a tar, header by header. Source: conformance/spec/tar.md, chapters 2 and 3. */
#ifndef UVET_FORMATS_ARCHIVE_TAR_WALK_H
#define UVET_FORMATS_ARCHIVE_TAR_WALK_H

#include "formats/archive/tar/header.h"
#include "formats/archive/tar/pax.h"

/* A tar_walk is how far it has come. */
struct tar_walk {
	struct decode *d;
	struct tar *t;
	uint64_t at;        /* the next block */
	uint64_t member_at; /* the first header of the next member */
	struct tar_before before;
	uint64_t max_rows, max_entries, max_flaws, max_pieces; /* for how many there is room */
	uint64_t first_piece;                                  /* of the next member */
	uint64_t n_compared;   /* bytes of members that were compared */
	bool is_map_malformed; /* of the next member, so far */
	bool is_map_over;      /* its map ended, and a block of it may follow */
	/* the header, and the first bytes of what follows it, as many as there are */
	uint8_t block[2 * TAR_BLOCK];
	uint64_t block_at, n_block;
};

/* tar_walk_all reads all headers up to the end, and notes what is wrong. false: it had to stop,
 * which is noted for TAR_MEMBERS or TAR_END. */
bool tar_walk_all(struct decode *d, struct tar *t);

/* tar_add_flaw adds a header with something wrong. */
UVET_MUST_USE bool tar_add_flaw(struct tar_walk *w, const struct tar_flaw *flaw);

/* tar_add_member adds the member of a header that was read; its bytes begin at `at`, are `len`, and
 * end before they should if is_cut.
 * false: memory ended or a limit was reached, which is noted. */
UVET_MUST_USE bool tar_add_member(struct tar_walk *w, const struct tar_header *h, uint64_t at,
				  uint64_t len, bool is_cut);

/* tar_follow_links finds what hard links lead to, and notes those to what comes after them, or is
 * replaced there. */
UVET_MUST_USE bool tar_follow_links(struct tar_walk *w);

#endif
