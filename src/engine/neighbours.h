/* Neighbours: the files beside one that lies in another file, as an archive's. They are opened
 * there by the names that the outer file has for them, as files beside an input are opened in its
 * folder. */
#ifndef UVET_ENGINE_NEIGHBOURS_H
#define UVET_ENGINE_NEIGHBOURS_H

#include "formats/decode.h"
#include "formats/format.h"

struct neighbours {
	struct siblings siblings;    /* whose ctx this is */
	const struct format *format; /* of the file around, with its facts */
	const void *facts;
	struct decode *outer; /* of the file around */
	struct decode *own;   /* of the file that they lie beside */
	struct nested file;   /* that file, as the outer one lists it */
	/* of the check of that file: bytes that the files around it hold, which may become more */
	uint64_t *beneath;
	bool only_looks; /* files that are found are not parts of that file from now on */
};

/* neighbours_init makes n->siblings of what the caller filled in. All of that outlives it. */
void neighbours_init(struct neighbours *n);

#endif
