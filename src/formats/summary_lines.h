/* What is kept of a text beside packages, as a configuration of the game: the lines of the sections
 * that rules about sets compare. */
#ifndef UVET_FORMATS_SUMMARY_LINES_H
#define UVET_FORMATS_SUMMARY_LINES_H

#include "core/arena.h"
#include "core/text.h"

/* The sections. */
enum summary_section {
#define SECTION(section, name, extension, key) section,
#include "formats/summary_sections.def"
#undef SECTION
	N_SUMMARY_SECTIONS
};

/* A summary_line is a line `key=value` of such a section. */
struct summary_line {
	uint32_t at, len;          /* in the file, without its end */
	uint32_t key, key_len;     /* in `texts`, UTF-8, without spaces at either end */
	uint32_t value, value_len; /* likewise */
	uint8_t section;           /* enum summary_section */
};

struct summary_lines {
	uint32_t n, n_texts;
	const struct summary_line *rows;
	const char *texts;
};

/* A summary_word is a part of a line: bytes of UTF-8, not ended by a NUL. */
struct summary_word {
	const char *chars;
	uint32_t len;
};

static inline struct summary_word summary_key(const struct summary_lines *l, uint32_t line)
{
	return (struct summary_word){ l->texts + l->rows[line].key, l->rows[line].key_len };
}
static inline struct summary_word summary_value(const struct summary_lines *l, uint32_t line)
{
	return (struct summary_word){ l->texts + l->rows[line].value, l->rows[line].value_len };
}

/* summary_has_lines tells by the extension of a file's name whether it may have such lines. */
bool summary_has_lines(struct text extension);

/* summary_lines_of returns those of a text, whose bytes outlive the call alone; NULL: memory
 * ended. summary_lines_copy copies them. */
const struct summary_lines *summary_lines_of(struct arena *arena, struct text extension,
					     const uint8_t *bytes, uint32_t len);
const struct summary_lines *summary_lines_copy(struct arena *arena, const struct summary_lines *l);

#endif
