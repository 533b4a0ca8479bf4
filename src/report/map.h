/* Maps and infos: what a file is made of, and what it is. */
#ifndef UVET_REPORT_MAP_H
#define UVET_REPORT_MAP_H

#include "engine/engine.h"
#include "report/out.h"

/* map_text and map_json write every region of an input with its fields. A file that is of no
 * known format or cannot be read is told in the output. The result is that of engine_map. */
enum map_result map_text(struct engine *e, const struct check_input *in, struct out *o);
enum map_result map_json(struct engine *e, const struct check_input *in, struct out *o);

/* map_unexplained is how many bytes a map leaves unexplained: those that it showed as such, or all
 * if there is no map. */
static inline uint64_t map_unexplained(enum map_result result, uint64_t told, uint64_t size)
{
	return result == MAP_OK || result == MAP_CUT ? told : size;
}

/* A map_value is a field's value, ready to be shown. */
struct map_value {
	enum { MAP_HEX, MAP_UNSIGNED, MAP_SIGNED, MAP_TEXT } form;
	int64_t number;
	uint8_t text[4 * ARG_TEXT_MAX]; /* UTF-8, not escaped */
	size_t text_len;
	bool cut; /* text was longer */
};

/* map_value_of prepares the value of a field in that source, map_value_of_text a text's; what
 * cannot be read is empty and cut. */
void map_value_of(struct source *s, const struct layout_value *v, struct map_value *out);
void map_value_of_text(struct source *s, struct text_ref ref, struct map_value *out);

/* info_text and info_json write what the file of a report is, or why that is not known, without its
 * findings. */
void info_text(const struct report *r, enum map_result result, struct out *o);
void info_json(const struct report *r, enum map_result result, struct out *o);

#endif
