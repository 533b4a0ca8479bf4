/* Programs before archives: where they end, by their own headers. Source:
 * conformance/spec/wrap.md, 3. */
#ifndef UVET_FORMATS_ARCHIVE_MEMBERS_PROGRAM_H
#define UVET_FORMATS_ARCHIVE_MEMBERS_PROGRAM_H

#include "formats/decode.h"

struct arc_program {
	const char *system;    /* "Windows", "Linux"; NULL: the file begins as no program does */
	uint64_t end;          /* where its last section ends; 0: its headers do not say it */
	struct span signature; /* of Windows, behind all that is signed; of length 0: none */
	uint64_t archive_at;   /* where the archive behind it begins; 0: there is none */
	bool is_apart;         /* other bytes than are usual stand between the two */
};

/* arc_program_read reads them of the input. false: its bytes cannot be read, or work ended, which
 * is noted for the group. */
UVET_MUST_USE bool arc_program_read(struct decode *d, uint32_t group, struct arc_program *out);

/* arc_program_join notes where the archive begins, and what is between. It fails likewise. */
UVET_MUST_USE bool arc_program_join(struct decode *d, uint32_t group, uint64_t at,
				    struct arc_program *p);

#endif
