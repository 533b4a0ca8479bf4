/* The facts about a check itself, which the families RUN and ENG judge. */
#ifndef UVET_ENGINE_RUN_RULES_H
#define UVET_ENGINE_RUN_RULES_H

#include "engine/report.h"

/* A run is what happened while one file was checked. */
struct run {
	const struct format *format;            /* NULL: unknown */
	bool unreadable;                        /* the input could not be opened, or a read failed */
	const char *trouble;                    /* which of the two, in a few words of ours */
	bool changed;                           /* it is not what it was at the start */
	struct span trouble_at;                 /* the read that failed */
	bool no_memory;
	bool cancelled;
	const char *codec;                      /* what this build cannot decode; NULL: nothing */
	uint64_t undecoded;                     /* bytes of the file that needed it */
	bool is_unseen;                         /* a file beside it was not looked at */
	uint64_t unseen;                        /* bytes in files beside it that were not looked at */
	uint32_t unseen_file;                   /* the first such file */
	const char *key;                        /* why bytes were not decrypted; NULL: all were that had to be */
	uint64_t locked;                        /* how many */
	const struct report *report;            /* names companions and tells their trouble */
	bool want_content;                      /* the level asks for every payload */
	bool reached[LIMIT_COUNT];              /* limits */
	const struct limits *limits;            /* their values */
	const char *unexplained;                /* a fact group that is missing and that no finding explains; NULL: none */
};

/* The facts of a run are always there. */
enum run_group { RUN_ALWAYS };

extern const struct rule *const run_rules[];            /* end in NULL */
extern const struct rule *const engine_rules[];         /* evaluated last: they judge what the others explained */

#endif
