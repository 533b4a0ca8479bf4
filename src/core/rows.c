/* Rows: the zeros that are returned for a row that is out of range. */
#include "core/rows.h"

const uint8_t rows_zeros[ROWS_LONGEST];
