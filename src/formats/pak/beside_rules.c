/* The rules of archives for what lies beside them: a container, and a signature. */
#include "formats/pak/facts_rules.h"

#define SPEC(n) "pak.md#6." #n

#define SIG_MAGIC 0x73832DAAu
enum { SIG_VERSION = 1 };

RULE(PAK056, name_not_looked_for, NOTE, PAK_FOOTER,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The name of a .pak should end in .pak.",
     .message = "the name ends in {0}, and games look for .pak",
     .data    = "ending",
     .why     = "A game passes over a file of another name: the mod does nothing.",
     .fix     = "Players: if the game should load it, rename it so that its name ends in .pak. "
                "Authors: publish it under such a name.",
     .spec    = SPEC(3))
{
	const struct text ending = pak_of(c)->content.other_ending;

	if (ending.ref.n_units > 0)
		report(c, NOWHERE, UTF8(ending.data, ending.ref.n_units));
}

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

RULE(PAK058, files_beside_container, NOTE, PAK_BESIDE,
     .class   = CLASS_COMPATIBILITY, .also = BIT(PAK_NAMES),
     .title   = "Beside a container the .pak should have no files of its own.",
     .message = "the .pak has {0} {0:file|files} of its own, and there is a .utoc beside it",
     .data    = "files",
     .why     = "The mod is in two files, and works as meant only where the game loads both. A "
                "check of the container alone does not see these files.",
     .fix     = "Players: nothing; keep all files of the mod together. Authors: nothing, if the "
                "files are meant to be there.",
     .spec    = SPEC(4))
{
	const struct pak *p = pak_of(c);
	const uint64_t n = p->n_files - p->n_deleted;

	if (p->content.is_beside_container && !p->content.stub_of && n > 0)
		report(c, NOWHERE, DEC(n));
}

RULE(PAK059, stub_of_packer, NOTE, PAK_BESIDE,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A .pak beside a container should be of the game's engine, and not one that a "
                "packer brings.",
     .message = "the .pak is, byte for byte, the one that comes with {0}",
     .data    = "packer",
     .why     = "It is there so that the game finds the container, and says nothing of the mod: "
                "its engine's version may differ from the game's.",
     .fix     = "Players: nothing. Authors: nothing; if the game stops at its start, take a .pak "
                "of the version that the game's engine writes.",
     .spec    = SPEC(5))
{
	const char *packer = pak_of(c)->content.stub_of;

	if (packer)
		report(c, NOWHERE, WORD(packer));
}

static void judge_signature(struct check *c, const struct pak_signature *s)
{
	const uint64_t size = s->file->source.io.size;
	const struct place all = AT_IN(s->file->number, 0, size);

	if (size < s->needs)
		report(c, all, WORD("a size of"), SIZE(size), SIZE(s->needs));
	else if (s->magic != SIG_MAGIC)
		report(c, all, WORD("the magic"), HEX(s->magic), HEX(SIG_MAGIC));
	else if (s->version != SIG_VERSION)
		report(c, all, WORD("the version"), DEC(s->version), DEC(SIG_VERSION));
	else if (s->n_sums != s->expected)
		report(c, all, WORD("a count of sums of"), DEC(s->n_sums), DEC(s->expected));
}

RULE(PAK038, pak_signature_malformed, WARNING, PAK_BESIDE,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A .sig should have its magic, version 1, and a sum for each 65536 bytes of its "
                ".pak.",
     .message = "the .sig beside it has {0} {1}, and needs {2}",
     .data    = "what found expected",
     .why     = "A game that verifies signatures refuses the .pak. Others do not look.",
     .fix     = "Players: get both files again, from the same download. Authors: leave out the "
                ".sig: only the developer of the game can sign.",
     .spec    = SPEC(1))
{
	const struct pak_signature *s = &pak_of(c)->content.signature;

	if (s->file)
		judge_signature(c, s);
}

RULE(PAK060, signed_piece_mismatch, WARNING, PAK_SIGNED,
     .class   = CLASS_CORRUPTION,
     .title   = "Each piece of a .pak should have the sum that the .sig beside it says.",
     .message = "piece {0} has the CRC-32 {1}, and the .sig says {2}; {3} {3:piece differs|pieces "
                "differ}",
     .data    = "piece computed sum wrong",
     .why     = "The .pak was changed after it was signed, or the .sig is that of another build. A "
                "game that verifies signatures refuses the .pak. Others do not look.",
     .fix     = "Players: get both files again, from the same download. Authors: leave out the "
                ".sig: only the developer of the game can sign.",
     .spec    = SPEC(7))
{
	const struct pak_signature *s = &pak_of(c)->content.signature;
	const uint64_t at = s->wrong * PAK_SIG_PIECE, size = pak_of(c)->size;

	if (s->n_wrong == 0)
		return;
	report(c, AT_SPAN(at, size - at < PAK_SIG_PIECE ? size - at : PAK_SIG_PIECE), DEC(s->wrong),
	       HEX(s->computed), HEX(s->sum), DEC(s->n_wrong));
	relate(c, AT_IN(s->file->number, s->sums_at + s->wrong * PAK_SIG_SUM_LEN, PAK_SIG_SUM_LEN),
	       "the sum");
}

RULE(PAK061, empty_without_container, WARNING, PAK_BESIDE,
     .class   = CLASS_COMPATIBILITY, .sign = SIGN_ABSENT_FILE, .also = BIT(PAK_NAMES),
     .title   = "A .pak without files should have a container beside it.",
     .message = "the .pak has no files of a mod, and there is no {0} beside it",
     .data    = "file",
     .why     = "Such a .pak is there for the game to find a container by. Alone it does nothing.",
     .fix     = "Players: put the .utoc and the .ucas from the same download beside it. Authors: "
                "publish all files that the packer made.",
     .spec    = SPEC(8))
{
	const char *missing = pak_of(c)->content.missing;

	if (missing)
		report(c, NOWHERE, file_name(missing));
}
