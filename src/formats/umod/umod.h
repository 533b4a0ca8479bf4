/* UMOD installers: the facts that decoding finds.
 *
 * A UMOD is member bytes, then a directory, then a 20-byte trailer at the end of the file, or, in a
 * signed self-extracting executable, just before the signature. Format facts:
 * conformance/spec/umod.md. */
#ifndef UVET_FORMATS_UMOD_UMOD_H
#define UVET_FORMATS_UMOD_UMOD_H

#include "core/order.h"
#include "core/path.h"
#include "formats/format.h"
#include "formats/umod/manifest.h"

#define FORMAT umod
#define FORMAT_DEF "formats/umod/umod.def"
#include "formats/declare.h"

#define LINE(defect, meaning)
#define LINE_KINDS(defect, kinds, meaning) \
	_Static_assert((int)kinds##_room <= (int)MANIFEST_KINDS_MAX, "a list keeps each kind");
#include "formats/umod/line_defects.def"
#undef LINE

#define UMOD_MAGIC 0x9FE3C5A3u
#define UMOD_VERSION 1u
#define UMOD_VERSION_UBISOFT 2u
#define UMOD_TRAILER_LEN 20u
#define UMOD_ENTRY_MIN 15u        /* length, one character, NUL, three DWORDs */
#define UMOD_NAME_MAX 260u        /* units with the NUL: MAX_PATH */
#define UMOD_SIZE_MAX 0x7FFFFFFFu /* offsets are signed INT */

enum umod_flags { UMOD_BOOTSTRAP = 1, UMOD_UNBOOTSTRAP = 2, UMOD_COMPRESSED = 4 };

/* The Windows executable that a self-extracting installer begins with. */
enum umod_program { PROGRAM_NONE, PROGRAM_DOS, PROGRAM_WINDOWS };

struct umod_stub {
	enum umod_program program; /* what kind of program Windows takes the file for */
	/* the engine sees a program too, and the rest comes from its headers */
	bool is_pe;
	bool named_exe; /* the file's name ends in .exe: the engine does not compare its CRC then */
	struct umod_dos_header dos;
	uint64_t image_end; /* where its last section ends; at most the file's size */
	bool is_signed;     /* its signature begins inside the file */
	struct umod_security_directory security; /* offset 0: there is none */
	/* where a reader of the other width finds the signature; 0: nowhere in the file */
	uint64_t other_offset;
};

/* Where readers look for the trailer. */
enum umod_place {
	PLACE_OWN, /* before the signature; at the end of the file where there is none */
	/* in the last bytes of a signed program, for readers that know nothing of signatures */
	PLACE_END,
	PLACE_OTHER, /* before the signature, for readers of the other width */
	UMOD_N_PLACES
};

/* The bits from here on say how many bytes the length of the name takes; those below are traits. */
#define UMOD_HEAD_SHIFT umod_member_room

/* A member is what is kept of an entry. It is small, because a file may have an entry for every 15
 * bytes. */
struct umod_member {
	uint32_t at;      /* of the entry, from the start of the directory */
	uint32_t n_units; /* of its name */
	uint32_t offset, size, flags;
	uint32_t traits; /* enum path_trait, enum umod_member_trait */
};

/* An odd name is an entry's name with a defect. If the name, or what follows it, cannot be read,
 * the entry is no member. */
struct umod_odd_name {
	uint32_t entry;
	uint32_t n_more; /* as in struct keep, here and in the structs below */
	uint8_t defect;  /* enum umod_odd_name_trait */
};
KEEPS(umod_odd_name, struct umod_odd_name, defect);

/* A long index is a compact index in the directory that has more bytes than its value needs. */
struct umod_long_index {
	uint32_t entry; /* whose name's length it is */
	uint32_t n_more;
	uint16_t len;
	bool of_count; /* it is the directory's count, and belongs to no entry */
};

/* A gap is bytes before the directory that no member covers. */
struct umod_gap {
	struct span span;
	bool last;    /* it ends at the directory */
	bool nonzero; /* known when UMOD_CONTENT is */
};

/* The languages of UT2003 and later, without English (int), whose Manifest.int is always there. */
enum { UMOD_N_LANGUAGES = 7 };
struct umod_language {
	const char *extension; /* "det" */
	uint32_t first; /* the first member, not a manifest, with this extension; n_members: none */
	bool has_manifest;
};

struct umod {
	uint64_t size; /* of the file */
	/* where the trailer ends: the end of the file, or shortly before a signature */
	uint64_t end;
	struct umod_stub stub;
	struct span trailer_place; /* where the trailer is, or should be */
	struct umod_trailer trailer;
	uint32_t defects;  /* enum umod_file_trait */
	struct span stray; /* a trailer that only some readers find; len 0: there is none */
	enum umod_place stray_place; /* who finds it */

	struct umod_directory directory;
	/* the bytes that the entries can take: from the count to the trailer */
	struct span entry_span;
	uint64_t directory_end;
	struct cursor directory_window;
	struct umod_member *members;
	uint32_t *hashes; /* of the members' names, as path_examine gives them */
	uint32_t n_members;
	uint32_t traits; /* that any member has */
	struct order by_offset;
	struct order by_name; /* where has_index */
	bool has_index;
	struct umod_odd_name *odd_names;
	uint32_t n_odd_names;
	struct span unreadable; /* the bytes from the first entry that could not be read on */
	struct umod_long_index *long_indexes;
	uint32_t n_long_indexes;
	struct umod_gap *gaps;
	uint32_t n_gaps;
	struct pairs overlaps;
	struct pairs duplicates;
	/* the first member whose offset is below that of the one before; n_members: none */
	uint32_t first_out_of_order;
	struct umod_language languages[UMOD_N_LANGUAGES];

	uint32_t crc; /* of every byte before the trailer, as computed */

	uint32_t manifest_member, locale_member; /* n_members: there is none */
	uint32_t n_manifests;                    /* members that are System\Manifest.* */
	struct manifest manifest;
	const struct group *groups; /* the stops of these facts */
};

#define FORMAT umod
#define FORMAT_DEF "formats/umod/umod.def"
#include "formats/declare_tables.h"

extern const struct format umod_format;

/* The parts of decoding, in their order. Each notes its group's stop in d and returns false when it
 * cannot go on. */
bool umod_decode_stub(struct decode *d, struct umod *u);
bool umod_decode_trailer(struct decode *d, struct umod *u);
bool umod_decode_directory(struct decode *d, struct umod *u);
bool umod_decode_content(struct decode *d, struct umod *u);
bool umod_decode_manifests(struct decode *d, struct umod *u);

/* umod_is_language tells whether an extension, as text_word gives it, is that of the texts of a
 * language other than English. */
bool umod_is_language(uint32_t extension);

/* umod_entry_at is where a member's entry begins, umod_member_end where its bytes end. umod_name
 * gives its name, without the flags of its text_ref. */
static inline uint64_t umod_entry_at(const struct umod *u, const struct umod_member *m)
{
	return u->directory.at + m->at;
}
static inline uint64_t umod_member_end(const struct umod_member *m)
{
	return (uint64_t)m->offset + m->size;
}

static inline struct text umod_name(const struct umod *u, const struct umod_member *m)
{
	return text_at(&u->directory_window,
		       (struct text_ref){
			       .at = umod_entry_at(u, m) + (m->traits >> UMOD_HEAD_SHIFT),
			       .n_units = m->n_units,
			       .encoding = m->traits & UMOD_WIDE ? TEXT_UTF16LE : TEXT_CP1252,
		       });
}

/* umod_compare_names compares the names of two members, of facts that are a struct umod, for
 * orders. */
int umod_compare_names(const void *facts, uint32_t a, uint32_t b);

/* umod_index_names makes the index that umod_find needs, once. false: memory ended, which stops
 * UMOD_MANIFEST. */
UVET_MUST_USE bool umod_index_names(struct decode *d, struct umod *u);

/* umod_find returns the first member of this name, ignoring case and taking / and \ for the
 * same; n_members if there is none. The hash is path_examine's. */
uint32_t umod_find(const struct umod *u, struct text name, uint32_t hash);

/* umod_is_spelt tells whether a name is spelt exactly as this member's, and umod_find would give
 * the member; it needs no index. */
bool umod_is_spelt(const struct umod *u, uint32_t member, const struct text *name);

/* umod_is_unpacked tells whether Setup decompresses a member of this name, unless it is installed
 * under one with the same ending. */
static inline bool umod_is_unpacked(struct text name)
{
	return text_is(path_extension(name), "uz");
}

/* umod_is_padding tells whether a gap is how builders align: less than 16 zero bytes up to a
 * multiple of 16, or to the directory. */
bool umod_is_padding(const struct umod_gap *g);

/* umod_map passes the regions, umod_next_member gives the members whose names promise a format; see
 * struct format and nested_files. */
bool umod_map(const void *facts, struct decode *d, map_sink *sink, void *ctx);
bool umod_next_member(const void *facts, const struct decode *d, struct nested_walk *w,
		      struct nested *out);

/* umod_summary fills in what is kept of an installer; see struct format. */
void umod_summary(const void *facts, struct decode *d, struct summary *out);

#endif
