/* The footer of a .pak, by which everybody recognises one: where it is, which version has it there,
 * and what it says. Decoders of .pak files read it, and those of containers that have one beside
 * them. Format facts: conformance/spec/pak.md, chapter 1. */
#ifndef UVET_FORMATS_PAK_FOOTER_H
#define UVET_FORMATS_PAK_FOOTER_H

#include "codec/sha1.h"
#include "core/keys.h"
#include "core/rows.h"

#define PAK_MAGIC 0x5A6F12E1u

/* Versions in which something changed. */
enum pak_version {
	PAK_NO_TIMES = 2,
	PAK_BLOCKS = 3,
	PAK_ENCRYPTED = 4,
	PAK_RELATIVE = 5,
	PAK_KEY_GUID = 7,
	PAK_METHOD_NAMES = 8,
	PAK_FROZEN = 9,
	PAK_PATH_HASH = 10,
	PAK_FNV = 11,
	PAK_UTF8 = 12,
	/* of the two before it no real file was seen: which of them brought what is not known */
	PAK_FLAT = 15,
	PAK_NEWEST = PAK_FLAT, /* the last that is recognised */
};

/* How the index and files of version 15 are encrypted. */
enum { PAK_METHOD_ECB = 1, PAK_METHOD_CTR = 2 };

enum {
	PAK_MAGIC_LEN = 44, /* from the magic to the end of the index's hash */
	PAK_TAIL_MIN = 44,  /* the shortest footer */
	PAK_LOCK_LEN = 17,  /* a key's GUID and the byte of encryption, before the magic */
	PAK_METHOD_LEN = 32,
	PAK_METHODS_MAX = 5,
	PAK_VECTOR_LEN = 12, /* of an initialisation vector */
	PAK_N_VECTORS = 3,   /* of the index, its path hashes, and its directories */
	/* after the names of methods since version 15: a number, the method of encryption, and the
	 * vectors */
	PAK_END_LEN = 5 + PAK_N_VECTORS * PAK_VECTOR_LEN,
	/* the longest footer */
	PAK_TAIL_MAX = PAK_LOCK_LEN + PAK_MAGIC_LEN + PAK_METHODS_MAX * PAK_METHOD_LEN +
		       PAK_END_LEN,
};

/* Where the fields of a footer are, from its magic on. */
enum { PAK_AT_VERSION = 4, PAK_AT_OFFSET = 8, PAK_AT_SIZE = 16, PAK_AT_HASH = 24 };

/* A pak_tail is what the footer of a .pak says. */
struct pak_tail {
	uint64_t size;     /* of the file */
	unsigned n_magics; /* places of a footer that have the magic */
	/* there is one, and the version is one that has its footer there; else only n_magics,
	 * magic_at, version and is_judged are set, the last three if there is a magic */
	bool is_known;
	bool is_judged; /* the version is one whose index is known, as far as the place tells */
	uint64_t magic_at;
	uint64_t at; /* where the footer begins, with what stands before the magic */
	uint64_t version, index_offset, index_size;
	uint8_t hash[SHA1_LEN];     /* of the index */
	uint8_t guid[KEY_GUID_LEN]; /* of the key, in the order of the file; since version 7 */
	uint8_t encrypted;          /* the byte that says whether the index is; since version 4 */
	uint8_t frozen;             /* likewise frozen; in version 9, after the hash */
	/* the names of methods, since version 8 */
	uint64_t methods_at;
	unsigned n_methods;
	uint8_t methods[PAK_METHODS_MAX * PAK_METHOD_LEN];
	/* since version 15 */
	uint64_t end_at;
	/* of the index, its path hashes and its directories */
	uint8_t vectors[PAK_N_VECTORS][PAK_VECTOR_LEN];
};

/* pak_tail_read reads the footer of a file of `size` bytes; `end` holds the last of them, all or
 * PAK_TAIL_MAX. It returns out->is_known. */
bool pak_tail_read(struct held end, uint64_t size, struct pak_tail *out);

/* pak_tail_end tells where a file ends whose magic is at `at`; `from` holds the bytes from there
 * on. 0: they are those of no footer. Version 8 has two forms, of which the shorter one is taken
 * where the bytes do not tell. A version that games may have put in the place of another ends where
 * the file does, which has `size` bytes. */
uint64_t pak_tail_end(struct held from, uint64_t at, uint64_t size);

/* pak_tail_distance is how far before the end of a file a version has its magic; 0: that is not
 * known of this version. */
uint64_t pak_tail_distance(uint64_t version);

/* pak_tail_method returns the name of method `number`, from 1 on, without what follows its NUL.
 * *is_unterminated: it has no NUL. */
struct held pak_tail_method(const struct pak_tail *t, uint64_t number, bool *is_unterminated);

#endif
