/* Reports: the outcome of one check, as reporters and hosts see it. */
#ifndef UVET_ENGINE_REPORT_H
#define UVET_ENGINE_REPORT_H

#include "core/arena.h"
#include "diagnosis/diagnosis.h"
#include "engine/outline.h"
#include "engine/scope.h"
#include "engine/unjudged.h"
#include "formats/format.h"
#include "rule/finding.h"

struct summaries;

enum verdict { VERDICT_VALID, VERDICT_INVALID, VERDICT_UNDETERMINED, VERDICT_NOT_APPLICABLE };

const char *verdict_name(enum verdict v);       /* "valid", ... */
const char *severity_name(enum severity s);     /* "none", "note", ... */
const char *rule_class_name(enum rule_class c); /* "corruption", ... */

enum { INFOS_MAX = 24 };

/* A report_companion is a file beside the input that its format asked for. */
struct report_companion {
	const char *name; /* no folder in it */
	enum companion_state state;
	uint64_t size; /* in bytes, of one that was open */
	enum source_trouble trouble;
	struct span trouble_at; /* the read that failed */
};

enum { FILE_DIGEST_LEN = 32 }; /* bytes of a SHA-256 */

/* A report owns everything it points to, except rules and formats, which are static. Reports of
 * files that lie in its file are its own too, and form a tree. Reports of a tree may share rules
 * and results. */
struct report {
	struct arena *arena;    /* of the whole tree, which it lies in itself */
	struct report *parent;  /* of the file that this one lies in; NULL: it lies in none */
	struct report **nested; /* of files in this one, in its order */
	size_t n_nested;
	size_t place;   /* this report's among its parent's */
	size_t number;  /* in the tree, a report before those that lie in it; 0: the whole */
	struct span at; /* of a nested file: its place in its parent */
	/* it has none, because its bytes were decoded from others, or lie beside its parent */
	bool decoded;
	bool is_beside;   /* it is a file of its own in the folder of its parent */
	bool is_namesake; /* its name was made from that of its parent */
	/* the nested file that the verdict comes from; NULL: its own findings */
	const struct report *inside;
	/* as the caller gave it: bytes, perhaps not UTF-8; of a nested file parent!member, UTF-8;
	 * of one beside its parent its path */
	const char *name;
	/* of a nested file its end behind the !, or without its folder; else the name */
	const char *own_name;
	bool below_root; /* the name is relative to the engine's path_root */
	uint64_t size;   /* of the input, in bytes */
	bool has_sha256; /* it was asked for and could be computed */
	uint8_t sha256[FILE_DIGEST_LEN];
	const struct format *format; /* NULL: unknown */
	bool is_no_package;   /* it is of no format, but called as a package is (foreign.h) */
	uint64_t version;     /* of the format; 0: not decoded */
	enum verdict verdict; /* the worst of the tree below, this report included */
	/* facts about the file, at most INFOS_MAX, in the format's order */
	const struct info *infos;
	size_t n_infos;
	bool lists_scripts; /* it is of a global container, whose script objects these are: */
	struct script_objects scripts;
	/* those of its format, and behind them the engine's own; results are parallel */
	const struct rule *const *rules;
	struct results results;
	size_t n_rules;
	/* the first of the engine's own, whose findings stand first; those of the rules before it
	 * last */
	size_t first_told;
	size_t first_rule; /* the number of rules[0] in the catalog, if that is the format's */
	size_t first_own;  /* that of rules[first_told] */
	/* kept ones, in this order of the rules, then of the places' rows */
	const struct finding **findings;
	size_t n_findings;
	uint64_t n_found[SEVERITY_ERROR + 1]; /* by severity, kept or not */
	uint64_t n_ignored;                   /* rules that the profile took away */
	struct scope scope;                   /* of the verdict */
	const struct unjudged *unjudged;      /* what of this file was asked for and not judged */
	size_t n_unjudged;
	struct summaries *kept; /* what sets compare of the whole tree; NULL: nothing was kept */
	const struct outline *outline; /* NULL: not asked for, or nothing is known of the file */
	const struct diagnosis *diagnosis; /* what explains its findings; NULL: nothing does */
	uint64_t explained;                /* bytes that some region covers */
	/* bytes of payload, in companions too, for which a level, codec, key or companion was
	 * missing */
	uint64_t unread;
	const struct report_companion *companions; /* the first has the number 1 */
	size_t n_companions;
	uint64_t work; /* units spent on this file, without those in it */
	/* the most that the check held at a time; of a nested file what it added */
	uint64_t memory;
};

/* report_file names the source of a number: "" is the input. */
const char *report_file(const struct report *r, uint32_t number);

/* report_class is the class of a finding of the rule: corruption where it would else be a matter of
 * security, but a diagnosis of this file or of one around it explains it. */
enum rule_class report_class(const struct report *r, const struct rule *rule);

/* report_advises tells whether the rule's own words, why it matters and what to do, are to stand
 * with a finding, where people read it: what the rule says of attackers is not said of what an
 * accident explains, nor what is usual where a diagnosis says what happened. */
bool report_advises(const struct report *r, const struct finding *f);

/* report_is_doubted tells whether something was found that no valid file has. */
bool report_is_doubted(const struct report *r);

/* report_find gives the index of a rule by its number in the catalog; n_rules: the report has no
 * such rule. report_number is the way back.
 * report_result is results_of for that rule, which is not applicable if the report does not have
 * it. */
static inline size_t report_find(const struct report *r, size_t number)
{
	if (number >= r->first_own)
		return r->first_told + (number - r->first_own);
	return number >= r->first_rule && number - r->first_rule < r->first_told
		       ? number - r->first_rule
		       : r->n_rules;
}
static inline size_t report_number(const struct report *r, size_t i)
{
	return i < r->first_told ? r->first_rule + i : r->first_own + (i - r->first_told);
}
const struct rule_result *report_result(const struct report *r, size_t number);

/* report_next_failed gives the place, from i on, of a rule that failed; n_rules: there is none.
 * Places count in the order in which findings stand; report_rule gives the rule's index. So they
 * are gone over: for (size_t i = 0; (i = report_next_failed(r, i)) < r->n_rules; i++). */
size_t report_next_failed(const struct report *r, size_t i);
static inline size_t report_rule(const struct report *r, size_t i)
{
	const size_t n_before = r->n_rules - r->first_told;

	return i < n_before ? r->first_told + i : i - n_before;
}

/* report_next gives the report that follows r in the tree below `top`, which r is in: each
 * before those that lie in it. NULL: r is the last one. */
const struct report *report_next(const struct report *top, const struct report *r);

#endif
