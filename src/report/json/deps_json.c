/* What packages need, for tools: uvet-deps/1, keys sorted. */
#include "report/deps.h"
#include "report/json/objects.h"

#include <string.h>

struct deps_json {
	struct json json;
	const struct set_file *file; /* that is being written; NULL: none is */
};

static void end_file(struct deps_json *d)
{
	if (!d->file)
		return;
	json_end(&d->json);
	objects_path(&d->json, d->file->name);
	json_end(&d->json);
	d->file = NULL;
}

static void begin_file(struct deps_json *d, const struct set_import *i)
{
	struct json *j = &d->json;
	const size_t outer = deps_archive_len(i->file);

	end_file(d);
	json_object(j, NULL);
	if (outer > 0)
		json_text(j, "archive", i->file->name, outer);
	json_bool(j, "compared", i->is_compared);
	json_array(j, "imports");
	d->file = i->file;
}

static void write_import(void *ctx, const struct set_import *i)
{
	struct deps_json *d = ctx;
	struct json *j = &d->json;
	char room[PACKAGE_PATH_MAX];
	size_t at;

	if (i->row == SET_NO_ROW) {
		begin_file(d, i);
		return;
	}
	at = package_import_path(i->file->package, i->row, room);
	json_object(j, NULL);
	if (!deps_is_package(i->found))
		json_text(j, "class", deps_class(i).chars, deps_class(i).len);
	if (i->in)
		json_text(j, "in", i->in->name, strlen(i->in->name));
	json_string(j, "kind", deps_is_package(i->found) ? "package" : "object");
	json_text(j, "name", room + at, PACKAGE_PATH_MAX - at);
	json_string(j, "state", deps_state(i->found));
	json_end(j);
}

enum map_result deps_json(struct file_set *s, const struct check_input *in, struct out *o)
{
	struct deps_json d = { .file = NULL };
	struct json *j = &d.json;
	enum map_result result;

	json_init(j, o);
	json_object(j, NULL);
	json_bool(j, "game", s->settled.has_game);
	json_array(j, "packages");
	result = file_set_imports(s, in, write_import, &d);
	end_file(&d);
	json_end(j);
	json_string(j, "schema", "uvet-deps/1");
	json_bool(j, "truncated", result != MAP_OK);
	json_end(j);
	out_byte(o, '\n');
	return result;
}
