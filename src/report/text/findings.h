/* The findings of a text report: severest first, those of one rule together. */
#ifndef UVET_REPORT_FINDINGS_H
#define UVET_REPORT_FINDINGS_H

#include "report/writer.h"

/* findings_write writes an entry's findings. Where the engine is verbose these are all that were
 * kept, each with its bytes; else of each rule the first and some others, of many rules a line
 * each, and no notes of an invalid file. It says what is left out, and how to see it. */
void findings_write(struct writer *w, const struct entry *e);

#endif
