/* Zips: the facts that decoding gives. Format facts: conformance/spec/zip.md. */
#ifndef UVET_FORMATS_ARCHIVE_ZIP_ZIP_H
#define UVET_FORMATS_ARCHIVE_ZIP_ZIP_H

#include "codec/inflate.h"
#include "formats/archive/layout/layout.h"
#include "formats/archive/members/program.h"
#include "formats/archive/members/second.h"

#define FORMAT zip
#define FORMAT_DEF "formats/archive/zip/zip.def"
#include "formats/declare.h"

#define ZIP_LOCAL_MAGIC 0x04034B50u
#define ZIP_CENTRAL_MAGIC 0x02014B50u
#define ZIP_END_MAGIC 0x06054B50u
#define ZIP_LOCATOR_MAGIC 0x07064B50u
#define ZIP_RECORD_MAGIC 0x06064B50u
#define ZIP_DESCRIPTOR_MAGIC 0x08074B50u
#define ZIP_SIGNATURE_MAGIC 0x05054B50u
#define ZIP_EXTRA_DATA_MAGIC 0x08064B50u
#define ZIP_SPAN_MAGIC 0x30304B50u

/* The flags of a member that count. */
enum zip_flag {
	ZIP_IS_ENCRYPTED = 1,
	ZIP_HAS_MARKER = 2, /* of LZMA: the stream ends in a mark */
	ZIP_HAS_DESCRIPTOR = 8,
	ZIP_HAS_PATCH = 0x20,
	ZIP_IS_STRONG = 0x40,
	ZIP_IS_UTF8 = 0x800,
	ZIP_IS_MASKED = 0x2000,
	ZIP_FLAGS_RESERVED = 0xD780,
	ZIP_IS_TRIED = 6, /* how hard the writer tried to compress it, if it is deflated */
	/* that shall be the same in both headers for 7-Zip alone: not what the methods use, nor bit
	 * 15 */
	ZIP_FLAGS_COMPARED = 0x77F0,
};

enum zip_method {
	ZIP_STORED = 0,
	ZIP_DEFLATE = 8,
	ZIP_BZIP2 = 12,
	ZIP_LZMA = 14,
	ZIP_ZSTD_OLD = 20,
	ZIP_ZSTD = 93,
	ZIP_XZ = 95,
	ZIP_PPMD = 98,
	ZIP_AES = 99,
};

/* What 16 and 32 bits say if the number is in a zip64 field. */
#define ZIP_ESCAPE16 0xFFFFu
#define ZIP_ESCAPE32 0xFFFFFFFFu

/* The end record lies in these last bytes of a file, or is not found. */
#define ZIP_COMMENT_MAX ((uint64_t)65535)
#define ZIP_TAIL (zip_end_fixed_len + ZIP_COMMENT_MAX)

/* A zip_extras is what the extra fields of one header say. */
struct zip_extras {
	uint64_t defects; /* enum zip_entry_trait */
	struct held zip64;
	struct held path; /* of the Unicode path field, from its version on */
	uint8_t kinds;    /* that fields for Unix say, as bits 1 << enum arc_kind */
	bool has_zip64, has_path, has_aes;
};

/* A zip_entry is what only this format has of a member: of the headers what the member's row does
 * not have. It has the number of that row. There may be a million, so that each byte counts. */
struct zip_entry {
	uint64_t local_at; /* in the file */
	uint64_t end;      /* where what belongs to it ends */
	uint64_t shown_at; /* where of that begins what no member before it has */
	uint64_t traits;   /* enum zip_entry_trait */
	uint32_t attributes;
	uint32_t volume; /* in which it begins */
	uint32_t other;  /* the row of the entry that it overlaps */
	uint32_t local; /* the row of its local header in zip.locals, if it has ZIP_LOCAL_DIFFERS */
	uint16_t flags, needed, name_len;
	uint8_t kinds; /* that its extra fields say and its header does not: zip_extras.kinds */
};
KEEPS(zip_entry, struct zip_entry, traits);

/* A zip_local_header is what a local header says; sizes by its zip64 field, if that is there. */
struct zip_local_header {
	uint64_t packed, size;
	struct text path; /* its Unicode path, if that is not the member's name; else empty */
	uint32_t crc;
	uint16_t flags, method, name_len;
	bool has_zip64;
};

/* The traits of members whose two headers differ: their local headers are kept. */
#define ZIP_LOCAL_DIFFERS \
	(ZIP_NAME_DIFFERS | ZIP_SEPARATOR_DIFFERS | ZIP_METHOD_DIFFERS | ZIP_FLAGS_DIFFER | \
	 ZIP_CRC_DIFFERS | ZIP_PACKED_DIFFERS | ZIP_SIZE_DIFFERS | ZIP_PATH_OTHER | \
	 ZIP_PATH_LOCAL)

/* A zip_gap is a run of bytes before the central directory that belongs to no member. */
struct zip_gap {
	struct span span;
	struct span name;  /* of the member that no central header has: ZIP_GAP_MEMBER or _COVERS */
	uint64_t found_at; /* likewise where its local header is */
	uint32_t traits;
};
KEEPS(zip_gap, struct zip_gap, traits);

/* What the search for the end record found. */
struct zip_find {
	struct zip_end end;
	uint64_t other_at; /* of another end record that some readers take, if has_other */
	bool has_other;
	bool has_locator, has_record, has_lock;
	struct zip64_locator locator;
	struct zip64_record record;
	struct zip64_lock lock; /* it says that the directory is encrypted */
	uint64_t tail_at;       /* where the archive ends */
	bool tail_is_zero;      /* all that follows it */
	bool comment_hides;     /* a signature is in the comment */
};

/* Why a member is not opened by itself. */
enum zip_state {
	ZIP_IS_CLAIMED = 1, /* it was opened as a file beside another */
	ZIP_IS_UNREAD = 2,  /* it is too long, or in a form that nothing here decodes */
	ZIP_IS_SEEN = 4,    /* not a reason: its first bytes are those of a file that is checked */
};

/* A zip_payload is what reading the members' bytes needs, and finds out. */
struct zip_payload {
	struct inflater inflater;
	uint8_t *buffer;   /* ZIP_BUFFER bytes */
	uint64_t unpacked; /* bytes that members decompress to, so far */
	uint8_t *states;   /* by row: enum zip_state */
};

/* Which volume of a set it is, and how many of all members its directory lists. */
struct zip_volume {
	uint64_t disk, start_disk, n_here, n_entries;
};

struct zip {
	uint64_t size; /* of the file */
	struct arc_file file;
	struct arc_second second;
	struct arc_program program;   /* before the archive */
	enum arc_signature signature; /* what the first bytes say */
	/* what stands before the archive, in words; NULL: no program is known that begins so */
	const char *stub;
	struct zip_find find;
	struct zip_volume volume;
	bool is_split;        /* it is one volume of several */
	bool is_record_moved; /* the zip64 record is elsewhere than its locator says */
	uint64_t directory_at, directory_end; /* of the central directory, in the file */
	uint64_t stated_at, stated_len;       /* by the end record, or the zip64 record */
	uint64_t base;        /* bytes before the archive that its offsets do not count */
	uint64_t computed_at; /* where the directory is by its size */
	bool is_twofold;      /* there are central headers at two places that can be meant */
	/* they are at the place that is stated, and not where they end before the end record */
	bool is_elsewhere;
	/* bytes that were lost or put in before the directory; 0: none, or it is not known */
	uint64_t n_lost, n_surplus;
	bool is_deep;          /* three members claim the same byte */
	uint64_t n_stated;     /* members */
	uint64_t walk_end;     /* where the central headers end */
	bool is_volume;        /* it is called as the first volume of several is */
	bool ends_broken;      /* what follows them is no central header, and more are stated */
	struct span signed_by; /* the digital signature after them; len 0: there is none */
	struct zip_entry *entries;
	uint64_t n_entries;
	struct zip_local_header *locals; /* those that differ from their central headers */
	uint64_t n_locals, max_locals;
	uint64_t traits; /* that any entry has */
	struct members *members;
	struct lay *layout;
	uint64_t explained; /* bytes before the central directory that belong to members */
	uint64_t first_at;  /* where the first local header is; directory_at: there is none */
	struct zip_gap *gaps;
	uint64_t n_gaps;
	uint32_t gap_traits;
	struct zip_payload *payload;
	const struct group *groups;
};

#define FORMAT zip
#define FORMAT_DEF "formats/archive/zip/zip.def"
#include "formats/declare_tables.h"

/* Bytes that are decompressed at a time. */
#define ZIP_BUFFER ((uint64_t)65536)

/* Longer members are read as streams. */
#define ZIP_WHOLE ((uint64_t)8388608)

/* zip_find_end finds the end record and the zip64 record, zip_find_directory the central directory.
 * false: there is none, which is noted. */
UVET_MUST_USE bool zip_find_end(struct decode *d, struct zip *z);
UVET_MUST_USE bool zip_find_directory(struct decode *d, struct zip *z);

/* zip_read_lock reads what the zip64 record says of encryption. zip_is_locked tells whether there
 * is an encrypted directory where the archive's is to be. A failure is noted for ZIP_END. */
UVET_MUST_USE bool zip_read_lock(struct decode *d, struct zip_find *f);
bool zip_is_locked(struct decode *d, const struct zip *z);

/* zip_has_directory tells whether a file has an end record, and a directory of a member where that
 * says. It notes nothing: it is for sniffing. */
bool zip_has_directory(struct source *s);

/* zip_read_directory reads the central headers. */
UVET_MUST_USE bool zip_read_directory(struct decode *d, struct zip *z);

/* zip_read_extras reads the extra fields of a header. zip_take_zip64 takes the next number of 64
 * bits out of its zip64 field into *out if that is `escape`; false: it is not there. */
void zip_read_extras(struct held extra, struct zip_extras *out);
UVET_MUST_USE bool zip_take_zip64(struct zip_extras *x, uint64_t escape, uint64_t *out);

/* zip_has_signature tells whether bytes hold one of the signatures at which readers of streams
 * stop. */
bool zip_has_signature(struct held bytes);

/* zip_unicode_path sets *out to the name that an entry's Unicode path field gives it, and returns
 * what is the matter with it. An empty *out: the field does not count. */
uint64_t zip_unicode_path(struct held path, struct held name, struct held *out);

/* zip_local_path returns what is the matter with the Unicode path of a local header and that name,
 * held against what the central header has, and sets *out to it, if anything is. */
uint64_t zip_local_path(const struct zip_extras *local, struct held local_name,
			const struct zip_extras *central, struct held name, struct held *out);

/* zip_other_kinds returns those of the kinds that extra fields say of a member that it is not. */
uint8_t zip_other_kinds(const struct zip_extras *x, uint8_t kind);

/* zip_find_versions finds members whose names end in a version as VMS has it, when all names were
 * examined. */
UVET_MUST_USE bool zip_find_versions(struct decode *d, struct zip *z);

/* zip_find_lost finds how many bytes are missing before a directory that is not where it should be,
 * and zip_find_surplus how many there are too many, when local headers were read. */
void zip_find_lost(struct decode *d, struct zip *z);
void zip_find_surplus(struct zip *z);

/* zip_look_at_prefix looks whether what stands before the first member is a file of another kind
 * that programs unpack, and zip_look_for_disc whether the file is the image of a disc. */
UVET_MUST_USE bool zip_look_at_prefix(struct decode *d, struct zip *z);
UVET_MUST_USE bool zip_look_for_disc(struct decode *d, struct zip *z);

/* zip_read_locals reads the local headers, and finds how the members lie. */
UVET_MUST_USE bool zip_read_locals(struct decode *d, struct zip *z);

/* zip_look_at_gap finds out what lies between members. */
UVET_MUST_USE bool zip_look_at_gap(struct decode *d, struct zip_gap *gap);

/* zip_plan_payload notes what of the members cannot be decoded. zip_open decodes a member into an
 * arena and notes what it finds; NULL: that failed. zip_finish does so for all that were not
 * opened, without keeping their bytes. */
bool zip_plan_payload(struct decode *d, struct zip *z);
const uint8_t *zip_open(const void *facts, struct decode *d, const struct nested *n,
			struct arena *arena);
bool zip_stream(const void *facts, struct decode *d, const struct nested *n, struct arena *arena,
		struct decode *user, struct source_io *out);
void zip_finish(const void *facts, struct decode *d);

/* A zip_whole is the decoding of a member that is decoded as a whole: m->size bytes at out, or in
 * scratch memory of d->arena if out is NULL. */
struct zip_whole {
	struct decode *d;
	const struct arc_member *m;
	uint8_t *out;
	bool has_marker; /* of LZMA: the stream has a mark where it ends */
	uint64_t n_out;
	unsigned traits; /* enum arc_payload_trait */
	/* it is in a form of its method that nothing here decodes, which is noted for
	 * ZIP_CONTENT */
	bool is_unread;
};

/* zip_is_whole tells of a method that it is decoded as a whole, if the build has what decodes it,
 * zip_has_decoder that this build can decode it, and zip_lack names what it lacks. zip_decode_whole
 * decodes one other than stored and deflate; false: memory, work or the input ended, which is
 * noted. */
bool zip_is_whole(uint64_t method);
bool zip_has_decoder(uint64_t method);
const char *zip_lack(uint64_t method);
UVET_MUST_USE bool zip_decode_whole(struct zip_whole *w);

/* zip_whole_has says that it decompressed to n_out bytes, and that n_used of n_in were used for
 * that. zip_whole_lacks says that it is in a form that needs what `codec` names. */
void zip_whole_has(struct zip_whole *w, uint64_t n_out, uint64_t n_used, uint64_t n_in);
void zip_whole_lacks(struct zip_whole *w, const char *codec);

/* zip_decode_ppmd decodes a member of that method, as zip_decode_whole does: w->out has room. */
UVET_MUST_USE bool zip_decode_ppmd(struct zip_whole *w);

/* zip_see_first takes the first bytes of a file. zip_peek looks at those of a member that is stored
 * or deflated. */
void zip_see_first(const struct zip *z, uint64_t row, struct held first);
UVET_MUST_USE bool zip_peek(struct decode *d, struct zip *z, uint64_t row);

/* zip_inflate_first gives the first *n bytes of a member that is deflated, and how many there are.
 * false: they cannot be read, which is noted. */
UVET_MUST_USE bool zip_inflate_first(struct decode *d, struct zip *z, const struct arc_member *m,
				     uint8_t *buf, uint64_t *n);

/* zip_may_open tells whether a member's bytes can be had. */
bool zip_may_open(const struct zip *z, uint64_t row);

/* zip_read_link reads the target of a link, and zip_take_link takes it, if it was read otherwise:
 * its bytes stay where they are. false: memory or the input ended, which is noted. */
UVET_MUST_USE bool zip_read_link(struct decode *d, struct zip *z, struct arc_member *m);
UVET_MUST_USE bool zip_take_link(struct decode *d, const struct zip *z, struct arc_member *m,
				 struct held target);

/* zip_explained and zip_map are those of struct format. */
uint64_t zip_explained(const void *facts);
bool zip_map(const void *facts, struct decode *d, map_sink *sink, void *ctx);

extern const struct nested_files zip_nested_files;
extern const struct format zip_format;

#endif
