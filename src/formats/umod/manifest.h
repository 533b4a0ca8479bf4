/* The installer's manifests, System\Manifest.*: sections, lines, and what the lines mean. */
#ifndef UVET_FORMATS_UMOD_MANIFEST_H
#define UVET_FORMATS_UMOD_MANIFEST_H

#include "core/order.h"
#include "core/path.h"
#include "core/text.h"
#include "formats/keep.h"
#include "formats/umod/policy.h"

struct umod;

#define MANIFEST_NONE ORDER_NONE

/* Manifests of other languages are all MANIFEST_OTHER: they are read one after another, and only
 * notes about them are kept. */
enum manifest_file { MANIFEST_INI, MANIFEST_INT, MANIFEST_OTHER, MANIFEST_N_FILES };

/* The keys that mean something to the installer. Source: OWK umod-source, UDN "Creating UMODs". */
enum manifest_key {
	KEY_OTHER,
	KEY_PRODUCT,
	KEY_VERSION,
	KEY_ARCHIVE,
	KEY_IS_MASTER,
	KEY_GROUP,
	KEY_REQUIRES,
	KEY_README,
	KEY_LICENSE,
	KEY_LOGO,
	KEY_EXE,
	KEY_FILE,
	KEY_COPY,
	KEY_DELETE,
	KEY_BACKUP,
	KEY_FOLDER,
	KEY_REMOVE_PATH,
	KEY_SHORTCUT,
	KEY_WIN_REGISTRY,
	KEY_DIRECTX_HOOK,
	KEY_DEFAULT_FOLDER,
	KEY_POST_EXEC,
	KEY_INI,
	KEY_ADD_INI,
	KEY_SAVE_INI,
	KEY_REMOVE_INI,
	KEY_REMOVE_INI_VALUE,
	KEY_URL, /* any key that ends in URL */
	MANIFEST_N_KEYS
};

enum manifest_line_kind { LINE_SECTION, LINE_PAIR, LINE_COMMENT, LINE_OTHER };

/* What a line has besides key and value. */
enum manifest_line_mark {
	LINE_CONTROL = 1, /* a control character other than tab */
	LINE_QUOTED = 2,  /* its value was in double quotes, which were removed */
	/* there are blanks around its key, around a header, or around the name in a header */
	LINE_BLANK_NAME = 4,
	LINE_BLANK_VALUE = 8,   /* there are blanks around its value */
	LINE_AFTER_HEADER = 16, /* it begins with [, and something follows the first ] */
};

/* A manifest_line is a line that is not blank. Lines are not kept, because there may be one for
 * every two bytes; only notes about them are. The text_refs are trimmed, and the value is
 * without the quotes around all of it. */
struct manifest_line {
	struct text_ref whole, key, value;
	uint32_t number; /* in its file, from 1; 0: there is no such line */
	uint8_t kind;    /* enum manifest_line_kind */
	uint8_t file;    /* enum manifest_file */
	uint8_t key_id;  /* enum manifest_key */
	uint8_t marks;   /* enum manifest_line_mark */
};

/* The defects of lines. Each has a list of notes, and a rule that tells it. Some have up to
 * MANIFEST_KINDS_MAX kinds, which umod.def lists. */
enum { MANIFEST_KINDS_MAX = 8 };
enum manifest_defect {
#define LINE(defect, meaning) DEFECT_##defect,
#include "formats/umod/line_defects.def"
#undef LINE
	MANIFEST_N_DEFECTS
};

/* A manifest_note is a line that has a defect, or several such lines. Members marked "by defect"
 * are filled in where line_defects.def says so. */
struct manifest_note {
	struct manifest_line line;
	struct text_ref at;               /* the part of the line that has it */
	struct text_ref first, first_src; /* of an earlier line of the same file, by defect */
	struct text_ref text;             /* what is shown of it, where that is not `at` */
	uint32_t first_number;            /* the number of that earlier line */
	uint32_t member;                  /* that the line names, by defect */
	uint32_t traits;                  /* enum path_trait, by defect */
	uint32_t kind;    /* a bit of the set of kinds that the defect has; 0: it has none */
	uint8_t path_key; /* enum tuple_key, by defect */
	uint64_t number;  /* by defect */
	uint32_t n_more;  /* further lines of its kind, which have no note (struct keep) */
};

/* The notes of one defect. */
struct manifest_notes {
	struct manifest_note *rows;
	uint64_t max; /* that there is room for */
	uint32_t n;
	struct keep keeps[MANIFEST_KINDS_MAX]; /* by kind */
};

/* A list that grows by blocks, which never move: it may have as many rows as there are lines. */
enum { ROWS_BLOCK = 64 };
struct manifest_rows {
	void **blocks;
	uint64_t max_blocks;  /* that there is room for */
	uint32_t n, n_blocks; /* rows may be removed from the end; blocks stay */
};

/* A manifest_section is the first section of its name in its file. Sections form a balanced tree by
 * name. Once all names have been looked up, the links serve other purposes. */
#define SECTION_LINK_BITS 30 /* a section takes at least four bytes of text */
#define SECTION_NIL ((1u << SECTION_LINK_BITS) - 1)
struct manifest_section {
	uint32_t from, n_units; /* its name, in its text */
	/* the sections with lesser and with greater names; in the bits above: of link[0] the
	 * balance, of link[1] enum section_mark */
	uint32_t link[2];
};
enum section_mark { SECTION_NAMED = 1, SECTION_REQUIRED = 2 };

/* A manifest_reference is a Group= or Requires= line of Manifest.ini. */
struct manifest_reference {
	/* the section that it stands in, times two, plus 1 if it is Requires= */
	uint32_t from_requires;
	uint32_t from, n_units; /* its value */
	/* the section of that name, or REFERENCE_NONE, times two, plus 1 if it closes a cycle */
	uint32_t to_cycle;
};
#define REFERENCE_NONE (UINT32_MAX >> 1)

/* A manifest_term is a Product= or Version= line of a section of Manifest.ini. */
struct manifest_term {
	uint32_t section_version; /* the section, times two, plus 1 if it is Version= */
	uint32_t from, n_units;   /* its value */
};

/* A manifest_setting is a key of [Setup] that should have one value: its first line, and its last
 * one if that has another value. Some readers take the first, some the last. */
struct manifest_setting {
	struct manifest_line first, last;
};

/* A manifest_requirement is a section that a Requires= names, with its first Product and Version,
 * and the last ones if these have other values; NULL: there is none. */
struct manifest_requirement {
	const struct manifest_term *product, *version;
	const struct manifest_term *last_product, *last_version;
	uint32_t section;
};

/* A manifest_copy is a File= or Copy= line that installs something. */
struct manifest_copy {
	/* the unit at which its destination begins: Dest, or Src if there is no Dest */
	uint32_t to;
	uint32_t n_units_dest; /* how many units it has, times two, plus 1 if it is Dest */
};

/* In addition to enum path_trait: Dest is a program by its extension, and Src is not; Dest is
 * longer than MANIFEST_PATH_MAX. */
#define MANIFEST_BECOMES_PROGRAM (1u << 16)
#define MANIFEST_TOO_LONG (1u << 17)

/* Units of the longest path that fits into Setup's buffer after the game's folder. */
#define MANIFEST_PATH_MAX 240u

/* Traits of a Dest that is not dangerous, but misleading or not portable. */
#define MANIFEST_DEST_UNSOUND \
	(MANIFEST_BECOMES_PROGRAM | (uint32_t)PATH_DECEPTIVE | PATH_RESERVED | PATH_SELF | \
	 PATH_EMPTY_COMPONENT)

/* A manifest_kind is what an extension says about a file. */
struct manifest_kind {
	uint32_t extension; /* as text_word gives it; UINT32_MAX: a longer one */
	uint32_t formats;   /* that it promises, as format_set gives them */
	bool is_program;
};

/* A manifest_alias is a Dest that gives a member an extension of a format which neither its own
 * name nor an earlier line promises. */
struct manifest_alias {
	uint32_t member;
	uint32_t to, n_units; /* the Dest, in its text */
};

/* A manifest_value is a part of Manifest.ini's text. */
struct manifest_value {
	uint32_t from, n_units;
};

struct manifest {
	struct cursor windows[MANIFEST_N_FILES]; /* the members' bytes */
	struct text_ref texts[MANIFEST_N_FILES]; /* without a byte order mark */
	bool present[MANIFEST_N_FILES];
	/* units of the texts, counting the 1A at the end, which is no part of them */
	uint32_t n_units[MANIFEST_N_FILES];
	/* by MANIFEST_STRIDE-th unit: the number of the line that it lies in */
	uint32_t *numbers[MANIFEST_N_FILES];

	struct manifest_notes notes[MANIFEST_N_DEFECTS];
	/* struct manifest_section, those of Manifest.ini first, of Manifest.int next */
	struct manifest_rows sections;
	uint32_t roots[MANIFEST_N_FILES];        /* of their trees */
	uint32_t n_ini_sections, n_own_sections; /* of Manifest.ini, and of both */
	struct manifest_rows references;         /* struct manifest_reference */
	struct manifest_rows terms;              /* struct manifest_term */
	struct manifest_rows copies;             /* struct manifest_copy */
	struct manifest_rows packages; /* struct manifest_value: that are added to ServerPackages */
	struct manifest_rows shortcuts; /* struct manifest_value: of Shortcut= lines */
	uint32_t *dest_hashes;          /* by copy: the hash of its destination */
	uint64_t max_hashes;            /* that there is room for */
	struct manifest_requirement *requirements;
	uint32_t n_lines, n_requirements;

	uint32_t setup[MANIFEST_N_FILES]; /* [Setup], or MANIFEST_NONE */
	struct manifest_line first_lines[MANIFEST_N_FILES];
	/* of Manifest.ini's [Setup] */
	struct manifest_setting product, version, archive, is_master;
	bool has_product; /* that is not empty */
	bool has_group;   /* [Setup] of Manifest.ini has a Group= */
	/* by member: where the first Src that names it begins, or MANIFEST_NONE */
	uint32_t *listed_by;
	uint32_t next_member;           /* the one after the member that the last copy named */
	struct manifest_kind dest_kind; /* of the last Dest; many have the same */
	struct manifest_rows aliases;   /* struct manifest_alias */
	uint32_t *alias_formats; /* by member: that its aliases promise; NULL: there are none */
	uint64_t patch_bytes;    /* of members that are patches */
	uint32_t n_heads;        /* members whose first bytes were read, to see what they are */
	/* by member: the next of the same name, or MANIFEST_NONE; NULL: there are none */
	uint32_t *namesakes;
};

/* A manifest_scan reads the lines of one text. */
struct manifest_scan {
	const struct manifest *m;
	struct text text; /* of the file that it is in */
	enum manifest_file file;
	uint32_t at, number;  /* the next unit, and the number of its line */
	uint32_t section;     /* that the next line belongs to; MANIFEST_NONE before the first */
	uint64_t next_stride; /* the next unit whose line is to be noted */
};

/* The number of the line is noted for one unit in this many. */
enum { MANIFEST_STRIDE = 1024 };

/* manifest_open begins a scan of file f, which is present. manifest_next reads the next line that
 * is not blank; false: there is none. */
struct manifest_scan manifest_open(const struct manifest *m, enum manifest_file f);
UVET_MUST_USE bool manifest_next(struct manifest_scan *s, struct manifest_line *out);

/* manifest_number returns the number of the line of file f that a unit lies in.
 * manifest_line_around reads that line; a line's end belongs to it. */
uint32_t manifest_number(const struct manifest *m, enum manifest_file f, uint32_t unit);
struct manifest_line manifest_line_around(const struct manifest *m, enum manifest_file f,
					  uint32_t unit);

/* manifest_is_enclosed tells whether the units from <= i < to of a text begin with one character
 * and end with another. */
static inline bool manifest_is_enclosed(const struct text *t, uint32_t from, uint32_t to,
					uint32_t open, uint32_t close)
{
	return to - from >= 2 && text_unit(*t, from) == open && text_unit(*t, to - 1) == close;
}

/* manifest_rest returns what a line has from a unit of a text on, without blanks at either end. */
struct text manifest_rest(const struct text *text, uint32_t unit);

/* manifest_read reads the texts that are present, line by line, into the lists above; false: it
 * stopped. manifest_read_other then reads one of another language, and keeps nothing but notes. */
bool manifest_read(struct decode *d, struct umod *u);
bool manifest_read_other(struct decode *d, struct umod *u);

/* manifest_make_numbers makes room for the numbers of the lines of a text of up to n units; false:
 * memory ended. */
UVET_MUST_USE bool manifest_make_numbers(struct decode *d, struct manifest *m, enum manifest_file f,
					 uint64_t n);

/* manifest_keep counts the notes of a kind in a list. */
static inline struct keep *manifest_keep(struct manifest_notes *list, uint32_t kind)
{
	return &list->keeps[kind == 0 ? 0 : bits_lowest(kind)];
}

/* manifest_only_counts counts a defect if no finding of it would be kept; false: it has to be
 * noted. manifest_note_line notes it, or counts it; false: memory ended. */
static inline bool manifest_only_counts(const struct decode *d, struct manifest *m,
					enum manifest_defect defect, uint32_t kind)
{
	struct manifest_notes *list = &m->notes[defect];
	const struct keep *keep = manifest_keep(list, kind);

	if (!keep_is_full(d, keep))
		return false;
	list->rows[keep->last].n_more++;
	return true;
}
bool manifest_note_line(struct decode *d, struct manifest *m, enum manifest_defect defect,
			const struct manifest_note *note);

/* manifest_add adds a row of `size` bytes; NULL: memory ended. manifest_row is row i.
 * manifest_add_block is what manifest_add calls where a block begins. */
UVET_MUST_USE void *manifest_add_block(struct decode *d, struct manifest_rows *rows, size_t size);
static inline void *manifest_row(const struct manifest_rows *rows, uint32_t i, size_t size)
{
	return (unsigned char *)rows->blocks[i / ROWS_BLOCK] + i % ROWS_BLOCK * size;
}
UVET_MUST_USE static inline void *manifest_add(struct decode *d, struct manifest_rows *rows,
					       size_t size)
{
	if (rows->n % ROWS_BLOCK == 0)
		return manifest_add_block(d, rows, size);
	return manifest_row(rows, rows->n++, size);
}
#define MANIFEST_ROW(m, list, type, i) \
	((struct type *)manifest_row(&(m)->list, i, sizeof(struct type)))

static inline struct manifest_section *manifest_section_row(const struct manifest *m, uint32_t i)
{
	return MANIFEST_ROW(m, sections, manifest_section, i);
}

/* manifest_find_section finds a section of file f by name; MANIFEST_NONE: there is none.
 * manifest_add_section adds it if there is none, and sets *added to whether it did; MANIFEST_NONE:
 * memory ended. */
uint32_t manifest_find_section(const struct manifest *m, enum manifest_file f,
			       const struct text *name);
UVET_MUST_USE uint32_t manifest_add_section(struct decode *d, struct manifest *m,
					    enum manifest_file f, const struct text *name,
					    bool *added);

/* manifest_header reads the line of a section's header, manifest_section_file returns the file that
 * it stands in. */
struct manifest_line manifest_header(const struct manifest *m, uint32_t section);
static inline enum manifest_file manifest_section_file(const struct manifest *m, uint32_t section)
{
	if (section < m->n_ini_sections)
		return MANIFEST_INI;
	return section < m->n_own_sections ? MANIFEST_INT : MANIFEST_OTHER;
}

/* manifest_term_value returns the value of a term, manifest_product_of the product of that name;
 * NULL: it is unknown, or there is no term. */
struct text manifest_term_value(const struct manifest *m, const struct manifest_term *t);
const struct policy_product *manifest_product_of(const struct manifest *m,
						 const struct manifest_term *t);

/* manifest_unit returns the unit of its file's text at which a part of it begins; manifest_part
 * returns n units of a file's text, from such a unit on. */
static inline uint32_t manifest_unit(const struct manifest *m, enum manifest_file f,
				     struct text_ref ref)
{
	return (uint32_t)((ref.at - m->texts[f].at) / text_width(m->texts[f].encoding));
}
static inline struct text manifest_part(const struct manifest *m, enum manifest_file f,
					uint32_t from, uint32_t n)
{
	const struct text text = text_at(&m->windows[f], m->texts[f]);

	return text_part(&text, from, from + n);
}

/* manifest_section_name returns a section's name. */
static inline struct text manifest_section_name(const struct manifest *m, uint32_t section)
{
	const struct manifest_section *s = manifest_section_row(m, section);

	return manifest_part(m, manifest_section_file(m, section), s->from, s->n_units);
}

/* manifest_text returns the text that a text_ref of file f refers to. */
static inline struct text manifest_text(const struct manifest *m, enum manifest_file f,
					struct text_ref ref)
{
	return text_at(&m->windows[f], ref);
}

#endif
