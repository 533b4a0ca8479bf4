"""Black-box tests of what is refused, and of what is said of what cannot be read."""
import os
import subprocess
import unittest

import samples
from case import UVET, Case, said_besides

HOSTILE = os.environ.get("UVET_HOSTILE")


class Arguments(Case):
    def test_help_of_what_is_no_command(self):
        self.expect_usage("help", "NO\x1bSUCH", says=["NO\\x1BSUCH", "is not a command"])

    def test_numbers_of_jobs(self):
        for value in ["1x", "64x", "0x1", "1 ", "650", "99999999999999999999"]:
            self.expect_usage("--jobs", value, "good.umod", says=["--jobs", value, "a number from 0 to 64"])
        for value in ["0", "00", "064"]:
            self.expect(0, "--jobs", value, "good.umod")

    def test_sixteen_reports(self):
        reports = [arg for number in range(16) for arg in ["-f", f"json=out{number}"]]
        self.expect_usage(*reports, "-f", "text=one-too-many", "bad.umod", says=["text=one-too-many", "at most 16"])
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("out")], [])
        self.expect(1, *reports, "bad.umod")
        self.assertEqual({self.read(f"out{number}") for number in range(16)}, {self.expect(1, "-f", "json", "bad.umod").stdout})

    def test_forms_that_are_the_default(self):
        for command in [["rules"], ["map", "good.umod"], ["info", "good.umod"]]:
            self.assertEqual(self.expect(0, *command, "--format", "text").stdout, self.expect(0, *command).stdout)


class Unread(Case):
    """A process reads its own memory like a file, and fails at the first byte."""
    memory = "/proc/self/mem"

    @unittest.skipUnless(os.path.exists(memory), "there is no such file here")
    def test_what_fails_while_it_is_read(self):
        for option in ["--aes-key-file", "--signing-key-file", "--files0-from"]:
            self.expect_usage(option, self.memory, "good.umod", says=[option, self.memory, "Input/output error"])

    def test_maps_of_unknown_files(self):
        for command in ["map", "info"]:
            done = self.expect(2, command, "unknown.txt")
            self.assertIn(b"no known format", done.stdout)
            self.assertEqual(done.stderr, said_besides([command]))

    def test_standard_input_that_is_a_device(self):
        with open(os.devnull, "rb") as nothing:
            done = subprocess.run([UVET, "-", "-f", "concise"], stdin=nothing, capture_output=True, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stdout.count(b"RUN004")), (2, 1))

    @unittest.skipUnless(HOSTILE, "there is no such program here")
    def test_a_standard_stream_that_cannot_be_replaced(self):
        """What was closed would otherwise be the number of the next file that is opened."""
        command = ["sh", "-c", '"$0" good.umod -f json=out <&-', HOSTILE]
        for fault, code in [("open=1", 4), ("open=9", 0)]:
            done = subprocess.run(command, cwd=self.folder, capture_output=True, timeout=60, check=False,
                                  env={**os.environ, "UVET_FAULT": fault})
            self.assertEqual(done.returncode, code)
            self.assertEqual((self.folder / "out").exists(), code == 0)
            self.assertEqual(done.stderr != b"", code == 4)
            if code == 4:
                self.assertRegex(done.stderr, rb"\Auvet: [^\n]*standard streams[^\n]*\n\Z")


class Readers(Case):
    """Whoever reads standard output may leave, as head does."""

    def leave(self, *args):
        reading, writing = os.pipe()
        os.close(reading)
        with os.fdopen(writing, "wb") as pipe:
            done = self.run_uvet(*args, stdout=pipe)
        self.assertEqual(done.stderr, said_besides(args), args)
        return done.returncode

    def test_a_reader_who_left(self):
        for args in [["bad.umod"], ["bad.umod", "-f", "json"], ["rules"], ["explain", "UMD"], ["explain", "UMD006"], ["map", "good.umod"],
                     ["info", "good.umod"], ["info", "good.umod", "-f", "json"], ["help"], ["version"], ["map", "unknown.txt"]]:
            self.assertEqual(self.leave(*args), 141, args)

    def test_other_reports_are_written_nevertheless(self):
        whole = self.expect(1, "-f", "json", "bad.umod").stdout
        self.assertEqual(self.leave("-f", "text", "-f", "json=out", "bad.umod"), 1)
        self.assertEqual(self.read("out"), whole)


class Quietly(Case):
    def test_warnings_are_something_to_say(self):
        done = self.expect(0, "-q", "--severity", "UMD006=warning", "bad.umod", "good.umod")
        self.assertIn(b"warning[UMD006]", done.stdout)
        self.assertNotIn(b"good.umod", done.stdout)

    def test_a_full_disk_ends_the_run(self):
        inner = [(f"System\\Inner{number}.umod", samples.BAD_CRC) for number in range(40)]
        self.write("many.umod", samples.around(*inner))
        self.assertGreater(len(self.expect(1, "-q", "many.umod").stdout), 2 * 8192)
        with open("/dev/full", "wb") as full:
            done = self.expect(4, "-q", "many.umod", stdout=full)
        self.assertRegex(done.stderr, rb"\Auvet: standard output could not be written: No space left on device\n\Z")


if __name__ == "__main__":
    unittest.main()
