/* Reading manifests: each line goes to its section, and to the part that reads what it asks for. */
#include "formats/umod/install.h"

/* Some readers take what follows a header on its line for a line of its own. */
static bool note_after_header(struct decode *d, struct manifest *m, const struct manifest_line *l)
{
	const struct text line = manifest_text(m, l->file, l->whole);
	const struct text after = text_trim(
		text_sub(line, text_find(line, ']', 0) + 1, line.ref.n_units));
	const uint64_t equals = text_find(after, '=', 0);
	const bool is_pair = equals > 0 && equals < after.ref.n_units && text_unit(after, 0) != ';';

	return install_note_kind(d, m, DEFECT_AFTER_HEADER,
				 is_pair ? UMOD_AFTER_PAIR : UMOD_AFTER_OTHER, l, after.ref);
}

/* Some readers trim blanks and quotes, others do not. */
static bool note_blanks(struct decode *d, struct manifest *m, const struct manifest_line *l)
{
	const bool names_section = l->file == MANIFEST_INI &&
				   (l->key_id == KEY_GROUP || l->key_id == KEY_REQUIRES);
	uint32_t kind = 0;

	if (l->marks & LINE_BLANK_NAME)
		kind = l->kind == LINE_SECTION ? UMOD_BLANK_SECTION : UMOD_BLANK_KEY;
	else if (names_section && l->marks & LINE_BLANK_VALUE)
		kind = UMOD_BLANK_NAME;
	else if (names_section && l->marks & LINE_QUOTED)
		kind = UMOD_QUOTED_NAME;
	return kind == 0 || install_note_kind(d, m, DEFECT_READ_VARIOUSLY, kind, l, l->whole);
}

/* Tells whether only NULs follow: then a reader that stops at the first misses nothing. */
static bool is_terminator(const struct text *text, uint32_t from)
{
	while (from < text->ref.n_units && text_unit(*text, from) == 0)
		from++;
	return from == text->ref.n_units;
}

/* Readers take a NUL for the end of the text. */
static bool note_control(struct decode *d, struct manifest *m, const struct manifest_line *l)
{
	const struct text text = manifest_text(m, l->file, m->texts[l->file]),
			  line = manifest_text(m, l->file, l->whole);
	uint32_t kind = UMOD_CONTROL_OTHER;

	if (text_find(line, 0, 0) < line.ref.n_units)
		kind = is_terminator(&text, manifest_unit(m, l->file, l->whole))
			       ? UMOD_CONTROL_AT_END
			       : UMOD_CONTROL_NUL;
	return install_note_kind(d, m, DEFECT_CONTROL, kind, l, l->whole);
}

/* Notes what is wrong with a line whatever it asks for. */
static bool note_oddities(struct decode *d, struct manifest *m, const struct manifest_line *l,
			  uint32_t section)
{
	const bool is_stray = l->kind == LINE_PAIR && section == MANIFEST_NONE;

	if ((l->kind == LINE_OTHER || is_stray) &&
	    !install_note(d, m, DEFECT_NOT_UNDERSTOOD, l, l->whole))
		return false;
	if (l->marks & LINE_CONTROL && !note_control(d, m, l))
		return false;
	if (l->marks & LINE_AFTER_HEADER && !note_after_header(d, m, l))
		return false;
	if ((l->kind == LINE_SECTION || (l->kind == LINE_PAIR && !is_stray)) &&
	    !note_blanks(d, m, l))
		return false;
	return l->key_id != KEY_URL || is_stray || install_read_address(d, m, l);
}

static inline bool may_be_odd(const struct manifest_line *l, uint32_t section)
{
	return l->kind == LINE_OTHER || l->marks != 0 || l->key_id == KEY_URL ||
	       section == MANIFEST_NONE;
}

static UVET_RARE bool note_repeated_section(struct decode *d, struct manifest *m,
					    const struct manifest_line *l, struct text_ref name,
					    uint32_t section)
{
	struct manifest_note note = { .line = *l, .at = l->whole, .text = name };

	note.first = manifest_header(m, section).whole;
	note.first_number = manifest_number(m, l->file, manifest_unit(m, l->file, note.first));
	return manifest_note_line(d, m, DEFECT_SECTION_AGAIN, &note);
}

/* A header begins a section, or continues one of the same name. */
static bool read_header(struct decode *d, struct manifest *m, const struct manifest_line *l,
			uint32_t *section)
{
	const struct text name = install_header_name(m, l);
	bool added;

	*section = manifest_add_section(d, m, l->file, &name, &added);
	if (*section == MANIFEST_NONE)
		return false;
	if (m->setup[l->file] == MANIFEST_NONE && text_is(name, "Setup"))
		m->setup[l->file] = *section;
	if (added || manifest_only_counts(d, m, DEFECT_SECTION_AGAIN, 0))
		return true;
	return note_repeated_section(d, m, l, name.ref, *section);
}

static bool scan_file(struct decode *d, struct umod *u, enum manifest_file f)
{
	struct manifest *m = &u->manifest;
	struct manifest_scan s = manifest_open(m, f);
	struct manifest_line l = { .number = 0 };

	for (; manifest_next(&s, &l); m->n_lines++) {
		if (m->n_lines >= d->limits->of[LIMIT_entries])
			return decode_stop_limit(d, UMOD_MANIFEST, LIMIT_entries,
						 text_span(m->texts[f]));
		if (m->first_lines[f].number == 0)
			m->first_lines[f] = l;
		if (l.kind == LINE_SECTION && !read_header(d, m, &l, &s.section))
			return false;
		if (may_be_odd(&l, s.section) && !note_oddities(d, m, &l, s.section))
			return false;
		if (l.kind == LINE_PAIR && s.section != MANIFEST_NONE &&
		    !install_read_line(d, u, &l, s.section))
			return false;
	}
	return true;
}

bool manifest_read(struct decode *d, struct umod *u)
{
	struct manifest *m = &u->manifest;

	for (enum manifest_file f = MANIFEST_INI; f < MANIFEST_N_FILES; f++) {
		m->setup[f] = MANIFEST_NONE;
		m->roots[f] = SECTION_NIL;
	}
	for (enum manifest_file f = MANIFEST_INI; f < MANIFEST_N_FILES; f++)
		if (m->present[f] &&
		    (!manifest_make_numbers(d, m, f, m->texts[f].n_units) || !scan_file(d, u, f)))
			return false;
	return true;
}

bool manifest_read_other(struct decode *d, struct umod *u)
{
	struct manifest *m = &u->manifest;
	bool ok;

	m->setup[MANIFEST_OTHER] = MANIFEST_NONE;
	m->roots[MANIFEST_OTHER] = SECTION_NIL;
	ok = scan_file(d, u, MANIFEST_OTHER);
	m->sections.n = m->n_own_sections;
	return ok;
}
