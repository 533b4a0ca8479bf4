/* Formats without a second reading: only what holds for every format is asked of them. */
#include "oracle/oracle_format.h"

const struct oracle_format oracle_plain = { .names = { NULL } };
