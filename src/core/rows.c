/* Rows: the zeros that stand for a row that is not there. */
#include "core/rows.h"

const uint8_t rows_zeros[ROWS_LONGEST];
