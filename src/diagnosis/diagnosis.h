/* Diagnoses: what explains the findings of a file as a whole, in words for whoever sent it or got
 * it. A file has one at most. Source: conformance/spec/run.md, 5. */
#ifndef UVET_DIAGNOSIS_DIAGNOSIS_H
#define UVET_DIAGNOSIS_DIAGNOSIS_H

#include "formats/format.h"
#include "rule/finding.h"

enum confidence { CONFIDENCE_LIKELY, CONFIDENCE_CERTAIN };

/* Which findings a diagnosis explains. */
enum explains { EXPLAINS_NONE, EXPLAINS_DATA, EXPLAINS_ALL };

/* A diagnosis_kind is a row of diagnoses.def. Several may have one id. */
struct diagnosis_kind {
	const char *id;
	const char *message; /* as a rule's */
	const char *player;  /* what to do for who got the file */
	const char *author;  /* and for who made it */
	enum explains explains;
};

struct diagnosis {
	const struct diagnosis_kind *kind; /* NULL while nothing was found */
	enum confidence confidence;
	struct finding_arg args[ARG_MAX];
	size_t n_args;
	/* the groups of facts on which what it explains depends; 0: all */
	uint64_t groups;
	bool escapes; /* a path that may be a garbled name leads out of its folder */
};

/* A patient is a file that was judged by the rules of its format. */
struct patient {
	struct decode *decode;
	const struct format *format; /* NULL: it is of no known format */
	bool is_no_package;          /* that is so, but its name promises a package of UE4 or UE5 */
	const void *facts;           /* NULL: it has none */
	const struct rule *const *rules;
	const struct results *results;
	size_t n_rules;
	struct arena *arena; /* names are copied here */
	bool *lost;          /* set where memory ended */
};

/* diagnose sets *out. It is asked while the facts are there, and leaves the kind NULL where
 * nothing was found, where nothing explains it, and where a read fails or memory ends. It returns
 * whether it read the bytes, of which there are diagnosis_cost at most. */
bool diagnose(const struct patient *p, struct diagnosis *out);
uint64_t diagnosis_cost(const struct patient *p);

/* diagnosis_explains tells whether a finding of the rule is a consequence of what the diagnosis
 * says, so that nobody is to be suspected for it. d is NULL where there is no diagnosis. */
bool diagnosis_explains(const struct diagnosis *d, const struct rule *r);

/* diagnosis_speaks_for tells whether its own advice stands in place of that of a rule which found
 * an error: what is usual where the rule finds one is not what happened here. */
bool diagnosis_speaks_for(const struct diagnosis *d, const struct rule *r);

/* diagnosis_is_foreign tells whether it is that a file beside the input belongs to another one, so
 * that what lies in it tells nothing of what happened. d may be NULL. */
bool diagnosis_is_foreign(const struct diagnosis *d);

/* diagnosis_other is what a file of no known format is by its bytes: "a zip archive". NULL: the
 * diagnosis, which may be NULL, is about something else. */
const char *diagnosis_other(const struct diagnosis *d);

/* confidence_name returns "likely" or "certain". */
const char *confidence_name(enum confidence c);

#endif
