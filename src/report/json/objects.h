/* Objects: what json and ndjson reports consist of. Keys are sorted in every object. */
#ifndef UVET_REPORT_OBJECTS_H
#define UVET_REPORT_OBJECTS_H

#include "report/json/json.h"
#include "report/writer.h"

/* An item is a finding in its report. */
struct item {
	const struct finding *finding;
	const struct entry *entry;
	uint64_t fingerprint;
	const char *reason; /* why it is accepted; NULL: it is not */
	const char *type;   /* what ndjson calls it; NULL in json */
};

/* objects_finding and objects_artifact write one object each. */
void objects_finding(struct json *j, const struct item *item);
void objects_artifact(struct json *j, const char *key, const struct writer *w,
		      const struct entry *e, const char *type);

/* These write members of an open object. */
void objects_policy(struct json *j, const struct writer *w);
void objects_tool(struct json *j, const struct writer *w);
void objects_left_out(struct json *j, const struct left_out *l);
void objects_verdicts(struct json *j, const struct totals *t);
void objects_scope(struct json *j, const struct scope *s);

/* objects_diagnosis writes the member "diagnosis", if there is one. */
void objects_diagnosis(struct json *j, const struct diagnosis *d);
void objects_found(struct json *j, const struct totals *t);
void objects_place(struct json *j, const char *key, const struct report *r, const struct place *p,
		   const char *message);
void objects_message(struct json *j, const char *key, const struct finding *f);
void objects_field(struct json *j, const char *key, const struct place *p);
void objects_format(struct json *j, const struct format *f, uint64_t version);
void objects_path(struct json *j, const char *name);
void objects_unjudged(struct json *j, const char *key, const struct report *r);
void objects_infos(struct json *j, const struct report *r);
void objects_sha256(struct json *j, const struct report *r);
void objects_fingerprint(struct json *j, const char *key, uint64_t fingerprint);

#endif
