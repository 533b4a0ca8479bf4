/* The oracles of formats. */
#ifndef UVET_FUZZ_ORACLE_ORACLE_FORMATS_H
#define UVET_FUZZ_ORACLE_ORACLE_FORMATS_H

#include "oracle/oracle_format.h"

/* oracle_format is what the oracle knows of a format (fuzz/formats.def). */
const struct oracle_format *oracle_format(const struct format *f);

#endif
