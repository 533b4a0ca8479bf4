/* The rules of archives for what lies beside them: a container, and a signature. */
#include "formats/pak/facts_rules.h"

#define SPEC(n) "pak.md#6." #n

#define SIG_MAGIC 0x73832DAAu

RULE(PAK037, package_beside_container, NOTE, PAK_BESIDE,
     .class   = CLASS_COMPATIBILITY, .also = BIT(PAK_NAMES),
     .title   = "Beside a container packages should be in that, and not in the .pak.",
     .message = "{0} is a package in the .pak, and there is a .utoc beside it",
     .data    = "path",
     .why     = "Many games that load containers look for packages nowhere else.",
     .fix     = "Players: nothing, if the mod works. Authors: pack the package into the container, "
                "or publish the .pak without one.",
     .spec    = SPEC(2))
{
	const struct pak *p = pak_of(c);
	const struct pak_file *row = p->content.package;
	struct pak_path_room buf;

	if (row)
		report(c, name_place(p, row), path_of(p, row, &buf));
}

static const char *signature_defect(const struct pak_signature *s)
{
	if (s->is_cut)
		return "it ends before what it counts does";
	if (s->magic != SIG_MAGIC)
		return "it does not begin with 0x73832DAA";
	if (s->version != 1)
		return "its version is not 1";
	return s->n_sums != s->expected ? "it has not one sum for each 65536 bytes of the .pak"
					: NULL;
}

RULE(PAK038, pak_signature_malformed, WARNING, PAK_BESIDE,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A .sig should have its magic, version 1, and a sum for each 65536 bytes of its "
                ".pak.",
     .message = "the .sig beside it has {1} {1:sum|sums}, and the .pak {2} {2:piece|pieces}: {0}",
     .data    = "what sums pieces",
     .why     = "A game that verifies signatures refuses the .pak. Others do not look.",
     .fix     = "Players: get both files again, from the same download. Authors: leave out the "
                ".sig: only the developer of the game can sign.",
     .spec    = SPEC(1))
{
	const struct pak_signature *s = &pak_of(c)->content.signature;
	const char *what = s->file ? signature_defect(s) : NULL;

	if (what)
		report(c, AT_IN(s->file->number, 0, s->file->source.io.size), WORD(what),
		       DEC(s->n_sums), DEC(s->expected));
}
