/* The rules for the names of members as paths: where they lead, and what systems make of them. */
#include "formats/umod/member_rules.h"

DEFECT_RULE(UMD014, path_unsafe, ERROR, UMOD_MEMBERS, m, PATH_UNSAFE,
     .class   = CLASS_SECURITY, .sign = SIGN_PATH,
     .title   = "A member's name shall be a relative path that stays below the game's folder on "
                "every system.",
     .message = "the name of entry {0} {1}: {2}",
     .data    = "entry danger name",
     .why     = "Extractors that do not check write outside the game's folder, over a device or "
                "into a hidden stream (CVE-2004-1958).",
     .fix     = "Reject the file: no honest installer needs this.",
     .spec    = "umod.md#4.2")
{
	report_name(c, m, path_danger(m->traits));
}

DEFECT_RULE(UMD024, name_deceptive, WARNING, UMOD_MEMBERS, m, PATH_DECEPTIVE,
     .class   = CLASS_SECURITY,
     .title   = "A member's name should have no characters that hide or reorder others.",
     .message = "the name of entry {0} has an invisible or reordering character, or half of a "
                "surrogate pair: {1}",
     .data    = "entry name",
     .why     = "People see another name, often another extension, than the one that is installed "
                "(CVE-2021-42574).",
     .fix     = "Rename the file and rebuild the installer.",
     .spec    = "umod.md#4.3")
{
	report_member(c, m, ENTRY_AT(c, m, name));
}

DEFECT_RULE(UMD015, directory_unknown, NOTE, UMOD_MEMBERS, m,
     (uint32_t)PATH_SLASH | UMOD_FOREIGN_FOLDER,
     .class   = CLASS_HYGIENE,
     .title   = "A member should lie in a folder that the game has, with \\ as separator.",
     .message = "the name of entry {0} {1}: {2}",
     .data    = "entry reason name",
     .why     = "Files in a folder of their own are found by nobody but the mod; many mods do so "
                "on purpose.",
     .fix     = "Nothing, if it is meant.",
     .spec    = "umod.md#4.5")
{
	const bool slash = m->traits & PATH_SLASH;

	if (m->traits & UMOD_FOLDER_BEGINS || (slash && !(m[-1].traits & PATH_SLASH)))
		report_name(c, m,
			    slash ? "has a / as separator"
				  : "begins with a folder that no stock game has");
}

DEFECT_RULE(UMD018, member_executable, NOTE, UMOD_MEMBERS, m, UMOD_IS_EXECUTABLE,
     .class   = CLASS_SECURITY,
     .title   = "A member should not be a program or a script that Windows runs.",
     .message = "entry {0} is a program or a script: {1}",
     .data    = "entry name",
     .why     = "It runs with the player's rights once it is opened. Native mods and tools have "
                "one for good reasons.",
     .fix     = "Scan it for malware before the mod is published.",
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
     .why     = "The games' Macintosh installers cut longer names, and redirect servers trip over "
                "spaces.",
     .fix     = "Rename the file and rebuild the installer.",
     .spec    = "umod.md#4.7")
{
	report_name(c, m,
		    m->traits & PATH_LONG_NAME ? "is longer than 31 characters" : "has a space");
}

DEFECT_RULE(UMD025, name_character_reserved, WARNING, UMOD_MEMBERS, m, PATH_RESERVED,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A member's name should have none of the characters < > \" | ? *",
     .message = "the name of entry {0} has a character that Windows reserves: {1}",
     .data    = "entry name",
     .why     = "Windows cannot create the file, and * is a wildcard to the engine's own look-up.",
     .fix     = "Rename the file and rebuild the installer.",
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
     .why     = "Two spellings of one path defeat look-ups and duplicate checks; a separator at "
                "the end names a folder.",
     .fix     = "Rename the file and rebuild the installer.",
     .spec    = "umod.md#4.9")
{
	report_name(c, m,
		    m->traits & PATH_SELF ? "has a component that is a single dot"
					  : "has an empty component");
}
