/* What a container claims; see the member `claims` of struct format. */
#ifndef UVET_FORMATS_IOSTORE_CLAIMS_H
#define UVET_FORMATS_IOSTORE_CLAIMS_H

#include "formats/format.h"

unsigned utoc_claims(const void *facts, struct decode *d, claim_sink *sink, void *ctx);

#endif
