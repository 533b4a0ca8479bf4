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

/* What is known of two members by their names. */
enum { MEMBER_KINSHIPS = ARC_TWICE | ARC_TWICE_ALIKE | ARC_TWIN | ARC_BELOW_FILE };

/* member_is_undeclared tells whether nothing says in which encoding a name is that is not ASCII. */
static inline bool member_is_undeclared(const struct arc_member *m)
{
	return m->traits & (ARC_LEGACY | ARC_UNDECLARED);
}

/* A name_index is what all names are compared by: without `.`, empty parts, and what Windows drops
 * at the end of a part. There may be a second one of the same names, of keys that are alike in
 * another way. */
struct name_index {
	struct members *m;
	struct text *other;   /* by row, of names that are not their own key; NULL: all are */
	uint32_t *hashes;     /* of the keys */
	struct order by_hash; /* of all rows, made when it is needed */
	bool is_ordered;

	/* what was seen when the names were looked at: of most archives nothing, and then they are
	 * compared in no other way */
	bool has_unlike;       /* a character that may stand for others */
	bool has_number;       /* what may be the number of a short name */
	uint64_t n_undeclared; /* names of no declared encoding */

	uint8_t likeness;               /* enum arc_likeness: how names of one key are alike */
	const struct name_index *plain; /* of a second one: the first. It has keys of all rows, */
	struct text *names; /* and names as they are decoded; NULL: as the rows have them */
	uint32_t group;     /* that its memory counts for */
};

/* member_key is the key of a row, member_path its name; member_keys_compare orders keys; 0: they
 * are the same. */
struct text member_path(const struct name_index *k, uint64_t row);
struct text member_key(const struct name_index *k, uint64_t row);
int member_keys_compare(struct text a, struct text b);

/* member_keys_make makes the keys of all rows, whose hashes are those of members_look_at until
 * then. member_keys_order makes their order; member_keys_find finds in it the first row of a key,
 * or the last of a key and a path unless that is NULL, or MEMBER_NONE. false: memory ended, which
 * is noted. */
UVET_MUST_USE bool member_keys_make(struct decode *d, uint32_t group, struct name_index *k);
UVET_MUST_USE bool member_keys_order(struct decode *d, uint32_t group, struct name_index *k);
uint64_t member_keys_find(const struct name_index *k, uint32_t hash, struct text key,
			  const struct text *spelling);

/* member_key_of makes the key of a name that need not be a member's. member_keys_find_before finds
 * the last row of it before another, and of that path if there is one; the order was made. */
UVET_MUST_USE bool member_key_of(struct decode *d, uint32_t group, struct text name,
				 struct text *out);
uint64_t member_keys_find_before(const struct name_index *k, uint32_t hash, struct text key,
				 struct text path, uint64_t before);

/* member_keys_have_link tells whether one of the rows of a key is a link, or may be one among very
 * many; the order was made. */
bool member_keys_have_link(const struct name_index *k, uint32_t hash, struct text key);

/* member_names_compare orders rows by their keys, and those of one key by their paths.
 * member_paths_compare compares names as they are spelt, but for empty parts and parts that are a
 * dot alone; 0: on every system they are one file. */
order_compare member_names_compare;
int member_spelling_compare(struct text a, struct text b);
int member_paths_compare(struct text a, struct text b);

/* member_next_part gives the next part of a name from *at on that is neither empty nor a dot alone,
 * and moves *at to after it. false: there is none. */
bool member_next_part(struct text name, uint32_t *at, struct text *part);

/* members_find_relatives finds members of one name, and those whose path has a file or link in it,
 * when their keys were made. */
UVET_MUST_USE bool members_find_relatives(struct decode *d, uint32_t group, struct name_index *k);

/* member_name_is_unlike and member_name_has_number tell of a name what a name_index has. */
bool member_name_is_unlike(struct text name);
bool member_name_has_number(struct text name);

/* members_find_alike finds members whose names are alike in the other ways of enum arc_likeness,
 * and notes them as members_find_relatives does. */
UVET_MUST_USE bool members_find_alike(struct decode *d, uint32_t group,
				      const struct name_index *plain);

/* members_find_short finds members of whose names a part is the short name that Windows gives to a
 * part of another's, when relatives were found. */
UVET_MUST_USE bool members_find_short(struct decode *d, uint32_t group, const struct name_index *k);

/* members_find_crossings finds links whose targets pass over other links and then go up: where that
 * leads is up to the other link. */
UVET_MUST_USE bool members_find_crossings(struct decode *d, uint32_t group, struct name_index *k);

#endif
