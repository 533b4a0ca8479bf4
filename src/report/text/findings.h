/* The findings of a text report: severest first, those of one rule together. */
#ifndef UVET_REPORT_FINDINGS_H
#define UVET_REPORT_FINDINGS_H

#include "report/writer.h"

/* How much of them there is room for: a page, some lines, or the first in a line. */
enum findings_room { FINDINGS_PAGE, FINDINGS_SOME, FINDINGS_ONE };

/* findings_write writes an entry's findings. Where the engine is verbose these are all that were
 * kept, each with its bytes; else, in that room, of each rule the first and some others, of many
 * rules a line each, and no notes of an invalid file or of one in it. It says what is left out,
 * and how to see it. */
void findings_write(struct writer *w, const struct entry *e, enum findings_room room);

#endif
