/* The rules for the names of members as paths: where they lead, and what systems make of them. */
#include "formats/umod/member_rules.h"

DEFECT_RULE(UMD014, path_unsafe, ERROR, UMOD_MEMBERS, m, PATH_UNSAFE,
     .class   = CLASS_SECURITY, .sign = SIGN_PATH,
     .title   = "A member's name shall be a relative path that stays below the game's folder on "
                "every system.",
     .message = "the name of entry {0} {1}: {2}",
     .data    = "entry danger name",
     .why     = "Extractors that do not check the name write outside the game's folder, to a "
                "device or into a hidden stream of a file (path traversal, CVE-2004-1958).",
     .fix     = "Do not install or unpack it; no mod needs such a name. Its author must rename "
                "the file and rebuild the installer.",
     .spec    = "umod.md#4.2")
{
	report_name(c, m, path_danger(m->traits));
}

DEFECT_RULE(UMD024, name_deceptive, WARNING, UMOD_MEMBERS, m, PATH_DECEPTIVE,
     .class   = CLASS_SECURITY,
     .title   = "A member's name should have no characters that are invisible or reorder others, "
                "and no half of a surrogate pair.",
     .message = "the name of entry {0} has an invisible or reordering character, or half of a "
                "surrogate pair: {1}",
     .data    = "entry name",
     .why     = "The player sees another name, often with another extension, than the one that is "
                "installed (CVE-2021-42574).",
     .fix     = "Do not open the file before you know its real name. Its author should rename the "
                "file and rebuild the installer.",
     .spec    = "umod.md#4.3")
{
	report_member(c, m, ENTRY_AT(c, m, name));
}

DEFECT_RULE(UMD015, directory_unknown, NOTE, UMOD_MEMBERS, m,
     (uint32_t)PATH_SLASH | UMOD_FOREIGN_FOLDER,
     .class   = CLASS_HYGIENE,
     .title   = "A member should be in a folder that a game has, with \\ as separator.",
     .message = "the name of entry {0} {1}: {2}",
     .data    = "entry reason name",
     .why     = "The game looks for files in its own folders only; a file elsewhere is found by "
                "the mod alone, if at all. Many mods do so on purpose.",
     .fix     = "None is needed if the mod works. Its author can check the folder for a typing "
                "error.",
     .spec    = "umod.md#4.5")
{
	const bool slash = m->traits & PATH_SLASH;

	if (m->traits & UMOD_FOLDER_BEGINS || (slash && !(m[-1].traits & PATH_SLASH)))
		report_name(c, m,
			    slash ? "has / as separator, expected \\"
				  : "begins with a folder that no stock game has");
}

DEFECT_RULE(UMD018, member_executable, NOTE, UMOD_MEMBERS, m, UMOD_IS_EXECUTABLE,
     .class   = CLASS_SECURITY, .sign = SIGN_INTENT,
     .title   = "A member should not be a program or a script that Windows runs.",
     .message = "entry {0} is a program or a script: {1}",
     .data    = "entry name",
     .why     = "It has the player's rights once it is opened. Native mods and tools contain one "
                "for good reasons.",
     .fix     = "Scan it for malware before you run it. An author should leave it out unless the "
                "mod needs it.",
     .spec    = "umod.md#4.6")
{
	report_member(c, m, ENTRY_AT(c, m, name));
}

DEFECT_RULE(UMD019, name_not_portable_to_mac, NOTE, UMOD_MEMBERS, m, PATH_LONG_NAME | PATH_SPACE,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A member's name should have no spaces and at most 31 characters after the last "
                "separator.",
     .message = "the name of entry {0} {1}: {2}",
     .data    = "entry reason name",
     .why     = "Installers for the Macintosh truncate names longer than 31 characters, and some "
                "redirect servers fail at a space: these players do not get the file.",
     .fix     = "None is needed on Windows and Linux. Its author can rename the file and rebuild "
                "the installer.",
     .spec    = "umod.md#4.7")
{
	report_name(c, m,
		    m->traits & PATH_LONG_NAME ? "has more than 31 characters" : "has a space");
}

DEFECT_RULE(UMD025, name_character_reserved, WARNING, UMOD_MEMBERS, m, PATH_RESERVED,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A member's name should have none of the characters < > \" | ? *",
     .message = "the name of entry {0} has a character that Windows reserves: {1}",
     .data    = "entry name",
     .why     = "Windows cannot create a file of this name, and the engine takes * for a "
                "wildcard: the player does not get the file.",
     .fix     = "Ask the author for an installer without such names; the author should rename the "
                "file and rebuild it.",
     .spec    = "umod.md#4.8")
{
	report_member(c, m, ENTRY_AT(c, m, name));
}

DEFECT_RULE(UMD026, name_not_normal, WARNING, UMOD_MEMBERS, m, PATH_SELF | PATH_EMPTY_COMPONENT,
     .class   = CLASS_HYGIENE,
     .title   = "A member's name should have no empty component and no component that is a single "
                "dot.",
     .message = "the name of entry {0} {1}: {2}",
     .data    = "entry reason name",
     .why     = "The same path can be spelt in two ways, so that looking it up or looking for "
                "duplicates fails; a separator at the end makes a folder of a file.",
     .fix     = "Ask the author for an installer with plain names; the author should rename the "
                "file and rebuild it.",
     .spec    = "umod.md#4.9")
{
	report_name(c, m,
		    m->traits & PATH_SELF ? "has a component that is a single dot"
					  : "has an empty component");
}
