/* Names: the name table, and what an index of a name means. */
#ifndef UVET_FORMATS_UPKG_TABLES_NAMES_H
#define UVET_FORMATS_UPKG_TABLES_NAMES_H

#include "core/text.h"
#include "formats/upkg/facts.h"
#include "formats/upkg/tables/words.h"

/* The bits of struct upkg_name. The count of a usual name takes a byte, or none in versions that
 * have no counts; its units take a byte each. */
enum { NAME_UNUSUAL = 63, NAME_WORDS = 127, NAME_TRAITS = (1 << 19) - 1 };

/* upkg_decode_names reads the name table; false: it stopped, which was noted for UPKG_NAMES. */
bool upkg_decode_names(struct decode *d, struct upkg *u);

/* upkg_name_of returns the name of an index; NULL if there is none of that number. */
static inline const struct upkg_name *upkg_name_of(const struct upkg *u, int32_t index)
{
	return index >= 0 && (uint32_t)index < u->tables[TABLE_NAMES].n ? &u->names[index] : NULL;
}

/* upkg_text returns a name's text, upkg_text_of that of an index: empty if there is none of that
 * number. */
struct text upkg_text(const struct upkg *u, const struct upkg_name *n);
struct text upkg_text_of(const struct upkg *u, int32_t index);

/* upkg_kept_name returns what an engine keeps of the name of an index: UPKG_NAME_MAX units at most,
 * up to the first NUL. */
struct text upkg_kept_name(const struct upkg *u, int32_t index);

/* upkg_name_flags returns the flags of a name, which it reads from the file again. */
uint32_t upkg_name_flags(const struct upkg *u, const struct upkg_name *n);

/* upkg_before_nul returns what an engine reads of a text, which ends at its first NUL. */
static inline struct text upkg_before_nul(struct text t)
{
	return text_sub(t, 0, text_find(t, 0, 0));
}

/* upkg_path_traits returns what makes a name a path, in the part of it that an engine keeps:
 * traits of core/path.h. upkg_path_defect says it in a few words; the traits are not 0. */
uint32_t upkg_path_traits(const struct upkg *u, int32_t name);
const char *upkg_path_defect(uint32_t traits);

/* upkg_word_of returns which known name an index is. */
static inline enum upkg_word upkg_word_of(const struct upkg *u, int32_t index)
{
	const struct upkg_name *n = upkg_name_of(u, index);

	return n ? (enum upkg_word)n->word : WORD_OTHER;
}

/* upkg_first_name returns the first name that is the same as that of an index, without case as
 * the engine compares; the index itself where there is no such name. */
static inline int64_t upkg_first_name(const struct upkg *u, int32_t index)
{
	return u->first_names && upkg_name_of(u, index) ? (int64_t)u->first_names[index] : index;
}

/* upkg_use_name notes that something refers to a name, which exists. */
static inline void upkg_use_name(struct upkg *u, int32_t index)
{
	u->used_names[(uint32_t)index / 8] |= (uint8_t)(1u << (uint32_t)index % 8);
}

#endif
