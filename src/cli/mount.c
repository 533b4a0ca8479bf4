/* The order of mounting: the folder, and the number of a patch. */
#include "cli/mount.h"

#include <string.h>

#include "core/ascii.h"

/* What the folders count, and a patch. */
enum { ORDER_SAVED = 1, ORDER_ENGINE, ORDER_CONTENT, ORDER_PROJECT, ORDER_PATCH = 100 };

/* A part of a path. */
struct word {
	const char *at;
	size_t len;
};

static bool is_word(struct word w, const char *text)
{
	if (w.len != strlen(text))
		return false;
	for (size_t i = 0; i < w.len; i++)
		if (ascii_lower(w.at[i]) != ascii_lower(text[i]))
			return false;
	return true;
}

/* Whether a word begins with another, in any case. */
static bool begins_with(struct word w, struct word start)
{
	if (w.len < start.len)
		return false;
	for (size_t i = 0; i < start.len; i++)
		if (ascii_lower(w.at[i]) != ascii_lower(start.at[i]))
			return false;
	return true;
}

static bool is_separator(char c)
{
	return c == '/' || c == '\\';
}

/* Takes the next component at *at. false: there is none. */
static bool next_word(const char **at, struct word *out)
{
	while (is_separator(**at))
		++*at;
	out->at = *at;
	while (**at && !is_separator(**at))
		++*at;
	out->len = (size_t)(*at - out->at);
	return out->len > 0;
}

static struct word last_word(const char *path)
{
	struct word w = { path, 0 }, next;

	while (next_word(&path, &next))
		w = next;
	return w;
}

size_t mount_stem(const char *path)
{
	const struct word name = last_word(path);
	size_t n = name.len;

	while (n > 0 && name.at[n - 1] != '.')
		n--;
	return (size_t)(name.at - path) + (n > 1 ? n - 1 : name.len);
}

/* ---- The folder ------------------------------------------------------------------------------ */

/* Paks of the project itself lie in <Project>/Content/Paks, and are called <Project>-. */
static bool is_projects(struct word project, const char *below_content, struct word name)
{
	struct word paks, next;
	bool is_there = next_word(&below_content, &paks) && is_word(paks, "Paks") &&
			next_word(&below_content, &next);

	return is_there && next.at == name.at && project.len > 0 && begins_with(name, project) &&
	       name.len > project.len && name.at[project.len] == '-';
}

static uint64_t folder_order(const char *path, struct word name)
{
	struct word before = { path, 0 }, w;

	for (const char *at = path; next_word(&at, &w); before = w) {
		if (is_word(w, "Saved"))
			return ORDER_SAVED;
		if (!is_word(w, "Content"))
			continue;
		if (is_word(before, "Engine"))
			return ORDER_ENGINE;
		return is_projects(before, at, name) ? ORDER_PROJECT : ORDER_CONTENT;
	}
	return ORDER_CONTENT;
}

/* ---- The patch ------------------------------------------------------------------------------- */

/* The number before `_P`; 0 where there is none that is plain. */
static uint64_t patch_number(struct word stem)
{
	uint64_t value = 0, unit = 1;
	size_t n = stem.len - 2, first = n;

	while (first > 0 && stem.at[first - 1] >= '0' && stem.at[first - 1] <= '9')
		first--;
	if (first == 0 || first == n || stem.at[first - 1] != '_' || n - first > 10 ||
	    (stem.at[first] == '0' && n - first > 1))
		return 0;
	for (; n > first; n--, unit *= 10)
		value += (uint64_t)(stem.at[n - 1] - '0') * unit;
	return value <= INT32_MAX ? value : 0;
}

static bool is_patch(struct word stem)
{
	return stem.len >= 2 && stem.at[stem.len - 2] == '_' &&
	       ascii_lower(stem.at[stem.len - 1]) == 'p';
}

uint64_t mount_order(const char *path)
{
	const struct word name = last_word(path);
	const struct word stem = { name.at, mount_stem(path) - (size_t)(name.at - path) };

	if (is_word(stem, "global"))
		return 0;
	return folder_order(path, name) +
	       (is_patch(stem) ? ORDER_PATCH * (1 + patch_number(stem)) : 0);
}

/* ---- Loose files ----------------------------------------------------------------------------- */

const char *mount_loose(const char *path)
{
	struct word before = { path, 0 }, w, next;

	for (const char *at = path; next_word(&at, &w); before = w) {
		const char *below = at;

		if (before.len > 0 && is_word(w, "Content"))
			return next_word(&below, &next) && !is_word(next, "Paks") ? before.at
										  : NULL;
	}
	return NULL;
}
