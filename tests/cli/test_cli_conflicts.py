"""Black-box tests of conflicts: what is claimed twice, who wins, what is not judged, and that little memory changes nothing."""
import hashlib
import json
import os
import struct
import unittest

from case import Case, needs

MODS = "Game/Content/Paks/~mods/"


def string(text):
    return struct.pack("<i", len(text) + 1) + text.encode() + b"\0"


def pak(*paths, mount="../../../Game/Content/"):
    """A .pak of version 3 with empty files."""
    record = struct.pack("<qqqI20sBI", 0, 0, 0, 0, hashlib.sha1(b"").digest(), 0, 0)
    index = string(mount) + struct.pack("<I", len(paths)) + b"".join(string(path) + record for path in paths)
    return record + index + struct.pack("<IIqq20s", 0x5A6F12E1, 3, len(record), len(index), hashlib.sha1(index).digest())


class Conflicts(Case):
    def lay(self, name, vector="iostore/good_minimal", with_pak=True):
        """A set under another name."""
        self.assemble(vector, "Mod_P.utoc")
        for ending in ("utoc", "ucas", "pak"):
            os.makedirs(os.path.dirname(self.folder / name), exist_ok=True)
            source = self.folder / f"Mod_P.{ending}"
            if ending != "pak" or with_pak:
                self.write(f"{name}.{ending}", source.read_bytes())
            source.unlink()

    def ask(self, code, *args):
        done = self.expect(code, "conflicts", "-f", "json", *args)
        self.assertEqual(done.stderr, b"")
        return json.loads(done.stdout)

    @staticmethod
    def outcomes(conflict):
        return {os.path.basename(c["path"]): c["outcome"] for c in conflict["claimants"]}

    def test_one_set_has_no_conflict(self):
        self.lay("A_P")
        said = self.ask(0, ".")
        self.assertEqual((said["conflicts"], said["unjudged"], said["summary"]["files"]), ([], [], 2))
        self.assertEqual(self.expect(0, "conflicts", "A_P.utoc", "A_P.pak").stdout, b"2 files: 0 conflicts (0 paths, 0 packages, 0 chunks), 0 not judged whole.\n")

    def test_who_wins(self):
        for name in ("A_P", "B_2_P", "C", "LogicMods/D_10_P"):
            self.lay(MODS + name)
        said = self.ask(1, ".")
        self.assertEqual({c["kind"] for c in said["conflicts"]}, {"path", "package", "chunk"})
        for conflict in said["conflicts"]:
            self.assertEqual(self.outcomes(conflict), {"A_P.utoc": "loses", "B_2_P.utoc": "loses", "C.utoc": "loses", "D_10_P.utoc": "wins"})
            self.assertEqual([c["order"] for c in conflict["claimants"]], [1103, 303, 103, 3])
        self.assertEqual(said["summary"]["told"], len(said["conflicts"]))

    def test_numbers_of_patches(self):
        orders = {"A_p": 103, "B_0_P": 103, "C_1_P": 203, "D_01_P": 103, "E_2147483647_P": 214748364803, "F_2147483648_P": 103, "G__P": 103, "1_P": 103, "_7_P": 803}
        for name in orders:
            self.write(f"{name}.pak", pak("Same.txt"))
        conflict, = self.ask(1, ".")["conflicts"]
        self.assertEqual({os.path.basename(c["path"])[:-4]: c["order"] for c in conflict["claimants"]}, orders)

    def test_folders(self):
        orders = {"Game/Content/Paks/Game-Windows.pak": 4, "Game/Content/Paks/game-b_P.pak": 104, "Game/Content/Paks/~mods/Game-c.pak": 3,
                  "Game/Content/Paks/Other.pak": 3, "Engine/Content/Paks/Engine-x.pak": 2, "Game/Saved/Paks/y.pak": 1, "global.pak": 0, "loose.pak": 3}
        for name in orders:
            self.write(name, pak("Same.txt"))
        conflict, = self.ask(1, ".")["conflicts"]
        self.assertEqual({os.path.relpath(c["path"], "."): c["order"] for c in conflict["claimants"]}, orders)

    def test_one_order_is_in_doubt(self):
        for name in ("A_P", "B_P", "C"):
            self.lay(name)
        for conflict in self.ask(1, ".")["conflicts"]:
            self.assertEqual(self.outcomes(conflict), {"A_P.utoc": "in_doubt", "B_P.utoc": "in_doubt", "C.utoc": "loses"})

    def test_a_container_without_a_pak_is_not_found(self):
        self.lay("A_5_P", with_pak=False)
        self.lay("B_P")
        for conflict in self.ask(1, ".")["conflicts"]:
            self.assertEqual(self.outcomes(conflict), {"A_5_P.utoc": "not_found", "B_P.utoc": "wins"})

    def test_paths_are_whole_and_in_any_case(self):
        self.write("A_P.pak", pak("Maps/One.umap", "Two.txt"))
        self.write("B.pak", pak("game/content/MAPS/one.umap", mount="../../../"))
        self.write("C.pak", pak("One.umap", mount="../../../Game/Content/Maps"))
        self.write("D.pak", pak("Maps/One.umap", mount="../../../Other/Content/"))
        conflict, = self.ask(1, ".")["conflicts"]
        self.assertEqual(conflict["path"].lower(), "../../../game/content/maps/one.umap")
        self.assertEqual(self.outcomes(conflict), {"A_P.pak": "wins", "B.pak": "loses", "C.pak": "loses"})

    def test_loose_files(self):
        self.write("Game/Content/Maps/One.umap", b"")
        self.write("Game/Content/Maps/Three.umap", b"")
        self.write("Game/Binaries/One.umap", b"")
        self.write(MODS + "A_P.pak", pak("Maps/One.umap"))
        conflict, = self.ask(1, ".")["conflicts"]
        self.assertEqual(self.outcomes(conflict), {"A_P.pak": "in_doubt", "One.umap": "in_doubt"})
        self.assertEqual([c["loose"] for c in conflict["claimants"]], [False, True])
        self.assertIn(b"(in no archive)", self.expect(1, "conflicts", ".").stdout)

    def test_a_set_is_not_compared_with_itself(self):
        self.lay("A_P")
        self.write("A_P.pak", pak("Mods/Foo.uasset"))
        self.ask(0, ".")
        self.write("sub/A_P.pak", pak("Mods/Foo.uasset"))
        self.ask(1, ".")

    @needs("nettle")
    def test_what_is_encrypted_is_not_judged(self):
        self.lay("A_P", "iostore/good_encrypted")
        said = self.ask(2, ".")
        self.assertEqual([(u["path"], u["reasons"]) for u in said["unjudged"]], [("./A_P.utoc", ["locked"])])
        self.assertIn(b"no key opens it", self.expect(2, "conflicts", ".").stdout)
        self.lay("B_P", "iostore/good_encrypted")
        self.assertEqual({c["kind"] for c in self.ask(1, ".")["conflicts"]}, {"chunk"})

    def test_what_is_not_judged(self):
        self.write("A_P.pak", b"x" * 100)
        self.write("B_P.pak", pak("One.txt"))
        os.symlink("B_P.pak", self.folder / "C_P.pak")
        os.mkfifo(self.folder / "D_P.pak")
        said = self.ask(2, ".", "absent.pak")
        self.assertEqual({os.path.relpath(u["path"]): u["reasons"] for u in said["unjudged"]},
                         {"A_P.pak": ["unread"], "C_P.pak": ["link"], "absent.pak": ["closed"]})

    def test_hashes_of_paths_are_not_judged(self):
        self.assemble("pak/good_v11_hashes_alone", "A_P.pak")
        self.assemble("pak/good_v11_hashes_alone", "B_P.pak")
        self.assertEqual([u["reasons"] for u in self.ask(2, ".")["unjudged"]], [["hashed"], ["hashed"]])

    def test_nothing(self):
        (self.folder / "empty").mkdir()
        done = self.expect(2, "conflicts", "empty")
        self.assertIn(b"no file was found", done.stderr)
        self.expect_usage("conflicts", says=["PATH... is missing"])
        self.expect_usage("conflicts", "-f", "xml", ".", says=["'xml'"])

    def test_globs(self):
        for name in ("A_P", "B_P", "C_P"):
            self.write(f"{name}.pak", pak("One.txt"))
        self.assertEqual(self.ask(1, "--exclude", "C*", ".")["summary"]["files"], 2)
        self.ask(0, "--include", "A*", ".")

    def test_names_are_escaped(self):
        for name in (b"A\x1b\"\xff_P.pak", b"B##_P.pak"):
            self.write(name, pak("O\x1b[31m\"\\n<.txt"))
        text = self.expect(1, "conflicts", ".").stdout
        self.assertNotIn(b"\x1b", text)
        self.assertIn(rb'"./A\x1B\x22\xFF_P.pak"', text)
        claimants = self.ask(1, ".")["conflicts"][0]["claimants"]
        self.assertEqual(["path_b64" in c for c in claimants], [True, False])

    def test_not_all_are_told(self):
        for name in ("A_P", "B_P"):
            self.write(f"{name}.pak", pak(*(f"{i}.txt" for i in range(20))))
        said = self.ask(1, "--max-findings", "5", ".")
        self.assertEqual((len(said["conflicts"]), said["summary"]["told"], said["summary"]["paths"]), (5, 5, 20))
        self.assertIn(b"--max-findings", self.expect(1, "conflicts", "--max-findings", "5", ".").stdout)

    def test_little_memory_finds_the_same(self):
        """24,000 claims, of which 11,000 fit at a time."""
        for i in range(240):
            self.write(f"{i}_P.pak", pak(*(f"{i}-{k}.txt" for k in range(98)), f"pair{i // 2}.txt", "all.txt"))
        found = []
        for memory in ("512M", "2M", "1M"):
            said = self.ask(1, "--max-memory", memory, ".")
            self.assertEqual((said["unjudged"], said["summary"]["cut"], said["summary"]["paths"]), ([], False, 121))
            found.append({c["path"]: len(c["claimants"]) for c in said["conflicts"]})
        self.assertEqual(found[0], {f"../../../Game/Content/pair{i}.txt": 2 for i in range(120)} | {"../../../Game/Content/all.txt": 240})
        self.assertEqual(found[1:], found[:1] * 2)


if __name__ == "__main__":
    unittest.main()
