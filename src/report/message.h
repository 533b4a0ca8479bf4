/* Messages: a rule's words with a finding's arguments in them. */
#ifndef UVET_REPORT_MESSAGE_H
#define UVET_REPORT_MESSAGE_H

#include "report/out.h"
#include "rule/finding.h"

/* message_write writes a finding's message: one line, the file's own text escaped as for a
 * terminal and between double quotes. A medium that has an escaping of its own escapes the whole
 * message once more. */
void message_write(struct out *o, const struct finding *f);

/* message_render writes the message into an out without a sink, whose buffer then holds it. */
void message_render(struct out *o, const struct finding *f);

/* message_has_field tells whether a place has a path, message_field writes it: "trailer.crc",
 * "entry[3].size", "entry[3]". */
bool message_has_field(const struct place *p);
void message_field(struct out *o, const struct place *p);

#endif
