/* What a file is, for tools: uvet-info/1, keys sorted. */
#include "report/map.h"
#include "report/origin.h"
#include "report/json/objects.h"

void info_json(const struct report *r, enum map_result result, struct out *o)
{
	const struct origin origin = origin_of(r);
	struct json j;

	json_init(&j, o);
	json_object(&j, NULL);
	if (origin.engine)
		json_string(&j, "engine", origin.engine);
	objects_format(&j, r->format, r->version);
	if (origin.games)
		json_string(&j, "games", origin.games);
	objects_infos(&j, r);
	objects_path(&j, r->name);
	json_string(&j, "schema", "uvet-info/1");
	objects_sha256(&j, r);
	json_number(&j, "size", r->size);
	json_bool(&j, "truncated", result == MAP_CUT || result == MAP_NO_MEMORY);
	json_bool(&j, "unreadable", result == MAP_UNREADABLE);
	json_end(&j);
	out_byte(o, '\n');
}
