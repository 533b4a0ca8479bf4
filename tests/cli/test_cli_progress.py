"""Black-box tests of the progress line: on a terminal, after a second, and nowhere else."""
import os
import pty
import re
import subprocess
import time
import unittest

import samples
from case import UVET, Case

N, FEW = 3000, 300


class Progress(Case):
    def run_slowly(self, *args, columns="200", term="xterm", waits=1.2):
        """What is written to standard error, a terminal, by a run whose report nobody reads for a time."""
        try:
            leader, follower = pty.openpty()
        except OSError:
            self.skipTest("no pseudo-terminal here")
        environment = {**os.environ, "TERM": term, "COLUMNS": columns}
        with subprocess.Popen([UVET, "check", *args], cwd=self.folder, stdout=subprocess.PIPE, stderr=follower, env=environment) as process:
            os.close(follower)
            time.sleep(waits)
            self.assertGreater(len(process.stdout.read()), 65536)
            written = b""
            try:
                while chunk := os.read(leader, 4096):
                    written += chunk
            except OSError:
                pass
        os.close(leader)
        self.assertEqual(process.returncode, 1)
        return written

    def setUp(self):
        super().setUp()
        for i in range(N):
            self.write(f"mods/{i:04}.umod", samples.BAD_CRC)
        for i in range(FEW):
            self.write(f"few/{i:04}.umod", samples.BAD_CRC)

    def test_a_run_that_lasts_is_told_of(self):
        for args in (["-j4", "mods"], ["--quiet", "mods", "bad.umod"]):
            written = self.run_slowly(*args)
            n = N + len(args) // 3
            self.assertRegex(written, rb"\ruvet: \d+ of %d files, [\d.]+ k?B, [\d.]+ [kM]?B/s(, \d+:\d\d left)?" % n)
            self.assertTrue(written.endswith(b"\r"), written[-100:])
            self.assertRegex(written, rb"\r +\r\Z")                 # the line is taken away
            self.assertNotIn(b"\x1b", written)
            self.assertNotIn(b"\n", written)

    def test_it_is_no_wider_than_the_terminal(self):
        for line in re.split(rb"\r", self.run_slowly("mods", columns="20")):
            self.assertLess(len(line), 20)

    def test_it_can_be_left_out(self):
        self.assertEqual(self.run_slowly("--progress", "never", "mods"), b"")
        self.assertEqual(self.run_slowly("mods", term="dumb"), b"")

    def test_a_quick_run_says_nothing(self):
        self.assertEqual(self.run_slowly("few", waits=0), b"")

    def test_no_terminal(self):
        with subprocess.Popen([UVET, "check", "mods"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            time.sleep(1.2)
            process.stdout.read()
            self.assertEqual(process.stderr.read(), b"")

    def test_values(self):
        self.expect_usage("--progress", "always", "good.umod", says=["'always'", "auto or never"])
        self.expect(0, "--progress", "auto", "good.umod")


if __name__ == "__main__":
    unittest.main()
