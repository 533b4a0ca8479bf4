/* The families NAT, TEX, PAL, SND, MUS, TXT, POL, FNT and MSH: what objects have after their
 * properties. */
#include "formats/upkg/body/flaw_rules.h"
#include "formats/upkg/classes/parts.h"

/* ---- All of them ----------------------------------------------------------------------------- */

DEFECT_RULE(NAT001, lazy_end, ERROR, UPKG_NATIVE_FLAW_ROWS, f, KIND(LAZY_END),
     .class   = CLASS_CORRUPTION, .versions = SINCE(62), EDITOR_LESSER,
     .title   = "The end that is stored before a lazy array shall be where its data ends.",
     .message = "a lazy array of export {0}, {1}, ends at {3}, but its stored end is {2}",
     .data    = "export object stored end",
     .why     = "The engine continues at the stored end, in the middle of other data: the game "
                "crashes or shows something else.",
     .fix     = "Get the file again; if it still fails, its author must save the package again in "
                "UnrealEd.",
     .spec    = "upkg.md#9.1")
{
	report_body(c, f, HEX((uint64_t)f->first), HEX((uint64_t)f->second));
}

DEFECT_RULE(NAT002, body_end, ERROR, UPKG_NATIVE_FLAW_ROWS, f,
     KIND(BODY_END) | KIND(NATIVE_CUT) | KIND(NATIVE_BITS),
     .class   = CLASS_CORRUPTION, EDITOR_LESSER,
     .title   = "An object's data shall end where its body ends.",
     .message = "the data of export {0}, {1}, {2}; {3} {3:is|are} left",
     .data    = "export object defect left",
     .why     = "The engine stops with an error when an object has another size than the export "
                "table says: the game crashes.",
     .fix     = "Get the file again; if it still fails, its author must save the package again in "
                "UnrealEd.",
     .spec    = "upkg.md#9.1")
{
	if (f->kind == FLAW_BODY_END)
		report_body(c, f, WORD("ends before the body does"), SIZE(f->len));
	else if (f->kind == FLAW_NATIVE_CUT)
		report_body(c, f, WORD("does not end in the body"), SIZE((uint64_t)f->first));
	else if (f->kind == FLAW_NATIVE_BITS)
		report_body(c, f, WORD("has an index of more than 32 bits"),
			    SIZE((uint64_t)f->first));
}

DEFECT_RULE(NAT003, element_count_out_of_range, ERROR, UPKG_NATIVE_FLAW_ROWS, f, KIND(COUNT),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "A count of elements shall be one that the rest of the body can hold.",
     .message = "a count of export {0}, {1}, is {2}; {3} {3:is|are} left",
     .data    = "export object count left",
     .why     = "Engines allocate memory for the count before they read an element: the game runs "
                "out of memory or crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the package again in UnrealEd.",
     .spec    = "upkg.md#9.1")
{
	report_body(c, f, SIGNED(f->first), SIZE((uint64_t)f->second));
}

DEFECT_RULE(CIX006, count_negative_in_body, ERROR, UPKG_NATIVE_FLAW_ROWS, f, KIND(COUNT_NEGATIVE),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "A count shall not be negative.",
     .message = "a count of export {0}, {1}, is {2}, expected 0 or more",
     .data    = "export object count",
     .why     = "Engines use the count as a size: they run out of memory or write to memory of "
                "something else, and crash (CVE-2003-1432).",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the package again in UnrealEd.",
     .spec    = "upkg.md#3.4")
{
	report_body(c, f, SIGNED(f->first));
}

DEFECT_RULE(NAT004, reference_missing, ERROR, UPKG_NATIVE_FLAW_ROWS, f, KIND(NATIVE_REFERENCE),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "The objects to which an object's data refers shall exist.",
     .message = "the data of export {0}, {1}, refers to {2}, which does not exist",
     .data    = "export object reference",
     .why     = "The reference is out of range, so that engines and tools read other memory: the "
                "game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the package again in UnrealEd.",
     .spec    = "upkg.md#9.1")
{
	report_body(c, f, SIGNED(f->first));
}

DEFECT_RULE(NAT005, text_unterminated, ERROR, UPKG_RESOURCE_FLAW_ROWS, f, KIND(TEXT_OPEN),
     .class   = CLASS_SECURITY, .versions = BETWEEN(58, 69), .also = BIT(UPKG_LEVELS),
     EDITOR_LESSER,
     .title   = "A level's texts shall end in a NUL.",
     .message = "a text of export {0}, {1}, does not end in a NUL",
     .data    = "export object",
     .why     = "The engine reads past the end of the text when it uses it: the game shows other "
                "text or crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the level again in UnrealEd.",
     .spec    = "upkg.md#9.1")
{
	report_body_alone(c, false, f);
}

/* ---- Textures and palettes ------------------------------------------------------------------- */

DEFECT_RULE(TEX001, mip_size_no_power, WARNING, UPKG_NATIVE_FLAW_ROWS, f, KIND(MIP_BITS),
     .class   = CLASS_COMPATIBILITY, .also = BIT(UPKG_TEXTURES),
     .title   = "A mip's width and height should be the powers of two that its bits say.",
     .message = "a mip of texture {1}, export {0}, is {2} by {3}, which does not match its UBits "
                "and VBits",
     .data    = "export object width height",
     .why     = "Renderers compute addresses from the bits, so that the texture is garbled or the "
                "game crashes.",
     .fix     = "None is needed if it looks right. Its author should import the texture again, "
                "with sides that are powers of two.",
     .spec    = "upkg.md#9.2")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), SIGNED(f->first),
	       SIGNED(f->second));
}

DEFECT_RULE(TEX002, mip_bytes, WARNING, UPKG_NATIVE_FLAW_ROWS, f, KIND(MIP_SIZE),
     .class   = CLASS_CORRUPTION, .also = BIT(UPKG_TEXTURES),
     .title   = "A mip should have the bytes that its size and format need, or none.",
     .message = "a mip of texture {1}, export {0}, has {2}, its size and format need {3}",
     .data    = "export object bytes needed",
     .why     = "Renderers read as many bytes as size and format need, past the end of the mip: "
                "the texture is garbled or the game crashes.",
     .fix     = "Get the file again; if it still fails, its author should import the texture "
                "again in UnrealEd.",
     .spec    = "upkg.md#9.2")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), SIZE((uint64_t)f->first),
	       SIZE((uint64_t)f->second));
}

DEFECT_RULE(TEX003, first_mip_empty, NOTE, UPKG_NATIVE_FLAW_ROWS, f, KIND(MIP_EMPTY),
     .class   = CLASS_HYGIENE, .also = BIT(UPKG_TEXTURES),
     .title   = "A texture that is not procedural should have data in its first mip.",
     .message = "the first mip of texture {1}, export {0}, is {2} by {3} and has no data",
     .data    = "export object width height",
     .why     = "The texture is not shown.",
     .fix     = "None is needed if nothing is missing. Its author can import the texture again in "
                "UnrealEd.",
     .spec    = "upkg.md#9.2")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), SIGNED(f->first),
	       SIGNED(f->second));
}

DEFECT_RULE(TEX004, mips_not_halved, WARNING, UPKG_NATIVE_FLAW_ROWS, f, KIND(MIP_CHAIN),
     .class   = CLASS_CORRUPTION, .also = BIT(UPKG_TEXTURES),
     .title   = "Each mip should be half as large as the one before it, and none should follow "
                "one of 1 by 1.",
     .message = "mip {2} of texture {1}, export {0}, is not half as large as the one before it",
     .data    = "export object mip",
     .why     = "Renderers compute the size of each mip from the first: the texture is garbled in "
                "the distance, or the game crashes.",
     .fix     = "None is needed if it looks right. Its author should import the texture again in "
                "UnrealEd.",
     .spec    = "upkg.md#9.2")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), SIGNED(f->first));
}

DEFECT_RULE(TEX005, compressed_mips_missing, WARNING, UPKG_NATIVE_FLAW_ROWS, f,
     KIND(COMP_MIPS) | KIND(COMP_FORMAT),
     .class   = CLASS_CORRUPTION, .versions = BETWEEN(58, 69), .also = BIT(UPKG_TEXTURES),
     .title   = "A texture with bHasComp should have compressed mips and their format.",
     .message = "texture {1}, export {0}, has bHasComp, but {2}",
     .data    = "export object defect",
     .why     = "Renderers that use compressed textures do not find them and show nothing in "
                "their place.",
     .fix     = "None is needed if it looks right. Its author should import the texture again in "
                "UnrealEd.",
     .spec    = "upkg.md#9.2")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f),
	       either(f->kind == FLAW_COMP_MIPS, "no compressed mips", "no CompFormat"));
}

DEFECT_RULE(TEX006, clamp_beyond_size, NOTE, UPKG_NATIVE_FLAW_ROWS, f, KIND(CLAMP),
     .class   = CLASS_HYGIENE, .also = BIT(UPKG_TEXTURES),
     .title   = "A texture's UClamp and VClamp should be at most its size.",
     .message = "{2} of texture {1}, export {0}, is {3}, but the texture has {4}",
     .data    = "export object clamp value size",
     .why     = "The renderer shows what is outside the texture.",
     .fix     = "None is needed if it looks right. Its author can import the texture again in "
                "UnrealEd.",
     .spec    = "upkg.md#9.2")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f),
	       either(f->part == 0, "UClamp", "VClamp"), SIGNED(f->first), SIGNED(f->second));
}

DEFECT_RULE(TEX007, palette_missing, WARNING, UPKG_NATIVE_FLAW_ROWS, f, KIND(NO_PALETTE),
     .class   = CLASS_CORRUPTION, .versions = BETWEEN(58, 69), .also = BIT(UPKG_TEXTURES),
     .title   = "A texture of 256 colours should refer to a Palette.",
     .message = "texture {1}, export {0}, has 256 colours, but its palette {2} is not a Palette",
     .data    = "export object palette",
     .why     = "The engine stops when the texture is shown: the game crashes.",
     .fix     = "Get the file again; if it still fails, its author should import the texture "
                "again in UnrealEd.",
     .spec    = "upkg.md#9.2")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), SIGNED(f->first));
}

DEFECT_RULE(TEX008, mips_too_many, ERROR, UPKG_RESOURCE_FLAW_ROWS, f,
     KIND(MIP_COUNT) | KIND(MIP_COUNT_NEEDED),
     .class   = CLASS_SECURITY, .also = BIT(UPKG_TEXTURES),
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "it is so large that it needs them, the package is of UE2 or of licensee 227, "
                    "whose engine was not examined, or "
		    EDITOR_ALONE,
     .title   = "A texture shall have at most 12 mips.",
     .message = "texture {1}, export {0}, has {2} {2:mip|mips}; there is room for 12",
     .data    = "export object mips",
     .why     = "The engine copies the mips into an array of 12, most often on the stack, and "
                "overwrites what follows: the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it. Its author must import the "
                "texture again with at most 2048 by 2048.",
     .spec    = "upkg.md#9.2")
{
	report_body_as(c, f->kind == FLAW_MIP_COUNT_NEEDED || !is_ue1(c) || is_227(c), f,
		       SIGNED(f->first));
}

DEFECT_RULE(TEX009, texture_size_mismatch, WARNING, UPKG_RESOURCE_FLAW_ROWS, f, KIND(TEXTURE_SIZE),
     .class   = CLASS_CORRUPTION, .versions = BETWEEN(58, 69), .also = BIT(UPKG_TEXTURES),
     .title   = "A texture's USize, VSize, UBits and VBits should be those of its first mip.",
     .message = "{2} of texture {1}, export {0}, is {3}, but its first mip has {4}",
     .data    = "export object property value mip",
     .why     = "Renderers go by the properties and read past the end of the mip: the texture is "
                "garbled or the game crashes.",
     .fix     = "Get the file again; if it still fails, its author should import the texture "
                "again in UnrealEd.",
     .spec    = "upkg.md#9.2")
{
	static const char *const properties[] = { "USize", "VSize", "UBits", "VBits" };

	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), WORD(properties[f->part]),
	       SIGNED(f->first), SIGNED(f->second));
}

DEFECT_RULE(TEX010, drop_count_out_of_range, ERROR, UPKG_RESOURCE_FLAW_ROWS, f, KIND(DROPS),
     .class   = CLASS_SECURITY, .also = BIT(UPKG_TEXTURES),
     .lesser  = SEVERITY_WARNING, .lesser_when = OF_UE2 ", or " EDITOR_ALONE,
     .title   = "A procedural texture shall have no more drops than its class has room for.",
     .message = "NumDrops of texture {1}, export {0}, is {2}; there is room for {3}",
     .data    = "export object drops room",
     .why     = "The engine draws as many drops as the number says, reading and writing past its "
                "array: the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the texture again in UnrealEd.",
     .spec    = "upkg.md#9.2")
{
	report_by_era(c, f, SIGNED(f->first), SIGNED(f->second));
}

DEFECT_RULE(TEX011, spark_count_mismatch, WARNING, UPKG_RESOURCE_FLAW_ROWS, f, KIND(SPARKS),
     .class   = CLASS_SECURITY, .also = BIT(UPKG_TEXTURES),
     .title   = "A FireTexture's NumSparks should be the number of its sparks.",
     .message = "NumSparks of texture {1}, export {0}, is {2}, but the texture has {3} "
                "{3:spark|sparks}",
     .data    = "export object said sparks",
     .why     = "The engine draws as many sparks as the property says, and may read past those "
                "that exist: the game crashes.",
     .fix     = "Get the file again; if it still fails, its author should save the texture again "
                "in UnrealEd.",
     .spec    = "upkg.md#9.2")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), SIGNED(f->first),
	       SIGNED(f->second));
}

DEFECT_RULE(PAL001, palette_count, WARNING, UPKG_NATIVE_FLAW_ROWS, f, KIND(PALETTE_COUNT),
     .class   = CLASS_CORRUPTION, .also = BIT(UPKG_PALETTES),
     .title   = "A palette should have 256 colours.",
     .message = "palette {1}, export {0}, has {2} {2:colour|colours}, expected 256",
     .data    = "export object colours",
     .why     = "Renderers copy 256 colours, past the end of a shorter palette: textures have "
                "other colours, or the game crashes.",
     .fix     = "Get the file again; if it still fails, its author should import the texture "
                "again in UnrealEd.",
     .spec    = "upkg.md#9.3")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), SIGNED(f->first));
}

/* ---- Sounds and music ------------------------------------------------------------------------ */

#define SOUND_FLAWS (KIND(SOUND_TYPE) | KIND(SOUND_NO_WAVE) | KIND(SOUND_LONGER) | KIND(SOUND_OGG))

DEFECT_RULE(SND001, sound_no_wave, WARNING, UPKG_NATIVE_FLAW_ROWS, f, SOUND_FLAWS,
     .class   = CLASS_CORRUPTION, .also = BIT(UPKG_SOUNDS),
     .lesser  = SEVERITY_NOTE,
     .lesser_when = "it is an Ogg file in a sound of the type OGG, which patch 469 plays",
     .title   = "A sound should be a RIFF WAVE file with the type WAV.",
     .message = "sound {1}, export {0}: {2}",
     .data    = "export object defect",
     .why     = "The game does not play the sound, or plays noise.",
     .fix     = "None is needed if it is heard. Its author should import the sound again as WAV "
                "in UnrealEd.",
     .spec    = "upkg.md#9.4")
{
	static const char *const defects[] = {
		[IN_LIST(SOUND_TYPE)] = "its type is not WAV",
		[IN_LIST(SOUND_NO_WAVE)] = "its data does not begin as a RIFF WAVE file",
		[IN_LIST(SOUND_LONGER)] = "its RIFF file is longer than its data",
		[IN_LIST(SOUND_OGG)] = "it is an Ogg file",
	};

	report_as(c, f->kind == FLAW_SOUND_OGG, flaw_place(f), DEC(f->export), flaw_object(c, f),
		  flaw_word(f, defects));
}

#define WAVE_FLAWS \
	(KIND(WAVE_NO_FORMAT) | KIND(WAVE_NO_DATA) | KIND(WAVE_DATA_CUT) | KIND(WAVE_RATE_ZERO) | \
	 KIND(WAVE_CHUNK_CUT) | KIND(WAVE_NO_CHANNELS) | KIND(WAVE_NO_BITS))

DEFECT_RULE(SND002, wave_damaged, WARNING, UPKG_NATIVE_FLAW_ROWS, f, WAVE_FLAWS,
     .class   = CLASS_CORRUPTION, .also = BIT(UPKG_SOUNDS),
     .title   = "The file in a sound should have a format with channels, a rate and bits, and all "
                "of its chunks.",
     .message = "the file in sound {1}, export {0}, {2}",
     .data    = "export object defect",
     .why     = "The game divides by the rate and reads data past the end of the file: the sound "
                "is not heard, or the game crashes.",
     .fix     = "Get the file again; if it still fails, its author should import the sound again "
                "in UnrealEd.",
     .spec    = "upkg.md#9.4")
{
	static const char *const defects[] = {
		[IN_LIST(WAVE_NO_FORMAT)] = "has no format",
		[IN_LIST(WAVE_NO_DATA)] = "has no data",
		[IN_LIST(WAVE_DATA_CUT)] = "has less data than its header says",
		[IN_LIST(WAVE_RATE_ZERO)] = "has the rate 0",
		[IN_LIST(WAVE_CHUNK_CUT)] = "ends inside a chunk",
		[IN_LIST(WAVE_NO_CHANNELS)] = "has no channels",
		[IN_LIST(WAVE_NO_BITS)] = "has samples of 0 bits",
	};

	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), flaw_word(f, defects));
}

DEFECT_RULE(SND003, wave_leads_back, ERROR, UPKG_RESOURCE_FLAW_ROWS, f, KIND(WAVE_LEADS_BACK),
     .class   = CLASS_SECURITY, .also = BIT(UPKG_SOUNDS),
     .lesser  = SEVERITY_WARNING, .lesser_when = OF_UE2 ", or " OF_227,
     .title   = "A chunk in a sound's file shall have a length that does not wrap around in 32 "
                "bits.",
     .message = "a chunk in sound {1}, export {0}, has a length of {2}, which wraps around in 32 "
                "bits",
     .data    = "export object bytes",
     .why     = "The engine adds the length in 32 bits and goes back: it reads before the file, "
                "or hangs at the same chunk.",
     .fix     = "Do not use the file. Its author must import the sound again in UnrealEd.",
     .spec    = "upkg.md#9.4")
{
	report_body_as(c, !is_ue1(c) || is_227(c), f, SIZE((uint64_t)f->first));
}

DEFECT_RULE(MUS001, music_type_unknown, NOTE, UPKG_NATIVE_FLAW_ROWS, f, KIND(MUSIC_TYPE),
     .class   = CLASS_COMPATIBILITY, .also = BIT(UPKG_MUSICS),
     .title   = "A music's type should be one that players of the engine know.",
     .message = "music {1}, export {0}, has the unknown type {2}",
     .data    = "export object type",
     .why     = "The game does not play the music.",
     .fix     = "None is needed if it is heard. Its author should import the music in a format "
                "that the game plays.",
     .spec    = "upkg.md#9.5")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), flaw_name(c, f->first));
}

DEFECT_RULE(MUS002, program_in_sound, WARNING, UPKG_NATIVE_FLAW_ROWS, f, KIND(SMUGGLED),
     .class   = CLASS_SECURITY, .sign = SIGN_INTENT,
     .title   = "Music and sounds should not be programs or packages.",
     .message = "the data of export {0}, {1}, begins like a program or a package",
     .data    = "export object",
     .why     = "Such data can bring a program to the player's computer inside a downloaded "
                "package; anti-cheat mods are known to do so.",
     .fix     = "Scan it for malware, and ask its author what it is for. The author should take "
                "it out, or say so.",
     .spec    = "upkg.md#9.5")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f));
}

DEFECT_RULE(MUS003, music_type_contradicted, WARNING, UPKG_NATIVE_FLAW_ROWS, f, KIND(MUSIC_FORM),
     .class   = CLASS_CORRUPTION, .also = BIT(UPKG_MUSICS),
     .title   = "The data of music should be of the type that it names.",
     .message = "music {1}, export {0}, has the type {2}, but its data does not begin like that "
                "type",
     .data    = "export object type",
     .why     = "The game does not play the music.",
     .fix     = "None is needed if it is heard. Its author should import the music again in "
                "UnrealEd.",
     .spec    = "upkg.md#9.5")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), flaw_name(c, f->first));
}

/* ---- Texts and polygons ---------------------------------------------------------------------- */

DEFECT_RULE(TXT001, text_without_end, ERROR, UPKG_NATIVE_FLAW_ROWS, f, KIND(TEXT_END),
     .class   = CLASS_SECURITY, .also = BIT(UPKG_TEXTS),
     .lesser  = SEVERITY_WARNING, .lesser_when = OF_UE2 ", or " EDITOR_ALONE,
     .title   = "A TextBuffer's text shall end in a NUL.",
     .message = "the text of export {0}, {1}, does not end in a NUL",
     .data    = "export object",
     .why     = "The engine reads past the end of the text when it uses it: the game shows other "
                "text or crashes.",
     .fix     = "Get the file again; if it still fails, its author must save the package again in "
                "UnrealEd or with ucc.",
     .spec    = "upkg.md#9.6")
{
	report_body_alone(c, !is_ue1(c), f);
}

DEFECT_RULE(POL001, polygon_vertices, ERROR, UPKG_NATIVE_FLAW_ROWS, f,
     KIND(POLY_VERTICES) | KIND(POLY_VERTICES_FEW),
     .class   = CLASS_SECURITY, .also = BIT(UPKG_POLYS),
     .lesser  = SEVERITY_WARNING, .lesser_when = "it has fewer than three, or " OF_227,
     .title   = "A polygon shall have at most 16 vertices, and should have at least three.",
     .message = "a polygon of export {0}, {1}, has {2} {2:vertex|vertices}, expected 3 to 16",
     .data    = "export object vertices",
     .why     = "The engine reads them into an array of 16, and overwrites what follows with the "
                "rest: the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it. Its author must rebuild "
                "the brush in UnrealEd.",
     .spec    = "upkg.md#9.7")
{
	report_body_as(c, f->kind == FLAW_POLY_VERTICES_FEW || is_227(c), f, SIGNED(f->first));
}

DEFECT_RULE(POL002, polygon_count, ERROR, UPKG_NATIVE_FLAW_ROWS, f, KIND(POLY_COUNT),
     .class   = CLASS_SECURITY, .also = BIT(UPKG_POLYS), EDITOR_LESSER,
     .title   = "A list of polygons shall have at most as many as it has room for.",
     .message = "export {0}, {1}, has {2} {2:polygon|polygons}, and room for {3}",
     .data    = "export object polygons room",
     .why     = "The engine allocates by the one number and reads by the other, and overwrites "
                "other memory: the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it. Its author must rebuild "
                "the brush in UnrealEd.",
     .spec    = "upkg.md#9.7")
{
	report_body(c, f, SIGNED(f->first), SIGNED(f->second));
}

/* ---- Fonts and meshes ------------------------------------------------------------------------ */

#define FONT_FLAWS (KIND(FONT_TEXTURE) | KIND(FONT_PAGE) | KIND(FONT_GLYPH) | KIND(FONT_BEYOND))

DEFECT_RULE(FNT001, font_glyphs, WARNING, UPKG_NATIVE_FLAW_ROWS, f, FONT_FLAWS,
     .class   = CLASS_CORRUPTION, .also = BIT(UPKG_FONTS),
     .lesser  = SEVERITY_NOTE,
     .lesser_when = "a glyph ends outside its texture: how many fonts have such glyphs was not "
                    "measured",
     .title   = "A font's pages should be Textures, and each glyph should be inside one of them.",
     .message = "font {1}, export {0}, has {2} {3}, {4}",
     .data    = "export object part number defect",
     .why     = "The renderer reads outside the texture when the character is shown: it is "
                "garbled or the game crashes.",
     .fix     = "None is needed if it looks right. Its author should import the font again in "
                "UnrealEd.",
     .spec    = "upkg.md#9.10")
{
	static const char *const parts[] = {
		[IN_LIST(FONT_TEXTURE)] = "the page",
		[IN_LIST(FONT_PAGE)] = "a glyph of page",
		[IN_LIST(FONT_GLYPH)] = "the glyph",
		[IN_LIST(FONT_BEYOND)] = "the glyph",
	};
	static const char *const defects[] = {
		[IN_LIST(FONT_TEXTURE)] = "which is not a Texture",
		[IN_LIST(FONT_PAGE)] = "which does not exist",
		[IN_LIST(FONT_GLYPH)] = "whose place or size is negative",
		[IN_LIST(FONT_BEYOND)] = "which ends outside its texture",
	};

	report_as(c, f->kind == FLAW_FONT_BEYOND, flaw_place(f), DEC(f->export), flaw_object(c, f),
		  flaw_word(f, parts), SIGNED(f->first), flaw_word(f, defects));
}

DEFECT_RULE(FNT002, characters_per_page, ERROR, UPKG_RESOURCE_FLAW_ROWS, f, KIND(FONT_PER_PAGE),
     .class   = CLASS_SECURITY, .versions = BETWEEN(58, 69), .also = BIT(UPKG_FONTS), EDITOR_LESSER,
     .title   = "A font shall have at least one character on each of its pages.",
     .message = "font {1}, export {0}, has {2} {2:character|characters} on each of its pages, "
                "expected at least 1",
     .data    = "export object characters",
     .why     = "The engine divides by this number for each character that it draws: the game "
                "crashes.",
     .fix     = "Get the file again; if it still fails, its author must import the font again in "
                "UnrealEd.",
     .spec    = "upkg.md#9.10")
{
	report_body(c, f, SIGNED(f->first));
}

DEFECT_RULE(MSH001, mesh_triangles, WARNING, UPKG_NATIVE_FLAW_ROWS, f, KIND(MESH) | KIND(MESH_LOD),
     .class   = CLASS_SECURITY, .also = BIT(UPKG_MESHES),
     .lesser  = SEVERITY_NOTE,
     .lesser_when = "the mesh is a LodMesh: how many of them are so was not measured",
     .title   = "A mesh's frames should have all its vertices, and its triangles should have "
                "vertices and textures that exist.",
     .message = "mesh {1}, export {0}, has {2} {3}, {4}",
     .data    = "export object part number defect",
     .why     = "The engine uses the numbers without a check and reads other memory: the mesh is "
                "garbled or the game crashes.",
     .fix     = "None is needed if it looks right. Its author should import the mesh again in "
                "UnrealEd.",
     .spec    = "upkg.md#9.11")
{
	static const char *const parts[] = {
		"the number of vertices",      "a triangle with the vertex",
		"a triangle with the texture", "a face with the wedge",
		"a face with the material",
	};
	static const char *const defects[] = {
		"which is not the number of its frames times the vertices of a frame",
		"which its frames do not have",
		"which does not exist",
		"which does not exist",
		"which does not exist",
	};

	report_as(c, f->kind == FLAW_MESH_LOD, flaw_place(f), DEC(f->export), flaw_object(c, f),
		  WORD(parts[f->part]), SIGNED(f->first), WORD(defects[f->part]));
}

#define SEQUENCE_FLAWS \
	(KIND(SEQUENCE_NEGATIVE) | KIND(SEQUENCE_EMPTY) | KIND(SEQUENCE_BEFORE) | \
	 KIND(SEQUENCE_FIRST) | KIND(SEQUENCE_END))

DEFECT_RULE(MSH002, mesh_sequence, ERROR, UPKG_RESOURCE_FLAW_ROWS, f, SEQUENCE_FLAWS,
     .class   = CLASS_SECURITY, .also = BIT(UPKG_MESHES),
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "no number is negative: importers write what they are told, or " EDITOR_ALONE,
     .title   = "A mesh's sequences should have frames that exist, and none of their numbers "
                "shall be negative.",
     .message = "mesh {1}, export {0}, has a sequence {2} {3}; it has {4} {4:frame|frames}",
     .data    = "export object defect number frames",
     .why     = "The engine divides by the number of frames, and reads other memory for frames "
                "that do not exist: the game crashes.",
     .fix     = "None is needed if it works; otherwise get the file again. Its author should "
                "import the mesh again, with sequences inside its frames.",
     .spec    = "upkg.md#9.11")
{
	static const char *const defects[] = {
		[IN_LIST(SEQUENCE_NEGATIVE)] = "whose number of frames is",
		[IN_LIST(SEQUENCE_EMPTY)] = "whose number of frames is",
		[IN_LIST(SEQUENCE_BEFORE)] = "that begins at frame",
		[IN_LIST(SEQUENCE_FIRST)] = "that begins at frame",
		[IN_LIST(SEQUENCE_END)] = "that ends before frame",
	};

	report_body_as(c, f->kind != FLAW_SEQUENCE_NEGATIVE && f->kind != FLAW_SEQUENCE_BEFORE, f,
		       flaw_word(f, defects), SIGNED(f->first), SIGNED(f->second));
}
