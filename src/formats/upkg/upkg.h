/* UE1 and UE2 packages: the facts that decoding gives. Sources: conformance/spec/upkg.md. */
#ifndef UVET_FORMATS_UPKG_UPKG_H
#define UVET_FORMATS_UPKG_UPKG_H

#include "core/order.h"
#include "formats/format.h"
#include "formats/keep.h"

#define FORMAT upkg
#define FORMAT_DEF "formats/upkg/upkg.def"
#include "formats/declare.h"

#define UPKG_MAGIC              0x9E2A83C1u
#define UPKG_MAGIC_KF           0x9E2A83C2u     /* Killing Floor */
#define UPKG_VERSION_MIN        50u             /* before it tables have another layout */
#define UPKG_VERSION_LOADED     60u             /* the oldest that a retail engine loads */
#define UPKG_VERSION_COUNTED    64u             /* names are counted from here on */
#define UPKG_VERSION_GUID       68u             /* a GUID and generations from here on, a heritage before */
#define UPKG_VERSION_UE3        178u
#define UPKG_NAME_MAX           64u             /* units with the NUL: NAME_SIZE */
#define UPKG_SIZE_MAX           0x7FFFFFFFu     /* offsets are signed INT */
#define UPKG_TAIL               4096u           /* bytes at the end that are looked at for zeros */
#define UPKG_LICENSEE_227       227u            /* Unreal 227 */
#define UPKG_PUBLIC             0x00000004u     /* flags of exports: other packages may refer to the object */
#define UPKG_LOAD_FOR_CLIENT    0x00010000u     /* flags of exports: who makes the object */
#define UPKG_LOAD_FOR_SERVER    0x00020000u
#define UPKG_LOAD_FOR_EDIT      0x00040000u
#define UPKG_HEADER_MAX         64u             /* bytes of tag and summary, in every version */

/* What a file is that should be a package. */
enum upkg_kind { UPKG_IS_OTHER, UPKG_IS_PACKAGE, UPKG_IS_BIG_ENDIAN, UPKG_IS_WRAPPED };

/* The versions whose objects were measured on real files; see clause 2.2. */
enum upkg_era { UPKG_OTHER, UPKG_UE1, UPKG_UE2 };

struct upkg_file {
	enum upkg_kind kind;
	const char *what;                       /* in words: "a Windows program"; NULL: nothing that we know */
	struct text name, stem;                 /* the last component of the file's name, and that without its extension */
	bool named;                             /* the extension is a package's */
	bool uniform;                           /* all bytes are the same */
	bool zero_tail;                         /* the last UPKG_TAIL bytes are zero */
};

/* How the bytes lie that a table has for its rows. */
enum upkg_room { ROOM_SOUND, ROOM_NEGATIVE, ROOM_IN_HEADER, ROOM_OUTSIDE, ROOM_SMALL };

/* A table of the header: names, imports or exports. */
enum upkg_table_number { TABLE_NAMES, TABLE_IMPORTS, TABLE_EXPORTS, N_UPKG_TABLES };
struct upkg_table {
	uint32_t n;                             /* rows that the header counts; 0 when there is no room */
	enum upkg_room room;
	uint64_t at, end;                       /* where its rows are; end is known when they were decoded */
};

/* Where a table's decoding stopped. */
enum upkg_cut { CUT_NOT, CUT_INDEX, CUT_ILLEGAL, CUT_ROW, CUT_NO_NUL };
struct upkg_stop {
	enum upkg_cut cut;
	uint8_t fifth;                          /* of CUT_ILLEGAL: the index's fifth byte */
	uint32_t row;
	uint64_t index_at;                      /* of CUT_INDEX and CUT_ILLEGAL: where the index starts */
	struct span at;                         /* from the row on */
};

/* A name: eight bytes of it are kept. Its text is what upkg_text gives, its flags are what upkg_name_flags reads again. */
struct upkg_name {
	uint32_t at;                            /* of the entry */
	uint32_t traits : 19;                   /* enum upkg_name_trait */
	uint32_t word : 7;                      /* enum upkg_word */
	uint32_t n_few : 6;                     /* units, if the entry is usual; else NAME_UNUSUAL */
};

/* The count of a usual name takes a byte, or none in versions that have no counts; its units take a byte each. */
enum { NAME_UNUSUAL = 63, NAME_WORDS = 127, NAME_TRAITS = (1 << 19) - 1 };

/* Names that rules know. */
enum upkg_word {
	WORD_OTHER,
#define WORD(id, text, ...) WORD_##id,
#include "formats/upkg/words.def"
#undef WORD
	N_WORDS
};

/* An import: what is often asked of its entry. The names of its class and of that class's package are read again
 * (upkg_import_entry_of). Its traits stand in a list of their own, so that both together take 14 bytes. */
struct upkg_import {
	uint32_t at;
	int32_t name;                           /* an index of a name, as it stands there */
	int32_t outer;                          /* an object reference */
};

/* How many outers of an import, or of what a class holds, are looked at: far more than packages have. */
#define UPKG_OUTERS_MAX 64u

/* How many objects a chain of outers, supers or classes may have: the engine makes each by a call inside that of the one before. */
#define UPKG_CHAIN_MAX 128u

/* An export: what is often asked of its entry. The rest, its super and its flags, is read again (upkg_export_entry_of). */
struct upkg_export {
	uint32_t at;
	int32_t class, outer;                   /* object references */
	int32_t name;
	int32_t size, offset;
	uint32_t traits;                        /* enum upkg_export_trait */
};

/* An odd index is a compact index of a table or a body that is not written in the fewest bytes, or a negative zero. */
struct upkg_odd_index {
	uint32_t at;
	uint32_t row;
	uint32_t n_more;                        /* as in struct keep */
	uint8_t len;
	uint8_t table;                          /* enum upkg_table_number; N_UPKG_TABLES: in the body of an export */
	bool negative_zero;
};

/* A region is what a package's header, tables and bodies are made of. */
enum upkg_region_kind { REGION_HEADER, REGION_HERITAGE, REGION_NAMES, REGION_IMPORTS, REGION_EXPORTS, REGION_BODY };

/* Two regions of which the second begins inside the first. */
struct upkg_overlap {
	enum upkg_region_kind first_kind, second_kind;
	uint32_t first, second;                 /* exports, of bodies */
	struct span first_at, second_at;
	uint32_t n_more;                        /* as in struct keep */
};

/* What a body can have that a rule tells: five lists of kinds, so that each list's kinds can be marks of its table. */
enum upkg_flaw_list { FLAWS_OBJECTS, FLAWS_SCRIPTS, FLAWS_NATIVES, FLAWS_LEVELS, FLAWS_RESOURCES, N_FLAW_LISTS };
#define FLAWS_IN_LIST   32
#define FLAW_MARK(kind) (UINT32_C(1) << (kind) % FLAWS_IN_LIST)         /* in its list */
enum upkg_flaw_kind {
#define FLAWS(list, set)        set##_first = FLAWS_##list * FLAWS_IN_LIST - 1,
#define FLAW(kind, meaning)     FLAW_##kind,
#define FLAWS_END(list, set)    set##_end,
#include "formats/upkg/upkg.def"
#undef FLAWS
#undef FLAW
#undef FLAWS_END
};

/* The marks of all kinds of a list, as the defects of its table. */
__extension__ enum {
#define FLAWS(list, set)        set##_defects = 0
#define FLAW(kind, meaning)     | FLAW_MARK(FLAW_##kind)
#define FLAWS_END(list, set)    ,
#include "formats/upkg/upkg.def"
#undef FLAWS
#undef FLAW
#undef FLAWS_END
};

/* What of a model does not exist, where one kind of flaw can be about several things. */
enum upkg_model_part {
	PART_COLLISION_BOUND, PART_RENDER_BOUND, PART_ZONE, PART_LEAF, PART_POINT, PART_NORMAL, PART_TEXTURE_U, PART_TEXTURE_V,
	PART_LIGHT_MAP, PART_BIT, PART_LIGHT, PART_LIGHT_END, PART_BITS, PART_WIDTH, PART_HEIGHT, N_MODEL_PARTS
};

/* What is wrong with a sequence of frames. */
enum upkg_sequence_part { SEQUENCE_FRAMES, SEQUENCE_FIRST, SEQUENCE_END };

/* Whether an actor is not what the engine asks of it, or may be. */
enum upkg_level_actor { LEVEL_ACTOR_WRONG, LEVEL_ACTOR_DOUBTFUL };

/* What a level and a model refer to that is to be of some class. */
enum upkg_level_part { LEVEL_ACTOR, LEVEL_PATH_START, LEVEL_PATH_END, LEVEL_REMOVED, LEVEL_TEXT };
enum upkg_model_thing { MODEL_POLYS, MODEL_SURF_TEXTURE, MODEL_SURF_ACTOR, MODEL_ZONE_ACTOR, MODEL_LIGHT };

/* What is wrong with an entry of a hull. */
enum upkg_hull_part { HULL_NO_NODE, HULL_OPEN, HULL_NO_BOX };

/* What is wrong with a font, and with a mesh. */
enum upkg_font_part { FONT_TEXTURE, FONT_PAGE, FONT_GLYPH, FONT_BEYOND };
enum upkg_mesh_part { MESH_FRAMES, MESH_VERTEX, MESH_TEXTURE, MESH_WEDGE, MESH_MATERIAL };

/* What is wrong with a reference in a list of fields. */
enum upkg_field_part { FIELD_NONE, FIELD_ELSEWHERE, FIELD_TWICE, FIELD_BEHIND_CLASS };

/* What a reference of code or of a variable is to lead to. */
enum upkg_thing { THING_VARIABLE, THING_FUNCTION, THING_CLASS, THING_STRUCT, THING_ENUM, THING_ELEMENT, THING_STATE, THING_BOOL };

/* What the place of a token is for. */
enum upkg_token_place {
	PLACE_ANY, PLACE_STATEMENT, PLACE_ASSIGNED, PLACE_ARRAY, PLACE_BOOL, PLACE_PARAMETERS, PLACE_ITERATOR, PLACE_IN_ITERATION,
	PLACE_CASE,
};

/* Why code has no end. */
enum upkg_end_part { END_EMPTY, END_OTHER, END_JUMP };

/* What a sound is instead of a RIFF WAVE file. */
enum upkg_sound_part { SOUND_OTHER_TYPE, SOUND_NO_WAVE, SOUND_LONGER, SOUND_OGG };

/* Whether labels are sought where there is no code. */
enum upkg_label_part { LABELS_IN_CODE, LABELS_WITHOUT_CODE };

/* A flaw is bytes of a body with a part of what its kind is about and up to two numbers; what they mean its kind says. Of one kind flaws
 * may be told by two rules, or at two severities: rules decide by the sort alone, because a row counts others of its sort. */
enum { FLAW_IS_OTHER = 1, FLAW_IS_FOR_EDITOR = 2, FLAW_SORTS = 4 };
struct upkg_flaw {
	uint32_t export;
	int32_t property;                       /* the name of the property that it is about */
	uint8_t kind;                           /* enum upkg_flaw_kind */
	uint8_t sort;                           /* FLAW_IS_OTHER: told by the second rule of its kind or as lesser; FLAW_IS_FOR_EDITOR: in
						   an object that only the editor loads */
	uint8_t part;
	uint32_t n_more;                        /* as in struct keep */
	uint64_t at, len;
	int64_t first, second;
};

struct upkg_flaws {
	struct keep keeps[FLAWS_IN_LIST][FLAW_SORTS];
	struct upkg_flaw *rows;                 /* in the order of the exports, then those of fonts beyond their textures, and of
						   conditions */
	uint32_t n, kinds;                      /* kinds: bit k for a flaw of the list's kind k */
	uint64_t max;
};

#define FLAW_NO_NUMBER INT64_MIN         /* first, where the bytes are no number */

struct upkg_gap {
	struct span span;
	uint32_t n_more;                        /* as in struct keep */
	bool last;                              /* it ends where the file ends */
};

/* What it means that the last bytes of the file are zero. */
enum upkg_tail {
	TAIL_SOUND,             /* they are not, or nothing lies there */
	TAIL_DOUBTFUL,          /* only what may be zero lies there */
	TAIL_LOST,              /* a table lies there */
};

/* A row of a table that is zeros from its first byte to its last, which no engine saves; len 0: there is none. */
struct upkg_lost_row {
	uint32_t at, len;
	bool is_import;                         /* or an export */
};

struct upkg {
	uint64_t size;                          /* of the file */
	uint64_t limit;                         /* how far offsets reach: the size, or 2^31-1 */
	const struct group *groups;             /* the stops of these facts */
	struct upkg_file file;
	enum upkg_era era;

	struct upkg_tag tag;
	struct upkg_header header;
	uint64_t header_end;                    /* behind the generations, or behind the summary */
	struct span heritage;
	struct upkg_generation *generations;
	uint32_t n_generations;

	struct upkg_table tables[N_UPKG_TABLES];
	struct upkg_stop stops[N_UPKG_TABLES];
	struct cursor name_window;              /* holds every name */
	struct upkg_name *names;
	uint32_t *name_hashes;                  /* alike for names that are the same */
	uint32_t name_traits;                   /* that any name has */
	uint32_t none;                          /* the first name None; n: there is none */
	uint32_t *first_names;                  /* for each name the first that is the same; NULL: it is itself */
	struct cursor import_window;            /* holds every import */
	struct upkg_import *imports;
	uint16_t *imports_traits;               /* of each import: enum upkg_import_trait */
	uint32_t import_traits;                 /* that any import has */
	struct cursor export_window;            /* holds every export */
	struct upkg_export *exports;
	uint32_t export_traits;
	uint64_t last_offset, last_end;         /* of the body that was read last */
	uint32_t n_stretches;                   /* of bodies, each of which begins where the one before it in the table ends */
	uint32_t odd_counts[N_UPKG_TABLES];     /* odd indexes of each table */
	struct upkg_odd_index *odd_indexes;
	uint32_t n_odd_indexes;
	uint64_t max_odd_indexes;
	struct keep odd_keeps[2];            /* of those that are no negative zeros, and that are */

	struct pairs name_pairs;           /* names that are the same but for case */
	struct pairs import_pairs;         /* imports that are the same */
	struct pairs export_pairs;         /* exports of one outer and name */

	struct upkg_overlap *overlaps;
	uint32_t n_overlaps;
	struct upkg_gap *gaps;
	uint32_t n_gaps;
	struct upkg_flaws flaws[N_FLAW_LISTS];
	uint8_t *used_names;                    /* a bit for each name: something refers to it */
	bool uses_are_known;                    /* no body has bytes that nobody looked at */
	uint32_t n_unused_names, first_unused;
	uint64_t first_body, last_body;         /* where the first and the last body start; first UINT64_MAX: there is none */
	enum upkg_tail tail;
	struct upkg_lost_row lost_row;
	bool is_laid_out;                       /* what lies where is known of all that was decoded; else only of the header */
	uint64_t explained;                     /* bytes that belong to something */
	bool late_names;                        /* a body or another table lies before the names */
	bool unusual_order;                     /* behind the names not bodies, imports, exports */
};

#define FORMAT upkg
#define FORMAT_DEF "formats/upkg/upkg.def"
#include "formats/declare_tables.h"

extern const struct format upkg_format;

/* The parts of decoding, in their order. Each notes its group's stop in d and returns false when it cannot go on. */
bool upkg_decode_file(struct decode *d, struct upkg *u);
bool upkg_decode_header(struct decode *d, struct upkg *u);
bool upkg_decode_names(struct decode *d, struct upkg *u);
bool upkg_decode_imports(struct decode *d, struct upkg *u);
bool upkg_decode_exports(struct decode *d, struct upkg *u);
bool upkg_link(struct decode *d, struct upkg *u);
bool upkg_lay_out(struct decode *d, struct upkg *u);    /* also of what there is where a table is missing */
void upkg_decode_bodies(struct decode *d, struct upkg *u);
void upkg_count_uses(struct decode *d, struct upkg *u);

/* A upkg_games is versions with the licensees that games have with them, both from first to last. upkg_is_of tells whether a package is of
 * one of n. */
struct upkg_games {
	uint32_t first, last, licensee_first, licensee_last;
};
bool upkg_is_of(const struct upkg *u, const struct upkg_games *games, size_t n);

/* upkg_is_usual_gap tells whether packages of the game have these bytes that belong to nothing. */
bool upkg_is_usual_gap(const struct upkg *u, const struct upkg_gap *g);

/* upkg_body_bytes counts the bytes of all bodies that can be walked. */
uint64_t upkg_body_bytes(const struct upkg *u);

/* upkg_name_of gives the name of an index; NULL if there is none of that number. */
static inline const struct upkg_name *upkg_name_of(const struct upkg *u, int32_t index)
{
	return index >= 0 && (uint32_t)index < u->tables[TABLE_NAMES].n ? &u->names[index] : NULL;
}

/* upkg_text gives a name's text, upkg_text_of that of an index: empty if there is none of that number. */
struct text upkg_text(const struct upkg *u, const struct upkg_name *n);
struct text upkg_text_of(const struct upkg *u, int32_t index);

/* upkg_name_flags returns the flags of a name. */
uint32_t upkg_name_flags(const struct upkg *u, const struct upkg_name *n);

/* upkg_before_nul returns what an engine reads of a text, which ends at its first NUL. */
static inline struct text upkg_before_nul(struct text t)
{
	return text_sub(t, 0, text_find(t, 0, 0));
}

/* upkg_path_traits returns what makes a name a path, of what an engine keeps of it: traits of core/path.h. upkg_path_defect says it in a
 * few words; the traits are not 0. */
uint32_t upkg_path_traits(const struct upkg *u, int32_t name);
const char *upkg_path_defect(uint32_t traits);

/* upkg_word_of returns what name an index is, of those that rules know. */
static inline enum upkg_word upkg_word_of(const struct upkg *u, int32_t index)
{
	const struct upkg_name *n = upkg_name_of(u, index);

	return n ? (enum upkg_word)n->word : WORD_OTHER;
}

/* upkg_first_name returns the first name that is the same as that of an index, without case as the engine compares; the index itself where
 * there is no such name. */
static inline int64_t upkg_first_name(const struct upkg *u, int32_t index)
{
	return u->first_names && upkg_name_of(u, index) ? (int64_t)u->first_names[index] : index;
}

/* upkg_use_name notes that something refers to a name, which exists. */
static inline void upkg_use_name(struct upkg *u, int32_t index)
{
	u->used_names[(uint32_t)index / 8] |= (uint8_t)(1u << (uint32_t)index % 8);
}

/* upkg_import_entry_of reads an import's entry once more, from the window that was held for it; upkg_import_class tells what its class is,
 * of the words that rules know. */
struct upkg_import_entry upkg_import_entry_of(const struct upkg *u, const struct upkg_import *i);
enum upkg_word upkg_import_class(const struct upkg *u, const struct upkg_import *i);

/* upkg_export_entry_of reads an export's entry once more, from the window that was held for it; upkg_super_of its super alone.
 * upkg_place_of returns where the entry ends: there the offset stands, if the size is not 0. */
struct upkg_export_entry upkg_export_entry_of(const struct upkg *u, const struct upkg_export *e);
int32_t upkg_super_of(const struct upkg *u, const struct upkg_export *e);
uint64_t upkg_place_of(const struct upkg *u, const struct upkg_export *e);

/* upkg_refers tells whether an object reference is one: 0, an export or an import of the package. */
bool upkg_refers(const struct upkg *u, int64_t object);

/* upkg_import_home returns the import that an import lies in, where that lies in nothing itself, as the packages of classes do; or NULL. */
const struct upkg_import *upkg_import_home(const struct upkg *u, const struct upkg_import *i);

/* upkg_least_row returns the least bytes that a row of a table has. */
uint64_t upkg_least_row(const struct upkg *u, enum upkg_table_number number);

/* upkg_saved_flags returns the flags that exports of the package's era are saved with. */
uint32_t upkg_saved_flags(const struct upkg *u);

/* upkg_has_other_tables tells whether a game of this version and licensee is known to lay out its tables in its own way. */
bool upkg_has_other_tables(const struct upkg *u);

/* upkg_engine_word returns which class of the engine an import is, of those that rules know: none if it is known to lie elsewhere. */
enum upkg_word upkg_engine_word(const struct upkg *u, const struct upkg_import *class);

/* upkg_class_word returns what class an export is of, of those of the engine that rules know: WORD_Class for a class. */
enum upkg_word upkg_class_word(const struct upkg *u, const struct upkg_export *e);

/* upkg_class_of returns the class of what a reference leads to: WORD_None where that is nothing. */
enum upkg_word upkg_class_of(const struct upkg *u, int32_t reference);

/* upkg_first_window returns how many bytes at the start of a file are read at once. */
uint64_t upkg_first_window(const struct decode *d);

/* upkg_recognise says what the first bytes are; false if they cannot be read. */
bool upkg_recognise(struct decode *d, struct upkg_file *f);

/* upkg_map passes the regions; see struct format. */
bool upkg_map(const void *facts, struct decode *d, map_sink *sink, void *ctx);

/* upkg_summary fills in what is kept of a package; see struct format. */
void upkg_summary(const void *facts, struct decode *d, struct summary *out);

/* upkg_may_share tells whether two regions that overlap are the body of two exports without flags, which nobody loads. */
bool upkg_may_share(const struct upkg *u, const struct upkg_overlap *o);

/* upkg_is_of_unreal tells whether the package is one of Unreal or Unreal Tournament, whose engine's sources are known. A rule that rests on
 * them is milder for others. */
static inline bool upkg_is_of_unreal(const struct upkg *u)
{
	return u->era == UPKG_UE1 && u->tag.licensee == 0;
}
#define OF_OTHERS "the package is of UE2 or of another licensee, whose engine nobody looked up"

/* upkg_is_for_editor tells whether no game makes an export's object: a client makes those with LoadForClient, a server those with
 * LoadForServer. */
static inline bool upkg_is_for_editor(const struct upkg *u, uint32_t export)
{
	return (u->exports[export].traits & EXPORT_FOR_EDITOR) != 0;
}
#define EDITOR_ALONE "the editor alone loads the object: its export has neither LoadForClient nor LoadForServer"

#endif
