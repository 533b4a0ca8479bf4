/* The list of writers. */
#ifndef UVET_REPORT_WRITERS_H
#define UVET_REPORT_WRITERS_H

#include "report/writer.h"

/* writer_find returns the type of that name, or NULL. */
const struct writer_type *writer_find(const char *name);

#endif
