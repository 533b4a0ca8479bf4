/* What a pipeline is told: what explains the findings of a file, its verdict where no finding says
 * as much, and the findings, one after the other. */
#ifndef UVET_REPORT_PIPELINE_TOLD_H
#define UVET_REPORT_PIPELINE_TOLD_H

#include "report/escape.h"
#include "report/writer.h"

/* A told is a diagnosis, a finding, or the verdict of the file. A diagnosis is as severe as the
 * worst finding of the file that is not accepted, so that it changes no answer of who looks at the
 * worst. */
struct told {
	const struct entry *entry;
	const struct diagnosis *diagnosis; /* NULL: not this */
	const struct finding *finding;     /* NULL: not this; with both NULL it is the verdict */
	enum severity severity;
	uint64_t fingerprint; /* of the finding, where the writer has them; else 0 */
	const char *reason;   /* why the finding is accepted; NULL: it is not */
};

/* told_count gives how much there is to tell of a file, told_at the i-th of these n things: first
 * the diagnosis, if there is one, then the verdict where no shown finding says it: they lie in a
 * file inside, or there was no room for them. An accepted error says nothing of it, and where all
 * are accepted it is not told. */
size_t told_count(const struct entry *e);
struct told told_at(const struct entry *e, size_t n, size_t i);

/* told_rule and told_name are the rule's id and name; of a diagnosis "diagnosis", and which, of a
 * verdict "verdict", and which. told_class is the class of a finding, else empty. */
const char *told_rule(const struct told *t);
const char *told_name(const struct told *t);
const char *told_class(const struct told *t);

/* told_render writes what is told into an out without a sink, escaped as for a terminal: the
 * message, and where the bytes lie; what cannot be judged is said to be so. */
void told_render(struct out *o, const struct writer *w, const struct told *t);

/* told_fix writes what to do for a medium: one text of ours, nothing for a verdict. told_has_fix
 * tells whether there is one. */
bool told_has_fix(const struct told *t);
void told_fix(struct out *o, enum escape medium, const struct told *t);

/* told_advice writes the sentence of a diagnosis that follows its message where a medium has no
 * place for a fix: ". Get the file again. ..."; for anything else nothing. */
void told_advice(struct out *o, enum escape medium, const struct told *t);

/* told_fingerprint writes the fingerprint of a finding as JSON reports do. */
void told_fingerprint(struct out *o, const struct told *t);

/* told_path writes the path of the file on the disk that it is about, as a repository names it:
 * without ./ at its start, and of a nested file that of the outermost one. */
void told_path(struct out *o, enum escape medium, const struct told *t);

#endif
