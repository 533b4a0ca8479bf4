/* The map for tools: uvet-map/1, keys sorted. */
#include "report/map.h"
#include "report/json/objects.h"

#include <string.h>

struct json_map {
	struct json json;
	const struct check_input *in;
	bool begun;
	uint64_t unexplained; /* bytes */
};

static void write_companions(struct json *j, const struct source *input)
{
	json_array(j, "companions");
	for (const struct source *s = input->next; s; s = s->next) {
		json_object(j, NULL);
		objects_path(j, s->name);
		json_number(j, "size", s->io.size);
		json_end(j);
	}
	json_end(j);
}

static void write_head(struct json_map *m, const struct source *input, const struct format *f,
		       uint64_t version)
{
	struct json *j = &m->json;

	json_object(j, NULL);
	if (input && input->next)
		write_companions(j, input);
	objects_format(j, f, version);
	objects_path(j, m->in->name);
	json_array(j, "regions");
	m->begun = true;
}

static void write_value(struct json *j, const char *key, const struct map_value *v)
{
	switch (v->form) {
	case MAP_HEX:
		json_hex(j, key, (uint64_t)v->number);
		return;
	case MAP_UNSIGNED:
		json_number(j, key, (uint64_t)v->number);
		return;
	case MAP_SIGNED:
		json_signed(j, key, v->number);
		return;
	case MAP_TEXT:
		json_text(j, key, v->text, v->text_len);
		return;
	}
}

static void write_fields(struct json *j, struct source *s, uint64_t version, const struct region *r)
{
	const struct arena_mark mark = arena_mark(s->arena);
	struct layout_value field;
	struct map_value value;
	struct cursor c;
	size_t i = 0;

	if (!r->layout || !source_window_once(s, r->span, &c))
		return;
	json_array(j, "fields");
	while (layout_walk(r->layout, version, &c, &i, &field)) {
		map_value_of(s, &field, &value);
		json_object(j, NULL);
		if (value.cut)
			json_bool(j, "cut", true);
		json_number(j, "length", field.at.len);
		json_string(j, "name", field.field->name);
		json_number(j, "offset", field.at.at);
		write_value(j, "value", &value);
		json_end(j);
	}
	json_end(j);
	arena_rewind(s->arena, mark);
}

static bool write_region(void *ctx, struct decode *d, const struct format *f, uint64_t version,
			 const struct region *r)
{
	struct json_map *m = ctx;
	struct json *j = &m->json;
	struct source *s = source_numbered(d->source, r->file);
	struct map_value name;

	if (!m->begun)
		write_head(m, d->source, f, layout_version(version));
	json_object(j, NULL);
	json_number(j, "depth", r->depth);
	write_fields(j, s, version, r);
	if (s->number > 0)
		json_text(j, "file", (const uint8_t *)s->name, strlen(s->name));
	if (r->index != UINT64_MAX)
		json_number(j, "index", r->index);
	json_string(j, "kind", r->kind);
	json_string(j, "label", r->label);
	json_number(j, "length", r->span.len);
	if (r->name.n_units > 0) {
		map_value_of_text(d->source, r->name, &name);
		write_value(j, "name", &name);
	}
	json_number(j, "offset", r->span.at);
	json_end(j);
	if (strcmp(r->kind, "unexplained") == 0)
		m->unexplained += r->span.len;
	return !j->out->failed;
}

enum map_result map_json(struct engine *e, const struct check_input *in, struct out *o)
{
	struct json_map m = { .in = in };
	enum map_result result;
	struct json *j = &m.json;

	json_init(j, o);
	result = engine_map(e, in, write_region, &m);
	if (!m.begun)
		write_head(&m, NULL, NULL, 0);
	json_end(j);
	json_string(j, "schema", "uvet-map/1");
	json_number(j, "size", in->io.size);
	json_bool(j, "truncated", result == MAP_CUT);
	json_number(j, "unexplained", map_unexplained(result, m.unexplained, in->io.size));
	json_bool(j, "unreadable", result == MAP_UNREADABLE);
	json_end(j);
	out_byte(o, '\n');
	return result;
}
