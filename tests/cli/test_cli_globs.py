"""Black-box tests of --include, --exclude and --statistics."""
import json
import os
import subprocess
import unittest

import samples
from case import UVET, Case, sound

FILES = ["m/One.umod", "m/two.umod", "m/old/One.umod", "m/old/deep/three.umod", "m/new/old/four.umod", "m/n\u00e4.umod"]


class Globs(Case):
    def setUp(self):
        super().setUp()
        for path in FILES:
            self.write(path, samples.GOOD)

    def found(self, *args, code=0):
        report = json.loads(self.expect(code, "-f", "json", *args).stdout)
        return sorted(artifact["path"] for artifact in report["artifacts"])

    def expect_found(self, expected, *args):
        self.assertEqual(self.found("m", *args), sorted(expected), args)
        self.assertEqual(self.found("m/", *args), sorted(expected), args)

    def without(self, *left_out):
        return [path for path in FILES if path not in left_out]

    def test_names(self):
        ones = ["m/One.umod", "m/old/One.umod"]
        self.expect_found(ones, "--include", "One.umod")
        self.expect_found(ones, "--include", "oNE.*")
        self.expect_found(self.without(*ones), "--exclude", "one*")
        self.expect_found([*ones, "m/two.umod"], "--include", "one*", "--include=tw?.umod")
        self.expect_found(["m/n\u00e4.umod"], "--include", "n?.umod")
        self.expect_found(["m/two.umod"], "--include", "?wo.umod", "--include", "o*", "--exclude", "o*")
        self.expect_found(["m/old/deep/three.umod"], "--include", "*ee*od")

    def test_folders(self):
        old = [path for path in FILES if "/old/" in path]
        self.expect_found(self.without(*old), "--exclude", "old")
        self.expect_found(self.without(*old), "--exclude", "OLD/")
        self.expect_found(old, "--include", "old")
        self.expect_found(FILES, "--exclude", "One.umod/")

    def test_paths(self):
        self.expect_found(["m/One.umod"], "--include", "/One.umod")
        self.expect_found(["m/old/One.umod"], "--include", "old/*.umod")
        self.expect_found(["m/old/One.umod", "m/old/deep/three.umod"], "--include", "old/*")
        self.expect_found(["m/old/One.umod", "m/old/deep/three.umod"], "--include", "old/**")
        self.expect_found(self.without("m/new/old/four.umod"), "--exclude", "*/old/*")
        self.expect_found(["m/old/One.umod", "m/new/old/four.umod"], "--include", "**/old/*.umod")
        self.expect_found(["m/old/deep/three.umod"], "--include", "**/*ee/../x", "--include", "o**ee.umod/", "--include", "o**p/t*")
        self.expect_found(["m/One.umod", "m/old/One.umod"], "--include", "**/One.umod")
        self.expect_found(["m/old/deep/three.umod"], "--include", "**/d*/**")

    def test_what_is_named_is_checked(self):
        self.assertEqual(self.found("m/One.umod", "--exclude", "*"), ["m/One.umod"])
        self.assertIn(b"nothing was checked", self.expect(2, "m", "--exclude", "*").stderr)

    def test_links_and_threads(self):
        os.symlink("two.umod", self.folder / "m" / "link.umod")
        self.assertEqual(self.found("m", "--include", "link*", code=2), ["m/link.umod"])
        self.assertEqual(self.found("m", "--exclude", "link*", "-j3"), sorted(FILES))

    @unittest.skipIf(os.geteuid() == 0, "root may read every folder")
    def test_folders_that_cannot_be_read(self):
        os.chmod(self.folder / "m" / "old", 0)
        self.addCleanup(os.chmod, self.folder / "m" / "old", 0o700)
        self.assertIn("m/old", self.found("m", "--include", "two*", code=2))
        self.assertNotIn("m/old", self.found("m", "--exclude", "old"))

    def test_a_glob_that_takes_long(self):
        self.write("m/" + "a" * 200 + ".umod", samples.GOOD)
        self.expect_found(FILES + ["m/" + "a" * 200 + ".umod"], "--exclude", "*a" * 60 + "b", "--exclude", "**a" * 60 + "b")

    def test_refused(self):
        self.expect_usage("m", "--include", "", says=["--include", "a pattern"])
        self.expect_usage("m", *["--exclude", "x"] * 65, says=["--exclude", "'x'", "at most 64"])


class Statistics(Case):
    def test_what_is_counted(self):
        self.write("m/a.umod", samples.BAD_CRC)
        self.write("m/b.txt", samples.UNKNOWN)
        self.write("m/c.umod", samples.GOOD)
        sizes = len(samples.BAD_CRC) + len(samples.UNKNOWN)
        for jobs in ["1", "3"]:
            done = self.expect(1, "--statistics", "m", "--exclude", "c*", "-q", "-j", jobs)
            self.assertEqual(done.stderr.decode().splitlines(), [
                f"uvet: statistics: files: 2, bytes: {sizes}, files in them: 0, left out by globs: 1",
                f"uvet: statistics: umod: files: 1, bytes: {len(samples.BAD_CRC)}",
                f"uvet: statistics: unknown: files: 1, bytes: {len(samples.UNKNOWN)}",
                "uvet: statistics: findings: 1, of which reports keep 1", "uvet: statistics: UMD006 crc_mismatch: 1"])
            self.assertEqual(done.stdout, self.expect(1, "m", "--exclude", "c*", "-q").stdout)

    def test_streams_and_files_in_files(self):
        inner = samples.umod(b"text")
        outer = samples.around(("System\\Inner.umod", inner))
        done = self.expect(0, "--statistics", "-", stdin=outer)
        self.assertIn(f"files: 1, bytes: {len(outer)}, files in them: 1,", done.stderr.decode())
        self.assertIn(f"umod: files: 2, bytes: {len(outer) + len(inner)}\n", done.stderr.decode())

    def counted(self, code, *args, **more):
        """The first line, and those of formats."""
        lines = self.expect(code, "--statistics", "-q", *args, **more).stderr.decode().splitlines()
        return [line for line in lines if line.startswith("uvet: statistics: ") and "files: " in line]

    def test_sizes_of_whatever_is_named(self):
        size = len(samples.GOOD)
        with open(self.folder / "good.umod", "rb") as file:
            done = subprocess.run([UVET, "--statistics", "-q", "-"], stdin=file, cwd=self.folder, capture_output=True, timeout=60, check=False)
        self.assertIn(f"umod: files: 1, bytes: {size}\n", done.stderr.decode())
        self.assertIn(f"files: 2, bytes: {size}, files in them: 0", self.counted(2, "none.umod", "good.umod")[0])
        self.write("list", b"good.umod\0" * 65)                # so many are opened when their turn comes
        self.assertIn(f"files: 65, bytes: {65 * size}, files in them: 0", self.counted(0, "--files0-from", "list")[0])
        folder = os.open(self.folder, os.O_RDONLY)
        self.addCleanup(os.close, folder)
        done = subprocess.run([UVET, "--statistics", "-q", "-", "good.umod"], stdin=folder, cwd=self.folder, capture_output=True, timeout=60,
                              check=False)
        self.assertIn(f"files: 2, bytes: {size}, files in them: 0", done.stderr.decode())

    def test_links_have_no_size(self):
        os.mkdir(self.folder / "links")
        os.symlink("../good.umod", self.folder / "links/a.umod")
        (line, *_) = self.counted(2, "links")
        self.assertIn("files: 1, bytes: 0, files in them: 0", line)

    def test_a_part_counts_as_its_container(self):
        self.assemble("iostore/good_minimal", "Mod_P.utoc")
        line = [line for line in self.counted(sound("blake3"), "Mod_P.ucas") if " utoc: " in line]
        self.assertEqual(line, [f"uvet: statistics: utoc: files: 1, bytes: {len(self.read('Mod_P.utoc'))}"])

    def test_what_was_decompressed_has_no_size_of_its_own(self):
        self.assemble("uz/good_uz3", "T.u.uz3")
        lines = self.counted(0, "T.u.uz3")
        self.assertIn(f"uvet: statistics: uz3: files: 1, bytes: {len(self.read('T.u.uz3'))}", lines)
        self.assertIn("uvet: statistics: upkg: files: 1, bytes: 0", lines)


if __name__ == "__main__":
    unittest.main()
