"""Black-box tests of packages inside containers: which of them reports tell of, and what limits leave out."""
import json
import unittest

from case import Case, needs

FOO, BAR = "../../../Foo/Content/Mods/Foo.uasset", "../../../Foo/Content/Mods/Bar.uasset"
FLAGS = 0x80002200.to_bytes(4, "little")
EDITOR = 0x00002200.to_bytes(4, "little")


@needs("blake3")
class Packages(Case):
    def setUp(self):
        super().setUp()
        self.assemble("iostore/good_minimal", "Mod_P.utoc")

    def damage(self, n=2):
        """Takes a flag away from the first n packages, which is a warning; the digests of their chunks are other ones then, too."""
        self.write("Mod_P.ucas", self.read("Mod_P.ucas").replace(FLAGS, EDITOR, n))

    def check(self, *args, code=1):
        done = self.expect(code, "check", "-f", "json", *args, "Mod_P.utoc")
        return [a for a in json.loads(done.stdout)["artifacts"] if not a["path"].endswith(".pak")]

    def infos(self):
        lines = self.expect(0, "info", "Mod_P.utoc").stdout.decode().splitlines()
        return dict(line.split()[:2] for line in lines if line.split()[:1] in (["packages"], ["sound_packages"]))

    def test_sound_ones_are_counted(self):
        self.assertEqual([a["path"] for a in self.check(code=0)], ["Mod_P.utoc"])
        self.assertEqual(self.infos(), {"packages": "2", "sound_packages": "2"})

    def test_others_are_files(self):
        self.damage(1)
        found = self.check()
        self.assertEqual([a["path"] for a in found], ["Mod_P.utoc", "Mod_P.utoc!" + FOO])
        self.assertEqual([a.get("format") for a in found], ["utoc", "zen"])
        self.assertNotIn("offset", found[1])
        self.assertEqual(self.infos(), {"packages": "2", "sound_packages": "1"})

    def test_what_happened_to_another_container_is_not_said_of_packages(self):
        """Each chunk is another than the container says: what its packages look like tells nothing of this download. Of the .pak it does."""
        data = self.read("Mod_P.ucas")
        for n, outer, inner in [(1, "damaged", ["truncated"]), (2, "wrong_companion", [None, None])]:
            damaged, at = bytearray(data), -1
            for _ in range(n):
                at = data.index(FLAGS, at + 1)
                damaged[at - 12:at - 8] = (2000).to_bytes(4, "little")      # the size of its header
            if n == 2:
                damaged[data.index(b"nCoI") + 4] ^= 1
            self.write("Mod_P.ucas", damaged)
            found = [a.get("diagnosis", {}).get("id") for a in self.check()]
            self.assertEqual(found, [outer, *inner])
        self.write("Mod_P.pak", self.read("Mod_P.pak")[:-50])
        (pak,) = [a for a in json.loads(self.run_uvet("check", "-f", "json", "Mod_P.utoc").stdout)["artifacts"] if a["path"] == "Mod_P.pak"]
        self.assertIn("diagnosis", pak)

    def test_threads_change_nothing(self):
        self.damage()
        one, four = (self.expect(1, "check", "-f", "json", "-j", n, "Mod_P.utoc").stdout for n in "14")
        self.assertEqual(one, four)
        self.assertIn(BAR.encode(), one)

    def test_limits_are_told(self):
        self.damage()
        for option, rest in [("--max-nested=1", 1), ("--max-depth=0", 0), ("--max-unpacked=100", 0)]:
            found = self.check(option)
            self.assertLessEqual(len(found), 1 + rest)
            self.assertIn(b"RUN001", self.expect(1, "check", option, "-f", "concise", "Mod_P.utoc").stdout)

    def test_structure_looks_at_none(self):
        self.damage()
        self.assertEqual([a["path"] for a in self.check("--level", "structure", code=0)], ["Mod_P.utoc"])


if __name__ == "__main__":
    unittest.main()
