/* Archives in the forms of rar 4 and rar 5: the facts that decoding gives.
 *
 * Format facts: conformance/spec/rar.md. */
#ifndef UVET_FORMATS_ARCHIVE_RAR_RAR_H
#define UVET_FORMATS_ARCHIVE_RAR_RAR_H

#include "formats/archive/layout/layout.h"
#include "formats/archive/members/second.h"

#define FORMAT rar
#define FORMAT_DEF "formats/archive/rar/rar.def"
#include "formats/declare.h"

/* The versions, and where the first block begins: after the signature. */
enum { RAR_4 = 4, RAR_5 = 5, RAR4_START = 7, RAR5_START = 8 };

/* What a block is, whatever its version calls it. */
enum rar_block_kind { RAR_ARCHIVE, RAR_MEMBER, RAR_SERVICE, RAR_END, RAR_OTHER };

/* A rar_block is a header and the bytes after it, as far as these are in the file. */
struct rar_block {
	uint64_t at, data_len;
	uint32_t head_len;
	uint16_t traits; /* enum rar_block_trait */
	uint8_t type;    /* as it stands there; 255: more */
	uint8_t kind;    /* enum rar_block_kind */
};
KEEPS(rar_block, struct rar_block, traits);

/* A rar_member is what a member has besides what members of all archives have, whose row has the
 * same number. */
struct rar_member {
	uint8_t *first; /* room for its first bytes, which may be where it leads; NULL: none */
	uint32_t block;
	uint32_t traits;    /* enum rar_member_trait */
	uint8_t version;    /* to unpack it: of rar 4 in tenths, of rar 5 of the algorithm */
	uint8_t dictionary; /* of rar 5: 128 KiB times this power of two */
};
KEEPS(rar_member, struct rar_member, traits);

/* A rar_fault is why a block could not be followed: what of it, how many bytes that has, and how
 * many it should have. */
struct rar_fault {
	const char *what;
	struct span at;
	uint64_t has, needs;
	bool is_most; /* it should have no more; else no fewer */
};

/* A rar_copy is a copy of a header, that a service of rar 5 has: where it lies, and of which header
 * it is said to be. */
struct rar_copy {
	struct span at;
	uint64_t of;
};

/* A rar_work is what is found out about payload when it is read, after facts were decoded. */
struct rar_work {
	uint32_t traits; /* enum rar_member_trait, that any member has */
	uint64_t n_read; /* members whose bytes were looked at */
	/* of members of rar 5 that were decoded on the way to another: their bytes, by row; NULL:
	 * there are none */
	const uint8_t **kept;
	uint64_t kept_len;    /* all together */
	uint64_t decoder_len; /* the most memory that libarchive was given */
};

struct rar {
	uint64_t size;    /* of the file */
	uint64_t version; /* RAR_4 or RAR_5; 0: neither */
	uint32_t defects; /* enum rar_file_trait */
	struct arc_second second;
	struct rar_block *blocks;
	uint64_t n_blocks;
	uint16_t block_traits;
	struct members *members;
	struct rar_member *entries; /* as many as members */
	struct lay *layout;
	struct rar_work *work;
	uint64_t n_encrypted, n_recovery;
	uint64_t volume;        /* of a set: its number, from 0 on */
	bool is_numbered;       /* it says which */
	uint64_t end;           /* of the last block that was followed */
	uint64_t needs;         /* of a truncated file: the least that it should have */
	struct rar_fault fault; /* RAR_BLOCK_MALFORMED */
	uint64_t copies_at;     /* where the archive's header says that copies are; 0: nowhere */
	struct rar_copy copy;   /* the first of RAR_COPY_DIFFERS, or else of RAR_COPY_UNUSED */
	const struct group *groups; /* the stops of these facts */
};

#define FORMAT rar
#define FORMAT_DEF "formats/archive/rar/rar.def"
#include "formats/declare_tables.h"

extern const struct format rar_format;
extern const struct nested_files rar_nested_files;

/* rar_row is the number of a member. */
static inline uint64_t rar_row(const struct rar *r, const struct arc_member *m)
{
	return (uint64_t)(m - r->members->rows);
}

static inline bool rar_has_payload(const struct rar *r, const struct arc_member *m)
{
	return m->kind == ARC_FILE || (m->kind == ARC_SYMLINK && r->version == RAR_4);
}

/* What the map and the diagnosis ask (struct format). */
uint64_t rar_explained(const void *facts);
bool rar_map(const void *facts, struct decode *d, map_sink *sink, void *ctx);
void rar_info(const void *facts, info_sink *sink, void *ctx);
void rar_extent(const void *facts, const struct decode *d, uint32_t file, struct extent *out);
bool rar_next_changed(const void *facts, const struct decode *d, uint32_t file, uint64_t *at,
		      struct span *out);

/* rar_peek looks at the first bytes of stored members. false: they cannot be read, which is
 * noted. */
bool rar_peek(const struct rar *r, struct decode *d);

/* rar_read_payload reads the bytes of all members that were not opened. */
void rar_read_payload(const struct rar *r, struct decode *d);

#endif
