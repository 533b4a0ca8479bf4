/* Origins: which engine writes files of a version, and for which games, as far as versions tell. */
#ifndef UVET_REPORT_ORIGIN_H
#define UVET_REPORT_ORIGIN_H

#include "engine/engine.h"

/* An origin's strings are static; NULL: the versions do not tell. */
struct origin {
	const char *engine; /* "Unreal Engine 5.0 to 5.3" */
	const char *games;
};

struct origin origin_of(const struct report *r);

#endif
