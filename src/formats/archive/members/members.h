/* The members of an archive, as every format of archives lists them: names, kinds, links, and what
 * is the matter with these. Source: conformance/spec/archive.md, chapter 2.
 *
 * A format fills in a row for each member and calls members_examine, which finds what the rules of
 * member_rules.h tell. Nothing here reads the file. */
#ifndef UVET_FORMATS_ARCHIVE_MEMBERS_MEMBERS_H
#define UVET_FORMATS_ARCHIVE_MEMBERS_MEMBERS_H

#include "core/rows.h"
#include "core/text.h"
#include "formats/decode.h"
#include "formats/format.h"

#define DEFECTS_FILE "formats/archive/members/members.def"
#include "formats/declare_defects.h"

enum arc_kind {
	ARC_FILE,
	ARC_DIRECTORY,
	ARC_SYMLINK,   /* a symbolic link, or a junction */
	ARC_HARD_LINK, /* or a copy that the archive makes of another member */
	ARC_CHARACTER_DEVICE,
	ARC_BLOCK_DEVICE,
	ARC_FIFO,
	ARC_SOCKET,
};

/* How two names are alike. */
enum arc_likeness {
	ARC_ALIKE_WINDOWS,   /* to Windows */
	ARC_ALIKE_ELSEWHERE, /* to macOS, to programs without Unicode, or to the eye */
	ARC_ALIKE_DECODED,   /* to those who read bytes of no declared encoding as code page 437 */
};

/* How a name is stored. */
enum arc_coding {
	ARC_UTF8_SAID, /* the archive says UTF-8, or its format allows nothing else */
	ARC_UNSAID,    /* bytes of an encoding that nobody declares */
	ARC_UTF16,     /* little-endian */
};

/* A member is one row. What the format fills in comes first. Places and sizes count in bytes. */
struct arc_member {
	struct text name;   /* as members_name made it of the stored bytes */
	uint64_t head_at;   /* where it is listed, of head_len bytes */
	uint64_t at;        /* where its own bytes begin, of which there are `packed`; */
	uint64_t packed;    /* 0 if they lie in a stream with those of others */
	uint64_t size;      /* when they are decompressed */
	struct text target; /* of a link, if it was read; else empty */
	uint32_t head_len;  /* 0: the list itself is compressed, and the row has no place */
	uint32_t crc;       /* CRC-32 of the decompressed bytes, if has_crc */
	uint16_t method;    /* of compression, as the format numbers it */
	uint8_t kind;       /* enum arc_kind */
	bool has_crc;
	bool may_repeat; /* the format appends: of members of one name the last counts */

	uint8_t payload;   /* enum arc_payload_trait */
	bool is_replaced;  /* a later member has its name, and is what is left after unpacking */
	uint8_t likeness;  /* enum arc_likeness: how its name is that of the relative */
	uint8_t why;       /* enum text_likeness: what is in its name for which others stand */
	bool is_disguised; /* its bytes begin as those of a program, whatever its name says */
	uint32_t traits;   /* enum arc_member_trait: what the format sees, and what is found here */
	uint32_t relative; /* the other of ARC_TWICE, ARC_TWIN, ARC_BELOW_FILE, ARC_SHORT_NAME */
};
KEEPS(arc_member, struct arc_member, traits);
KEEPS(arc_packed, struct arc_member, traits);
KEEPS(arc_payload, struct arc_member, payload);

/* A members is all of them, in the order of the archive's list. */
struct members {
	struct arc_member *rows;
	uint64_t n;
	uint32_t traits;  /* that any of them has */
	uint8_t payload;  /* likewise */
	uint64_t n_files; /* members that are files or links */
	uint64_t total;   /* bytes of all files, capped */
	bool has_cp437;   /* names of no declared encoding are of code page 437 by the format */
	struct name_index *index; /* of all names; NULL: they were not examined */
};

/* members_name makes the name of a member out of its stored bytes, `at` in the file; what is
 * neither ASCII nor UTF-16 is copied into the arena. *traits gains ARC_LEGACY, ARC_UNDECLARED or
 * ARC_MISCODED. false: memory ended, which is noted for the group. The bytes outlive the facts. Of
 * UTF-16, n counts bytes and is even. */
UVET_MUST_USE bool members_name(struct decode *d, uint32_t group, struct held name, uint64_t at,
				enum arc_coding coding, uint32_t *traits, struct text *out);

/* members_examine finds what is the matter with all names, kinds and links, and sums m up. It takes
 * time and memory in proportion to the bytes of all names. false: memory ended or the check was
 * interrupted, which is noted for the group. There are fewer than 2^32 members. */
UVET_MUST_USE bool members_examine(struct decode *d, uint32_t group, struct members *m);

/* members_is_program tells by its extension whether a file is one that runs, or that a double click
 * runs. */
bool members_is_program(struct text name);

/* members_is_data tells by its extension whether a file is one that is shown, played or loaded by a
 * game. arc_begins_as_program tells by its first bytes whether a file is one that runs. */
bool members_is_data(struct text name);
bool arc_begins_as_program(struct held first);

/* arc_name_cut is the last part of a name without what programs drop at its end. */
struct text arc_name_cut(struct text part);

/* members_promises tells whether a name promises a format, or what programs leave of it does.
 * members_hides_promise tells whether programs make a file of a member
 * that nobody opens as one, and the name of that promises a format: they drop something of its own,
 * or it is a pipe. */
bool members_promises(struct text name);
bool members_hides_promise(const struct arc_member *m);

/* members_find finds the file of that name in the folder of another member, or a link, whose bytes
 * nobody can open; with any_case its name may differ in the case of letters, and no other has the
 * very name. Of several the last is found, which is what is left after unpacking. It returns the
 * row's number, or MEMBER_NONE, also where memory ended, which is noted for the group. */
#define MEMBER_NONE UINT64_MAX
uint64_t members_find(struct decode *d, uint32_t group, const struct members *m, uint64_t of,
		      const char *name, bool any_case);

/* members_find_before finds the last member of that name before row `before`, whatever it is, by
 * its key, and if there is one that is spelt so, that. It returns the row's number or MEMBER_NONE,
 * as members_find does. */
uint64_t members_find_before(struct decode *d, uint32_t group, const struct members *m,
			     struct text name, uint64_t before);

/* members_link_leaves tells whether a link leads out of the folder that the archive is unpacked
 * to. A symbolic link's target is counted from its own folder, that of a hard link from the
 * archive's. */
bool members_link_leaves(const struct arc_member *m);

/* members_next_beside returns the row of the next file from *row on that is in the folder of
 * another member, and moves *row to after it; MEMBER_NONE: there is none, or there are so many
 * members that nobody looks for a file which may belong to another. */
uint64_t members_next_beside(const struct members *m, uint64_t of, uint64_t *row);

/* arc_mode_kind is the kind that a mode of Unix says; ARC_FILE for what says nothing. */
enum arc_kind arc_mode_kind(uint64_t mode);

/* The bits of a mode with which a file runs as its owner or its group. */
enum { ARC_MODE_SETS_USER = 06000 };

/* arc_name_is_slashed tells whether a name ends in a separator, as that of a folder. */
static inline bool arc_name_is_slashed(struct text name)
{
	const uint32_t n = name.ref.n_units, last = n > 0 ? text_unit(name, n - 1) : 0;

	return last == '/' || last == '\\';
}

/* members_note_payload adds what was found out about the bytes of a member. */
static inline void members_note_payload(struct members *m, struct arc_member *member,
					unsigned traits)
{
	member->payload |= (uint8_t)traits;
	m->payload |= (uint8_t)traits;
}

/* members_note_target judges the target of a link that was read after members_examine. Where it is
 * longer than what was read nobody knows where it leads. */
void members_note_target(struct members *m, struct arc_member *member, bool is_whole);

/* members_follow_copies finds hard links to symbolic links that lead out, counted from the folder
 * of the hard link. false: memory or work ended, which is noted for the group. */
UVET_MUST_USE bool members_follow_copies(struct decode *d, uint32_t group, struct members *m);

/* members_follow_targets finds links that pass over others, when all targets were noted. false:
 * memory or work ended, which is noted for the group. */
UVET_MUST_USE bool members_follow_targets(struct decode *d, uint32_t group, struct members *m);

/* An arc_signature is what the first bytes of a file say that it is. */
enum arc_signature {
	ARC_NO_ARCHIVE,
	ARC_IS_ZIP,
	ARC_IS_7Z,
	ARC_IS_RAR4,
	ARC_IS_RAR5,
	ARC_IS_GZIP,
	ARC_IS_XZ,
	ARC_IS_ZSTD,
	ARC_IS_BZIP2,
	ARC_IS_TAR,
	ARC_IS_UNREAD, /* a kind of archive that this program does not read */
};

/* How many first bytes arc_signature_of looks at: a tar has its magic at 257. */
enum { ARC_SIGNATURE_LEN = 512 };

/* arc_signature_of returns it of the n first bytes of a file; of a tar its header's checksum is
 * right. arc_signature_name names it, as "zip"; NULL for none. */
enum arc_signature arc_signature_of(struct held first);
const char *arc_signature_name(enum arc_signature s);

/* arc_unread_name says in words which archive of a kind that is not read these first bytes are of;
 * NULL: of none. */
const char *arc_unread_name(struct held first);

/* arc_is_uuencoded tells whether a file begins as uuencode writes it, arc_has_uuencoded whether one
 * of the lines of a text does. */
bool arc_is_uuencoded(struct held first);
bool arc_has_uuencoded(struct held text);

/* arc_source_signature is arc_signature_of for a source: for the sniffing of formats. */
enum arc_signature arc_source_signature(struct source *s);

/* An arc_tar_sum is the checksum of a tar's header of 512 bytes: what the header says, and what it
 * is over bytes and, as some old programs have it, over signed bytes, as a number of 32 bits. */
enum { ARC_TAR_HEADER = 512 };
struct arc_tar_sum {
	bool is_said; /* it is a number */
	uint64_t said, plain, as_signed;
};
struct arc_tar_sum arc_tar_sum_of(struct held header);
static inline bool arc_tar_sum_is_right(const struct arc_tar_sum *s)
{
	return s->is_said && (s->said == s->plain || s->said == s->as_signed);
}

/* arc_promised returns which archive a file of that extension should be. */
enum arc_signature arc_promised(struct text extension);

/* arc_is_checked tells of the first bytes of a file that it is an archive, a package or a
 * container: it is checked, whatever its name promises. */
bool arc_is_checked(struct held first);

/* members_note_content notes what the first bytes of a member, decompressed, say: ARC_ARCHIVE, if
 * it is an archive, and no document or program that is one inside; and what it is besides. */
void members_note_content(struct arc_member *m, struct held first);

/* members_have_same_content tells whether two members are known to be of the same bytes. */
static inline bool members_have_same_content(const struct arc_member *a, const struct arc_member *b)
{
	return a->kind == b->kind && a->size == b->size && a->has_crc && b->has_crc &&
	       a->crc == b->crc;
}

/* members_swell tells whether bytes are far more than those that they were compressed to. */
bool members_swell(uint64_t size, uint64_t packed);

/* An arc_file is what is to be said of an archive as a file, for the rules of file_rules.h. */
struct arc_file {
	enum arc_signature is;       /* by its bytes; ARC_NO_ARCHIVE: it was judged by its name */
	enum arc_signature promised; /* by its extension */
	const char *cut; /* inside of what the file ends, a constant; NULL: it does not end early */
	uint64_t cut_at; /* where that begins */
};

/* arc_file_look fills `is` and `promised`. */
void arc_file_look(struct arc_file *f, struct source *s);

#endif
