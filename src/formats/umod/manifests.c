/* The manifests: finding them, reading them, and what follows from all their lines together. */
#include "formats/umod/install.h"

#include "core/mutant.h"

static bool list_members(struct decode *d, struct umod *u)
{
	struct manifest *m = &u->manifest;

	m->listed_by = decode_alloc(d, UMOD_MANIFEST, u->n_members, sizeof *m->listed_by);
	if (!m->listed_by)
		return false;
	/* mutant: the first is left as it was */
	for (uint32_t i = MUTANT(12); i < u->n_members; i++)
		m->listed_by[i] = MANIFEST_NONE;
	return true;
}

/* Work that a line costs: a unit for reading it, and one for what it asks for. */
enum { LINE_WORK = 2 };

static bool has_percent(const struct manifest *m)
{
	const struct text text = manifest_text(m, MANIFEST_INI, m->texts[MANIFEST_INI]);

	return text_find(text, '%', 0) < text.ref.n_units;
}

/* install_find_cycles overwrites the links by which sections are looked up, so it comes after
 * everything that looks sections up. */
static bool interpret(struct decode *d, struct umod *u)
{
	struct manifest *m = &u->manifest;
	const bool placeholders = has_percent(m);
	const uint64_t line_work = LINE_WORK + (placeholders ? INSTALL_PLACEHOLDER_SCANS : 0);

	/* mutant: squares */
	return decode_spend(d, UMOD_MANIFEST,
			    line_work * m->n_lines * (MUTANT(14) ? m->n_lines : 1)) &&
	       install_find_shared_dests(d, m) &&
	       (!placeholders || install_find_placeholders(d, u)) && install_find_namesakes(d, u) &&
	       install_find_sections(d, m) && install_find_requirements(d, m) &&
	       install_find_cycles(d, m) && install_find_missing_packages(d, u);
}

/* ---- Finding the manifests ------------------------------------------------------------------- */

static bool open_manifest(struct decode *d, struct umod *u, enum manifest_file f, uint32_t group,
			  uint32_t member)
{
	struct manifest *m = &u->manifest;
	const struct umod_member *e;
	struct span span;

	if (member == u->n_members)
		return decode_stop(d, group, STOP_MALFORMED,
				   (struct span){ u->directory.at, u->directory.count.len });
	e = &u->members[member];
	span = (struct span){ e->offset, e->size };
	if (e->traits & UMOD_OUTSIDE)
		return decode_stop(d, group, STOP_MALFORMED, span);
	if (e->size > d->limits->of[LIMIT_text])
		return decode_stop_limit(d, group, LIMIT_text, span);
	if (!decode_window(d, group, span, &m->windows[f]))
		return false;
	if (!install_take_text(m, f, span))
		return decode_stop(d, group, STOP_MALFORMED, span);
	m->present[f] = true;
	return true;
}

bool umod_decode_manifests(struct decode *d, struct umod *u)
{
	open_manifest(d, u, MANIFEST_INT, UMOD_LOCALE, u->locale_member);
	if (!open_manifest(d, u, MANIFEST_INI, UMOD_MANIFEST, u->manifest_member)) {
		install_leave_others(d, u);
		return false;
	}
	if (!list_members(d, u) || !manifest_read(d, u) || !install_read_others(d, u) ||
	    !interpret(d, u))
		return false;
	if (u->manifest.patch_bytes > 0) /* what patches produce is not known */
		decode_stop(d, UMOD_PATCHES, STOP_UNVERIFIED,
			    (struct span){ 0, u->manifest.patch_bytes });
	return true;
}
