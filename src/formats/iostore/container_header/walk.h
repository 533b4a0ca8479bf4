/* The walk over a container header: where each part lies, before any of it is decoded. */
#ifndef UVET_FORMATS_IOSTORE_CONTAINER_HEADER_WALK_H
#define UVET_FORMATS_IOSTORE_CONTAINER_HEADER_WALK_H

#include "formats/iostore/container_header/container_header.h"

/* walk_cut notes that the chunk is too short for a part: `wants` bytes should begin at `at`. It
 * returns false. */
bool walk_cut(struct container_walk *w, enum container_part_name part, uint64_t at, uint64_t wants);

/* walk_take skips len bytes without a count, walk_rows a count and that many rows of `each`
 * bytes. */
UVET_MUST_USE bool walk_take(struct container_walk *w, enum container_part_name part, uint64_t len);
UVET_MUST_USE bool walk_rows(struct container_walk *w, enum container_part_name part,
			     uint64_t each);

/* walk_ends notes that a group's parts were walked, or that the walk ended in it; it returns ok. */
bool walk_ends(struct container_walk *w, enum utoc_group group, bool ok);

/* walk_ue4 and walk_ue5 walk what follows the head of the chunk of h, and find out which form of
 * UE4 it is. They fill h->walk and h->soft. */
void walk_ue4(struct container_header *h);
void walk_ue5(struct container_header *h);

/* walk_bad_views counts the packages whose imports would lie outside the bytes after the entries,
 * if entries had such a shape. */
uint64_t walk_bad_views(struct held entries, uint64_t n, const struct container_shape *shape);

/* container_measure_packages notes where both lists of packages lie, as far as the walk came,
 * and which is too short for its entries: that is reported even where something after them
 * cannot be read. */
void container_measure_packages(struct container_header *h);

/* What follows the walk: each part of the decoder notes its group's stop where it cannot go on.
 * Packages are matched after they were read. */
bool container_read_packages(struct decode *d, struct container_header *h);
void container_match_chunks(struct decode *d, struct container_header *h, const struct toc *t);
void container_read_names(struct decode *d, struct container_header *h);
void container_read_maps(struct decode *d, struct container_header *h);
void container_read_soft(struct decode *d, struct container_header *h);

/* container_same_rows tells whether two rows are the same; -1: memory ended. */
int container_same_rows(struct arena *arena, struct rows r);

/* container_shape_of is how the store entries of a version are laid out. */
struct container_shape container_shape_of(int version);

/* container_find returns the first row with an id in the order, or the number of rows. */
uint64_t container_find(const struct container_packages *p, uint64_t id);

#endif
