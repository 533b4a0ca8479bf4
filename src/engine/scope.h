/* Scopes: what a verdict is about where that is less than the whole file. Source:
 * conformance/spec/run.md, 4.2. */
#ifndef UVET_ENGINE_SCOPE_H
#define UVET_ENGINE_SCOPE_H

#include "engine/profile.h"

/* What narrows a scope. */
enum scope_flag {
	SCOPE_TABLES = 1 << 0,  /* only tables were asked for */
	SCOPE_RULES = 1 << 1,   /* rules are off or count for less */
	SCOPE_VERSION = 1 << 2, /* how some parts look in this version is not known */
	/* files beside the input were not read, with which tables could be compared */
	SCOPE_ALONE = 1 << 3,
};

/* A scope is that of a file and of all files in it. */
struct scope {
	uint32_t flags;   /* enum scope_flag; 0: the whole was judged by every rule */
	uint32_t formats; /* those that occur: one bit for each number in `formats` */
	/* of these formats' rules: are off, count for less than their own severity */
	uint32_t n_off, n_lowered;
	/* SCOPE_VERSION: of each format the fact groups that were not judged */
	uint64_t parts[FORMATS_MAX];
};

/* scope_add_file adds a file of the format with this number, decoded at a level: what its
 * groups' stops leave out. scope_add adds another scope. Both need scope_settle behind them,
 * which counts what the profile takes away. */
void scope_add_file(struct scope *s, size_t format, enum level level, const struct group *groups);
void scope_add(struct scope *s, const struct scope *other);
void scope_settle(struct scope *s, const struct profile *p);

/* scope_next_part gives the name of a part that was not judged, from *i = 0 on; NULL: there are no
 * more. */
const char *scope_next_part(const struct scope *s, size_t *i);

#endif
