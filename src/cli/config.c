/* Configurations: where one is looked for, and which is not trusted. */
#include "cli/config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/buffer.h"
#include "cli/message.h"
#include "cli/settings.h"

/* How many folders above the working directory are looked at. */
enum { ABOVE_MAX = 64, PREFIX_MAX = 3 * ABOVE_MAX, PATH_LEN = PREFIX_MAX + 16 };

/* ---- What is checked ------------------------------------------------------------------------- */

/* A place is a folder at or above the working directory: as many times ../ as it lies above. */
struct place {
	char prefix[PREFIX_MAX + 1];
	struct platform_identity folder;
};

static bool place_look(struct place *p)
{
	return platform_path_look(*p->prefix ? p->prefix : ".", &p->folder) == PLATFORM_FOLDER;
}

/* Goes to the folder above; false: there is none. */
static bool place_rise(struct place *p)
{
	const struct platform_identity below = p->folder;

	if (strlen(p->prefix) == PREFIX_MAX)
		return false;
	memcpy(p->prefix + strlen(p->prefix), "../", sizeof "../");
	return place_look(p) && !platform_same_file(&below, &p->folder);
}

static bool is_folder(const struct place *p, const struct platform_identity *folder)
{
	return platform_same_file(&p->folder, folder);
}

/* Tells whether a place lies in a folder, however far below. */
static bool lies_in(const struct place *p, const struct platform_identity *folder)
{
	struct place above = *p;

	do {
		if (is_folder(&above, folder))
			return true;
	} while (place_rise(&above));
	return false;
}

static bool is_beside(const struct place *p, const char *file, bool *lost)
{
	const size_t len = platform_folder_len(file);
	struct platform_identity folder;
	char *path = malloc(len + 2);
	bool is_there;

	if (!path) {
		*lost = true;
		return false;
	}
	memcpy(path, len > 0 ? file : ".", len > 0 ? len : 1);
	path[len > 0 ? len : 1] = '\0';
	is_there = platform_path_look(path, &folder) == PLATFORM_FOLDER;
	free(path);
	return is_there && is_folder(p, &folder);
}

/* Tells whether a configuration in a place may have come with what is checked; *lost is set if that
 * is not known because memory ended. */
static bool came_along(const struct place *p, char *const *operands, int n, bool *lost)
{
	struct platform_identity found;

	for (int i = 0; i < n; i++) {
		switch (platform_path_look(operands[i], &found)) {
		case PLATFORM_FOLDER:
			if (lies_in(p, &found))
				return true;
			break;
		case PLATFORM_FILE:
			if (is_beside(p, operands[i], lost))
				return true;
			break;
		default:
			break;
		}
	}
	return false;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static bool name_it(struct config *c, const char *path)
{
	c->path = malloc(strlen(path) + 1);
	if (!c->path) {
		message("out of memory");
		return false;
	}
	memcpy(c->path, path, strlen(path) + 1);
	return true;
}

static int parse(struct config *c, const char *path, const char *text, size_t len)
{
	if (!name_it(c, path))
		return STATUS_TROUBLE;
	return config_parse(c, text, len) ? STATUS_DONE : STATUS_USAGE;
}

static int refuse_length(const char *path)
{
	message("'%s' is no configuration: it has more than 65536 bytes", path);
	return STATUS_USAGE;
}

static bool read_whole(const struct source_io *io, char *out)
{
	uint64_t at = 0;
	size_t n = 0;

	for (; at < io->size; at += n)
		if (!io->read_at(io->ctx, at, out + at, (size_t)(io->size - at), &n) || n == 0)
			return false;
	return true;
}

/* A file that was found is open already, so that it is the one that was looked at. */
static int read_file(struct config *c, const char *path, struct platform_file *file)
{
	const struct source_io io = platform_file_io(file);
	char *text;
	int status = STATUS_USAGE;

	if (io.size > CONFIG_SIZE_MAX)
		return refuse_length(path);
	text = malloc((size_t)io.size + 1);
	if (!text) {
		message("out of memory");
		return STATUS_TROUBLE;
	}
	text[io.size] = '\0';
	if (read_whole(&io, text))
		status = parse(c, path, text, (size_t)io.size);
	else
		message("'%s' cannot be read", path);
	free(text);
	return status;
}

int config_open(struct config *c, const char *path)
{
	struct buffer text;
	int status = STATUS_USAGE;

	if (buffer_read(&text, path, CONFIG_SIZE_MAX))
		status = parse(c, path, text.bytes, text.len);
	else if (text.len > CONFIG_SIZE_MAX)
		status = refuse_length(path);
	else
		message("the configuration '%s' cannot be read: %s", path, text.trouble);
	buffer_free(&text);
	return status;
}

/* ---- Finding --------------------------------------------------------------------------------- */

static void tell_unused(const char *path, const char *why)
{
	message("'%s' is not used: %t; to use it: --config '%s'", path, why, path);
}

/* Who did not know of the configuration learns why the same files end otherwise elsewhere. */
static int use(struct config *c, const char *path, struct platform_file *file)
{
	const int status = read_file(c, path, file);

	if (status == STATUS_DONE)
		message("settings are taken from '%s'; without it: --isolated", path);
	return status;
}

/* Reads the configuration in a place, if it may be trusted. */
static int take(struct config *c, const struct place *p, const char *path,
		struct platform_file *file, const struct config_search *search)
{
	bool lost = false;

	if (!platform_file_is_own(file))
		tell_unused(path, "it is not known to be yours");
	else if (search->has_list)
		tell_unused(path, "the files of --files0-from may lie beside it");
	else if (came_along(p, search->operands, search->n_operands, &lost))
		tell_unused(path, "it lies with what is checked, and may have come with it");
	else if (search->from_strangers)
		tell_unused(path, "--profile hosting is for files of strangers");
	else if (!lost)
		return use(c, path, file);
	if (!lost)
		return STATUS_DONE;
	message("out of memory");
	return STATUS_TROUBLE;
}

static enum platform_kind kind_of(const struct place *p, const char *name, char path[PATH_LEN])
{
	struct platform_identity unused;

	snprintf(path, PATH_LEN, "%s%s", p->prefix, name);
	return platform_path_look(path, &unused);
}

int config_find(struct config *c, const struct config_search *search)
{
	struct place p = { .prefix = "" };
	struct platform_file file;
	char path[PATH_LEN], git[PATH_LEN];
	int status;

	if (!place_look(&p))
		return STATUS_DONE;
	do {
		if (kind_of(&p, CONFIG_NAME, path) == PLATFORM_FILE &&
		    platform_sibling_open(path, CONFIG_NAME, &file) == PLATFORM_SIBLING_OPEN) {
			status = take(c, &p, path, &file, search);
			platform_file_close(&file);
			return status;
		}
	} while (kind_of(&p, ".git", git) == PLATFORM_OTHER && place_rise(&p));
	return STATUS_DONE;
}

void config_free(struct config *c)
{
	free(c->path);
	free(c->lines);
	free(c->texts);
	*c = (struct config){ .path = NULL };
}
