"""Black-box tests of archives as common programs write them: none of them may be called invalid, and what lies in them is checked."""
import bz2
import gzip
import io
import json
import lzma
import os
import shutil
import subprocess
import tarfile
import unittest

import samples
from case import Case, has, needs, sound

MEMBERS = {"Mod/readme.txt": b"hello\n", "Mod/System/Good.umod": samples.GOOD, f"Mod/{'y' * 60}/{'x' * 60}.txt": b"a long name\n", "Mod/empty.txt": b""}


def version(program):
    """The first line that a program says of itself; None: it is not there."""
    if not shutil.which(program):
        return None
    done = subprocess.run([program, "--version"], capture_output=True, check=False)
    return (done.stdout or done.stderr).decode(errors="replace").splitlines()[0]


class Tars(Case):
    def tree(self):
        for name, data in MEMBERS.items():
            self.write(name, data)
        return "Mod"

    def make(self, *args, **more):
        subprocess.run(args, cwd=self.folder, check=True, capture_output=True, **more)

    def report(self, *args, code=0):
        return json.loads(self.expect(code, "check", "--format", "json", *args).stdout)

    def expect_sound(self, name, rules=(), code=0):
        """Every file in it is valid, and nothing is said but notes and these rules."""
        report = self.report(name, code=code)
        self.assertIn("good.umod", [a["path"].rsplit("/")[-1].lower() for a in report["artifacts"]], name)
        self.assertEqual({f["rule"] for f in report["findings"] if f["severity"] != "note"}, set(rules), name)
        return report

    def test_gnu_tar(self):
        if not (version("tar") or "").startswith("tar (GNU tar)"):
            self.skipTest("there is no GNU tar")
        self.tree()
        for form in ["ustar", "gnu", "oldgnu", "posix"]:
            with self.subTest(form=form):
                self.make("tar", f"--format={form}", "-cf", "a.tar", "Mod")
                self.expect_sound("a.tar")
        shutil.rmtree(self.folder / "Mod" / ("y" * 60))     # v7 has no room for it
        self.make("tar", "--format=v7", "-cf", "a.tar", "Mod")
        self.expect_sound("a.tar")
        self.make("tar", "-C", "Mod", "-cf", "a.tar", ".")
        self.expect_sound("a.tar")
        self.make("tar", "-rf", "a.tar", "Mod/readme.txt")
        self.expect_sound("a.tar")
        self.make("tar", "-rf", "a.tar", "Mod/readme.txt")
        self.expect_sound("a.tar", ["ARC039"])

    @needs("blake3")
    def test_a_container_alone_in_a_long_tar(self):
        """Nothing else in it is checked, and the tar is longer than what is held of it at once."""
        self.assemble("iostore/good_minimal", "Mod_P.utoc")
        self.write("long.bin", bytes(3 << 20))
        with tarfile.open(self.folder / "a.tar", "w") as tar:
            for name in ["long.bin", "Mod_P.utoc", "Mod_P.ucas"]:
                tar.add(self.folder / name, name)
        found = {(f["rule"], f["severity"]) for f in self.report("a.tar", code=1)["findings"] if f["severity"] != "note"}
        self.assertEqual(found, {("SET001", "error")})      # its .pak is missing, and its .ucas was found

    def test_links_and_holes(self):
        if not (version("tar") or "").startswith("tar (GNU tar)"):
            self.skipTest("there is no GNU tar")
        self.tree()
        os.link(os.path.join(self.folder, "Mod/readme.txt"), os.path.join(self.folder, "Mod/hard.txt"))
        os.symlink("readme.txt", os.path.join(self.folder, "Mod/soft.txt"))
        self.make("tar", "-cf", "a.tar", "Mod")
        self.expect_sound("a.tar", ["ARC047"])
        with open(os.path.join(self.folder, "Mod/holes.bin"), "wb") as file:
            file.truncate(1 << 19)
            file.seek(0, os.SEEK_END)
            file.write(b"end")
        for form in ["gnu", "posix"]:
            self.make("tar", f"--format={form}", "-S", "-cf", "a.tar", "Mod")
            self.expect_sound("a.tar", ["ARC047"])
        with open(os.path.join(self.folder, "Mod/holes.bin"), "ab") as file:
            file.truncate(1 << 25)                             # more than --max-ratio times its bytes: not read
        self.make("tar", "-S", "-cf", "a.tar", "Mod")
        self.expect_sound("a.tar", ["ARC047", "RUN001"], code=2)

    def test_bsdtar(self):
        if not version("bsdtar"):
            self.skipTest("there is no bsdtar")
        self.tree()
        for form in ["ustar", "gnutar", "pax"]:
            with self.subTest(form=form):
                self.make("bsdtar", f"--format={form}", "-cf", "a.tar", "Mod")
                self.expect_sound("a.tar")

    def test_python(self):
        self.tree()
        for form in [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT]:
            with self.subTest(form=form), tarfile.open(os.path.join(self.folder, "a.tar"), "w", format=form) as tar:
                tar.add(os.path.join(self.folder, "Mod"), "Mod")
            self.expect_sound("a.tar")

    def test_compressors(self):
        self.tree()
        data = io.BytesIO()
        with tarfile.open(fileobj=data, mode="w") as tar:
            tar.add(os.path.join(self.folder, "Mod"), "Mod")
        made = {"a.tar.gz": gzip.compress(data.getvalue()), "a.tgz": gzip.compress(data.getvalue())}
        if has("liblzma"):
            made["a.tar.xz"] = lzma.compress(data.getvalue())
        if has("libbz2"):
            made["a.tar.bz2"] = bz2.compress(data.getvalue())
        for name, packed in made.items():
            with self.subTest(name=name):
                self.write(name, packed)
                self.expect_sound(name)

    def test_programs_that_compress(self):
        self.tree()
        with tarfile.open(os.path.join(self.folder, "a.tar"), "w") as tar:
            tar.add(os.path.join(self.folder, "Mod"), "Mod")
        for program, ending, library, options in [("gzip", "gz", None, ["-9"]), ("pigz", "gz", None, ["-k"]), ("xz", "xz", "liblzma", ["-9"]),
                                                  ("xz", "xz", "liblzma", ["-T2", "--block-size=4096"]), ("zstd", "zst", "libzstd", ["-19", "-q"]),
                                                  ("zstd", "zst", "libzstd", ["--no-check", "-q"]), ("bzip2", "bz2", "libbz2", ["-1"]),
                                                  ("pzstd", "zst", "libzstd", ["-q"])]:
            if version(program) and (library is None or has(library)):
                with self.subTest(program=program, version=version(program)):
                    self.make(program, *options, "-f", "-k", "a.tar")
                    self.expect_sound(f"a.tar.{ending}")

    @needs("nettle")
    def test_a_set_in_an_archive(self):
        """The parts of a container are found in its folder in the archive, and nowhere else."""
        folder = self.folder
        (folder / "Set").mkdir()
        self.assemble("iostore/good_minimal", "Set/Mod_P.utoc")
        names = sorted(path.name for path in (folder / "Set").iterdir())
        self.assertGreater(len(names), 1)
        with tarfile.open(folder / "a.tar", "w") as tar:
            for name in names:
                tar.add(folder / "Set" / name, f"Paks/~mods/{name}")
        whole = self.report("a.tar", code=sound("blake3"))
        self.assertEqual([f["rule"] for f in whole["findings"] if f["severity"] == "error"], [])
        with tarfile.open(folder / "b.tar", "w") as tar:
            for name in names:
                tar.add(folder / "Set" / name, f"{'Paks' if name.endswith('.utoc') else 'Other'}/{name}")
        parted = self.report("b.tar", code=1)
        self.assertIn("error", [f["severity"] for f in parted["findings"]])


if __name__ == "__main__":
    unittest.main()
