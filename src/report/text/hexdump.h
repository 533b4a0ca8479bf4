/* Hex dumps: a finding's bytes, sixteen to a row, with brackets around those that it is about. */
#ifndef UVET_REPORT_HEXDUMP_H
#define UVET_REPORT_HEXDUMP_H

#include "report/out.h"
#include "rule/finding.h"

/* hexdump_write writes the rows of the finding's snippet, and how many of its bytes they leave out;
 * nothing if there is none. */
void hexdump_write(struct out *o, const struct finding *f);

/* hexdump_height is how many lines that are. */
size_t hexdump_height(const struct finding *f);

#endif
