/* What the rules about lines of manifests have in common. */
#ifndef UVET_FORMATS_UMOD_LINE_RULES_H
#define UVET_FORMATS_UMOD_LINE_RULES_H

#include "formats/umod/member_rules.h"

/* line_place is a place in a manifest: a line, counted from 1 as editors do, and some of its
 * characters; value_place its value. */
static inline struct place line_place(const struct manifest_line *l, struct text_ref t)
{
	static const char *const records[MANIFEST_N_FILES] = {
		[MANIFEST_INI] = "manifest_ini.line",
		[MANIFEST_INT] = "manifest_int.line",
		[MANIFEST_OTHER] = "manifest_other.line",
	};
	struct place p = AT_SPAN(text_span(t).at, text_span(t).len);

	p.record = records[l->file];
	p.index = l->number;
	return p;
}
static inline struct place value_place(const struct manifest_line *l)
{
	return line_place(l, l->value);
}

/* note_place is the place of a note, which stands for the lines that it counts as well.
 * report_note reports a note, report_note_as at the lesser severity if `lesser`. relate_first adds
 * the place of the earlier line. */
static inline struct place note_place(const struct manifest_note *note)
{
	return counted(line_place(&note->line, note->at), note->n_more);
}
#define report_note(c, note, ...) report_note_as(c, false, note, __VA_ARGS__)
#define report_note_as(c, lesser, note, ...) report_as(c, lesser, note_place(note), __VA_ARGS__)
static inline void relate_first(struct check *c, const struct manifest_note *note,
				const char *words)
{
	const struct manifest_line first = { .number = note->first_number,
					     .file = note->line.file };

	relate(c, line_place(&first, note->first), words);
}

#endif
