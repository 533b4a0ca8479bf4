/* Archives of kinds that are not read, installers, and programs that unpack an archive behind them:
 * the facts that decoding gives.
 *
 * Format facts: conformance/spec/wrap.md. */
#ifndef UVET_FORMATS_ARCHIVE_WRAP_WRAP_H
#define UVET_FORMATS_ARCHIVE_WRAP_WRAP_H

#include "formats/archive/members/program.h"
#include "formats/archive/members/second.h"

#define FORMAT wrap
#define FORMAT_DEF "formats/archive/wrap/wrap.def"
#include "formats/declare.h"

struct wrap {
	uint64_t size; /* of the file */
	struct arc_file file;
	uint32_t defects; /* enum wrap_file_trait */
	const char *what; /* the kind of archive or installer, in words */
	struct arc_program program;
	enum arc_signature inner; /* of WRAP_UNPACKS: 7z or rar */
	struct span archive;      /* likewise, up to the signature of the program */
	struct text name;         /* that its archive is given */
	const struct group *groups;
};

#define FORMAT wrap
#define FORMAT_DEF "formats/archive/wrap/wrap.def"
#include "formats/declare_tables.h"

extern const struct format wrap_format;

#endif
