/* The rules for the footer of an archive. */
#include "formats/pak/facts_rules.h"

#define SPEC(n) "pak.md#" #n

RULE(PAK001, footer_missing, ERROR, PAK_FILE,
     .class   = CLASS_CORRUPTION, .sign = SIGN_OTHER_FILE, .explains = BIT(PAK_FOOTER),
     .title   = "A .pak shall end in one footer with the magic 0x5A6F12E1.",
     .message = "the file of {0} {1}",
     .data    = "size defect",
     .why     = "The game stops at its start when it finds the .pak, or does not load it. "
                "Most often the download was truncated.",
     .fix     = "Players: get the file again. Authors: publish the .pak as the packer wrote "
                "it. A few games have footers of their own, which other games refuse.",
     .spec    = SPEC(1.1))
{
	const struct pak *p = pak_of(c);
	const uint64_t len = p->size < PAK_TAIL_MIN ? p->size : PAK_TAIL_MIN;

	if (pak_stopped(p, PAK_FOOTER, STOP_MALFORMED))
		report(c, AT_SPAN(p->size - len, len), SIZE(p->size),
		       p->size < PAK_TAIL_MIN ? WORD("is shorter than a footer, which has 44 bytes")
		       : p->tail.n_magics > 1
			       ? WORD("ends in several footers, of which engines take different "
				      "ones")
			       : WORD("has no magic in any place where a footer begins"));
}

RULE(PAK002, footer_version_mismatch, ERROR, PAK_FOOTER,
     .class   = CLASS_COMPATIBILITY, .explains = BIT(PAK_VERSION),
     .title   = "The version shall be 1 or above, and one that has its magic in this place.",
     .message = "version {0} in a footer whose magic is {1} before the end of the file",
     .data    = "version distance",
     .why     = "The game reads fields that are not there, and stops at its start.",
     .fix     = "Players: get the file again. Authors: publish the .pak as the packer wrote it.",
     .spec    = SPEC(1.2))
{
	const struct pak *p = pak_of(c);

	if (pak_stopped(p, PAK_VERSION, STOP_MALFORMED))
		report(c, AT_SPAN(p->tail.magic_at + PAK_AT_VERSION, 4), DEC(p->tail.version),
		       SIZE(p->size - p->tail.magic_at));
}

/* Why the index of such a version is not judged, or not whole; NULL: it is. */
static const char *version_defect(const struct pak *p)
{
	if (pak_stopped(p, PAK_DIRECTORY, STOP_UNSUPPORTED))
		return "its full directory index does not begin with 0x50464451";
	if (pak_stopped(p, PAK_KEPT, STOP_UNSUPPORTED))
		return "how its path-hash index keeps files by their names is not known";
	if (!pak_stopped(p, PAK_VERSION, STOP_UNSUPPORTED))
		return NULL;
	return pak_tail_distance(p->tail.version) > 0
		       ? "that of version 15 is 245 bytes before it"
		       : "how the index of this version is laid out is not known";
}

RULE(PAK039, pak_version_not_judged, UNDETERMINED, PAK_FOOTER,
     .class   = CLASS_COMPATIBILITY,
     .explains = BIT(PAK_VERSION) | BIT(PAK_DIRECTORY) | BIT(PAK_KEPT),
     .title   = "The version should be one from 1 to 12, or 15, as that of the engine is.",
     .message = "version {0} in a footer whose magic is {1} before the end of the file: {2}",
     .data    = "version distance defect",
     .why     = "Its index was not judged, or not whole. Some games put a number of their own "
                "there. Engines stop at their start when they find a version above the last that "
                "they know.",
     .fix     = "Players: get the mod in a version for this game. If it is the right one, use a "
                "later uvet. Authors: pack it with the packer of the game's engine.",
     .spec    = SPEC(1.3))
{
	const struct pak *p = pak_of(c);
	const char *defect = version_defect(p);

	if (defect)
		report(c, AT_SPAN(p->tail.magic_at + PAK_AT_VERSION, 4), DEC(p->tail.version),
		       SIZE(p->size - p->tail.magic_at), WORD(defect));
}

RULE(PAK003, index_outside, ERROR, PAK_VERSION,
     .class   = CLASS_CORRUPTION, .explains = BIT(PAK_INDEX),
     .title   = "The index shall be before the footer, and have less than 2 GiB.",
     .message = "the index is at {0}, {1} long, and the footer at {2}",
     .data    = "offset size footer",
     .why     = "The game stops at its start with a corrupted index.",
     .fix     = "Players: get the file again. Authors: publish the .pak as the packer wrote "
                "it.",
     .spec    = SPEC(1.4))
{
	const struct pak *p = pak_of(c);
	const struct span at = p->index.at;

	if (!pak_may_be_part(p, at))
		report(c, AT(c, pak_footer, &p->footer, index_offset), HEX(at.at), SIZE(at.len),
		       HEX(p->tail.at));
}

RULE(PAK005, index_frozen, ERROR, PAK_VERSION,
     .class   = CLASS_COMPATIBILITY, .explains = BIT(PAK_INDEX), .versions = BETWEEN(9, 9),
     .title   = "The index shall not be frozen.",
     .message = "byte {0} says that the index is frozen",
     .data    = "value",
     .why     = "Only games of Unreal Engine 4.25 read such an index, each one on its own "
                "platform; later ones stop at their start. Its files were not judged.",
     .fix     = "Players: get the mod in a version for this game. Authors: pack it again "
                "without the frozen index.",
     .spec    = SPEC(1.5))
{
	const struct pak *p = pak_of(c);

	if (p->tail.frozen != 0)
		report(c, AT(c, pak_footer, &p->footer, is_frozen), DEC(p->tail.frozen));
}

RULE(PAK006, encrypted_flag_unknown, WARNING, PAK_VERSION,
     .class   = CLASS_HYGIENE, .versions = SINCE(4),
     .title   = "The byte that says whether the index is encrypted should be 0 or 1.",
     .message = "byte {0} says whether the index is encrypted",
     .data    = "value",
     .why     = "Engines take it for encrypted; readers that compare with 1 do not.",
     .fix     = "Players: nothing, if the game loads it. Authors: pack it again.",
     .spec    = SPEC(1.6))
{
	const struct pak *p = pak_of(c);

	if (p->tail.encrypted > 1)
		report(c, AT(c, pak_lock, &p->lock, is_encrypted), DEC(p->tail.encrypted));
}

/* A part that lies outside the file is told where its offset and size stand. */
static struct place part_place(struct check *c, const struct pak_part *part)
{
	const struct pak *p = pak_of(c);
	const struct span at = part->at;

	if (pak_is_before_footer(p, at))
		return AT_SPAN(at.at, at.len);
	return part == &p->index ? AT(c, pak_footer, &p->footer, index_size)
				 : AT_SPAN(p->index.at.at + part->place_at + 4, 16);
}

RULE(PAK007, index_misaligned, ERROR, PAK_VERSION,
     .class   = CLASS_CORRUPTION,
     .explains = BIT(PAK_INDEX) | BIT(PAK_PATH_HASHES) | BIT(PAK_DIRECTORY),
     .versions = SINCE(4),
     .title   = "The size of an encrypted index, and of each of its parts, shall be a multiple of "
                "16.",
     .message = "{0} is encrypted, and has {1}, which is no multiple of 16",
     .data    = "part size",
     .why     = "The game decrypts blocks of 16 bytes: it reads past the end of the index, and "
                "stops at its start.",
     .fix     = "Players: get the file again. Authors: pack it again with the key of the game, "
                "or without encryption.",
     .spec    = SPEC(2.1))
{
	const struct pak *p = pak_of(c);
	const struct pak_part *parts[] = { &p->index, &p->path_hashes, &p->directory };
	static const char *const names[] = { "the index", "the path-hash index",
					     "the full directory index" };

	for (size_t i = 0; p->is_encrypted && p->cipher == BLOCK_ECB && i < 3; i++)
		if (parts[i]->is_there && parts[i]->at.len % AES_BLOCK_LEN != 0)
			report(c, part_place(c, parts[i]), WORD(names[i]), SIZE(parts[i]->at.len));
}

static bool is_ascii(struct held name)
{
	uint64_t all = 0;

	for (uint64_t i = 0; i < name.len; i++)
		all |= held_u8(name, i);
	return all < 0x80;
}

/* What is the matter with the name of a method; NULL: nothing is. */
static const char *method_defect(const struct pak *p, uint64_t number)
{
	bool is_unterminated;
	const struct held name = pak_tail_method(&p->tail, number, &is_unterminated);

	if (is_unterminated)
		return "fills all of its 32 bytes without a NUL";
	if (!is_ascii(name))
		return "is not ASCII";
	return NULL;
}

static struct place method_place(const struct pak *p, uint64_t number)
{
	return AT_SPAN(p->tail.methods_at + (number - 1) * PAK_METHOD_LEN, PAK_METHOD_LEN);
}

static struct text method_text(const struct pak *p, uint64_t number)
{
	bool is_unterminated;
	const struct held name = pak_tail_method(&p->tail, number, &is_unterminated);

	return (struct text){ name.bytes,
			      { .n_units = (uint32_t)name.len, .encoding = TEXT_CP1252 } };
}

RULE(PAK008, pak_method_name_malformed, ERROR, PAK_VERSION,
     .class   = CLASS_SECURITY, .versions = SINCE(8),
     .title   = "The name of a compression method shall be ASCII, and have a NUL in its 32 bytes.",
     .message = "the name of method {0}, {1}, {2}",
     .data    = "number name defect",
     .why     = "Engines up to 4.27 read past a name without a NUL; tools stop at a name that is "
                "no text.",
     .fix     = "Players: get the file again. Authors: publish the .pak as the packer wrote it.",
     .spec    = SPEC(1.7))
{
	const struct pak *p = pak_of(c);

	for (uint64_t i = 1; i <= p->tail.n_methods; i++) {
		const char *defect = method_defect(p, i);
		const struct text name = method_text(p, i);

		if (defect)
			report(c, method_place(p, i), DEC(i), TEXT_OF(name), WORD(defect));
	}
}

RULE(PAK050, method_name_missing, WARNING, PAK_VERSION,
     .class   = CLASS_COMPATIBILITY, .versions = SINCE(8),
     .title   = "No empty name of a compression method should stand before one that is not.",
     .message = "the name in place {0}, {1}, follows an empty one: it is that of method {2}",
     .data    = "place name number",
     .why     = "Engines leave empty names out when they number methods; tools that count places "
                "decompress files by another method, or by none.",
     .fix     = "Players: nothing, if the mod works. Authors: pack it again with the packer of "
                "the game's engine.",
     .spec    = SPEC(1.7))
{
	const struct pak *p = pak_of(c);
	uint64_t number = 0;

	for (uint64_t i = 1; i <= p->tail.n_methods; i++) {
		const struct text name = method_text(p, i);

		number += name.ref.n_units > 0;
		if (name.ref.n_units > 0 && number < i)
			report(c, method_place(p, i), DEC(i), TEXT_OF(name), DEC(number));
	}
}

RULE(PAK032, key_named, NOTE, PAK_VERSION,
     .class   = CLASS_COMPATIBILITY, .versions = SINCE(7),
     .title   = "A .pak should not name a key that a game may not have.",
     .message = "the footer names the key {0}, which was not given",
     .data    = "guid",
     .why     = "The game mounts the .pak when it gets that key; until then the mod does "
                "nothing.",
     .fix     = "Players: nothing, if the game has the key. Authors: pack it again without a "
                "key, if the game has none.",
     .spec    = SPEC(1.8))
{
	const struct pak *p = pak_of(c);
	const struct held guid = { p->tail.guid, sizeof p->tail.guid };

	if (!held_is_zero(guid) && !p->has_key)
		report(c, AT_SPAN(p->tail.at, KEY_GUID_LEN), HEX_BYTES(guid.bytes, guid.len));
}
