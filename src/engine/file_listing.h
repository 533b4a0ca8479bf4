/* Listings: the files of a folder that is to be uploaded, whatever they are. */
#ifndef UVET_ENGINE_FILE_LISTING_H
#define UVET_ENGINE_FILE_LISTING_H

#include "engine/engine.h"
#include "formats/set_files.h"

/* A listing lies in the arena of its set. */
struct file_listing {
	struct set_listed **files; /* in the order in which they came */
	uint64_t n, max;
	size_t folder_len;
	struct set_listed *sorted; /* each once, once they were settled */
	uint32_t n_sorted;
};

/* file_listing_add adds a file whose name begins with a folder of folder_len bytes, with a
 * separator. What the site of `upload` reads of it is read. false: memory ended. */
UVET_MUST_USE bool file_listing_add(struct file_listing *l, struct arena *arena, enum upload upload,
				    const char *name, size_t folder_len,
				    const struct source_io *io);

/* file_listing_settle puts them in order. A folder of nothing but archives is none that is to be
 * uploaded: they are. false: memory ended. */
UVET_MUST_USE bool file_listing_settle(struct file_listing *l, struct arena *arena);

/* file_listing_number gives each file the number of its companion: that of the file of its name
 * among n files, which are in the order of their names, or the next one. It returns the number of
 * companions. */
uint32_t file_listing_number(struct file_listing *l, const struct set_file *const *files,
			     uint32_t n);

#endif
