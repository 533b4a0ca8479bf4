"""Black-box tests of --max-memory: it bounds the whole run, and how many files are checked at a time changes no report."""
import glob
import os
import random
import struct
import subprocess
import sys
import unittest
import zlib

from case import CONFORMANCE, UVET, Case, has_sanitizer

MIB = 1 << 20
HAS_SANITIZER = has_sanitizer(UVET)
# A small process that starts another and prints its exit code and the most memory that it had; a large one would count its own.
LAUNCHER = """
import os, sys
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024)
"""
NOISE = random.Random(1).randbytes(32768)         # does not become smaller


def download(size, fill=bytes(32768)):
    """A .uz2 of that many bytes, which are held as long as it is checked."""
    out = b""
    for at in range(0, size, 32768):
        chunk = fill[:min(32768, size - at)]
        packed = zlib.compress(chunk)
        out += struct.pack("<II", len(packed), len(chunk)) + packed
    return out


class Memory(Case):
    def peak(self, *args, stdin=os.devnull):
        """The most memory that a run had, in bytes."""
        command = [sys.executable, "-c", LAUNCHER, UVET, *args, "-f", f"json={self.folder}/out"]
        with open(stdin, "rb") as source:
            cat = subprocess.Popen(["cat"], stdin=source, stdout=subprocess.PIPE)
            said = subprocess.run(command, stdin=cat.stdout, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
            cat.stdout.close()
            cat.wait()
        code, peak = map(int, said.split())
        self.assertLessEqual(code, 2)
        return peak


class Jobs(Memory):
    def outcome(self, *args):
        done = self.run_uvet(*args, "-f", "json")
        return done.returncode, done.stdout

    def expect_same(self, memory, names):
        alone = self.outcome("-j", "1", "--max-memory", memory, *names)
        for jobs in ["2", "4", "16"]:
            self.assertEqual(self.outcome("-j", jobs, "--max-memory", memory, *names), alone, f"-j {jobs} --max-memory {memory}")
        return alone

    def test_reports_do_not_depend_on_the_number_of_jobs(self):
        vectors = sorted(glob.glob(os.path.join(CONFORMANCE, "vectors", "u*", "*.vec")))[::97]
        self.assertGreater(len(vectors), 15)
        names = []
        for number, path in enumerate(vectors):
            format_name, name = path.split(os.sep)[-2:]
            folder = f"{number}"
            (self.folder / folder).mkdir()
            self.assemble(f"{format_name}/{name[:-4]}", os.path.join(folder, self.file_of(path)))
            names.append(os.path.join(folder, self.file_of(path)))
        seen = {self.expect_same(memory, names) for memory in ["0", "20K", "60K", "150K", "400K", "1M", "4M", "512M"]}
        self.assertGreater(len(seen), 2)                        # the limits bite, each at another place

    def file_of(self, path):
        return os.path.basename(path)[:-4] + "." + path.split(os.sep)[-2]

    def test_one_that_needs_all_memory(self):
        """A file that a share is not enough for is judged as if it were alone, and so are those around it."""
        names = []
        for i in range(12):
            names.append(f"{i}.u.uz2")
            self.write(names[-1], download(8 * MIB if i in (0, 5, 11) else 100000))
        code, report = self.expect_same("12M", names)
        self.assertNotIn(b"RUN005", report)
        self.assertIn(b"FIL008", report)                        # all bytes are the same
        self.assertEqual(code, 1)
        self.assertIn(b"RUN005", self.expect_same("6M", names)[1])

    @unittest.skipIf(HAS_SANITIZER, "a sanitizer has memory of its own")
    def test_all_jobs_share_it(self):
        names = []
        for i in range(24):
            names.append(os.path.join(self.folder, f"{i}.u.uz2"))
            self.write(names[-1], download(24 * MIB))
        few = self.peak("--max-memory", "64M", "-j", "1", names[0])
        self.assertGreater(few, 24 * MIB)
        for jobs in ["4", "64"]:
            self.assertLess(self.peak("--max-memory", "64M", "-j", jobs, *names), 64 * MIB + 16 * MIB)


class Streams(Memory):
    def test_standard_input_counts(self):
        data = download(200000, NOISE)
        name = ["--stdin-name", "a.u.uz2"]
        self.expect(1, *name, "-", stdin=data)
        done = self.expect(2, "--max-memory", str(len(data) - 1), *name, "-", stdin=data)
        self.assertIn(b"standard input cannot be read: longer than --max-memory allows", done.stderr)
        self.assertIn(b"RUN002", done.stdout)
        # What it takes is not there for the check.
        needs = next(n for n in range(200000, 2 * MIB, 1000) if self.code("--max-memory", str(n), *name, "-", stdin=data) == 1)
        self.write("a.u.uz2", data)
        alone = next(n for n in range(200000, 2 * MIB, 1000) if self.code("--max-memory", str(n), "a.u.uz2") == 1)
        self.assertLessEqual(abs(needs - alone - len(data)), 40000)

    def code(self, *args, **more):
        return self.run_uvet(*args, **more).returncode

    def test_a_list_counts(self):
        names = b"good.umod\0" * 1000
        self.write("list", names)
        self.expect(0, "--files0-from", "list", "--max-memory", "4M")
        self.expect(0, "--files0-from", "-", "--max-memory", "4M", stdin=names)
        for args, more in [(["list"], {}), (["-"], {"stdin": names})]:
            done = self.expect(3, "--files0-from", *args, "--max-memory", str(len(names) - 1), **more)
            self.assertIn(b"cannot be read: longer than --max-memory allows", done.stderr)

    def test_names_of_parts_count(self):
        """What is noted of each named part of a container is not there for the check, were it more than all there is."""
        names = b""
        for i in range(2000):
            self.write(f"{i}.ucas", b"x")
            names += b"%d.ucas\0" % i
        self.write("list", b"good.umod\0" + names)
        done = self.expect(4, "-j", "1", "--files0-from", "list", "--max-memory", "60K")
        self.assertIn(b"out of memory", done.stderr)
        self.write("list", b"good.umod\0" * 1800)
        self.expect(0, "-j", "1", "--files0-from", "list", "--max-memory", "60K")

    def test_any_number_will_do(self):
        self.expect(0, "--max-memory", str((1 << 64) - 1), "--stdin-name", "a.umod", "-", stdin=self.read("good.umod"))

    def test_map_and_info_count_it_too(self):
        data = download(200000, NOISE)
        for command in ["map", "info"]:
            self.assertEqual(self.code(command, "--max-memory", "100", "-", stdin=data), 2)

    @unittest.skipIf(HAS_SANITIZER, "a sanitizer has memory of its own")
    def test_no_more_is_held(self):
        with open(self.folder / "large", "wb") as large:
            large.truncate(96 * MIB)
        self.assertLess(self.peak("--max-memory", "16M", "-", stdin=self.folder / "large"), 16 * MIB + 12 * MIB)


if __name__ == "__main__":
    unittest.main()
