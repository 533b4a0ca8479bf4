/* Formats that no second reading knows: what holds for every format is all that is asked. */
#include "oracle/oracle_format.h"

const struct oracle_format oracle_plain = { .names = { NULL } };
