/* The way from block to block, which both versions share. */
#ifndef UVET_FORMATS_ARCHIVE_RAR_RAR_WALK_H
#define UVET_FORMATS_ARCHIVE_RAR_RAR_WALK_H

#include "formats/archive/rar/rar.h"

/* How long a target of a link may be that is kept. */
enum { RAR_TARGET_MAX = 4096 };

/* What a member is by its header: whether its flags call it a folder, its attributes are a mode of
 * Unix, or it has bytes. */
struct rar_kind {
	uint64_t attributes;
	bool is_folder, is_unix, has_bytes;
	bool is_old;      /* of a program that had no flag for folders */
	bool is_labelled; /* its attributes may say that it is the label of a disk */
};

/* rar_kind_of returns what a member is, and notes in *own what else it is for other programs. */
enum arc_kind rar_kind_of(const struct rar_kind *k, uint32_t *own);

/* The version to unpack of what RAR 3 was the first to pack, in tenths. */
enum { RAR_3 = 29 };

/* A rar_walk is how far it has come. */
struct rar_walk {
	struct decode *d;
	struct rar *r;
	uint64_t at;
	uint64_t max_blocks, max_members, max_entries; /* that there is room for */
	bool is_over; /* there is nothing to follow: the end, or what makes no sense */
};

/* rar4_walk and rar5_walk follow the blocks from w->at on. false: memory or work ended, or the
 * input failed, which is noted for RAR_MEMBERS. */
UVET_MUST_USE bool rar4_walk(struct rar_walk *w);
UVET_MUST_USE bool rar5_walk(struct rar_walk *w);

/* rar5_vint reads a number of rar 5. false: it is not all there, or does not fit in 64 bits. */
UVET_MUST_USE bool rar5_vint(struct cursor *c, uint64_t *out);

/* rar5_check_copies holds the copies of headers that services have against the headers, after all
 * blocks were followed. false: as for the walk. */
UVET_MUST_USE bool rar5_check_copies(struct rar_walk *w);

/* rar_take_head reads the rest of the header of a block, of which the first bytes are there. It
 * stays in memory. */
UVET_MUST_USE bool rar_take_head(struct rar_walk *w, struct held first, uint64_t len,
				 struct held *out);

/* rar_add_block adds a row, and moves on to after its data; data_len is as the header says.
 * is_sound: the header's checksum is right. Where the data ends after the file does, the walk is
 * over. */
UVET_MUST_USE bool rar_add_block(struct rar_walk *w, struct rar_block b, uint64_t data_len,
				 bool is_sound);

/* rar_add_member adds a member of the last block. */
UVET_MUST_USE bool rar_add_member(struct rar_walk *w, const struct arc_member *m,
				  struct rar_member e);

/* rar_stop_truncated ends the walk where the file ends too early, which should have `needs` bytes
 * at least. rar_note_fault notes that a header makes no sense. rar_stop_unsound ends the walk at a
 * block that is none by its type and checksum; false: as for rar_add_block. */
void rar_stop_truncated(struct rar_walk *w, uint64_t needs);
void rar_note_fault(struct rar_walk *w, struct rar_fault fault);
UVET_MUST_USE bool rar_stop_unsound(struct rar_walk *w, struct rar_block b);

/* rar_note_archive notes of the last block, a header of the archive, that it is a further one. */
void rar_note_archive(struct rar *r);

/* rar_needs_end tells whether programs that packed such members write an end block. */
bool rar_needs_end(const struct rar *r);

/* rar_is_zero tells in *is_zero whether all bytes of the file from `at` on are zeros. false: they
 * could not be read. */
UVET_MUST_USE bool rar_is_zero(struct decode *d, uint64_t at, bool *is_zero);

/* rar_read_target reads the target of a link that is the bytes of a member. */
UVET_MUST_USE bool rar_read_target(struct rar_walk *w, struct span at, struct text *out);

/* rar_mode_traits is what is worth telling of a mode of Unix; rar_look_at_attributes notes that of
 * attributes of Windows. */
uint32_t rar_mode_traits(uint64_t mode);
void rar_look_at_attributes(uint64_t attributes, struct arc_member *m, uint32_t *own);

/* rar4_name makes the name of a member of rar 4 out of its stored bytes, `at` in the file.
 * *own gains RAR_NAME_LOST and RAR_NAMES_DIFFER. */
UVET_MUST_USE bool rar4_name(struct decode *d, struct held stored, uint64_t at, bool is_unicode,
			     uint32_t *own, uint32_t *traits, struct text *out);

/* rar_name_has_stream tells whether something follows a colon in the last part of a name. */
bool rar_name_has_stream(struct text name);

/* rar_service_is tells whether the name of a service is that of three letters. */
static inline bool rar_service_is(struct held name, const char *letters)
{
	return name.len >= 2 && name.len == strlen(letters) &&
	       memcmp(name.bytes, letters, (size_t)name.len) == 0;
}

/* rar_note_service notes what a service is worth telling for. */
void rar_note_service(struct rar *r, struct held name, struct rar_block *b);

#endif
