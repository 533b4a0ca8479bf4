/* How the files of an archive lie: what every site and game minds, and what the one minds that the
 * user names (--layout). Source: conformance/spec/layout.md.
 *
 * A format calls lay_examine when its members are listed and examined, and lay_read when the bytes
 * of members can be had; the rules of layout_rules.h tell what these note. */
#ifndef UVET_FORMATS_ARCHIVE_LAYOUT_LAYOUT_H
#define UVET_FORMATS_ARCHIVE_LAYOUT_LAYOUT_H

#include "core/upload.h"
#include "formats/archive/members/members.h"

#define DEFECTS_FILE "formats/archive/layout/layout.def"
#include "formats/declare_defects.h"

/* A lay_row is one thing to tell: of a member, or of the archive. `value` is what was found, for a
 * message; of a text it is the text, of the other kinds a number or a constant word. */
#define LAY_NONE UINT32_MAX
enum lay_kind { LAY_WORD, LAY_NUMBER, LAY_SIZE, LAY_HEX, LAY_TEXT };
struct lay_row {
	uint32_t member, relative; /* rows of the members; LAY_NONE: the archive, none */
	uint32_t traits;           /* enum lay_row_trait or lay_file_trait, of which it has one */
	uint32_t kind;             /* enum lay_kind */
	const char *field;         /* of a manifest: what of it; else NULL */
	const char *words;         /* what is the matter, a constant; NULL: the trait says it */
	union {
		uint64_t number;
		const char *word;
		const struct text *text;
	} value;
};
KEEPS(lay_row, struct lay_row, traits);
KEEPS(lay_file, struct lay_row, traits);

/* A lay_list is what there is to tell, in the order in which it was found. */
struct lay_list {
	struct lay_row *rows;
	uint64_t n, max;
	uint32_t traits; /* that any row has */
};

struct lay {
	struct lay_list tree;           /* by the members' names */
	struct lay_list files;          /* by the bytes of the files that a site reads */
	uint32_t roots[N_UPLOAD_READS]; /* rows of the members */
	struct text top;                /* the one folder that has everything */
};

/* What a format knows of itself. */
struct lay_archive {
	const struct members *members;
	const char *kind; /* "zip", "7z"; NULL: it is a folder, of which one will be made */
	/* tells whether a member's bytes show that it is of use; NULL: no bytes were looked at */
	bool (*is_seen)(const void *facts, uint64_t row);
	const void *facts;
	bool is_whole; /* all its members are known, as far as it says */
	bool is_zip;
	bool begins_at_0; /* of a zip: some member's local header is where the file begins */
};

/* lay_examine finds what is to be told of the members' names, in time in proportion to the bytes of
 * all names. false: memory or work ended, which is noted for the group. */
bool lay_examine(struct decode *d, uint32_t group, const struct lay_archive *a, struct lay *out);

/* lay_read reads the files that the site reads which d->upload names, through `files` of the
 * format whose facts these are: their group is `payload`. What it finds is added to the files of
 * the layout; where it stops that is noted for `group`. */
struct lay_source {
	const void *facts;
	const struct nested_files *files;
	const struct members *members;
	uint32_t group, payload;
	/* tells whether the bytes of a member can be decoded */
	bool (*may_open)(const void *facts, uint64_t row);
};
void lay_read(struct decode *d, const struct lay_source *s, struct lay *l);

#endif
