"""Black-box tests of 7z archives that the programs write which people use: 7-Zip with each of its coders, and libarchive's bsdtar. Whatever
these write is sound, and all of it is read; what is damaged afterwards is found."""
import itertools
import json
import os
import shutil
import subprocess
import unittest

from case import Case, need, needs

PACKAGE = "upkg/good_filled"
# What 7-Zip is told, and the library that decodes it.
CODERS = {
    "copy": (["-m0=Copy"], None),
    "lzma": (["-m0=LZMA"], "liblzma"),
    "lzma2": (["-m0=LZMA2"], "liblzma"),
    "lzma_bits": (["-m0=LZMA:lc=0:lp=4:pb=4"], "liblzma"),
    "bcj": (["-m0=BCJ", "-m1=LZMA"], "liblzma"),
    "bcj_lzma2": (["-m0=BCJ", "-m1=LZMA2"], "liblzma"),
    "delta": (["-m0=Delta:4", "-m1=LZMA2"], "liblzma"),
    "delta_bcj": (["-m0=Delta:2", "-m1=BCJ", "-m2=LZMA"], "liblzma"),
    "ppc": (["-m0=PPC", "-m1=LZMA"], "liblzma"),
    "arm": (["-m0=ARM", "-m1=LZMA2"], "liblzma"),
    "sparc": (["-m0=SPARC", "-m1=LZMA2"], "liblzma"),
    "bcj2": (["-m0=BCJ2", "-m1=LZMA", "-m2=LZMA:d=64k", "-m3=LZMA:d=64k", "-mb0:1", "-mb0s1:2", "-mb0s2:3"], "libarchive"),
    "ppmd": (["-m0=PPMd"], "libarchive"),
    "bzip2": (["-m0=BZip2"], "libarchive"),
    "deflate": (["-m0=Deflate"], "libarchive"),
}
LAYOUTS = {"solid": [], "single": ["-ms=off"], "plain_header": ["-mhc=off"], "sorted": ["-mqs=on"]}
COMPRESSIONS = {"store": None, "lzma1": "liblzma", "lzma2": "liblzma", "ppmd": "libarchive", "bzip2": "libarchive", "deflate": "libarchive"}


def program(*names):
    return next(filter(None, map(shutil.which, names)), None)


SEVENZIP, BSDTAR = program("7z", "7za", "7zz"), program("bsdtar")


class Archives(Case):
    def setUp(self):
        super().setUp()
        package = self.assemble(PACKAGE, "package.u")
        for name in ("tree/Maps/First.u", "tree/System/Second.u"):
            self.write(name, package)
        self.write("tree/readme.txt", b"read me\n" * 4000)
        self.write("tree/code.bin", bytes(itertools.islice(itertools.cycle(b"\xe8\x10\x20\x00\x00\x90\x55\x48"), 70000)))
        self.write("tree/empty.txt", b"")
        self.write("tree/n\u00e4me \u2713.txt", b"a name")
        os.makedirs(self.folder / "tree" / "Empty")

    def make(self, *command):
        subprocess.run(command, cwd=self.folder, check=True, capture_output=True)

    def report(self, code, name, *options):
        return json.loads(self.expect(code, "check", "--format", "json", "--sets", "none", *options, name).stdout)

    def check_sound(self, name):
        """Valid with nothing to say against it, the packages in it too."""
        report = self.report(0, name)
        self.assertEqual([f["rule"] for f in report["findings"] if f["severity"] in ("error", "warning", "undetermined")], [])
        self.assertEqual([(a["format"], a["verdict"]) for a in report["artifacts"]],
                         [("sevenzip", "valid"), ("upkg", "valid"), ("upkg", "valid")])
        return report

    @unittest.skipUnless(SEVENZIP, "there is no 7z")
    def test_each_coder_of_7_zip(self):
        for name, (options, library) in CODERS.items():
            for layout, more in LAYOUTS.items():
                with self.subTest(coder=name, layout=layout):
                    need("liblzma")                     # for the header
                    if library:
                        need(library)
                    self.make(SEVENZIP, "a", "-bd", *options, *more, f"{name}_{layout}.7z", "tree")
                    self.check_sound(f"{name}_{layout}.7z")

    @unittest.skipUnless(BSDTAR, "there is no bsdtar")
    def test_each_compression_of_bsdtar(self):
        for compression, library in COMPRESSIONS.items():
            with self.subTest(compression=compression):
                need("liblzma")
                if library:
                    need(library)
                self.make(BSDTAR, "-cf", f"{compression}.7z", "--format", "7zip", "--options", f"7zip:compression={compression}", "tree")
                self.check_sound(f"{compression}.7z")

    @needs("liblzma")
    @unittest.skipUnless(SEVENZIP, "there is no 7z")
    def test_what_is_encrypted_is_undetermined(self):
        self.make(SEVENZIP, "a", "-bd", "-psecret", "data.7z", "tree")
        self.make(SEVENZIP, "a", "-bd", "-psecret", "-mhe=on", "names.7z", "tree")
        self.assertEqual({f["rule"] for f in self.report(2, "data.7z")["findings"]}, {"ARC007", "RUN015"})
        self.assertEqual({f["rule"] for f in self.report(2, "names.7z")["findings"]}, {"ARC008", "RUN015"})

    @needs("liblzma")
    @unittest.skipUnless(SEVENZIP, "there is no 7z")
    def test_a_volume_is_told(self):
        self.make(SEVENZIP, "a", "-bd", "-v1k", "-m0=Copy", "mod.7z", "tree")
        self.assertEqual({f["rule"] for f in self.report(2, "mod.7z.001")["findings"]}, {"ARC009"})

    @needs("liblzma")
    @unittest.skipUnless(SEVENZIP, "there is no 7z")
    def test_damage_of_one_folder_hides_no_other(self):
        self.make(SEVENZIP, "a", "-bd", "-ms=off", "mod.7z", "tree/Maps/First.u", "tree/readme.txt", "tree/System/Second.u")
        data = bytearray(self.read("mod.7z"))
        for at in range(40, 60):
            damaged = data[:]
            damaged[at] ^= 0x55
            self.write("damaged.7z", bytes(damaged))
            report = self.report(1, "damaged.7z")
            told = {f["rule"] for f in report["findings"]} & {"ARC011", "ARC012", "ARC013"}
            self.assertTrue(told, at)
            # the two that lie in other folders are read as ever
            self.assertIn("valid", [a["verdict"] for a in report["artifacts"][1:]], at)

    @needs("libarchive")
    @unittest.skipUnless(SEVENZIP, "there is no 7z")
    def test_damage_that_libarchive_meets(self):
        self.make(SEVENZIP, "a", "-bd", "-m0=PPMd", "mod.7z", "tree")
        data = self.read("mod.7z")
        for at in range(40, 220, 15):
            with self.subTest(at=at):
                self.write("damaged.7z", data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1:])
                told = {f["rule"] for f in self.report(1, "damaged.7z")["findings"]}
                self.assertTrue(told & {"ARC011", "ARC012", "ARC013"}, told)

    @needs("liblzma")
    @unittest.skipUnless(SEVENZIP, "there is no 7z")
    def test_every_cut_is_told(self):
        self.make(SEVENZIP, "a", "-bd", "mod.7z", "tree")
        data = self.read("mod.7z")
        for n in (*range(6, 40), *range(40, len(data), len(data) // 30)):
            self.write("cut.7z", data[:n])
            self.assertEqual({f["rule"] for f in self.report(1, "cut.7z")["findings"]}, {"ARC004"}, n)


if __name__ == "__main__":
    unittest.main()
