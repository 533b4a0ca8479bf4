/* UE1 and UE2 packages: the facts that decoding finds. Sources: conformance/spec/upkg.md. */
#ifndef UVET_FORMATS_UPKG_FACTS_H
#define UVET_FORMATS_UPKG_FACTS_H

#include "core/order.h"
#include "formats/format.h"
#include "formats/keep.h"

#define FORMAT upkg
#define FORMAT_DEF "formats/upkg/upkg.def"
#include "formats/declare.h"

/* What a file is that is to be a package. */
enum upkg_kind { UPKG_IS_OTHER, UPKG_IS_PACKAGE, UPKG_IS_BIG_ENDIAN, UPKG_IS_WRAPPED };

/* The versions whose objects were measured on real files; see clause 2.2. */
enum upkg_era { UPKG_OTHER, UPKG_UE1, UPKG_UE2 };

struct upkg_file {
	enum upkg_kind kind;
	const char *what; /* in words: "a Windows program"; NULL: nothing that is known */
	/* the last component of the file's name, and that without its extension */
	struct text name, stem;
	bool named;     /* the extension is a package's */
	bool zero_tail; /* the last UPKG_TAIL bytes are zero */
};

/* A table of the header: names, imports or exports. */
enum upkg_table_number { TABLE_NAMES, TABLE_IMPORTS, TABLE_EXPORTS, N_UPKG_TABLES };
struct upkg_table {
	uint32_t n;       /* rows that the header counts; 0 where they cannot be there */
	uint32_t traits;  /* enum upkg_table_trait */
	uint64_t at, end; /* where its rows are; end is known when they were decoded */
};

/* Where a table's decoding stopped, if it did. */
struct upkg_stop {
	uint32_t traits; /* enum upkg_stop_trait; 0: it did not */
	uint32_t row;
	uint8_t fifth;     /* of CUT_INDEX_BITS and CUT_INDEX_RANGE: the index's fifth byte */
	uint64_t index_at; /* of these and CUT_INDEX: where the index starts */
	struct span at;    /* from the row on */
};

/* A name: eight bytes of it are kept. upkg_text returns its text, upkg_name_flags its flags. */
struct upkg_name {
	uint32_t at;                      /* of the entry */
	uint32_t traits : upkg_name_room; /* enum upkg_name_trait */
	uint32_t word : 7;                /* enum upkg_word */
	uint32_t n_units : 6;             /* if the entry is usual; else NAME_UNUSUAL */
};

/* An import: what is often asked of its entry. The names of its class and of that class's
 * package are read again (upkg_import_entry_of). Its traits are in a list of their own, so that
 * both together take 14 bytes. */
struct upkg_import {
	uint32_t at;
	int32_t name;  /* an index of a name, which may not exist */
	int32_t outer; /* an object reference */
};

/* An export: what is often asked of its entry. The rest, its super and its flags, is read again
 * (upkg_export_entry_of). */
struct upkg_export {
	uint32_t at;
	int32_t class, outer; /* object references */
	int32_t name;
	int32_t size, offset;
	uint32_t traits; /* enum upkg_export_trait */
};

/* A long index is a compact index of a table or a body that is not written in the fewest bytes, or
 * is a negative zero. */
struct upkg_long_index {
	uint32_t at;
	uint32_t row;
	uint32_t n_more; /* as in struct keep */
	uint8_t len;
	uint8_t table;  /* enum upkg_table_number; N_UPKG_TABLES: in the body of an export */
	uint8_t traits; /* enum upkg_long_index_trait */
};
KEEPS(upkg_long_index, struct upkg_long_index, traits);

/* A region is what a package's header, tables and bodies are made of. */
enum upkg_region_kind {
	REGION_HEADER,
	REGION_HERITAGE,
	REGION_NAMES,
	REGION_IMPORTS,
	REGION_EXPORTS,
	REGION_BODY
};

/* Two regions of which the second begins inside the first. */
struct upkg_overlap {
	enum upkg_region_kind first_kind, second_kind;
	uint32_t traits;        /* enum upkg_overlap_trait */
	uint32_t first, second; /* exports, of bodies */
	struct span first_at, second_at;
	uint32_t n_more; /* as in struct keep */
};

/* What a body can have that a rule tells: five lists of kinds, so that each list's kinds can be
 * marks of its table. */
enum upkg_flaw_list {
	FLAWS_OBJECTS,
	FLAWS_SCRIPTS,
	FLAWS_NATIVES,
	FLAWS_LEVELS,
	FLAWS_RESOURCES,
	N_FLAW_LISTS
};
#define FLAWS_IN_LIST 64
#define FLAW_MARK(kind) (UINT64_C(1) << (kind) % FLAWS_IN_LIST) /* in its list */
enum upkg_flaw_kind {
#define FLAWS(list, set) set##_first = FLAWS_##list * FLAWS_IN_LIST - 1,
#define FLAW(kind, meaning) FLAW_##kind,
#define FLAWS_END(list, set) set##_end,
#include "formats/upkg/body/flaws.def"
#undef FLAWS
#undef FLAW
#undef FLAWS_END
};

/* The marks of all kinds of a list, as the defects of its table. */
__extension__ enum {
#define FLAWS(list, set) set##_room = FLAWS_IN_LIST, set##_defects = 0
#define FLAW(kind, meaning) | FLAW_MARK(FLAW_##kind)
#define FLAWS_END(list, set) ,
#include "formats/upkg/body/flaws.def"
#undef FLAWS
#undef FLAW
#undef FLAWS_END
};

#define FLAWS(list, set)
#define FLAW(kind, meaning)
#define FLAWS_END(list, set) \
	_Static_assert((int)set##_end - (int)set##_first - 1 <= (int)set##_room, \
		       "a list has no room for the last flaw of " #set);
#include "formats/upkg/body/flaws.def"
#undef FLAWS
#undef FLAW
#undef FLAWS_END

/* A flaw is bytes of a body with a part of what its kind is about and up to two numbers; what
 * they mean its kind says. A row may count others (n_more), which are of its kind and like it
 * for_editor or not. So a rule decides its severity by these two, and by what is the same in the
 * whole file. */
struct upkg_flaw {
	uint32_t export;
	int32_t property; /* the name of the property that it is about */
	uint16_t kind;    /* enum upkg_flaw_kind */
	uint8_t part;
	bool for_editor; /* in an object that only the editor makes */
	uint32_t n_more; /* as in struct keep */
	uint64_t at, len;
	int64_t first, second;
};

struct upkg_flaws {
	struct keep keeps[FLAWS_IN_LIST][2]; /* by kind, and whether for_editor */
	/* in the order of the exports, then those that are found when all bodies were read */
	struct upkg_flaw *rows;
	uint32_t n;
	uint64_t max, kinds; /* kinds: bit k for a flaw of the list's kind k */
};

struct upkg_gap {
	struct span span;
	uint32_t n_more; /* as in struct keep */
	uint32_t traits; /* enum upkg_gap_trait */
};

struct upkg {
	uint64_t size;              /* of the file */
	uint64_t limit;             /* what offsets can address: the size, or 2^31-1 */
	const struct group *groups; /* the stops of these facts */
	uint32_t traits;            /* enum upkg_file_trait */
	struct upkg_file file;
	enum upkg_era era;

	struct upkg_tag tag;
	struct upkg_header header;
	uint64_t header_end; /* where the generations end, or else the summary */
	struct span heritage;
	struct upkg_generation *generations;
	uint32_t n_generations;

	struct upkg_table tables[N_UPKG_TABLES];
	uint32_t table_traits; /* that any table has */
	struct upkg_stop stops[N_UPKG_TABLES];
	uint32_t stop_traits;
	struct cursor name_window; /* holds every name */
	struct upkg_name *names;
	uint32_t *name_hashes; /* equal for names that are the same */
	uint32_t name_traits;  /* that any name has */
	uint32_t none;         /* the first name None; n: there is none */
	uint32_t *first_names; /* for each name the first that is the same; NULL: it is itself */
	struct cursor import_window; /* holds every import */
	struct upkg_import *imports;
	uint16_t *imports_traits;    /* of each import: enum upkg_import_trait */
	uint32_t import_traits;      /* that any import has */
	struct cursor export_window; /* holds every export */
	struct upkg_export *exports;
	uint32_t export_traits;
	uint64_t last_offset, last_end; /* of the body that was read last */
	/* of bodies, each of which begins where the one before it in the table ends */
	uint32_t n_stretches;
	uint32_t long_counts[N_UPKG_TABLES]; /* long indexes of each table */
	struct upkg_long_index *long_indexes;
	uint32_t n_long_indexes;
	uint64_t max_long_indexes;
	struct keep long_keeps[2];  /* of those that are no negative zeros, and that are */
	uint32_t long_index_traits; /* that any of them has */

	struct pairs name_pairs;   /* names that are the same but for case */
	struct pairs import_pairs; /* imports that are the same */
	struct pairs export_pairs; /* exports of one outer and name */

	struct upkg_overlap *overlaps;
	uint32_t n_overlaps, overlap_traits;
	struct upkg_gap *gaps;
	uint32_t n_gaps, gap_traits;
	struct upkg_flaws flaws[N_FLAW_LISTS];
	uint8_t *used_names; /* a bit for each name: something refers to it */
	bool uses_are_known; /* no body has bytes that were not read */
	uint32_t n_unused_names, first_unused;
	/* where the first and the last body start; first UINT64_MAX: there is none */
	uint64_t first_body, last_body;
	/* what lies where is known of all that was decoded; else only of the header */
	bool is_laid_out;
	struct span lost_row; /* of FILE_IMPORT_LOST or FILE_EXPORT_LOST */
	uint64_t explained;   /* bytes that belong to something */
};
KEEPS(upkg_import, struct upkg, imports_traits[0]);

#define FORMAT upkg
#define FORMAT_DEF "formats/upkg/upkg.def"
#include "formats/declare_tables.h"

#endif
