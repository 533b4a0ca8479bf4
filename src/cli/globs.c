/* Globs: matched without recursion. What a * stands for is lengthened where the rest does not
 * match, then what the ** before it does, so that no glob takes more than the square of a path. */
#include "cli/globs.h"

#include <stddef.h>
#include <string.h>

#include "core/ascii.h"

/* ---- One glob -------------------------------------------------------------------------------- */

/* A match in progress: how far it is, and where the last * and ** stood. */
struct match {
	const char *glob;
	const char *text;
	size_t at, len;
	const char *star, *deep; /* what follows them; NULL: there is none */
	size_t star_at, deep_at; /* the end of what they stand for */
	bool whole;              /* the ** is followed by a /, and stands for whole folders */
};

static void take_star(struct match *m)
{
	if (m->glob[1] != '*') {
		m->star = ++m->glob;
		m->star_at = m->at;
		return;
	}
	m->glob += 2;
	m->whole = *m->glob == '/' && (m->at == 0 || m->text[m->at - 1] == '/');
	m->glob += m->whole;
	m->deep = m->glob;
	m->deep_at = m->at;
	m->star = NULL;
}

/* Characters of UTF-8 have up to four bytes. */
static void take_any(struct match *m)
{
	m->glob++;
	m->at++;
	while (m->at < m->len && ((unsigned char)m->text[m->at] & 0xC0) == 0x80)
		m->at++;
}

static bool take_one(struct match *m)
{
	if (m->at == m->len)
		return false;
	if (*m->glob == '?' && m->text[m->at] != '/') {
		take_any(m);
		return true;
	}
	if (ascii_lower(*m->glob) != ascii_lower(m->text[m->at]))
		return false;
	m->glob++;
	m->at++;
	return true;
}

/* Goes back to the last * or ** that can stand for more. */
static bool go_back(struct match *m)
{
	if (m->star && m->star_at < m->len && m->text[m->star_at] != '/') {
		m->at = ++m->star_at;
		m->glob = m->star;
		return true;
	}
	m->star = NULL;
	while (m->deep && m->deep_at < m->len) {
		m->deep_at++;
		if (m->whole && m->text[m->deep_at - 1] != '/')
			continue;
		m->at = m->deep_at;
		m->glob = m->deep;
		return true;
	}
	return false;
}

static bool matches(const char *glob, const char *text, size_t len)
{
	struct match m = { .glob = glob, .text = text, .len = len };

	for (;;) {
		if (*m.glob == '*')
			take_star(&m);
		else if (!*m.glob && m.at == m.len)
			return true;
		else if (!take_one(&m) && !go_back(&m))
			return false;
	}
}

/* ---- Paths ----------------------------------------------------------------------------------- */

/* Whether a glob matches the first len bytes of a path, whose last name begins at `name`. After a
 * folder's comes a /. */
static bool matches_path(const char *glob, const char *path, size_t name, size_t len,
			 bool is_folder)
{
	const char *slash = strchr(glob, '/');
	const size_t end = strlen(glob);
	const bool wants_folder = end > 0 && glob[end - 1] == '/';

	if (wants_folder && !is_folder)
		return false;
	if (slash && slash + 1 < glob + end)
		return matches(glob + (*glob == '/'), path, len + wants_folder);
	return matches(glob, path + name, len - name + wants_folder);
}

bool globs_match(const struct globs *g, const char *path)
{
	const size_t len = strlen(path);
	size_t name = 0;

	for (size_t at = 0; g->n > 0 && at <= len; at++) {
		if (path[at] && path[at] != '/')
			continue;
		for (int i = 0; i < g->n; i++)
			if (matches_path(g->of[i], path, name, at, path[at] == '/'))
				return true;
		name = at + 1;
	}
	return false;
}
