/* Words that manifests and paths are made of, for mutators and dictionaries. */
#ifndef UVET_FUZZ_SUPPORT_TOKENS_H
#define UVET_FUZZ_SUPPORT_TOKENS_H

#include <stddef.h>

/* A token is n bytes; some hold NULs. */
struct token {
	const char *bytes;
	size_t n;
};

#define TOKEN(text) { text, sizeof(text) - 1 }

/* Lines and words of manifests. */
static const struct token manifest_tokens[] = {
	TOKEN("[Setup]\r\n"), TOKEN("[Files]\r\n"), TOKEN("Product=Foo\r\n"), TOKEN("Version=100\r\n"), TOKEN("Group=Files\r\n"),
	TOKEN("Group=Setup\r\n"), TOKEN("Requires=Files\r\n"), TOKEN("Archive=..\\Foo.umod\r\n"), TOKEN("ReadMe=Help\\Foo.txt\r\n"),
	TOKEN("License="), TOKEN("Logo="), TOKEN("File=(Src=System\\Foo.u,Size=34)\r\n"),
	TOKEN("Copy=(Src=System\\Manifest.ini,Size=1,Flags=3)\r\n"), TOKEN("File=("), TOKEN("Copy=("), TOKEN("(Src="), TOKEN(",Dest="),
	TOKEN(",Ref="), TOKEN("Master=x Dest="),
	TOKEN(",Size="), TOKEN(",Flags="), TOKEN(")"), TOKEN("\""), TOKEN("Delete=System\\Foo.u\r\n"), TOKEN("Backup="),
	TOKEN("Folder="), TOKEN("RemovePath=..\\Maps\r\n"), TOKEN("Shortcut="), TOKEN("WinRegistry="), TOKEN("WinRegistry=HKEY_CLASSES_ROOT\\a\\=b\n"),
	TOKEN("DirectXHook=a\n"), TOKEN("PostExec=a\n"), TOKEN("DefaultFolder=..\n"), TOKEN("Ini=System\\a.bat,b.c=d\n"),
	TOKEN("Ini=System\\Foo.ini,Engine.GameEngine.ServerPackages=Foo\r\n"), TOKEN("AddIni="), TOKEN("SaveIni="), TOKEN("RemoveIni="),
	TOKEN("RemoveIniValue="), TOKEN("ModURL=javascript:x\r\n"), TOKEN("URL="), TOKEN("aURL=..\\a.exe\n"), TOKEN("aURL=b.com\n"), TOKEN("www."),
	TOKEN("Exe=..\\a.exe\n"), TOKEN("IsMasterProduct=1\n"), TOKEN("Product=RefCounts\n"), TOKEN("%WinPath%"), TOKEN("%Language%"),
	TOKEN("Shortcut=Files\n"), TOKEN("ReadMe=a.exe\n"), TOKEN("Core.System.Paths=x"), TOKEN("Product=Unreal"),
	TOKEN("Product=UnrealTournament"), TOKEN("Product=UT2004"), TOKEN("Product=DeusEx"), TOKEN("Product=Rune"),
	TOKEN("Version=470"), TOKEN("System\\Manifest.ini"), TOKEN("System\\Manifest.int"), TOKEN("System/Foo.u"), TOKEN("System\\"),
	TOKEN("\r\n"), TOKEN("\n"), TOKEN("\r"), TOKEN(";"), TOKEN("["), TOKEN("]"), TOKEN("="), TOKEN(","), TOKEN("\x1A"), TOKEN("\t"),
	TOKEN("\x7F"), TOKEN("\xFF\xFE"), TOKEN("\xFE\xFF"), TOKEN("[\0S\0e\0t\0u\0p\0]\0\n\0"), TOKEN("[[INT]]\n"),
	TOKEN("File=\n"), TOKEN("Group=\n"), TOKEN("Ini=\n"), TOKEN("Logo=\n"), TOKEN("[x]\n"), TOKEN("x\n"),
	TOKEN("[General]\r\n"), TOKEN("%"), TOKEN("%Product%"), TOKEN("%SrcPath%"), TOKEN("Folder=%x%\n"), TOKEN("x=..\n"), TOKEN("x=Foo\n"),
	TOKEN("[Files]File="), TOKEN("Group=\"Files\"\n"), TOKEN("Group= Files\n"), TOKEN("Ini=!"), TOKEN("[\xC9]\n"), TOKEN("Group=\xE9\n"),
	TOKEN("9223372036854775807"), TOKEN("9223372036854775808"), TOKEN("-1"), TOKEN("0"),
};

/* Names that are dangerous, unusual or hard to show. */
static const struct token path_tokens[] = {
	TOKEN("..\\"), TOKEN("../"), TOKEN("..\\..\\..\\"), TOKEN("C:\\"), TOKEN("c:"), TOKEN("\\\\host\\share\\"), TOKEN("\\\\?\\"),
	TOKEN("\\"), TOKEN("/"), TOKEN("\\\\"),
	TOKEN(".\\"), TOKEN("CON"), TOKEN("aux.u"), TOKEN(" nul"), TOKEN("COM1"), TOKEN("LPT\xB9"),
	TOKEN("CLOCK$"), TOKEN("CONOUT$"), TOKEN(":stream"), TOKEN("."), TOKEN(" "),
	TOKEN("\x01"), TOKEN("\x7F"), TOKEN("\x85"), TOKEN("<"),
	TOKEN("|"), TOKEN("*"), TOKEN("\""), TOKEN("\xFF"), TOKEN("\x9A"), TOKEN("\x8A"), TOKEN("\xE4"), TOKEN("\xC4"),
	TOKEN("\x2E\x20"), TOKEN("\x66\x20"), TOKEN("\x0B\x20"), TOKEN("\x3D\xD8"), TOKEN("\x00\xDE"), TOKEN("\x85\x00"),
	TOKEN("\xE2\x80\xAE"), TOKEN("\xEF\xBB\xBF"), TOKEN("::error::"), TOKEN("##vso[task.complete]"), TOKEN("\x1B[31m"), TOKEN("<b>"),
	TOKEN("](javascript:x)"), TOKEN("{0}"), TOKEN("%s%n"), TOKEN("System\\Foo.exe"), TOKEN("Maps\\Foo.unr"), TOKEN("Foo.det"),
	TOKEN("System\\Manifest.det"), TOKEN("thirty-two-characters-are-too-long.u"),
};

#define TOKENS(list) (sizeof(list) / sizeof *(list))

#endif
