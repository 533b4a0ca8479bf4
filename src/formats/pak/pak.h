/* Archives (.pak): the facts of decoding one. Files come first, each after a copy of its record;
 * then the index, with the records and the paths; last the footer. Format facts:
 * conformance/spec/pak.md. */
#ifndef UVET_FORMATS_PAK_PAK_H
#define UVET_FORMATS_PAK_PAK_H

#include <string.h>

#include "core/checked.h"
#include "formats/blocks/block.h"
#include "formats/pak/content.h"
#include "formats/pak/footer.h"

/* A flag on which the fields of pak_record depend: version 8 with four names of methods. */
#define PAK_SHORT_METHOD 1u

#define FORMAT pak
#define FORMAT_DEF "formats/pak/pak.def"
#include "formats/declare.h"

/* The most characters of a mount point, with its NUL: no path of a file system is longer. */
enum { PAK_MOUNT_MAX = 65535 };

/* Numbers in encoded records have four bytes or eight: each record begins at a multiple of four. */
enum { PAK_SLOT = 4 };

/* No row, place or record. */
#define PAK_NONE UINT32_MAX

/* A pak_file is a path of the index, or, where only hashes of paths are there, such a hash. One
 * index has less than 2 GiB. */
struct pak_file {
	uint32_t record; /* its record's place in `index`; PAK_NONE: it has none */
	/* its name's place in `names`: of the string's length, or of where in the names it begins;
	 * or its hash */
	uint32_t name;
	uint32_t directory; /* a row of `directories`; PAK_NONE: `name` is the whole path */
	uint32_t traits;    /* enum pak_file_trait */
};

/* A directory of the full directory index. */
struct pak_directory {
	uint64_t key;          /* a second hash of its name, without case */
	uint32_t name;         /* its name's place in `directory`, or in the decoded names */
	uint32_t first, count; /* its files */
};

/* A path hash that no path has. */
struct pak_stray {
	uint32_t row; /* of the path-hash index */
	uint32_t n_more;
};

/* Sorts of rows of which a rule tells the first; all of them are counted. */
enum pak_sort {
	PAK_ROW_OUTSIDE,   /* rows of the path-hash index: the location is not in the records */
	PAK_ROW_NO_RECORD, /* the location is a record that there is not */
	PAK_HASH_REPEATED, /* the hash is that of a row before it, which leads elsewhere */
	PAK_HASH_AGAIN,    /* likewise, and both have one location, or their path stands twice */
	PAK_DIRECTORY_REPEATED, /* directories: one before it has the same name */
	PAK_DIRECTORY_SPLIT,    /* the name is not as engines write that of a directory */
	PAK_FILE_SPLIT,         /* files: the name has a separator */
	PAK_NAME_UNUSUAL,       /* files: the name needs a closer look */
	/* names that the path-hash index keeps, by their places in it, and locations there */
	PAK_KEPT_INVALID,
	PAK_KEPT_ESCAPES,
	PAK_KEPT_OUTSIDE,
	PAK_KEPT_NO_RECORD,
	PAK_KEPT_UNLISTED,  /* files that it keeps: the index has no such path */
	PAK_KEPT_ELSEWHERE, /* likewise, and it has the path with another location */
	PAK_ONE_BLOCK_ODD,  /* files: an unusual size of the only block */
	PAK_BLOCKS_UNUSED,  /* files: blocks, and no method */
	PAK_N_SORTS
};
struct pak_some {
	uint32_t first, n;
};

/* A file that the path-hash index keeps, by the places of its directory's name and its own. */
struct pak_kept {
	uint32_t directory, name;
	int32_t location;
};

/* Bytes that nothing refers to, before the index, between its parts or after the footer. */
struct pak_gap {
	struct span span;
	uint32_t n_more; /* others that are only counted */
};

/* Why a part of an index cannot be decoded. */
enum pak_breakage {
	PAK_WHOLE,
	PAK_BROKEN_MOUNT,   /* the mount point is no string */
	PAK_BROKEN_COUNT,   /* fewer bytes are left than a count or a length asks for */
	PAK_BROKEN_PLACES,  /* the index ends in the places of its parts, or has none */
	PAK_BROKEN_ENCODED, /* the encoded records do not fit */
};
struct pak_broken {
	enum pak_breakage how;
	const char *what; /* "the count of files" */
	uint64_t at;      /* where it stands in the file */
	int64_t count;    /* what it says */
	uint64_t left;    /* the bytes that follow it in the part */
	uint64_t row;     /* which of the rows it belongs to; UINT64_MAX: to none */
};

/* A part of an index: its bytes, decrypted, as they are in memory and where they lie. */
struct pak_part {
	bool is_there;
	uint32_t place_at;      /* where its pak_place is, in `index` */
	uint64_t flag;          /* as its place says: whether it is there */
	struct span at;         /* as its place says; it may lie outside the file */
	struct held held;       /* no bytes: they were not read */
	uint8_t hash[SHA1_LEN]; /* as its place says */
	bool is_hashed;         /* `computed` is there */
	uint8_t computed[SHA1_LEN];
	uint64_t n_left; /* bytes after its last row */
	struct pak_broken broken;
};

/* pak_is_changed tells whether a part is not what its hash says. */
static inline bool pak_is_changed(const struct pak_part *part)
{
	return part->is_hashed && memcmp(part->hash, part->computed, SHA1_LEN) != 0;
}

/* The tables of a full directory index since version 15: numbers of 32 bits, unless it is said
 * otherwise. */
enum { PAK_HASH_LEN = 8, PAK_NUMBER_LEN = pak_number_fixed_len };

struct pak_flat {
	struct held hashes, places; /* hashes of paths, of 64 bits, and the locations of these */
	uint64_t n_hashes;
	uint64_t hashes_at;     /* in the file */
	struct held firsts;     /* the first file of each directory, and their count */
	struct held starts;     /* where in the names that of each file begins, and the last ends */
	struct held locations;  /* of files */
	struct held coded;      /* names of directories, each without what it shares (flat.c) */
	struct held names;      /* of files */
	uint64_t starts_at;     /* in the part */
	uint64_t names_at;      /* likewise */
	const uint8_t *decoded; /* the names of directories */
	uint64_t decoded_len;
	uint64_t unsorted; /* the first of the hashes that is not above the one before; 0: none */
	/* the first of the hashes whose location is that of no path; n_hashes: none */
	uint64_t unowned;
	struct held anchors; /* where the name of each interval-th directory begins */
	uint64_t interval;
	uint64_t anchors_at;     /* in the file */
	uint64_t n_loose;        /* anchors that are not where such a name begins */
	uint64_t loose, belongs; /* the first of them, and what it should be */
	uint64_t n_shared;       /* names with an anchor that begin as the one before them */
	/* the directory of the first of them, where its name is in the file, and how much it has
	 * of the one before */
	uint64_t shared, shared_at, shared_len;
};

struct pak {
	uint64_t size; /* of the file */
	struct pak_tail tail;
	struct pak_lock lock; /* the same, as records; not before version 4 */
	struct pak_footer footer;
	struct pak_end end; /* since version 15 */
	uint64_t context;   /* the version, and whether methods are short (core/layout.h) */
	struct block_methods methods; /* by number; before version 8: 1 zlib, 2 gzip */
	unsigned n_named;             /* methods with a name; since version 8 */
	bool is_encrypted;            /* the index is */
	enum block_cipher cipher;     /* of what is encrypted; BLOCK_CLEAR: it is not known */
	const struct key *key;        /* that opened it; NULL: none did, or it is not encrypted */
	bool has_key;                 /* a key at hand may be that of the footer's GUID */

	struct pak_part index; /* place_at is not used */
	struct text mount;
	uint64_t mount_at;
	uint32_t mount_traits; /* enum path_trait */
	int64_t mount_length;  /* as it stands before it */
	int64_t count;         /* NumEntries */
	uint64_t count_at;     /* its place in the file */
	uint64_t entries_at;   /* of a legacy index: where its first path is */
	uint64_t seed;         /* of path hashes */
	struct pak_part path_hashes, directory;
	struct held encoded; /* the encoded records, from encoded_at of the index on */
	uint64_t encoded_at;
	uint64_t n_plain;      /* records that are not encoded */
	const uint32_t *plain; /* their places in `index` */
	struct pak_path_hash_rows hashes;
	uint64_t n_hashes;
	uint64_t hashes_at; /* in the file */
	uint64_t kept_at;   /* the directories that it keeps, in the path-hash index */
	uint64_t n_kept;    /* files of these */
	uint64_t n_paths;   /* in the full directory index */
	bool has_paths;     /* else files are known by hashes alone */
	struct pak_flat flat;

	struct held names; /* what the places of names refer to: a part's bytes */
	uint64_t names_at; /* where that lies in the file */
	struct pak_directory *directories;
	uint64_t n_directories;
	struct pak_file *files;
	uint64_t n_files;                /* the paths, and after them those of PAK_UNLISTED */
	uint32_t file_traits;            /* that any file has */
	uint64_t n_deleted, n_encrypted; /* of them */
	uint32_t methods_in_use;         /* a bit for each enum method */
	struct pak_stray *strays;
	uint64_t n_strays;
	struct pak_some some[PAK_N_SORTS];
	struct pak_kept kept_unlisted, kept_elsewhere; /* the first of these sorts */
	/* bytes of records that no location means, and the place of the first in `index` */
	uint64_t n_unused, unused_at;
	struct pak_gap *gaps;
	uint64_t n_gaps;
	/* the files whose bytes lie before the index, each record once, by where these begin */
	uint32_t *by_offset;
	uint32_t n_by_offset;
	/* where the bytes of the last of these end, and how many bytes they have in all */
	uint64_t data_end, data_len;
	struct pak_content content;
	const struct aim *target;   /* what the file is for */
	const struct group *groups; /* the stops of these facts */
};

#define FORMAT pak
#define FORMAT_DEF "formats/pak/pak.def"
#include "formats/declare_tables.h"

extern const struct format pak_format;

/* pak_is_before_footer tells whether bytes lie between the beginning of the file and its footer.
 * pak_may_be_part tells whether they may be the index or a part of it, too: no engine reads one of
 * 2 GiB or more. */
static inline bool pak_is_before_footer(const struct pak *p, struct span at)
{
	return at.at <= p->tail.at && at.len <= p->tail.at - at.at;
}

static inline bool pak_may_be_part(const struct pak *p, struct span at)
{
	return !is_negative_32(at.len) && pak_is_before_footer(p, at);
}

/* ---- What a file is, by its record (records.c) ----------------------------------------------- */

/* A pak_entry is what the record of a file in the index says, encoded or not. */
struct pak_entry {
	uint64_t offset;     /* of the record before its bytes */
	uint64_t size;       /* bytes that are stored */
	uint64_t whole;      /* before compression */
	uint64_t method;     /* a number of `methods`; before version 8 made of the flags */
	uint64_t raw_method; /* as it stands there */
	uint64_t n_blocks;
	uint64_t block_size;
	uint64_t flags; /* 1 encrypted, 2 deleted */
	bool is_encoded;
	uint64_t
		hash_at; /* place of its SHA-1 in `index`; UINT64_MAX: an encoded record has none */
	uint64_t vector_at;  /* place of its initialisation vector in `index`; 0: it has none */
	uint64_t blocks_at;  /* of its blocks, or of their lengths */
	uint64_t end;        /* place in `index` after the record */
	uint64_t header_len; /* bytes of the record before its bytes */
};

enum { PAK_FLAG_ENCRYPTED = 1, PAK_FLAG_DELETED = 2 };

/* pak_entry_read reads the record at a place of the index. false: the index ends before the record
 * does, *ends_in_number: in a block size or a number of 64 bits. pak_entry_of reads that of a row
 * of `files` whose record was read and is not truncated, as that of each row of `by_offset`. */
UVET_MUST_USE bool pak_entry_read(const struct pak *p, uint64_t at, struct pak_entry *out,
				  bool *ends_in_number);
struct pak_entry pak_entry_of(const struct pak *p, const struct pak_file *row);

/* pak_entry_offset is the offset alone, of a record that is not truncated. */
uint64_t pak_entry_offset(const struct pak *p, uint64_t at);

/* pak_entry_block sets *out to where the next block's stored bytes lie in the file, without
 * padding. *walk is zeroed at first; blocks come in order. false: there are no more. The numbers
 * of a file with a defect may be any; sums of them are capped at UINT64_MAX. */
struct pak_walk {
	uint64_t block,
		at; /* the number of the next, and where it begins, counted from the offset */
};
UVET_MUST_USE bool pak_entry_block(const struct pak *p, const struct pak_entry *e,
				   struct pak_walk *walk, struct span *out);

/* pak_judge_block tells what is wrong with the next block of a file: each begins where the one
 * before ends, the first after the record before it. *j is zeroed at first; false: there are no
 * more, or what follows cannot be told. */
struct pak_judged {
	struct pak_walk walk;
	struct span block;
	uint64_t traits; /* of the block: enum pak_file_trait */
	uint64_t all;    /* of those so far */
	uint64_t next;   /* where the next is to begin */
	bool is_lost;    /* the block ends at 2^63 - 1 or above, so that none can follow */
};
UVET_MUST_USE bool pak_judge_block(const struct pak *p, const struct pak_entry *e,
				   struct pak_judged *j);

/* pak_data is where the bytes of a file lie, with the record before them, and what encryption adds
 * after them. */
struct span pak_data(const struct pak_entry *e);

/* ---- How a file is called (names.c) ---------------------------------------------------------- */

/* pak_is_nameless tells whether of a file's path the hash alone is known. pak_file_name is the name
 * at a row: its path, or its last component; of a nameless file no characters. pak_file_path writes
 * the path below the mount point as UTF-8 with a NUL, as much of it as there is room for, or, of a
 * nameless file, its hash; it returns the length. pak_file_location is the location that stands
 * with the name, or with the hash, since version 10; pak_row_hash and pak_hash_location are the
 * hash and the location of row i of the path-hash index. */
bool pak_is_nameless(const struct pak *p, const struct pak_file *row);
struct text pak_file_name(const struct pak *p, const struct pak_file *row);
size_t pak_file_path(const struct pak *p, const struct pak_file *row, char *buf, size_t size);
int64_t pak_file_location(const struct pak *p, const struct pak_file *row);
static inline uint64_t pak_row_hash(const struct pak *p, uint64_t i)
{
	return pak_path_hash_get_hash(pak_path_hash_at(p->hashes, i));
}
static inline int64_t pak_hash_location(const struct pak *p, uint64_t i)
{
	return pak_path_hash_get_location(pak_path_hash_at(p->hashes, i));
}

/* pak_bare_directory is the name of a directory without separators at its ends (portable.c).
 * pak_has_utf8 tells whether names of files, or of directories, are UTF-8, and pak_is_text whether
 * such a name is what it should be. pak_portable_defect says what is the matter with a name for
 * systems or people; NULL: nothing is, or it is no text, or leads out of the mount point. */
struct text pak_bare_directory(const struct pak *p, uint32_t directory);
static inline bool pak_has_utf8(const struct pak *p, bool of_file)
{
	return p->tail.version >= (of_file ? PAK_UTF8 : PAK_FLAT);
}
bool pak_is_text(const struct text *name, bool is_utf8);
const char *pak_portable_defect(const struct text *name, bool is_utf8);

/* pak_directory_path writes the whole name of a directory in the same way, and pak_kept_path the
 * path of a file that the path-hash index keeps. */
size_t pak_directory_path(const struct pak *p, uint32_t directory, char *buf, size_t size);
size_t pak_kept_path(const struct pak *p, struct pak_kept kept, char *buf, size_t size);

#endif
