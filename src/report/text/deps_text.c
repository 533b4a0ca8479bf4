/* What packages need, for people: what is there is told by package, what is not by object, too. */
#include "report/deps.h"
#include "report/escape.h"

static void write_package(struct out *o, const struct set_import *i, const char *name, size_t len)
{
	static const char *const words[] = {
		[SET_FOUND_OWN] = "",
		[SET_FOUND_GIVEN] = "found",
		[SET_FOUND_PACKED] = "found in a download",
		[SET_FOUND_IN_GAME] = "found in the game",
		[SET_FOUND_ELSEWHERE] = "found in another folder",
		[SET_FOUND_UNSEEN] = "not found, but not all files were looked into",
		[SET_FOUND_MISSING] = "MISSING",
		[SET_FOUND_NOT_GIVEN] = "not among the files",
	};

	if (i->found <= SET_FOUND_OWN)
		return;
	out_string(o, "    ");
	escape_write(o, ESCAPE_TERMINAL, name, len);
	out_string(o, ": ");
	out_string(o, words[i->found]);
	if (i->in) {
		out_string(o, ": ");
		escape_string(o, ESCAPE_TERMINAL, i->in->name + i->in->shown_at);
	}
	out_byte(o, '\n');
}

static void write_object(struct out *o, const struct set_import *i, const char *name, size_t len)
{
	const struct package_text class = deps_class(i);
	const char *what = i->found == SET_OBJECT_MISSING ? "MISSING"
			   : i->found == SET_OBJECT_MOVED ? "missing there, and elsewhere in it"
			   : i->found == SET_OBJECT_OTHER_CLASS ? "of another class"
			   : i->found == SET_OBJECT_PRIVATE     ? "not public"
								: NULL;

	if (!what)
		return;
	out_string(o, "        ");
	escape_write(o, ESCAPE_TERMINAL, name, len);
	out_string(o, " (");
	escape_write(o, ESCAPE_TERMINAL, class.chars, class.len);
	out_string(o, "): ");
	out_string(o, what);
	out_byte(o, '\n');
}

static void write_import(void *ctx, const struct set_import *i)
{
	struct out *o = ctx;
	char room[PACKAGE_PATH_MAX];
	size_t at;

	if (i->row == SET_NO_ROW) {
		escape_string(o, ESCAPE_TERMINAL, i->file->name);
		out_string(o, i->is_compared ? "\n"
					     : ": not read whole or not sound, so not compared\n");
		return;
	}
	at = package_import_path(i->file->package, i->row, room);
	if (deps_is_package(i->found))
		write_package(o, i, room + at, PACKAGE_PATH_MAX - at);
	else
		write_object(o, i, room + at, PACKAGE_PATH_MAX - at);
}

enum map_result deps_text(struct file_set *s, const struct check_input *in, struct out *o)
{
	return file_set_imports(s, in, write_import, o);
}
