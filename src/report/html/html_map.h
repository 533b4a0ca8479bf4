/* The picture of a file in HTML reports. */
#ifndef UVET_REPORT_HTML_MAP_H
#define UVET_REPORT_HTML_MAP_H

#include "report/writer.h"

/* html_map writes what lies where in a file, as an SVG picture and as a table; nothing if the
 * report has no outline. */
void html_map(struct out *o, const struct entry *e);

#endif
