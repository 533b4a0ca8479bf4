"""Black-box tests of layouts: which rules are asked of an archive, by --layout, a configuration and a profile."""
import json
import struct
import unittest
import zlib

import samples
from case import Case, needs
from test_cli_archives import zip_of

MANIFEST = {"name": "Foo", "version_number": "1.0.0", "website_url": "", "description": "", "dependencies": []}


def picture(width=256, height=256):
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))


def package(**changes):
    """A package for Thunderstore; files of other names, or with other bytes, or left out by None."""
    files = {"manifest.json": json.dumps(MANIFEST).encode(), "icon.png": picture(), "README.md": b"A mod.\n", "mod/main.lua": b"x = 1\n"}
    files.update({name.replace("__", "/").replace("_", "."): data for name, data in changes.items()})
    return zip_of(*[(name, data) for name, data in files.items() if data is not None])


class Layouts(Case):
    def rules(self, *args, code=0):
        lines = self.expect(code, "-f", "ndjson", *args).stdout.splitlines()
        return sorted(row["rule"] for row in map(json.loads, lines) if row["type"] == "finding" and row["rule"].startswith("LAY"))

    def test_a_layout_chooses_rules(self):
        self.write("a.zip", zip_of(("Foo.umod", samples.GOOD)))
        self.assertEqual(self.rules("a.zip"), [])
        self.assertEqual(self.rules("--layout", "none", "a.zip"), [])
        self.assertEqual(self.rules("--layout", "thunderstore", "a.zip", code=1), ["LAY040"] * 3)
        self.assertEqual(self.rules("--layout", "modio", "a.zip", code=1), ["LAY045"])
        for layout in ("nexus", "ut99", "ut2004", "ue4-mods"):
            self.assertEqual(self.rules("--layout", layout, "a.zip"), [])
        self.expect_usage("check", "--layout", "ut98", "a.zip", says=["expected thunderstore, modio, nexus, ut99, ut2004, ue4-mods or none"])

    def test_rules_that_are_not_asked_do_not_apply(self):
        self.write("a.zip", package())
        for layout, asked in (("none", []), ("thunderstore", ["LAY003", "LAY040", "LAY041", "LAY042"])):
            passed = json.loads(self.expect(0, "-f", "json", "--show-passed", "--layout", layout, "a.zip").stdout)["artifacts"][0]["coverage"]["rules_passed"]
            self.assertEqual([r for r in ("LAY003", "LAY040", "LAY041", "LAY042", "LAY043") if r in passed], asked)

    @needs("inih")
    def test_a_configuration_sets_it(self):
        self.write("a.zip", package(README_md=None))
        self.write("site.ini", b"[uvet]\nlayout = thunderstore\n")
        self.assertEqual(self.rules("--config", "site.ini", "a.zip", code=1), ["LAY040"])
        self.assertIn(b"layout = thunderstore", self.expect(0, "check", "--config", "site.ini", "--show-settings").stdout)
        self.assertEqual(self.rules("--config", "site.ini", "--layout", "none", "a.zip"), [])

    def test_packages_for_thunderstore(self):
        self.write("a.zip", package())
        self.assertEqual(self.rules("--layout", "thunderstore", "a.zip"), [])
        for change, rule in (({"icon_png": picture(255)}, "LAY040"), ({"README_md": b"\xff"}, "LAY040"), ({"manifest_json": b"{"}, "LAY041")):
            self.write("a.zip", package(**change))
            self.assertEqual(self.rules("--layout", "thunderstore", "a.zip", code=1), [rule])
        self.write("a.zip", package(manifest_json=None, Foo__manifest_json=b"{}"))
        self.assertEqual(self.rules("--layout", "thunderstore", "a.zip", code=1), ["LAY003", "LAY040"])

    def test_archives_in_archives_are_not_uploads(self):
        self.write("a.zip", zip_of(("inner.zip", zip_of(("Foo.txt", b"text")))))
        self.assertEqual(self.rules("--layout", "modio", "a.zip", code=1), ["LAY045"])
        self.assertEqual(self.rules("--layout", "nexus", "a.zip", code=1), ["LAY043"])

    def test_tables_alone(self):
        """What is asked of members' bytes is not judged, and what is asked of their names is."""
        self.write("a.zip", package(icon_png=b"none", README_md=None))
        self.assertEqual(self.rules("--level", "structure", "--layout", "thunderstore", "a.zip", code=1), ["LAY040"])
        self.assertEqual(self.rules("--layout", "thunderstore", "a.zip", code=1), ["LAY040", "LAY040"])

    def test_rules_say_of_what_they_are_asked(self):
        self.assertIn(b"layout    ut99, ut2004\n", self.expect(0, "explain", "LAY020").stdout)
        self.assertNotIn(b"layout    ", self.expect(0, "explain", "LAY001").stdout)
        rules = {r["id"]: r["layouts"] for r in json.loads(self.expect(0, "rules", "-f", "json").stdout)["rules"]}
        self.assertEqual((rules["LAY001"], rules["LAY041"], rules["UMD006"]), ([], ["thunderstore"], []))

    def test_the_profile_of_sites(self):
        self.write("a.zip", zip_of(("Foo.umod", samples.GOOD), ("Foo.exe", b"MZ")))
        found = json.loads(self.expect(0, "-f", "json", "--profile", "hosting", "a.zip").stdout)["findings"]
        self.assertIn(("ARC049", "warning"), [(f["rule"], f["severity"]) for f in found])


if __name__ == "__main__":
    unittest.main()
