/* The installer's manifests, System\Manifest.ini and Manifest.int: sections, lines, and what the lines mean. */
#ifndef UVET_FORMATS_UMOD_MANIFEST_H
#define UVET_FORMATS_UMOD_MANIFEST_H

#include "core/order.h"
#include "core/path.h"
#include "core/text.h"
#include "formats/decode.h"

struct umod;

#define MANIFEST_NONE ORDER_NONE

enum manifest_file { MANIFEST_INI, MANIFEST_INT, MANIFEST_N_FILES };

/* The keys that mean something to the installer. Source: OWK umod-source, UDN "Creating UMODs". */
enum manifest_key {
	KEY_OTHER, KEY_PRODUCT, KEY_VERSION, KEY_ARCHIVE, KEY_GROUP, KEY_REQUIRES, KEY_README, KEY_LICENSE, KEY_LOGO, KEY_FILE,
	KEY_COPY, KEY_DELETE, KEY_BACKUP, KEY_FOLDER, KEY_REMOVE_PATH, KEY_SHORTCUT, KEY_WIN_REGISTRY,
	KEY_INI, KEY_ADD_INI, KEY_SAVE_INI, KEY_REMOVE_INI, KEY_REMOVE_INI_VALUE,
	KEY_URL,                        /* any key that ends in URL */
	MANIFEST_N_KEYS
};

enum manifest_line_kind { LINE_SECTION, LINE_PAIR, LINE_COMMENT, LINE_OTHER };

/* A manifest_line is a line that is not blank. Its text_refs are trimmed. */
struct manifest_line {
	struct text_ref whole, key, value;
	uint32_t number;                /* in its file, from 1 */
	uint32_t section;               /* MANIFEST_NONE before the first */
	uint8_t kind;                   /* enum manifest_line_kind */
	uint8_t file;                   /* enum manifest_file */
	uint8_t key_id;                 /* enum manifest_key */
	bool control;                   /* has a control character other than tab */
	bool odd_scheme;                /* KEY_URL: a scheme that no browser would follow silently */
};

struct manifest_section {
	struct text_ref name, header;
	uint32_t number;                /* line */
	uint32_t same_as;               /* the first section of this name in its file; itself if it is the first */
	uint64_t key;                   /* manifest_section_key */
	uint8_t file;
	bool is_setup;
	bool referenced;                /* by a Group= or Requires= */
};

/* A manifest_reference is a Group= or Requires= line. */
struct manifest_reference {
	const struct manifest_line *line;
	uint32_t from, to;              /* first sections of their names; to: MANIFEST_NONE if there is no such section */
	bool requires;
	bool closes_cycle;              /* following Group= lines from `to` leads back here */
};

/* The games that sign for a Product, and the last patch of each. */
struct manifest_product {
	const char *name;
	size_t len;                     /* of the name */
	uint64_t last_version;          /* 0: not known */
	bool is_game;                   /* not a mere add-on */
};

/* A manifest_requirement is a section that a Requires= names. */
struct manifest_requirement {
	const struct manifest_section *section;
	const struct manifest_line *product, *version;          /* NULL: absent */
	const struct manifest_product *known;                   /* NULL: not a product that we know */
	bool version_is_number;
	uint64_t version_number;
};

/* Beside enum path_trait: Dest is a program by its extension, and Src is not. */
#define MANIFEST_BECOMES_PROGRAM (1u << 16)

/* A manifest_copy is a File= or Copy= line that is a proper tuple, or as much of it as there is. */
struct manifest_copy {
	const struct manifest_line *line;
	struct text_ref src, dest, size, flags; /* values without quotes; n_units 0 with at 0: absent */
	uint64_t size_number, flags_number;
	uint32_t dest_traits;           /* enum path_trait, MANIFEST_BECOMES_PROGRAM; 0 if absent */
	uint32_t member;                /* first directory entry of Src's name, or MANIFEST_NONE */
	bool has_src, has_dest, has_size, has_flags;
	bool malformed;
	bool to_manifest;               /* installs to System\Manifest.* */
	uint16_t dest_formats;          /* that Dest's extension promises, as format_set gives them */
};

/* A manifest_kind is what an extension says of a file. */
struct manifest_kind {
	uint32_t extension;             /* as text_word gives it; UINT32_MAX stands for all that are longer */
	uint16_t formats;               /* that it promises, as format_set gives them */
	bool is_program;
};

/* A manifest_alias is a copy that gives a member the extension of another format than its own name and earlier copies do. */
struct manifest_alias {
	const struct manifest_copy *copy;
	uint32_t member;
};

/* A manifest_pair is two copies that meet; second is the later line. */
struct manifest_pair {
	const struct manifest_copy *first, *second;
};

/* A manifest_action is a line that changes something other than by copying a member. */
struct manifest_action {
	const struct manifest_line *line;
	struct text_ref path;           /* the file or folder that it concerns */
	uint32_t traits;                /* enum path_trait, of path */
	bool ini_malformed;             /* Ini=, AddIni= not of the form file,section.key=value, or a file not ending in .ini */
	bool ini_core;                  /* its section begins with "Core." */
	bool outside_system;            /* an ini file in a folder other than System */
	bool missing_package;           /* adds a ServerPackages entry that the archive does not have */
	struct text_ref package;
};

/* A manifest_text_file is a ReadMe=, License= or Logo= of a [Setup]. */
struct manifest_text_file {
	const struct manifest_line *line;
	bool missing;
};

struct manifest {
	struct cursor windows[MANIFEST_N_FILES];        /* the members' bytes */
	struct text_ref texts[MANIFEST_N_FILES];        /* without a byte order mark */
	bool present[MANIFEST_N_FILES];

	struct manifest_section *sections;
	struct manifest_line *lines;
	struct manifest_reference *references;
	struct manifest_requirement *requirements;
	struct manifest_copy *copies;
	uint32_t *dest_hashes;                          /* by copy: of Dest, or of Src if there is no Dest; 0 if there is neither */
	struct manifest_pair *relisted, *dest_clashes;
	struct manifest_alias *aliases;
	struct manifest_action *actions;
	struct manifest_text_file *text_files;
	uint32_t n_sections, n_lines, n_references, n_requirements, n_copies, n_relisted, n_dest_clashes, n_aliases, n_actions;
	uint32_t n_text_files;

	struct order by_name;                           /* sections */
	uint32_t setup[MANIFEST_N_FILES];               /* [Setup], or MANIFEST_NONE */
	const struct manifest_line *product;            /* of Manifest.ini's [Setup], not empty; else NULL */
	const struct manifest_product *product_known;
	const struct manifest_line *version;            /* Version= of the same section, even if empty */
	bool version_starts_number;                     /* it begins with a number other than 0 */
	const struct manifest_line *archive;            /* Archive= likewise */
	bool archive_escapes;                           /* it has a ".." component */
	bool has_group;                                 /* [Setup] of Manifest.ini has a Group= */
	uint32_t *listed_by;                            /* by member: the first copy that names it, or MANIFEST_NONE */
	uint32_t next_member;                           /* behind the one that the last copy named */
	uint16_t dest_formats;                          /* of all copies */
	uint32_t dest_traits;                           /* likewise */
	struct manifest_kind dest_kind;                 /* of the last Dest; many share it */
};

/* manifest_tokenise fills sections and lines from the texts that are present. */
bool manifest_tokenise(struct decode *d, struct manifest *m);

/* manifest_interpret fills everything else, looking names up in the directory. */
bool manifest_interpret(struct decode *d, struct umod *u);

/* manifest_section_key is the same for sections of one file whose names are equal without case: the file, the name's length, and its
 * first four letters. */
static inline uint64_t manifest_section_key(enum manifest_file f, const struct text *name)
{
	uint32_t n = name->ref.n_units;
	uint64_t word = n > 0 ? text_word(text_part(name, 0, n < 4 ? n : 4)) : 0;

	return (uint64_t)f << 63 | (uint64_t)(n & INT32_MAX) << 32 | word;
}

/* manifest_key_of gives the key of section i, for orders. */
uint64_t manifest_key_of(const void *manifest, uint32_t i);

/* manifest_text gives the text behind a ref of file f. */
static inline struct text manifest_text(const struct manifest *m, enum manifest_file f, struct text_ref ref)
{
	return text_at(&m->windows[f], ref);
}

#endif
