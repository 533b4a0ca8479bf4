/* Messages: a rule's words with a finding's arguments in them. */
#ifndef UVET_REPORT_MESSAGE_H
#define UVET_REPORT_MESSAGE_H

#include "diagnosis/diagnosis.h"
#include "report/out.h"
#include "rule/finding.h"

/* message_write writes a finding's message: one line, the file's own text escaped as for a
 * terminal and between double quotes. A medium that has an escaping of its own escapes the whole
 * message once more. */
void message_write(struct out *o, const struct finding *f);

/* message_write_words does so for any words with placeholders, message_write_diagnosis for those
 * of a diagnosis, which has a kind. */
void message_write_words(struct out *o, const char *words, const struct finding_arg *args,
			 size_t n_args);
void message_write_diagnosis(struct out *o, const struct diagnosis *d);

/* message_value writes one of its values as it stands there. */
void message_value(struct out *o, const struct finding_arg *a);

/* message_render writes the message into an out without a sink, whose buffer then holds it. */
void message_render(struct out *o, const struct finding *f);

/* message_has_field tells whether a place has a path, message_field writes it: "trailer.crc",
 * "entry[3].size", "entry[3]". */
bool message_has_field(const struct place *p);
void message_field(struct out *o, const struct place *p);

#endif
