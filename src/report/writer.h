/* Writers: the output formats of a report writer behind one interface. */
#ifndef UVET_REPORT_WRITER_H
#define UVET_REPORT_WRITER_H

#include "engine/engine.h"
#include "report/deferred.h"
#include "report/out.h"

/* A tool says who wrote a report. rules_uri is where its rules are described, a page with each
 * rule's id as an anchor; NULL: nowhere. */
struct tool {
	const char *version, *ruleset, *rules_uri;
};

enum { N_VERDICTS = VERDICT_NOT_APPLICABLE + 1, N_SEVERITIES = SEVERITY_ERROR + 1 };

/* What was found in folders and not checked. */
struct left_out {
	/* specials: pipes, sockets and devices; mounts: folders on other file systems */
	uint64_t links, specials, mounts;
};

/* Totals are what a report writer counted. */
struct totals {
	enum verdict verdict;
	uint64_t n_verdicts[N_VERDICTS];
	uint64_t n_found[N_SEVERITIES];   /* findings, shown or not */
	uint64_t n_accepted;              /* of them */
	uint64_t n_failing[N_SEVERITIES]; /* of the others those that count by fail-on */
	struct scope scope;               /* of all verdicts together */
	struct scope valid_scope;         /* of those that are valid */
	uint64_t n_narrow;                /* valid files of which less than the whole was judged */
	uint64_t n_shown;                 /* findings that were written */
	/* of the first shown finding of the highest severity; NULL: there was none */
	const struct rule *worst;
	enum severity worst_severity;
	struct left_out left_out;
};

/* totals_judged counts the files that are of a known format or should have been. */
uint64_t totals_judged(const struct totals *t);

/* totals_describe writes "3 files: 1 valid, 1 invalid, 1 undetermined". */
void totals_describe(struct out *o, const struct totals *t);

/* totals_found counts all findings. totals_cut tells whether some of them were not written,
 * totals_fail whether any fails the run. */
uint64_t totals_found(const struct totals *t);
bool totals_cut(const struct totals *t);
bool totals_fail(const struct totals *t);

/* An entry is one report of a report writer. */
struct entry {
	const struct report *report;
	uint64_t id; /* its number, from 0, in the order of the output */
	/* what was added: the report itself, or one that it is nested in */
	const struct report *top;
	uint64_t top_id;
	size_t n_shown; /* how many of its findings, from the first on, max-findings allows */
	const uint64_t *fingerprints; /* of these; NULL unless a writer asks for them */
	bool asked;                   /* the host was asked which of them it accepts */
	const char *const *reasons;   /* why each is accepted, or NULL; NULL: none of them is */
	uint64_t n_accepted[N_SEVERITIES];
	/* errors that are not accepted, of this file and of those in it that were added with it */
	uint64_t n_open;
};

/* entry_reason returns why finding number i is accepted; NULL: it is not. entry_accepted counts the
 * accepted findings of a rule and a severity, entry_all_accepted all of them. */
static inline const char *entry_reason(const struct entry *e, size_t i)
{
	return e->reasons ? e->reasons[i] : NULL;
}
uint64_t entry_accepted(const struct entry *e, const struct rule *rule, enum severity s);
uint64_t entry_all_accepted(const struct entry *e);

/* entry_is_excused tells whether every error is accepted that makes the file invalid. */
static inline bool entry_is_excused(const struct entry *e)
{
	return e->asked && e->report->verdict == VERDICT_INVALID && e->n_open == 0;
}

/* entry_has_parent tells whether the report around an entry's was added with it; entry_parent gives
 * that one's id. */
static inline bool entry_has_parent(const struct entry *e)
{
	return e->report != e->top;
}
static inline uint64_t entry_parent(const struct entry *e)
{
	return e->top_id + (e->report->parent->number - e->top->number);
}

/* entry_has_path tells whether an entry's name is the path of a file; entry_file gives the entry of
 * the file with a path that it lies in, or that it is. */
static inline bool entry_has_path(const struct entry *e)
{
	return !entry_has_parent(e) || e->report->is_beside;
}
static inline struct entry entry_file(const struct entry *e)
{
	struct entry out = *e;

	while (!entry_has_path(&out))
		out.report = out.report->parent;
	out.id = e->top_id + (out.report->number - e->top->number);
	return out;
}

/* A report_accept is a host's answer whether it accepts a finding, by its fingerprint in digits:
 * the reason, which lives as long as the report writer; NULL or "": it does not. */
typedef const char *report_accept(void *ctx, const struct report *r, const struct finding *f,
				  const char *fingerprint);

struct writer;

struct writer_type {
	const char *name;   /* as users ask for it */
	bool fingerprints;  /* its entries need them */
	bool color, github; /* flavours of one format */
	void (*begin)(struct writer *w);
	void (*add)(struct writer *w, const struct entry *e);
	void (*end)(struct writer *w, const struct totals *t);
};

/* A writer is one output of a report writer. */
struct writer {
	const struct writer_type *type;
	const struct engine *engine; /* its settings are part of reports */
	struct tool tool;
	struct out out;
	struct deferred deferred; /* what follows after the artifacts */
	struct out deferred_out;  /* writes into it */
	/* the list has an item already, so that a comma is needed */
	bool begun_list, begun_deferred;
	uint64_t n_deferred; /* items written there */
	void *own;           /* what a type keeps besides; NULL at first */
	struct writer *next;
};

/* The types of writers; each is defined where its output is written. */
extern const struct writer_type writer_text, writer_text_color, writer_concise, writer_json,
	writer_ndjson, writer_sarif, writer_sarif_github, writer_junit, writer_checkstyle,
	writer_github, writer_gitlab, writer_csv, writer_markdown, writer_html;

#endif
