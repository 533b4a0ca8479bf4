/* IoStore containers: the facts of decoding one. A container is a .utoc with the tables and one
 * .ucas or several with the bytes of chunks, which are packages and what belongs to them. Format
 * facts: conformance/spec/iostore.md. */
#ifndef UVET_FORMATS_IOSTORE_FACTS_H
#define UVET_FORMATS_IOSTORE_FACTS_H

#include "formats/format.h"
#include "formats/iostore/container_header/container_header.h"
#include "formats/iostore/content/content.h"
#include "formats/iostore/directory/directory.h"
#include "formats/iostore/global/global.h"
#include "formats/iostore/toc/toc.h"

struct utoc {
	struct toc toc;
	struct directory directory;
	struct content content;
	struct container_header container_header;
	struct global global;
	const struct aim *target;   /* what the file is for */
	const struct group *groups; /* the stops of these facts */
};

#define FORMAT utoc
#define FORMAT_DEF "formats/iostore/utoc.def"
#include "formats/declare_tables.h"

#endif
