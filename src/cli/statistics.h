/* Statistics: how many files, bytes and findings a run had. */
#ifndef UVET_CLI_STATISTICS_H
#define UVET_CLI_STATISTICS_H

#include <stdbool.h>

#include <uvet/uvet.h>

enum { STATISTICS_FORMATS_MAX = 32, STATISTICS_NAME_MAX = 16 };

/* Sizes are in bytes. */
struct statistics {
	struct format_count {
		char name[STATISTICS_NAME_MAX];
		uint64_t n_files, size;
	} formats[STATISTICS_FORMATS_MAX];
	int n_formats;
	uint64_t n_files, size;   /* those that were named or found */
	uint64_t n_nested;        /* files in them */
	uint64_t n_kept, n_found; /* findings: kept in reports, and in all */
	uint64_t *n_of_rules;     /* kept ones, by the numbers of uvet_rule_at; NULL: not counted */
};

/* statistics_begin makes room for the rules. false: memory ended. statistics_free frees it. */
bool statistics_begin(struct statistics *s);
void statistics_free(struct statistics *s);

/* statistics_add counts a report of a file of that size, and those of the files in it.
 * statistics_tell writes messages with the numbers; n_filtered files were left out by globs. */
void statistics_add(struct statistics *s, const uvet_report *report, uint64_t size);
void statistics_tell(const struct statistics *s, uint64_t n_filtered);

#endif
