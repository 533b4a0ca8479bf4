"""Black-box tests of uploads as people make them, right and wrong: what a player reads names the cause first."""
import json
import unittest

from case import Case, needs
from test_cli_archives import zip_of
from test_cli_layout import MANIFEST, picture

HTML = b"<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>Sign in to download this file</body></html>\n"
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"4d" * 32 + b"\nsize 202193\n"
SITE = (("manifest.json", json.dumps(MANIFEST).encode()), ("icon.png", picture()), ("README.md", b"A mod.\n"))


class Uploads(Case):
    def setUp(self):
        super().setUp()
        self.package = self.assemble("upkg/good_smallest", "p")
        self.pak = self.assemble("pak/good_minimal", "q")

    def first(self, name, *args, code):
        """The first line that says what is the matter: that of a diagnosis, or of the first finding."""
        lines = self.expect(code, "check", "--layout", *args, name).stdout.decode().splitlines()
        said = [line for line in lines if
                line.startswith(("Cause: ", "Most likely: ", "error[", "warning[", "note[", "undetermined["))]
        return said[0] if said else ""

    def says(self, words, data, *args, code, name="Mod.zip"):
        self.write(name, data)
        self.assertIn(words, self.first(name, *args, code=code))

    def is_fine(self, data, *args, name="Mod.zip"):
        self.write(name, data)
        self.assertEqual(self.first(name, *args, code=0), "")

    @needs("nettle")
    def test_good_uploads(self):
        self.is_fine(zip_of(("System/Mod.u", self.package), ("Help/Mod.txt", b"Read me.\n")), "ut99")
        self.is_fine(zip_of(("Textures/Mod.utx", self.package)), "ut2004")
        self.is_fine(zip_of(("Game/Content/Paks/~mods/Mod_P.pak", self.pak)), "ue4-mods")
        self.is_fine(zip_of(*SITE, ("pak/Mod_P.pak", self.pak)), "thunderstore")
        self.is_fine(zip_of(("Mod_P.pak", self.pak)), "modio")
        self.is_fine(zip_of(("Mod_P.pak", self.pak), ("readme.txt", b"Read me.\n")), "nexus")
        self.is_fine(zip_of(("Mod/Scripts/main.lua", b"x = 1\n"), ("Mod/enabled.txt", b"")), "ue4-mods")
        self.is_fine(zip_of(("Mod.u", self.package)), "redirect")

    def test_what_was_uploaded_is_another_file(self):
        self.says("HTML", HTML, "nexus", code=1)
        self.says("Git LFS", POINTER, "nexus", code=1)
        self.says("truncated", zip_of(("Mod_P.pak", self.pak * 40))[:-60], "nexus", code=1)
        self.says("none of 2 files is one that a game loads", zip_of(("a.psd", b"8BPS"), ("b.blend", b"BLENDER")), "nexus", code=0)

    @needs("nettle")
    def test_what_lies_wrong(self):
        self.says("is in the folder of another kind of packages, its own is System", zip_of(("Maps/Mod.u", self.package)), "ut99", code=0)
        self.says("the game has a package \"System/Botpack.u\" of its own", zip_of(("System/Botpack.u", self.package)), "ut99", code=0)
        self.says("everything is in the folder \"Mod 1.0\"", zip_of(("Mod 1.0/Mod_P.pak", self.pak), ("Mod 1.0/a.txt", b"")), "nexus", code=0)
        self.says("the player's settings of the game are replaced", zip_of(("System/User.ini", b"[Engine.Input]\n")), "ut99", code=0)
        self.says("Git LFS", zip_of(("Mod_P.pak", POINTER)), "nexus", code=1)
        self.says("has neither a .uasset nor a .umap", zip_of(("Mod_P.pak", self.pak), ("A.uexp", b"1234")), "ue4-mods", code=0)
        self.says("should be at the root, and is: in a folder", zip_of(("Maps/Mod.u", self.package)), "redirect", code=0)

    def test_what_a_site_refuses(self):
        self.says("lacks at its root a file of this very name: manifest.json", zip_of(*SITE[1:], ("pak/Mod_P.pak", self.pak)),
                  "thunderstore", code=1)
        self.says("version_number", zip_of(("manifest.json", json.dumps(dict(MANIFEST, version_number="1.0")).encode()), *SITE[1:]),
                  "thunderstore", code=1)
        self.says("should have 256 pixels each way", zip_of(SITE[0], ("icon.png", picture(512, 512)), SITE[2]), "thunderstore", code=1)
        self.says("is an archive itself", zip_of(("Mod.zip", zip_of(("Mod_P.pak", self.pak)))), "nexus", code=1)
        self.says("0 files end in .pak", zip_of(("Mod.umod", b"x" * 40)), "modio", code=1)

    @needs("nettle")
    def test_a_folder_says_what_its_zip_does(self):
        for files, layout, code in (((("Maps/Mod.u", self.package),), "ut99", 0), (((*SITE[1:], ("pak/Mod_P.pak", self.pak))), "thunderstore", 1)):
            for name, data in files:
                self.write(f"{layout}/{name}", data)
            self.write("Mod.zip", zip_of(*files))
            of_zip = self.first("Mod.zip", layout, code=code).replace("the archive", "the folder")
            self.assertEqual(self.first(layout, layout, code=code), of_zip)


if __name__ == "__main__":
    unittest.main()
