/* Manifests as instructions: what the parts that read them need of each other. */
#ifndef UVET_FORMATS_UMOD_INSTALL_H
#define UVET_FORMATS_UMOD_INSTALL_H

#include "formats/umod/umod.h"

/* install_value gives the value of a line. */
static inline struct text install_value(const struct manifest *m, const struct manifest_line *l)
{
	return manifest_text(m, l->file, l->value);
}

/* install_header_name gives the name in a header, without the blanks around it. */
static inline struct text install_header_name(const struct manifest *m,
					      const struct manifest_line *l)
{
	const struct text line = manifest_text(m, l->file, l->whole);

	return text_trim(text_sub(line, 1, line.ref.n_units - 2u));
}

/* install_has_others tells whether there are manifests besides Manifest.ini and Manifest.int. */
static inline bool install_has_others(const struct umod *u)
{
	return u->n_manifests >
	       (unsigned)(u->manifest_member < u->n_members) + (u->locale_member < u->n_members);
}

/* install_note notes a defect of a line, install_note_kind one that is of several kinds; `at` is
 * the part of the line that has it. false: memory ended. */
static inline bool install_note_kind(struct decode *d, struct manifest *m,
				     enum manifest_defect defect, uint32_t kind,
				     const struct manifest_line *l, struct text_ref at)
{
	if (manifest_only_counts(d, m, defect, kind))
		return true;
	return manifest_note_line(d, m, defect,
				  &(struct manifest_note){ .line = *l, .at = at, .kind = kind });
}
static inline bool install_note(struct decode *d, struct manifest *m, enum manifest_defect defect,
				const struct manifest_line *l, struct text_ref at)
{
	return install_note_kind(d, m, defect, 0, l, at);
}

/* install_differ_beyond_ascii tells whether two names that are equal without case differ in a
 * letter beyond ASCII: there some readers do compare case. install_note_case notes that of the line
 * that a unit lies in. */
bool install_differ_beyond_ascii(struct text a, struct text b);
bool install_note_case(struct decode *d, struct manifest *m, uint32_t unit);

/* install_note_repeated notes that a key is given another value; `first` is the one on its first
 * line. */
bool install_note_repeated(struct decode *d, struct manifest *m, struct text_ref first,
			   struct text_ref value);

/* install_read_line reads a line key=value, which stands in a section, as an instruction. */
bool install_read_line(struct decode *d, struct umod *u, const struct manifest_line *l,
		       uint32_t section);

/* The keys of a File= or Copy= line that mean something; those of paths come first. */
enum tuple_key {
	TUPLE_SRC,
	TUPLE_DEST,
	TUPLE_REF,
	TUPLE_N_PATHS,
	TUPLE_SIZE = TUPLE_N_PATHS,
	TUPLE_FLAGS,
	TUPLE_N_KEYS
};

/* A manifest_tuple is what such a line says, as far as it can be read. */
struct manifest_tuple {
	const struct manifest_line *line;
	struct text_ref text[TUPLE_N_KEYS]; /* values without quotes; at 0: absent */
	uint64_t size_number, flags_number;
	uint32_t member;  /* first directory entry of Src's name, or MANIFEST_NONE */
	uint32_t to_hash; /* of its destination */
	/* as enum path_trait, and MANIFEST_BECOMES_PROGRAM */
	uint32_t src_traits, dest_traits, ref_traits;
	uint32_t dest_formats;  /* that Dest's extension promises, as format_set gives them */
	bool has[TUPLE_N_KEYS]; /* a path that is not empty, a number that is one */
	bool malformed;         /* the list is not of the form, or has no Src */
	/* Setup may find another Src, Dest or Ref than the list says; blanks inside a path are not
	 * counted here */
	bool odd;
	bool has_agreed_ref; /* there is a Ref, and Setup finds exactly what the list says */
	bool to_manifest;    /* installs to System\Manifest.* */
	bool is_patch;       /* the member is a delta, and the line treats it as one */
};

/* A tuple_search is what Setup finds, and the units of the line's value where it does, each from
 * the key on. */
struct tuple_search {
	struct manifest_tuple found;
	uint32_t from[TUPLE_N_KEYS], to[TUPLE_N_KEYS];
};

/* install_read_list reads the list in a line's value as it is written, install_search_list as Setup
 * does. Of the struct that they fill in, only the line is set before. install_hidden_keys returns a
 * bit for each path that the search found where the list has no such key. install_key_name gives a
 * key as a list has it. */
void install_read_list(const struct text *value, struct manifest_tuple *t);
void install_search_list(const struct text *value, struct tuple_search *s);
uint32_t install_hidden_keys(const struct text *value, const struct tuple_search *s);
const char *install_key_name(enum tuple_key key);

/* install_raw_value gives the value of a line of Manifest.ini as Setup of UT reads it: with the
 * blanks around it, and with the 1A at the end of the text. */
struct text install_raw_value(const struct manifest *m, const struct manifest_line *l);

/* Copies: File= and Copy= lines. install_read_copy reads one; install_find_shared_dests finds those
 * with the same destination. */
bool install_read_copy(struct decode *d, struct umod *u, const struct manifest_line *l);
bool install_find_shared_dests(struct decode *d, struct manifest *m);

/* Members that are files of another format where they are installed. install_add_alias notes
 * that a member goes to a path, n_units of the text from `to` on, whose extension promises these
 * formats; install_find_namesakes finds the other members that the same line names. */
bool install_add_alias(struct decode *d, struct umod *u, uint32_t member, uint32_t promised,
		       uint32_t to, uint32_t n_units);
bool install_find_namesakes(struct decode *d, struct umod *u);

/* Sections: Group= and Requires= lines, and Product= and Version= lines. install_read_reference and
 * install_read_term take one; then install_find_sections looks names up, and the others say what
 * follows: requirements, and groups that contain themselves. */
bool install_read_reference(struct decode *d, struct manifest *m, const struct manifest_line *l,
			    uint32_t section);
bool install_read_term(struct decode *d, struct manifest *m, const struct manifest_line *l,
		       uint32_t section);
bool install_find_sections(struct decode *d, struct manifest *m);
bool install_find_requirements(struct decode *d, struct manifest *m);
bool install_find_cycles(struct decode *d, struct manifest *m);

/* Addresses of web pages. install_read_address reads the value of a key that ends in URL. */
bool install_read_address(struct decode *d, struct manifest *m, const struct manifest_line *l);

/* Manifests of other languages. install_take_text finds the text of a manifest in its window;
 * false: it is none. install_read_others reads them all; false: memory ended. install_leave_others
 * notes that they are not read because Manifest.ini was not. */
UVET_MUST_USE bool install_take_text(struct manifest *m, enum manifest_file f, struct span span);
bool install_read_others(struct decode *d, struct umod *u);
void install_leave_others(struct decode *d, const struct umod *u);

/* install_note_long notes that the path of a Folder= or the file of an Ini=, AddIni= or SaveIni= is
 * too long for Setup's buffer. */
bool install_note_long(struct decode *d, struct manifest *m, const struct manifest_line *l,
		       struct text path);

/* Actions: lines that do something else than copy a member. install_read_action reads one of any
 * section, install_read_setting one of [Setup]. install_find_missing_packages notes packages that
 * are added to ServerPackages but are not in the installer. */
bool install_read_action(struct decode *d, struct manifest *m, const struct manifest_line *l);
bool install_read_setting(struct decode *d, struct manifest *m, const struct manifest_line *l);
bool install_find_missing_packages(struct decode *d, struct umod *u);

/* Placeholders in lines. install_find_placeholders notes those that Setup replaces. It reads all
 * lines INSTALL_PLACEHOLDER_SCANS times, and is only needed if there is a percent sign. */
enum { INSTALL_PLACEHOLDER_SCANS = 3 };
bool install_find_placeholders(struct decode *d, struct umod *u);

#endif
