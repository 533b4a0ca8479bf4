"""Black-box tests of archives as they are uploaded: the files in them, alone and as sets."""
import io
import json
import struct
import unittest
import zipfile
import zlib

import samples
from case import Case, needs, sound


def zip_of(*members, method=zipfile.ZIP_DEFLATED):
    """A zip as Python writes it, of pairs of a name and bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return out.getvalue()


class Archives(Case):
    def verdicts(self, name, *args, code=0):
        """The verdicts of a file and the files in it, by their names."""
        rows = [json.loads(line) for line in self.expect(code, "-f", "ndjson", *args, name).stdout.splitlines()]
        return {row["path"]: row["verdict"] for row in rows if "verdict" in row and "path" in row}

    def found(self, name, *args, code=0):
        """The findings in a file and the files in it: pairs of a path and a rule."""
        return [(line.split(": ")[0].rpartition(":0x")[0] or line.split(": ")[0], line.split("[")[1].split("]")[0])
                for line in self.expect(code, "-f", "concise", *args, name).stdout.decode().splitlines()
                if "[" in line and "diagnosis[" not in line]

    def test_files_are_checked_inside(self):
        for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            self.write("a.zip", zip_of(("Help/good.umod", samples.GOOD), ("readme.txt", b"x" * 99), method=method))
            self.assertEqual(self.verdicts("a.zip"), {"a.zip": "valid", "a.zip!Help/good.umod": "valid"})
            self.write("a.zip", zip_of(("Help/bad.umod", samples.BAD_CRC), ("good.umod", samples.GOOD), method=method))
            self.assertEqual(self.verdicts("a.zip", code=1), {"a.zip": "invalid", "a.zip!Help/bad.umod": "invalid",
                                                              "a.zip!good.umod": "valid"})

    def test_bytes_tell_what_names_do_not(self):
        """An archive in an archive is one whatever it is called."""
        inner = zip_of(("good.umod", samples.GOOD))
        for name in ("inner.zip", "inner.dat", "picture.png"):
            self.write("a.zip", zip_of((name, inner)))
            self.assertEqual(self.verdicts("a.zip"), {"a.zip": "valid", f"a.zip!{name}": "valid", f"a.zip!{name}!good.umod": "valid"})
            self.assertEqual(self.found("a.zip"), [("a.zip", "ARC016")])
        self.write("a.zip", zip_of(("mod.jar", inner)))
        self.assertEqual(self.found("a.zip"), [("a.zip", "ARC049")])

    def test_damage_of_one_member_does_not_hide_the_others(self):
        data = bytearray(zip_of(("bad.umod", samples.GOOD), ("good.umod", samples.GOOD), method=zipfile.ZIP_STORED))
        data[60] ^= 1
        self.write("a.zip", data)
        self.assertEqual(self.verdicts("a.zip", code=1), {"a.zip": "invalid", "a.zip!bad.umod": "invalid", "a.zip!good.umod": "valid"})
        self.assertIn(("a.zip", "ARC011"), self.found("a.zip", code=1))
        data = bytearray(zip_of(("bad.umod", samples.GOOD), ("good.umod", samples.GOOD)))
        data[40:60] = b"\xff" * 20
        self.write("a.zip", data)
        self.assertEqual(self.verdicts("a.zip", code=1), {"a.zip": "invalid", "a.zip!good.umod": "valid"})
        self.assertEqual(self.found("a.zip", code=1), [("a.zip", "ARC013")])

    @needs("blake3")
    def test_a_set_in_an_archive(self):
        """A container in a zip finds its other files in the same folder there, and they are not checked by themselves."""
        self.assemble("iostore/good_minimal", "Mod_P.utoc")
        files = {path.name: path.read_bytes() for path in self.folder.iterdir() if path.name.startswith("Mod_P")}
        self.assertEqual(sorted(files), ["Mod_P.pak", "Mod_P.ucas", "Mod_P.utoc"])
        for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            self.write("a.zip", zip_of(*((f"Paks/{name}", data) for name, data in files.items()), method=method))
            self.assertEqual(self.verdicts("a.zip")["a.zip!Paks/Mod_P.utoc"], "valid")
            self.assertNotIn("a.zip!Paks/Mod_P.ucas", self.verdicts("a.zip"))
            self.write("a.zip", zip_of(*((f"Paks/{name}", data) for name, data in files.items() if not name.endswith(".ucas")), method=method))
            self.assertIn(("a.zip!Paks/Mod_P.utoc", "SET002"), self.found("a.zip", code=1))
            self.write("a.zip", zip_of(*((("Other/" if name.endswith(".ucas") else "Paks/") + name, data) for name, data in files.items()), method=method))
            self.assertIn(("a.zip!Paks/Mod_P.utoc", "SET002"), self.found("a.zip", code=1))
        self.write("a.zip", zip_of(*files.items()))
        self.assertEqual(self.verdicts("a.zip", "--siblings", "none", code=2)["a.zip!Mod_P.utoc"], "undetermined")

    def test_long_members_are_streams(self):
        """A member that is too long for memory is read where it is asked for; its own archive is as good as one in memory."""
        filler = b"".join(zlib.crc32(struct.pack("<I", i)).to_bytes(4, "little") for i in range(1 << 19)) * 5
        inner = zip_of(("filler.bin", filler), ("good.umod", samples.GOOD), ("bad.umod", samples.BAD_CRC), method=zipfile.ZIP_STORED)
        self.write("a.zip", zip_of(("inner.zip", inner)))
        self.assertEqual(self.verdicts("a.zip", "--max-memory", "24M", code=1),
                         {"a.zip": "invalid", "a.zip!inner.zip": "invalid", "a.zip!inner.zip!good.umod": "valid",
                          "a.zip!inner.zip!bad.umod": "invalid"})

    def test_what_is_encrypted_is_not_valid(self):
        data = bytearray(zip_of(("good.umod", samples.GOOD), ("readme.txt", b"x")))
        central = data.index(b"PK\1\2")
        data[6] |= 1
        data[central + 8] |= 1
        self.write("a.zip", data)
        self.assertEqual(self.found("a.zip", code=2), [("a.zip", "RUN015"), ("a.zip", "ARC007")])

    def test_a_bomb_is_not_decoded(self):
        self.write("a.zip", zip_of(("zeros.umod", bytes(1 << 25))))
        self.assertIn(("a.zip", "RUN001"), self.found("a.zip", code=2))
        self.write("a.zip", zip_of(("zeros.umod", bytes(1 << 20))))
        self.assertNotIn(("a.zip", "RUN001"), self.found("a.zip", code=1))

    def test_depth_is_limited(self):
        data = samples.GOOD
        for i in range(6):
            data = zip_of((f"{i}.zip" if i else "good.umod", data), method=zipfile.ZIP_STORED)
        self.write("a.zip", data)
        self.assertIn("RUN001", [rule for _, rule in self.found("a.zip", code=2)])
        self.assertNotIn("RUN001", [rule for _, rule in self.found("a.zip", "--max-depth", "9", code=0)])

    def test_structure_reads_no_payload(self):
        data = bytearray(zip_of(("bad.umod", samples.GOOD)))
        data[40:60] = b"\xff" * 20
        self.write("a.zip", data)
        out = self.expect(0, "--level", "structure", "-f", "concise", "a.zip").stdout.decode()
        self.assertEqual(out, "a.zip: VALID (tables only), no findings\n")

    def test_methods(self):
        for method, library in ((zipfile.ZIP_LZMA, "liblzma"), (zipfile.ZIP_BZIP2, "libbz2")):
            self.write("a.zip", zip_of(("good.umod", samples.GOOD), method=method))
            self.assertEqual(self.verdicts("a.zip", code=sound(library))["a.zip"], "valid" if sound(library) == 0 else "undetermined")
        data = bytearray(zip_of(("good.umod", samples.GOOD), method=zipfile.ZIP_STORED))
        for at in (8, data.index(b"PK\1\2") + 10):
            data[at:at + 2] = b"\x09\x00"                      # Deflate64, which no library here decodes
        self.write("a.zip", data)
        self.assertIn(("a.zip", "ARC010"), self.found("a.zip", code=2))


if __name__ == "__main__":
    unittest.main()
