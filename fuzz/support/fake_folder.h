/* Files beside an input, as a host serves them: read in odd portions, from several threads at once,
 * with a fault on demand. */
#ifndef UVET_FUZZ_SUPPORT_FAKE_FOLDER_H
#define UVET_FUZZ_SUPPORT_FAKE_FOLDER_H

#include <stdatomic.h>

#include "formats/decode.h"
#include "support/faulty_source.h"

/* A fake_file is a file beside the input; its name is the input's, without its extension, and an
 * ending. */
struct fake_file {
	const char *ending;
	const uint8_t *data; /* an exact-size block */
	size_t size;
	enum companion_state state;
};

/* A fake_folder is the folder of one check. */
struct fake_folder {
	const char *input; /* its name */
	const struct fake_file *of;
	size_t n;
	uint64_t portions; /* a seed for how much each read returns; 0: all that was asked for */
	/* on FAULT_ERROR reads of that byte fail; on FAULT_SHORT the file ends there */
	enum read_fault fault;
	size_t fault_file;
	uint64_t fault_at;
	atomic_bool struck;
	uint64_t n_open; /* opened and not yet closed */
};

/* fake_folder_siblings returns the callbacks; b outlives the check. */
struct siblings fake_folder_siblings(struct fake_folder *b);

#endif
