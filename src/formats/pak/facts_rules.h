/* What the rules of archives share: how they get at the facts, and how they name a file. */
#ifndef UVET_FORMATS_PAK_FACTS_RULES_H
#define UVET_FORMATS_PAK_FACTS_RULES_H

#include "formats/pak/pak.h"
#include "rule/finding.h"

static inline const struct pak *pak_of(const struct check *c)
{
	return c->facts;
}

static inline bool pak_stopped(const struct pak *p, enum pak_group group, enum stop_why why)
{
	return p->groups[group].why == why;
}

/* A path of which the end is left out if it is too long for an argument. */
struct pak_path_room {
	char bytes[ARG_BYTES_MAX + 1];
};

static inline struct arg path_of(const struct pak *p, const struct pak_file *row,
				 struct pak_path_room *buf)
{
	return UTF8(buf->bytes, pak_file_path(p, row, buf->bytes, sizeof buf->bytes));
}

static inline struct place row_place(const struct pak *p, const struct pak_file *row, uint64_t at,
				     uint64_t len)
{
	return (struct place){ .span = { at, len },
			       .record = "entry",
			       .index = (uint64_t)(row - p->files),
			       .known = true };
}

/* record_place is the place of a file's record in the index, or of its first four bytes if it is
 * truncated; name_place is that of its name. */
static inline struct place record_place(const struct pak *p, const struct pak_file *row)
{
	struct pak_entry e;
	bool ends_in_number;
	const bool is_whole = pak_entry_read(p, row->record, &e, &ends_in_number);
	const uint64_t len = is_whole ? e.end - row->record : 4;

	return row_place(p, row, p->index.at.at + row->record, len);
}

static inline struct place name_place(const struct pak *p, const struct pak_file *row)
{
	const uint64_t at = pak_is_nameless(p, row) ? p->path_hashes.at.at : p->names_at;

	return row_place(p, row, at + row->name, 4);
}

/* directory_place is the place of a directory's name; where that is made of several, of all. */
static inline struct place directory_place(const struct pak *p, uint32_t i)
{
	return AT_SPAN(p->names_at + (pak_has_utf8(p, false) ? 0 : p->directories[i].name), 4);
}

/* row_of_hashes is the first of some rows of the path-hash index. */
static inline struct place row_of_hashes(const struct pak *p, const struct pak_some *rows)
{
	const uint64_t at = p->hashes_at + (uint64_t)rows->first * pak_path_hash_fixed_len;

	return AT_SPAN(at, pak_path_hash_fixed_len);
}

/* kept_place is where the first of some names or locations is that the path-hash index keeps. */
static inline struct place kept_place(const struct pak *p, const struct pak_some *kept)
{
	return AT_SPAN(p->path_hashes.at.at + kept->first, 4);
}

/* kept_location is the first of some locations there. */
static inline int64_t kept_location(const struct pak *p, const struct pak_some *kept)
{
	return (int32_t)held_u32(p->path_hashes.held, kept->first);
}

#endif
