/* IoStore containers: the facts that decoding gives. A container is a .utoc, the tables, and one .ucas or several, the bytes; they hold
 * chunks, which are packages and what belongs to them.
 *
 * Format facts: conformance/spec/iostore.md. */
#ifndef UVET_FORMATS_IOSTORE_UTOC_H
#define UVET_FORMATS_IOSTORE_UTOC_H

#include "formats/format.h"
#include "formats/iostore/conthdr/conthdr.h"
#include "formats/iostore/directory/directory.h"
#include "formats/iostore/payload/payload.h"
#include "formats/iostore/toc/toc.h"

struct utoc {
	struct toc toc;
	struct directory directory;
	struct payload payload;
	struct conthdr conthdr;
	const struct group *groups;             /* the stops of these facts */
};

#define FORMAT utoc
#define FORMAT_DEF "formats/iostore/utoc.def"
#include "formats/declare_tables.h"

extern const struct format utoc_format;

/* utoc_summary fills in what is kept of a container; see struct format. */
void utoc_summary(const void *facts, struct decode *d, struct summary *out);

#endif
