/* Rules that were not evaluated, and why, in a text report. */
#ifndef UVET_REPORT_UNCHECKED_H
#define UVET_REPORT_UNCHECKED_H

#include "report/writer.h"

/* unchecked_write writes how many rules were not evaluated, and what was missing: one line, or,
 * where the engine is verbose, one for each reason with the rules' ids. Nothing if all were. */
void unchecked_write(struct writer *w, const struct report *r);

#endif
