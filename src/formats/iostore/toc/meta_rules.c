/* The rules of the families MET and SIG for the tables: chunk metas, and signatures. */
#include "formats/iostore/facts_rules.h"

#define SPEC(n) "iostore.md#7." #n

/* ---- Metas ----------------------------------------------------------------------------------- */

DEFECT_RULE(MET001, meta_flags_unknown, WARNING, UTOC_META_ROWS, m, META_FLAGS,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The metadata of a chunk should have no flags but 1 and 2.",
     .message = "the metadata of chunk {0} has the flags {1}, of which only 1 and 2 are "
                "known",
     .data    = "chunk flags",
     .why     = "No engine knows the other flags, and tools may refuse the file.",
     .fix     = "Players: nothing, if the game loads it. Authors: pack it again with the "
                "packer of the game's engine.",
     .spec    = SPEC(1))
{
	report(c, AT_SPAN(m->flags_at.at, m->flags_at.len), DEC(m->number), HEX(m->meta.flags));
}

DEFECT_RULE(MET002, meta_compressed_mismatch, WARNING, UTOC_META_ROWS, m, META_COMPRESSED,
     .class   = CLASS_HYGIENE,
     .title   = "The flag Compressed in a chunk's metadata should be set if and only if a "
                "block of the chunk is compressed.",
     .message = "the metadata of chunk {0} says {1}, its blocks are {2}",
     .data    = "chunk flag blocks",
     .why     = "Tools show the one for the other; the game goes by the blocks. Some "
                "packers always set the flag.",
     .fix     = "Players: nothing, if the mod works. Authors: nothing, if your packer "
                "always sets it; else pack it again.",
     .spec    = SPEC(2))
{
	report(c, AT_SPAN(m->flags_at.at, m->flags_at.len), DEC(m->number),
	       either(m->is_compressed, "not compressed", "compressed"),
	       either(m->is_compressed, "compressed", "not compressed"));
}

DEFECT_RULE(MET003, meta_padding, WARNING, UTOC_META_ROWS, m, META_PAD,
     .class   = CLASS_HYGIENE,
     .title   = "The bytes of a chunk's metadata that are neither hash nor flags should "
                "be 0.",
     .message = "the metadata of chunk {0} has padding that is not 0",
     .data    = "chunk",
     .why     = "No engine writes them. A reader that expects a longer hash there finds "
                "another one.",
     .fix     = "Players: nothing, if the game loads it. Authors: pack it again with the "
                "packer of the game's engine.",
     .spec    = SPEC(3))
{
	report(c, AT_SPAN(m->pad_at.at, m->pad_at.len), DEC(m->number));
}

DEFECT_RULE(MET006, hash_missing, NOTE, UTOC_META_ROWS, m, META_NO_HASH,
     .class   = CLASS_HYGIENE,
     .title   = "The metadata of a chunk should have a hash.",
     .message = "the hash of chunk {0} is all zeros, which is none",
     .data    = "chunk",
     .why     = "Damage in the chunk's bytes cannot be noticed. The game does not ask for "
                "the hash.",
     .fix     = "Players: nothing needs to be done. Authors: pack it again with a packer "
                "that writes hashes.",
     .spec    = SPEC(6))
{
	report(c, AT_SPAN(m->meta.at, 20), DEC(m->number));
}

DEFECT_RULE(MET007, mapped_not_bulk, WARNING, UTOC_META_ROWS, m, META_NOT_BULK,
     .class   = CLASS_COMPATIBILITY,
     .title   = "Only bulk data should have the flag MemoryMapped.",
     .message = "the metadata of chunk {0} of type {1} has the flag MemoryMapped, which "
                "is for bulk data",
     .data    = "chunk type",
     .why     = "The engine maps nothing but bulk data, so the flag has no effect.",
     .fix     = "Players: nothing, if the mod works. Authors: pack it again with the "
                "packer of the game's engine.",
     .spec    = SPEC(7))
{
	report(c, AT_SPAN(m->flags_at.at, m->flags_at.len), DEC(m->number),
	       WORD(chunk_type_name(m->type)));
}

/* ---- Signatures ------------------------------------------------------------------------------ */

RULE(SIG001, signatures_do_not_fit, ERROR, UTOC_HEADER,
     .class   = CLASS_CORRUPTION, .explains = BIT(UTOC_SECTIONS),
     .title   = "The signatures of a signed container, and the hashes of its blocks, "
                "shall be in the file.",
     .message = "the flag Signed is set, but there is no room for two signatures and {0} block "
                "{0:hash|hashes} after {1}",
     .data    = "blocks offset",
     .why     = "The game reads past the end of the file, and tools do not find the "
                "tables after the signatures.",
     .fix     = "Players: get the file again. Authors: pack it again if it still fails.",
     .spec    = SPEC(11))
{
	const struct toc *t = toc_of(c);

	/* if the file is too short for the blocks, signatures are not looked for */
	if (t->signature_broken && toc_chunks_fit(t))
		report(c, AT_SPAN(t->sections[SECTION_SIGNATURES].at.at, 4), DEC(t->n_blocks),
		       HEX(t->sections[SECTION_SIGNATURES].at.at));
}

RULE(SIG002, signature_size_unknown, NOTE, UTOC_SECTIONS,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A signature should have 256 or 512 bytes.",
     .message = "the signatures have {0} each, expected 256 or 512",
     .data    = "size",
     .why     = "Engines write signatures of RSA with 2048 or 4096 bits only, so the game "
                "cannot verify this one.",
     .fix     = "Players: nothing, if the game loads it. Authors: nothing, if the game's "
                "own containers have such signatures; else pack it without.",
     .spec    = SPEC(12))
{
	const struct toc *t = toc_of(c);

	if (t->is_signed && t->signature_size != 256 && t->signature_size != 512)
		report(c, AT_SPAN(t->sections[SECTION_SIGNATURES].at.at, 4),
		       SIZE(t->signature_size));
}

static const char *outcome_words(enum rsa_outcome o)
{
	switch (o) {
	case RSA_OTHER_LENGTH:
		return "it is not as long as the key's modulus";
	case RSA_TOO_LARGE:
		return "it is not below the key's modulus";
	case RSA_NOT_PADDED:
		return "what comes out of it is not padded as PKCS #1 has it";
	default:
		return "it is that of another digest";
	}
}

RULE(SIG004, signature_mismatch, ERROR, UTOC_SIGNATURES,
     .class   = CLASS_SECURITY, .sign = SIGN_DATA,
     .title   = "The signatures shall verify with the public key that was given.",
     .message = "the signature of {0} does not verify with the key that was given: {1}",
     .data    = "what reason",
     .why     = "The container was changed after it was signed, or signed with another "
                "key: the game refuses it.",
     .fix     = "Players: get the file again. Check that the key given is that of this "
                "container's game. Authors: sign the container again after every change.",
     .spec    = SPEC(14))
{
	static const char *const what[SIGNATURE_N] = { "the header", "the digests of blocks" };
	const struct toc *t = toc_of(c);

	for (unsigned i = 0; t->signatures_judged && i < SIGNATURE_N; i++) {
		const struct span at = toc_signature_at(t, (enum toc_signature)i);

		if (t->signatures[i] != RSA_VERIFIES)
			report(c, AT_SPAN(at.at, at.len), WORD(what[i]),
			       WORD(outcome_words(t->signatures[i])));
	}
}

RULE(SIG005, signature_unverified, NOTE, UTOC_SIGNATURES,
     .class   = CLASS_SECURITY,
     .title   = "A signature should be verified with the game's public key.",
     .message = "two signatures are not verified, each of {0}: no key was given",
     .data    = "size",
     .why     = "It is not known whether the game's developer signed the container, and "
                "whether it was changed since.",
     .fix     = "Give the game's public key with --signing-key-file, if you have it.",
     .spec    = SPEC(15))
{
	const struct toc *t = toc_of(c);

	if (t->is_signed && !t->signatures_judged)
		report(c,
		       AT_SPAN(t->sections[SECTION_SIGNATURES].at.at,
			       t->sections[SECTION_SIGNATURES].at.len),
		       SIZE(t->signature_size));
}

RULE(SIG006, signed_at_all, NOTE, UTOC_SECTIONS,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A mod should not be signed.",
     .message = "the flag Signed is set, which a mod should not have",
     .data    = "",
     .why     = "Only the game's developer can make a signature that the game accepts, so "
                "a game that checks signatures refuses the mod.",
     .fix     = "Players: nothing, if it is the developer's own file. Authors: pack the "
                "mod without a signature.",
     .spec    = SPEC(16))
{
	const struct toc *t = toc_of(c);

	if (t->is_signed)
		report_plain(c, AT(c, utoc_header, &t->header, flags));
}
