/* The families MET and SIG as far as the tables tell: chunk metas, and the size of signatures. */
#include "formats/iostore/facts_rules.h"

#define SPEC(n) "iostore.md#7." #n

/* ---- Metas -------------------------------------------------------------------------------------------------------------- */

EACH(MET001, meta_flags_unknown, WARNING, UTOC_META_ROWS, m,
     .class   = CLASS_COMPATIBILITY, .marks = META_FLAGS,
     .title   = "A meta should have no flags but 1 and 2.",
     .message = "the meta of chunk {0} has the flags {1}",
     .data    = "chunk flags",
     .why     = "No engine knows the others; tools may refuse the file.",
     .fix     = "Pack it again.",
     .spec    = SPEC(1))
{
	if (m->traits & META_FLAGS)
		fail(c, AT_SPAN(m->flags_at.at, m->flags_at.len), DEC(m->number), HEX(m->meta.flags));
}

EACH(MET002, meta_compressed_wrong, WARNING, UTOC_META_ROWS, m,
     .class   = CLASS_HYGIENE, .marks = META_COMPRESSED,
     .title   = "The flag Compressed of a meta should be set if and only if a block of the chunk is compressed.",
     .message = "the meta of chunk {0} says {1}, its blocks are {2}",
     .data    = "chunk flag blocks",
     .why     = "Tools show the wrong thing; some packers always set it.",
     .fix     = "Pack it again.",
     .spec    = SPEC(2))
{
	if (m->traits & META_COMPRESSED)
		fail(c, AT_SPAN(m->flags_at.at, m->flags_at.len), DEC(m->number),
		     either(m->is_compressed, "not compressed", "compressed"), either(m->is_compressed, "compressed", "not compressed"));
}

EACH(MET003, meta_padding, WARNING, UTOC_META_ROWS, m,
     .class   = CLASS_HYGIENE, .marks = META_PAD,
     .title   = "The bytes of a meta that are neither hash nor flags should be 0.",
     .message = "the meta of chunk {0} has other bytes in its padding",
     .data    = "chunk",
     .why     = "No engine writes them; a longer hash would stand there.",
     .fix     = "Pack it again.",
     .spec    = SPEC(3))
{
	if (m->traits & META_PAD)
		fail(c, AT_SPAN(m->pad_at.at, m->pad_at.len), DEC(m->number));
}

EACH(MET006, hash_missing, NOTE, UTOC_META_ROWS, m,
     .class   = CLASS_HYGIENE, .marks = META_NO_HASH,
     .title   = "A meta should have a hash.",
     .message = "the hash of chunk {0} is 0",
     .data    = "chunk",
     .why     = "Its bytes cannot be verified; games do not ask for it.",
     .fix     = "Pack it again with a packer that writes hashes.",
     .spec    = SPEC(6))
{
	if (m->traits & META_NO_HASH)
		fail(c, AT_SPAN(m->meta.at, 20), DEC(m->number));
}

EACH(MET007, mapped_not_bulk, WARNING, UTOC_META_ROWS, m,
     .class   = CLASS_COMPATIBILITY, .marks = META_NOT_BULK,
     .title   = "Only bulk data should have the flag MemoryMapped.",
     .message = "the meta of chunk {0} of type {1} has the flag MemoryMapped",
     .data    = "chunk type",
     .why     = "The engine maps nothing else.",
     .fix     = "Pack it again.",
     .spec    = SPEC(7))
{
	if (m->traits & META_NOT_BULK)
		fail(c, AT_SPAN(m->flags_at.at, m->flags_at.len), DEC(m->number), WORD(chunk_type_name(m->type)));
}

/* ---- Signatures --------------------------------------------------------------------------------------------------------- */

RULE(SIG001, signatures_do_not_fit, ERROR, UTOC_HEADER,
     .class   = CLASS_CORRUPTION, .explains = GROUP(UTOC_SECTIONS),
     .title   = "The signatures of a signed container, and the hashes of its blocks, shall lie in the file.",
     .message = "the flag Signed is set, and no two signatures and {0} hashes of blocks fit behind {1}",
     .data    = "blocks offset",
     .why     = "The engine reads past the end; what follows them is not found.",
     .fix     = "Get the file again; if it still fails, pack it again.",
     .spec    = SPEC(11))
{
	const struct toc *t = toc_of(c);

	if (t->signature_broken)
		fail(c, AT_SPAN(t->sections[SECTION_SIGNATURES].at.at, 4), DEC(t->n_blocks), HEX(t->sections[SECTION_SIGNATURES].at.at));
}

RULE(SIG002, signature_size_unusual, NOTE, UTOC_SECTIONS,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A signature should have 256 or 512 bytes.",
     .message = "signatures of {0}",
     .data    = "size",
     .why     = "It is not one of RSA with 2048 or 4096 bits, which engines write.",
     .fix     = "Nothing, if the game's own containers have such.",
     .spec    = SPEC(12))
{
	const struct toc *t = toc_of(c);

	if (t->is_signed && t->signature_size != 256 && t->signature_size != 512)
		fail(c, AT_SPAN(t->sections[SECTION_SIGNATURES].at.at, 4), SIZE(t->signature_size));
}

RULE(SIG005, signature_unverified, NOTE, UTOC_SECTIONS,
     .class   = CLASS_SECURITY,
     .title   = "A signature should be verified with the game's public key.",
     .message = "the two signatures of {0} each were not verified: only the game has the key",
     .data    = "size",
     .why     = "Whether the developer signed the container is not known.",
     .fix     = "Nothing.",
     .spec    = SPEC(15))
{
	const struct toc *t = toc_of(c);

	if (t->is_signed)
		fail(c, AT_SPAN(t->sections[SECTION_SIGNATURES].at.at, t->sections[SECTION_SIGNATURES].at.len), SIZE(t->signature_size));
}

RULE(SIG006, signed_at_all, NOTE, UTOC_SECTIONS,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A mod should not be signed.",
     .message = "the flag Signed is set",
     .data    = "",
     .why     = "Only the game's developer can make a signature that the game accepts.",
     .fix     = "Nothing, if it is the developer's own file.",
     .spec    = SPEC(16))
{
	const struct toc *t = toc_of(c);

	if (t->is_signed)
		fail_plain(c, AT(c, utoc_header, &t->header, flags));
}

const struct rule *const toc_meta_rules[] = {
	&SIG001_rule, &SIG002_rule, &SIG005_rule, &SIG006_rule, &MET001_rule, &MET002_rule, &MET003_rule, &MET006_rule, &MET007_rule, NULL,
};
