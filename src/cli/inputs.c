/* Inputs: operands, then the list; each folder is walked when its turn comes. */
#include "cli/inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "core/ending.h"

static bool is_stdin(const char *operand)
{
	return strcmp(operand, "-") == 0;
}

/* ---- Parts of containers --------------------------------------------------------------------- */

bool input_is_part(const char *path)
{
	return ending_is(path, PART_DATA);
}

bool input_is_container(const char *path)
{
	return ending_is(path, PART_CONTAINER);
}

bool input_may_be_part(const char *path)
{
	return part_may_be(path);
}

bool input_is_absent(const char *path)
{
	struct platform_file file;

	if (!platform_file_open(path, &file))
		return platform_is_absent(platform_error());
	platform_file_close(&file);
	return false;
}

/* ---- Before the first check ------------------------------------------------------------------ */

static bool stdin_is_wanted_once(const struct settings *s)
{
	int n = s->list && is_stdin(s->list);

	for (int i = 0; i < s->n_operands; i++)
		n += is_stdin(s->operands[i]);
	if (n > 1)
		message("-: standard input can be read only once");
	return n <= 1;
}

/* A truncated list may end in the beginning of a name, which may be the name of another file. */
static bool ends_in_name(const struct buffer *list)
{
	return list->len > 0 && list->bytes[list->len - 1] != '\0';
}

static bool read_list(struct inputs *in)
{
	const char *path = in->settings->list;

	if (!buffer_read(&in->list, is_stdin(path) ? NULL : path, settings_memory(in->settings))) {
		message("--files0-from: '%s' cannot be read: %s", path, in->list.trouble);
		return false;
	}
	for (size_t at = 0; at < in->list.len; at += strlen(in->list.bytes + at) + 1) {
		if (in->list.bytes[at])
			continue;
		message("--files0-from: '%s' has an empty name; each name is ended by one NUL",
			path);
		return false;
	}
	if (ends_in_name(&in->list)) {
		message("--files0-from: '%s' ends inside a name; each name is ended by one NUL, "
			"the last one too",
			path);
		return false;
	}
	return true;
}

static bool add_part(struct inputs *in, char *path)
{
	return !input_may_be_part(path) || parts_add(&in->parts, path);
}

static bool find_parts(struct inputs *in)
{
	unsigned n_lost = 0;

	for (int i = 0; i < in->settings->n_operands; i++)
		n_lost += !add_part(in, in->settings->operands[i]);
	for (size_t at = 0; at < in->list.len; at += strlen(in->list.bytes + at) + 1)
		n_lost += !add_part(in, in->list.bytes + at);
	return n_lost == 0;
}

/* So many paths are looked at before one of them is checked, to see whether a folder is among them.
 * Of more each is opened when its turn comes, which tells it too and costs nothing more. */
enum { LOOKED_AT_MAX = 64 };

static bool is_folder(const char *path)
{
	struct platform_identity unused;

	return platform_path_look(path, &unused) == PLATFORM_FOLDER;
}

static size_t count_paths(const struct inputs *in)
{
	size_t n = (size_t)in->settings->n_operands;

	for (size_t at = 0; at < in->list.len; at += strlen(in->list.bytes + at) + 1)
		n++;
	return n;
}

static bool names_folder(const struct inputs *in)
{
	for (int i = 0; i < in->settings->n_operands; i++)
		if (!is_stdin(in->settings->operands[i]) && is_folder(in->settings->operands[i]))
			return true;
	for (size_t at = 0; at < in->list.len; at += strlen(in->list.bytes + at) + 1)
		if (is_folder(in->list.bytes + at))
			return true;
	return false;
}

int inputs_open(struct inputs *in, const struct settings *settings)
{
	*in = (struct inputs){ .settings = settings };
	if (!stdin_is_wanted_once(settings))
		return STATUS_USAGE;
	if (settings->list && !read_list(in))
		return STATUS_USAGE;
	in->opens = count_paths(in) > LOOKED_AT_MAX;
	in->walks = settings->recursive || in->opens || names_folder(in);
	if (find_parts(in))
		return STATUS_DONE;
	message("out of memory");
	return STATUS_TROUBLE;
}

static bool open_paths(struct inputs *in, char **paths, size_t n, enum input_kind kind)
{
	*in = (struct inputs){ .settings = &in->own,
			       .own = { .operands = paths, .n_operands = (int)n },
			       .kind = kind };
	return paths != NULL;
}

bool inputs_open_left(struct inputs *in, const struct inputs *first)
{
	size_t n;
	char **paths = parts_left(&first->parts, &n);

	return open_paths(in, paths, n, INPUT_NAMED);
}

bool inputs_open_idle(struct inputs *in, const struct inputs *first)
{
	size_t n;
	char **paths = parts_idle(&first->parts, &n);

	return open_paths(in, paths, n, INPUT_IDLE);
}

bool inputs_open_owners(struct inputs *in, struct inputs *first)
{
	size_t n;
	char **paths = parts_owners(&first->parts, &n);

	return open_paths(in, paths, n, INPUT_NAMED);
}

void inputs_close(struct inputs *in)
{
	free(in->own.operands);
	parts_free(&in->parts);
	walk_free(&in->walk);
	buffer_free(&in->list);
	buffer_free(&in->stdin_bytes);
}

static bool names_stdin(const struct settings *s)
{
	for (int i = 0; i < s->n_operands; i++)
		if (is_stdin(s->operands[i]))
			return true;
	return false;
}

void inputs_read_stdin(struct inputs *in)
{
	if (names_stdin(in->settings))
		input_stdin(in->settings, inputs_memory_left(in), &in->stdin_bytes,
			    &in->stdin_input);
}

uint64_t inputs_memory_left(const struct inputs *in)
{
	const uint64_t held = (uint64_t)in->list.len + in->stdin_bytes.len + parts_held(&in->parts),
		       most = settings_memory(in->settings);

	return held < most ? most - held : 0;
}

static bool path_is(const char *path, const struct platform_identity *file)
{
	struct platform_identity found;

	return platform_path_look(path, &found) != PLATFORM_OTHER &&
	       platform_same_file(&found, file);
}

size_t inputs_count(const struct inputs *in)
{
	return in->walks ? SIZE_MAX : count_paths(in);
}

bool inputs_name(const struct inputs *in, const struct platform_identity *file)
{
	for (int i = 0; i < in->settings->n_operands; i++)
		if (!is_stdin(in->settings->operands[i]) &&
		    path_is(in->settings->operands[i], file))
			return true;
	for (size_t at = 0; at < in->list.len; at += strlen(in->list.bytes + at) + 1)
		if (path_is(in->list.bytes + at, file))
			return true;
	return false;
}

bool inputs_options_name(const struct inputs *in, const struct platform_identity *file)
{
	for (int i = 0; i < in->settings->n_named; i++)
		if (!is_stdin(in->settings->named[i]) && path_is(in->settings->named[i], file))
			return true;
	return false;
}

/* ---- One after the other --------------------------------------------------------------------- */

void input_stdin(const struct settings *settings, uint64_t most, struct buffer *bytes,
		 struct input *out)
{
	*out = (struct input){ .path = settings->stdin_name ? settings->stdin_name : "stdin" };
	if (platform_file_open_stdin(&out->file)) {
		out->kind = INPUT_STDIN_FILE;
		return;
	}
	if (buffer_read(bytes, NULL, most)) {
		out->kind = INPUT_STDIN_BYTES;
		out->bytes = bytes->bytes;
		out->len = bytes->len;
		return;
	}
	message("standard input cannot be read: %s", bytes->trouble);
	buffer_free(bytes);
	out->kind = INPUT_CLOSED;
}

static const char *next_path(struct inputs *in, bool *is_operand)
{
	const char *path;

	*is_operand = in->next_operand < in->settings->n_operands;
	if (*is_operand)
		return in->settings->operands[in->next_operand++];
	if (in->next_in_list >= in->list.len)
		return NULL;
	path = in->list.bytes + in->next_in_list;
	in->next_in_list += strlen(path) + 1;
	return path;
}

/* Parts are checked after everything else, if at all. */
static bool is_put_off(struct inputs *in, const char *path)
{
	const bool is_next = in->next_part < in->parts.n &&
			     in->parts.list[in->next_part].path == path;

	in->next_part += is_next;
	return is_next;
}

static bool open_path(struct inputs *in, const char *path, struct input *out)
{
	struct platform_file file;

	if (!platform_file_open(path, &file))
		return false;
	in->walking = false;
	*out = (struct input){ .kind = INPUT_OPENED, .path = path, .file = file };
	return true;
}

/* A path that cannot be walked is left to a check, which says what is wrong with it. */
static enum inputs_result begin_path(struct inputs *in, const char *path, struct input *out)
{
	enum walk_result result;

	if (in->opens && open_path(in, path, out))
		return INPUTS_NEXT;
	in->walk.crosses = in->settings->other_file_systems;
	result = in->walks ? walk_begin(&in->walk, path) : WALK_CLOSED;
	if (result == WALK_NO_MEMORY)
		return INPUTS_NO_MEMORY;
	if (result == WALK_CROWDED && in->may_wait)
		return INPUTS_LATER;
	in->walking = result == WALK_FILE;
	in->root = path;
	*out = (struct input){ .kind = in->kind, .path = path };
	return INPUTS_NEXT;
}

static bool leaves_out(const struct inputs *in, enum walk_result result,
		       const struct platform_file *file)
{
	return result == WALK_FILE && in->is_left_out &&
	       in->is_left_out(in->is_left_out_ctx, &file->identity);
}

/* A part that was found waits until it is known whether a check looked at it. */
static bool puts_off(const struct inputs *in, enum walk_result result)
{
	return result == WALK_FILE && !in->settings->no_siblings &&
	       input_may_be_part(in->walk.path);
}

/* Whether globs leave out what walk_next gave. What could not be opened may be a folder, of whose
 * files nobody knows whether they are among those to check. */
static bool is_filtered(const struct inputs *in, enum walk_result result)
{
	const bool is_known = result == WALK_FILE || result == WALK_LINK;
	const struct settings *s = in->settings;
	const char *path;

	if (!is_known && result != WALK_CLOSED && result != WALK_CROWDED)
		return false;
	path = in->walk.path + strlen(in->root);
	path += *path == '/';
	if (globs_match(&s->exclude, path))
		return true;
	return is_known && s->include.n > 0 && !globs_match(&s->include, path);
}

/* As walk_next, without what globs leave out. */
static enum walk_result next_of_globs(struct inputs *in, struct platform_file *file)
{
	enum walk_result result = walk_next(&in->walk, file);

	for (; is_filtered(in, result); result = walk_next(&in->walk, file)) {
		if (result == WALK_FILE)
			platform_file_close(file);
		in->n_filtered++;
	}
	return result;
}

/* Counts a file in a folder. Whether it is one more than the user allows. */
static bool is_too_many(struct inputs *in, enum walk_result result)
{
	const uint64_t most = in->settings->max_files;

	in->n_found += result == WALK_FILE;
	in->is_full = result == WALK_FILE && most > 0 && in->n_found > most;
	return in->is_full;
}

static void tell_found(struct inputs *in, enum walk_result result, struct platform_file *file)
{
	if (result == WALK_FILE && in->on_found)
		in->on_found(in->on_found_ctx, in->root, in->walk.path, file);
}

/* Takes the next file in the folders that is an input; others are closed again. false: there is no
 * memory to note a part. */
static bool take_next(struct inputs *in, enum walk_result *result, struct platform_file *file)
{
	for (;;) {
		bool is_put_off, is_left_out, done;

		*result = next_of_globs(in, file);
		if (is_too_many(in, *result)) {
			platform_file_close(file);
			*result = WALK_CLOSED;
			return true;
		}
		is_put_off = puts_off(in, *result);
		is_left_out = !is_put_off && leaves_out(in, *result, file);
		if (!is_left_out)
			tell_found(in, *result, file);
		if (!is_put_off && !is_left_out)
			return true;
		done = !is_put_off || parts_find(&in->parts, in->walk.path, &file->identity);
		platform_file_close(file);
		if (!done)
			return false;
	}
}

static enum input_kind kind_of(enum walk_result result)
{
	return result == WALK_FILE ? INPUT_WALKED : result == WALK_LINK ? INPUT_LINK : INPUT_CLOSED;
}

/* Ends the walk of a folder that has more files than the user allows: the rest is not judged. */
static enum inputs_result end_early(struct inputs *in, struct input *out)
{
	progress_hide(in->progress);
	message("'%s' has more files than --max-files allows: the others are not looked at",
		in->root);
	walk_stop(&in->walk);
	in->is_full = false;
	*out = (struct input){ .kind = INPUT_CLOSED, .path = in->root };
	return INPUTS_NEXT;
}

static enum inputs_result next_in_folder(struct inputs *in, struct input *out)
{
	struct platform_file file = { 0 };
	enum walk_result result;

	if (!take_next(in, &result, &file) || result == WALK_NO_MEMORY)
		return INPUTS_NO_MEMORY;
	if (in->is_full)
		return end_early(in, out);
	if (result == WALK_CROWDED && in->may_wait) {
		walk_back(&in->walk);
		return INPUTS_LATER;
	}
	in->walking = result != WALK_END;
	*out = (struct input){ .kind = kind_of(result), .path = in->walk.path, .file = file };
	return INPUTS_NEXT;
}

/* Puts back the operand, or the name in the list, that was taken last. */
static void give_back(struct inputs *in, const char *path)
{
	if (in->next_in_list > 0)
		in->next_in_list -= strlen(path) + 1;
	else
		in->next_operand--;
}

static enum inputs_result begin_or_wait(struct inputs *in, const char *path, struct input *out)
{
	enum inputs_result result = begin_path(in, path, out);

	if (result == INPUTS_LATER)
		give_back(in, path);
	return result;
}

enum inputs_result inputs_next(struct inputs *in, struct input *out)
{
	enum inputs_result result;
	const char *path;
	bool is_operand;

	for (;;) {
		if (in->walking) {
			result = next_in_folder(in, out);
			if (result != INPUTS_NEXT || in->walking)
				return result;
		}
		path = next_path(in, &is_operand);
		if (!path)
			return INPUTS_END;
		if (is_put_off(in, path))
			continue;
		if (is_operand && is_stdin(path)) {
			*out = in->stdin_input;
			return INPUTS_NEXT;
		}
		result = begin_or_wait(in, path, out);
		if (result != INPUTS_NEXT || !in->walking)
			return result;
	}
}

/* ---- Going back ------------------------------------------------------------------------------ */

struct inputs_mark inputs_mark(const struct inputs *in)
{
	const struct walk *w = &in->walk;

	return (struct inputs_mark){ in->next_operand, in->next_in_list, in->next_part, in->parts.n,
				     in->walking,      in->root,         w->n_links,    w->n_others,
				     w->n_mounts,      in->n_filtered,   in->n_found };
}

/* A folder that can no longer be walked is left to a check, like one that never could. */
bool inputs_return(struct inputs *in, const struct inputs_mark *to, const char *path)
{
	enum walk_result result = WALK_CLOSED;

	in->next_operand = to->next_operand;
	in->next_in_list = to->next_in_list;
	in->next_part = to->next_part;
	parts_forget(&in->parts, to->n_parts);
	in->root = to->root;
	walk_free(&in->walk);
	in->walk.crosses = in->settings->other_file_systems;
	if (to->walking)
		result = walk_return(&in->walk, to->root, path);
	in->walking = result == WALK_FILE;
	if (to->walking && !in->walking)
		give_back(in, to->root);
	in->walk.n_links = to->n_links;
	in->walk.n_others = to->n_others;
	in->walk.n_mounts = to->n_mounts;
	in->n_filtered = to->n_filtered;
	in->n_found = to->n_found;
	return result != WALK_NO_MEMORY;
}
