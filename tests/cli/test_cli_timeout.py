"""Black-box tests of --timeout, and of files that would take for ever."""
import os
import struct
import time
import unittest

from case import Case

TIB = 1 << 40


class Timeout(Case):
    def sparse(self, name, end=b""):
        with open(self.folder / name, "wb") as file:
            file.truncate(TIB)
            file.seek(TIB - len(end))
            file.write(end)
        return name

    def installer(self):
        """A terabyte of zeros that says at its end that it is an installer: its CRC is over all of it."""
        return self.sparse("large.umod", struct.pack("<5I", 0x9FE3C5A3, 0, TIB & 0xFFFFFFFF, 1, 0))

    def test_the_time_of_a_check(self):
        name, begin = self.installer(), time.monotonic()
        done = self.expect(2, "--timeout", "300ms", "-f", "concise", name)
        self.assertIn(b"undetermined[RUN010] the check was not finished in 300 ms", done.stdout)
        self.assertLess(time.monotonic() - begin, 30)
        done = self.expect(2, "--timeout", "300ms", name)
        self.assertTrue(done.stdout.startswith(b"UNDETERMINED  large.umod"), done.stdout)
        self.assertIn(b"   = not judged: the check took too long\n", done.stdout)
        self.assertNotIn(b"ENG001", done.stdout)
        self.expect(0, "--timeout", "1h", "good.umod")

    def test_each_file_has_its_time(self):
        done = self.run_uvet("--timeout", "300ms", "-f", "concise", self.installer(), "good.umod")
        self.assertIn(b"good.umod: VALID", done.stdout)

    def test_a_file_of_one_byte_is_not_read_to_its_end(self):
        begin = time.monotonic()
        done = self.expect(1, "-f", "concise", self.sparse("large.u"))
        self.assertIn(b"FIL009", done.stdout)
        self.assertLess(time.monotonic() - begin, 10)

    def test_bytes_that_are_read_are_work(self):
        """A million units are 64 MB at most."""
        done = self.run_uvet("--max-work", "1000000", "-f", "concise", self.installer())
        self.assertIn(b"RUN001", done.stdout)
        self.assertIn(b"max-work of 1000000", done.stdout)

    def test_map_and_info_have_a_time_too(self):
        for command in ["map", "info"]:
            done = self.run_uvet(command, "--timeout", "50ms", self.installer())
            self.assertIn(done.returncode, (0, 2))
            self.expect_usage(command, "--timeout", "soon", "good.umod")

    def expect_usage(self, *args):
        done = self.run_uvet(*args)
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"timeout: expected a time such as 60, 500ms, 2m or 1h", done.stderr)


if __name__ == "__main__":
    unittest.main()
