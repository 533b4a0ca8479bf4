/* The families NAT, TEX, PAL, SND, MUS, TXT, POL, FNT and MSH: what objects have after their
 * properties. */
#include "formats/upkg/body/flaw_rules.h"
#include "formats/upkg/classes/parts.h"

/* ---- All of them ----------------------------------------------------------------------------- */

DEFECT_RULE(NAT001, lazy_end, ERROR, UPKG_NATIVE_FLAW_ROWS, f, KIND(LAZY_END),
     .class   = CLASS_CORRUPTION, .versions = SINCE(62), EDITOR_LESSER,
     .title   = "The place that stands before a lazy array shall be where its data ends.",
     .message = "a lazy array of export {0}, {1}, ends at {3}, but says {2}",
     .data    = "export object stored end",
     .why     = "The engine goes on where it is told, in the middle of something else.",
     .fix     = "Get the file again; if it still fails, do not use it.",
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
     .why     = "The engine stops with an error when an object has another size than the table "
                "says.",
     .fix     = "Get the file again; if it still fails, do not use it.",
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
     .title   = "A count of elements shall be such as the body can hold.",
     .message = "a count of export {0}, {1}, is {2}; {3} {3:is|are} left",
     .data    = "export object count left",
     .why     = "Engines allocate for the count before they read an element.",
     .fix     = "Do not use the file.",
     .spec    = "upkg.md#9.1")
{
	report_body(c, f, SIGNED(f->first), SIZE((uint64_t)f->second));
}

DEFECT_RULE(CIX006, count_negative_in_body, ERROR, UPKG_NATIVE_FLAW_ROWS, f, KIND(COUNT_NEGATIVE),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "A count shall not be negative.",
     .message = "a count of export {0}, {1}, is {2}",
     .data    = "export object count",
     .why     = "Engines take it for a size: they allocate without bound, or write where they "
                "should not (CVE-2003-1432).",
     .fix     = "Do not use the file.",
     .spec    = "upkg.md#3.4")
{
	report_body(c, f, SIGNED(f->first));
}

DEFECT_RULE(NAT004, reference_missing, ERROR, UPKG_NATIVE_FLAW_ROWS, f, KIND(NATIVE_REFERENCE),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "What an object's data refers to shall exist.",
     .message = "the data of export {0}, {1}, refers to {2}, which does not exist",
     .data    = "export object reference",
     .why     = "Readers index their tables with the number and read what lies beyond them.",
     .fix     = "Get the file again; if it still fails, do not use it.",
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
     .why     = "The engine takes as many units as are said, and whatever uses the text runs past "
                "its end.",
     .fix     = "Save the package again; if you did not make it, do not use it.",
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
     .why     = "Renderers compute addresses by the bits.",
     .fix     = "Import the texture with sizes that are powers of two.",
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
     .why     = "Renderers read as many as they need.",
     .fix     = "Import the texture again.",
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
     .why     = "Nothing is shown.",
     .fix     = "Import the texture again.",
     .spec    = "upkg.md#9.2")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), SIGNED(f->first),
	       SIGNED(f->second));
}

DEFECT_RULE(TEX004, mips_not_halved, WARNING, UPKG_NATIVE_FLAW_ROWS, f, KIND(MIP_CHAIN),
     .class   = CLASS_CORRUPTION, .also = BIT(UPKG_TEXTURES),
     .title   = "Each mip should be half as large as the one before it, and none follow one of 1 "
                "by 1.",
     .message = "mip {2} of texture {1}, export {0}, is not half as large as the one before it",
     .data    = "export object mip",
     .why     = "Renderers compute the size of a mip from the first one.",
     .fix     = "Import the texture again.",
     .spec    = "upkg.md#9.2")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), SIGNED(f->first));
}

DEFECT_RULE(TEX005, compressed_mips_missing, WARNING, UPKG_NATIVE_FLAW_ROWS, f,
     KIND(COMP_MIPS) | KIND(COMP_FORMAT),
     .class   = CLASS_CORRUPTION, .versions = BETWEEN(58, 69), .also = BIT(UPKG_TEXTURES),
     .title   = "A texture with bHasComp should have compressed mips, and their format.",
     .message = "texture {1}, export {0}, has bHasComp and {2}",
     .data    = "export object defect",
     .why     = "Renderers that use compressed textures look for them.",
     .fix     = "Import the texture again.",
     .spec    = "upkg.md#9.2")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f),
	       either(f->kind == FLAW_COMP_MIPS, "no compressed mips", "no CompFormat"));
}

DEFECT_RULE(TEX006, clamp_beyond_size, NOTE, UPKG_NATIVE_FLAW_ROWS, f, KIND(CLAMP),
     .class   = CLASS_HYGIENE, .also = BIT(UPKG_TEXTURES),
     .title   = "A texture's UClamp and VClamp should be at most its size.",
     .message = "{2} of texture {1}, export {0}, is {3}; the texture has {4}",
     .data    = "export object clamp value size",
     .why     = "What lies beyond the texture would be shown.",
     .fix     = "Import the texture again.",
     .spec    = "upkg.md#9.2")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f),
	       either(f->part == 0, "UClamp", "VClamp"), SIGNED(f->first), SIGNED(f->second));
}

DEFECT_RULE(TEX007, palette_missing, WARNING, UPKG_NATIVE_FLAW_ROWS, f, KIND(NO_PALETTE),
     .class   = CLASS_CORRUPTION, .versions = BETWEEN(58, 69), .also = BIT(UPKG_TEXTURES),
     .title   = "A texture of 256 colours should refer to a Palette.",
     .message = "texture {1}, export {0}, has 256 colours, and {2} as its palette, which is no "
                "Palette",
     .data    = "export object palette",
     .why     = "The engine stops when the texture is shown.",
     .fix     = "Import the texture again.",
     .spec    = "upkg.md#9.2")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), SIGNED(f->first));
}

DEFECT_RULE(TEX008, mips_too_many, ERROR, UPKG_RESOURCE_FLAW_ROWS, f,
     KIND(MIP_COUNT) | KIND(MIP_COUNT_NEEDED),
     .class   = CLASS_SECURITY, .also = BIT(UPKG_TEXTURES),
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "it is so large that it needs them, the package is of UE2 or of licensee 227, "
                    "of which nobody looked it up, or "
		    EDITOR_ALONE,
     .title   = "A texture shall have at most 12 mips.",
     .message = "texture {1}, export {0}, has {2} {2:mip|mips}; there is room for 12",
     .data    = "export object mips",
     .why     = "The engine lists them for the renderer in an array of 12, most often on the "
                "stack, and overwrites what lies behind it.",
     .fix     = "Import the texture again, with at most 2048 by 2048.",
     .spec    = "upkg.md#9.2")
{
	report_body_as(c, f->kind == FLAW_MIP_COUNT_NEEDED || !is_ue1(c) || is_227(c), f,
		       SIGNED(f->first));
}

DEFECT_RULE(TEX009, texture_size_mismatch, WARNING, UPKG_RESOURCE_FLAW_ROWS, f, KIND(TEXTURE_SIZE),
     .class   = CLASS_CORRUPTION, .versions = BETWEEN(58, 69), .also = BIT(UPKG_TEXTURES),
     .title   = "A texture's USize, VSize, UBits and VBits should be those of its first mip.",
     .message = "{2} of texture {1}, export {0}, is {3}; its first mip has {4}",
     .data    = "export object property value mip",
     .why     = "Renderers go by the properties, and read beyond the mip.",
     .fix     = "Import the texture again.",
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
     .why     = "Whoever draws the texture goes over as many, reads and writes behind the array.",
     .fix     = "Save the texture again; if you did not make it, do not use it.",
     .spec    = "upkg.md#9.2")
{
	report_by_era(c, f, SIGNED(f->first), SIGNED(f->second));
}

DEFECT_RULE(TEX011, spark_count_mismatch, WARNING, UPKG_RESOURCE_FLAW_ROWS, f, KIND(SPARKS),
     .class   = CLASS_SECURITY, .also = BIT(UPKG_TEXTURES),
     .title   = "A FireTexture's NumSparks should be the number of its sparks.",
     .message = "NumSparks of texture {1}, export {0}, is {2}; the texture has {3} "
                "{3:spark|sparks}",
     .data    = "export object said sparks",
     .why     = "Whoever draws as many as the property says reads behind those that there are.",
     .fix     = "Save the texture again; if you did not make it, do not use it.",
     .spec    = "upkg.md#9.2")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), SIGNED(f->first),
	       SIGNED(f->second));
}

DEFECT_RULE(PAL001, palette_count, WARNING, UPKG_NATIVE_FLAW_ROWS, f, KIND(PALETTE_COUNT),
     .class   = CLASS_CORRUPTION, .also = BIT(UPKG_PALETTES),
     .title   = "A palette should have 256 colours.",
     .message = "palette {1}, export {0}, has {2} {2:colour|colours}",
     .data    = "export object colours",
     .why     = "Renderers copy 256.",
     .fix     = "Import the texture again.",
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
     .title   = "A sound should be a RIFF WAVE file, called WAV.",
     .message = "sound {1}, export {0}: {2}",
     .data    = "export object defect",
     .why     = "Players refuse it, or take it for what it is not.",
     .fix     = "Import the sound again.",
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
     .title   = "A sound's file should have a format with channels, a rate and bits, and all of "
                "its chunks.",
     .message = "the file in sound {1}, export {0}, {2}",
     .data    = "export object defect",
     .why     = "Players divide by the rate, and read data where it is said to be.",
     .fix     = "Import the sound again.",
     .spec    = "upkg.md#9.4")
{
	static const char *const defects[] = {
		[IN_LIST(WAVE_NO_FORMAT)] = "has no format",
		[IN_LIST(WAVE_NO_DATA)] = "has no data",
		[IN_LIST(WAVE_DATA_CUT)] = "has less data than it says",
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
     .title   = "A chunk of a sound's file shall not be so long that adding its length leads back.",
     .message = "a chunk in sound {1}, export {0}, says that it has {2}",
     .data    = "export object bytes",
     .why     = "The engine looks for the next chunk at the sum, in 32 bits: it reads before the "
                "file, or the same chunk for ever.",
     .fix     = "Do not use the file.",
     .spec    = "upkg.md#9.4")
{
	report_body_as(c, !is_ue1(c) || is_227(c), f, SIZE((uint64_t)f->first));
}

DEFECT_RULE(MUS001, music_type_unknown, NOTE, UPKG_NATIVE_FLAW_ROWS, f, KIND(MUSIC_TYPE),
     .class   = CLASS_COMPATIBILITY, .also = BIT(UPKG_MUSICS),
     .title   = "A music's type should be one that players of the engine know.",
     .message = "music {1}, export {0}, has the unknown type {2}",
     .data    = "export object type",
     .why     = "It is not played.",
     .fix     = "Import the music in a form that the engine plays.",
     .spec    = "upkg.md#9.5")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), flaw_name(c, f->first));
}

DEFECT_RULE(MUS002, program_in_sound, WARNING, UPKG_NATIVE_FLAW_ROWS, f, KIND(SMUGGLED),
     .class   = CLASS_SECURITY,
     .title   = "Music and sounds should not be programs or packages.",
     .message = "the data of export {0}, {1}, begins like a program or a package",
     .data    = "export object",
     .why     = "It is a way to bring native code through the download of a package; anti-cheat "
                "tools are known to do so.",
     .fix     = "Ask the author what it is for.",
     .spec    = "upkg.md#9.5")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f));
}

DEFECT_RULE(MUS003, music_type_contradicted, WARNING, UPKG_NATIVE_FLAW_ROWS, f, KIND(MUSIC_FORM),
     .class   = CLASS_CORRUPTION, .also = BIT(UPKG_MUSICS),
     .title   = "A music's data should be of its type.",
     .message = "music {1}, export {0}, has the type {2}, but does not begin like one",
     .data    = "export object type",
     .why     = "It is not played.",
     .fix     = "Import the music again.",
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
     .why     = "The engine takes as many units as are said, and whatever uses the text runs past "
                "its end.",
     .fix     = "Save the package again.",
     .spec    = "upkg.md#9.6")
{
	report_body_alone(c, !is_ue1(c), f);
}

DEFECT_RULE(POL001, polygon_vertices, ERROR, UPKG_NATIVE_FLAW_ROWS, f,
     KIND(POLY_VERTICES) | KIND(POLY_VERTICES_FEW),
     .class   = CLASS_SECURITY, .also = BIT(UPKG_POLYS),
     .lesser  = SEVERITY_WARNING, .lesser_when = "it has fewer than three, or " OF_227,
     .title   = "A polygon shall have at most 16 vertices, and should have three.",
     .message = "a polygon of export {0}, {1}, has {2} {2:vertex|vertices}",
     .data    = "export object vertices",
     .why     = "The engine reads them into an array of 16, and whatever lies behind that is "
                "overwritten with those that are more.",
     .fix     = "Rebuild the brush.",
     .spec    = "upkg.md#9.7")
{
	report_body_as(c, f->kind == FLAW_POLY_VERTICES_FEW || is_227(c), f, SIGNED(f->first));
}

DEFECT_RULE(POL002, polygon_count, ERROR, UPKG_NATIVE_FLAW_ROWS, f, KIND(POLY_COUNT),
     .class   = CLASS_SECURITY, .also = BIT(UPKG_POLYS), EDITOR_LESSER,
     .title   = "A list of polygons shall have no more than it has room for.",
     .message = "export {0}, {1}, has {2} {2:polygon|polygons}, and room for {3}",
     .data    = "export object polygons room",
     .why     = "The engine allocates for the one number and reads the other.",
     .fix     = "Do not use the file.",
     .spec    = "upkg.md#9.7")
{
	report_body(c, f, SIGNED(f->first), SIGNED(f->second));
}

/* ---- Fonts and meshes ------------------------------------------------------------------------ */

#define FONT_FLAWS (KIND(FONT_TEXTURE) | KIND(FONT_PAGE) | KIND(FONT_GLYPH) | KIND(FONT_BEYOND))

DEFECT_RULE(FNT001, font_glyphs, WARNING, UPKG_NATIVE_FLAW_ROWS, f, FONT_FLAWS,
     .class   = CLASS_CORRUPTION, .also = BIT(UPKG_FONTS),
     .lesser  = SEVERITY_NOTE,
     .lesser_when = "a glyph ends beyond its texture: how many fonts have such glyphs was not "
                    "measured",
     .title   = "A font's pages should be Textures, and its glyphs lie on one of them.",
     .message = "font {1}, export {0}, has {2} {3}, {4}",
     .data    = "export object part number defect",
     .why     = "Renderers read beyond the texture when the character is shown.",
     .fix     = "Import the font again.",
     .spec    = "upkg.md#9.10")
{
	static const char *const parts[] = {
		[IN_LIST(FONT_TEXTURE)] = "the page",
		[IN_LIST(FONT_PAGE)] = "a glyph of page",
		[IN_LIST(FONT_GLYPH)] = "the glyph",
		[IN_LIST(FONT_BEYOND)] = "the glyph",
	};
	static const char *const defects[] = {
		[IN_LIST(FONT_TEXTURE)] = "which is no Texture",
		[IN_LIST(FONT_PAGE)] = "which does not exist",
		[IN_LIST(FONT_GLYPH)] = "whose place or size is negative",
		[IN_LIST(FONT_BEYOND)] = "which ends beyond its texture",
	};

	report_as(c, f->kind == FLAW_FONT_BEYOND, flaw_place(f), DEC(f->export), flaw_object(c, f),
		  flaw_word(f, parts), SIGNED(f->first), flaw_word(f, defects));
}

DEFECT_RULE(FNT002, characters_per_page, ERROR, UPKG_RESOURCE_FLAW_ROWS, f, KIND(FONT_PER_PAGE),
     .class   = CLASS_SECURITY, .versions = BETWEEN(58, 69), .also = BIT(UPKG_FONTS), EDITOR_LESSER,
     .title   = "A font's pages shall have a character each, or more.",
     .message = "font {1}, export {0}, has {2} {2:character|characters} on each of its pages",
     .data    = "export object characters",
     .why     = "The engine divides by the number for every character that it draws.",
     .fix     = "Import the font again.",
     .spec    = "upkg.md#9.10")
{
	report_body(c, f, SIGNED(f->first));
}

DEFECT_RULE(MSH001, mesh_triangles, WARNING, UPKG_NATIVE_FLAW_ROWS, f, KIND(MESH) | KIND(MESH_LOD),
     .class   = CLASS_SECURITY, .also = BIT(UPKG_MESHES),
     .lesser  = SEVERITY_NOTE,
     .lesser_when = "the mesh is a LodMesh: how many of them are so was not measured",
     .title   = "A mesh's frames should have all its vertices, and its triangles vertices and "
                "textures that exist.",
     .message = "mesh {1}, export {0}, has {2} {3}, {4}",
     .data    = "export object part number defect",
     .why     = "The engine indexes its arrays with the numbers.",
     .fix     = "Import the mesh again.",
     .spec    = "upkg.md#9.11")
{
	static const char *const parts[] = {
		"the number of vertices",      "a triangle with the vertex",
		"a triangle with the texture", "a face with the wedge",
		"a face with the material",
	};
	static const char *const defects[] = {
		"which is not its frames times the vertices of one",
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
     .title   = "A mesh's sequences should have frames that exist, and no number of them shall be "
                "negative.",
     .message = "mesh {1}, export {0}, has a sequence {2} {3}; it has {4} {4:frame|frames}",
     .data    = "export object defect number frames",
     .why     = "The engine divides by the number of frames, and takes those that do not exist "
                "from other memory.",
     .fix     = "Import the mesh again, with sequences that lie in it.",
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
