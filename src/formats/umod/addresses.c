/* Addresses of web pages, which Windows opens when the player clicks on them. What it does not
 * recognise as an address, it opens as a file. */
#include "formats/umod/install.h"

/* Traits of a path that leads out of the folder in which Windows looks. */
enum { LEAVES = PATH_ROOTED | PATH_DRIVE | PATH_PARENT };

static bool is_around(uint32_t c)
{
	return c == '"' || text_is_blank(c);
}

/* Without the quotes and blanks around it, which Windows ignores. */
static struct text bare(struct text t)
{
	uint32_t from = 0, to = t.ref.n_units;

	while (from < to && is_around(text_unit(t, from)))
		from++;
	while (from < to && is_around(text_unit(t, to - 1)))
		to--;
	return text_sub(t, from, to - from);
}

/* The extension that a file of this name would have. Windows drops dots and blanks at the end of a
 * name. */
static uint32_t extension_of(struct text t)
{
	while (t.ref.n_units > 0 && (text_unit(t, t.ref.n_units - 1) == '.' ||
				     is_around(text_unit(t, t.ref.n_units - 1))))
		t = text_sub(t, 0, t.ref.n_units - 1u);
	return path_examine(t).extension;
}

/* The part before the first colon; empty if that is a drive letter or part of a path. */
static struct text scheme_of(struct text t)
{
	const uint64_t colon = text_find(t, ':', 0);
	const struct text scheme = text_sub(t, 0, colon);
	const bool is_scheme = colon < t.ref.n_units && colon >= 2 &&
			       !(path_examine(scheme).traits & PATH_SEPARATOR);

	return is_scheme ? scheme : text_sub(t, 0, 0);
}

static bool is_usual(struct text t, struct text scheme)
{
	const struct text after = text_sub(t, scheme.ref.n_units, t.ref.n_units);

	if (text_is(scheme, "mailto"))
		return true;
	return text_starts(after, "://") &&
	       (text_is(scheme, "http") || text_is(scheme, "https") || text_is(scheme, "ftp"));
}

/* A host's name has a dot inside, before the path begins. */
static bool has_host(struct text t)
{
	const struct text host = text_sub(t, 0, text_find(t, '/', 0));

	return text_find(host, '.', 1) < host.ref.n_units;
}

/* Some extensions of programs are also top-level domains. */
static bool may_end_host(uint32_t extension)
{
	return extension == TEXT_WORD('C', 'O', 'M', 0) || extension == TEXT_WORD('S', 'H', 0, 0) ||
	       extension == TEXT_WORD('S', 'O', 0, 0);
}

static bool is_program(struct text t, uint32_t traits)
{
	const uint32_t extension = extension_of(t);

	if (text_starts(t, "www.") || text_starts(t, "ftp.") || !policy_is_program(extension))
		return false;
	return traits & PATH_SEPARATOR || !may_end_host(extension);
}

static bool note_file(struct decode *d, struct manifest *m, const struct manifest_line *l,
		      uint32_t kind, uint32_t traits)
{
	const struct manifest_note note = {
		.line = *l, .at = l->value, .kind = kind, .traits = traits
	};

	return manifest_note_line(d, m, DEFECT_URL_FILE, &note);
}

static bool read_path(struct decode *d, struct manifest *m, const struct manifest_line *l,
		      struct text t)
{
	const uint32_t traits = path_examine(t).traits;

	if (traits & LEAVES)
		return note_file(d, m, l, UMOD_URL_LEAVES, traits & LEAVES);
	if (is_program(t, traits))
		return note_file(d, m, l, UMOD_URL_PROGRAM, 0);
	if (text_find(t, '\\', 0) < t.ref.n_units)
		return note_file(d, m, l, UMOD_URL_PATH, 0);
	return t.ref.n_units == 0 || has_host(t) ||
	       install_note(d, m, DEFECT_ODD_SCHEME, l, l->value);
}

bool install_read_address(struct decode *d, struct manifest *m, const struct manifest_line *l)
{
	const struct text t = bare(install_value(m, l)), scheme = scheme_of(t);

	if (scheme.ref.n_units == 0)
		return read_path(d, m, l, t);
	if (text_is(scheme, "file") && policy_is_program(extension_of(t)))
		return note_file(d, m, l, UMOD_URL_PROGRAM, 0);
	return is_usual(t, scheme) || install_note(d, m, DEFECT_ODD_SCHEME, l, l->value);
}
