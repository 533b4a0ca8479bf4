/* Members that are stored without their holes. Source: conformance/spec/tar.md, 2.8. */
#ifndef UVET_FORMATS_ARCHIVE_TAR_SPARSE_H
#define UVET_FORMATS_ARCHIVE_TAR_SPARSE_H

#include "formats/archive/tar/walk.h"

/* tar_map_gnu takes the part of a map that a header of the type S has, or a block of a map that
 * follows it: pieces of the next member. false: memory ended or a limit was reached, which is
 * noted. */
enum tar_map_part { TAR_MAP_IN_HEADER, TAR_MAP_IN_BLOCK };
UVET_MUST_USE bool tar_map_gnu(struct tar_walk *w, struct held block, enum tar_map_part part);

/* tar_map_settle finds the pieces of a sparse member of which all else is known, wherever its map
 * is, and how sound that map is: e->map. false: as above, or the input failed. */
UVET_MUST_USE bool tar_map_settle(struct tar_walk *w, const struct tar_header *h,
				  const struct arc_member *m, struct tar_entry *e);

/* tar_sparse_copy copies n bytes of a sparse member's content, from `at` on: they lie in it. false:
 * the input failed. */
UVET_MUST_USE bool tar_sparse_copy(const struct tar *t, uint64_t row, struct source *s, uint64_t at,
				   uint8_t *out, uint64_t n);

#endif
