/* Looking at the members' names one by one, and at all of them together. */
#ifndef UVET_FORMATS_ARCHIVE_MEMBERS_KEYS_H
#define UVET_FORMATS_ARCHIVE_MEMBERS_KEYS_H

#include "core/order.h"
#include "formats/archive/members/members.h"

/* members_look_at finds what is the matter with one member's name and kind. It returns the hash of
 * the name as struct path has it. */
uint32_t members_look_at(struct arc_member *m);

/* members_name_of is a member's name; of a folder without the separator at its end. */
struct text members_name_of(const struct arc_member *m);

/* A name_index is what all names are compared by: without `.`, empty parts, and the dots and spaces
 * that Windows drops at the end of a part. */
struct name_index {
	struct members *m;
	struct text *other;   /* by row, of names that are not their own key; NULL: all are */
	uint32_t *hashes;     /* of the keys */
	struct order by_hash; /* of all rows, made when it is needed */
	bool is_ordered;
};

/* member_key is the key of a row, member_keys_compare orders keys; 0: they are the same. */
struct text member_key(const struct name_index *k, uint64_t row);
int member_keys_compare(struct text a, struct text b);

/* member_keys_make makes the keys of all rows, whose hashes are those of members_look_at until
 * then. member_keys_order makes their order; member_keys_find finds in it the first row of a key,
 * or that of a key and a spelling unless that is NULL, or MEMBER_NONE. false: memory ended, which
 * is noted. */
UVET_MUST_USE bool member_keys_make(struct decode *d, uint32_t group, struct name_index *k);
UVET_MUST_USE bool member_keys_order(struct decode *d, uint32_t group, struct name_index *k);
uint64_t member_keys_find(const struct name_index *k, uint32_t hash, struct text key,
			  const struct text *spelling);

/* member_names_compare orders rows by their keys, and those of one key by how they are spelt. */
order_compare member_names_compare;
int member_spelling_compare(struct text a, struct text b);

/* members_find_relatives finds members of one name, and those whose path has a file or link in it,
 * when their keys were made. */
UVET_MUST_USE bool members_find_relatives(struct decode *d, uint32_t group, struct name_index *k);

/* members_link_leaves tells whether a link of that name and target leads out of the folder that the
 * archive is unpacked to. */
bool members_link_leaves(struct text name, struct text target);

#endif
