/* Infos: what there is to tell of a file besides findings. */
#ifndef UVET_ENGINE_INFOS_H
#define UVET_ENGINE_INFOS_H

#include "engine/report.h"

/* infos_keep asks the format of a report for the infos of its facts, and copies them to the report;
 * false: memory ended, and the report has none. */
UVET_MUST_USE bool infos_keep(struct report *r, const void *facts);

#endif
