/* What a file is, for people: one fact a line. */
#include "report/describe.h"
#include "report/escape.h"
#include "report/map.h"
#include "report/origin.h"

#include <string.h>

enum { NAME_WIDTH = 20 };

static void write_name(struct out *o, const char *name)
{
	size_t len = strlen(name);

	out_string(o, name);
	out_repeat(o, ' ', len < NAME_WIDTH ? NAME_WIDTH - len : 1);
}

static void write_info(struct out *o, const struct info *i)
{
	char guid[GUID_TEXT_LEN + 1];

	write_name(o, i->name);
	if (i->is_guid) {
		describe_guid(guid, i->u.guid);
		out_string(o, guid);
	} else if (i->is_text)
		escape_write(o, ESCAPE_TERMINAL, i->u.utf8, i->n_utf8);
	else if (i->word)
		out_string(o, i->word);
	else if (i->hex)
		out_address(o, i->number);
	else
		out_dec(o, i->number);
	out_byte(o, '\n');
}

static void write_sha256(struct out *o, const struct report *r)
{
	char digits[2 * FILE_DIGEST_LEN + 1];

	if (!r->has_sha256)
		return;
	describe_sha256(digits, r->sha256);
	write_name(o, "sha256");
	out_string(o, digits);
	out_byte(o, '\n');
}

static void write_origin(struct out *o, const struct report *r)
{
	const struct origin origin = origin_of(r);

	if (origin.engine)
		write_info(o, &(struct info){ .name = "engine", .word = origin.engine });
	if (origin.games)
		write_info(o, &(struct info){ .name = "games", .word = origin.games });
}

/* Says which facts are missing, and why. */
static const char *missing(enum map_result result)
{
	switch (result) {
	case MAP_CUT:
		return "a limit was reached; facts are missing\n";
	case MAP_NO_MEMORY:
		return "memory ended; facts are missing\n";
	case MAP_UNREADABLE:
		return "it cannot be read whole; facts are missing\n";
	default:
		return NULL;
	}
}

void info_text(const struct report *r, enum map_result result, struct out *o)
{
	write_name(o, "file");
	escape_string(o, ESCAPE_TERMINAL, r->name);
	out_byte(o, '\n');
	write_name(o, "format");
	describe_format(o, r->format, r->version);
	out_byte(o, '\n');
	write_origin(o, r);
	write_name(o, "size");
	out_count(o, r->size, "byte");
	out_byte(o, '\n');
	write_sha256(o, r);
	for (size_t i = 0; i < r->n_infos; i++)
		write_info(o, &r->infos[i]);
	if (missing(result)) {
		write_name(o, "incomplete");
		out_string(o, missing(result));
	}
}
