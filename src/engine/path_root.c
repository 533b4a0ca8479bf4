/* The root of paths: names are brought into one form, in which a folder and what lies below it
 * begin alike. */
#include "engine/path_root.h"

#include <string.h>

static bool separates(const struct path_root *p, char c)
{
	return c == '/' || (p->backslashes && c == '\\');
}

static bool is_letter(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* The length of "C:" before a path; 0: it has no drive. */
static size_t drive_len(const struct path_root *p, const char *path)
{
	return p->backslashes && is_letter(path[0]) && path[1] == ':' ? 2 : 0;
}

/* ---- One form of names ----------------------------------------------------------------------- */

/* A form is a path without ".", without doubled separators, and with no more ".." than cannot be
 * resolved. prefix is the length of what makes it absolute: "/", "C:/" or "//". */
struct form {
	char *text;
	size_t n, prefix;
};

static bool is_parent(const char *component, size_t len)
{
	return len == 2 && component[0] == '.' && component[1] == '.';
}

/* The start of the last component. */
static size_t last_at(const struct form *f)
{
	size_t at = f->n;

	while (at > f->prefix && f->text[at - 1] != '/')
		at--;
	return at;
}

static void add_component(struct form *f, const char *component, size_t len)
{
	if (f->n > f->prefix)
		f->text[f->n++] = '/';
	memcpy(f->text + f->n, component, len);
	f->n += len;
}

/* Above a root there is the root. */
static void go_up(struct form *f)
{
	const size_t at = last_at(f);

	if (at == f->n || is_parent(f->text + at, f->n - at)) {
		if (f->prefix == 0)
			add_component(f, "..", 2);
		return;
	}
	f->n = at > f->prefix ? at - 1 : at;
}

/* Whether a path begins as \\server\share does. */
static bool has_server(const struct path_root *p, const char *path)
{
	return p->backslashes && separates(p, path[0]) && separates(p, path[1]);
}

/* Begins anew where a path is absolute; one without a drive keeps that of the base. false: it
 * begins in the working folder of a drive, which nobody knows. */
static bool add_prefix(const struct path_root *p, struct form *f, const char *path)
{
	const size_t drive = drive_len(p, path);

	if (!separates(p, path[drive]))
		return drive == 0;
	if (drive > 0)
		memcpy(f->text, path, drive);
	f->n = drive > 0 || (f->prefix > 0 && drive_len(p, f->text) > 0) ? 2 : 0;
	if (has_server(p, path)) {
		f->text[0] = '/';
		f->n = 1;
	}
	f->text[f->n++] = '/';
	f->prefix = f->n;
	return true;
}

static bool add_path(const struct path_root *p, struct form *f, const char *path)
{
	if (!add_prefix(p, f, path))
		return false;
	path += drive_len(p, path);
	while (*path) {
		size_t len = 0;

		while (path[len] && !separates(p, path[len]))
			len++;
		if (is_parent(path, len))
			go_up(f);
		else if (len > 0 && !(len == 1 && path[0] == '.'))
			add_component(f, path, len);
		path += len;
		path += *path != '\0';
	}
	return true;
}

/* Brings a path into the one form, in room for it, the base and four characters more. */
static bool make_form(const struct path_root *p, const char *path, char *room, struct form *out)
{
	*out = (struct form){ .text = room };
	if (p->base[0] != '\0' && !add_path(p, out, p->base))
		return false;
	if (!add_path(p, out, path))
		return false;
	out->text[out->n] = '\0';
	return true;
}

/* ---- What lies below a root ------------------------------------------------------------------ */

static bool are_alike(const struct path_root *p, const char *a, const char *b, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (a[i] == b[i])
			continue;
		if (!p->backslashes || !is_letter(a[i]) || (a[i] ^ b[i]) != ('a' ^ 'A'))
			return false;
	}
	return true;
}

/* What follows the root in a form; NULL: it is the root, or does not lie below it. */
static const char *rest_of(const struct path_root *p, const struct form *f)
{
	const size_t len = strlen(p->whole);
	const char *rest = f->text + len;

	if (f->prefix != p->prefix || f->n <= len || !are_alike(p, f->text, p->whole, len))
		return NULL;
	if (len > p->prefix && *rest++ != '/')
		return NULL;
	return is_parent(rest, strcspn(rest, "/")) ? NULL : rest;
}

void path_root_settle(struct path_root *p)
{
	struct form f = { .n = 0 };

	p->is_set = p->typed[0] != '\0' && make_form(p, p->typed, p->whole, &f);
	p->prefix = f.prefix;
}

bool path_root_is_absolute(const struct path_root *p)
{
	return separates(p, p->typed[drive_len(p, p->typed)]);
}

const char *path_root_name(const struct path_root *p, struct arena *arena, const char *typed,
			   bool *below)
{
	const size_t len = strlen(typed), more = p->is_set ? strlen(p->base) + 4 : 1;
	char *name = arena_alloc(arena, (uint64_t)len + more, 1);
	const char *rest = NULL;
	struct form f;

	*below = false;
	if (!name)
		return NULL;
	if (p->is_set && make_form(p, typed, name, &f))
		rest = rest_of(p, &f);
	*below = rest != NULL;
	if (rest)
		return rest;
	memcpy(name, typed, len + 1);
	for (size_t i = 0; p->backslashes && i < len; i++)
		if (name[i] == '\\')
			name[i] = '/';
	return name;
}
