/* The rules of the family SET for one container: its name, and the files that belong to it. */
#include <string.h>

#include "formats/iostore/facts_rules.h"

#define SPEC(n) "iostore.md#1." #n
#define PAK_INDEX_MIN 8u /* bytes of a length and a count */

static bool is_there(const struct companion *f)
{
	return f->state != COMPANION_ABSENT;
}

/* ---- Companions ------------------------------------------------------------------------------ */

RULE(SET001, pak_missing, ERROR, UTOC_SET,
     .class   = CLASS_COMPATIBILITY, .sign = SIGN_ABSENT_FILE,
     .title   = "A container other than the global one and an optional segment shall have a .pak "
                "of the same name beside it.",
     .message = "there is no {0} beside it",
     .data    = "file",
     .why     = "The game looks for .pak files only, so it never finds the container and "
                "the mod does nothing.",
     .fix     = "Players: put the .pak from the same download beside it. Authors: publish "
                "the .pak that the packer made with it.",
     .spec    = SPEC(1))
{
	const struct utoc *u = utoc_of(c);

	if (!is_there(u->content.pak) && !u->toc.name.is_global && !u->toc.name.is_segment)
		report(c, NOWHERE, file_name(u->content.pak->name));
}

RULE(SET002, ucas_missing, ERROR, UTOC_SET,
     .class   = CLASS_CORRUPTION, .sign = SIGN_ABSENT_FILE, .explains = BIT(UTOC_PARTITIONS),
     .title   = "A container shall have a .ucas of the same name beside it.",
     .message = "there is no {0} beside it; at least {1} {1:is|are} missing",
     .data    = "file missing",
     .why     = "The game does not mount the container, so the mod does nothing.",
     .fix     = "Players: put the .ucas from the same download beside it. Authors: "
                "publish the .ucas that the packer made with it.",
     .spec    = SPEC(2))
{
	const struct utoc *u = utoc_of(c);

	if (u->content.n_partitions > 0 && !is_there(u->content.partitions[0].file))
		report(c, NOWHERE, file_name(u->content.partitions[0].file->name),
		       SIZE(u->content.partitions[0].end));
}

EACH(SET003, partition_missing, ERROR, UTOC_PARTITION_ROWS, p,
     .class   = CLASS_CORRUPTION,
     .sign = SIGN_ABSENT_FILE, .versions = SINCE(3), .explains = BIT(UTOC_PARTITIONS),
     .title   = "All partitions of a container shall be beside its .utoc.",
     .message = "there is no {0} beside it, the container has {1} {1:partition|partitions}",
     .data    = "file partitions",
     .why     = "The game does not mount the container, so the mod does nothing.",
     .fix     = "Players: put all files from the same download beside it. Authors: "
                "publish every .ucas that the packer made with it.",
     .spec    = SPEC(3))
{
	const struct utoc *u = utoc_of(c);

	if (p != u->content.partitions && !is_there(p->file))
		report(c, AT(c, utoc_header, &u->toc.header, n_partitions),
		       file_name(p->file->name), DEC(u->toc.n_partitions));
}

RULE(SET004, partition_extra, WARNING, UTOC_SET,
     .class   = CLASS_HYGIENE, .versions = SINCE(3),
     .title   = "A container should not have more .ucas files beside it than partitions.",
     .message = "{0} is beside it, but the container has {1} {1:partition|partitions}",
     .data    = "file partitions",
     .why     = "Nothing reads this .ucas, unless it has a container of its own. Most "
                "often it belongs to another version of the mod.",
     .fix     = "Players: remove it, or get all files of one version. Authors: delete the "
                "files of the last build before you pack.",
     .spec    = SPEC(4))
{
	const struct utoc *u = utoc_of(c);

	if (u->content.more->state == COMPANION_OPEN)
		report(c, AT(c, utoc_header, &u->toc.header, n_partitions),
		       file_name(u->content.more->name), DEC(u->toc.n_partitions));
}

RULE(SET005, names_differ_in_case, WARNING, UTOC_SET,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The files of a container should be spelt alike, with their extensions in "
                "small letters.",
     .message = "{0} should be spelt {1}",
     .data    = "file expected",
     .why     = "Windows finds the file all the same; Linux and consoles do not, and "
                "there the mod does not load.",
     .fix     = "Players and authors: rename the file as the message says.",
     .spec    = SPEC(5))
{
	const struct content *p = &utoc_of(c)->content;

	if (p->own_wanted)
		report(c, NOWHERE, UTF8(p->own_other_case.data, p->own_other_case.ref.n_units),
		       file_name(p->own_wanted));
	for (uint64_t i = 0; i < p->n_partitions; i++)
		if (p->partitions[i].wanted)
			report(c, NOWHERE, file_name(p->partitions[i].file->name),
			       file_name(p->partitions[i].wanted));
	if (p->pak_wanted)
		report(c, NOWHERE, file_name(p->pak->name), file_name(p->pak_wanted));
}

RULE(SET008, pak_too_short, ERROR, UTOC_SET,
     .class   = CLASS_CORRUPTION,
     .title   = "A .pak shall be at least as long as its footer.",
     .message = "{0} has {1}, a .pak's footer alone has 44",
     .data    = "file size",
     .why     = "The game stops at its start when it cannot read a .pak.",
     .fix     = "Players: get the .pak again, and put it beside the container. Authors: "
                "publish the .pak that the packer made with it.",
     .spec    = SPEC(8))
{
	const struct companion *pak = utoc_of(c)->content.pak;

	if (pak->state == COMPANION_OPEN && pak->source.io.size < PAK_TAIL_MIN)
		report(c, AT_IN(pak->number, 0, pak->source.io.size), file_name(pak->name),
		       SIZE(pak->source.io.size));
}

RULE(SET009, pak_unknown, UNDETERMINED, UTOC_PAK,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A .pak should end in one footer, of a known version.",
     .message = "{0} {1}",
     .data    = "file defect",
     .why     = "The game stops at its start when it cannot read a .pak. A few games have "
                "a form of their own, which uvet does not know.",
     .fix     = "Players: get the .pak again, and put it beside the container. Authors: "
                "publish the .pak that the packer made with it.",
     .spec    = SPEC(9))
{
	const struct content *p = &utoc_of(c)->content;
	const uint64_t size = p->pak->source.io.size;

	if (p->pak->state == COMPANION_OPEN && !p->pak_tail.is_known && size >= PAK_TAIL_MIN)
		report(c, AT_IN(p->pak->number, size - PAK_TAIL_MIN, PAK_TAIL_MIN),
		       file_name(p->pak->name),
		       either(p->pak_tail.n_magics > 1,
			      "ends in several footers, of which engines take different ones",
			      "does not end in a footer of a known version"));
}

RULE(SET016, pak_index_outside, ERROR, UTOC_PAK,
     .class   = CLASS_CORRUPTION,
     .title   = "The index of a .pak shall be before its footer, and have at least 8 "
                "bytes.",
     .message = "{0} has its index at {1}, {2} long, which is not all before its footer "
                "at {3} or has fewer than 8 bytes",
     .data    = "file offset size footer",
     .why     = "The game stops at its start when it cannot read a .pak.",
     .fix     = "Players: get the .pak again, and put it beside the container. Authors: "
                "publish the .pak that the packer made with it.",
     .spec    = SPEC(16))
{
	const struct content *p = &utoc_of(c)->content;
	const struct pak_tail *f = &p->pak_tail;

	if (!p->pak_tail.is_known)
		return;
	if (f->index_size < PAK_INDEX_MIN || f->index_offset > f->magic_at ||
	    f->index_size > f->magic_at - f->index_offset)
		report(c, AT_IN(p->pak->number, f->magic_at + 8, 8), file_name(p->pak->name),
		       HEX(f->index_offset), SIZE(f->index_size), HEX(f->magic_at));
}

RULE(SET018, signature_missing, ERROR, UTOC_SIGNATURES,
     .class   = CLASS_SECURITY,
     .title   = "A container for a game that signs its containers shall be signed.",
     .message = "a key for signatures was given, and the container is not signed",
     .data    = "",
     .why     = "A game that has such a key refuses a container that is not signed; else "
                "removing the signature would be enough to change the rest.",
     .fix     = "Players: get the file again. Authors: publish the signed file; if the "
                "game does not sign its containers, check without --signing-key-file.",
     .spec    = SPEC(18))
{
	const struct toc *t = &utoc_of(c)->toc;

	if (t->has_signer && !t->is_signed)
		report_plain(c, AT(c, utoc_header, &t->header, flags));
}

RULE(SET025, pak_of_other_key, ERROR, UTOC_PAK,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The .pak beside an encrypted container shall name the same key.",
     .message = "the container's key is {1}, that of {0} is {2}",
     .data    = "file key pak_key",
     .why     = "The engine opens the container with the key that the .pak names, and "
                "does not mount it when its own key is another one.",
     .fix     = "Players: put the .pak from the same download beside it. Authors: publish "
                "the .pak that the packer made with it.",
     .spec    = SPEC(25))
{
	const struct utoc *u = utoc_of(c);
	const struct content *p = &u->content;
	uint8_t guid[KEY_GUID_LEN];

	toc_guid(&u->toc, guid);
	if (p->pak_tail.is_known && u->toc.encrypted &&
	    memcmp(guid, p->pak_tail.guid, sizeof guid) != 0)
		report(c, AT_SPAN(64, KEY_GUID_LEN), file_name(p->pak->name),
		       HEX_BYTES(guid, sizeof guid),
		       HEX_BYTES(p->pak_tail.guid, sizeof p->pak_tail.guid));
}

RULE(SET026, pak_frozen, ERROR, UTOC_PAK,
     .class   = CLASS_COMPATIBILITY, .versions = SINCE(3),
     .title   = "The index of a .pak shall not be frozen.",
     .message = "the index of {0} is frozen",
     .data    = "file",
     .why     = "Games of Unreal Engine 4.26 and later stop at their start when they find "
                "a frozen index.",
     .fix     = "Players: get the mod in a version for this game. Authors: pack the .pak "
                "again without the frozen index, with the packer of the game's engine.",
     .spec    = SPEC(26))
{
	const struct content *p = &utoc_of(c)->content;

	if (p->pak_tail.frozen != 0)
		report(c, AT_IN(p->pak->number, p->pak_tail.magic_at + PAK_MAGIC_LEN, 1),
		       file_name(p->pak->name));
}

RULE(SET027, pak_names_key, NOTE, UTOC_PAK,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The .pak beside a container that is not encrypted should not name a key.",
     .message = "the key of {0} is {1}, and the container is not encrypted",
     .data    = "file key",
     .why     = "The game mounts both only if it has that key; if it has not, the mod "
                "does nothing.",
     .fix     = "Players: nothing, if the game has the key. Authors: pack it again "
                "without a key, if the game has none.",
     .spec    = SPEC(27))
{
	static const uint8_t none[KEY_GUID_LEN];
	const struct utoc *u = utoc_of(c);
	const struct content *p = &u->content;

	if (p->pak_tail.is_known && !u->toc.encrypted &&
	    memcmp(p->pak_tail.guid, none, sizeof none) != 0)
		report(c, AT_IN(p->pak->number, p->pak_tail.magic_at - PAK_LOCK_LEN, KEY_GUID_LEN),
		       file_name(p->pak->name),
		       HEX_BYTES(p->pak_tail.guid, sizeof p->pak_tail.guid));
}

/* The last version of a .pak that engines know for a version of the container. With version 8 a
 * .pak of version 12 is written, too. */
static uint64_t last_pak_version(const struct toc *t)
{
	return t->version < TOC_SHORT_METAS ? 11 : 12;
}

RULE(SET028, pak_too_new, ERROR, UTOC_PAK,
     .class   = CLASS_COMPATIBILITY, .versions = UNTIL(8),
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "the container's version is 5 to 8, which later engines read too, and "
                "they know the .pak",
     .title   = "A .pak shall not be of a later version than the container's engine "
                "knows.",
     .message = "{0} is of version {1}, engines of a container of version {2} know at "
                "most {3}",
     .data    = "file pak_version version known",
     .why     = "Engines that do not know the version stop at their start when they find "
                "the .pak.",
     .fix     = "Players: get the mod in a version for this game. Authors: pack it again "
                "with the packer of the game's engine.",
     .spec    = SPEC(28))
{
	const struct utoc *u = utoc_of(c);
	const struct content *p = &u->content;
	const struct place at = AT_IN(p->pak->number, p->pak_tail.magic_at + 4, 4);
	const uint64_t last = last_pak_version(&u->toc);

	if (!p->pak_tail.is_known || p->pak_tail.version <= last)
		return;
	if (u->toc.version < TOC_OVERFLOW)
		report(c, at, file_name(p->pak->name), DEC(p->pak_tail.version),
		       DEC(u->toc.version), DEC(last));
	else
		report_lesser(c, at, file_name(p->pak->name), DEC(p->pak_tail.version),
			      DEC(u->toc.version), DEC(last));
}

/* Why an index cannot be encrypted as the footer says; NULL: it may be. */
static const char *lock_defect(const struct content *p)
{
	if (p->pak_index_is_plain)
		return "the index is plain text";
	/* since version 15 it may be in CTR mode, which takes any size */
	return p->pak_tail.version < PAK_FLAT && p->pak_tail.index_size % 16 != 0
		       ? "the size is no multiple of 16"
		       : NULL;
}

RULE(SET029, pak_index_not_encrypted, ERROR, UTOC_PAK,
     .class   = CLASS_COMPATIBILITY,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "only the byte itself is neither 0 nor 1",
     .title   = "The index of a .pak shall be encrypted if the footer's byte for that is "
                "not 0, and this byte shall be 0 or 1.",
     .message = "{0} says by {1} that its index of {2} is encrypted, and {3}",
     .data    = "file value size defect",
     .why     = "The game decrypts the index as the footer says, and stops at its start "
                "when the result is no index.",
     .fix     = "Players: put the .pak from the same download beside it. Authors: publish "
                "the .pak that the packer made with it.",
     .spec    = SPEC(29))
{
	const struct content *p = &utoc_of(c)->content;
	const uint64_t size = p->pak_tail.index_size;
	const char *defect;
	struct place at;

	if (!p->pak_tail.is_known || p->pak_tail.encrypted == 0)
		return;
	at = AT_IN(p->pak->number, p->pak_tail.magic_at - 1, 1);
	defect = lock_defect(p);
	if (defect)
		report(c, at, file_name(p->pak->name), DEC(p->pak_tail.encrypted), SIZE(size),
		       WORD(defect));
	else if (p->pak_tail.encrypted != 1)
		report_lesser(c, at, file_name(p->pak->name), DEC(p->pak_tail.encrypted),
			      SIZE(size), WORD("that is neither 0 nor 1"));
}

RULE(SET030, pak_method_unterminated, ERROR, UTOC_PAK,
     .class   = CLASS_SECURITY,
     .title   = "The name of a method in a .pak's footer shall end in a NUL.",
     .message = "{0} has a method, number {1}, whose name fills all of its 32 bytes "
                "without a NUL",
     .data    = "file name",
     .why     = "Engines that do not add one read past the name, on their stack, and may "
                "crash.",
     .fix     = "Players: get the .pak again. Authors: publish the .pak that the packer "
                "made with the container.",
     .spec    = SPEC(30))
{
	const struct content *p = &utoc_of(c)->content;

	for (uint64_t i = 1; i <= p->pak_tail.n_methods; i++) {
		const struct place at = AT_IN(p->pak->number,
					      p->pak_tail.methods_at + (i - 1) * PAK_METHOD_LEN,
					      PAK_METHOD_LEN);
		bool is_unterminated;

		(void)pak_tail_method(&p->pak_tail, i, &is_unterminated);
		if (is_unterminated)
			report(c, at, file_name(p->pak->name), DEC(i - 1));
	}
}

RULE(SET035, pak_signature_missing, WARNING, UTOC_SET,
     .class   = CLASS_COMPATIBILITY, .sign = SIGN_ABSENT_FILE,
     .title   = "The .pak of a signed container should have a .sig of the same name beside it.",
     .message = "the container is signed, and there is no {0} beside its .pak",
     .data    = "file",
     .why     = "A game that signs refuses a .pak without a .sig, and finds the container by the "
                ".pak: the mod does nothing. Others do not look.",
     .fix     = "Players: put the .sig from the same download beside it. Authors: publish all "
                "files that the packer made.",
     .spec    = SPEC(36))
{
	const struct companion *sig = utoc_of(c)->content.sig;

	if (sig && !is_there(sig))
		report(c, NOWHERE, file_name(sig->name));
}

/* ---- The name -------------------------------------------------------------------------------- */

RULE(SET006, name_without_p, WARNING, UTOC_SECTIONS,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The name of a mod should end in _P.",
     .message = "the name does not end in _P",
     .data    = "",
     .why     = "The game may mount the mod below its own containers, whose chunks then "
                "win: the mod changes nothing.",
     .fix     = "If it is a mod, rename all of its files so that their names end in _P "
                "before the extension.",
     .spec    = SPEC(6))
{
	const struct utoc *u = utoc_of(c);

	if (u->content.is_named && !u->toc.name.is_patch && !u->toc.name.is_global)
		report_plain(c, NOWHERE);
}

RULE(SET007, patch_number_malformed, NOTE, UTOC_SECTIONS,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The number before _P in a name should be a plain decimal number of at "
                "most 2147483647.",
     .message = "the number before _P is {0}, expected a plain decimal number of at most "
                "2147483647",
     .data    = "number",
     .why     = "Engines and tools do not agree on the order in which such containers are "
                "mounted, so another mod may win.",
     .fix     = "Rename all files of the container, with a number like 100 before _P.",
     .spec    = SPEC(7))
{
	const struct content *p = &utoc_of(c)->content;

	if (p->is_named && p->rank == RANK_ODD)
		report(c, NOWHERE, UTF8(p->rank_number.data, p->rank_number.ref.n_units));
}

RULE(SET031, container_not_looked_for, NOTE, UTOC_SECTIONS,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The name of a container should end in .utoc.",
     .message = "the name ends in {0}, and games look for .utoc",
     .data    = "ending",
     .why     = "A game opens the .utoc beside a .pak by its name, and passes over this file.",
     .fix     = "Players: if the game should load it, rename it so that its name ends in .utoc, "
                "beside the .ucas and the .pak of that name. Authors: publish it under such a "
                "name.",
     .spec    = SPEC(31))
{
	const struct text ending = utoc_of(c)->content.other_ending;

	if (ending.ref.n_units > 0)
		report(c, NOWHERE, UTF8(ending.data, ending.ref.n_units));
}

RULE(SET013, global_container, WARNING, UTOC_SECTIONS,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A mod should not have a global container.",
     .message = "this is the global container",
     .data    = "",
     .why     = "It replaces the script objects of the game, which every other container "
                "depends on: the game may not start.",
     .fix     = "Players: remove it, if it came with a mod. Authors: leave it out of the "
                "mod.",
     .spec    = SPEC(13))
{
	const struct utoc *u = utoc_of(c);

	if (u->content.is_named && u->toc.name.is_global)
		report_plain(c, NOWHERE);
}

RULE(SET023, optional_segment, NOTE, UTOC_SECTIONS,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The name of a container should not be that of an optional segment.",
     .message = "the name is that of an optional segment",
     .data    = "",
     .why     = "Games do not mount optional segments by default, so the mod may do "
                "nothing.",
     .fix     = "Rename all files of the container, if the game should mount it.",
     .spec    = SPEC(23))
{
	const struct content *p = &utoc_of(c)->content;

	if (p->is_named && p->is_optional)
		report_plain(c, NOWHERE);
}
